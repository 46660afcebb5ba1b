//! An engine that is given time instead of a depth: what `engine` and timed matches put behind their protocols.
//!
//! A searcher reads no clock of its own; here a stopwatch is injected, and what a move may use follows from what is
//! left of the game ([`crate::search::clock`] where positions can be solved, an even share elsewhere).

use std::time::{Duration, Instant};

use super::cores::thread_cpu;
use crate::game::{GameId, Move, Position};
use crate::play::duel::{Choice, Contestant, Fault, Simple};
use crate::search::clock::{Pace, budget};
use crate::search::{Clock, Limits, Searcher, Time};

/// What of a limit is planned: a machine that stops the process for a moment must not cost the game.
const PLANNED: f64 = 0.92;
/// Kept besides, in milliseconds: the way to the other side and back.
const WAY_MS: f64 = 10.0;
/// Nodes a millisecond of a solve, before one was seen.
const FIRST_PACE: f64 = 4_000.0;

/// What a move may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowance {
    /// The engine's fixed limits.
    Fixed,
    /// So many milliseconds for this move.
    Move(f64),
    /// So many milliseconds for this move and all later ones.
    Game(f64),
}

/// What thinking found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The move.
    pub mv: Move,
    /// The value for the side to move in the unit of the outcome (discs); `None` from a player that does not search.
    pub score: Option<f64>,
    /// Whether the value is exact.
    pub exact: bool,
    /// The last finished depth.
    pub depth: u8,
    /// Positions entered.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// Whoever answers a protocol's requests.
pub trait Think<P: Position> {
    /// A move in a position that is not over.
    fn think(&mut self, position: &P, allowance: Allowance) -> Thought;

    /// The depth no search goes beyond from now on.
    fn set_depth(&mut self, depth: u8);

    /// A new game begins.
    fn begin(&mut self);
}

/// Milliseconds since it was made.
struct Stopwatch(Instant);

impl Clock for Stopwatch {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1e3
    }
}

/// A searcher with its limits.
pub struct Thinker<S> {
    searcher: S,
    limits: Limits<'static>,
    /// The depth no search on time goes beyond.
    deepest: u8,
    units_per_outcome: i32,
    pace: Pace,
    /// What the game began with, in planned milliseconds: the most that was ever left in it.
    plan_ms: f64,
}

impl<S: Searcher> Thinker<S> {
    /// `limits` hold where no time is given; where it is, their depth and nodes are not passed either. `units_per_outcome` is the
    /// searcher's units per unit of the outcome.
    pub fn new(searcher: S, limits: Limits<'static>, units_per_outcome: i32) -> Self {
        let (deepest, pace) = (limits.depth, Pace::new(FIRST_PACE));
        Thinker { searcher, limits, deepest, units_per_outcome, pace, plan_ms: 0.0 }
    }

    /// The same thinker, which searches beyond its fixed depth, to `deepest`, where time is given.
    pub fn deepening_to(self, deepest: u8) -> Self {
        Thinker { deepest, ..self }
    }

    /// Soft and hard limit in milliseconds, and whether to solve.
    fn plan(&mut self, empties: u32, allowance: Allowance) -> Option<(f64, f64, bool)> {
        let solvable = S::Position::GAME != GameId::Renju;
        match allowance {
            Allowance::Fixed => None,
            Allowance::Move(ms) => {
                let ms = (PLANNED * ms - WAY_MS).max(1.0);
                Some((0.5 * ms, ms, solvable && self.pace.solve_ms(empties) <= ms))
            }
            Allowance::Game(ms) => {
                let left = (PLANNED * ms - WAY_MS).max(0.0);
                self.plan_ms = self.plan_ms.max(left);
                if solvable {
                    let budget = budget(self.plan_ms, left, left, empties, &self.pace);
                    return Some((budget.soft_ms, budget.hard_ms, budget.solve));
                }
                // A game of Renju is decided after some forty moves of each side, most of them in the first half.
                let stones = 225u32.saturating_sub(empties);
                let share = left / f64::from(30u32.saturating_sub(stones / 4).max(12));
                Some((0.6 * share, (2.0 * share).max(1.0).min(0.5 * left.max(2.0)), false))
            }
        }
    }
}

/// The squares a game fills that are still empty.
fn empties<P: Position>(position: &P) -> u32 {
    let fills: usize = match P::GAME {
        GameId::Othello => 60,
        GameId::Othello6 => 32,
        GameId::Othello4 => 12,
        GameId::Renju => 225,
    };
    fills.saturating_sub(position.ply()) as u32
}

impl<S: Searcher> Think<S::Position> for Thinker<S> {
    fn think(&mut self, position: &S::Position, allowance: Allowance) -> Thought {
        let watch = Stopwatch(Instant::now());
        if allowance != Allowance::Fixed
            && let [only] = position.legal_moves()[..]
        {
            return Thought { mv: only, score: None, exact: false, depth: 0, nodes: 0, seconds: 0.0 };
        }
        let empties = empties(position);
        let limits = match self.plan(empties, allowance) {
            None => self.limits,
            Some((soft_ms, hard_ms, solve)) => Limits {
                solve_empties: if solve { empties as u8 } else { 0 },
                time: Some(Time { clock: &watch, soft_ms, hard_ms }),
                depth: self.deepest,
                ..self.limits
            },
        };
        let result = self.searcher.search(position, &limits);
        let ms = watch.now_ms();
        if allowance != Allowance::Fixed {
            if limits.solve_empties > 0 {
                self.pace.seen(empties, result.nodes as f64, ms, result.exact);
            } else {
                self.pace.seen_midgame(result.nodes as f64, ms);
            }
        }
        Thought {
            mv: result.best,
            score: Some(f64::from(result.score) / f64::from(self.units_per_outcome)),
            exact: result.exact,
            depth: result.depth,
            nodes: result.nodes,
            seconds: ms / 1e3,
        }
    }

