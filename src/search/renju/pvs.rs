//! Principal variation search with the transposition table.
//!
//! Before anything else a node asks what fives and fours decide: a five to make wins, two to stop lose, one to stop is
//! the only move and costs no depth, an open four wins in three. At depth 0 continuous fours are tried and the rest is
//! evaluated. Above, quiet nodes far beyond the window are cut (by the evaluation near the leaves, by a null move
//! higher up), late moves are searched less deep, and near the leaves the last ones not at all.

use super::ordering::Candidates;
use super::{BLACK, Engine, INFINITE, Limits};
use crate::eval::renju::classes::kind;
use crate::eval::renju::{LOGIT, SURE, WIN};
use crate::game::renju::POINTS;
use crate::search::tt::NO_MOVE;

/// Deeper than this no line is followed.
pub(super) const DEEPEST: i32 = 180;
/// Four moves that continuous fours may try at a leaf and at inner nodes.
pub(super) const FOURS_AT: [u32; 2] = [24, 120];
/// The null move is searched this much less deep, besides a quarter of the depth.
pub(super) const NULL_REDUCTION: i32 = 2;
/// What a quiet position near the leaves may lose in one ply.
pub(super) const PLY_MARGIN: i32 = LOGIT / 2;
/// Moves that are searched at depth 1, 2, 3 …; beyond these depths, the last number.
pub(super) const WIDTHS: [usize; 5] = [5, 7, 9, 12, 16];

impl Engine {
    /// Searches the root's moves to `depth` around the score of the depth before and puts the best one first; `None`
    /// if it was stopped.
    pub(super) fn deepen(
        &mut self,
        moves: &mut Candidates,
        me: usize,
        depth: u8,
        guess: i32,
        limits: &Limits,
    ) -> Option<i32> {
        let mut margin = LOGIT / 4;
        let (mut alpha, mut beta) = if depth <= 3 { (-INFINITE, INFINITE) } else { (guess - margin, guess + margin) };
        loop {
            let score = self.root(moves, me, i32::from(depth), alpha, beta, limits)?;
            margin *= 4;
            if score <= alpha && alpha > -INFINITE {
                alpha = (score - margin).max(-INFINITE);
            } else if score >= beta && beta < INFINITE {
                beta = (score + margin).min(INFINITE);
            } else {
                return Some(score);
            }
        }
    }

    fn root(
        &mut self,
        moves: &mut Candidates,
        me: usize,
        depth: i32,
        alpha: i32,
        beta: i32,
        limits: &Limits,
    ) -> Option<i32> {
        let (mut best, mut best_at) = (-INFINITE, 0);
        for at in 0..moves.as_slice().len() {
            let point = moves.as_slice()[at].point as usize;
            let low = alpha.max(best);
            self.place(point, me);
            let mut score;
            if at == 0 {
                score = -self.pvs(1 - me, depth - 1, 1, -beta, -low, true, limits);
            } else {
                let less = reduction(depth, at, false);
                score = -self.pvs(1 - me, depth - 1 - less, 1, -low - 1, -low, true, limits);
                if score > low && less > 0 && !self.stopped {
                    score = -self.pvs(1 - me, depth - 1, 1, -low - 1, -low, true, limits);
                }
                if score > low && score < beta && !self.stopped {
                    score = -self.pvs(1 - me, depth - 1, 1, -beta, -low, true, limits);
                }
            }
            self.take_back(point, me);
            if self.stopped {
                return None;
            }
            if score > best {
                (best, best_at) = (score, at);
                if best >= beta {
                    break;
                }
            }
        }
        if best > alpha {
            // The best move goes first, the others keep their order.
            moves.as_mut_slice()[..=best_at].rotate_right(1);
        }
        Some(best)
    }

