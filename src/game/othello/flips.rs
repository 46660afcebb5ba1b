//! Flips: the opponent's discs that a move turns.
//!
//! From the square of the move, each of the eight rays ends at its first square without an opponent disc; if the
//! player stands there, what lies between is turned. Towards higher bits that square is the lowest set bit of
//! `ray & !opponent`; towards lower bits it is the highest, which the portable form finds by counting leading
//! zeros and the AVX2 form avoids by growing the run square by square (parallel prefix).

/// The discs of `opponent` that `player` turns by a disc on the empty `square`; 0 when the move is illegal.
#[inline(always)]
pub fn flips(player: u64, opponent: u64, square: usize) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        avx2::flips(player, opponent, square)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        portable(player, opponent, square)
    }
}

/// The four rays of a square towards higher bits (right, down, down-right, down-left), then the four towards lower
/// bits (left, up, up-left, up-right).
#[repr(C, align(32))]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let mut table = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            table[square].up[axis] = ray(square, STEPS[axis].0, STEPS[axis].1);
            table[square].down[axis] = ray(square, -STEPS[axis].0, -STEPS[axis].1);
            axis += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: usize, dr: i32, dc: i32) -> u64 {
    let (mut r, mut c) = ((square / 8) as i32 + dr, (square % 8) as i32 + dc);
    let mut mask = 0;
    while r >= 0 && r < 8 && c >= 0 && c < 8 {
        mask |= 1 << (8 * r + c);
        (r, c) = (r + dr, c + dc);
    }
    mask
}

/// The plain form of [`flips`]: the oracle of the vector forms.
#[inline(always)]
pub fn portable(player: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square];
    let mut flipped = 0;
    for &ray in &rays.up {
        let open = ray & !opponent;
        let end = open & open.wrapping_neg() & player;
        // All bits below the end of the run, or none if it is not the player's.
        flipped |= ray & end.wrapping_sub(u64::from(end != 0));
    }
    for &ray in &rays.down {
        let open = ray & !opponent;
        let end = (1u64 << 63 >> (open | 1).leading_zeros()) & open & player;
        // All bits above the end of the run, or none.
        flipped |= ray & (end << 1).wrapping_neg() & u64::from(end != 0).wrapping_neg();
    }
    flipped
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    //! Four rays in the four lanes of an AVX2 register, both directions side by side.

    use super::RAYS;
    use std::arch::x86_64::*;

    #[inline(always)]
    pub fn flips(player: u64, opponent: u64, square: usize) -> u64 {
        let rays = &RAYS[square];
        // SAFETY: this module is compiled only where AVX2 is a feature of the target; `Rays` is 32-byte aligned.
        unsafe {
            let p = _mm256_set1_epi64x(player as i64);
            let o = _mm256_set1_epi64x(opponent as i64);
            let zero = _mm256_setzero_si256();
            let ray = _mm256_load_si256(rays.up.as_ptr().cast());
            let open = _mm256_andnot_si256(o, ray);
            let end = _mm256_and_si256(_mm256_and_si256(open, _mm256_sub_epi64(zero, open)), p);
            // end − 1 where there is an end, 0 elsewhere: −1 is added to all lanes and taken back from the empty ones.
            let below = _mm256_add_epi64(end, _mm256_xor_si256(_mm256_cmpeq_epi64(end, zero), _mm256_set1_epi64x(-1)));
            let up = _mm256_and_si256(below, ray);

            let ray = _mm256_load_si256(rays.down.as_ptr().cast());
            let run = _mm256_and_si256(o, ray);
            // The squares of a ray are one step apart, so smearing its open squares away from the move (towards
            // lower bits, along the ray) leaves exactly the run before the first open square.
            let open = _mm256_andnot_si256(o, ray);
            let shift = _mm256_set_epi64x(7, 9, 8, 1);
            let mut shadow = _mm256_or_si256(open, _mm256_srlv_epi64(open, shift));
            let shift2 = _mm256_add_epi64(shift, shift);
            shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, shift2));
            shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, _mm256_add_epi64(shift2, shift2)));
            let near = _mm256_andnot_si256(shadow, run);
            // The first open square is the only open one that no open square shadows.
            let end = _mm256_andnot_si256(_mm256_srlv_epi64(shadow, shift), open);
            let lost = _mm256_cmpeq_epi64(_mm256_and_si256(end, p), zero);
            let down = _mm256_andnot_si256(lost, near);

            let both = _mm256_or_si256(up, down);
            let halves = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
            let folded = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
            _mm_cvtsi128_si64(folded) as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, Rng, stream};

    /// The rule of the statement, one ray at a time.
    fn slow(player: u64, opponent: u64, square: usize) -> u64 {
        let mut flipped = 0;
        for (dr, dc) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let (mut r, mut c, mut run) = ((square / 8) as i32 + dr, (square % 8) as i32 + dc, 0u64);
            while (0..8).contains(&r) && (0..8).contains(&c) && opponent >> (8 * r + c) & 1 == 1 {
                run |= 1 << (8 * r + c);
                (r, c) = (r + dr, c + dc);
            }
            if (0..8).contains(&r) && (0..8).contains(&c) && player >> (8 * r + c) & 1 == 1 {
                flipped |= run;
            }
        }
        flipped
    }

    #[test]
    fn flips_agree_with_the_rule_ray_by_ray() {
        let mut rng = stream(1, Domain::Test, 1);
        for _ in 0..3_000 {
            let occupied = rng.next_u64() | rng.next_u64();
            let player = occupied & rng.next_u64();
            let opponent = occupied & !player;
            for square in (0..64).filter(|square| occupied >> square & 1 == 0) {
                let expected = slow(player, opponent, square);
                assert_eq!(portable(player, opponent, square), expected, "{player:016x} {opponent:016x} {square}");
                assert_eq!(flips(player, opponent, square), expected, "{player:016x} {opponent:016x} {square}");
            }
        }
    }
}
