//! The `lite` profile: what a bot in an interpreted language can afford, with a tree of its own.
//!
//! Principal variation search with Multi-ProbCut and one table, ordered by the table's move, the child's evaluation and
//! the opponent's mobility; a plain endgame ordered by mobility, corners and parity. No stability, no last-disc tables.
//! An evaluation sums both knots around a ply and mixes the two sums, so that no table per ply is needed. The Python
//! bots repeat this file function by function: equal golden lines are the proof of that.

use super::ordering::{Candidates, ODD_SQUARES, corners, parity, weighted_mobility};
use super::probcut::{Cuts, SIGMAS, floor_quotient};
use super::{INFINITE, golden};
use crate::eval::evaluator::{EvaluatorError, MOST, pattern_set, with_mobilities};
use crate::eval::mixture;
use crate::eval::othello::{DISC, Indices, LANES, Lanes, MOBILITY_SIZE, PatternSet, mobility_index};
use crate::eval::weights::Weights;
use crate::game::othello::{Board, Othello, board, final_score, flips, moves, perft};
use crate::game::perft::PassCounting;
use crate::game::{Move, Position};
use crate::search::SearchResult;
use crate::search::tt::NO_MOVE;

/// The depth of golden searches where none is asked for.
pub const DEPTH: u8 = 5;
/// Golden searches solve from this many empty squares on.
pub const SOLVE_EMPTIES: u8 = 10;

/// A table has 2^this entries.
const TABLE_BITS: u32 = 17;
/// Odd numbers that spread boards over the table.
const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
/// From this depth on a node may be cut by a shallower search, with this level of selectivity.
const PROBCUT_DEPTH: u8 = 3;
const LEVEL: usize = 1;
/// What one reply of the opponent costs in ordering, in search units.
const REPLY_WEIGHT: i32 = DISC / 2;
/// From this many empty squares on, a solve remembers positions.
const TABLE_EMPTIES: u32 = 7;
/// From this many empty squares down, a solve tries the squares one by one.
const FEW: u32 = 4;
/// Below every score in discs.
const NONE: i32 = -127;

/// The squares of a full board.
const CORNERS: u64 = corners(8);

/// What is known of a position: bounds on its value, the search behind them, the best move.
#[derive(Clone, Copy)]
struct Entry {
    depth: u8,
    lower: i32,
    upper: i32,
    best: u8,
}

impl Entry {
    /// The value, where the bounds decide it within `(alpha, beta)`.
    fn decides(&self, alpha: i32, beta: i32) -> Option<i32> {
        if self.lower >= beta || self.lower == self.upper {
            return Some(self.lower);
        }
        (self.upper <= alpha).then_some(self.upper)
    }
}

/// Bounds by position, one place for each: always the latest search's; bounds of an equal search are narrowed.
struct Table {
    boards: Vec<[u64; 2]>,
    entries: Vec<Entry>,
}

impl Table {
    fn new() -> Table {
        let (size, none) = (1 << TABLE_BITS, Entry { depth: 0, lower: 0, upper: 0, best: NO_MOVE });
        Table { boards: vec![[0; 2]; size], entries: vec![none; size] }
    }

    fn clear(&mut self) {
        self.boards.fill([0; 2]);
    }

    fn place(board: Board) -> usize {
        let spread = board.player.wrapping_mul(SPREAD[0]).wrapping_add(board.opponent.wrapping_mul(SPREAD[1]));
        (spread >> (64 - TABLE_BITS)) as usize
    }

    fn get(&self, board: Board) -> Option<Entry> {
        let place = Table::place(board);
        (self.boards[place] == [board.player, board.opponent]).then(|| self.entries[place])
    }

    /// Stores `score`, found with the window `(alpha, beta)`; `worst` bounds every score.
    fn store(&mut self, board: Board, depth: u8, (alpha, beta): (i32, i32), score: i32, best: u8, worst: i32) {
        let lower = if score > alpha { score } else { -worst };
        let upper = if score < beta { score } else { worst };
        let mut entry = Entry { depth, lower, upper, best };
        if let Some(old) = self.get(board) {
            if old.depth == depth && old.lower.max(lower) <= old.upper.min(upper) {
                (entry.lower, entry.upper) = (old.lower.max(lower), old.upper.min(upper));
            }
            if score <= alpha {
                entry.best = old.best;
            }
        }
        let place = Table::place(board);
        (self.boards[place], self.entries[place]) = ([board.player, board.opponent], entry);
    }
}

