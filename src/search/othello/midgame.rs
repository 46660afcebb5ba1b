//! The midgame: principal variation search with the transposition table, in search units.
//!
//! A node at depth 0 is its evaluation. Above, moves are ordered by the table's move, the child's evaluation and the
//! opponent's mobility; the last ply keeps the board's order and evaluates its children at once. Finished games count
//! their exact score.

use super::ordering::{Candidates, corners, weighted_mobility};
use super::probcut::SIGMAS;
use super::{Engine, INFINITE, Limits};
use crate::eval::othello::{DISC, Indices};
use crate::game::othello::{Board, Othello, board, final_score, flips, moves};
use crate::search::tt::{NO_MOVE, SOLVE_LEVEL};

/// What one reply of the opponent costs in ordering, in search units.
const REPLY_WEIGHT: i32 = DISC / 2;

/// From this depth on a node may be cut by a shallower search.
const PROBCUT_DEPTH: u8 = 3;

/// From this depth on a node's moves are shared out among threads.
const SPLIT_DEPTH: u8 = 6;

impl<const N: usize> Engine<N> {
    /// The value of a node to `depth` plies within `(alpha, beta)`, fail-soft.
    #[expect(clippy::too_many_arguments, reason = "a node is its position, its depth and its window")]
    pub(super) fn pvs(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        depth: u8,
        alpha: i32,
        beta: i32,
        limits: &Limits,
    ) -> i32 {
        if depth == 0 {
            self.nodes += 1;
            return self.evaluator.evaluate(board, &indices.seen(by_first));
        }
        self.nodes += 1;
        if self.must_stop(limits) {
            return 0;
        }
        let mobility = moves::mobility(board.player, board.opponent) & Othello::<N>::SQUARES;
        if mobility == 0 {
            if moves::mobility(board.opponent, board.player) & Othello::<N>::SQUARES == 0 {
                return final_score::<N>(board.player, board.opponent) * DISC;
            }
            return -self.pvs(board.pass(), indices, !by_first, depth, -beta, -alpha, limits);
        }
        let key = [board.player, board.opponent];
        let mut hash_move = NO_MOVE;
        if let Some(entry) = self.tt.probe(key) {
            if entry.level >= SOLVE_LEVEL || (entry.depth >= depth && entry.level >= self.level) {
                let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            hash_move = entry.best;
        }
        if depth >= PROBCUT_DEPTH
            && self.level < Limits::FULL_WIDTH
            && beta - alpha == 1
            && let Some(bound) =
                self.probcut(board, indices, by_first, depth.into(), SIGMAS[self.level as usize], alpha, beta, limits)
        {
            self.tt.store(key, depth, self.level, alpha, beta, bound, hash_move, INFINITE);
            return bound;
        }
        if self.stopped {
            return 0;
        }
        let (best, best_move) = if depth == 1 {
            self.last_ply(board, indices, by_first, mobility, alpha, beta)
        } else {
            self.branch(board, indices, by_first, depth, alpha, beta, mobility, hash_move, limits)
        };
        if self.stopped {
            return 0;
        }
        self.tt.store(key, depth, self.level, alpha, beta, best, best_move, INFINITE);
        best
    }

    /// Depth 1: every child is evaluated where it stands.
    fn last_ply(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        mobility: u64,
        alpha: i32,
        beta: i32,
    ) -> (i32, u8) {
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for group in [mobility & const { corners(N) }, mobility & !const { corners(N) }] {
            for square in board::bits(group) {
                self.nodes += 1;
                let flipped = flips::flips(board.player, board.opponent, square);
                let child =
                    Board { player: board.opponent ^ flipped, opponent: board.player ^ flipped ^ (1 << square) };
                let score = if child.player == 0 {
                    (N * N) as i32 * DISC
                } else {
                    let after = indices.after(self.evaluator.set(), square, flipped, by_first);
                    -self.evaluator.evaluate(child, &after.seen(!by_first))
                };
                if score > best {
                    (best, best_move) = (score, square as u8);
                    if best >= beta && best > alpha {
                        return (best, best_move);
                    }
                }
            }
        }
        (best, best_move)
    }

    #[expect(clippy::too_many_arguments, reason = "a node is its position, its depth and its window")]
    fn branch(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        depth: u8,
        alpha: i32,
        beta: i32,
        mobility: u64,
        hash_move: u8,
        limits: &Limits,
    ) -> (i32, u8) {
        let mut list = Candidates::none();
        list.fill::<N>(board, mobility, |_| ());
        for candidate in list.as_mut_slice() {
            if candidate.square == hash_move {
                candidate.key = 1 << 20;
                continue;
            }
            candidate.key = -REPLY_WEIGHT * weighted_mobility::<N>(candidate.replies);
            if depth >= 3 {
                let after =
                    indices.after(self.evaluator.set(), candidate.square as usize, candidate.flipped(board), by_first);
                candidate.key -= self.evaluator.evaluate(candidate.child, &after.seen(!by_first));
            }
        }
        list.sort();
        if beta - alpha == 1 {
            return self.best_of(list.as_slice(), alpha, depth >= SPLIT_DEPTH, |engine, candidate| {
                let (square, flipped) = (candidate.square as usize, candidate.flipped(board));
                let after = indices.after(engine.evaluator.set(), square, flipped, by_first);
                -engine.pvs(candidate.child, &after, !by_first, depth - 1, -beta, -alpha, limits)
            });
        }
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for (number, candidate) in list.as_slice().iter().enumerate() {
            let after =
                indices.after(self.evaluator.set(), candidate.square as usize, candidate.flipped(board), by_first);
            let low = alpha.max(best);
            let mut score;
            if number == 0 {
                score = -self.pvs(candidate.child, &after, !by_first, depth - 1, -beta, -low, limits);
            } else {
                score = -self.pvs(candidate.child, &after, !by_first, depth - 1, -low - 1, -low, limits);
                if score > low && score < beta && !self.stopped {
                    score = -self.pvs(candidate.child, &after, !by_first, depth - 1, -beta, -score, limits);
                }
            }
            if self.stopped {
                return (0, NO_MOVE);
            }
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best >= beta {
                    break;
                }
            }
        }
        (best, best_move)
    }
}
