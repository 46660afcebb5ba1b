//! A match: pairs of games from the same opening with colours swapped, counted as they end.
//!
//! Pairs are played side by side and counted in order, so a match that a sequential test stops has the same counts
//! whatever the number of threads. A pair always counts whole.

use super::elo::{GameScore, PairDifferences, Pentanomial};
use super::openings::Opening;
use crate::game::{Color, Position};
use crate::ordered::ordered;
use crate::play::duel::{Contestant, Duel, play};

/// Two games of one opening: A plays Black in the first, White in the second.
pub struct Pair {
    /// The number of the pair in the match.
    pub number: u64,
    /// The games.
    pub games: [Duel; 2],
}

impl Pair {
    /// A's outcome of each game, in the game's unit.
    pub fn differences(&self) -> [i32; 2] {
        let outcome = |game: &Duel, color| i32::from(game.record.outcome.for_color(color));
        [outcome(&self.games[0], Color::Black), outcome(&self.games[1], Color::White)]
    }

    /// Faults of A and of B in this pair.
    pub fn faults(&self) -> [u64; 2] {
        let mut faults = [0, 0];
        for (game, color_of_a) in self.games.iter().zip([Color::Black, Color::White]) {
            if let Some((loser, _)) = &game.fault {
                faults[usize::from(*loser != color_of_a)] += 1;
            }
        }
        faults
    }
}

/// What a match has counted so far, from A's point of view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pair scores.
    pub pentanomial: Pentanomial,
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// Differences per pair.
    pub differences: PairDifferences,
    /// Faults of A and of B.
    pub faults: [u64; 2],
}

impl Tally {
    /// Counts a pair.
    pub fn add(&mut self, pair: &Pair) {
        self.add_counts(pair.differences(), pair.faults());
    }

    /// Counts a pair by A's outcomes and the faults of A and B.
    pub fn add_counts(&mut self, [one, other]: [i32; 2], faults: [u64; 2]) {
        let scores = [GameScore::from_difference(one), GameScore::from_difference(other)];
        self.pentanomial.add_pair(scores[0], scores[1]);
        for difference in [one, other] {
            self.games[match difference.signum() {
                1 => 0,
                0 => 1,
                _ => 2,
            }] += 1;
        }
        self.differences.add_pair(one, other);
        self.faults[0] += faults[0];
        self.faults[1] += faults[1];
    }
}

/// A pair of contestants, one of each side of the match.
pub type Sides<P> = (Box<dyn Contestant<P>>, Box<dyn Contestant<P>>);

/// Plays the pairs numbered `range` with `threads` workers; `opening` says what a pair begins with, `make` a
/// worker's contestants A and B. `sink` takes the pairs in order and says whether to go on.
pub fn run<P: Position, E>(
    range: std::ops::Range<u64>,
    threads: usize,
    lost_by_fault: i16,
    opening: impl Fn(u64) -> Opening<P> + Sync,
    make: impl Fn() -> Sides<P> + Sync,
    mut sink: impl FnMut(Pair) -> Result<bool, E>,
) -> Result<u64, E> {
    let play_pair = |(a, b): &mut Sides<P>, number: u64| {
        let (start, moves) = match opening(number) {
            Opening::Moves(moves) => (P::start(), moves),
            Opening::Position(position) => (position, Vec::new()),
        };
        let first = play(2 * number, &start, &moves, a.as_mut(), b.as_mut(), lost_by_fault);
        let second = play(2 * number + 1, &start, &moves, b.as_mut(), a.as_mut(), lost_by_fault);
        Pair { number, games: [first, second] }
    };
    ordered(range, threads, make, play_pair, |_, pair| sink(pair))
}
