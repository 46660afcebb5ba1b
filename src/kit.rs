//! The composition root: what belongs to which game. No logic, only who goes with whom.

use crate::arena::openings::{Opening, OpeningError, random_openings_up_to};
use crate::dataset::shard::ShardSet;
use crate::eval::evaluator::stored_tables;
use crate::eval::othello::sets::NoPatternSet;
use crate::eval::othello::{DISC, MOBILITY_SIZE, OthelloFeatures, PatternSet, PatternSetName, standard_set};
use crate::eval::pattern::Pattern;
use crate::eval::renju;
use crate::eval::weights::{Kind, ProbCut, Table, Weights};
use crate::eval::{FeatureModel, Layout, even_knots};
use crate::fit::report::memory_need;
use crate::fit::{Fit, FitError, FitOptions, Progress, fit, moves};
use crate::game::othello::Othello;
use crate::game::renju::{Renju, openings};
use crate::game::{GameId, Position};
use crate::rng::{Domain, RngExt, stream};
use crate::search::renju::openings::open_positions;
use crate::selfplay::PrefixShare;

/// Weight units per disc in every Othello weights file.
pub const OTHELLO_SCALE: u16 = 128;

/// The knots of a fit with `count` of them on N×N: from the fourth disc placed to twelve empties.
pub fn othello_knots<const N: usize>(count: usize) -> Vec<u8> {
    let last = (N * N - 4usize).saturating_sub(if N == 8 { 12 } else { 4 });
    even_knots(count, 4.min(last), last)
}

/// Weights of a pattern set that know nothing: every value is 0.
pub fn othello_zero<const N: usize>(set: &PatternSet, knots: Vec<u8>) -> Weights {
    let layout: &Layout = set.layout();
    Weights {
        game: <Othello<N> as Position>::GAME,
        scale: OTHELLO_SCALE,
        parent: [0; 32],
        tables: stored_tables(layout, &set.patterns),
        constants: vec![0; layout.plies],
        values: vec![0; layout.row_len() * knots.len()],
        knots,
        probcut: Vec::new(),
    }
}

/// Zero weights of a game's standard features: where learning starts from.
pub fn zero_weights(game: GameId) -> Option<Weights> {
    match game {
        GameId::Othello => Some(othello_zero::<8>(&standard_set::<8>(), othello_knots::<8>(2))),
        GameId::Othello6 => Some(othello_zero::<6>(&standard_set::<6>(), othello_knots::<6>(2))),
        GameId::Othello4 => Some(othello_zero::<4>(&standard_set::<4>(), othello_knots::<4>(2))),
        GameId::Renju => Some(renju::zero(renju::knots(2))),
    }
}

/// Fits Othello games with the features of `set` and `knots` knots.
pub fn fit_othello<const N: usize>(
    data: &ShardSet,
    set: PatternSet,
    knots: usize,
    parent: Option<&Weights>,
    options: &FitOptions,
    progress: impl FnMut(Progress),
) -> Result<Fit, FitError> {
    let template = othello_zero::<N>(&set, othello_knots::<N>(knots));
    let model = OthelloFeatures::<N>::new(set);
    let parent = parent.filter(|parent| parent.tables == template.tables);
    fit(data.records(), &model, &template, parent, options, progress)
}

/// Fits Renju games with `knots` knots, and the worth of their moves.
pub fn fit_renju(
    data: &ShardSet,
    knots: usize,
    parent: Option<&Weights>,
    options: &FitOptions,
    progress: impl FnMut(Progress),
) -> Result<Fit, FitError> {
    let template = renju::zero(renju::knots(knots));
    let model = renju::RenjuFeatures::new();
    let mut fitted = fit(data.records(), &model, &template, parent, options, progress)?;
    let worths = moves::learn(data.records().map_while(Result::ok), &model, renju::worths(parent.unwrap_or(&template)));
    renju::set_worths(&mut fitted.weights, &worths.values);
    Ok(fitted)
}

/// How a game's fits are made unless told otherwise.
pub fn fit_options(game: GameId) -> FitOptions {
    match game {
        GameId::Renju => FitOptions::won_or_lost(),
        game => FitOptions::new(largest_outcome(game)),
    }
}

/// Openings of Renju matches under a seed: near the stones, even by the count of open lines, and not decided yet. A
/// longer list begins with the shorter one.
///
/// # Errors
/// When there is none.
pub fn renju_openings(seed: u64, wanted: usize) -> Result<Vec<Opening<Renju>>, OpeningError> {
    let mut open = open_positions();
    let keep = |position: &Renju| openings::is_even(position) && open(position);
    random_openings_up_to(seed, openings::PLIES, wanted, openings::moves_nearby, keep)
}

