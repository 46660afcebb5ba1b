//! Golden lines: what keeps the Rust engine and the baked bots in step.
//!
//! A line is `position depth legal eval best score nodes`: 225 letters `.BW` with the side's letter behind them, the
//! depth of the result, the number of legal moves, the static evaluation, the best move, its score in search units, and
//! the nodes of the search. The tables are cleared before each position and no clock runs, so equal lines mean equal
//! trees.

use super::Engine;
use crate::game::renju::Renju;
use crate::game::{Color, Position};
use crate::search::{Limits, SearchResult, Searcher};

/// The depth of golden searches where none is asked for.
pub const DEPTH: u8 = 6;
/// The size of the table of bots, as a power of two.
pub const TT_BITS: u32 = 20;

/// The golden line of a position, without a line end.
pub fn line(engine: &mut Engine, position: &Renju, depth: u8) -> String {
    let SearchResult { best, score, depth, nodes, .. } = search(engine, position, depth);
    let legal = position.legal_moves().iter().filter(|mv| !mv.is_pass()).count();
    let value = engine.evaluator().value(position);
    format!("{} {depth} {legal} {value} {} {score} {nodes}", text(position), Renju::move_text(best))
}

/// The search behind a golden line.
pub fn search(engine: &mut Engine, position: &Renju, depth: u8) -> SearchResult {
    engine.forget();
    engine.search(position, &Limits::depth(depth))
}

/// The board in `.BW` and the side to move, in one word.
pub(super) fn text(position: &Renju) -> String {
    let side = if position.side_to_move() == Color::Black { 'B' } else { 'W' };
    format!("{}{side}", position.board_text())
}
