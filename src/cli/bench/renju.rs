//! `bench -g renju`: the fixed node count and the golden lines of the Renju engine.

use std::path::Path;

use anyhow::Result;

use super::{Arguments, Profile};
use crate::cli::{Answer, Global, weights};
use crate::dataset::obf;
use crate::eval::renju::Evaluator;
use crate::eval::weights::Weights;
use crate::game::renju::Renju;
use crate::kit;
use crate::search::renju::lite::{self, Lite};
use crate::search::renju::{Engine, golden};

/// The positions of the bench: openings, fights, forbidden points, positions won by fours.
pub const POSITIONS: &str = include_str!("../../search/renju/bench.obf");
/// The seed of the built-in weights.
const WEIGHTS: u64 = 1;
/// The depth of the bench's searches.
const BENCH_DEPTH: u8 = 7;
/// That of the `lite` profile.
const LITE_DEPTH: u8 = 5;

pub fn run(global: &Global, arguments: &Arguments) -> Result<Answer> {
    match &arguments.golden {
        Some(file) => print_golden(global, file.as_deref(), arguments),
        None => super::report(global, 2, || signature(arguments.profile)),
    }
}

fn engine(weights: &Weights) -> Result<Engine> {
    Ok(Engine::new(Evaluator::new(weights)?, golden::TT_BITS))
}

/// The node count of the bench: the signature of the engine or of its `lite` profile.
pub fn signature(profile: Profile) -> Result<u64> {
    let positions = obf::parse::<Renju>(POSITIONS, Path::new("bench.obf"))?;
    let positions = positions.iter().map(|scored| &scored.position);
    let weights = kit::renju_bench_weights(WEIGHTS);
    Ok(match profile {
        Profile::Full => {
            let mut engine = engine(&weights)?;
            positions.map(|position| golden::search(&mut engine, position, BENCH_DEPTH).nodes).sum()
        }
        Profile::Lite => {
            let mut lite = Lite::new(&weights)?;
            let search = |position| {
                lite.forget();
                lite.search(position, LITE_DEPTH).nodes
            };
            positions.map(search).sum()
        }
    })
}

fn print_golden(global: &Global, file: Option<&Path>, arguments: &Arguments) -> Result<Answer> {
    let weights = match &arguments.weights {
        Some(word) => weights::resolve(global, word)?,
        None => kit::renju_bench_weights(WEIGHTS),
    };
    let line: Box<dyn FnMut(&Renju) -> String> = match arguments.profile {
        Profile::Full => {
            let (mut engine, depth) = (engine(&weights)?, arguments.depth.unwrap_or(golden::DEPTH));
            Box::new(move |position| golden::line(&mut engine, position, depth))
        }
        Profile::Lite => {
            let (mut lite, depth) = (Lite::new(&weights)?, arguments.depth.unwrap_or(lite::DEPTH));
            Box::new(move |position| lite::line(&mut lite, position, depth))
        }
    };
    super::print_lines(&super::positions(file, POSITIONS)?, line)
}
