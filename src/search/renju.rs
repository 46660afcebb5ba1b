//! The Renju engine: iterative deepening over [`pvs`], continuous fours by [`threats`], moves by [`ordering`].
//!
//! [`Engine`] is one single-threaded searcher. Its nodes depend only on the position, the weights and the limits, and
//! the baked bots repeat them line for line. Both sides know the forbidden points: Black does not play there, and
//! White's fours and fives that Black would have to stop there are not stopped. Passes are no moves of the tree but at
//! the root: a side passes when it has no legal move, or when the other side has just passed and a draw is worth more.

pub mod golden;
#[doc = include_str!("renju/guide.md")]
pub mod guide {}
pub mod lite;
pub mod openings;
pub mod ordering;
pub mod pvs;
pub mod threats;

use super::stop::Stop;
use super::tt::Table;
use super::{Limits, SearchResult, Searcher};
use crate::eval::renju::classes::{POINT_CODES, kind};
use crate::eval::renju::lines::{CodeWeights, Lines, Points};
use crate::eval::renju::{Evaluator, SURE, WIN};
use crate::game::renju::{Board, POINTS, Point, Renju, forbidden};
use crate::game::{Move, Position};
use ordering::Candidates;
use threats::FourTable;

/// Beyond every score.
pub const INFINITE: i32 = 32_000;
/// Black's number in tables.
pub const BLACK: usize = 0;
/// White's number in tables.
pub const WHITE: usize = 1;

/// Time and node limits are looked at once in this many nodes.
const CHECK_EVERY: u64 = 1024;
/// Four moves that the root's search for continuous fours may try; more where much time or many nodes are granted.
const ROOT_FOURS: [u32; 2] = [4_000, 20_000];
/// From this many nodes on a search counts as one with many.
const MANY_NODES: u64 = 50_000;
/// From this many milliseconds on likewise.
const MUCH_MS: f64 = 200.0;

/// A searcher with its tables and its evaluation.
pub struct Engine {
    pub(super) evaluator: Evaluator,
    tt: Table,
    fours: FourTable,
    /// The evaluation's weights at the root's number of stones.
    weights: CodeWeights,
    mixed_for: usize,
    lines: Lines,
    stones: usize,
    hash: [u64; 2],
    nodes: u64,
    stop: Stop,
    stopped: bool,
}

