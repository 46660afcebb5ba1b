//! The `lite` profile: what a bot in an interpreted language can afford, with a tree of its own.
//!
//! The search is that of the engine as far as it goes: fives and fours first, continuous fours at leaves and at inner
//! nodes, late moves less deep. Some things are simpler: bare fours are fours like others and none is left out as idle,
//! weights are mixed to whole units, and tables are maps that hold the latest search of a position, emptied when they are
//! full. The Python bots repeat this file function by function: equal golden lines are the proof of that.

use std::collections::HashMap;

use super::pvs::{DEEPEST, FOURS_AT, NULL_REDUCTION, PLY_MARGIN, WIDTHS, from_table, reduction, to_table};
use super::{INFINITE, SIDE_WORDS, WHITE, WORDS, ended};
use crate::eval::mixture;
use crate::eval::renju::classes::{CODES, POINT_CODES, kind};
use crate::eval::renju::lines::{CodeWeights, Lines, Points, THREATS, no_weights, packed};
use crate::eval::renju::{Evaluator, LOGIT, MOST, RenjuWeightsError, SURE, WIN, completed};
use crate::eval::weights::Weights;
use crate::game::renju::{Board, POINTS, Point, Renju, forbidden};
use crate::game::{Color, Move, Position};
use crate::search::SearchResult;
use crate::search::tt::NO_MOVE;

/// The depth of golden searches where none is asked for.
pub const DEPTH: u8 = 4;

/// A table with this many entries is emptied before the next one enters.
const TABLE_LIMIT: usize = 1 << 18;
/// Four moves that continuous fours may try at the root.
const ROOT_FOURS: u32 = 1000;
/// The longest line of fours, in moves of the attacker.
const DEEPEST_FOURS: u32 = 60;

type Key = [u64; 2];

/// Bounds on a position's value, the search behind them, the best move.
#[derive(Clone, Copy)]
struct Entry {
    depth: i32,
    lower: i32,
    upper: i32,
    best: u8,
}

/// What continuous fours found: plies to the win or 0, the four moves that were allowed, the first point.
#[derive(Clone, Copy)]
struct Fours {
    distance: i32,
    budget: u32,
    best: usize,
}

/// A searcher of the `lite` profile.
pub struct Lite {
    weights: Weights,
    /// The weights of the search in hand, in the lanes of Black and of White to move.
    mixed: CodeWeights,
    constant: i32,
    shift: u32,
    table: HashMap<Key, Entry>,
    fours: HashMap<Key, Fours>,
    lines: Lines,
    stones: usize,
    key: Key,
    nodes: u64,
}

impl Lite {
    /// A searcher with `weights`.
    ///
    /// # Errors
    /// Weights that cannot evaluate Renju.
    pub fn new(weights: &Weights) -> Result<Lite, RenjuWeightsError> {
        Evaluator::new(weights)?;
        let weights = completed(weights).into_owned();
        let mixed = no_weights();
        Ok(Lite {
            shift: (i32::from(weights.scale) / LOGIT).ilog2(),
            weights,
            lines: Lines::from_scratch(&Board::empty(), &mixed),
            mixed,
            constant: 0,
            table: HashMap::new(),
            fours: HashMap::new(),
            stones: 0,
            key: [0; 2],
            nodes: 0,
        })
    }

    /// Forgets everything learned from earlier searches.
    pub fn forget(&mut self) {
        self.table.clear();
        self.fours.clear();
    }

    /// The static value of a position for its side to move, in search units.
    pub fn value(&mut self, position: &Renju) -> i32 {
        self.set_up(position);
        self.evaluate(position.side_to_move() as usize)
    }

