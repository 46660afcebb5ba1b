//! Continuous fours (VCF): wins in which every move of the attacker is a four and every answer forced.
//!
//! The attacker tries its fours; the defender must fill the cell of the five. A four wins if it leaves two such cells,
//! or one that is forbidden to a black defender; it fails if the defender has a five of its own. If the forced stone
//! makes a four, the attacker has to stop that with a four. Fours that make nothing else on their other lines seldom
//! lead on: they are tried last, and only where many fours may be tried. Results are kept in a table with the number of
//! four moves that were granted: a failure counts only for searches that may spend no more.

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
    /// The kinds of fours that were tried.
    kinds: u8,
    /// The moves of the attacker that were looked ahead.
    deepest: u8,
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

    fn store(&mut self, key: u64, distance: i32, best: usize, budget: u32, kinds: usize, deepest: u32) {
        let entry = &mut self.entries[(key >> self.shift) as usize];
        if distance == 0 && entry.distance > 0 && entry.generation == self.generation {
            return; // Wins are few and worth more.
        }
        let (distance, budget, best) = (distance as u16, budget as u16, best as u8);
        let (kinds, deepest, generation) = (kinds as u8, deepest as u8, self.generation);
        *entry = Entry { key, distance, budget, best, kinds, deepest, generation };
    }
}

/// The deepest line of fours, in moves of the attacker.
const DEEPEST: u32 = 60;

/// The kinds of fours, the most promising first; [`kind::BARE_FOUR`] is the last.
const ORDER: [usize; 4] = [kind::OPEN_FOUR, kind::FOUR_THREE, kind::FOUR, kind::BARE_FOUR];
/// From this many fours on bare ones are among them.
const BARE_FROM: u32 = 200;

impl Engine {
    /// A win of `me`, who is to move, by continuous fours: its first point and its length in plies. At most `budget`
    /// (below 2^16) fours are tried. Neither side may have a five to make, but `me` may have one to stop.
    pub(super) fn continuous_fours(&mut self, me: usize, budget: u32) -> Option<(usize, i32)> {
        let kinds = ORDER.len() - usize::from(budget < BARE_FROM);
        if ORDER[..kinds].iter().all(|&kind| self.set(me, kind).is_empty()) {
            return None;
        }
        let mut left = budget;
        self.fours(me, &mut left, DEEPEST, kinds)
    }

    /// The same at the root, short lines first: a long one that fails can eat up any budget.
    pub(super) fn root_fours(&mut self, me: usize, budget: u32) -> Option<(usize, i32)> {
        let mut left = budget;
        let deeper =
            std::iter::successors(Some(4), |deepest| Some(2 * deepest)).take_while(|&deepest| deepest < DEEPEST);
        for deepest in deeper {
            let found = self.fours(me, &mut left, deepest, ORDER.len());
            if found.is_some() {
                return found;
            }
        }
        self.continuous_fours(me, budget)
    }

    fn fours(&mut self, me: usize, left: &mut u32, deepest: u32, kinds: usize) -> Option<(usize, i32)> {
        if let Some(point) = self.set(me, kind::FIVE).iter().next() {
            return Some((point, 1));
        }
        let fives = self.set(1 - me, kind::FIVE);
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
        let key = self.key(me)[0];
        if let Some(entry) = self.fours.probe(key) {
            if entry.distance > 0 {
                return Some((entry.best as usize, i32::from(entry.distance)));
            }
            let (budget, ahead) = (u32::from(entry.budget), u32::from(entry.deepest));
            if budget >= *left && usize::from(entry.kinds) >= kinds && ahead >= deepest {
                return None;
            }
        }
        let granted = *left;
        let found = self.try_fours(me, left, deepest, kinds, stop);
        let (point, distance) = found.unwrap_or((0, 0));
        self.fours.store(key, distance, point, granted, kinds, deepest);
        found
    }

    /// Each four of these kinds in turn; with a five to `stop`, only one that stops it.
    fn try_fours(
        &mut self,
        me: usize,
        left: &mut u32,
        deepest: u32,
        kinds: usize,
        stop: Option<usize>,
    ) -> Option<(usize, i32)> {
        for kind in &ORDER[..kinds] {
            for point in self.set(me, *kind).iter() {
                if stop.is_some_and(|stop| stop != point) || self.is_forbidden(me, point) {
                    continue;
                }
                if *left == 0 {
                    return None;
                }
                *left -= 1;
                self.place_unsummed(point, me);
                let distance = self.after_four(me, left, deepest, kinds);
                self.take_back(point, me);
                if distance > 0 {
                    return Some((point, distance + 1));
                }
            }
        }
        None
    }

    /// Plies to the win behind a four of `me`, the defender to move; 0 where it does not win.
    fn after_four(&mut self, me: usize, left: &mut u32, deepest: u32, kinds: usize) -> i32 {
        let other = 1 - me;
        if !self.set(other, kind::FIVE).is_empty() {
            return 0;
        }
        let cells = self.set(me, kind::FIVE);
        let Some(cell) = cells.iter().next() else { return 0 };
        if cells.count() > 1 || other == BLACK && self.is_forbidden(BLACK, cell) {
            return 2;
        }
        self.place_unsummed(cell, other);
        let found = self.fours(me, left, deepest - 1, kinds);
        self.take_back(cell, other);
        found.map_or(0, |(_, distance)| distance + 1)
    }
}
