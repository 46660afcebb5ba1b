//! Golden lines: what keeps the Rust engine and the baked bots in step.
//!
//! A line is `position depth perft eval best score nodes`: the 64 letters `X O -` with the side's letter behind them,
//! the depth of the result (the number of empty squares when it is exact), the move sequences of four plies (a pass
//! is a ply), the static evaluation, the best move, its score in search units, and the nodes of the search. Positions
//! with at most [`SOLVE_EMPTIES`] empty squares are solved. The table is cleared before each position and no clock
//! runs, so equal lines mean equal trees.

use super::Engine;
use crate::eval::othello::DISC;
use crate::game::othello::{Othello, perft};
use crate::game::perft::PassCounting;
use crate::game::{Color, Move, Position};
use crate::search::{Limits, SearchResult, Searcher};

/// The depth of golden searches where none is asked for.
pub const DEPTH: u8 = 8;
/// Golden searches solve from this many empty squares on.
pub const SOLVE_EMPTIES: u8 = 14;
/// The plies of the move count.
pub const PERFT_DEPTH: u32 = 4;
/// The size of the table of bots, as a power of two.
pub const TT_BITS: u32 = 21;

/// The golden line of a position with at least the four discs of a start, without a line end.
pub fn line<const N: usize>(engine: &mut Engine<N>, position: &Othello<N>, depth: u8) -> String {
    let result = search(engine, position, depth);
    let leaves = perft::perft(position, PERFT_DEPTH, PassCounting::PassIsPly);
    text_line(position, leaves, engine.evaluator().value(position.board()), &result)
}

/// The line of a position with what was found of it.
pub(super) fn text_line<const N: usize>(
    position: &Othello<N>,
    leaves: u64,
    value: i32,
    result: &SearchResult,
) -> String {
    let best = best_text::<N>(result.best);
    let SearchResult { depth, score, nodes, .. } = result;
    format!("{} {depth} {leaves} {value} {best} {score} {nodes}", text(position))
}

/// The search behind a golden line.
pub fn search<const N: usize>(engine: &mut Engine<N>, position: &Othello<N>, depth: u8) -> SearchResult {
    engine.forget();
    engine.search(position, &Limits::depth(depth).solving(SOLVE_EMPTIES))
}

/// The line `position score best nodes` of an exact solve, score in discs.
pub fn solve_line<const N: usize>(engine: &mut Engine<N>, position: &Othello<N>) -> String {
    engine.forget();
    let result = engine.solve(position);
    format!("{} {} {} {}", text(position), result.score / DISC, best_text::<N>(result.best), result.nodes)
}

fn best_text<const N: usize>(best: Move) -> String {
    Othello::<N>::move_text(best)
}

/// The board in `X O -` and the side to move, in one word.
fn text<const N: usize>(position: &Othello<N>) -> String {
    let letter = |cell| match cell {
        'B' => 'X',
        'W' => 'O',
        _ => '-',
    };
    let side = if position.side_to_move() == Color::Black { 'X' } else { 'O' };
    position.board_text().chars().map(letter).chain([side]).collect()
}
