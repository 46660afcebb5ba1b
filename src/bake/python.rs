//! The Python bots: which regions of their templates depend on the weights, and their text.
//!
//! An interpreter has no time for an entropy coder of its own, so the weights are compressed by zlib, whose decoder
//! every interpreter brings along: per weight the knots' differences in steps, folded to whole numbers, first all low
//! bytes and then all high bytes. The bytes become text by 85 characters, four bytes in five of them, which a bot turns
//! back with a handful of operations on one long integer.

use std::fmt::Write;

use super::encode::{steps, to_dense_text};
use super::template::wrapped;
use super::{BakeError, Options, check_scale, list};
use crate::eval::evaluator::EvaluatorError;
use crate::eval::othello::PatternSet;
use crate::eval::renju::classes::{POINT_CODES, class_table, kind};
use crate::eval::renju::{LOGIT, completed};
use crate::eval::weights::{Kind, Weights};
use crate::game::Color;

/// The characters of base 85: letters, digits and signs without quotes and backslash, as in RFC 1924.
const ALPHABET: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// What an entry of a dictionary (Renju) or of three lists (Othello) takes in memory at most, in bytes, and what a bot
/// needs besides tables, in MiB; in Othello there are rows of weights as well, which take so many bytes for every raw
/// configuration of the patterns (PyPy, as measured: CPython takes less).
const ENTRY_BYTES: usize = 420;
const OTHELLO_ENTRY_BYTES: usize = 140;
const PROGRAM_MB: usize = 110;
const OTHELLO_PROGRAM_MB: usize = 92;
const CONFIGURATION_BYTES: usize = 114;
/// What an Othello bot takes in all unless told otherwise, in MiB.
const OTHELLO_MB: usize = 195;
/// The entries of each of the two tables of Renju unless told otherwise, and the bits of their number that suffice in
/// Othello.
const TABLE_ENTRIES: usize = 1 << 18;
const OTHELLO_TABLE_BITS: u32 = 17;

/// The regions of the Othello template for `weights`.
pub(super) fn othello(
    weights: &Weights,
    set: &PatternSet,
    options: &Options,
) -> Result<Vec<(&'static str, String)>, BakeError> {
    let raw: usize = set.patterns.iter().map(|pattern| pattern.shared.len()).sum();
    let program = OTHELLO_PROGRAM_MB + ((CONFIGURATION_BYTES * raw) >> 20);
    let entries = entries(options.memory_mb.unwrap_or(OTHELLO_MB), program, OTHELLO_ENTRY_BYTES)?;
    Ok(vec![
        ("spelling", spelling(options, options.spelling.pass_or("PASS"))),
        ("memory", format!("TABLE_BITS = {}\n", entries.ilog2().min(OTHELLO_TABLE_BITS))),
        ("patterns", patterns(weights, set)?),
        ("probcut", probcut(weights)),
        ("weights", text_of(weights, options)?),
    ])
}

/// The regions of the Renju template for `weights`.
pub(super) fn renju(weights: &Weights, options: &Options) -> Result<Vec<(&'static str, String)>, BakeError> {
    crate::eval::renju::Evaluator::new(weights)?;
    let weights = &*completed(weights);
    let entries = match options.memory_mb {
        Some(megabytes) => entries(megabytes, PROGRAM_MB, ENTRY_BYTES)?,
        None => TABLE_ENTRIES,
    };
    Ok(vec![
        // Without a word of its own the bot passes as its opponent does.
        ("spelling", spelling(options, options.spelling.pass_or(""))),
        ("memory", format!("TABLE_LIMIT = {entries}\n")),
        ("rules", renju_rules()),
        ("knots", renju_knots(weights)),
        ("weights", text_of(weights, options)?),
    ])
}

/// The classes of both colours' windows, the kinds of Black's and of White's codes, and where article 9.3 decides,
/// a byte each: tables that follow from the rules, but take an interpreter long to derive.
fn renju_rules() -> String {
    let codes = &*POINT_CODES;
    let mut rules = [class_table(Color::Black), class_table(Color::White)].concat();
    let white_sets = (kind::COUNT - 1) as u8;
    rules.extend(&codes.kinds[0]);
    rules.extend(codes.kinds[1].iter().map(|&kind| if kind == 0 { 0 } else { kind + white_sets }));
    rules.extend(codes.double_three.iter().map(|&suspected| u8::from(suspected)));
    let bytes = miniz_oxide::deflate::compress_to_vec_zlib(&rules, 9);
    format!("RULES_BYTES = {}\nRULES_TEXT = \"\"\"\n{}\"\"\"\n", bytes.len(), wrapped(&to_text(&bytes)))
}

/// The numbers of stones of the knots, the scale, and a constant a number of stones.
fn renju_knots(weights: &Weights) -> String {
    let shift = (i32::from(weights.scale) / LOGIT).ilog2();
    format!(
        "# The numbers of stones of the knots; a constant a number of stones.\n\
         KNOT_PLIES = ({},)\nSCALE_SHIFT = {shift}\n{}",
        list(&weights.knots),
        constants(&weights.constants)
    )
}