/// When a self-play game is given as a draw: in Renju where the board has filled so far that fives are rare.
pub fn longest(game: GameId) -> Option<usize> {
    match game {
        GameId::Renju => Some(100),
        _ => None,
    }
}

/// How uneven a beginning of a self-play game may be, in search units.
pub fn level(game: GameId) -> Option<i32> {
    match game {
        GameId::Renju => Some(2 * renju::LOGIT),
        _ => None,
    }
}

/// The largest outcome of a game, in its unit.
pub fn largest_outcome(game: GameId) -> f32 {
    match game {
        GameId::Othello => 64.0,
        GameId::Othello6 => 36.0,
        GameId::Othello4 => 16.0,
        GameId::Renju => 1.0,
    }
}

/// Search units of one unit of a game's outcome.
pub fn units_per_outcome(game: GameId) -> i32 {
    match game {
        GameId::Renju => 1,
        _ => DISC,
    }
}

/// The bytes a fit of at most `positions` labelled positions takes, with `knots` knots on `threads` threads.
///
/// # Errors
/// A pattern set that the game does not have.
pub fn fit_memory(
    game: GameId,
    patterns: PatternSetName,
    knots: usize,
    positions: u64,
    threads: usize,
) -> Result<u64, NoPatternSet> {
    let need_of = |layout: &Layout| memory_need(layout, knots, positions, threads);
    Ok(match game {
        GameId::Othello => need_of(patterns.set::<8>()?.layout()),
        GameId::Othello6 => need_of(patterns.set::<6>()?.layout()),
        GameId::Othello4 => need_of(patterns.set::<4>()?.layout()),
        GameId::Renju => need_of(renju::RenjuFeatures::new().layout()),
    })
}

/// The random beginnings that training uses: short ones mostly, some long, in proportion to the length of the game.
pub fn exploration(game: GameId) -> Vec<PrefixShare> {
    let share = |weight, from, to| PrefixShare { weight, from, to };
    match game {
        GameId::Othello => vec![share(60, 8, 12), share(25, 13, 30), share(15, 31, 45)],
        GameId::Othello6 => vec![share(60, 3, 6), share(25, 7, 15), share(15, 16, 22)],
        GameId::Othello4 => vec![share(100, 0, 5)],
        GameId::Renju => vec![share(100, 3, 9)],
    }
}

/// From how many empty squares self-play solves unless told otherwise.
pub fn solve_empties(game: GameId) -> u8 {
    match game {
        GameId::Othello => 12,
        GameId::Othello6 => 10,
        GameId::Othello4 => 4,
        GameId::Renju => 0,
    }
}

/// The bits of the transposition table of self-play and labels: 1.5 MiB, near the cache, and part of what decides
/// the bytes of their shards.
pub const SELFPLAY_TT_BITS: u32 = 16;

/// Runs `$body` with a maker of engines for the game of `$weights` and the engine's units per unit of the outcome.
macro_rules! with_engines {
    ($weights:expr, |$make:ident, $units:ident| $body:expr) => {{
        let weights: &$crate::eval::weights::Weights = $weights;
        match weights.game {
            $crate::game::GameId::Othello => $crate::kit::with_engines!(@othello 8, weights, |$make, $units| $body),
            $crate::game::GameId::Othello6 => $crate::kit::with_engines!(@othello 6, weights, |$make, $units| $body),
            $crate::game::GameId::Othello4 => $crate::kit::with_engines!(@othello 4, weights, |$make, $units| $body),
            $crate::game::GameId::Renju => {
                let $units = $crate::eval::renju::SURE;
                let evaluator = $crate::eval::renju::Evaluator::new(weights)?;
                let $make = || $crate::search::renju::Engine::new(evaluator.clone(), $crate::kit::SELFPLAY_TT_BITS);
                $body
            }
        }
    }};
    (@othello $size:literal, $weights:ident, |$make:ident, $units:ident| $body:expr) => {{
        let $units = $crate::eval::othello::DISC;
        let evaluator = $crate::eval::evaluator::Evaluator::<$size>::new($weights)?;
        let $make =
            || $crate::search::othello::Engine::<$size>::new(evaluator.clone(), $crate::kit::SELFPLAY_TT_BITS);
        $body
    }};
}
pub(crate) use with_engines;

