//! Perft: the number of move sequences of a given length, the field's test of a move generator.
//!
//! This one counts any game through [`Position`]; a game with a faster counter of its own offers that beside it.
//! An ended game counts as one leaf at any remaining depth.

use super::{Move, Position};

/// How a pass is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassCounting {
    /// Mode 1: a pass is a ply like any other move.
    PassIsPly,
    /// Mode 2: a pass costs nothing.
    PassIsFree,
}

/// The number of leaves `depth` plies below `position`.
pub fn perft<P: Position>(position: &P, depth: u32, passes: PassCounting) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return 1;
    }
    moves
        .iter()
        .map(|&mv| {
            let mut child = position.clone();
            child.play(mv).expect("a generated move is legal");
            let free = mv == Move::PASS && passes == PassCounting::PassIsFree;
            perft(&child, if free { depth } else { depth - 1 }, passes)
        })
        .sum()
}