/// Number `index` of the hash words: SplitMix64 (Steele, Lea and Flood 2014) from a fixed seed.
const fn word(index: u64) -> u64 {
    let mut z = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Two words for each colour and point: at `2·(225·color + point)`.
const WORDS: [u64; 4 * POINTS] = {
    let mut words = [0; 4 * POINTS];
    let mut at = 0;
    while at < words.len() {
        words[at] = word(at as u64);
        at += 1;
    }
    words
};

/// White to move.
const SIDE_WORDS: [u64; 2] = [word(1000), word(1001)];

impl Engine {
    /// An engine with a table of 2^`tt_bits` entries.
    pub fn new(evaluator: Evaluator, tt_bits: u32) -> Engine {
        Engine::with_table(evaluator, Table::new(tt_bits), tt_bits)
    }

    /// An engine with the largest table of at most `megabytes` MiB.
    pub fn with_megabytes(evaluator: Evaluator, megabytes: usize) -> Engine {
        Engine::with_table(evaluator, Table::with_megabytes(megabytes), 18)
    }

    fn with_table(evaluator: Evaluator, tt: Table, tt_bits: u32) -> Engine {
        let weights = evaluator.codes(0);
        let lines = Lines::from_scratch(&Board::empty(), &weights);
        let fours = FourTable::new(tt_bits.clamp(2, 18) - 2);
        let (mixed_for, stones, hash) = (0, 0, [0; 2]);
        Engine {
            evaluator,
            tt,
            fours,
            weights,
            mixed_for,
            lines,
            stones,
            hash,
            nodes: 0,
            stop: Stop::NEVER,
            stopped: false,
        }
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    fn set_up(&mut self, position: &Renju) {
        let board = position.board();
        self.stones = board.stones();
        if self.mixed_for != self.stones {
            self.mixed_for = self.stones;
            self.weights = self.evaluator.codes(self.stones);
        }
        self.lines = Lines::from_scratch(board, &self.weights);
        self.hash = [0; 2];
        for color in 0..2 {
            for point in board.points_of(crate::eval::renju::color_of(color)) {
                self.toggle(point.index(), color);
            }
        }
    }

    #[inline(always)]
    fn toggle(&mut self, point: usize, color: usize) {
        let at = 2 * (POINTS * color + point);
        self.hash[0] ^= WORDS[at];
        self.hash[1] ^= WORDS[at + 1];
    }

    /// The key of the position with `to_move` to move.
    #[inline(always)]
    fn key(&self, to_move: usize) -> [u64; 2] {
        if to_move == BLACK { self.hash } else { [self.hash[0] ^ SIDE_WORDS[0], self.hash[1] ^ SIDE_WORDS[1]] }
    }

    #[inline(always)]
    fn place(&mut self, point: usize, color: usize) {
        self.nodes += 1;
        self.lines.place(point, color, &self.weights);
        self.toggle(point, color);
        self.stones += 1;
    }

    /// Where nothing is evaluated before the stone is taken back.
    #[inline(always)]
    fn place_unsummed(&mut self, point: usize, color: usize) {
        self.nodes += 1;
        self.lines.place_unsummed(point, color);
        self.toggle(point, color);
        self.stones += 1;
    }

    #[inline(always)]
    fn take_back(&mut self, point: usize, color: usize) {
        self.lines.take_back(point, color);
        self.toggle(point, color);
        self.stones -= 1;
    }

    #[inline(always)]
    fn set(&self, color: usize, kind: usize) -> Points {
        *self.lines.set(color, kind)
    }

    /// Whether `color` may not play on the empty `point`. The tables decide unless two threes call for article 9.3.
    #[inline(always)]
    fn is_forbidden(&self, color: usize, point: usize) -> bool {
        if color == WHITE {
            return false;
        }
        let code = self.lines.code(BLACK, point);
        match POINT_CODES.kinds[BLACK][code] as usize {
            kind::FIVE => false,
            kind::FORBIDDEN => true,
            _ => POINT_CODES.double_three[code] && self.double_three(point),
        }
    }

    #[cold]
    fn double_three(&self, point: usize) -> bool {
        let point = Point::from_index(point).expect("a point of the board");
        forbidden::is_forbidden(self.lines.board(), point)
    }

    /// A point where `color` makes an open four, or two fours at once, and may.
    #[inline(always)]
    fn open_four(&self, color: usize) -> Option<usize> {
        self.set(color, kind::OPEN_FOUR).iter().find(|&point| !self.is_forbidden(color, point))
    }

    /// The value of the position for the side to move.
    #[inline(always)]
    fn evaluate(&self, to_move: usize) -> i32 {
        self.evaluator.evaluate(&self.lines, &self.weights, to_move, self.stones)
    }

    #[inline(always)]
    fn must_stop(&mut self, limits: &Limits) -> bool {
        if self.stop.is_due(self.nodes) {
            self.stopped |= self.stop.is_reached(self.nodes, limits);
            return self.stopped;
        }
        false
    }

    /// A depth that no clock may interrupt has been finished: from now on the limits hold.
    fn arm(&mut self, limits: &Limits) {
        self.stop = Stop::at(limits, self.nodes, CHECK_EVERY);
    }
}

impl Searcher for Engine {
    type Position = Renju;

    fn search(&mut self, position: &Renju, limits: &Limits) -> SearchResult {
        self.nodes = 1;
        self.stopped = false;
        self.stop = Stop::NEVER;
        let mut result = SearchResult { best: Move::PASS, score: 0, exact: false, depth: 0, nodes: 1 };
        if position.is_over() {
            return SearchResult { score: ended(position), exact: true, ..result };
        }
        self.set_up(position);
        let me = position.side_to_move() as usize;
        let many = match limits.time {
            Some(time) => time.hard_ms - time.clock.now_ms() >= MUCH_MS,
            None => (MANY_NODES..u64::MAX).contains(&limits.nodes),
        };
        if self.stones >= 3
            && let Some((point, distance)) = self.forced_win(me, ROOT_FOURS[usize::from(many)])
        {
            let best = Move(point as u8);
            return SearchResult { best, score: WIN - distance, exact: true, nodes: self.nodes, ..result };
        }
        let mut moves = self.root_moves(position);
        let Some(first) = moves.as_slice().first() else {
            result.best = position.legal_moves().first().copied().unwrap_or(Move::PASS);
            return result;
        };
        result.best = Move(first.point);
        for depth in 1..=limits.depth {
            if depth > 1 {
                self.arm(limits);
                if limits.time.is_some_and(|time| time.clock.now_ms() >= time.soft_ms) || self.nodes >= limits.nodes {
                    break;
                }
            }
            let Some(score) = self.deepen(&mut moves, me, depth, result.score, limits) else { break };
            result.best = Move(moves.as_slice()[0].point);
            result.score = score;
            result.depth = depth;
            // Nothing to find out, or nothing to choose and time to save.
            if score.abs() >= SURE || limits.time.is_some() && moves.as_slice().len() == 1 {
                break;
            }
        }
        if position.last_was_pass() && self.stones >= 3 && result.score < 0 {
            // The other side has just passed: another pass is a draw.
            (result.best, result.score) = (Move::PASS, 0);
        }
        result.nodes = self.nodes;
        result
    }

    fn forget(&mut self) {
        self.tt.clear();
        self.fours.clear();
    }

    /// Moves that do not throw the game away at once: fives, stops of fives and of open fours where there are any to
    /// stop, else what lies near the stones.
    fn explore(&mut self, position: &Renju) -> Vec<Move> {
        if position.board().stones() < 3 {
            return position.legal_moves();
        }
        self.set_up(position);
        let me = position.side_to_move() as usize;
        let fives = self.set(me, kind::FIVE);
        if !fives.is_empty() {
            return fives.iter().map(|point| Move(point as u8)).collect();
        }
        let mut moves: Vec<Move> =
            self.root_moves(position).as_slice().iter().map(|candidate| Move(candidate.point)).collect();
        moves.sort_unstable();
        if moves.is_empty() { position.legal_moves() } else { moves }
    }
}

impl Engine {
    /// A win by fives and fours alone: its first point and its length in plies.
    fn forced_win(&mut self, me: usize, budget: u32) -> Option<(usize, i32)> {
        if let Some(point) = self.set(me, kind::FIVE).iter().next() {
            return Some((point, 1));
        }
        if self.set(1 - me, kind::FIVE).is_empty()
            && let Some(point) = self.open_four(me)
        {
            return Some((point, 3));
        }
        self.root_fours(me, budget)
    }

    /// The legal moves worth searching at the root, best first.
    fn root_moves(&mut self, position: &Renju) -> Candidates {
        let me = position.side_to_move() as usize;
        let mut moves = Candidates::none();
        if self.stones < 3 {
            for mv in position.legal_moves() {
                moves.push(mv.0, self.evaluator.move_worth(&self.lines, me, mv.0 as usize));
            }
        } else {
            self.generate(me, &mut moves);
            moves.retain(|point| !self.is_forbidden(me, point as usize));
            if moves.as_slice().is_empty() {
                // What would have stopped the threat is forbidden: any legal move.
                for point in self.lines.near_stones().iter() {
                    moves.push(point as u8, self.evaluator.move_worth(&self.lines, me, point));
                }
                moves.retain(|point| !self.is_forbidden(me, point as usize));
            }
        }
        moves.sort();
        moves
    }
}

/// The value of a finished game for the side that would move.
fn ended(position: &Renju) -> i32 {
    let outcome = position.outcome().map_or(0, |outcome| outcome.for_color(position.side_to_move()));
    i32::from(outcome) * WIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::renju::{knots, zero};
    use crate::game::Color;

    fn engine() -> Engine {
        Engine::new(Evaluator::new(&zero(knots(2))).unwrap(), 16)
    }

    /// Stones by their names, and who moves.
    fn position(black: &str, white: &str, color: Color) -> Renju {
        let mut board = Board::empty();
        for (names, stone) in [(black, Color::Black), (white, Color::White)] {
            for name in names.split_whitespace() {
                board.place(Point::of_move(Renju::parse_move(name).unwrap()).unwrap(), stone);
            }
        }
        Renju::new(board, color)
    }

    fn best(position: &Renju, depth: u8) -> (String, SearchResult) {
        let result = engine().search(position, &Limits::depth(depth));
        (Renju::move_text(result.best), result)
    }

    #[test]
    fn a_five_is_made_and_a_four_is_stopped() {
        let (mv, result) = best(&position("f8 g8 h8 i8", "e8 f9 g9 h9 i9", Color::Black), 1);
        assert_eq!((mv.as_str(), result.score, result.exact), ("j8", WIN - 1, true));
        // The same four with the other side to move: nothing else is played, although White has an open three.
        let (mv, _) = best(&position("f8 g8 h8 i8", "e8 f10 g10 h10", Color::White), 4);
        assert_eq!(mv, "j8");
    }

    #[test]
    fn an_open_three_is_answered_on_its_line() {
        for depth in 1..=4 {
            let (mv, result) = best(&position("g8 h8 i8", "h9 c3", Color::White), depth);
            assert!(["e8", "f8", "j8", "k8"].contains(&mv.as_str()), "{mv}");
            assert!(result.score.abs() < SURE);
        }
        // With a three of its own besides, the side to move makes its open four instead.
        let (mv, result) = best(&position("g8 h8 i8", "g10 h10 i10", Color::White), 1);
        assert!(["f10", "j10"].contains(&mv.as_str()) && result.score == WIN - 3, "{mv} {}", result.score);
    }

    #[test]
    fn wins_by_continuous_fours_are_found_and_proven() {
        // g8 h8 i8 stopped at f8, and a column through j: j8 makes a four, then j6 an open four.
        let (mv, result) = best(&position("g8 h8 i8 j5 j7", "f8 a1 c1 e1 o1", Color::Black), 1);
        assert!(result.exact && result.score > SURE, "{mv} {}", result.score);
        // Every line of fours that the search finds must hold against the only answers.
        let mut engine = engine();
        let mut at = position("g8 h8 i8 j5 j7", "f8 a1 c1 e1 o1", Color::Black);
        while at.outcome().is_none() {
            let result = engine.search(&at, &Limits::depth(2));
            at.play(result.best).unwrap();
        }
        assert_eq!(at.outcome().map(|outcome| outcome.0), Some(1));
    }

    #[test]
    fn a_black_stop_that_is_forbidden_is_no_stop() {
        // White's four d4–g4 is stopped at c4; only h4 is left, where Black would make a double four.
        let white = "d4 e4 f4 g4 a15";
        let black = "c4 h5 h6 h7 i4 j4 k4";
        let at = position(black, white, Color::Black);
        let (_, result) = best(&at, 4);
        assert!(result.score < -SURE, "{}", result.score);
        // One move earlier White sees it: its three makes a four whose stop is forbidden.
        let at = position(black, "d4 e4 f4 a15 c12 o2", Color::White);
        let (mv, result) = best(&at, 1);
        assert_eq!((mv.as_str(), result.exact), ("g4", true), "{}", result.score);
        // With the colours' rules exchanged there is no such win: the stop is allowed, and a five besides.
        let at = position("d4 e4 f4 a15 c12 o2", black, Color::Black);
        let (_, result) = best(&at, 1);
        assert!(!(result.exact && result.score > 0));
    }

    #[test]
    fn no_occupied_and_no_forbidden_point_is_ever_answered() {
        let mut engine = engine();
        for game in 0..6 {
            let mut at = Renju::start();
            let mut draw = word(game);
            while at.outcome().is_none() && at.ply() < 120 {
                let moves = engine.explore(&at);
                assert!(!moves.is_empty());
                for &mv in &moves {
                    at.clone().play(mv).unwrap();
                }
                draw = word(draw);
                // Dense, random positions, with an answer of the engine now and then.
                let mv = if draw.is_multiple_of(5) {
                    engine.search(&at, &Limits::depth(2)).best
                } else {
                    let legal = at.legal_moves();
                    legal[(draw >> 8) as usize % (legal.len() - usize::from(legal.len() > 1))]
                };
                at.play(mv).unwrap();
            }
        }
    }

    #[test]
    fn the_first_moves_keep_to_their_squares() {
        let mut at = Renju::start();
        for _ in 0..5 {
            let result = engine().search(&at, &Limits::depth(2));
            at.play(result.best).unwrap();
        }
    }

    #[test]
    fn equal_limits_give_equal_trees() {
        let at = position("h8 i9 g9 j7 h10", "h9 g8 i8 h7 f10", Color::Black);
        let mut engine = engine();
        let first = engine.search(&at, &Limits::depth(5));
        engine.forget();
        assert_eq!(engine.search(&at, &Limits::depth(5)), first);
        engine.forget();
        let few = engine.search(&at, &Limits::nodes(2000));
        assert!(few.nodes <= 2000 + 1 && few.depth >= 1 || few.depth == 1, "{few:?}");
    }

    #[test]
    fn a_lost_game_is_drawn_by_passing_after_a_pass() {
        let mut at = position("e5 f5 g5 h5 e9 f9 g9 c3", "a1 c1 e1 g1 i1 k1 m1 o1", Color::Black);
        at.play(Move::PASS).unwrap();
        let result = engine().search(&at, &Limits::depth(2));
        assert_eq!((result.best, result.score), (Move::PASS, 0));
    }

    #[test]
    fn black_with_forbidden_points_only_passes() {
        // All points are taken but one, where a black stone would make six in a row.
        let mut board = Board::empty();
        for point in Point::all() {
            let (row, col) = (point.row(), point.col());
            let black =
                if row == 7 && (1..=9).contains(&col) { (2..=8).contains(&col) } else { (row / 2 + col) % 2 == 0 };
            if !(row == 7 && col == 5) {
                board.place(point, if black { Color::Black } else { Color::White });
            }
        }
        let at = Renju::new(board, Color::Black);
        if at.outcome().is_none() {
            assert_eq!(at.legal_moves(), [Move::PASS]);
            assert_eq!(engine().search(&at, &Limits::depth(3)).best, Move::PASS);
        }
        assert!(at.outcome().is_none(), "{:?}", at.board());
    }
}
