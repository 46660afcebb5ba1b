//! `bench`: the fixed node count of fixed searches (the engine's signature), and golden lines for other engines.
//!
//! The bench searches built-in positions with built-in weights, so its node count changes only when the engine does.
//! Golden lines are what bots built with `-DGOLDEN` print for the same positions and weights.

pub mod renju;

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::{Answer, Global, print_json, weights};
use crate::dataset::obf;
use crate::eval::evaluator::Evaluator;
use crate::game::othello::Othello;
use crate::game::{GameId, Position};
use crate::kit;
use crate::search::othello::lite::{self, Lite};
use crate::search::othello::{Engine, golden};

/// The positions of the bench: one game's phases after another.
const POSITIONS: &str = include_str!("../search/othello/bench.obf");
/// Seed and largest pattern weight of the built-in weights.
const WEIGHTS: (u64, i16) = (1, 60);
/// The depth of the bench's midgame searches.
const BENCH_DEPTH: u8 = 9;
/// That of the `lite` profile.
const LITE_DEPTH: u8 = 7;

/// What searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// Everything: the engine, and the bots in C and C++
    Full,
    /// What Python can afford
    Lite,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// Print golden lines, of these positions or the built-in ones
    #[arg(long, value_name = "FILE.obf", num_args = 0..=1)]
    golden: Option<Option<PathBuf>>,
    /// The weights of golden lines [default: built-in ones]
    #[arg(long, value_name = "W", requires = "golden")]
    weights: Option<String>,
    /// The depth of golden searches [default: 8, lite 5]
    #[arg(long, value_name = "D", requires = "golden", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// The search
    #[arg(long, default_value = "full", value_enum)]
    profile: Profile,
}

#[derive(Serialize)]
struct Output {
    nodes: u64,
    seconds: f64,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    if global.game == GameId::Renju {
        return renju::run(global, &arguments);
    }
    ensure!(global.game == GameId::Othello, "bench searches 8×8 Othello");
    match &arguments.golden {
        Some(file) => print_golden(global, file.as_deref(), &arguments),
        None => report(global, 1, || signature(arguments.profile)),
    }
}

fn engine(weights: &crate::eval::weights::Weights) -> Result<Engine<8>> {
    Ok(Engine::new(Evaluator::new(weights)?, golden::TT_BITS))
}

/// The node count of a game's bench: which engine it is.
pub fn signature_of(game: GameId, profile: Profile) -> Result<u64> {
    if game == GameId::Renju { renju::signature(profile) } else { signature(profile) }
}

/// The node count of the bench: the engine's signature.
pub fn signature(profile: Profile) -> Result<u64> {
    let positions = obf::parse::<Othello<8>>(POSITIONS, Path::new("bench.obf"))?;
    let weights = kit::bench_weights(WEIGHTS.0, WEIGHTS.1);
    Ok(match profile {
        Profile::Full => {
            let mut engine = engine(&weights)?;
            positions.iter().map(|scored| golden::search(&mut engine, &scored.position, BENCH_DEPTH).nodes).sum()
        }
        Profile::Lite => {
            let mut engine = Lite::new(&weights)?;
            let search = |position| {
                engine.forget();
                engine.search(position, LITE_DEPTH, lite::SOLVE_EMPTIES).nodes
            };
            positions.iter().map(|scored| &scored.position).map(search).sum()
        }
    })
}

/// Times a bench and prints its node count, and its speed with so many decimals.
fn report(global: &Global, decimals: usize, signature: impl Fn() -> Result<u64>) -> Result<Answer> {
    let begin = Instant::now();
    let nodes = signature()?;
    let output = Output { nodes, seconds: begin.elapsed().as_secs_f64() };
    if global.json {
        print_json(&output)?;
    } else {
        let speed = output.nodes as f64 / output.seconds / 1e6;
        writeln!(stdout(), "Bench: {} nodes in {:.3} s, {speed:.decimals$} M nodes/s", output.nodes, output.seconds)?;
    }
    Ok(Answer::Done)
}

fn print_golden(global: &Global, file: Option<&Path>, arguments: &Arguments) -> Result<Answer> {
    let positions = positions::<Othello<8>>(file, POSITIONS)?;
    let weights = match &arguments.weights {
        Some(word) => weights::resolve(global, word)?,
        None => kit::bench_weights(WEIGHTS.0, WEIGHTS.1),
    };
    if let Some(few) = positions.iter().find(|position| position.empties().count_ones() > 60) {
        let name = file.unwrap_or(Path::new("bench.obf")).display();
        bail!("{name}: expected at least four discs, found {}", few.board_text());
    }
    let line: Box<dyn FnMut(&Othello<8>) -> String> = match arguments.profile {
        Profile::Full => {
            let (mut engine, depth) = (engine(&weights)?, arguments.depth.unwrap_or(golden::DEPTH));
            Box::new(move |position| golden::line(&mut engine, position, depth))
        }
        Profile::Lite => {
            let (mut engine, depth) = (Lite::new(&weights)?, arguments.depth.unwrap_or(lite::DEPTH));
            Box::new(move |position| lite::line(&mut engine, position, depth))
        }
    };
    print_lines(&positions, line)
}

/// The positions of `file`, or the built-in ones.
fn positions<P: Position>(file: Option<&Path>, built_in: &str) -> Result<Vec<P>> {
    let scored = match file {
        Some(file) => obf::parse(&fs::read_to_string(file).with_context(|| file.display().to_string())?, file)?,
        None => obf::parse(built_in, Path::new("bench.obf"))?,
    };
    Ok(scored.into_iter().map(|scored| scored.position).collect())
}

/// Each as soon as it is known: a reader may be waiting.
fn print_lines<P>(positions: &[P], mut line: impl FnMut(&P) -> String) -> Result<Answer> {
    let mut out = stdout().lock();
    for position in positions {
        writeln!(out, "{}", line(position))?;
        out.flush()?;
    }
    Ok(Answer::Done)
}
