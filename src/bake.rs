//! Baking: a weights file and a template become one source file for a judge.
//!
//! The template is a whole program; a bake replaces its regions (origin, identity, patterns, ProbCut lines, weights)
//! and repeats the engine for processors with AVX2. The same weights and options give the same bytes. A file above
//! its limit is an error: smaller weights are weights of their own, with a name by which they can be measured.
//!
//! What goes first when a limit gets smaller: below 300,000 comments, indentation and the long names of C and C++; then, of
//! the weights, precision and knots ([`budget`]); up to 80,000 the engine's copy for AVX2, so that such a bot searches
//! perhaps half as fast. Where characters are counted and not bytes, the weights are text of ideographs and syllables,
//! which hold more than twice as much in a character.

pub mod budget;
pub mod encode;
mod python;
pub mod renju;
pub mod simulation;
pub mod spelling;
pub mod squeeze;
pub mod template;

use std::fmt::{self, Write};

use thiserror::Error;

use crate::eval::evaluator::{EvaluatorError, pattern_set, with_mobilities};
use crate::eval::othello::{DISC, PatternSet};
use crate::eval::renju::RenjuWeightsError;
use crate::eval::weights::{Kind, Weights, short_id};
use crate::game::GameId;
pub use simulation::simulation;
pub use spelling::{Spelling, Word};

/// The largest file the known judges take, in bytes.
pub const DEFAULT_LIMIT: usize = 1_048_576;

/// Files for limits below this are written without comments and indentation, those in C and C++ with short names; those in
/// Python have one blank a level in any case.
const COMPACT_BELOW: usize = 300_000;
/// Files for limits up to this have the engine once, for any processor, without the copy for AVX2.
const PORTABLE_TO: usize = 80_000;

/// The language of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11 and later.
    C,
    /// C++17 and later (the same text).
    Cpp,
    /// Python 3: CPython 3.8 and later, PyPy 3.
    Python,
}

impl Language {
    /// The name the judges give the file.
    pub fn file_name(self) -> &'static str {
        match self {
            Language::C => "main.c",
            Language::Cpp => "main.cpp",
            Language::Python => "main.py",
        }
    }

    /// Lines of text as one comment.
    fn comment(self, lines: &[String]) -> String {
        match self {
            Language::C | Language::Cpp => format!("/* {} */\n", lines.join("\n * ")),
            Language::Python => lines.iter().fold(String::new(), |text, line| text + "# " + line + "\n"),
        }
    }

    /// A source without comments and with as little indentation as the language allows.
    fn without_comments(self, source: &str) -> String {
        match self {
            Language::C | Language::Cpp => template::without_comments(source),
            Language::Python => template::python_indented_by_one(source, false),
        }
    }
}

/// A limit on the size of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many bytes.
    Bytes(usize),
    /// So many characters (UTF-16 units, as the judge that counts characters does).
    Characters(usize),
}

impl Limit {
    /// The number.
    pub fn most(self) -> usize {
        match self {
            Limit::Bytes(most) | Limit::Characters(most) => most,
        }
    }
}

impl Limit {
    /// How much `source` has of what it counts.
    pub fn measure(self, source: &str) -> usize {
        match self {
            Limit::Bytes(_) => source.len(),
            Limit::Characters(_) => source.encode_utf16().count(),
        }
    }

    /// Whether the weights are text of characters that are long as bytes and short as characters. Below that limit only:
    /// plain text is safer wherever it may be pasted.
    fn takes_dense_text(self) -> bool {
        matches!(self, Limit::Characters(most) if most < COMPACT_BELOW)
    }

    /// What it counts.
    pub fn unit(self) -> &'static str {
        match self {
            Limit::Bytes(_) => "bytes",
            Limit::Characters(_) => "characters",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.most(), self.unit())
    }
}

/// What is asked of a bot besides its weights.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its language.
    pub language: Language,
    /// The size it must keep to, which also decides its form (comments, names, text of weights, a second engine for AVX2).
    pub limit: Limit,
    /// How it writes its answers.
    pub spelling: Spelling,
    /// The memory it may take in MiB; `None` for what suits every known judge (below 200).
    pub memory_mb: Option<usize>,
    /// The engine's node count (`bench`), which names the program's version in the origin.
    pub bench: u64,
}

impl Options {
    /// The usual answers, memory and size.
    pub fn new(language: Language, bench: u64) -> Options {
        Options { language, limit: Limit::Bytes(DEFAULT_LIMIT), spelling: Spelling::default(), memory_mb: None, bench }
    }

    /// The same with a limit.
    pub fn limited(self, limit: Limit) -> Options {
        Options { limit, ..self }
    }
}

