//! `bake`: weights to one source file for a judge, and the proof that it is right.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::bench::{self, Profile};
use super::forge::{self, Play};
use super::selfplay::threads;
use super::shrink::{Data, Shrinker};
use super::{Answer, Global, print_json, weights, write_file};
use crate::bake::{self, DEFAULT_LIMIT, Language, Limit, Options, Spelling, Word};
use crate::eval::weights::Weights;
use crate::game::GameId;

/// Judged games of a verification.
const JUDGED_GAMES: u64 = 4;

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights: a file, a version's number or `champion` (none for the judge `simulation`)
    weights: Option<String>,
    /// The language of the bot
    #[arg(long, value_enum)]
    lang: Lang,
    /// The source file to write
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    size: Size,
    #[command(flatten)]
    measure: Data,
    /// The judge it is for [default: that of the game]
    #[arg(long, value_enum)]
    judge: Option<Judge>,
    #[command(flatten)]
    spelling: SpellingFlags,
    /// The memory the bot may take, in MiB [default: less than 200]
    #[arg(long, value_name = "N")]
    memory_mb: Option<usize>,
    /// Compile it, compare its golden lines, play judged games; exit 1 if anything is wrong
    #[arg(long)]
    verify: bool,
    /// Threads of the verification [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// The judges a source can be baked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Judge {
    /// 8×8 reversi: READY, TURN turn board
    Reversi,
    /// 15×15 Renju: READY, TURN, OPP, FINISH
    AlphanoRenju,
    /// The Othello simulation: no weights, the counts of recorded games
    Simulation,
}

/// The limit on a source file.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Size {
    /// The largest allowed file in bytes; weights are shrunk to fit [default: 1048576]
    #[arg(long, value_name = "N", conflicts_with = "max_chars")]
    max_bytes: Option<usize>,
    /// The largest allowed file in characters (UTF-16 units)
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
}

impl Size {
    /// The limit, if one was asked for.
    pub fn asked(self) -> Option<Limit> {
        self.max_bytes.map(Limit::Bytes).or(self.max_chars.map(Limit::Characters))
    }
}

/// For a judge that wants other answers than `OK`, `MOVE row column` and `PASS`.
#[derive(Clone, Debug, clap::Args)]
struct SpellingFlags {
    /// The word before the coordinates, may be empty [default: MOVE]
    #[arg(long, value_name = "WORD")]
    verb: Option<Word>,
    /// The answer without a move, e.g. `PASS` or `MOVE -1 -1` [default: reversi PASS, Renju as the opponent spells it]
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pass_word: Option<Word>,
    /// The answer to READY [default: OK]
    #[arg(long, value_name = "WORD")]
    ready_word: Option<Word>,
    /// The request for a move [default: TURN]
    #[arg(long, value_name = "WORD")]
    turn_word: Option<Word>,
    /// The number of the first row and column
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=1))]
    index_base: u8,
    /// Which coordinate comes first
    #[arg(long, default_value = "row", value_enum)]
    axis_order: Axis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Axis {
    /// Row, then column
    #[value(alias = "row-column")]
    Row,
    /// Column, then row
    #[value(alias = "column-row")]
    Column,
}

impl SpellingFlags {
    fn spelling(self) -> Spelling {
        let usual = Spelling::default();
        Spelling {
            ready: self.ready_word.unwrap_or(usual.ready),
            verb: self.verb.unwrap_or(usual.verb),
            pass: self.pass_word,
            turn: self.turn_word.unwrap_or(usual.turn),
            index_base: self.index_base,
            column_first: self.axis_order == Axis::Column,
        }
    }
}

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// C11 and later: main.c
    C,
    /// C++17 and later: main.cpp
    Cpp,
    /// Python 3, CPython and PyPy: main.py
    Py,
}

impl Lang {
    /// The language as the library knows it.
    pub fn language(self) -> Language {
        match self {
            Lang::C => Language::C,
            Lang::Cpp => Language::Cpp,
            Lang::Py => Language::Python,
        }
    }