    /// The value of a node `ply` plies below the root to `depth` plies within `(alpha, beta)`, fail-soft.
    #[expect(clippy::too_many_arguments, reason = "a node is its side, its depth and its window")]
    pub(super) fn pvs(
        &mut self,
        me: usize,
        depth: i32,
        ply: i32,
        alpha: i32,
        beta: i32,
        may_pass: bool,
        limits: &Limits,
    ) -> i32 {
        let other = 1 - me;
        if !self.set(me, kind::FIVE).is_empty() {
            return WIN - ply - 1;
        }
        if self.stones == POINTS {
            return 0;
        }
        if self.must_stop(limits) {
            return 0;
        }
        let fives = self.set(other, kind::FIVE);
        if let Some(point) = fives.iter().next() {
            if fives.count() > 1 || self.is_forbidden(me, point) {
                return -(WIN - ply - 2);
            }
            if ply >= DEEPEST {
                return self.evaluate(me);
            }
            self.place(point, me);
            let score = -self.pvs(other, depth, ply + 1, -beta, -alpha, true, limits);
            self.take_back(point, me);
            return score;
        }
        if self.open_four(me).is_some() {
            return WIN - ply - 3;
        }
        if depth <= 0 || ply >= DEEPEST {
            return match self.continuous_fours(me, FOURS_AT[0]) {
                Some((_, distance)) => WIN - ply - distance,
                None => self.evaluate(me),
            };
        }
        let key = self.key(me);
        let mut hash_move = NO_MOVE;
        if let Some(entry) = self.tt.probe(key) {
            let (lower, upper) = (from_table(entry.lower.into(), ply), from_table(entry.upper.into(), ply));
            if i32::from(entry.depth) >= depth || lower >= SURE {
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            hash_move = entry.best;
        }
        if let Some((point, distance)) = self.continuous_fours(me, FOURS_AT[1]) {
            let score = WIN - ply - distance;
            self.store(key, 100, ply, -INFINITE, INFINITE, score, point as u8);
            return score;
        }
        let threatened = self.lines.threatened(me);
        let narrow = beta - alpha == 1;
        if narrow && !threatened && beta.abs() < SURE {
            let value = self.evaluate(me);
            if depth <= 3 && value - PLY_MARGIN * depth >= beta {
                return value;
            }
            if may_pass && depth >= 3 && value >= beta {
                let less = 1 + NULL_REDUCTION + depth / 4;
                self.nodes += 1;
                let score = -self.pvs(other, depth - less, ply + 1, -beta, -beta + 1, false, limits);
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    return if score >= SURE { beta } else { score };
                }
            }
        }
        let (best, best_move) = self.branch(me, depth, ply, alpha, beta, hash_move, threatened, limits);
        if self.stopped {
            return 0;
        }
        self.store(key, depth, ply, alpha, beta, best, best_move);
        best
    }

    #[expect(clippy::too_many_arguments, reason = "a node is its side, its depth and its window")]
    fn branch(
        &mut self,
        me: usize,
        depth: i32,
        ply: i32,
        alpha: i32,
        beta: i32,
        hash_move: u8,
        threatened: bool,
        limits: &Limits,
    ) -> (i32, u8) {
        let mut moves = Candidates::none();
        self.generate(me, &mut moves);
        if hash_move != NO_MOVE {
            for candidate in moves.as_mut_slice() {
                if candidate.point == hash_move {
                    candidate.key = i32::MAX;
                }
            }
        }
        let width = if threatened { POINTS } else { WIDTHS[(depth as usize).min(WIDTHS.len()) - 1] };
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        let mut searched = 0;
        for at in 0..moves.as_slice().len() {
            if searched >= width {
                break;
            }
            let point = moves.pick(at).point as usize;
            if self.is_forbidden(me, point) {
                continue;
            }
            let low = alpha.max(best);
            self.place(point, me);
            let mut score;
            if searched == 0 {
                score = -self.pvs(1 - me, depth - 1, ply + 1, -beta, -low, true, limits);
            } else {
                let less = reduction(depth, searched, threatened);
                score = -self.pvs(1 - me, depth - 1 - less, ply + 1, -low - 1, -low, true, limits);
                if score > low && less > 0 && !self.stopped {
                    score = -self.pvs(1 - me, depth - 1, ply + 1, -low - 1, -low, true, limits);
                }
                if score > low && score < beta && !self.stopped {
                    score = -self.pvs(1 - me, depth - 1, ply + 1, -beta, -low, true, limits);
                }
            }
            self.take_back(point, me);
            if self.stopped {
                return (0, NO_MOVE);
            }
            searched += 1;
            if score > best {
                (best, best_move) = (score, point as u8);
                if best >= beta {
                    break;
                }
            }
        }
        if searched > 0 {
            return (best, best_move);
        }
        // Nothing that is searched may be played. Against a threat that loses; else there is nothing but a pass.
        debug_assert!(me == BLACK);
        (if threatened { -(WIN - ply - 4) } else { 0 }, NO_MOVE)
    }

    #[expect(clippy::too_many_arguments, reason = "each is one field of the entry")]
    fn store(&mut self, key: [u64; 2], depth: i32, ply: i32, alpha: i32, beta: i32, score: i32, best: u8) {
        let [alpha, beta, score] = [alpha, beta, score].map(|value| to_table(value, ply));
        self.tt.store(key, depth as u8, 0, alpha, beta, score, best, INFINITE);
    }
}

/// How much less deep the move number `at` (from 0) is searched.
pub(super) fn reduction(depth: i32, at: usize, threatened: bool) -> i32 {
    if threatened || depth < 2 || at < 3 {
        return 0;
    }
    let less = 1 + i32::from(at >= 8) + i32::from(at >= 20) + i32::from(depth >= 7);
    less.min(depth - 1)
}

/// Wins are kept by their distance from the position, not from the root.
pub(super) fn to_table(value: i32, ply: i32) -> i32 {
    if (SURE..INFINITE).contains(&value) {
        value + ply
    } else if (SURE..INFINITE).contains(&-value) {
        value - ply
    } else {
        value
    }
}

/// The reverse of [`to_table`].
pub(super) fn from_table(value: i32, ply: i32) -> i32 {
    if (SURE..INFINITE).contains(&value) {
        value - ply
    } else if (SURE..INFINITE).contains(&-value) {
        value + ply
    } else {
        value
    }
}
