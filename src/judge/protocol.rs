//! What a judge's line protocol must say for the referee to run it.
//!
//! The referee drives every protocol in the same way: each side is greeted (`READY`), the side on move is asked
//! (`TURN`) and answers with one line, the other side may be told (`OPP`), and at the end both may be dismissed
//! (`FINISH`). A protocol writes these lines, reads the answers, and judges them by the rules of its game.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::verdict::Fault;
use crate::game::{Color, Move, Position};

/// The state of a game at the moment a side is asked.
#[derive(Debug)]
pub struct Turn<'a, P> {
    /// 1, 2, 3 …: the actions of both sides so far, passes included, and this one.
    pub number: usize,
    /// The position.
    pub position: &'a P,
    /// Answer time left of the side on move.
    pub remaining: Duration,
    /// Answer time left of its opponent.
    pub opponent_remaining: Duration,
}

/// A judge's line protocol.
pub trait Protocol {
    /// The game played.
    type Position: Position;

    /// The judge's name for the protocol, as on the command line.
    fn name(&self) -> &'static str;

    /// The greeting of the side that plays `color`: whole lines.
    fn ready(&self, color: Color) -> String;

    /// The time for answering the greeting where it does not come off the game's total.
    fn ready_allowance(&self) -> Option<Duration> {
        None
    }

    /// Checks the answer to the greeting.
    ///
    /// # Errors
    /// A FORMAT fault.
    fn check_ready(&self, line: &str) -> Result<(), Fault>;

    /// The request for a move: whole lines.
    fn turn(&self, turn: &Turn<'_, Self::Position>) -> String;

    /// Reads the answer to [`Protocol::turn`].
    ///
    /// # Errors
    /// A FORMAT fault, or ILLEGAL for coordinates outside the board.
    fn read_move(&self, line: &str) -> Result<Move, Fault>;

    /// The position after `mv`.
    ///
    /// # Errors
    /// ILLEGAL, ILLEGAL_PASS or FORBIDDEN.
    fn play(&self, turn: &Turn<'_, Self::Position>, mv: Move) -> Result<Self::Position, Fault>;

    /// Lengths of the random openings a match may start from; `None` where programs can be told of an opening only by
    /// [`Protocol::init`], which not every program knows.
    fn opening_plies(&self) -> Option<RangeInclusive<usize>>;

    /// Sets a program's position where its requests do not show the board: whole lines. `plies` actions lead there.
    fn init(&self, _position: &Self::Position, _plies: usize) -> Option<String> {
        None
    }

    /// What the opponent is told of a move that took so long: whole lines, if anything.
    fn notice(&self, _mv: Move, _took: Duration) -> Option<String> {
        None
    }

    /// The last line of a game, after which a program is expected to exit by itself. Without one it is killed.
    fn farewell(&self) -> Option<String> {
        None
    }

    /// Row and column of a move, from 1; `None` for a pass.
    fn row_col(&self, mv: Move) -> Option<(usize, usize)>;

    /// The move in this row and column, from 1, if it is on the board.
    fn move_at(&self, row: i64, col: i64) -> Option<Move>;
}
