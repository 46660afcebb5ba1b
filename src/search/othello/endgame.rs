//! The exact endgame: null-window search down to the last disc, in discs.
//!
//! Floors by the number of empty squares: with evaluation, table and ETC on top (`solve_deep`), table and mobility
//! order below it, then mobility order alone, parity order, and the last four squares one by one; principal
//! variation nodes have their own plain function. Scores are final disc differences for the side to move, empties
//! to the winner. Every position entered counts as a node, a pass included.

use super::ordering::{Candidate, Candidates, ODD_SQUARES, corners, parity, quadrant_bit, weighted_mobility};
use super::probcut::SIGMAS;
use super::stability::stable_count;
use super::{Engine, INFINITE, Limits};
use crate::eval::othello::{DISC, Indices};
use crate::game::othello::{Board, Othello, board, final_score, flips, moves};
use crate::search::tt::{Entry, NO_MOVE, SOLVE_LEVEL, SOLVED, Table};

/// From this many empty squares on, moves are ordered with the evaluation.
pub const EVAL_EMPTIES: u32 = 12;
/// From this many on, by searches of the midgame instead of its evaluation alone.
const SEARCH_EMPTIES: u32 = 17;
/// From this many on, by the opponent's mobility, with the table.
pub const TABLE_EMPTIES: u32 = 8;
/// From this many on, by the opponent's mobility, without it.
const MOBILITY_EMPTIES: u32 = 6;
/// From this many on, the table is asked about every child before any is searched.
const ETC_EMPTIES: u32 = 10;

/// From this many on, a node's moves are shared out among threads.
const SPLIT_EMPTIES: u32 = 14;

/// From this many on, a solve with forward cuts cuts.
const PROBCUT_EMPTIES: u32 = 13;

/// A value below every score.
const NONE: i32 = -127;

impl<const N: usize> Engine<N> {
    /// A principal variation node with window `(alpha, beta)`, any number of empty squares.
    pub(super) fn solve_pv(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        alpha: i32,
        beta: i32,
        limits: &Limits,
    ) -> i32 {
        self.nodes += 1;
        if self.must_stop(limits) {
            return 0;
        }
        let empties = Othello::<N>::SQUARES & !(board.player | board.opponent);
        let mobility = moves::mobility(board.player, board.opponent) & Othello::<N>::SQUARES;
        if mobility == 0 {
            if moves::mobility(board.opponent, board.player) & Othello::<N>::SQUARES == 0 {
                return final_score::<N>(board.player, board.opponent);
            }
            return -self.solve_pv(board.pass(), indices, !by_first, -beta, -alpha, limits);
        }
        let key = [board.player, board.opponent];
        let hash_move = self.tt.probe(key).map_or(NO_MOVE, |entry| entry.best);
        let mut list = Candidates::none();
        list.fill::<N>(board, mobility, |_| ());
        let count = empties.count_ones();
        self.order_by_eval(&mut list, board, indices, by_first, hash_move, count, limits);
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        for (number, candidate) in list.as_slice().iter().enumerate() {
            let square = candidate.square as usize;
            let after = indices.after(self.evaluator.set(), square, candidate.flipped(board), by_first);
            let low = alpha.max(best);
            let mut score;
            if number == 0 {
                score = -self.solve_pv(candidate.child, &after, !by_first, -beta, -low, limits);
            } else {
                score = -self.solve_child(candidate.child, &after, !by_first, -low - 1, count - 1, limits);
                if score > low && score < beta && !self.stopped {
                    score = -self.solve_pv(candidate.child, &after, !by_first, -beta, -score, limits);
                }
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best >= beta {
                    break;
                }
            }
        }
        store_solved::<N>(&self.tt, key, count, alpha, beta, best, best_move, self.solve_level);
        best
    }

