//! The Othello engine: iterative deepening over [`midgame`], exact ends by [`endgame`].
//!
//! An [`Engine`] searches on one thread unless it is given more ([`Engine::with_threads`]). On one, its nodes depend
//! only on the position, the weights and the limits, and the baked bots repeat them line for line: a change here that
//! is not repeated in the bot's template shows as a different node count in the golden lines.
//!
#![doc = include_str!("othello/README.md")]

pub mod endgame;
pub mod golden;
pub mod lite;
pub mod midgame;
pub mod ordering;
pub mod probcut;
pub mod stability;
mod team;

use std::sync::Arc;

use self::probcut::Cuts;
use self::team::{Split, Team};
use super::stop::Stop;
use super::tt::{NO_MOVE, SOLVE_LEVEL, SOLVED, Table};
use super::{Limits, SearchResult, Searcher};
use crate::eval::evaluator::{Evaluator, MOST};
use crate::eval::othello::{DISC, Indices};
use crate::game::othello::{Board, Othello, final_score};
use crate::game::{Move, Position};

/// Beyond every score, in search units.
pub const INFINITE: i32 = 64 * DISC + 1;

/// From this many empty squares on, a solve with forward cuts goes before the exact one.
const BOLD_SOLVE_EMPTIES: u8 = 18;
/// The selectivity of that solve.
const BOLD_SOLVE: u8 = 0;

/// log2 of the entries of the table of the last plies.
const NEAR_BITS: u32 = 15;

/// Time and node limits are looked at once in this many nodes.
const CHECK_EVERY: u64 = 4096;

/// A search with at least so many milliseconds before it finishes so many plies whatever the clock says: they cost a
/// fraction of that, and a machine that sleeps through a whole move must not make its answer a move seen one ply deep.
const SURE_MS: f64 = 20.0;
const SURE_DEPTH: u8 = 6;

/// A searcher with its table and its evaluation.
pub struct Engine<const N: usize> {
    evaluator: Evaluator<N>,
    cuts: Arc<Cuts>,
    tt: Arc<Table>,
    /// The table of the last plies, small enough for the processor's caches: most searches there are over before the
    /// memory behind a large table would answer.
    near: Table,
    /// The selectivity of the midgame, and the level of the solve at hand.
    level: u8,
    solve_level: u8,
    nodes: u64,
    stop: Stop,
    stopped: bool,
    /// The threads that search with this one.
    team: Option<Arc<Team<N>>>,
    /// The node above whose end ends this search too.
    split: Option<Arc<Split>>,
}

impl<const N: usize> Engine<N> {
    /// An engine with a table of 2^`tt_bits` entries.
    pub fn new(evaluator: Evaluator<N>, tt_bits: u32) -> Self {
        Engine {
            cuts: Arc::new(Cuts::new(evaluator.probcut(), N * N - 4)),
            evaluator,
            tt: Arc::new(Table::new(tt_bits)),
            near: Table::new(NEAR_BITS),
            level: Limits::LEVEL,
            solve_level: SOLVED,
            nodes: 0,
            stop: Stop::NEVER,
            stopped: false,
            team: None,
            split: None,
        }
    }

    /// An engine with the largest table of at most `megabytes` MiB.
    pub fn with_megabytes(evaluator: Evaluator<N>, megabytes: usize) -> Self {
        Engine { tt: Arc::new(Table::with_megabytes(megabytes)), ..Engine::new(evaluator, 1) }
    }

