//! `bake`: weights to one source file for a judge, and the proof that it is right.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::Serialize;

use super::selfplay::threads;
use super::{Answer, Global, forge, print_json, weights, write_file};
use crate::bake::{self, DEFAULT_LIMIT, Language, Limit};
use crate::game::GameId;

/// Judged games of a verification.
const JUDGED_GAMES: u64 = 4;

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights: a file, a version's number or `champion`
    weights: String,
    /// The language of the bot
    #[arg(long, value_enum)]
    lang: Lang,
    /// The source file to write
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    size: Size,
    /// The judge it is for [default: that of the game]
    #[arg(long, value_parser = ["reversi", "alphano-renju"])]
    judge: Option<String>,
    /// Compile it, compare its golden lines, play judged games; exit 1 if anything is wrong
    #[arg(long)]
    verify: bool,
    /// Threads of the verification [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// The limit on a source file.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Size {
    /// The largest allowed file in bytes [default: 1048576]
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lang {
    C,
    Cpp,
}

#[derive(Serialize)]
struct Output {
    file: PathBuf,
    bytes: usize,
    weights: String,
    template: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<bool>,
    notes: Vec<String>,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let weights = weights::resolve(global, &arguments.weights)?;
    let language = match arguments.lang {
        Lang::C => Language::C,
        Lang::Cpp => Language::Cpp,
    };
    let own = if weights.game == GameId::Renju { "alphano-renju" } else { "reversi" };
    if let Some(judge) = arguments.judge.as_deref().filter(|judge| *judge != own) {
        bail!("--judge {judge}: expected {own}, the judge of {}", weights.game);
    }
    let limit = arguments.size.asked().unwrap_or(Limit::Bytes(DEFAULT_LIMIT));
    let source = bake::bake(&weights, language, limit)?;
    write_file(&arguments.out, source.as_bytes())?;
    let mut output = Output {
        file: arguments.out.clone(),
        bytes: source.len(),
        weights: weights.id(),
        template: bake::template_id(weights.game),
        verified: None,
        notes: Vec::new(),
    };
    if arguments.verify {
        let threads = threads(arguments.threads);
        match forge::verify(global, &arguments.out, language, &weights, JUDGED_GAMES, threads) {
            Ok(verified) => {
                output.verified = Some(verified.judged.faults.is_empty());
                output.notes = verified.lines;
            }
            Err(error) if error.is::<forge::NoCompiler>() => return Err(error),
            Err(error) => {
                output.verified = Some(false);
                output.notes = vec![format!("{error:#}")];
            }
        }
    }
    if global.json {
        print_json(&output)?;
    } else {
        let mut out = stdout().lock();
        writeln!(out, "{}: {} bytes, weights {}", output.file.display(), output.bytes, output.weights)?;
        for note in &output.notes {
            writeln!(out, "{note}")?;
        }
    }
    Ok(if output.verified == Some(false) { Answer::No } else { Answer::Done })
}
