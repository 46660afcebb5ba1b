//! Baking: a weights file and a template become one source file for a judge.
//!
//! The template is a whole program; a bake replaces its regions (origin, identity, patterns, ProbCut lines, weights)
//! and repeats the engine for processors with AVX2. The same weights and options give the same bytes. A file above
//! its limit is an error that says how to make it fit: weights are never shrunk behind the back of a measurement.

pub mod encode;
pub mod renju;
pub mod template;

use std::fmt::{self, Write};

use thiserror::Error;

use crate::eval::evaluator::{EvaluatorError, pattern_set};
use crate::eval::othello::{DISC, PatternSet};
use crate::eval::renju::RenjuWeightsError;
use crate::eval::weights::{Kind, Weights, short_id};
use crate::game::GameId;

/// The largest file the known judges take, in bytes.
pub const DEFAULT_LIMIT: usize = 1_048_576;

/// Files for limits below this are written without comments and indentation.
const COMPACT_BELOW: usize = 300_000;

/// The language of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11 and later.
    C,
    /// C++17 and later (the same text).
    Cpp,
}

impl Language {
    /// The name the judges give the file.
    pub fn file_name(self) -> &'static str {
        match self {
            Language::C => "main.c",
            Language::Cpp => "main.cpp",
        }
    }
}

/// A limit on the size of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many bytes.
    Bytes(usize),
    /// So many characters (UTF-16 units, as the judge that counts characters does; baked files are ASCII).
    Characters(usize),
}

impl Limit {
    fn most(self) -> usize {
        match self {
            Limit::Bytes(most) | Limit::Characters(most) => most,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Bytes(most) => write!(f, "{most} bytes"),
            Limit::Characters(most) => write!(f, "{most} characters"),
        }
    }
}

/// Why nothing was baked.
#[derive(Debug, Error)]
pub enum BakeError {
    /// No template plays this game at a judge.
    #[error("there is no bot for {0}: expected weights for othello or renju")]
    Game(GameId),
    /// The weights do not fit the game's evaluation.
    #[error(transparent)]
    Weights(#[from] EvaluatorError),
    /// The weights do not fit Renju's evaluation.
    #[error(transparent)]
    RenjuWeights(#[from] RenjuWeightsError),
    /// The template lacks a region.
    #[error(transparent)]
    Template(#[from] template::NoRegion),
    /// The file would be too large.
    #[error("the file would have {size} bytes, the limit is {limit}: make the weights smaller with `stonesmith export W --out small.wts {flag} {most}` and bake those", flag = .limit.flag(), most = .limit.most())]
    TooLarge {
        /// Its size.
        size: usize,
        /// What is allowed.
        limit: Limit,
    },
}

impl Limit {
    fn flag(self) -> &'static str {
        match self {
            Limit::Bytes(_) => "--max-bytes",
            Limit::Characters(_) => "--max-chars",
        }
    }
}

/// The source of a bot for `weights` that keeps to `limit`.
pub fn bake(weights: &Weights, language: Language, limit: Limit) -> Result<String, BakeError> {
    let source = source(weights, language, limit)?;
    // Baked files are ASCII: bytes, characters and UTF-16 units are the same number.
    if source.len() > limit.most() {
        return Err(BakeError::TooLarge { size: source.len(), limit });
    }
    Ok(source)
}

/// The size of the source that [`bake`] would write, whatever the limit allows.
pub fn size(weights: &Weights, language: Language, limit: Limit) -> Result<usize, BakeError> {
    Ok(source(weights, language, limit)?.len())
}

/// The hash of a game's template: which engine a baked file has.
pub fn template_id(game: GameId) -> String {
    short_id(blake3::hash(template_of(game).as_bytes()).as_bytes())
}

fn template_of(game: GameId) -> &'static str {
    match game {
        GameId::Renju => template::RENJU_C,
        _ => template::OTHELLO_C,
    }
}

fn source(weights: &Weights, language: Language, limit: Limit) -> Result<String, BakeError> {
    let mut text = template_of(weights.game).to_string();
    let regions = match weights.game {
        GameId::Othello => {
            let second = template::without_comments(template::region(&text, "engine")?);
            let mut regions = regions(weights, &pattern_set::<8>(weights)?)?;
            regions.push(("engine-avx2", wide_engine(&second)));
            regions
        }
        GameId::Renju => renju::regions(weights)?,
        game => return Err(BakeError::Game(game)),
    };
    for (name, body) in regions {
        text = template::replace(&text, name, &body)?;
    }
    if limit.most() < COMPACT_BELOW {
        // The origin goes back in: it is the one comment that must stay.
        text = template::without_comments(&text);
        return Ok(seal(&format!("{}{text}", origin(weights, language))));
    }
    Ok(seal(&template::replace(&text, "origin", &origin(weights, language))?))
}

/// How an origin calls the Renju bot.
const RENJU_BOT: &str = "a Renju bot";

/// What stands in the origin for the content's hash while that is computed.
const UNSEALED: &str = "0000000000000000";

/// Puts the hash of the whole text (with [`UNSEALED`] in its place) into the origin.
fn seal(text: &str) -> String {
    text.replacen(&format!("content {UNSEALED}"), &format!("content {}", content(text)), 1)
}

fn content(unsealed: &str) -> String {
    blake3::hash(unsealed.as_bytes()).to_hex()[..UNSEALED.len()].to_string()
}

/// What the origin of a baked source says, and whether the source is what was baked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The game it plays.
    pub game: GameId,
    /// The short name of the weights.
    pub weights: String,
    /// That of their parent, or `none`.
    pub parent: String,
    /// The hash of the template.
    pub template: String,
    /// Whether every byte is as it was baked.
    pub intact: bool,
}