    fn set_depth(&mut self, depth: u8) {
        (self.limits.depth, self.deepest) = (depth, depth);
    }

    fn begin(&mut self) {
        self.searcher.forget();
        self.pace = Pace::new(FIRST_PACE);
        self.plan_ms = 0.0;
    }
}

/// A thinker on the clock of a game: it plays by what is left, and loses by passing it.
pub struct Timed<T> {
    thinker: T,
    /// Answer time of a game, and CPU time.
    total: Duration,
    wall: Duration,
    cpu: Duration,
}

impl<T> Timed<T> {
    /// A game's `total` is both its answer time and its CPU time.
    pub fn new(thinker: T, total: Duration) -> Timed<T> {
        Timed { thinker, total, wall: Duration::ZERO, cpu: Duration::ZERO }
    }
}

impl<P: Position, T: Think<P> + Send> Contestant<P> for Timed<T> {
    fn begin(&mut self, _game: u64) -> Result<(), Fault> {
        (self.wall, self.cpu) = (Duration::ZERO, Duration::ZERO);
        self.thinker.begin();
        Ok(())
    }

    fn choose(&mut self, position: &P) -> Result<Choice, Fault> {
        let (begin, cpu) = (Instant::now(), thread_cpu());
        let left = self.total.saturating_sub(self.wall.max(self.cpu));
        let thought = self.thinker.think(position, Allowance::Game(left.as_secs_f64() * 1e3));
        self.wall += begin.elapsed();
        self.cpu += thread_cpu().saturating_sub(cpu);
        for (reason, what, used) in [("TLE", "answer", self.wall), ("CPU_TLE", "CPU", self.cpu)] {
            if used > self.total {
                let (used, total) = (used.as_millis(), self.total.as_millis());
                let detail = format!("{used} ms of {what} time, the limit is {total} ms");
                return Err(Fault { reason: reason.to_string(), detail });
            }
        }
        Ok(Choice { mv: thought.mv, score: None, solved: None })
    }
}

/// Random and greedy play behind a protocol.
pub struct Unthinking {
    player: Simple,
    game: u64,
}

impl Unthinking {
    /// `player` in its first game.
    pub fn new(player: Simple) -> Unthinking {
        Unthinking { player, game: 0 }
    }
}

impl<P: Position> Think<P> for Unthinking {
    fn think(&mut self, position: &P, _allowance: Allowance) -> Thought {
        let choice = self.player.choose(position).expect("a player of ours makes no fault");
        Thought { mv: choice.mv, score: None, exact: false, depth: 0, nodes: 1, seconds: 0.0 }
    }

    fn set_depth(&mut self, _depth: u8) {}

    fn begin(&mut self) {
        self.game += 1;
        Contestant::<P>::begin(&mut self.player, self.game).expect("a player of ours makes no fault");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluator::Evaluator;
    use crate::eval::othello::DISC;
    use crate::game::othello::Othello;
    use crate::kit;
    use crate::search::othello::Engine;

    fn thinker() -> Thinker<Engine<6>> {
        let weights = kit::zero_weights(GameId::Othello6).unwrap();
        let engine = Engine::new(Evaluator::<6>::new(&weights).unwrap(), 14);
        Thinker::new(engine, Limits::depth(60), DISC)
    }

    #[test]
    fn time_for_a_game_is_kept_to_its_end() {
        let mut thinker = thinker();
        let mut position = Othello::<6>::start();
        thinker.begin();
        let mut left = 400.0;
        while position.outcome().is_none() {
            let begin = Instant::now();
            let thought = thinker.think(&position, Allowance::Game(left));
            left -= begin.elapsed().as_secs_f64() * 1e3;
            assert!(position.play(thought.mv).is_ok());
        }
        // The plan is never passed; a busy machine may add to it, so the bound is wide.
        assert!(left > -400.0, "{left}");
    }

    #[test]
    fn a_game_on_the_clock_is_lost_by_passing_it() {
        let mut timed = Timed::new(thinker(), Duration::from_secs(20));
        timed.begin(0).unwrap();
        assert!(timed.choose(&Othello::<6>::start()).is_ok());
        // The first depth is always finished, and takes longer than nothing.
        let mut late = Timed::new(thinker(), Duration::ZERO);
        late.begin(0).unwrap();
        assert_eq!(late.choose(&Othello::<6>::start()).unwrap_err().reason, "TLE");
    }

    #[test]
    fn a_fixed_depth_is_what_is_searched_and_can_be_set() {
        let mut thinker = thinker();
        let position = Othello::<6>::start();
        thinker.set_depth(3);
        assert_eq!(thinker.think(&position, Allowance::Fixed).depth, 3);
        thinker.set_depth(5);
        let thought = thinker.think(&position, Allowance::Fixed);
        assert_eq!((thought.depth, thought.score.is_some()), (5, true));
        // With a second to spare and a depth to keep, the depth is what ends the search.
        assert_eq!(thinker.think(&position, Allowance::Move(60_000.0)).depth, 5);
        let mut deeper = thinker.deepening_to(6);
        assert_eq!(deeper.think(&position, Allowance::Fixed).depth, 5);
        assert_eq!(deeper.think(&position, Allowance::Move(60_000.0)).depth, 6);
    }
}