    /// Searches a position to `most` plies.
    pub fn search(&mut self, position: &Renju, most: u8) -> SearchResult {
        let mut result = SearchResult { best: Move::PASS, score: 0, exact: false, depth: 0, nodes: 1 };
        if position.is_over() {
            return SearchResult { score: ended(position), exact: true, ..result };
        }
        self.set_up(position);
        self.nodes = 1;
        let me = position.side_to_move() as usize;
        if self.stones >= 3
            && let Some((point, distance)) = self.forced_win(me)
        {
            let best = Move(point as u8);
            return SearchResult { best, score: WIN - distance, exact: true, nodes: self.nodes, ..result };
        }
        let mut moves = self.root_moves(position);
        let Some(&first) = moves.first() else {
            result.best = position.legal_moves().first().copied().unwrap_or(Move::PASS);
            return result;
        };
        result.best = Move(first as u8);
        for depth in 1..=most {
            result.score = self.deepen(&mut moves, me, i32::from(depth), result.score);
            result.best = Move(moves[0] as u8);
            result.depth = depth;
            if result.score.abs() >= SURE {
                break;
            }
        }
        if position.last_was_pass() && self.stones >= 3 && result.score < 0 {
            (result.best, result.score) = (Move::PASS, 0);
        }
        result.nodes = self.nodes;
        result
    }

    /// The weights at a number of stones, and a position under them.
    fn set_up(&mut self, position: &Renju) {
        let board = position.board();
        self.stones = board.stones();
        let (below, above, share) = mixture(&self.weights.knots, self.stones);
        let (below, above) = (self.weights.row(below), self.weights.row(above));
        let mixed = |at: usize| (i32::from(below[at]) * (256 - share) + i32::from(above[at]) * share + 128) >> 8;
        for color in 0..2 {
            for code in 0..CODES {
                let at = |mover: usize| color * 2 * CODES + if color == mover { 0 } else { CODES } + code;
                self.mixed.points[color][code] = packed(mixed(at(0)), mixed(at(1)));
            }
        }
        self.mixed.threats = (8 * CODES..8 * CODES + THREATS).map(mixed).collect();
        self.constant = i32::from(self.weights.constants[self.stones]);
        self.lines = Lines::from_scratch(board, &self.mixed);
        self.key = [0; 2];
        for color in [Color::Black, Color::White] {
            for point in board.points_of(color) {
                self.toggle(point.index(), color as usize);
            }
        }
    }

    fn toggle(&mut self, point: usize, color: usize) {
        let at = 2 * (POINTS * color + point);
        self.key = [self.key[0] ^ WORDS[at], self.key[1] ^ WORDS[at + 1]];
    }

    fn key(&self, me: usize) -> Key {
        if me == WHITE { [self.key[0] ^ SIDE_WORDS[0], self.key[1] ^ SIDE_WORDS[1]] } else { self.key }
    }

    fn place(&mut self, point: usize, color: usize) {
        self.nodes += 1;
        self.lines.place(point, color, &self.mixed);
        self.toggle(point, color);
        self.stones += 1;
    }

    fn take_back(&mut self, point: usize, color: usize) {
        self.lines.take_back(point, color);
        self.toggle(point, color);
        self.stones -= 1;
    }

    fn evaluate(&self, me: usize) -> i32 {
        let value = self.lines.sum(me) + self.mixed.threats[self.lines.threats(me)] + self.constant;
        ((value + (1 << self.shift >> 1)) >> self.shift).clamp(-MOST, MOST)
    }

    fn points(&self, color: usize, kind: usize) -> impl Iterator<Item = usize> + use<> {
        self.lines.set(color, kind).iter()
    }

    fn first(&self, color: usize, kind: usize) -> Option<usize> {
        self.points(color, kind).next()
    }

    /// Whether `color` may not play on the empty `point`.
    fn is_forbidden(&self, color: usize, point: usize) -> bool {
        if color == WHITE {
            return false;
        }
        let code = self.lines.code(0, point);
        match POINT_CODES.kinds[0][code] as usize {
            kind::FIVE => false,
            kind::FORBIDDEN => true,
            _ => {
                let point = Point::from_index(point).expect("a point of the board");
                POINT_CODES.double_three[code] && forbidden::is_forbidden(self.lines.board(), point)
            }
        }
    }