    /// The null-window search that fits the number of empty squares.
    #[inline(always)]
    fn solve_child(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        alpha: i32,
        count: u32,
        limits: &Limits,
    ) -> i32 {
        if count >= EVAL_EMPTIES {
            self.solve_deep(board, indices, by_first, alpha, count, limits)
        } else {
            self.solve_null(board, alpha, count, limits)
        }
    }

    /// The null-window search `(alpha, alpha + 1)` without evaluation.
    pub(super) fn solve_null(&mut self, board: Board, alpha: i32, count: u32, limits: &Limits) -> i32 {
        let empties = Othello::<N>::SQUARES & !(board.player | board.opponent);
        let (player, opponent) = (board.player, board.opponent);
        match count {
            0 => {
                self.nodes += 1;
                final_score::<N>(player, opponent)
            }
            1 => self.last1(player, opponent, empties.trailing_zeros() as usize),
            2 => {
                let first = empties.trailing_zeros() as usize;
                self.last2(player, opponent, alpha, first, (empties & (empties - 1)).trailing_zeros() as usize)
            }
            3 => self.last_few::<3>(player, opponent, alpha, empties, parity(empties)),
            4 => self.last_few::<4>(player, opponent, alpha, empties, parity(empties)),
            _ => {
                let mobility = moves::mobility(player, opponent) & Othello::<N>::SQUARES;
                self.solve_moves(board, mobility, alpha, count, limits)
            }
        }
    }

    /// The same from five empty squares on, with the moves of the side to move.
    #[inline(always)]
    fn solve_moves(&mut self, board: Board, mobility: u64, alpha: i32, count: u32, limits: &Limits) -> i32 {
        match count {
            TABLE_EMPTIES.. => self.solve_table(board, mobility, alpha, count, limits),
            MOBILITY_EMPTIES.. => self.solve_mobile(board, mobility, alpha, count),
            _ => self.last5(board.player, board.opponent, mobility, alpha),
        }
    }

    /// Null-window node with table, ETC and evaluation order.
    fn solve_deep(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        alpha: i32,
        count: u32,
        limits: &Limits,
    ) -> i32 {
        self.nodes += 1;
        if self.must_stop(limits) {
            return 0;
        }
        if let Some(bound) = stability_bound::<N>(board, alpha, count) {
            return bound;
        }
        let mobility = moves::mobility(board.player, board.opponent) & Othello::<N>::SQUARES;
        if mobility == 0 {
            if moves::mobility(board.opponent, board.player) & Othello::<N>::SQUARES == 0 {
                return final_score::<N>(board.player, board.opponent);
            }
            return -self.solve_deep(board.pass(), indices, !by_first, -alpha - 1, count, limits);
        }
        let key = [board.player, board.opponent];
        let mut hash_move = NO_MOVE;
        if let Some(entry) = self.tt.probe(key) {
            if entry.level >= self.solve_level {
                if i32::from(entry.lower) > alpha * DISC {
                    return i32::from(entry.lower) / DISC;
                }
                if i32::from(entry.upper) <= alpha * DISC {
                    return i32::from(entry.upper) / DISC;
                }
            }
            hash_move = proven_move::<N>(&entry);
        }
        if self.solve_level < SOLVED && count >= PROBCUT_EMPTIES {
            let sigmas = SIGMAS[(self.solve_level - SOLVE_LEVEL) as usize];
            let (low, high) = (alpha * DISC, (alpha + 1) * DISC);
            if let Some(bound) = self.probcut(board, indices, by_first, count, sigmas, low, high, limits) {
                let bound = bound / DISC;
                store_solved::<N>(&self.tt, key, count, alpha, alpha + 1, bound, hash_move, self.solve_level);
                return bound;
            }
            if self.stopped {
                return 0;
            }
        }
        let mut list = Candidates::none();
        let below = if count > EVAL_EMPTIES { &self.tt } else { &self.near };
        list.fill::<N>(board, mobility, |child| below.prefetch([child.player, child.opponent]));
        if let Some(bound) = enhanced_cutoff(below, &list, alpha, self.solve_level) {
            return bound;
        }
        self.order_by_eval(&mut list, board, indices, by_first, hash_move, count, limits);
        if self.stopped {
            return 0;
        }
        let (best, best_move) = self.best_of(list.as_slice(), alpha, count >= SPLIT_EMPTIES, |engine, candidate| {
            if count > EVAL_EMPTIES {
                let (square, flipped) = (candidate.square as usize, candidate.flipped(board));
                let after = indices.after(engine.evaluator.set(), square, flipped, by_first);
                -engine.solve_deep(candidate.child, &after, !by_first, -alpha - 1, count - 1, limits)
            } else {
                -engine.solve_moves(candidate.child, candidate.replies, -alpha - 1, count - 1, limits)
            }
        });
        if self.stopped {
            return 0;
        }
        store_solved::<N>(&self.tt, key, count, alpha, alpha + 1, best, best_move, self.solve_level);
        best
    }

