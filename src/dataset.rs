//! Recorded games: what self-play writes, `label` rescores, `fit` reads.
//!
//! Games are stored, not positions: the moves from the start position, a score per move and the outcome. A shard
//! (`*.games`) holds many records of one run, framed and checksummed ([`shard`]); games from elsewhere come as WTHOR
//! files ([`wthor`]) or as move text ([`moves`]). [`record`] has the bytes of one record and its check by the rules.

pub mod moves;
pub mod pairs;
pub mod record;
pub mod shard;
pub mod whole_file;
pub mod wthor;

pub mod obf;

use crate::game::{Move, Outcome};

pub use record::RecordError;
pub use shard::{ShardError, ShardHeader, ShardReader, ShardSet, ShardWriter, Tail, Torn};

/// One game from the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The number of the game in its run: the index of its random stream.
    pub index: u64,
    /// What was played, passes included.
    pub plies: Vec<Ply>,
    /// The result: final, solved or adjudicated, as `end` says. Black's point of view.
    pub outcome: Outcome,
    /// How the record ends.
    pub end: End,
}

/// One move of a recorded game and what is known of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// The score of the position before the move, from the point of view of the side to move, in the game's search
    /// unit; `None` where nothing searched it.
    pub score: Option<i16>,
    /// Whether the move was drawn at random instead of chosen by a search. The outcome of a game says nothing
    /// about positions before a random move.
    pub random: bool,
    /// Whether `score` is the exact value (a solved position).
    pub exact: bool,
}

/// How a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum End {
    /// The game was played to its end; the outcome follows from the board.
    Finished = 0,
    /// Play stopped at a position whose exact value is the outcome.
    Solved = 1,
    /// Play stopped and the outcome was awarded.
    Adjudicated = 2,
}

impl GameRecord {
    /// The first ply whose position carries the outcome as its label: the one after the last random move.
    pub fn first_labelled(&self) -> usize {
        self.plies.iter().rposition(|ply| ply.random).map_or(0, |last| last + 1)
    }
}
