//! Searching: limits, results and the trait [`Searcher`]; each game has its own engine below this module.
//!
//! A search reads no clock and no file of its own accord: time comes in through [`Limits`], so the same call gives
//! the same nodes everywhere. One generic search for both games would need more hooks than it would save lines.

pub mod clock;
pub mod othello;
pub mod renju;
mod stop;
pub mod tt;

use crate::game::{Move, Position};

/// A source of time that a search may ask: milliseconds since some moment the caller chose.
pub trait Clock: Sync {
    /// Milliseconds spent.
    fn now_ms(&self) -> f64;
}

/// What stops a search. The default never stops before depth 1.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Iterative deepening ends with this depth.
    pub depth: u8,
    /// At this many nodes the search stops with the last finished depth.
    pub nodes: u64,
    /// Positions with at most this many empty squares are solved exactly (games that can be).
    pub solve_empties: u8,
    /// How sure a forward cut must be: 0 is boldest, [`Limits::FULL_WIDTH`] cuts nothing.
    pub level: u8,
    /// The clock, when no new depth may begin, and when the search must stop, in the clock's milliseconds.
    pub time: Option<Time<'a>>,
}

/// A clock with two limits.
#[derive(Clone, Copy)]
pub struct Time<'a> {
    /// The injected clock.
    pub clock: &'a dyn Clock,
    /// From here on no new depth begins.
    pub soft_ms: f64,
    /// From here on the search stops where it is.
    pub hard_ms: f64,
}

impl Limits<'_> {
    /// The level of searches unless told otherwise.
    pub const LEVEL: u8 = 1;
    /// The level without forward cuts.
    pub const FULL_WIDTH: u8 = 5;

    /// Only a depth.
    pub fn depth(depth: u8) -> Limits<'static> {
        Limits { depth, nodes: u64::MAX, solve_empties: 0, level: Self::LEVEL, time: None }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits<'static> {
        Limits { depth: 60, nodes, solve_empties: 0, level: Self::LEVEL, time: None }
    }

    /// The same limits at another level of selectivity.
    pub fn at_level(self, level: u8) -> Self {
        Limits { level, ..self }
    }

    /// The same limits with exact solving from `empties` empty squares.
    pub fn solving(self, empties: u8) -> Self {
        Limits { solve_empties: empties, ..self }
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move ([`Move::PASS`] where that is forced).
    pub best: Move,
    /// The value for the side to move, in the game's search units.
    pub score: i32,
    /// Whether `score` is exact.
    pub exact: bool,
    /// The last finished depth.
    pub depth: u8,
    /// Positions entered.
    pub nodes: u64,
}

/// An engine: one position at a time, with a memory that [`Searcher::forget`] clears.
pub trait Searcher: Send {
    /// The positions it searches.
    type Position: Position;

    /// Searches a position that is not over.
    fn search(&mut self, position: &Self::Position, limits: &Limits) -> SearchResult;

    /// Forgets everything learned from earlier searches, so the next one depends on its arguments alone.
    fn forget(&mut self);

    /// The moves worth drawing from where a move is drawn at random: all legal ones, if the game knows no better.
    fn explore(&mut self, position: &Self::Position) -> Vec<Move> {
        position.legal_moves()
    }
}