/// Reads the origin of a baked source; `None` if this is none.
pub fn provenance(source: &str) -> Option<Provenance> {
    let head = source.get(..1024).unwrap_or(source);
    if !head.contains("baked by Stonesmith") {
        return None;
    }
    let line = head.lines().find(|line| line.contains("Weights ") && line.contains("content "))?;
    let word = |name: &str| {
        let behind = &line[line.find(name)? + name.len()..];
        Some(behind.chars().take_while(|c| c.is_ascii_alphanumeric()).collect::<String>())
    };
    let sealed = word("content ")?;
    let unsealed = source.replacen(&format!("content {sealed}"), &format!("content {UNSEALED}"), 1);
    Some(Provenance {
        game: if head.contains(RENJU_BOT) { GameId::Renju } else { GameId::Othello },
        weights: word("Weights ")?,
        parent: word("parent ")?,
        template: word("template ")?,
        intact: sealed == content(&unsealed),
    })
}

/// The regions that depend on the weights.
fn regions(weights: &Weights, set: &PatternSet) -> Result<Vec<(&'static str, String)>, BakeError> {
    let sizes: Vec<usize> = weights.tables.iter().map(|table| table.size).collect();
    let bytes = encode::encode(&weights.values, &sizes);
    let mut text = format!("#define WEIGHTS_BYTES {}\n", bytes.len());
    text.push_str("static const char *const WEIGHTS_TEXT[] = {\n");
    text.push_str(&template::literals(&encode::to_text(&bytes)));
    text.push_str("};\n");
    Ok(vec![
        ("identity", format!("#define WEIGHTS_ID \"{}\"\n", weights.id())),
        ("patterns", patterns(weights, set)?),
        ("probcut", probcut(weights)),
        ("weights", text),
    ])
}

fn origin(weights: &Weights, language: Language) -> String {
    let parent = if weights.parent == [0; 32] { "none".to_string() } else { short_id(&weights.parent) };
    format!(
        "/* {name}: {bot} baked by Stonesmith from its own template and its own learned weights.\n \
         * Weights {id}, parent {parent}, template {template}, content {UNSEALED}.\n \
         * Licence: MIT OR Apache-2.0. Do not edit: bake again. */\n",
        name = language.file_name(),
        id = weights.id(),
        bot = if weights.game == GameId::Renju { RENJU_BOT } else { "an Othello (Reversi) bot" },
        template = template_id(weights.game),
    )
}

