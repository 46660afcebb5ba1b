//! The transposition table: bounds on the value of positions already searched.
//!
//! An entry keeps the whole board (two words), so a hit is never a mistaken one. Two entries share a bucket, which
//! is one cache line: the first keeps the deeper search, the second the latest. A generation number makes clearing
//! free: entries of another generation count as empty, so a table "cleared" between games behaves to the node like a
//! new one. Threads may share a table without locks: the board is kept xored with the rest of the entry, so an entry
//! of which two threads have written halves fits no board (R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation for parallel search", 2002).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Entry {
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

    #[inline(always)]
    fn pack(self) -> u64 {
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from_le_bytes([0, 0, 0, 0, self.depth, self.level, self.best, self.generation])
    }

    #[inline(always)]
    fn unpack(word: u64) -> Entry {
        let [.., depth, level, best, generation] = word.to_le_bytes();
        Entry { lower: word as i16, upper: (word >> 16) as i16, depth, level, best, generation }
    }
}

/// The level of exact endgame bounds, above every midgame level.
pub const SOLVED: u8 = 16;

/// The lowest level of solves with forward cuts: `SOLVE_LEVEL` + their selectivity. Above every midgame level.
pub const SOLVE_LEVEL: u8 = 8;

/// No best move.
pub const NO_MOVE: u8 = 255;

/// An entry as it lies in memory: the two words of the board, each xored with the third, which is the packed rest.
#[derive(Default)]
#[repr(C)]
struct Slot {
    board: [AtomicU64; 2],
    rest: AtomicU64,
}

impl Slot {
    /// The entry, if it is of this position and of this generation.
    #[inline(always)]
    fn holds(&self, key: [u64; 2], generation: u8) -> Option<Entry> {
        let rest = self.rest.load(Relaxed);
        let same = self.board[0].load(Relaxed) ^ rest == key[0] && self.board[1].load(Relaxed) ^ rest == key[1];
        let entry = Entry::unpack(rest);
        (same && entry.generation == generation).then_some(entry)
    }

    #[inline(always)]
    fn write(&self, key: [u64; 2], entry: Entry) {
        let rest = entry.pack();
        self.board[0].store(key[0] ^ rest, Relaxed);
        self.board[1].store(key[1] ^ rest, Relaxed);
        self.rest.store(rest, Relaxed);
    }
}

/// Two entries in one cache line.
#[derive(Default)]
#[repr(C, align(64))]
struct Bucket([Slot; 2]);

/// A table of 2^bits entries.
pub struct Table {
    buckets: Buckets,
    shift: u32,
    generation: AtomicU8,
}

/// The memory of a table: zeroed buckets on huge pages, where the system has them. A random read of a table on small
/// pages misses the address cache nearly every time.
struct Buckets {
    memory: MmapMut,
    /// Where in it they begin: on a boundary of huge pages, so that even a small table lies on one.
    start: usize,
    count: usize,
}

/// The usual size of a huge page.
const HUGE_PAGE: usize = 2 << 20;

impl Buckets {
    fn new(count: usize) -> Buckets {
        let bytes = count * size_of::<Bucket>();
        let memory = MmapMut::map_anon(bytes.next_multiple_of(HUGE_PAGE) + HUGE_PAGE)
            .unwrap_or_else(|error| panic!("a transposition table of {} MiB: {error}", bytes >> 20));
        #[cfg(target_os = "linux")]
        // Advice alone: a system without huge pages goes on with small ones.
        let _ = memory.advise(memmap2::Advice::HugePage);
        let at = memory.as_ptr().addr();
        Buckets { start: at.next_multiple_of(HUGE_PAGE) - at, memory, count }
    }
}

impl std::ops::Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: the mapping is a huge page longer than the buckets, so `count` of them fit behind its first boundary;
        // zero bytes are valid buckets, whose parts are atomic.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(self.start).cast(), self.count) }
    }
}

