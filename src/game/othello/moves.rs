//! Move generation: all squares where a disc may be placed, by parallel prefix.
//!
//! In each of the eight directions, runs of opponent discs that start next to a player's disc are grown by
//! doubling (1, 2, then 2 more twice: a run is at most six long); the square behind a run, if empty, is a move.
//! Two directions that differ only in sign share the mask of opponent discs that do not wrap round the board.

/// The empty squares where `player` may place a disc against `opponent`.
#[inline(always)]
pub fn mobility(player: u64, opponent: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        avx2::mobility(player, opponent)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        portable(player, opponent)
    }
}

/// The plain form of [`mobility`]: the oracle of the vector forms.
pub fn portable(player: u64, opponent: u64) -> u64 {
    // Discs on the left and right edge cannot be inside a horizontal or diagonal run.
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    let moves = both_ways(player, inner, 1)
        | both_ways(player, opponent, 8)
        | both_ways(player, inner, 7)
        | both_ways(player, inner, 9);
    moves & !(player | opponent)
}

#[inline(always)]
fn both_ways(player: u64, opponent: u64, shift: u32) -> u64 {
    let mut up = opponent & (player << shift);
    let mut down = opponent & (player >> shift);
    up |= opponent & (up << shift);
    down |= opponent & (down >> shift);
    let pairs_up = opponent & (opponent << shift);
    let pairs_down = pairs_up >> shift;
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    (up << shift) | (down >> shift)
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    //! The four axes in the four lanes of an AVX2 register.

    use std::arch::x86_64::*;

    #[inline(always)]
    pub fn mobility(player: u64, opponent: u64) -> u64 {
        // SAFETY: this module is compiled only where AVX2 is a feature of the target, and no memory is touched.
        unsafe {
            let shift = _mm256_set_epi64x(7, 9, 8, 1);
            let shift2 = _mm256_add_epi64(shift, shift);
            let p = _mm256_set1_epi64x(player as i64);
            let inner = 0x7e7e_7e7e_7e7e_7e7e_u64 as i64;
            let o = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), _mm256_set_epi64x(inner, inner, -1, inner));
            let mut up = _mm256_and_si256(o, _mm256_sllv_epi64(p, shift));
            let mut down = _mm256_and_si256(o, _mm256_srlv_epi64(p, shift));
            up = _mm256_or_si256(up, _mm256_and_si256(o, _mm256_sllv_epi64(up, shift)));
            down = _mm256_or_si256(down, _mm256_and_si256(o, _mm256_srlv_epi64(down, shift)));
            let pairs_up = _mm256_and_si256(o, _mm256_sllv_epi64(o, shift));
            let pairs_down = _mm256_srlv_epi64(pairs_up, shift);
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, shift2)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, shift2)));
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, shift2)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, shift2)));
            let moves = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
            let halves = _mm_or_si128(_mm256_castsi256_si128(moves), _mm256_extracti128_si256(moves, 1));
            let folded = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
            _mm_cvtsi128_si64(folded) as u64 & !(player | opponent)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, Rng, stream};

    /// The rule of the statement, one square at a time.
    fn slow(player: u64, opponent: u64, square: usize) -> bool {
        if (player | opponent) >> square & 1 == 1 {
            return false;
        }
        let (row, col) = ((square / 8) as i32, (square % 8) as i32);
        (-1..=1).flat_map(|dr| (-1..=1).map(move |dc| (dr, dc))).filter(|&d| d != (0, 0)).any(|(dr, dc)| {
            let (mut r, mut c, mut run) = (row + dr, col + dc, 0);
            while (0..8).contains(&r) && (0..8).contains(&c) && opponent >> (8 * r + c) & 1 == 1 {
                (r, c, run) = (r + dr, c + dc, run + 1);
            }
            run > 0 && (0..8).contains(&r) && (0..8).contains(&c) && player >> (8 * r + c) & 1 == 1
        })
    }

    #[test]
    fn moves_agree_with_the_rule_square_by_square() {
        let mut rng = stream(1, Domain::Test, 0);
        for _ in 0..20_000 {
            let occupied = rng.next_u64() | rng.next_u64();
            let player = occupied & rng.next_u64();
            let opponent = occupied & !player;
            let expected = (0..64).filter(|&square| slow(player, opponent, square)).fold(0, |m, s| m | 1u64 << s);
            assert_eq!(portable(player, opponent), expected, "{player:016x} {opponent:016x}");
            assert_eq!(mobility(player, opponent), expected, "{player:016x} {opponent:016x}");
        }
    }
}