/// The constants that say how indices are made and where weights lie.
fn patterns(weights: &Weights, set: &PatternSet) -> Result<String, BakeError> {
    let ratio = u32::from(weights.scale) / DISC as u32;
    if !weights.scale.is_power_of_two() || ratio == 0 {
        let problem = format!("expected a scale of 2^n ≥ {DISC} units a disc, found {}", weights.scale);
        return Err(EvaluatorError::Table { table: "all".into(), problem }.into());
    }
    let raw: usize = set.patterns.iter().map(|pattern| pattern.shared.len()).sum();
    let mut text = format!(
        "#define PATTERNS {}\n#define TABLES {}\n#define KNOTS {}\n#define LANES_USED {}\n\
         #define ROW_LEN {}\n#define RAW_LEN {}\n#define SCALE_SHIFT {}\n",
        set.patterns.len(),
        weights.tables.len(),
        weights.knots.len(),
        set.instances.len(),
        weights.row_len(),
        raw,
        ratio.trailing_zeros(),
    );
    text.push_str("/* Each pattern: the number of its cells, the cells (8 * row + column). */\n");
    let _ = writeln!(text, "static const uint8_t PATTERN_CELLS[{}][11] = {{", set.patterns.len());
    for table in &weights.tables {
        if let Kind::Cells(cells) = &table.kind {
            let _ = writeln!(text, "    {{{}, {}}}, /* {} */", cells.len(), list(cells), printable(&table.name));
        }
    }
    text.push_str("};\n");
    let sizes: Vec<usize> = weights.tables.iter().map(|table| table.size).collect();
    let _ = writeln!(text, "static const int TABLE_SIZES[] = {{{}}};", list(&sizes));
    let _ = writeln!(text, "static const uint8_t KNOT_PLIES[] = {{{}}};", list(&weights.knots));
    text.push_str("static const int16_t CONSTANTS[] = {\n");
    for chunk in weights.constants.chunks(16) {
        let _ = writeln!(text, "    {},", list(chunk));
    }
    text.push_str("};\n");
    Ok(text)
}

/// Multi-ProbCut's lines: v_deep ≈ slope/1024·v_shallow + intercept with this deviation, from this ply on.
fn probcut(weights: &Weights) -> String {
    let mut text = String::from(
        "/* From this ply on: deep, shallow depth; slope in 1024ths, intercept and deviation in search units. */\n\
         typedef struct {\n    uint8_t ply, deep, shallow;\n    int16_t slope, intercept;\n    uint16_t deviation;\n} ProbCut;\n",
    );
    let _ = writeln!(text, "#define PROBCUT_LINES {}", weights.probcut.len());
    text.push_str("static const ProbCut PROBCUT[PROBCUT_LINES + 1] __attribute__((unused)) = {\n");
    for line in &weights.probcut {
        let _ = writeln!(
            text,
            "    {{{}, {}, {}, {}, {}, {}}},",
            line.ply, line.deep, line.shallow, line.slope, line.intercept, line.deviation
        );
    }
    text.push_str("    {255, 0, 0, 0, 0, 0}};\n");
    text
}

fn list<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// A table's name as it may stand in a comment.
fn printable(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || " +-_".contains(*c)).collect()
}

/// The engine once more, between the pragmas that allow AVX2.
fn wide_engine(engine: &str) -> String {
    format!(
        "#if HAVE_AVX2_COPY\n#define HAVE_AVX2_ENGINE\n#define ISA _avx2\n#define WIDE 1\n\
         #if defined(__clang__)\n\
         #pragma clang attribute push(__attribute__((target(\"avx2,bmi,bmi2,popcnt\"))), apply_to = function)\n\
         #else\n#pragma GCC push_options\n#pragma GCC target(\"avx2,bmi,bmi2,popcnt\")\n#endif\n\
         {engine}\
         #if defined(__clang__)\n#pragma clang attribute pop\n#else\n#pragma GCC pop_options\n#endif\n\
         #undef ISA\n#undef WIDE\n#endif\n"
    )
}
