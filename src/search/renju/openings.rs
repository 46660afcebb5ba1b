//! Which beginnings of Renju are still open: those where a shallow search by the rules alone finds no forced win.
//!
//! From the empty board Black wins, so games between versions start from beginnings drawn at random. Judged without
//! learned weights, every version gets the same ones.

use super::Engine;
use crate::eval::renju::{Evaluator, SURE, knots, zero};
use crate::game::renju::Renju;
use crate::search::{Limits, Searcher};

/// The depth of the search that looks for wins.
const DEPTH: u8 = 4;

/// Tells open positions from decided ones.
pub fn open_positions() -> impl FnMut(&Renju) -> bool {
    let mut engine = Engine::new(Evaluator::new(&zero(knots(1))).expect("weights of this shape"), 12);
    move |position| {
        engine.forget();
        engine.search(position, &Limits::depth(DEPTH)).score.abs() < SURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::renju::after;

    #[test]
    fn a_four_to_make_decides_and_a_quiet_beginning_does_not() {
        let mut open = open_positions();
        // Black has an open three and the move: a straight four and then five.
        assert!(!open(&after("h8 g7 i8 a1 j8 o15")));
        assert!(open(&after("h8 h9 i9 g7")));
    }
}
