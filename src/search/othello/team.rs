//! Many threads on one tree: the brothers of a null-window node, shared out.
//!
//! Where the first move of a node has failed low the others will likely all be searched, each with the same window, so
//! they may be searched at once (R. Feldmann et al., "Distributed game-tree search", 1989: young brothers wait). A node
//! offers "the next move" and "all later ones" to rayon's work stealing; a thread with nothing to do takes the oldest,
//! largest offer, and with one thread no offer is ever taken. Threads share the transposition table, the weights and
//! nothing else. A node that is cut tells the searches below it by a flag, which they look at as they enter a node.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::ordering::Candidate;
use super::probcut::Cuts;
use super::{CHECK_EVERY, Engine, NEAR_BITS, Stop};
use crate::eval::evaluator::Evaluator;
use crate::search::tt::{NO_MOVE, Table};

/// The threads of an engine, and searchers that wait for work.
pub(super) struct Team<const N: usize> {
    pool: rayon::ThreadPool,
    idle: Mutex<Vec<Engine<N>>>,
}

impl<const N: usize> Team<N> {
    pub(super) fn new(threads: usize) -> Result<Arc<Self>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Arc::new(Team { pool, idle: Mutex::new(Vec::new()) }))
    }

    pub(super) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Searchers that wait remember nothing of another game.
    pub(super) fn forget(&self) {
        self.waiting().clear();
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Vec<Engine<N>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A node whose moves are shared out.
pub(super) struct Split {
    /// A move was good enough: the others need no answer.
    cut: AtomicBool,
    /// A search below ended without an answer, for want of time.
    unfinished: AtomicBool,
    /// The nodes of the searchers that helped.
    nodes: AtomicU64,
    /// The split above, whose end is this one's end too.
    above: Option<Arc<Split>>,
}

impl Split {
    /// Whether nobody waits for an answer from below this node any more.
    pub(super) fn is_over(&self) -> bool {
        self.cut.load(Relaxed) || self.above.as_ref().is_some_and(|above| above.is_over())
    }
}

/// No score yet, below every score.
const NONE: (i32, u8) = (i32::MIN, NO_MOVE);

/// What a searcher must know to help at a split.
struct Place<const N: usize> {
    evaluator: Evaluator<N>,
    cuts: Arc<Cuts>,
    tt: Arc<Table>,
    team: Arc<Team<N>>,
    split: Arc<Split>,
    level: u8,
    solve_level: u8,
    nodes: u64,
    hard_ms: f64,
}

impl<const N: usize> Place<N> {
    fn of(engine: &Engine<N>, team: &Arc<Team<N>>, split: &Arc<Split>) -> Self {
        Place {
            evaluator: engine.evaluator.clone(),
            cuts: engine.cuts.clone(),
            tt: engine.tt.clone(),
            team: team.clone(),
            split: split.clone(),
            level: engine.level,
            solve_level: engine.solve_level,
            nodes: engine.stop.nodes.saturating_sub(engine.nodes),
            hard_ms: engine.stop.hard_ms,
        }
    }

    /// A searcher of the team, one that waits or a new one, put in this place.
    fn helper(self, waiting: Option<Engine<N>>) -> Engine<N> {
        let near = waiting.map_or_else(|| Table::new(NEAR_BITS), |engine| engine.near);
        Engine {
            evaluator: self.evaluator,
            cuts: self.cuts,
            tt: self.tt,
            near,
            level: self.level,
            solve_level: self.solve_level,
            nodes: 0,
            stop: Stop::new(self.nodes, self.hard_ms, 0, CHECK_EVERY),
            stopped: false,
            team: Some(self.team),
            split: Some(self.split),
        }
    }
}

impl<const N: usize> Engine<N> {
    /// The best score and move of a null-window node at `alpha`, whose `moves` are tried in order until one exceeds it;
    /// `search` is the score of one move. If `shared`, the team searches all but the first at once. When the engine
    /// has stopped, the answer is worth nothing.
    #[inline(always)]
    pub(super) fn best_of(
        &mut self,
        moves: &[Candidate],
        alpha: i32,
        shared: bool,
        search: impl Fn(&mut Engine<N>, &Candidate) -> i32 + Sync,
    ) -> (i32, u8) {
        let mut best = NONE;
        for (number, candidate) in moves.iter().enumerate() {
            if number == 1
                && shared
                && let Some(team) = self.team.clone()
            {
                let young = team.brothers(self, &moves[1..], alpha, &search);
                return if young.0 > best.0 { young } else { best };
            }
            let score = search(self, candidate);
            if self.stopped {
                return best;
            }
            if score > best.0 {
                best = (score, candidate.square);
                if score > alpha {
                    break;
                }
            }
        }
        best
    }
}

impl<const N: usize> Team<N> {
    fn brothers(
        self: &Arc<Self>,
        engine: &mut Engine<N>,
        moves: &[Candidate],
        alpha: i32,
        search: &(impl Fn(&mut Engine<N>, &Candidate) -> i32 + Sync),
    ) -> (i32, u8) {
        let above = engine.split.take();
        let split = Arc::new(Split {
            cut: AtomicBool::new(false),
            unfinished: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            above: above.clone(),
        });
        engine.split = Some(split.clone());
        let found = self.share(engine, moves, alpha, &split, search);
        engine.split = above;
        engine.nodes += split.nodes.load(Relaxed);
        // That this node is decided stops the searches below it, not the one it is part of.
        let over_above = engine.split.as_ref().is_some_and(|split| split.is_over());
        engine.stopped = over_above || !split.cut.load(Relaxed) && split.unfinished.load(Relaxed);
        found
    }

    /// The first move here, the later ones wherever a thread is free.
    fn share(
        self: &Arc<Self>,
        engine: &mut Engine<N>,
        moves: &[Candidate],
        alpha: i32,
        split: &Arc<Split>,
        search: &(impl Fn(&mut Engine<N>, &Candidate) -> i32 + Sync),
    ) -> (i32, u8) {
        let [first, later @ ..] = moves else { return NONE };
        if split.is_over() || split.unfinished.load(Relaxed) {
            return NONE;
        }
        let one = |engine: &mut Engine<N>| {
            let score = search(engine, first);
            if engine.stopped {
                split.unfinished.store(true, Relaxed);
                return NONE;
            }
            if score > alpha {
                split.cut.store(true, Relaxed);
            }
            (score, first.square)
        };
        if later.is_empty() {
            return one(engine);
        }
        let place = Place::of(engine, self, split);
        let here = Mutex::new(engine);
        let own = || here.try_lock().expect("what a thread keeps it does one after the other");
        let (a, b) = rayon::join_context(
            |_| one(&mut own()),
            |context| {
                if !context.migrated() {
                    return self.share(&mut own(), later, alpha, split, search);
                }
                let waiting = self.waiting().pop();
                let mut helper = place.helper(waiting);
                let found = self.share(&mut helper, later, alpha, split, search);
                split.nodes.fetch_add(helper.nodes, Relaxed);
                // Without its place, or the team would own itself.
                (helper.team, helper.split) = (None, None);
                self.waiting().push(helper);
                found
            },
        );
        if b.0 > a.0 { b } else { a }
    }
}