    /// A point where `color` makes an open four, or two fours at once, and may.
    fn open_four(&self, color: usize) -> Option<usize> {
        self.points(color, kind::OPEN_FOUR).find(|&point| !self.is_forbidden(color, point))
    }

    /// The points where `color` makes one four and no three.
    fn fours_alone(&self, color: usize) -> Points {
        self.lines.set(color, kind::FOUR).or(self.lines.set(color, kind::BARE_FOUR))
    }

    /// The points where `color` makes a four, not forbidden ones.
    fn all_fours(&self, color: usize) -> Points {
        let set = |kind| self.lines.set(color, kind);
        self.fours_alone(color).or(set(kind::FOUR_THREE)).or(set(kind::OPEN_FOUR))
    }

    /// The points worth playing for `me` where `me` has no five to make; points forbidden to Black are among them.
    fn choices(&self, me: usize) -> Points {
        let other = |kind| self.lines.set(1 - me, kind);
        if !other(kind::FIVE).is_empty() {
            return *other(kind::FIVE);
        }
        if self.lines.threatened(me) {
            return self.all_fours(me).or(&self.all_fours(1 - me)).or(other(kind::FORBIDDEN));
        }
        self.lines.near_stones()
    }

    // Continuous fours.

    /// A win of `me` by fives and fours alone: its first point and its length in plies.
    fn forced_win(&mut self, me: usize) -> Option<(usize, i32)> {
        if let Some(point) = self.first(me, kind::FIVE) {
            return Some((point, 1));
        }
        if self.first(1 - me, kind::FIVE).is_none()
            && let Some(point) = self.open_four(me)
        {
            return Some((point, 3));
        }
        self.continuous_fours(me, ROOT_FOURS)
    }

    fn continuous_fours(&mut self, me: usize, budget: u32) -> Option<(usize, i32)> {
        if self.all_fours(me).is_empty() {
            return None;
        }
        let key = self.key(me);
        match self.fours.get(&key) {
            Some(known) if known.distance > 0 => return Some((known.best, known.distance)),
            Some(known) if known.budget >= budget => return None,
            _ => {}
        }
        let mut left = budget;
        let found = self.fours(me, &mut left, DEEPEST_FOURS);
        let (best, distance) = found.unwrap_or((0, 0));
        if self.fours.len() >= TABLE_LIMIT {
            self.fours.clear();
        }
        self.fours.insert(key, Fours { distance, budget, best });
        found
    }

    fn fours(&mut self, me: usize, left: &mut u32, deepest: u32) -> Option<(usize, i32)> {
        if let Some(point) = self.first(me, kind::FIVE) {
            return Some((point, 1));
        }
        let other = 1 - me;
        let stop = self.first(other, kind::FIVE);
        if self.lines.set(other, kind::FIVE).count() > 1 {
            return None;
        }
        if stop.is_none()
            && let Some(point) = self.open_four(me)
        {
            return Some((point, 3));
        }
        if deepest == 0 {
            return None;
        }
        for points in
            [*self.lines.set(me, kind::OPEN_FOUR), *self.lines.set(me, kind::FOUR_THREE), self.fours_alone(me)]
        {
            for point in points.iter() {
                if stop.is_some_and(|stop| stop != point) || self.is_forbidden(me, point) {
                    continue;
                }
                if *left == 0 {
                    return None;
                }
                *left -= 1;
                self.place(point, me);
                let distance = self.after_four(me, left, deepest);
                self.take_back(point, me);
                if distance > 0 {
                    return Some((point, distance + 1));
                }
            }
        }
        None
    }

    /// Plies to the win behind a four of `me`, the defender to move; 0 where it does not win.
    fn after_four(&mut self, me: usize, left: &mut u32, deepest: u32) -> i32 {
        let other = 1 - me;
        if self.first(other, kind::FIVE).is_some() {
            return 0;
        }
        let Some(cell) = self.first(me, kind::FIVE) else { return 0 };
        if self.lines.set(me, kind::FIVE).count() > 1 || self.is_forbidden(other, cell) {
            return 2;
        }
        self.place(cell, other);
        let found = self.fours(me, left, deepest - 1);
        self.take_back(cell, other);
        found.map_or(0, |(_, distance)| distance + 1)
    }