    /// The node count of the search that a game's bot in this language has.
    pub fn bench(self, game: GameId) -> Result<u64> {
        bench::signature_of(game, if self == Lang::Py { Profile::Lite } else { Profile::Full })
    }
}

#[derive(Serialize)]
struct Output {
    file: PathBuf,
    bytes: usize,
    /// UTF-16 units, as judges that limit characters count.
    characters: usize,
    weights: Option<String>,
    template: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<bool>,
    notes: Vec<String>,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let language = arguments.lang.language();
    let limit = arguments.size.asked().unwrap_or(Limit::Bytes(DEFAULT_LIMIT));
    let mut notes = Vec::new();
    let (source, weights) = match arguments.judge {
        Some(Judge::Simulation) => (bake::simulation(language, limit, arguments.lang.bench(GameId::Othello)?)?, None),
        judge => {
            let word = arguments.weights.as_deref().context("WEIGHTS is needed: a file, a number or `champion`")?;
            let original = weights::resolve(global, word)?;
            let own = if original.game == GameId::Renju { Judge::AlphanoRenju } else { Judge::Reversi };
            ensure!(judge.is_none_or(|judge| judge == own), "--judge: the weights are for {}", original.game);
            let spelling = arguments.spelling.clone().spelling();
            let bench = arguments.lang.bench(original.game)?;
            let options = Options { language, limit, spelling, memory_mb: arguments.memory_mb, bench };
            let weights = Shrinker::new(global, &original, &arguments.measure).fitting(&options)?;
            if weights.id() != original.id() {
                notes.push(format!(
                    "shrunk from {}: {} knots, {} tables; `stonesmith export {word} --lang {} {} {} --out FILE` writes \
                     these weights",
                    original.id(),
                    weights.knots.len(),
                    weights.tables.len(),
                    arguments.lang.to_possible_value().expect("no value is hidden").get_name(),
                    if matches!(limit, Limit::Bytes(_)) { "--max-bytes" } else { "--max-chars" },
                    limit.most(),
                ));
            }
            (bake::bake(&weights, &options)?, Some(weights))
        }
    };
    write_file(&arguments.out, source.as_bytes())?;
    let template = bake::provenance(&source).map(|origin| origin.template).unwrap_or_default();
    let mut output = Output {
        file: arguments.out.clone(),
        bytes: source.len(),
        characters: Limit::Characters(0).measure(&source),
        weights: weights.as_ref().map(Weights::id),
        template,
        verified: None,
        notes,
    };
    if arguments.verify {
        let play = Play { games: JUDGED_GAMES, threads: threads(arguments.threads) };
        let spelling = arguments.spelling.clone().spelling();
        let verified = match &weights {
            Some(weights) => forge::verify(global, &arguments.out, language, weights, &spelling, play),
            None => forge::verify_simulation(&arguments.out, language),
        };
        match verified {
            Ok(verified) => {
                output.verified = Some(verified.judged.faults.is_empty());
                output.notes.extend(verified.lines);
            }
            Err(error) if error.is::<forge::NoCompiler>() => return Err(error),
            Err(error) => {
                output.verified = Some(false);
                output.notes.push(format!("{error:#}"));
            }
        }
    }
    if global.json {
        print_json(&output)?;
    } else {
        let mut out = stdout().lock();
        let weights = output.weights.as_deref().unwrap_or("none");
        let size = match output.bytes {
            bytes if bytes == output.characters => format!("{bytes} bytes"),
            bytes => format!("{} characters ({bytes} bytes)", output.characters),
        };
        writeln!(out, "{}: {size}, weights {weights}", output.file.display())?;
        for note in &output.notes {
            writeln!(out, "{note}")?;
        }
    }
    Ok(if output.verified == Some(false) { Answer::No } else { Answer::Done })
}
