//! Templates: ordinary source with regions that a bake replaces.
//!
//! A region is what stands between the lines `BAKE:BEGIN name` and `BAKE:END name` (inside whatever a comment is in
//! the language). The marker lines stay, so a baked file can be inspected and its regions read back.

use std::fmt::Write;

use thiserror::Error;

/// The Othello bot for C and C++.
pub const OTHELLO_C: &str = include_str!("template/othello.c");

/// The Renju bot for C and C++.
pub const RENJU_C: &str = include_str!("template/renju.c");

/// A template without a region it should have.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the source has no region `{0}` between BAKE:BEGIN and BAKE:END")]
pub struct NoRegion(pub String);

/// Where the region's text begins and ends in `source`.
fn find(source: &str, name: &str) -> Option<(usize, usize)> {
    let (mut begin, mut at) = (None, 0);
    for line in source.split_inclusive('\n') {
        let words: Vec<&str> = line.split_whitespace().collect();
        let marks = |mark: &str| words.windows(2).any(|pair| pair[0] == mark && pair[1] == name);
        if begin.is_none() && marks("BAKE:BEGIN") {
            begin = Some(at + line.len());
        } else if let (Some(begin), true) = (begin, marks("BAKE:END")) {
            return Some((begin, at));
        }
        at += line.len();
    }
    None
}

/// The text of a region.
pub fn region<'a>(source: &'a str, name: &str) -> Result<&'a str, NoRegion> {
    find(source, name).map(|(begin, end)| &source[begin..end]).ok_or_else(|| NoRegion(name.to_string()))
}

/// The source with the text of a region replaced.
pub fn replace(source: &str, name: &str, text: &str) -> Result<String, NoRegion> {
    let (begin, end) = find(source, name).ok_or_else(|| NoRegion(name.to_string()))?;
    Ok(format!("{}{text}{}", &source[..begin], &source[end..]))
}

/// C source without comments, indentation and empty lines. A comment may not be the only thing between two words.
pub fn without_comments(source: &str) -> String {
    let mut plain = String::with_capacity(source.len());
    let mut rest = source;
    // The next thing that is not plain text: a comment, or a literal, in which comment marks mean nothing.
    while let Some(at) = rest.find(['"', '\'', '/']) {
        plain.push_str(&rest[..at]);
        let len = match rest.as_bytes()[at] {
            b'/' if rest[at..].starts_with("/*") => {
                rest = rest[at..].find("*/").map_or("", |end| &rest[at + end + 2..]);
                continue;
            }
            b'/' => 1,
            quote => literal_len(&rest.as_bytes()[at..], quote),
        };
        plain.push_str(&rest[at..at + len]);
        rest = &rest[at + len..];
    }
    plain.push_str(rest);
    plain.lines().map(str::trim).filter(|line| !line.is_empty()).fold(String::new(), |mut text, line| {
        text.push_str(line);
        text.push('\n');
        text
    })
}

/// The length of the literal at the start of `text`, its quotes included.
fn literal_len(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// An array of string literals that hold `text` in pieces of at most 2,000 characters (an even number, so that no
/// pair is torn), as the limits of compilers want it.
pub fn literals(text: &str) -> String {
    const PIECE: usize = 2000;
    let mut out = String::with_capacity(text.len() + text.len() / 400 + 8);
    for piece in text.as_bytes().chunks(PIECE) {
        let _ = writeln!(out, "\"{}\",", std::str::from_utf8(piece).expect("ASCII"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "a\n/* BAKE:BEGIN one */\nx\n/* BAKE:END one */\n# BAKE:BEGIN two\n# BAKE:END two\nb\n";

    #[test]
    fn regions_are_found_by_name_and_keep_their_marks() {
        assert_eq!(region(SOURCE, "one"), Ok("x\n"));
        assert_eq!(region(SOURCE, "two"), Ok(""));
        assert_eq!(region(SOURCE, "on"), Err(NoRegion("on".into())));
        let replaced = replace(SOURCE, "two", "y\n").unwrap();
        assert_eq!(region(&replaced, "two"), Ok("y\n"));
        assert_eq!(replace(&replaced, "two", "").unwrap(), SOURCE);
    }

    #[test]
    fn comments_and_indentation_go() {
        assert_eq!(
            without_comments("int a; /* one\n two */ int b;\n\n  /* c */\n  int d;\n"),
            "int a;  int b;\nint d;\n"
        );
    }

    #[test]
    fn literals_are_even_pieces() {
        let text = "ab".repeat(1500);
        let lines: Vec<String> = literals(&text).lines().map(str::to_string).collect();
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [2003, 1003]);
    }
}
