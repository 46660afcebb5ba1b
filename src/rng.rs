//! Seeded random streams: the only randomness in the project.
//!
//! A stream is a function of (seed, domain, index), so game number 17 of a run draws the same numbers whichever
//! thread plays it and however often the run was interrupted. Nothing here reads entropy or a clock.

use rand::SeedableRng;
pub use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator behind every stream.
pub type Stream = Xoshiro256PlusPlus;

/// What a stream is used for; two domains of one seed are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Domain {
    /// Random moves of a self-play game.
    SelfPlay = 1,
    /// The order in which openings are drawn.
    Openings = 2,
    /// Choices of a random player.
    Player = 3,
    /// Resampling in statistics.
    Bootstrap = 4,
    /// Positions and inputs made up by tests and benches.
    Test = 5,
    /// Which positions of a game are labelled.
    Label = 6,
}

/// The stream number `index` of `domain` under `seed`.
///
/// The three numbers are mixed by the finaliser of SplitMix64 (Steele, Lea and Flood 2014) before they seed the
/// generator, so neighbouring indices give unrelated streams.
pub fn stream(seed: u64, domain: Domain, index: u64) -> Stream {
    let mixed = mix(mix(mix(seed) ^ domain as u64) ^ index);
    Stream::seed_from_u64(mixed)
}

/// SplitMix64's output function: a bijection of `u64` whose output bits all depend on all input bits.
pub fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, domain, index| stream(seed, domain, index).next_u64();
        assert_eq!(draw(1, Domain::SelfPlay, 7), draw(1, Domain::SelfPlay, 7));
        assert_ne!(draw(1, Domain::SelfPlay, 7), draw(1, Domain::SelfPlay, 8));
        assert_ne!(draw(1, Domain::SelfPlay, 7), draw(1, Domain::Openings, 7));
        assert_ne!(draw(1, Domain::SelfPlay, 7), draw(2, Domain::SelfPlay, 7));
    }

    #[test]
    fn mix_is_splitmix64() {
        // First outputs of SplitMix64 seeded with 1234567, from the reference implementation's published test.
        let state = 1_234_567u64;
        assert_eq!(mix(state), 6_457_827_717_110_365_317);
        assert_eq!(mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }
}