/// Why nothing was baked.
#[derive(Debug, Error)]
pub enum BakeError {
    /// No template plays this game at a judge in this language.
    #[error("there is no bot for {game} in {}", language.file_name())]
    NoTemplate {
        /// The game of the weights.
        game: GameId,
        /// The language asked for.
        language: Language,
    },
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
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The bot cannot live with so little memory.
    #[error("the bot needs at least {least} MiB of memory, {asked} are allowed")]
    Memory {
        /// What was allowed, in MiB.
        asked: usize,
        /// What it needs, in MiB.
        least: usize,
    },
}

/// A file that does not fit its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Its size.
    pub size: usize,
    /// What is allowed.
    pub limit: Limit,
    /// The size of the smallest form there is, where that is known.
    pub least: Option<usize>,
}

impl std::error::Error for TooLarge {}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { size, limit, least } = self;
        match least {
            Some(least) => write!(f, "no form of it has {limit} or less: it takes at least {least}"),
            None => write!(f, "the file would have {size} {}, the limit is {limit}", limit.unit()),
        }
    }
}

/// The source of a bot for `weights` that keeps to its limit.
///
/// # Errors
/// When it does not fit as it is: smaller weights are another bot, made by [`shrink`](crate::eval::shrink).
pub fn bake(weights: &Weights, options: &Options) -> Result<String, BakeError> {
    let source = source(weights, options)?;
    let size = options.limit.measure(&source);
    if size > options.limit.most() {
        return Err(TooLarge { size, limit: options.limit, least: None }.into());
    }
    Ok(source)
}

/// The size of the source that [`bake`] would write, in the unit of the limit, whatever that allows.
///
/// # Errors
/// When the weights or options do not make a bot at all.
pub fn size(weights: &Weights, options: &Options) -> Result<usize, BakeError> {
    Ok(options.limit.measure(&source(weights, options)?))
}

/// The hash of the template of a game and a language: which engine a baked file has.
pub fn template_id(game: GameId, language: Language) -> String {
    template::id(template_of(game, language))
}

/// Whether a template's hash, as an origin names it, is that of one of this program's templates.
pub fn is_known_template(id: &str) -> bool {
    template::ALL.iter().any(|text| template::id(text) == id)
}

fn template_of(game: GameId, language: Language) -> &'static str {
    match (game, language) {
        (GameId::Renju, Language::Python) => template::RENJU_PY,
        (GameId::Renju, _) => template::RENJU_C,
        (_, Language::C | Language::Cpp) => template::OTHELLO_C,
        (_, Language::Python) => template::OTHELLO_PY,
    }
}

fn source(weights: &Weights, options: &Options) -> Result<String, BakeError> {
    let language = options.language;
    let mut text = template_of(weights.game, language).to_string();
    let mut regions = match (weights.game, language) {
        (GameId::Othello, language) => {
            let wider = with_mobilities(weights);
            let set = pattern_set::<8>(&wider)?;
            match language {
                Language::Python => python::othello(&wider, &set, options)?,
                Language::C | Language::Cpp => regions(&wider, &set, options)?,
            }
        }
        (GameId::Renju, Language::C | Language::Cpp) => renju::regions(weights, options)?,
        (GameId::Renju, Language::Python) => python::renju(weights, options)?,
        (game, language) => return Err(BakeError::NoTemplate { game, language }),
    };
    regions.push(("identity", identity(&weights.id(), language)));
    for (name, body) in regions {
        text = template::replace(&text, name, &body)?;
    }
    if options.limit.most() >= COMPACT_BELOW {
        // In Python the indentation takes as many bytes as some thousand weights.
        if language == Language::Python {
            text = template::python_indented_by_one(&text, true);
        }
        return Ok(seal(&template::replace(&text, "origin", &origin(weights, options))?));
    }
    // The origin goes back in: it is the one comment that must stay.
    let mut compact = language.without_comments(&text);
    if language != Language::Python {
        if options.limit.most() <= PORTABLE_TO {
            compact = template::without_code_for("WIDE", &compact);
        }
        if !options.limit.takes_dense_text() {
            compact = template::without_code_for("DENSE_TEXT", &compact);
        }
        compact = squeeze::squeezed(&compact);
    }
    Ok(seal(&format!("{}{compact}", origin(weights, options))))
}

/// How an origin calls the Renju bot.
const RENJU_BOT: &str = "a Renju bot";

/// What stands in the origin for the content's hash while that is computed.
const UNSEALED: &str = "0000000000000000";

/// The last line of an origin.
const LICENCE: &str = "Licence: MIT OR Apache-2.0. Do not edit: bake again.";

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
    /// The node count of the program that baked it.
    pub bench: String,
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
        bench: word("bench ").unwrap_or_default(),
        intact: sealed == content(&unsealed),
    })
}

/// The name of the weights as a line of the program.
fn identity(id: &str, language: Language) -> String {
    match language {
        Language::C | Language::Cpp => format!("#define WEIGHTS_ID \"{id}\"\n"),
        Language::Python => format!("WEIGHTS_ID = \"{id}\"\n"),
    }
}