/// The evaluation of `lite`: one row of raw weights a knot, mixed after summing.
struct Values {
    set: PatternSet,
    offsets: [usize; LANES],
    knots: Vec<u8>,
    rows: Vec<Vec<i16>>,
    constants: Vec<i16>,
    shift: u32,
}

impl Values {
    fn new(weights: &Weights) -> Result<Values, EvaluatorError> {
        let weights = &*with_mobilities(weights);
        let set = pattern_set::<8>(weights)?;
        let ratio = weights.scale / DISC as u16;
        if !weights.scale.is_power_of_two() || ratio == 0 {
            let problem = format!("expected a scale of 2^n ≥ {DISC} units a disc, found {}", weights.scale);
            return Err(EvaluatorError::Table { table: "all".into(), problem });
        }
        let mut starts = vec![0];
        for pattern in &set.patterns {
            starts.push(starts[starts.len() - 1] + pattern.shared.len());
        }
        let mut offsets = [0; LANES];
        for (lane, &pattern) in set.instances.iter().enumerate() {
            offsets[lane] = starts[pattern as usize];
        }
        let rows = (0..weights.knots.len()).map(|knot| raw_row(&set, weights.row(knot))).collect();
        let (knots, constants) = (weights.knots.clone(), weights.constants.clone());
        Ok(Values { set, offsets, knots, rows, constants, shift: ratio.trailing_zeros() })
    }

    /// The value of `board` for its side to move in search units, from the indices that side sees.
    fn value(&self, board: Board, seen: &Lanes) -> i32 {
        let ply = (board.player | board.opponent).count_ones() as usize - 4;
        let (below, above, share) = mixture(&self.knots, ply);
        let own = mobility_index::<8>(board.player, board.opponent);
        let other = mobility_index::<8>(board.opponent, board.player);
        let sum = |row: &[i16]| -> i32 {
            let patterns = (0..self.set.instances.len()).map(|lane| row[self.offsets[lane] + seen.0[lane] as usize]);
            let mobilities = &row[row.len() - 2 * MOBILITY_SIZE..];
            patterns.chain([mobilities[own], mobilities[MOBILITY_SIZE + other]]).map(i32::from).sum()
        };
        let mixed = sum(&self.rows[below]) * (256 - share) + sum(&self.rows[above]) * share;
        let shift = 8 + self.shift;
        ((mixed + 256 * i32::from(self.constants[ply]) + (1 << shift >> 1)) >> shift).clamp(-MOST, MOST)
    }
}

/// A knot's weights spread over the raw indices, mobilities behind them.
fn raw_row(set: &PatternSet, row: &[i16]) -> Vec<i16> {
    let mut raw = Vec::new();
    let mut start = 0;
    for pattern in &set.patterns {
        raw.extend(pattern.shared.iter().map(|&shared| row[start + shared as usize]));
        start += pattern.size;
    }
    raw.extend_from_slice(&row[start..]);
    raw
}

/// A searcher of the `lite` profile on 8×8.
pub struct Lite {
    values: Values,
    cuts: Cuts,
    /// Midgame bounds in search units.
    table: Table,
    /// Exact bounds in discs.
    solved: Table,
    nodes: u64,
    /// The best move of the last search of one ply or solve that ended: after the root's, the root's.
    best: u8,
}

impl Lite {
    /// A searcher with these weights.
    ///
    /// # Errors
    /// When the weights are not for 8×8 Othello with the features this program knows.
    pub fn new(weights: &Weights) -> Result<Lite, EvaluatorError> {
        let (values, cuts) = (Values::new(weights)?, Cuts::new(&weights.probcut, 60));
        Ok(Lite { values, cuts, table: Table::new(), solved: Table::new(), nodes: 0, best: NO_MOVE })
    }

