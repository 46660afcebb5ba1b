//! Templates: ordinary source with regions that a bake replaces.
//!
//! A region is what stands between the lines `BAKE:BEGIN name` and `BAKE:END name` (inside whatever a comment is in
//! the language). The marker lines stay, so a baked file can be inspected and its regions read back.

use std::fmt::Write;

use thiserror::Error;

use crate::eval::weights::short_id;

/// The Othello bot for C and C++.
pub const OTHELLO_C: &str = concat!(include_str!("template/othello.c"), include_str!("template/judge.c"));
/// The Othello bot for Python.
pub const OTHELLO_PY: &str = concat!(include_str!("template/othello.py"), include_str!("template/judge.py"));
/// The Renju bot for C and C++.
pub const RENJU_C: &str = concat!(include_str!("template/renju.c"), include_str!("template/judge.c"));
/// The Renju bot for Python.
pub const RENJU_PY: &str = concat!(include_str!("template/renju.py"), include_str!("template/judge.py"));
/// The Othello simulation's answer for C and C++.
pub const SIMULATION_C: &str = include_str!("template/simulation.c");
/// The Othello simulation's answer for Python.
pub const SIMULATION_PY: &str = include_str!("template/simulation.py");

/// Every template.
pub const ALL: &[&str] = &[RENJU_C, RENJU_PY, OTHELLO_C, OTHELLO_PY, SIMULATION_C, SIMULATION_PY];

/// The short hash that names a template in baked files.
pub fn id(template: &str) -> String {
    short_id(blake3::hash(template.as_bytes()).as_bytes())
}

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

/// C source without what stands between `#if NAME` and the `#else` or `#endif` that belongs to it, for the name of a
/// condition that is 0.
pub fn without_code_for(name: &str, source: &str) -> String {
    let condition = format!("#if {name}");
    let mut text = String::with_capacity(source.len());
    // For each open condition: whether it is the one meant, whether its present branch stays.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for line in source.split_inclusive('\n') {
        let directive = line.trim();
        let mut ours = false;
        if directive.starts_with("#if") {
            ours = directive == condition;
            open.push((ours, !ours));
        } else if let Some((meant, stays)) = open.last_mut() {
            ours = *meant && (directive == "#else" || directive == "#endif");
            *stays |= ours;
            if directive == "#endif" {
                open.pop();
            }
        }
        if !ours && open.iter().all(|&(_, stays)| stays) {
            text.push_str(line);
        }
    }
    text
}

/// Python source with one blank for four of indentation, and without the lines that are empty or comments unless those
/// are kept. Comments stand on lines of their own; a string of several lines begins behind `"""` at the end of a line.
pub fn python_indented_by_one(source: &str, keep_comments: bool) -> String {
    let mut text = String::with_capacity(source.len());
    let mut in_string = false;
    for line in source.lines() {
        let plain = line.trim_start();
        if in_string {
            text.push_str(line);
            in_string = line != "\"\"\"";
        } else if !keep_comments && (plain.is_empty() || plain.starts_with('#')) {
            continue;
        } else {
            text.extend(std::iter::repeat_n(' ', (line.len() - plain.len()) / 4));
            text.push_str(plain);
            in_string = line.ends_with("\"\"\"");
        }
        text.push('\n');
    }
    text
}

/// The length of the literal at the start of `text`, its quotes included.
fn literal_len(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// An array of string literals that hold `text` in pieces of at most 2,000 bytes (an even number of characters, so that
/// no pair is torn), as the limits of compilers want it.
pub fn literals(text: &str) -> String {
    const PIECE: usize = 2000;
    let mut out = String::with_capacity(text.len() + text.len() / 400 + 8);
    for piece in pieces(text, if text.is_ascii() { PIECE } else { PIECE / 4 }) {
        let _ = writeln!(out, "\"{piece}\",");
    }
    out
}

/// `text` in lines of at most 1,000 characters, each with its line end.
pub fn wrapped(text: &str) -> String {
    pieces(text, 1000).fold(String::with_capacity(text.len() + text.len() / 900), |mut out, line| {
        out.push_str(line);
        out.push('\n');
        out
    })
}

/// `text` in pieces of so many characters.
fn pieces(text: &str, characters: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(characters).map_or(rest.len(), |(at, _)| at);
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
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
    fn code_for_wide_registers_goes_with_its_condition() {
        let source = "a\n#if WIDE\nb\n#ifdef C\nc\n#else\nd\n#endif\n#else\ne\n#ifdef F\nf\n#else\ng\n#endif\n#endif\n\
                      #if WIDE || H\nh\n#endif\n#if WIDE\ni\n#endif\nj\n";
        let expected = "a\ne\n#ifdef F\nf\n#else\ng\n#endif\n#if WIDE || H\nh\n#endif\nj\n";
        assert_eq!(without_code_for("WIDE", source), expected);
    }

    #[test]
    fn comments_of_python_go_and_strings_stay() {
        let source = "# a\nif x:\n    # b\n    y = 1\n\n        z = 2\nT = \"\"\"\n#k\n    q\n\"\"\"\n# c\nw = 3\n";
        let plain = "if x:\n y = 1\n  z = 2\nT = \"\"\"\n#k\n    q\n\"\"\"\nw = 3\n";
        assert_eq!(python_indented_by_one(source, false), plain);
        let kept = "# a\nif x:\n # b\n y = 1\n\n  z = 2\nT = \"\"\"\n#k\n    q\n\"\"\"\n# c\nw = 3\n";
        assert_eq!(python_indented_by_one(source, true), kept);
    }

    #[test]
    fn templates_are_ascii() {
        assert!(ALL.iter().all(|text| text.is_ascii()));
    }

    #[test]
    fn literals_are_even_pieces() {
        let text = "ab".repeat(1500);
        let lines: Vec<String> = literals(&text).lines().map(str::to_string).collect();
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [2003, 1003]);
        let dense = "\u{3400}".repeat(501);
        assert_eq!(literals(&dense).lines().map(str::len).collect::<Vec<_>>(), [1503, 6]);
        assert_eq!(wrapped("").len(), 0);
    }
}
