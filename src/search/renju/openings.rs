//! Openings of Renju that give both sides a game.
//!
//! From the empty board Black wins, so games between versions start from random beginnings: the first three moves
//! within their squares, the others near the stones, kept where a shallow search by the rules' classes alone finds no
//! forced win. Without learned weights every version gets the same openings.

use super::Engine;
use crate::eval::renju::{Evaluator, SURE, knots, zero};
use crate::game::renju::Renju;
use crate::game::{Move, Position};
use crate::search::{Limits, Searcher};

/// Stones of an opening.
pub const PLIES: usize = 6;
/// The depth of the search that looks for wins.
const DEPTH: u8 = 4;

/// An engine that knows the rules alone.
fn plain() -> Engine {
    Engine::new(Evaluator::new(&zero(knots(1))).expect("weights of this shape"), 12)
}

/// Up to `wanted` openings, no two of them alike up to symmetry. `draw(attempt, number, count)` chooses one of `count`
/// moves at step `number` of an attempt.
pub fn draw_openings(wanted: usize, mut draw: impl FnMut(u64, usize, usize) -> usize) -> Vec<Vec<Move>> {
    let mut engine = plain();
    let mut openings = Vec::with_capacity(wanted);
    let mut seen = std::collections::HashSet::new();
    for attempt in 0..1000 + 50 * wanted as u64 {
        if openings.len() == wanted {
            break;
        }
        let (mut position, mut moves) = (Renju::start(), Vec::new());
        while moves.len() < PLIES {
            let choice = engine.explore(&position);
            let mv = choice[draw(attempt, moves.len(), choice.len())];
            position.play(mv).expect("what is explored is legal");
            moves.push(mv);
        }
        if position.outcome().is_none() && seen.insert(position.canonical()) {
            engine.forget();
            if engine.search(&position, &Limits::depth(DEPTH)).score.abs() < SURE {
                openings.push(moves);
            }
        }
    }
    openings
}