/// The fixed weights of the bench and of golden lines without a weights file: the standard patterns on three knots
/// with small pseudo-random values of at most `magnitude`, corners and mobility that make sense. They depend on the
/// arguments alone, so node counts compare from one version of the program to the next.
pub fn bench_weights(seed: u64, magnitude: i16) -> Weights {
    let mut weights = othello_zero::<8>(&standard_set::<8>(), vec![8, 25, 48]);
    let mut rng = stream(seed, Domain::Test, 100);
    for value in &mut weights.values {
        *value = rng.random_range(-magnitude..=magnitude);
    }
    for constant in &mut weights.constants {
        *constant = rng.random_range(-64..=64);
    }
    set_basics(&mut weights);
    weights.probcut = bench_lines();
    weights
}

/// ProbCut lines of plausible size for all depths: two at a depth from 7 on, and those of solves.
fn bench_lines() -> Vec<ProbCut> {
    let line = |ply, deep: u8, shallow: u8| ProbCut {
        ply,
        deep,
        shallow,
        slope: 1000 + i16::from(deep),
        intercept: i16::from(ply) / 10 - 2,
        deviation: 30 + 4 * u16::from(deep - shallow) + u16::from(ply) / 2,
    };
    let mut lines = Vec::new();
    for ply in [0, 20, 36] {
        for deep in 3..=16u8 {
            let shallow = if deep < 7 { 2 - deep % 2 } else { deep / 2 - (deep / 2 + deep) % 2 };
            lines.extend((deep >= 7).then(|| line(ply, deep, shallow - 2)));
            lines.push(line(ply, deep, shallow));
        }
    }
    lines.extend((13..=30).map(|empties| line(60 - empties, empties, 2 + empties % 2)));
    lines.sort_by_key(|line| (line.ply, line.deep, line.shallow));
    lines
}

/// The fixed weights of Renju's bench and of its golden lines without a weights file: the rules' classes count for
/// the side that has them, own lines more with the move, and small pseudo-random values make every code its own.
pub fn renju_bench_weights(seed: u64) -> Weights {
    let mut weights = renju::zero(renju::knots(3));
    let mut rng = stream(seed, Domain::Test, 101);
    let worths = renju::worths(&weights);
    let row = weights.row_len();
    let (half, points) = (renju::classes::CODES, 4 * renju::classes::CODES);
    for knot in weights.values.chunks_exact_mut(row) {
        for (at, value) in knot[..points].iter_mut().enumerate() {
            let worth = worths[at % half] * 60.0;
            let sign = if at / half % 2 == 0 { 1.25 } else { -1.0 };
            *value = (sign * worth) as i16 + rng.random_range(-8..=8);
        }
    }
    weights
}

/// The weights a template carries as it stands: corners and mobility, on one knot.
pub fn template_weights() -> Weights {
    let corner = Pattern::new("corner 2x2", &[0, 1, 8, 9], 8);
    let set = PatternSet::new::<8>(vec![corner]).expect("four placements");
    let mut weights = othello_zero::<8>(&set, vec![30]);
    set_basics(&mut weights);
    weights
}

/// Adds to every weight of patterns that begin at the corner what the corner is worth, and sets the mobilities.
fn set_basics(weights: &mut Weights) {
    let unit = OTHELLO_SCALE as i16;
    let row = weights.row_len();
    let first_is_corner =
        |table: &Table| matches!(&table.kind, Kind::Cells(cells) if cells[0] == 0 && cells.len() < 10);
    let pattern = first_is_corner(&weights.tables[0]).then(|| match &weights.tables[0].kind {
        Kind::Cells(cells) => Pattern::new("", cells, 8),
        _ => unreachable!("only cells have a first cell"),
    });
    for knot in weights.values.chunks_exact_mut(row) {
        if let Some(pattern) = &pattern {
            let mut done = vec![false; pattern.size];
            for (raw, &shared) in pattern.shared.iter().enumerate() {
                if !std::mem::replace(&mut done[shared as usize], true) {
                    knot[shared as usize] += [0, 6 * unit, -6 * unit][raw % 3];
                }
            }
        }
        let (own, other) = knot[row - 2 * MOBILITY_SIZE..].split_at_mut(MOBILITY_SIZE);
        for count in 0..MOBILITY_SIZE as i16 {
            own[count as usize] = count.min(16) * unit / 2;
            other[count as usize] = -(count.min(16) * unit / 2);
        }
    }
}