/// The weights as text.
fn text_of(weights: &Weights, options: &Options) -> Result<String, BakeError> {
    let sizes: Vec<usize> = weights.tables.iter().map(|table| table.size).collect();
    let steps = steps(&weights.values, &sizes);
    let bytes = compressed(weights, &sizes, &steps)?;
    let dense = options.limit.takes_dense_text();
    let letters = if dense { to_dense_text(&bytes, 8) } else { to_text(&bytes) };
    Ok(format!(
        "DENSE_TEXT = {}\nWEIGHTS_BYTES = {}\nWEIGHTS_STEPS = ({},)\nWEIGHTS_TEXT = \"\"\"\n{}\"\"\"\n",
        if dense { "True" } else { "False" },
        bytes.len(),
        list(&steps),
        wrapped(&letters)
    ))
}

fn spelling(options: &Options, pass: &str) -> String {
    let spelling = &options.spelling;
    format!(
        "READY_WORD = \"{}\"\nMOVE_WORD = \"{}\"\nPASS_WORD = \"{}\"\nTURN_WORD = \"{}\"\nINDEX_BASE = {}\nCOLUMN_FIRST = {}\n",
        spelling.ready.as_str(),
        spelling.verb_and_blank(),
        pass,
        spelling.turn.as_str().to_ascii_uppercase(),
        spelling.index_base,
        u8::from(spelling.column_first)
    )
}

/// How many entries of this size each of the two tables may have beside a program.
fn entries(megabytes: usize, program_mb: usize, entry_bytes: usize) -> Result<usize, BakeError> {
    let entries = (megabytes.saturating_sub(program_mb) << 20) / (2 * entry_bytes);
    if entries < 1024 {
        return Err(BakeError::Memory { asked: megabytes, least: program_mb + 1 });
    }
    Ok(entries)
}

/// The constants that say how indices are made and where weights lie.
fn patterns(weights: &Weights, set: &PatternSet) -> Result<String, BakeError> {
    let shift = check_scale(weights)?;
    let mut text = String::from(
        "# The cells of each pattern (8 * row + column); weights a table and a knot; the plies of the knots; a constant a ply.\n\
         PATTERNS = (\n",
    );
    for table in &weights.tables {
        if let Kind::Cells(cells) = &table.kind {
            let _ = writeln!(text, "    ({},),", list(cells));
        }
    }
    debug_assert_eq!(text.lines().count() - 2, set.patterns.len());
    let sizes: Vec<usize> = weights.tables.iter().map(|table| table.size).collect();
    let _ = write!(
        text,
        ")\nTABLE_SIZES = ({})\nKNOT_PLIES = ({},)\nSCALE_SHIFT = {shift}\n{}",
        list(&sizes),
        list(&weights.knots),
        constants(&weights.constants)
    );
    Ok(text)
}

/// Multi-ProbCut's lines as in [`super::probcut`].
fn probcut(weights: &Weights) -> String {
    let mut text = String::from(
        "# From this ply on: deep, shallow depth; slope in 1024ths, intercept and deviation in search units.\nPROBCUT = (\n",
    );
    for lines in weights.probcut.chunks(4) {
        for line in lines {
            let (ply, deep, shallow) = (line.ply, line.deep, line.shallow);
            let _ = write!(text, "({ply},{deep},{shallow},{},{},{}),", line.slope, line.intercept, line.deviation);
        }
        text.push('\n');
    }
    text.push_str(")\n");
    text
}

fn constants(constants: &[i16]) -> String {
    let lines: String = constants.chunks(16).map(|chunk| format!("    {},\n", list(chunk))).collect();
    format!("CONSTANTS = (\n{lines})\n")
}

fn compressed(weights: &Weights, sizes: &[usize], steps: &[i32]) -> Result<Vec<u8>, EvaluatorError> {
    let steps: Vec<i32> = sizes.iter().zip(steps).flat_map(|(&size, &step)| std::iter::repeat_n(step, size)).collect();
    let (row, knots) = (weights.row_len(), weights.knots.len());
    let mut planes = vec![0; 2 * row * knots];
    for (weight, &step) in steps.iter().enumerate() {
        let mut before = 0;
        for knot in 0..knots {
            let value = i32::from(weights.values[knot * row + weight]) / step;
            let change = value - before;
            before = value;
            // 0, -1, 1, -2 … to 0, 1, 2, 3 ….
            let folded = if change < 0 { -2 * change - 1 } else { 2 * change };
            let Ok(folded) = u16::try_from(folded) else {
                let problem =
                    format!("a weight changes by {change} steps from one knot to the next, at most 32,767 fit");
                return Err(EvaluatorError::Table { table: "all".into(), problem });
            };
            let [low, high] = folded.to_le_bytes();
            (planes[weight * knots + knot], planes[(row + weight) * knots + knot]) = (low, high);
        }
    }
    Ok(miniz_oxide::deflate::compress_to_vec_zlib(&planes, 9))
}

/// Bytes as characters, four in five of 85, padded with zeros; words little-endian, the highest digit first.
fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for chunk in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u32::from_le_bytes(word);
        text.extend((0..5).rev().map(|place| ALPHABET[(word / 85u32.pow(place) % 85) as usize] as char));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_base_85_of_little_endian_words() {
        assert_eq!(to_text(&[0, 0, 0, 0]), "00000");
        assert_eq!(to_text(&[84, 0, 0, 0]), "0000~");
        // 1 + 85·2 + 85²·3 = 21,846 = 0x5556, the digits 3 2 1.
        assert_eq!(to_text(&[0x56, 0x55]), "00321");
        assert_eq!(to_text(&[255; 5]).len(), 10);
        assert!(to_text(&[255; 4]).bytes().all(|letter| ALPHABET.contains(&letter)));
    }
}
