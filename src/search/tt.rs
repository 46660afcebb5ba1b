//! The transposition table: bounds on the value of positions already searched.
//!
//! An entry keeps the whole board (two words), so a hit is never a mistaken one. Two entries share a bucket: the
//! first keeps the deeper search, the second the latest. A generation number makes clearing free: entries of
//! another generation count as empty, so a table "cleared" between games behaves to the node like a new one.

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Entry {
    /// The position: two words that identify it.
    pub key: [u64; 2],
    /// The value is at least this.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
    /// The depth of the search behind the bounds (empties, when solved).
    pub depth: u8,
    /// How sure the bounds are: the selectivity level of the search, [`SOLVED`] for exact endgames.
    pub level: u8,
    /// The best move, [`NO_MOVE`] if none is known.
    pub best: u8,
    generation: u8,
}

impl Entry {
    /// Whether its bounds come from a better search than one of this depth and level: a solve before any midgame
    /// search, then the deeper, then the surer.
    #[inline(always)]
    fn outranks(&self, depth: u8, level: u8) -> bool {
        let rank = |depth: u8, level: u8| (level >= SOLVE_LEVEL, u16::from(depth) << 8 | u16::from(level));
        rank(self.depth, self.level) > rank(depth, level)
    }
}

/// The level of exact endgame bounds, above every midgame level.
pub const SOLVED: u8 = 16;

/// The lowest level of solves with forward cuts: `SOLVE_LEVEL` + their selectivity. Above every midgame level.
pub const SOLVE_LEVEL: u8 = 8;

/// No best move.
pub const NO_MOVE: u8 = 255;

/// A table of 2^bits entries.
pub struct Table {
    entries: Vec<Entry>,
    shift: u32,
    generation: u8,
}

/// The hash of a position: one product mixes both words into the high bits.
#[inline(always)]
pub fn hash(key: [u64; 2]) -> u64 {
    let mixed = key[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key[1].rotate_left(32);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Table {
    /// An empty table of 2^`bits` entries (24 bytes each); at least 2.
    pub fn new(bits: u32) -> Table {
        let bits = bits.max(1);
        Table { entries: vec![Entry::default(); 1 << bits], shift: 64 - bits, generation: 1 }
    }

    /// The largest table of at most `megabytes` MiB.
    pub fn with_megabytes(megabytes: usize) -> Table {
        let entries = (megabytes.max(1) << 20) / size_of::<Entry>();
        Table::new(entries.ilog2())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.generation == u8::MAX {
            self.entries.fill(Entry::default());
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline(always)]
    fn bucket(&self, key: [u64; 2]) -> usize {
        (hash(key) >> self.shift) as usize & !1
    }

    /// The entry of a position, if it is there.
    #[inline(always)]
    pub fn probe(&self, key: [u64; 2]) -> Option<Entry> {
        let bucket = self.bucket(key);
        let pair = &self.entries[bucket..bucket + 2];
        pair.iter().find(|entry| entry.key == key && entry.generation == self.generation).copied()
    }

    /// Stores what a search found: `score` relative to the window `(alpha, beta)` it was searched with.
    /// Bounds of an equal search are narrowed, not replaced.
    #[expect(clippy::too_many_arguments, reason = "each is one field of the entry, and callers are hot")]
    #[inline(always)]
    pub fn store(
        &mut self,
        key: [u64; 2],
        depth: u8,
        level: u8,
        alpha: i32,
        beta: i32,
        score: i32,
        best: u8,
        worst: i32,
    ) {
        let bucket = self.bucket(key);
        let generation = self.generation;
        let pair = &mut self.entries[bucket..bucket + 2];
        let lower = if score > alpha { score } else { -worst } as i16;
        let upper = if score < beta { score } else { worst } as i16;
        let same = pair.iter().position(|entry| entry.key == key && entry.generation == generation);
        if let Some(same) = same {
            let entry = &mut pair[same];
            if entry.depth == depth && entry.level == level {
                entry.lower = entry.lower.max(lower);
                entry.upper = entry.upper.min(upper);
                if entry.lower > entry.upper {
                    (entry.lower, entry.upper) = (lower, upper);
                }
                if score > alpha || entry.best == NO_MOVE {
                    entry.best = best;
                }
                return;
            }
            if (entry.level == SOLVED, entry.depth) > (level == SOLVED, depth) {
                // What is known is worth more than what was found.
                if entry.best == NO_MOVE {
                    entry.best = best;
                }
                return;
            }
            if entry.outranks(depth, level) {
                if entry.best == NO_MOVE {
                    entry.best = best;
                }
                return;
            }
            let best = if score > alpha || entry.best == NO_MOVE { best } else { entry.best };
            *entry = Entry { key, lower, upper, depth, level, best, generation };
            return;
        }
        let first_is_worth_more = pair[0].generation == generation && pair[0].depth > depth;
        pair[usize::from(first_is_worth_more)] = Entry { key, lower, upper, depth, level, best, generation };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORST: i32 = 1024;

    #[test]
    fn bounds_narrow_and_clearing_forgets() {
        let mut table = Table::new(8);
        let key = [5, 9];
        assert_eq!(table.probe(key), None);
        table.store(key, 4, 0, 10, 11, 20, 3, WORST);
        table.store(key, 4, 0, 30, 31, 25, 7, WORST);
        let entry = table.probe(key).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.best), (20, 25, 3));
        table.clear();
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn a_full_bucket_keeps_the_deeper_entry_and_the_latest() {
        let mut table = Table::new(1);
        table.store([1, 0], 9, 0, 0, 1, 5, 1, WORST);
        table.store([2, 0], 3, 0, 0, 1, 5, 1, WORST);
        table.store([3, 0], 4, 0, 0, 1, 5, 1, WORST);
        assert!(table.probe([1, 0]).is_some() && table.probe([2, 0]).is_none() && table.probe([3, 0]).is_some());
    }
}
