//! The composition root: what belongs to which game. No logic, only who goes with whom.

use crate::eval::evaluator::stored_tables;
use crate::eval::othello::{PatternSet, standard_set};
use crate::eval::weights::Weights;
use crate::eval::{Layout, even_knots};
use crate::game::othello::Othello;
use crate::game::{GameId, Position};

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
        GameId::Renju => None,
    }
}