    /// Null-window node with table and mobility order.
    fn solve_table(&mut self, board: Board, mobility: u64, alpha: i32, count: u32, limits: &Limits) -> i32 {
        self.nodes += 1;
        if self.must_stop(limits) {
            return 0;
        }
        if let Some(bound) = stability_bound::<N>(board, alpha, count) {
            return bound;
        }
        if mobility == 0 {
            let replies = moves::mobility(board.opponent, board.player) & Othello::<N>::SQUARES;
            if replies == 0 {
                return final_score::<N>(board.player, board.opponent);
            }
            return -self.solve_table(board.pass(), replies, -alpha - 1, count, limits);
        }
        let key = [board.player, board.opponent];
        let mut hash_move = NO_MOVE;
        if let Some(entry) = self.near.probe(key) {
            if entry.level == SOLVED {
                if i32::from(entry.lower) > alpha * DISC {
                    return i32::from(entry.lower) / DISC;
                }
                if i32::from(entry.upper) <= alpha * DISC {
                    return i32::from(entry.upper) / DISC;
                }
            }
            hash_move = proven_move::<N>(&entry);
        }
        let mut list = Candidates::none();
        // Children are asked about after the keys have been worked out: by then their entries have arrived.
        if count > TABLE_EMPTIES {
            list.fill::<N>(board, mobility, |child| self.near.prefetch([child.player, child.opponent]));
        } else {
            list.fill::<N>(board, mobility, |_| ());
        }
        mobility_keys::<N>(&mut list, board, hash_move);
        if count >= ETC_EMPTIES
            && let Some(bound) = enhanced_cutoff(&self.near, &list, alpha, SOLVED)
        {
            return bound;
        }
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        for number in 0..list.count() {
            let candidate = list.pick(number);
            let score = -self.solve_moves(candidate.child, candidate.replies, -alpha - 1, count - 1, limits);
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best > alpha {
                    break;
                }
            }
        }
        store_solved::<N>(&self.near, key, count, alpha, alpha + 1, best, best_move, SOLVED);
        best
    }

    /// Null-window node ordered by mobility, 6 or 7 empty squares.
    fn solve_mobile(&mut self, board: Board, mobility: u64, alpha: i32, count: u32) -> i32 {
        self.nodes += 1;
        if mobility == 0 {
            let replies = moves::mobility(board.opponent, board.player) & Othello::<N>::SQUARES;
            if replies == 0 {
                return final_score::<N>(board.player, board.opponent);
            }
            return -self.solve_mobile(board.pass(), replies, -alpha - 1, count);
        }
        let mut list = Candidates::none();
        list.fill::<N>(board, mobility, |_| ());
        mobility_keys::<N>(&mut list, board, NO_MOVE);
        let mut best = NONE;
        for number in 0..list.count() {
            let Candidate { child, replies, .. } = list.pick(number);
            let score = if count > MOBILITY_EMPTIES {
                -self.solve_mobile(child, replies, -alpha - 1, count - 1)
            } else {
                -self.last5(child.player, child.opponent, replies, -alpha - 1)
            };
            if score > best {
                best = score;
                if best > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Five empty squares: odd regions and corners first.
    fn last5(&mut self, player: u64, opponent: u64, mobility: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        if mobility == 0 {
            let replies = moves::mobility(opponent, player) & Othello::<N>::SQUARES;
            if replies == 0 {
                return final_score::<N>(player, opponent);
            }
            return -self.last5(opponent, player, replies, -alpha - 1);
        }
        let empties = Othello::<N>::SQUARES & !(player | opponent);
        let parity = parity(empties);
        let odd = ODD_SQUARES[parity as usize];
        let corner = const { corners(N) };
        let mut best = NONE;
        for group in
            [mobility & odd & corner, mobility & odd & !corner, mobility & !odd & corner, mobility & !odd & !corner]
        {
            for square in board::bits(group) {
                let flipped = flips::flips(player, opponent, square);
                let (next, other) = (opponent ^ flipped, player ^ flipped ^ (1 << square));
                let rest = empties ^ (1 << square);
                let score = -self.last_few::<4>(next, other, -alpha - 1, rest, parity ^ quadrant_bit(square));
                if score > best {
                    best = score;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// The last `LEFT` empty squares, three or four, odd regions first.
    fn last_few<const LEFT: u32>(&mut self, player: u64, opponent: u64, alpha: i32, empties: u64, parity: u32) -> i32 {
        self.nodes += 1;
        let odd = ODD_SQUARES[parity as usize];
        let mut best = NONE;
        for group in [empties & odd, empties & !odd] {
            for square in board::bits(group) {
                if NEIGHBORS[square] & opponent == 0 {
                    continue;
                }
                let flipped = flips::flips(player, opponent, square);
                if flipped == 0 {
                    continue;
                }
                let (next, other) = (opponent ^ flipped, player ^ flipped ^ (1 << square));
                let rest = empties ^ (1 << square);
                let score = if LEFT > 3 {
                    -self.last_few::<3>(next, other, -alpha - 1, rest, parity ^ quadrant_bit(square))
                } else {
                    let (first, second) = (rest.trailing_zeros() as usize, 63 - rest.leading_zeros() as usize);
                    -self.last2(next, other, -alpha - 1, first, second)
                };
                if score > best {
                    best = score;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        if best != NONE {
            return best;
        }
        if moves::mobility(opponent, player) & empties == 0 {
            return final_score::<N>(player, opponent);
        }
        -self.last_few::<LEFT>(opponent, player, -alpha - 1, empties, parity)
    }

    /// Two empty squares.
    #[inline(always)]
    fn last2(&mut self, player: u64, opponent: u64, alpha: i32, first: usize, second: usize) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        if NEIGHBORS[first] & opponent != 0 {
            let flipped = flips::flips(player, opponent, first);
            if flipped != 0 {
                best = -self.last1(opponent ^ flipped, player ^ flipped ^ (1 << first), second);
                if best > alpha {
                    return best;
                }
            }
        }
        if NEIGHBORS[second] & opponent != 0 {
            let flipped = flips::flips(player, opponent, second);
            if flipped != 0 {
                best = best.max(-self.last1(opponent ^ flipped, player ^ flipped ^ (1 << second), first));
            }
        }
        if best != NONE {
            return best;
        }
        // A pass: the other side has the same two squares.
        self.nodes += 1;
        let mut worst = -NONE;
        for (square, last) in [(first, second), (second, first)] {
            let flipped = flips::flips(opponent, player, square);
            if flipped != 0 {
                worst = worst.min(self.last1(player ^ flipped, opponent ^ flipped ^ (1 << square), last));
                if worst <= alpha {
                    return worst;
                }
            }
        }
        if worst != -NONE { worst } else { final_score::<N>(player, opponent) }
    }

    /// One empty square: the discs it turns are counted, not turned.
    #[inline(always)]
    fn last1(&mut self, player: u64, opponent: u64, square: usize) -> i32 {
        self.nodes += 1;
        if N == 8 {
            let own = player.count_ones() as i32;
            let turned = last_flips(player, square);
            if turned != 0 {
                return 2 * (own + turned) - 62;
            }
            let turned = last_flips(!player ^ (1 << square), square);
            if turned != 0 {
                return 2 * (own - turned) - 64;
            }
            return if own > 31 { 2 * own - 62 } else { 2 * own - 64 };
        }
        let flipped = flips::flips(player, opponent, square);
        if flipped != 0 {
            return final_score::<N>(player ^ flipped ^ (1 << square), opponent ^ flipped);
        }
        let flipped = flips::flips(opponent, player, square);
        if flipped != 0 {
            return final_score::<N>(player ^ flipped, opponent ^ flipped ^ (1 << square));
        }
        final_score::<N>(player, opponent)
    }

    /// Sorts by the child's value (its evaluation or, far from the end, a search), mobility and parity, the table's
    /// move first.
    #[expect(clippy::too_many_arguments, reason = "a node and what is known of it")]
    fn order_by_eval(
        &mut self,
        list: &mut Candidates,
        board: Board,
        indices: &Indices,
        by_first: bool,
        hash_move: u8,
        count: u32,
        limits: &Limits,
    ) {
        let depth = if count < SEARCH_EMPTIES { 0 } else { (count - SEARCH_EMPTIES) as u8 / 2 + 1 };
        let reply_weight = if depth == 0 { REPLY_WEIGHT } else { REPLY_WEIGHT_SEARCHED };
        let odd = ODD_SQUARES[parity(list.empties() & Othello::<N>::SQUARES) as usize];
        for candidate in list.as_mut_slice() {
            if candidate.square == hash_move {
                candidate.key = 1 << 20;
                continue;
            }
            let after =
                indices.after(self.evaluator.set(), candidate.square as usize, candidate.flipped(board), by_first);
            let value = if depth == 0 {
                -self.evaluator.evaluate(candidate.child, &after.seen(!by_first))
            } else {
                -self.pvs(candidate.child, &after, !by_first, depth, -INFINITE, INFINITE, limits)
            };
            candidate.key = value - reply_weight * weighted_mobility::<N>(candidate.replies);
            candidate.key += DISC * i32::from(odd >> candidate.square & 1 != 0);
        }
        list.sort();
    }
}

/// Enhanced transposition cut-off: a child whose stored upper bound already decides the node.
#[inline(always)]
fn enhanced_cutoff(table: &Table, list: &Candidates, alpha: i32, level: u8) -> Option<i32> {
    list.as_slice().iter().find_map(|candidate| {
        let entry = table.probe([candidate.child.player, candidate.child.opponent])?;
        let bound = -i32::from(entry.upper);
        (entry.level >= level && bound > alpha * DISC).then_some(bound / DISC)
    })
}

#[expect(clippy::too_many_arguments, reason = "as in the table")]
fn store_solved<const N: usize>(
    table: &Table,
    key: [u64; 2],
    count: u32,
    alpha: i32,
    beta: i32,
    score: i32,
    best: u8,
    level: u8,
) {
    let worst = (N * N) as i32 * DISC;
    table.store(key, count as u8, level, alpha * DISC, beta * DISC, score * DISC, best, worst);
}

/// The table's move goes first only where a solve has shown it to be good enough: what is best among moves that all
/// failed, or was best to a few plies, knows less than the order by value and replies.
#[inline(always)]
fn proven_move<const N: usize>(entry: &Entry) -> u8 {
    let worst = -((N * N) as i32) * DISC;
    if entry.level >= SOLVE_LEVEL && i32::from(entry.lower) > worst { entry.best } else { NO_MOVE }
}

/// What one reply of the opponent costs in ordering by evaluation, in search units.
const REPLY_WEIGHT: i32 = 3 * DISC;
/// And in ordering by search, which has seen some of them.
const REPLY_WEIGHT_SEARCHED: i32 = 2 * DISC;

/// Keys by the opponent's mobility, then odd regions, the table's move first.
#[inline(always)]
fn mobility_keys<const N: usize>(list: &mut Candidates, board: Board, hash_move: u8) {
    let empties = Othello::<N>::SQUARES & !(board.player | board.opponent);
    let odd = ODD_SQUARES[parity(empties) as usize];
    for candidate in list.as_mut_slice() {
        let is_odd = i32::from(odd >> candidate.square & 1 != 0);
        candidate.key = is_odd - 2 * weighted_mobility::<N>(candidate.replies);
        if candidate.square == hash_move {
            candidate.key = 1 << 20;
        }
    }
}

/// The score cannot exceed what the opponent's stable discs leave: cuts where alpha is high enough to hope for it.
#[inline(always)]
fn stability_bound<const N: usize>(board: Board, alpha: i32, count: u32) -> Option<i32> {
    if N != 8 || alpha < STABILITY_FROM[(count as usize).min(STABILITY_FROM.len() - 1)] {
        return None;
    }
    let bound = 64 - 2 * stable_count(board.opponent, board.player);
    (bound <= alpha).then_some(bound)
}

/// Alpha from which stable discs are counted, by empty squares.
const STABILITY_FROM: [i32; 25] =
    [64, 64, 64, 64, 64, 64, 64, 64, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38];

/// The squares around each square.
static NEIGHBORS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (dr, dc) = (square as i32 / 8 - other as i32 / 8, square as i32 % 8 - other as i32 % 8);
            if other != square && dr >= -1 && dr <= 1 && dc >= -1 && dc <= 1 {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The discs turned on a full line of 8 by a disc on square s when the owner's discs are the byte b: `LINE[s][b]`.
static LINE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut square = 0;
    while square < 8 {
        let mut own = 0;
        while own < 256 {
            let mut step = -1;
            while step <= 1 {
                let mut at = square as i32 + step;
                let mut run = 0;
                while at >= 0 && at < 8 && own >> at & 1 == 0 {
                    run += 1;
                    at += step;
                }
                if at >= 0 && at < 8 {
                    table[square][own] += run;
                }
                step += 2;
            }
            own += 1;
        }
        square += 1;
    }
    table
};

/// For each square, the diagonals through it: down-right, down-left.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (dr, dc) = (other / 8 - square as i32 / 8, other % 8 - square as i32 % 8);
            if dr == dc {
                table[square][0] |= 1 << other;
            }
            if dr == -dc {
                table[square][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The discs a move to the last empty square of the 8×8 board turns for the owner of `player`. Every other square
/// is occupied, so the player's discs alone say it: each line is gathered into a byte and looked up.
#[inline(always)]
pub fn last_flips(player: u64, square: usize) -> i32 {
    let (row, col) = (square / 8, square % 8);
    let horizontal = (player >> (8 * row)) & 255;
    let vertical = ((player >> col) & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let gather = |mask: u64| (player & mask).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let down = gather(DIAGONALS[square][0]);
    let up = gather(DIAGONALS[square][1]);
    // Short diagonals leave the byte's other bits 0 = opponent's, but a run towards them finds no end: it counts 0.
    i32::from(LINE[col][horizontal as usize])
        + i32::from(LINE[row][vertical as usize])
        + i32::from(LINE[col][down as usize])
        + i32::from(LINE[col][up as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, Rng, stream};

    #[test]
    fn the_last_flips_are_counted_right() {
        let mut rng = stream(1, Domain::Test, 5);
        for _ in 0..20_000 {
            let player = rng.next_u64();
            for square in [0, 9, 20, 35, 63, (rng.next_u64() % 64) as usize] {
                let (player, opponent) = (player & !(1 << square), !player & !(1 << square));
                let expected = flips::portable(player, opponent, square).count_ones() as i32;
                assert_eq!(last_flips(player, square), expected, "{player:016x} {square}");
            }
        }
    }
}
