//! Which moves are searched, and in what order.
//!
//! Where the other side threatens an open four, only what can stop it and own fours count; else every point within two
//! steps of a stone. Keys are learned worths of the point codes, and the order is total (key, then point), so that the
//! baked bots search the same tree.

use super::Engine;
use crate::game::renju::POINTS;

/// One move with its place in the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// The point.
    pub point: u8,
    /// Larger is tried earlier.
    pub key: i32,
}

/// The moves of a node.
pub struct Candidates {
    items: [Candidate; POINTS],
    len: usize,
}

impl Candidates {
    /// No move.
    #[inline(always)]
    pub fn none() -> Candidates {
        Candidates { items: [Candidate { point: 0, key: 0 }; POINTS], len: 0 }
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, point: u8, key: i32) {
        self.items[self.len] = Candidate { point, key };
        self.len += 1;
    }

    /// Sorts by key, largest first; equal keys by point.
    pub fn sort(&mut self) {
        self.items[..self.len].sort_unstable_by_key(|candidate| (std::cmp::Reverse(candidate.key), candidate.point));
    }

    /// Brings the next best move to place `from`, behind those already taken.
    #[inline(always)]
    pub fn pick(&mut self, from: usize) -> Candidate {
        let mut best = from;
        for at in from + 1..self.len {
            let (item, top) = (self.items[at], self.items[best]);
            if item.key > top.key || item.key == top.key && item.point < top.point {
                best = at;
            }
        }
        self.items.swap(from, best);
        self.items[from]
    }

    /// Keeps the moves on points that `keep` accepts.
    pub fn retain(&mut self, mut keep: impl FnMut(u8) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            if keep(self.items[at].point) {
                self.items[kept] = self.items[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The moves in their present order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Candidate] {
        &self.items[..self.len]
    }

    /// The moves, to set their keys.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Candidate] {
        &mut self.items[..self.len]
    }
}

impl Engine {
    /// The moves of `me` that are searched where nobody has a five to make and `me` has no open four. Points that are
    /// forbidden to Black are among them.
    pub(super) fn generate(&self, me: usize, moves: &mut Candidates) {
        for point in self.lines.choices(me).iter() {
            moves.push(point as u8, self.evaluator.move_worth(&self.lines, me, point));
        }
    }
}