/// The regions of the C template.
fn regions(weights: &Weights, set: &PatternSet, options: &Options) -> Result<Vec<(&'static str, String)>, BakeError> {
    let mut wide = String::new();
    if options.limit.most() > PORTABLE_TO {
        wide = wide_engine(&template::without_comments(template::region(template::OTHELLO_C, "engine")?));
    }
    Ok(vec![
        ("spelling", spelling(&options.spelling, options.spelling.pass_or("PASS"))),
        (
            "memory",
            format!("#define TT_BITS {}\n", table_bits(options.memory_mb, program_mb(weights, set), TABLE_BITS)?),
        ),
        ("patterns", patterns(weights, set)?),
        ("probcut", probcut(weights)),
        ("weights", text_of(weights, options)),
        ("engine-avx2", wide),
    ])
}

/// The weights as text, for a template in C.
fn text_of(weights: &Weights, options: &Options) -> String {
    let sizes: Vec<usize> = weights.tables.iter().map(|table| table.size).collect();
    let bytes = encode::encode(&weights.values, &sizes);
    let dense = options.limit.takes_dense_text();
    let letters = if dense { encode::to_dense_text(&bytes, 1) } else { encode::to_text(&bytes) };
    format!(
        "#define DENSE_TEXT {}\n#define WEIGHTS_BYTES {}\nstatic const char *const WEIGHTS_TEXT[] = {{\n{}}};\n",
        u8::from(dense),
        bytes.len(),
        template::literals(&letters)
    )
}

fn spelling(spelling: &Spelling, pass: &str) -> String {
    format!(
        "#define READY_REPLY \"{}\"\n#define MOVE_REPLY \"{}\"\n#define PASS_REPLY \"{}\"\n#define TURN_WORD \"{}\"\n\
         #define INDEX_BASE {}\n#define COLUMN_FIRST {}\n",
        spelling.ready.as_str(),
        spelling.verb_and_blank(),
        pass,
        spelling.turn.as_str().to_ascii_uppercase(),
        spelling.index_base,
        u8::from(spelling.column_first)
    )
}

/// What a program takes besides tables (code, text, the system's share), in MiB; an entry of the transposition table in bytes.
const PROGRAM_MB: usize = 14;
const ENTRY_BYTES: usize = 32;
/// The bits of the transposition table unless told otherwise: 64 MiB.
const TABLE_BITS: u32 = 21;

/// What an Othello program takes besides its transposition table, in MiB.
fn program_mb(weights: &Weights, set: &PatternSet) -> usize {
    // Rows that are there at a time: a search seldom spans more plies.
    const ROWS: usize = 40;
    let raw: usize = set.patterns.iter().map(|pattern| pattern.shared.len()).sum();
    PROGRAM_MB + ((2 * (ROWS * raw + raw + weights.values.len())) >> 20)
}

/// The largest transposition table that fits beside a program, as a power of two; `usual` unless told otherwise.
fn table_bits(megabytes: Option<usize>, program_mb: usize, usual: u32) -> Result<u32, BakeError> {
    let Some(megabytes) = megabytes else { return Ok(usual) };
    let entries = (megabytes.saturating_sub(program_mb) << 20) / ENTRY_BYTES;
    if entries < 1 << 10 {
        return Err(BakeError::Memory { asked: megabytes, least: program_mb + 1 });
    }
    Ok(entries.ilog2().min(28))
}

fn origin(weights: &Weights, options: &Options) -> String {
    let parent = if weights.parent == [0; 32] { "none".to_string() } else { short_id(&weights.parent) };
    let (language, bench) = (options.language, options.bench);
    language.comment(&[
        format!(
            "{}: {} baked by Stonesmith from its own template and its own learned weights.",
            language.file_name(),
            if weights.game == GameId::Renju { RENJU_BOT } else { "an Othello (Reversi) bot" },
        ),
        format!(
            "Weights {}, parent {parent}, template {}, bench {bench}, content {UNSEALED}.",
            weights.id(),
            template_id(weights.game, language)
        ),
        LICENCE.to_string(),
    ])
}

/// The right shift from weight units to search units.
fn check_scale(weights: &Weights) -> Result<u32, EvaluatorError> {
    let ratio = u32::from(weights.scale) / DISC as u32;
    if !weights.scale.is_power_of_two() || ratio == 0 {
        let problem = format!("expected a scale of 2^n ≥ {DISC} units a disc, found {}", weights.scale);
        return Err(EvaluatorError::Table { table: "all".into(), problem });
    }
    Ok(ratio.trailing_zeros())
}

/// The constants that say how indices are made and where weights lie.
fn patterns(weights: &Weights, set: &PatternSet) -> Result<String, BakeError> {
    let shift = check_scale(weights)?;
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
        shift,
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
