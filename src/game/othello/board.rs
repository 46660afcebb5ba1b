//! Two bitboards seen from the side to move, and the symmetries of the grid.
//!
//! Bit 8·row + column stands for a square, counted from the top left. The middle of the grid is the same for every
//! board size, so nothing here but [`squares`] knows how large the board is.

use super::flips;
use crate::game::symmetry;

/// The discs of the side to move and of its opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The board after the side to move placed a disc on `square` and turned what it must; the sides change.
    /// The move must be legal.
    #[inline]
    pub fn play(self, square: usize) -> Board {
        let flipped = flips::flips(self.player, self.opponent, square);
        Board { player: self.opponent ^ flipped, opponent: self.player ^ flipped ^ (1 << square) }
    }

    /// The board after a pass.
    #[inline]
    pub fn pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// The image under symmetry `s` of [`symmetry`].
    pub fn transformed(self, s: usize) -> Board {
        Board { player: transform(self.player, s), opponent: transform(self.opponent, s) }
    }
}

/// The grid squares of a centred N×N board.
pub const fn squares(n: usize) -> u64 {
    let mut mask = 0u64;
    let offset = (8 - n) / 2;
    let mut row = 0;
    while row < n {
        let mut col = 0;
        while col < n {
            mask |= 1 << (8 * (row + offset) + col + offset);
            col += 1;
        }
        row += 1;
    }
    mask
}

/// The set bits of `mask`, lowest first.
pub fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let square = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            square
        })
    })
}

/// The image of a bitboard under symmetry `s` of [`symmetry`]: transposition, then row and column mirrors.
pub fn transform(mask: u64, s: usize) -> u64 {
    let mut m = mask;
    if s & 4 != 0 {
        m = transpose(m);
    }
    if s & 2 != 0 {
        m = m.swap_bytes();
    }
    if s & 1 != 0 {
        m = m.swap_bytes().reverse_bits();
    }
    m
}

/// Swaps rows and columns: blocks of 1, 2 and 4 squares across the main diagonal are exchanged in turn.
fn transpose(mut m: u64) -> u64 {
    for (mask, shift) in [(0x00aa_00aa_00aa_00aa, 7), (0x0000_cccc_0000_cccc, 14), (0x0000_0000_f0f0_f0f0, 28)] {
        let t = (m ^ (m >> shift)) & mask;
        m ^= t ^ (t << shift);
    }
    m
}

/// The image of one square under symmetry `s`.
pub fn transform_square(square: usize, s: usize) -> usize {
    let (row, col) = symmetry::map(s, square / 8, square % 8, 8);
    8 * row + col
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitboards_and_squares_move_alike() {
        for s in 0..symmetry::COUNT {
            for square in 0..64 {
                assert_eq!(transform(1 << square, s), 1 << transform_square(square, s), "symmetry {s} of {square}");
            }
        }
    }

    #[test]
    fn small_boards_sit_in_the_middle() {
        assert_eq!(squares(8), !0);
        assert_eq!(squares(6), 0x007e_7e7e_7e7e_7e00);
        assert_eq!(squares(4), 0x0000_3c3c_3c3c_0000);
    }
}
