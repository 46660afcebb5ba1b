//! The proof of a baked Renju bot: golden lines and judged games.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::{GOLDEN_DEPTH, Judged, LITE_DEPTH, Play, progress};
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
use crate::judge::{Entrant, Game, Limits, Match, RenjuJudge, Side, Start};
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

/// Judged games: a third each against `greedy`, itself, and `random`, every opening with both colours. The first
/// opening is the empty board.
pub fn judge(global: &Global, command: &str, spelling: &Spelling, play: Play) -> Result<Judged> {
    let Play { games, threads } = play;
    let mut spelling = spelling.clone();
    if spelling.verb != "MOVE" && spelling.pass.is_none() {
        // The bot's own pass has the verb before it.
        spelling.pass = Some(format!("{} -1 -1", spelling.verb).trim_start().to_string());
    }
    let bot = Entrant::parse(command)?;
    let opponents = [Entrant::parse("greedy")?, bot.clone(), Entrant::parse("random")?];
    let bar = progress::bar(global, "judge", games);
    let drawn = kit::renju_openings(1, games.div_ceil(2) as usize)?;
    let mut openings: Vec<Vec<Move>> = vec![Vec::new()];
    openings.extend(drawn.into_iter().filter_map(|opening| match opening {
        Opening::Moves(moves) => Some(moves),
        Opening::Position(_) => None,
    }));
    let mut judged = Judged::default();
    let limits =
        Limits { total: Duration::from_millis(GAME_MS), cpu: Duration::from_millis(GAME_MS), ..Limits::default() };
    let play = |_: &mut (), index: u64| -> Result<(Game, bool)> {
        let opponent = &opponents[(index / 2 % 3) as usize];
        let itself = index / 2 % 3 == 1;
        let protocol = RenjuJudge { dialect: RenjuDialect { spelling: spelling.clone(), ..RenjuDialect::default() } };
        let referee = Match { protocol, entrants: [bot.clone(), opponent.clone()], limits, seed: 1 };
        let start = Start {
            number: index + 1,
            black: if index % 2 == 1 { Side::Second } else { Side::First },
            opening: openings[(index / 2) as usize % openings.len()].clone(),
        };
        Ok((referee.play(&start)?, itself))
    };
    let sink = |_: u64, played: Result<(Game, bool)>| -> Result<bool> {
        let (game, itself) = played?;
        bar.inc(1);
        judged.add(&game, itself);
        Ok(true)
    };
    crate::ordered::ordered(0..games, threads.min(2), || (), play, sink)?;
    bar.finish_and_clear();
    Ok(judged)
}