    // Moves.

    fn worth(&self, me: usize, point: usize) -> i32 {
        let table = &self.weights.row(0)[(4 + 2 * me) * CODES..];
        i32::from(table[self.lines.code(me, point)]) + i32::from(table[CODES + self.lines.code(1 - me, point)])
    }

    /// These points by what they are worth, best first, equal ones by number; `first` before all.
    fn sorted(&self, me: usize, points: impl Iterator<Item = usize>, first: u8) -> Vec<usize> {
        let mut keyed: Vec<(i32, usize)> = points
            .map(|point| (if point == usize::from(first) { i32::MIN } else { -self.worth(me, point) }, point))
            .collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, point)| point).collect()
    }

    /// The legal moves worth searching at the root, best first.
    fn root_moves(&self, position: &Renju) -> Vec<usize> {
        let me = position.side_to_move() as usize;
        if self.stones < 3 {
            let legal = position.legal_moves().into_iter().map(|mv| usize::from(mv.0));
            return self.sorted(me, legal, NO_MOVE);
        }
        let allowed = |point: &usize| !self.is_forbidden(me, *point);
        let moves = self.sorted(me, self.choices(me).iter().filter(allowed), NO_MOVE);
        if !moves.is_empty() {
            return moves;
        }
        self.sorted(me, self.lines.near_stones().iter().filter(allowed), NO_MOVE)
    }

    // The tree.

    /// One iteration: an aspiration window around the last score, opened where it fails.
    fn deepen(&mut self, moves: &mut [usize], me: usize, depth: i32, guess: i32) -> i32 {
        let mut margin = LOGIT / 4;
        let (mut alpha, mut beta) = if depth <= 3 { (-INFINITE, INFINITE) } else { (guess - margin, guess + margin) };
        loop {
            let score = self.root(moves, me, depth, alpha, beta);
            margin *= 4;
            if score <= alpha && alpha > -INFINITE {
                alpha = (score - margin).max(-INFINITE);
            } else if score >= beta && beta < INFINITE {
                beta = (score + margin).min(INFINITE);
            } else {
                return score;
            }
        }
    }

    /// Searches the root's moves within a window and puts the best one first.
    fn root(&mut self, moves: &mut [usize], me: usize, depth: i32, alpha: i32, beta: i32) -> i32 {
        let (mut best, mut best_at) = (-INFINITE, 0);
        for (at, &point) in moves.iter().enumerate() {
            let score = self.child(point, me, depth, 0, alpha.max(best), beta, at, false);
            if score > best {
                (best, best_at) = (score, at);
                if best >= beta {
                    break;
                }
            }
        }
        if best > alpha {
            moves[..=best_at].rotate_right(1);
        }
        best
    }

    /// The value of playing `point` as number `at` of its node.
    #[expect(clippy::too_many_arguments, reason = "a move is its node, its window and its number")]
    fn child(
        &mut self,
        point: usize,
        me: usize,
        depth: i32,
        ply: i32,
        low: i32,
        beta: i32,
        at: usize,
        threatened: bool,
    ) -> i32 {
        self.place(point, me);
        let other = 1 - me;
        let mut score;
        if at == 0 {
            score = -self.pvs(other, depth - 1, ply + 1, -beta, -low, true);
        } else {
            let less = reduction(depth, at, threatened);
            score = -self.pvs(other, depth - 1 - less, ply + 1, -low - 1, -low, true);
            if score > low && less > 0 {
                score = -self.pvs(other, depth - 1, ply + 1, -low - 1, -low, true);
            }
            if low < score && score < beta {
                score = -self.pvs(other, depth - 1, ply + 1, -beta, -low, true);
            }
        }
        self.take_back(point, me);
        score
    }

    /// The value of a node `ply` plies below the root to `depth` plies within `(alpha, beta)`, fail-soft.
    fn pvs(&mut self, me: usize, depth: i32, ply: i32, alpha: i32, beta: i32, may_pass: bool) -> i32 {
        let other = 1 - me;
        if self.first(me, kind::FIVE).is_some() {
            return WIN - ply - 1;
        }
        if self.stones == POINTS {
            return 0;
        }
        if let Some(stop) = self.first(other, kind::FIVE) {
            if self.lines.set(other, kind::FIVE).count() > 1 || self.is_forbidden(me, stop) {
                return -(WIN - ply - 2);
            }
            if ply >= DEEPEST {
                return self.evaluate(me);
            }
            self.place(stop, me);
            let score = -self.pvs(other, depth, ply + 1, -beta, -alpha, true);
            self.take_back(stop, me);
            return score;
        }
        if self.open_four(me).is_some() {
            return WIN - ply - 3;
        }
        if depth <= 0 || ply >= DEEPEST {
            let found = self.continuous_fours(me, FOURS_AT[0]);
            return found.map_or_else(|| self.evaluate(me), |(_, distance)| WIN - ply - distance);
        }
        let key = self.key(me);
        let mut hash_move = NO_MOVE;
        if let Some(entry) = self.table.get(&key) {
            let (lower, upper) = (from_table(entry.lower, ply), from_table(entry.upper, ply));
            if entry.depth >= depth || lower >= SURE {
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
        if beta - alpha == 1 && !threatened && beta.abs() < SURE {
            let value = self.evaluate(me);
            if depth <= 3 && value - PLY_MARGIN * depth >= beta {
                return value;
            }
            if may_pass && depth >= 3 && value >= beta {
                self.nodes += 1;
                let less = 1 + NULL_REDUCTION + depth / 4;
                let score = -self.pvs(other, depth - less, ply + 1, -beta, -beta + 1, false);
                if score >= beta {
                    return if score >= SURE { beta } else { score };
                }
            }
        }
        let (best, best_move) = self.branch(me, depth, ply, alpha, beta, hash_move, threatened);
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
    ) -> (i32, u8) {
        let width = if threatened { POINTS } else { WIDTHS[(depth as usize).min(WIDTHS.len()) - 1] };
        let (mut best, mut best_move, mut searched) = (-INFINITE, NO_MOVE, 0);
        for point in self.sorted(me, self.choices(me).iter(), hash_move) {
            if searched >= width {
                break;
            }
            if self.is_forbidden(me, point) {
                continue;
            }
            let score = self.child(point, me, depth, ply, alpha.max(best), beta, searched, threatened);
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
        (if threatened { -(WIN - ply - 4) } else { 0 }, NO_MOVE)
    }

    /// Stores what a search with the window `(alpha, beta)` found; bounds of an equal search are narrowed.
    #[expect(clippy::too_many_arguments, reason = "each is one field of the entry")]
    fn store(&mut self, key: Key, depth: i32, ply: i32, alpha: i32, beta: i32, score: i32, best: u8) {
        let lower = if score > alpha { to_table(score, ply) } else { -INFINITE };
        let upper = if score < beta { to_table(score, ply) } else { INFINITE };
        let mut entry = Entry { depth, lower, upper, best };
        if let Some(old) = self.table.get(&key) {
            if old.depth == depth && old.lower.max(lower) <= old.upper.min(upper) {
                (entry.lower, entry.upper) = (old.lower.max(lower), old.upper.min(upper));
            }
            if score <= alpha {
                entry.best = old.best;
            }
        } else if self.table.len() >= TABLE_LIMIT {
            self.table.clear();
        }
        self.table.insert(key, entry);
    }
}

/// The golden line of a position, as [`super::golden::line`] writes it, without a line end.
pub fn line(lite: &mut Lite, position: &Renju, depth: u8) -> String {
    lite.forget();
    let SearchResult { best, score, depth, nodes, .. } = lite.search(position, depth);
    let legal = position.legal_moves().iter().filter(|mv| !mv.is_pass()).count();
    let value = lite.value(position);
    format!("{} {depth} {legal} {value} {} {score} {nodes}", super::golden::text(position), Renju::move_text(best))
}