/// The hash of a position: one product mixes both words into the high bits.
#[inline(always)]
pub fn hash(key: [u64; 2]) -> u64 {
    let mixed = key[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key[1].rotate_left(32);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Table {
    /// An empty table of 2^`bits` entries (32 bytes each); at least 2.
    pub fn new(bits: u32) -> Table {
        let bits = bits.max(1);
        Table { buckets: Buckets::new(1 << (bits - 1)), shift: 64 - bits, generation: AtomicU8::new(1) }
    }

    /// The largest table of at most `megabytes` MiB.
    pub fn with_megabytes(megabytes: usize) -> Table {
        let entries = (megabytes.max(1) << 20) / (size_of::<Bucket>() / 2);
        Table::new(entries.ilog2())
    }

    /// Forgets everything. No search may be using the table.
    pub fn clear(&self) {
        let mut generation = self.generation();
        if generation == u8::MAX {
            self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(|slot| slot.write([0, 0], Entry::default()));
            generation = 0;
        }
        self.generation.store(generation + 1, Relaxed);
    }

    #[inline(always)]
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    #[inline(always)]
    fn bucket(&self, key: [u64; 2]) -> &Bucket {
        let at = (hash(key) >> self.shift) as usize >> 1;
        debug_assert!(at < self.buckets.len());
        // SAFETY: the hash is shifted down to the bits of the entry count, and a bucket has two entries.
        unsafe { self.buckets.get_unchecked(at) }
    }

    /// Asks memory for the entry of a position that will soon be probed.
    #[inline(always)]
    pub fn prefetch(&self, key: [u64; 2]) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing the program can see.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of a position, if it is there.
    #[inline(always)]
    pub fn probe(&self, key: [u64; 2]) -> Option<Entry> {
        let (bucket, generation) = (self.bucket(key), self.generation());
        bucket.0[0].holds(key, generation).or_else(|| bucket.0[1].holds(key, generation))
    }

    /// Stores what a search found: `score` relative to the window `(alpha, beta)` it was searched with.
    /// Bounds of an equal search are narrowed, not replaced.
    #[expect(clippy::too_many_arguments, reason = "each is one field of the entry, and callers are hot")]
    #[inline(always)]
    pub fn store(&self, key: [u64; 2], depth: u8, level: u8, alpha: i32, beta: i32, score: i32, best: u8, worst: i32) {
        let generation = self.generation();
        let bucket = self.bucket(key);
        let lower = if score > alpha { score } else { -worst } as i16;
        let upper = if score < beta { score } else { worst } as i16;
        let found = Entry { lower, upper, depth, level, best, generation };
        for slot in &bucket.0 {
            let Some(mut entry) = slot.holds(key, generation) else { continue };
            if entry.depth == depth && entry.level == level {
                entry.lower = entry.lower.max(lower);
                entry.upper = entry.upper.min(upper);
                if entry.lower > entry.upper {
                    (entry.lower, entry.upper) = (lower, upper);
                }
                if score > alpha || entry.best == NO_MOVE {
                    entry.best = best;
                }
            } else if entry.outranks(depth, level) {
                // What is known is worth more than what was found.
                if entry.best == NO_MOVE {
                    entry.best = best;
                }
            } else {
                let best = if score > alpha || entry.best == NO_MOVE { best } else { entry.best };
                entry = Entry { best, ..found };
            }
            slot.write(key, entry);
            return;
        }
        let first = Entry::unpack(bucket.0[0].rest.load(Relaxed));
        let first_is_worth_more = first.generation == generation && first.depth > depth;
        bucket.0[usize::from(first_is_worth_more)].write(key, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORST: i32 = 1024;

    #[test]
    fn bounds_narrow_and_clearing_forgets() {
        let table = Table::new(8);
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
        let table = Table::new(1);
        table.store([1, 0], 9, 0, 0, 1, 5, 1, WORST);
        table.store([2, 0], 3, 0, 0, 1, 5, 1, WORST);
        table.store([3, 0], 4, 0, 0, 1, 5, 1, WORST);
        assert!(table.probe([1, 0]).is_some() && table.probe([2, 0]).is_none() && table.probe([3, 0]).is_some());
    }
}
