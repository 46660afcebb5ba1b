//! Continuous fours (VCF): wins in which every move of the attacker is a four and every answer forced.
//!
//! The attacker tries its fours; the defender must fill the cell of the five. A four wins if it leaves two such cells,
//! or one that is forbidden to a black defender; it fails if the defender has a five of its own. If the forced stone
//! makes a four, the attacker has to stop that with a four. Results are kept in a table with the number of four moves
//! that were spent: a failure counts only for searches that may spend no more.

use super::{BLACK, Engine};
use crate::eval::renju::classes::kind;

/// A remembered result.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    /// Plies to the win, 0 where there is none.
    distance: u16,
    /// The four moves the search was allowed.
    budget: u16,
    best: u8,
    generation: u8,
}

/// A table of results of 2^bits entries; clearing it costs nothing.
pub struct FourTable {
    entries: Vec<Entry>,
    shift: u32,
    generation: u8,
}

impl FourTable {
    /// An empty table.
    pub fn new(bits: u32) -> FourTable {
        let bits = bits.max(1);
        FourTable { entries: vec![Entry::default(); 1 << bits], shift: 64 - bits, generation: 1 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.generation == u8::MAX {
            self.entries.fill(Entry::default());
            self.generation = 0;
        }
        self.generation += 1;
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[(key >> self.shift) as usize];
        (entry.key == key && entry.generation == self.generation).then_some(entry)
    }

    fn store(&mut self, key: u64, distance: i32, best: usize, budget: u32) {
        let entry = &mut self.entries[(key >> self.shift) as usize];
        let budget = budget.min(u32::from(u16::MAX)) as u16;
        *entry = Entry { key, distance: distance as u16, budget, best: best as u8, generation: self.generation };
    }
}

/// The deepest line of fours, in moves of the attacker.
const DEEPEST: u32 = 60;

impl Engine {
    /// A win of `me`, who is to move, by continuous fours: its first point and its length in plies. At most `budget`
    /// fours are tried. Neither side may have a five to make, but `me` may have one to stop.
    pub(super) fn continuous_fours(&mut self, me: usize, budget: u32) -> Option<(usize, i32)> {
        if !self.has_four(me) {
            return None;
        }
        let key = self.key(me)[0];
        if let Some(entry) = self.fours.probe(key) {
            if entry.distance > 0 {
                return Some((entry.best as usize, i32::from(entry.distance)));
            }
            if u32::from(entry.budget) >= budget.min(u32::from(u16::MAX)) {
                return None;
            }
        }
        let mut left = budget;
        let found = self.fours(me, &mut left, DEEPEST);
        let (point, distance) = found.unwrap_or((0, 0));
        self.fours.store(key, distance, point, budget);
        found
    }

    #[inline(always)]
    fn has_four(&self, me: usize) -> bool {
        !(self.set(me, kind::FOUR).is_empty()
            && self.set(me, kind::FOUR_THREE).is_empty()
            && self.set(me, kind::OPEN_FOUR).is_empty())
    }

    fn fours(&mut self, me: usize, left: &mut u32, deepest: u32) -> Option<(usize, i32)> {
        if let Some(point) = self.set(me, kind::FIVE).iter().next() {
            return Some((point, 1));
        }
        let other = 1 - me;
        let fives = self.set(other, kind::FIVE);
        let stop = fives.iter().next();
        if fives.count() > 1 {
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
        for kind in [kind::OPEN_FOUR, kind::FOUR_THREE, kind::FOUR] {
            for point in self.set(me, kind).iter() {
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
        if !self.set(other, kind::FIVE).is_empty() {
            return 0;
        }
        let cells = self.set(me, kind::FIVE);
        let Some(cell) = cells.iter().next() else { return 0 };
        if cells.count() > 1 || other == BLACK && self.is_forbidden(BLACK, cell) {
            return 2;
        }
        self.place(cell, other);
        let found = self.fours(me, left, deepest - 1);
        self.take_back(cell, other);
        found.map_or(0, |(_, distance)| distance + 1)
    }
}
