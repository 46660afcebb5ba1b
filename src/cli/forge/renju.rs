//! The proof of a baked Renju bot: golden lines and judged games.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::{GOLDEN_DEPTH, Judged, LITE_DEPTH, Play, judge_games};
use crate::arena::openings::Opening;
use crate::cli::Global;
use crate::cli::bench::renju::POSITIONS;
use crate::dataset::obf;
use crate::eval::renju::Evaluator;
use crate::eval::weights::Weights;
use crate::game::Move;
use crate::game::renju::Renju;
use crate::judge::renju::RenjuDialect;
use crate::judge::spelling::Spelling;
use crate::judge::{Limits, RenjuJudge};
use crate::kit;
use crate::search::renju::lite::{self, Lite};
use crate::search::renju::{Engine, golden};

/// The time of a judged game.
const GAME_MS: u64 = 10_000;

/// The positions of the golden comparison as text, and Rust's lines for them.
pub fn goldens(weights: &Weights) -> Result<(&'static str, Vec<String>)> {
    let positions = obf::parse::<Renju>(POSITIONS, Path::new("bench.obf"))?;
    let mut engine = Engine::new(Evaluator::new(weights)?, golden::TT_BITS);
    let lines = positions.iter().map(|scored| golden::line(&mut engine, &scored.position, GOLDEN_DEPTH));
    Ok((POSITIONS, lines.collect()))
}

/// The same for Python, whose bots have the profile `lite`.
pub fn lite_goldens(weights: &Weights) -> Result<(&'static str, Vec<String>)> {
    let positions = obf::parse::<Renju>(POSITIONS, Path::new("bench.obf"))?;
    let mut lite = Lite::new(weights)?;
    let lines = positions.iter().map(|scored| lite::line(&mut lite, &scored.position, LITE_DEPTH));
    Ok((POSITIONS, lines.collect()))
}

/// Plays judged games; the first opening is the empty board.
pub fn judge(global: &Global, command: &str, spelling: &Spelling, play: Play) -> Result<Judged> {
    let mut spelling = spelling.clone();
    if spelling.verb != "MOVE" && spelling.pass.is_none() {
        // The bot's own pass has the verb before it.
        spelling.pass = Some(format!("{} -1 -1", spelling.verb).trim_start().to_string());
    }
    let drawn = kit::renju_openings(1, play.games.div_ceil(2) as usize)?;
    let mut openings: Vec<Vec<Move>> = vec![Vec::new()];
    openings.extend(drawn.into_iter().filter_map(|opening| match opening {
        Opening::Moves(moves) => Some(moves),
        Opening::Position(_) => None,
    }));
    let protocol = RenjuJudge { dialect: RenjuDialect { spelling, ..RenjuDialect::default() } };
    let limits =
        Limits { total: Duration::from_millis(GAME_MS), cpu: Duration::from_millis(GAME_MS), ..Limits::default() };
    judge_games(global, command, protocol, limits, &openings, play)
}
