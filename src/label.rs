//! Labels: recorded games searched again, deeper, and solved exactly near the end.
//!
//! Game by game in index order, each a function of (options, weights, game): the moves stay, the scores change.
//! A position the search solves is marked exact; the outcome of the game is left as it was played.

use serde::{Deserialize, Serialize};

use crate::dataset::{GameRecord, Ply};
use crate::game::{Move, Position};
use crate::search::{Limits, Searcher};

/// How games are rescored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Depth of the search.
    pub depth: u8,
    /// Nodes after which a search stops (in addition to `depth`).
    pub nodes: u64,
    /// Positions with at most this many empty squares are solved exactly.
    pub solve_empties: u8,
    /// Of the positions after the last random move, every n-th is searched (1: all), beginning at a ply that
    /// differs from game to game.
    pub every: u32,
}

/// Searches the positions of `record` after its last random move. Scores of other positions are dropped, so that
/// every score in the result is of the depth the options say.
pub fn rescore<S: Searcher>(searcher: &mut S, options: &Options, record: &GameRecord) -> Result<GameRecord, String> {
    let limits =
        Limits { depth: options.depth, nodes: options.nodes, solve_empties: options.solve_empties, time: None };
    searcher.forget();
    let first = record.first_labelled();
    let mut position = S::Position::start();
    let mut plies = Vec::with_capacity(record.plies.len());
    for (number, ply) in record.plies.iter().enumerate() {
        let chosen = number >= first && (number as u64 + record.index).is_multiple_of(u64::from(options.every.max(1)));
        let (mut score, mut exact) = (None, false);
        if chosen && ply.mv != Move::PASS {
            let result = searcher.search(&position, &limits);
            (score, exact) = (Some(result.score as i16), result.exact);
        }
        plies.push(Ply { score, exact, ..*ply });
        position.play(ply.mv).map_err(|error| format!("game {}, ply {}: {error}", record.index, number + 1))?;
    }
    Ok(GameRecord { plies, ..record.clone() })
}
