//! `bench -g renju`: the fixed node count and the golden lines of the Renju engine.

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use super::{Arguments, Output};
use crate::cli::{Answer, Global, print_json, weights};
use crate::dataset::obf;
use crate::eval::renju::Evaluator;
use crate::eval::weights::Weights;
use crate::game::renju::Renju;
use crate::kit;
use crate::search::renju::{Engine, golden};

/// The positions of the bench: openings, fights, forbidden points, positions won by fours.
pub const POSITIONS: &str = include_str!("../../search/renju/bench.obf");
/// The seed of the built-in weights.
const WEIGHTS: u64 = 1;
/// The depth of the bench's searches.
const BENCH_DEPTH: u8 = 7;

pub fn run(global: &Global, arguments: &Arguments) -> Result<Answer> {
    match &arguments.golden {
        Some(file) => print_golden(global, file.as_deref(), arguments),
        None => bench(global),
    }
}

fn engine(weights: &Weights) -> Result<Engine> {
    Ok(Engine::new(Evaluator::new(weights)?, golden::TT_BITS))
}

fn bench(global: &Global) -> Result<Answer> {
    let positions = obf::parse::<Renju>(POSITIONS, Path::new("bench.obf"))?;
    let mut engine = engine(&kit::renju_bench_weights(WEIGHTS))?;
    let begin = Instant::now();
    let nodes = positions.iter().map(|scored| golden::search(&mut engine, &scored.position, BENCH_DEPTH).nodes).sum();
    let output = Output { nodes, seconds: begin.elapsed().as_secs_f64() };
    if global.json {
        print_json(&output)?;
    } else {
        let speed = output.nodes as f64 / output.seconds / 1e6;
        writeln!(stdout(), "Bench: {} nodes in {:.3} s, {speed:.2} M nodes/s", output.nodes, output.seconds)?;
    }
    Ok(Answer::Done)
}

fn print_golden(global: &Global, file: Option<&Path>, arguments: &Arguments) -> Result<Answer> {
    let (text, name) = match file {
        Some(file) => (fs::read_to_string(file).with_context(|| file.display().to_string())?, file),
        None => (POSITIONS.to_string(), Path::new("bench.obf")),
    };
    let weights = match &arguments.weights {
        Some(word) => weights::resolve(global, word)?,
        None => kit::renju_bench_weights(WEIGHTS),
    };
    let mut engine = engine(&weights)?;
    let mut out = stdout().lock();
    for scored in &obf::parse::<Renju>(&text, name)? {
        let depth = arguments.depth.unwrap_or(golden::DEPTH);
        writeln!(out, "{}", golden::line(&mut engine, &scored.position, depth))?;
        out.flush()?;
    }
    Ok(Answer::Done)
}
