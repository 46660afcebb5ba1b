//! When a search stops: its node limit and its clock, looked at once in a while.
//!
//! Looking at a clock at every node would cost more than the node; a search therefore counts its nodes and asks only
//! when the next look is due.

use super::Limits;

/// What ends a search, in its own words.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    /// At this many nodes the search is over.
    pub nodes: u64,
    /// In the clock's milliseconds.
    pub hard_ms: f64,
    /// The nodes at which the next look is due.
    next_look: u64,
    /// The nodes between two looks.
    every: u64,
}

impl Stop {
    /// No limit.
    pub const NEVER: Stop = Stop { nodes: u64::MAX, hard_ms: f64::INFINITY, next_look: u64::MAX, every: 1 };

    /// A limit on nodes and on the clock for a search that has `searched` nodes behind it.
    pub fn new(nodes: u64, hard_ms: f64, searched: u64, every: u64) -> Stop {
        Stop { nodes, hard_ms, next_look: (searched + every).min(nodes), every }
    }

    /// The limits of a search that has `searched` nodes behind it.
    pub fn at(limits: &Limits, searched: u64, every: u64) -> Stop {
        Stop::new(limits.nodes, limits.time.map_or(f64::INFINITY, |time| time.hard_ms), searched, every)
    }

    /// Whether it is time to look, with `searched` nodes.
    #[inline(always)]
    pub fn is_due(&self, searched: u64) -> bool {
        searched >= self.next_look
    }

    /// Looks: whether a limit has been reached. Once one has, every later look is due.
    #[cold]
    pub fn is_reached(&mut self, searched: u64, limits: &Limits) -> bool {
        let reached = searched >= self.nodes || limits.time.is_some_and(|time| time.clock.now_ms() >= self.hard_ms);
        self.next_look = if reached { 0 } else { (searched + self.every).min(self.nodes) };
        reached
    }
}