    /// Forgets everything learned from earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.solved.clear();
    }

    /// The static evaluation of a position in search units, for the side to move.
    pub fn value(&self, board: Board) -> i32 {
        self.values.value(board, &Indices::new(&self.values.set, board).seen(true))
    }

    /// Searches to `depth`; positions with at most `solve_empties` empty squares are solved.
    pub fn search(&mut self, position: &Othello<8>, depth: u8, solve_empties: u8) -> SearchResult {
        self.nodes = 0;
        let board = position.board();
        if position.is_over() {
            let score = final_score::<8>(board.player, board.opponent) * DISC;
            return SearchResult { best: Move::PASS, score, exact: true, depth: 0, nodes: 1 };
        }
        if position.mobility() == 0 {
            let mut passed = *position;
            passed.play(Move::PASS).expect("a pass is legal without a move");
            let result = self.search(&passed, depth, solve_empties);
            return SearchResult { best: Move::PASS, score: -result.score, nodes: result.nodes + 1, ..result };
        }
        let empties = position.empties().count_ones() as u8;
        let solving = empties <= solve_empties;
        let deepest = if solving { depth_before_solving(empties) } else { depth.min(empties) };
        let indices = Indices::new(&self.values.set, board);
        let mut result = SearchResult { best: Move::PASS, score: 0, exact: false, depth: 0, nodes: 0 };
        for depth in 1..=deepest {
            result.score = self.deepen(board, &indices, depth, result.score);
            let known = self.table.get(board).filter(|_| depth > 1);
            result.best = Move(known.map_or(self.best, |entry| entry.best));
            result.depth = depth;
        }
        if solving {
            result.score = self.solve_root(board, result.score) * DISC;
            result.best = Move(self.best);
            (result.exact, result.depth) = (true, empties);
        }
        SearchResult { nodes: self.nodes, ..result }
    }

    /// One iteration: an aspiration window around the last score, opened where it fails.
    fn deepen(&mut self, board: Board, indices: &Indices, depth: u8, guess: i32) -> i32 {
        let mut margin = 3 * DISC;
        let (mut alpha, mut beta) = if depth <= 3 { (-INFINITE, INFINITE) } else { (guess - margin, guess + margin) };
        loop {
            let score = self.pvs(board, indices, true, depth, alpha.max(-INFINITE), beta.min(INFINITE));
            margin *= 3;
            if score <= alpha && alpha > -INFINITE {
                alpha = score - margin;
            } else if score >= beta && beta < INFINITE {
                beta = score + margin;
            } else {
                return score;
            }
        }
    }

    /// The value of a node to `depth` ≥ 1 plies within `(alpha, beta)`, fail-soft.
    fn pvs(&mut self, board: Board, indices: &Indices, by_first: bool, depth: u8, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let mobility = moves::mobility(board.player, board.opponent);
        if mobility == 0 {
            if moves::mobility(board.opponent, board.player) == 0 {
                return final_score::<8>(board.player, board.opponent) * DISC;
            }
            return -self.pvs(board.pass(), indices, !by_first, depth, -beta, -alpha);
        }
        if depth == 1 {
            let (best, best_move) = self.last_ply(board, indices, by_first, mobility, beta);
            self.best = best_move;
            return best;
        }
        let mut hash_move = NO_MOVE;
        if let Some(entry) = self.table.get(board) {
            if let Some(value) = entry.decides(alpha, beta).filter(|_| entry.depth >= depth) {
                return value;
            }
            hash_move = entry.best;
        }
        let cut = match depth >= PROBCUT_DEPTH && beta - alpha == 1 {
            true => self.probcut(board, indices, by_first, depth, alpha, beta),
            false => None,
        };
        let (best, best_move) = match cut {
            Some(bound) => (bound, hash_move),
            None => self.branch(board, indices, by_first, depth, (alpha, beta), mobility, hash_move),
        };
        self.table.store(board, depth, (alpha, beta), best, best_move, INFINITE);
        best
    }

    /// The bound within which a search to `deep` surely ends, seen from the null window at `alpha`, if shallower ones
    /// say so: as in the `full` profile.
    fn probcut(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        deep: u8,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let lines = self.cuts.lines((board.player | board.opponent).count_ones() as usize - 4, deep);
        lines[0]?;
        let value = self.values.value(board, &indices.seen(by_first));
        for line in lines.into_iter().flatten() {
            let (slope, intercept) = (i32::from(line.slope), i32::from(line.intercept));
            let margin = (SIGMAS[LEVEL] * i32::from(line.deviation)) >> 8;
            if value >= beta {
                let high = -floor_quotient(-(beta + margin - intercept) * 1024, slope);
                if high < INFINITE && self.pvs(board, indices, by_first, line.shallow, high - 1, high) >= high {
                    return Some(beta);
                }
            } else {
                let low = floor_quotient((alpha - margin - intercept) * 1024, slope);
                if low > -INFINITE && self.pvs(board, indices, by_first, line.shallow, low, low + 1) <= low {
                    return Some(alpha);
                }
            }
        }
        None
    }

    /// Depth 1: every child is evaluated where it stands, corners first.
    fn last_ply(&mut self, board: Board, indices: &Indices, by_first: bool, mobility: u64, beta: i32) -> (i32, u8) {
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for square in board::bits(mobility & CORNERS).chain(board::bits(mobility & !CORNERS)) {
            self.nodes += 1;
            let flipped = flips::flips(board.player, board.opponent, square);
            let child = child(board, square, flipped);
            let score = if child.player == 0 {
                64 * DISC
            } else {
                let after = indices.after(&self.values.set, square, flipped, by_first);
                -self.values.value(child, &after.seen(!by_first))
            };
            if score > best {
                (best, best_move) = (score, square as u8);
                if best >= beta {
                    break;
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
        (alpha, beta): (i32, i32),
        mobility: u64,
        hash_move: u8,
    ) -> (i32, u8) {
        let mut list = Candidates::none();
        list.fill::<8>(board, mobility, |_| ());
        for candidate in list.as_mut_slice() {
            candidate.key = -REPLY_WEIGHT * weighted_mobility::<8>(candidate.replies);
            if candidate.square == hash_move {
                candidate.key = 1 << 20;
            } else if depth >= 3 {
                let after =
                    indices.after(&self.values.set, candidate.square as usize, candidate.flipped(board), by_first);
                candidate.key -= self.values.value(candidate.child, &after.seen(!by_first));
            }
        }
        list.sort();
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        for (number, candidate) in list.as_slice().iter().enumerate() {
            let after = indices.after(&self.values.set, candidate.square as usize, candidate.flipped(board), by_first);
            let low = alpha.max(best);
            let mut next =
                |alpha: i32, beta: i32| -self.pvs(candidate.child, &after, !by_first, depth - 1, -beta, -alpha);
            let mut score = if number == 0 { next(low, beta) } else { next(low, low + 1) };
            if number > 0 && score > low && score < beta {
                score = next(score, beta);
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

    /// The exact value of the root in discs, by aspiration around `guess` (search units).
    fn solve_root(&mut self, board: Board, guess: i32) -> i32 {
        // Values are even when the board fills up; start with a window around the even number nearest the guess.
        let center = (guess + MOST + 1 + DISC) / (2 * DISC) * 2 - 64;
        let count = (!(board.player | board.opponent)).count_ones();
        let mut margin = 2;
        let (mut alpha, mut beta) = (center - 1, center + 1);
        loop {
            let (low, high) = (alpha.max(-65), beta.min(65));
            let score = self.solve(board, low, high, count);
            if score <= low && low >= -64 {
                (beta, alpha) = (score + 1, score - margin);
            } else if score >= high && high <= 64 {
                (alpha, beta) = (score - 1, score + margin);
            } else {
                return score;
            }
            margin *= 3;
        }
    }

    /// The exact value of a node with `count` empty squares in discs within `(alpha, beta)`, fail-soft.
    fn solve(&mut self, board: Board, alpha: i32, beta: i32, count: u32) -> i32 {
        self.nodes += 1;
        let mobility = moves::mobility(board.player, board.opponent);
        if mobility == 0 {
            if moves::mobility(board.opponent, board.player) == 0 {
                return final_score::<8>(board.player, board.opponent);
            }
            return -self.solve(board.pass(), -beta, -alpha, count);
        }
        let mut hash_move = NO_MOVE;
        if count >= TABLE_EMPTIES {
            if let Some(entry) = self.solved.get(board) {
                if let Some(value) = entry.decides(alpha, beta) {
                    self.best = entry.best;
                    return value;
                }
                hash_move = entry.best;
            } else if let Some(entry) = self.table.get(board) {
                hash_move = entry.best;
            }
        }
        let odd = ODD_SQUARES[parity(!(board.player | board.opponent)) as usize];
        let mut list = Candidates::none();
        list.fill::<8>(board, mobility, |_| ());
        for candidate in list.as_mut_slice() {
            let is_in = |squares: u64| (squares >> candidate.square & 1) as i32;
            candidate.key = 2 * is_in(odd) + 6 * is_in(CORNERS) - 4 * weighted_mobility::<8>(candidate.replies);
            if candidate.square == hash_move {
                candidate.key = 1 << 20;
            }
        }
        list.sort();
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        for (number, candidate) in list.as_slice().iter().enumerate() {
            let low = alpha.max(best);
            let mut next = |alpha: i32, beta: i32| -self.solve_child(candidate.child, -beta, -alpha, count - 1);
            let mut score = if number == 0 { next(low, beta) } else { next(low, low + 1) };
            if number > 0 && score > low && score < beta {
                score = next(score, beta);
            }
            if score > best {
                (best, best_move) = (score, candidate.square);
                if best >= beta {
                    break;
                }
            }
        }
        if count >= TABLE_EMPTIES {
            self.solved.store(board, 0, (alpha, beta), best, best_move, 64);
        }
        self.best = best_move;
        best
    }

    fn solve_child(&mut self, board: Board, alpha: i32, beta: i32, count: u32) -> i32 {
        if count > FEW {
            return self.solve(board, alpha, beta, count);
        }
        let empties = !(board.player | board.opponent);
        let odd = ODD_SQUARES[parity(empties) as usize];
        let squares: Vec<usize> = board::bits(empties & odd).chain(board::bits(empties & !odd)).collect();
        self.few(board.player, board.opponent, alpha, beta, &squares)
    }

    /// The last empty squares in a fixed order.
    fn few(&mut self, player: u64, opponent: u64, alpha: i32, beta: i32, squares: &[usize]) -> i32 {
        self.nodes += 1;
        if let [square] = *squares {
            return last(player, opponent, square);
        }
        let mut best = NONE;
        for (number, &square) in squares.iter().enumerate() {
            let flipped = flips::flips(player, opponent, square);
            if flipped == 0 {
                continue;
            }
            let rest: Vec<usize> = [&squares[..number], &squares[number + 1..]].concat();
            let low = alpha.max(best);
            best = best.max(-self.few(opponent ^ flipped, player ^ flipped ^ 1 << square, -beta, -low, &rest));
            if best >= beta {
                break;
            }
        }
        if best != NONE {
            return best;
        }
        if moves::mobility(opponent, player) == 0 {
            return final_score::<8>(player, opponent);
        }
        -self.few(opponent, player, -beta, -alpha, squares)
    }
}

/// The board after a move that turns `flipped`, seen from the other side.
fn child(board: Board, square: usize, flipped: u64) -> Board {
    Board { player: board.opponent ^ flipped, opponent: board.player ^ flipped ^ (1 << square) }
}

/// The score with one empty square left: whoever can takes it.
fn last(player: u64, opponent: u64, square: usize) -> i32 {
    let own = player.count_ones() as i32;
    let turned = flips::flips(player, opponent, square).count_ones() as i32;
    if turned > 0 {
        return 2 * (own + turned) - 62;
    }
    let turned = flips::flips(opponent, player, square).count_ones() as i32;
    if turned > 0 { 2 * (own - turned) - 64 } else { final_score::<8>(player, opponent) }
}

/// How deep the midgame search before a solve goes.
fn depth_before_solving(empties: u8) -> u8 {
    match empties {
        0..=8 => 0,
        9..=11 => 2,
        _ => 4,
    }
}

/// The golden line of a position, as [`golden::line`] of the `full` profile.
pub fn line(engine: &mut Lite, position: &Othello<8>, depth: u8) -> String {
    engine.forget();
    let result = engine.search(position, depth, SOLVE_EMPTIES);
    let leaves = perft::perft(position, golden::PERFT_DEPTH, PassCounting::PassIsPly);
    golden::text_line(position, leaves, engine.value(position.board()), &result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluator::{Evaluator, stored_tables};
    use crate::eval::othello::standard_set;
    use crate::rng::{Domain, RngExt, stream};
    use crate::search::othello::Engine;

    fn weights(seed: u64) -> Weights {
        let set = standard_set::<8>();
        let mut rng = stream(seed, Domain::Test, 40);
        Weights {
            game: crate::game::GameId::Othello,
            scale: 128,
            parent: [0; 32],
            tables: stored_tables(set.layout(), &set.patterns),
            constants: (0..set.layout().plies).map(|_| rng.random_range(-300..300)).collect(),
            values: (0..set.layout().row_len() * 3).map(|_| rng.random_range(-200..200)).collect(),
            knots: vec![5, 20, 50],
            probcut: Vec::new(),
        }
    }

    /// A position of a random game with this many empty squares (about: games may end earlier).
    fn position(seed: u64, empties: u32) -> Option<Othello<8>> {
        let mut rng = stream(seed, Domain::Test, 41);
        let mut position = Othello::<8>::start();
        while position.empties().count_ones() > empties {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
        }
        (!position.is_over()).then_some(position)
    }

    #[test]
    fn values_differ_from_the_mixed_tables_by_rounding_alone() {
        let weights = weights(1);
        let (lite, full) = (Lite::new(&weights).unwrap(), Evaluator::<8>::new(&weights).unwrap());
        for seed in 0..200 {
            let Some(position) = position(seed, 1 + seed as u32 % 59) else { continue };
            let (a, b) = (lite.value(position.board()), full.value(position.board()));
            // 48 weights, each rounded by half a unit of 1/128 disc at most: 24 units are 3 of 1/16.
            assert!((a - b).abs() <= 4, "{a} {b}");
        }
    }

    #[test]
    fn solves_are_those_of_the_full_engine() {
        let weights = weights(2);
        let mut lite = Lite::new(&weights).unwrap();
        let mut full = Engine::<8>::new(Evaluator::new(&weights).unwrap(), 12);
        let mut found = 0;
        for seed in 0..120 {
            let Some(position) = position(seed, 1 + seed as u32 % 11) else { continue };
            lite.forget();
            let result = lite.search(&position, 1, 20);
            assert_eq!(result.score, full.solve(&position).score, "{position:?}");
            let mut after = position;
            after.play(result.best).expect("the best move is legal");
            lite.forget();
            if !after.is_over() {
                assert_eq!(-lite.search(&after, 1, 20).score, result.score, "its move keeps the score");
            }
            found += 1;
        }
        assert!(found > 60);
    }

    #[test]
    fn a_search_finds_what_trying_everything_finds() {
        fn everything(lite: &Lite, position: &Othello<8>, depth: u8) -> i32 {
            if position.is_over() {
                let board = position.board();
                return final_score::<8>(board.player, board.opponent) * DISC;
            }
            let mut best = -INFINITE;
            for mv in position.legal_moves() {
                let mut next = *position;
                next.play(mv).expect("a legal move");
                let score = if mv == Move::PASS {
                    -everything(lite, &next, depth)
                } else if depth > 1 {
                    -everything(lite, &next, depth - 1)
                } else if next.board().player == 0 {
                    64 * DISC
                } else {
                    -lite.value(next.board())
                };
                best = best.max(score);
            }
            best
        }
        let mut lite = Lite::new(&weights(3)).unwrap();
        for seed in 0..24 {
            let Some(position) = position(seed, 14 + seed as u32) else { continue };
            for depth in 1..=3 {
                lite.forget();
                let found = lite.search(&position, depth, 0).score;
                assert_eq!(found, everything(&lite, &position, depth), "depth {depth} of {position:?}");
            }
        }
    }
}
