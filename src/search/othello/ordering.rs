//! Move ordering: what to try first, midgame and endgame.
//!
//! Every order is total (key, then square), so that the baked bots search the same tree. Endgame keys are those of
//! fastest-first search: few replies for the opponent, corners, odd regions; where the tree below is large enough to
//! pay for it, the learned evaluation of the child joins in.

use std::mem::MaybeUninit;

use crate::game::othello::{Board, Othello, flips, moves};

/// The corners of the grid squares of an N×N board.
pub const fn corners(n: usize) -> u64 {
    let first = (8 - n) / 2;
    let last = first + n - 1;
    1 << (9 * first) | 1 << (8 * first + last) | 1 << (8 * last + first) | 1 << (9 * last)
}

/// One legal move with what it turns and how promising it looks.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// The board after it, seen from the opponent.
    pub child: Board,
    /// Larger is tried earlier.
    pub key: i32,
    /// The moves the opponent has after it.
    pub replies: u64,
    /// The square.
    pub square: u8,
}

impl Candidate {
    /// The discs the move turns on `board`, on which it is made.
    #[inline(always)]
    pub fn flipped(&self, board: Board) -> u64 {
        board.opponent ^ self.child.player
    }
}

/// The most moves a list holds. No position of a game has more than 33; made-up ones stay below 60.
const MOST_MOVES: usize = 60;

/// The moves of a position, kept in order.
pub struct Candidates {
    items: [MaybeUninit<Candidate>; MOST_MOVES],
    len: usize,
}

impl Candidates {
    /// An empty list: a place for [`Candidates::fill`], which writes where the list lies, for it is too long to move.
    #[inline(always)]
    pub const fn none() -> Candidates {
        Candidates { items: [const { MaybeUninit::uninit() }; MOST_MOVES], len: 0 }
    }

    /// All moves of `mobility` on an N×N board, unsorted; `seen` is told each child as soon as it is known.
    #[inline(always)]
    pub fn fill<const N: usize>(&mut self, board: Board, mobility: u64, mut seen: impl FnMut(Board)) {
        let mut rest = mobility;
        let mut len = 0;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let flipped = flips::flips(board.player, board.opponent, square);
            let child = Board { player: board.opponent ^ flipped, opponent: board.player ^ flipped ^ (1 << square) };
            seen(child);
            let replies = moves::mobility(child.player, child.opponent) & Othello::<N>::SQUARES;
            self.items[len].write(Candidate { child, key: 0, replies, square: square as u8 });
            len += 1;
        }
        self.len = len;
    }

    /// The empty squares of the position whose moves these are; everything, without moves.
    #[inline(always)]
    pub fn empties(&self) -> u64 {
        self.as_slice().first().map_or(!0, |first| !(first.child.player | first.child.opponent) | 1 << first.square)
    }

    /// Removes the move to `square`, if it is there; the last takes its place.
    #[inline(always)]
    pub fn take(&mut self, square: u8) -> Option<Candidate> {
        let at = self.as_slice().iter().position(|candidate| candidate.square == square)?;
        let taken = self.as_slice()[at];
        for later in at + 1..self.len {
            self.as_mut_slice()[later - 1] = self.as_slice()[later];
        }
        self.len -= 1;
        Some(taken)
    }

    /// Sorts by key, largest first; equal keys by square.
    #[inline(always)]
    pub fn sort(&mut self) {
        let items = self.as_mut_slice();
        for i in 1..items.len() {
            let item = items[i];
            let mut at = i;
            while at > 0 && items[at - 1].key < item.key {
                items[at] = items[at - 1];
                at -= 1;
            }
            items[at] = item;
        }
    }

    /// The best of the moves from number `from` on, put in that place: the order of [`Candidates::sort`], worked out no
    /// further than it is asked for.
    #[inline(always)]
    pub fn pick(&mut self, from: usize) -> Candidate {
        let rank = |candidate: &Candidate| candidate.key * 64 - i32::from(candidate.square);
        let items = self.as_mut_slice();
        let (mut best, mut at) = (rank(&items[from]), from);
        for (number, item) in items.iter().enumerate().skip(from + 1) {
            let rank = rank(item);
            at = if rank > best { number } else { at };
            best = best.max(rank);
        }
        items.swap(from, at);
        items[from]
    }

    /// How many moves there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.len
    }

    /// The moves in their present order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Candidate] {
        // SAFETY: `fill` has written the first `len` items, and `MaybeUninit` has the layout of what it holds.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
    }

    /// The moves, to set their keys.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Candidate] {
        // SAFETY: as in `as_slice`.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast(), self.len) }
    }
}

/// Mobility of the side to move with corner moves counted twice.
#[inline(always)]
pub fn weighted_mobility<const N: usize>(moves: u64) -> i32 {
    (moves.count_ones() + (moves & const { corners(N) }).count_ones()) as i32
}

/// The parity bits of the four quadrants of the grid: 1 where the number of empty squares is odd.
#[inline(always)]
pub fn parity(empties: u64) -> u32 {
    let odd = |mask: u64| (empties & mask).count_ones() & 1;
    odd(QUADRANTS[0]) | odd(QUADRANTS[1]) << 1 | odd(QUADRANTS[2]) << 2 | odd(QUADRANTS[3]) << 3
}

/// The quadrants: top left, top right, bottom left, bottom right.
pub const QUADRANTS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The parity bit of a square's quadrant.
#[inline(always)]
pub fn quadrant_bit(square: usize) -> u32 {
    1 << ((square >> 2 & 1) + (square >> 4 & 2))
}

/// All squares of the quadrants whose parity bit is set.
pub static ODD_SQUARES: [u64; 16] = {
    let mut table = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if parity >> quadrant & 1 == 1 {
                table[parity] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        parity += 1;
    }
    table
};