    /// The same engine on so many threads: its scores stay, its node counts and choices among equals vary from run to
    /// run. An error when the system gives no threads.
    pub fn with_threads(self, threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let team = if threads > 1 { Some(Team::new(threads)?) } else { None };
        Ok(Engine { team, ..self })
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &Evaluator<N> {
        &self.evaluator
    }

    /// The exact value of a position in discs for the side to move, its best move, and the nodes it took.
    pub fn solve(&mut self, position: &Othello<N>) -> SearchResult {
        let limits = Limits::depth(60).solving(64);
        self.search(position, &limits)
    }

    #[inline(always)]
    fn must_stop(&mut self, limits: &Limits) -> bool {
        if self.stop.is_due(self.nodes) {
            self.stopped |= self.stop.is_reached(self.nodes, limits);
        } else if let Some(split) = &self.split
            && split.is_over()
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// What no limit may interrupt has been finished: from now on they hold.
    fn arm(&mut self, limits: &Limits) {
        self.stop = Stop::at(limits, self.nodes, CHECK_EVERY);
    }
}

impl<const N: usize> Searcher for Engine<N> {
    type Position = Othello<N>;

    fn search(&mut self, position: &Othello<N>, limits: &Limits) -> SearchResult {
        match self.team.clone() {
            Some(team) => team.install(|| self.search_here(position, limits)),
            None => self.search_here(position, limits),
        }
    }

    fn forget(&mut self) {
        self.tt.clear();
        self.near.clear();
        if let Some(team) = &self.team {
            team.forget();
        }
    }
}

impl<const N: usize> Engine<N> {
    fn search_here(&mut self, position: &Othello<N>, limits: &Limits) -> SearchResult {
        self.nodes = 0;
        self.stopped = false;
        self.level = limits.level;
        self.stop = Stop::NEVER;
        let board = position.board();
        if position.mobility() == 0 {
            return self.search_pass(position, limits);
        }
        let empties = position.empties().count_ones() as u8;
        let solving = empties <= limits.solve_empties;
        // A solve is prepared by a midgame search about half as deep: it fills the table with best moves.
        let depth = if solving { midgame_depth_before_solving(empties) } else { limits.depth.min(empties) };
        let indices = Indices::new(self.evaluator.set(), board);
        let mut result = SearchResult { best: Move::PASS, score: 0, exact: false, depth: 0, nodes: 0 };
        let mut guess = 0;
        let sure_depth = match limits.time {
            Some(time) if time.hard_ms - time.clock.now_ms() >= SURE_MS => SURE_DEPTH,
            _ => 1,
        };
        for depth in 1..=depth {
            if depth > sure_depth {
                self.arm(limits);
                if limits.time.is_some_and(|time| time.clock.now_ms() >= time.soft_ms) || self.nodes >= limits.nodes {
                    break;
                }
            }
            let (score, best) = self.deepen(board, &indices, depth, guess, limits);
            if self.stopped {
                break;
            }
            guess = score;
            result = SearchResult { best: Move(best), score, exact: false, depth, nodes: self.nodes };
        }
        if solving && !self.stopped {
            // A solve with forward cuts costs little, knows nearly everything, and leaves its moves in the table.
            let bold = (empties >= BOLD_SOLVE_EMPTIES && self.cuts.foretell(position.ply(), empties))
                .then_some(SOLVE_LEVEL + BOLD_SOLVE);
            for level in bold.into_iter().chain([SOLVED]) {
                if result.depth > 0 {
                    self.arm(limits);
                }
                self.solve_level = level;
                let exact = level == SOLVED;
                if exact && !self.solve_winner(board, &indices, &mut result, limits) {
                    break;
                }
                let (score, best) = self.solve_root(board, &indices, guess, limits);
                if self.stopped {
                    break;
                }
                guess = score * DISC;
                result = SearchResult { best: Move(best), score: guess, exact, depth: empties, nodes: 0 };
            }
        }
        result.nodes = self.nodes;
        result
    }

    /// A forced pass (or a finished game): the value comes from the other side's search.
    fn search_pass(&mut self, position: &Othello<N>, limits: &Limits) -> SearchResult {
        let board = position.board();
        if position.is_over() {
            let score = final_score::<N>(board.player, board.opponent) * DISC;
            return SearchResult { best: Move::PASS, score, exact: true, depth: 0, nodes: 1 };
        }
        let mut passed = *position;
        passed.play(Move::PASS).expect("a pass is legal without a move");
        let result = self.search_here(&passed, limits);
        SearchResult { best: Move::PASS, score: -result.score, nodes: result.nodes + 1, ..result }
    }

    /// One iteration: an aspiration window around the last score, opened where it fails.
    fn deepen(&mut self, board: Board, indices: &Indices, depth: u8, guess: i32, limits: &Limits) -> (i32, u8) {
        let mut margin = 3 * DISC;
        let (mut alpha, mut beta) = if depth <= 3 { (-INFINITE, INFINITE) } else { (guess - margin, guess + margin) };
        loop {
            let score = self.pvs(board, indices, true, depth, alpha.max(-INFINITE), beta.min(INFINITE), limits);
            if self.stopped {
                return (0, NO_MOVE);
            }
            margin *= 3;
            if score <= alpha && alpha > -INFINITE {
                alpha = score - margin;
            } else if score >= beta && beta < INFINITE {
                beta = score + margin;
            } else {
                return (score, self.root_move(board));
            }
        }
    }

    fn root_move(&self, board: Board) -> u8 {
        let entry = self.tt.probe([board.player, board.opponent]).expect("the root was just stored");
        entry.best
    }

    /// On the clock, who wins comes before by how much: a solve with the window (−1, 1). Whether there is time left for
    /// the exact score.
    fn solve_winner(&mut self, board: Board, indices: &Indices, result: &mut SearchResult, limits: &Limits) -> bool {
        let Some(time) = limits.time else { return true };
        let score = self.solve_pv(board, indices, true, -1, 1, limits);
        if self.stopped {
            return false;
        }
        // A lost position keeps the move that loses by least, as far as is known.
        if score >= 0 {
            *result = SearchResult { best: Move(self.root_move(board)), score: score * DISC, ..*result };
        }
        time.clock.now_ms() < time.soft_ms
    }

    /// The exact value of the root in discs, by aspiration around `guess` (search units).
    fn solve_root(&mut self, board: Board, indices: &Indices, guess: i32, limits: &Limits) -> (i32, u8) {
        let all = (N * N) as i32;
        // Values are even when the board fills up; start with a window around the even number nearest the guess.
        let center = (guess + MOST + 1 + DISC) / (2 * DISC) * 2 - 64;
        let mut margin = 2;
        let (mut alpha, mut beta) = (center - 1, center + 1);
        loop {
            let (low, high) = (alpha.max(-all - 1), beta.min(all + 1));
            let score = self.solve_pv(board, indices, true, low, high, limits);
            if self.stopped {
                return (0, NO_MOVE);
            }
            if score <= low && low >= -all {
                (beta, alpha) = (score + 1, score - margin);
            } else if score >= high && high <= all {
                (alpha, beta) = (score - 1, score + margin);
            } else {
                let entry = self.tt.probe([board.player, board.opponent]).filter(|entry| entry.level >= SOLVE_LEVEL);
                return (score, entry.map_or(NO_MOVE, |entry| entry.best));
            }
            margin *= 3;
        }
    }
}

/// How deep the midgame search before a solve goes.
fn midgame_depth_before_solving(empties: u8) -> u8 {
    match empties {
        0..=9 => 0,
        10..=13 => 1,
        _ => empties / 2 - 3,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::eval::evaluator::stored_tables;
    use crate::eval::othello::standard_set;
    use crate::eval::weights::Weights;
    use crate::search::{Clock, Time};

    /// A clock that stands still for one look, and then has slept for a minute.
    struct Asleep(AtomicBool);

    impl Clock for Asleep {
        fn now_ms(&self) -> f64 {
            if self.0.swap(true, Relaxed) { 60_000.0 } else { 0.0 }
        }
    }

    fn engine() -> Engine<8> {
        let set = standard_set::<8>();
        let weights = Weights {
            game: crate::game::GameId::Othello,
            scale: 128,
            parent: [0; 32],
            tables: stored_tables(set.layout(), &set.patterns),
            constants: vec![0; set.layout().plies],
            values: vec![0; set.layout().row_len()],
            knots: vec![0],
            probcut: Vec::new(),
        };
        Engine::new(Evaluator::new(&weights).unwrap(), 12)
    }

    #[test]
    fn a_machine_that_sleeps_through_a_move_does_not_make_it_a_blunder() {
        // After d2, d1 turns the last of Black's discs: a judged game was lost so, 0 to 36.
        let mut position = Othello::<8>::start();
        let moves = "e6f4c3c4b3b2c2f6b1c5c6a1d3a2d6c1f5c7d7e3g6h6f3f2e7e8d8c8f7g8";
        for at in (0..moves.len()).step_by(2) {
            position.play(Othello::<8>::parse_move(&moves[at..at + 2]).unwrap()).unwrap();
        }
        let search = |hard_ms| {
            let clock = Asleep(AtomicBool::new(false));
            engine().search(
                &position,
                &Limits { time: Some(Time { clock: &clock, soft_ms: 5.0, hard_ms }), ..Limits::depth(60) },
            )
        };
        let result = search(100.0);
        assert_eq!(result.depth, SURE_DEPTH);
        assert_ne!(result.best, Othello::<8>::parse_move("d2").unwrap());
        assert_eq!(search(SURE_MS / 2.0).depth, 1, "nearly out of time, an answer at once counts more");
    }
}
