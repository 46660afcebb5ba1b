//! Lines from a program that may send anything: bounded, and never an error for not being text.

use std::io::{self, BufRead, Read};

/// The longest line that is kept; the rest of a longer one is dropped.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, a byte-order mark or carriage returns; `None` at the end of the input.
pub fn next_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if Read::take(&mut *input, LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    while bytes.len() as u64 >= LONGEST && bytes.last() != Some(&b'\n') {
        let mut rest = Vec::new();
        if Read::take(&mut *input, LONGEST).read_until(b'\n', &mut rest)? == 0 || rest.last() == Some(&b'\n') {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_bounded() {
        let long = "x".repeat(3 << 20);
        let text = format!("\u{feff}one\r\n\n{long}\nlast");
        let mut input = text.as_bytes();
        let mut next = || next_line(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().map(|line| line.len()), Some(1 << 20));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
        assert!(next_line(&mut &[0xff, b'\n'][..]).unwrap().is_some());
    }
}
