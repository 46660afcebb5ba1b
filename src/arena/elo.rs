//! Pair counts and what follows from them directly: Elo, its interval, normalized Elo, LOS.
//!
//! A pair's score is a ∈ {0, ¼, ½, ¾, 1}: the share of its two games' points that the first player made. The five
//! counts keep the correlation of the two games of an opening, which wins and losses alone would lose. Zero counts
//! enter as [`ZERO_COUNT`], so that a variance always exists. Normalized Elo after M. Van den Bergh, "Normalized
//! Elo" (2021); pentanomial counts as in fishtest. All results are finite, or `None` where nothing can be said.

use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

/// The pair scores, in the order of the counts.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What a count of zero enters the statistics as.
pub const ZERO_COUNT: f64 = 1e-3;

/// 800 / ln 10: Elo per unit of ½·ln(odds), and per unit of normalized score.
pub const ELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.96;

/// The result of one game from one player's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameScore {
    /// No point.
    Loss = 0,
    /// Half a point.
    Draw = 1,
    /// One point.
    Win = 2,
}

impl GameScore {
    /// Win, draw or loss by the sign of a score difference from the player's point of view.
    pub fn from_difference(difference: i32) -> GameScore {
        match difference {
            0 => GameScore::Draw,
            d if d > 0 => GameScore::Win,
            _ => GameScore::Loss,
        }
    }
}

/// Counts of pairs by score: LL, LD, DD or WL, WD, WW, from the first player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// Counts that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountsError {
    /// Not five fields.
    #[error("expected five counts LL,LD,DD,WD,WW, found {found} in `{text}`")]
    Number {
        /// How many there are.
        found: usize,
        /// What was read.
        text: String,
    },
    /// A field that is no count.
    #[error("expected {name} to be a whole number from 0 to 2^53, found `{field}`")]
    Field {
        /// Which of the five.
        name: &'static str,
        /// What stands there.
        field: String,
    },
}

impl FromStr for Pentanomial {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Pentanomial, CountsError> {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        if fields.len() != 5 {
            return Err(CountsError::Number { found: fields.len(), text: text.to_string() });
        }
        let mut counts = [0; 5];
        for ((count, field), name) in counts.iter_mut().zip(fields).zip(["LL", "LD", "DD", "WD", "WW"]) {
            let read = field.parse::<u64>().ok().filter(|&n| n <= 1 << 53);
            *count = read.ok_or_else(|| CountsError::Field { name, field: field.to_string() })?;
        }
        Ok(Pentanomial(counts))
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ll, ld, dd, wd, ww] = self.0;
        write!(f, "{ll},{ld},{dd},{wd},{ww}")
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }
}

impl Pentanomial {
    /// Counts one pair from the scores of its two games, both from the first player's point of view.
    pub fn add_pair(&mut self, one: GameScore, other: GameScore) {
        self.0[one as usize + other as usize] += 1;
    }

    /// How many pairs were counted.
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Whether no pair was counted.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }

    /// The same pairs from the second player's point of view.
    pub fn mirrored(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    /// Points per pair as they were made (0 … 1), without regard to zero counts; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        let total: f64 = self.0.iter().map(|&count| count as f64).sum();
        let points: f64 = self.0.iter().zip(PAIR_SCORES).map(|(&count, score)| count as f64 * score).sum();
        (!self.is_empty()).then(|| points / total)
    }

    /// The distribution of pair scores, zero counts replaced by [`ZERO_COUNT`]; `None` without pairs.
    pub fn distribution(&self) -> Option<Distribution> {
        if self.is_empty() {
            return None;
        }
        let counts = self.0.map(|count| if count == 0 { ZERO_COUNT } else { count as f64 });
        let total: f64 = counts.iter().sum();
        Some(Distribution { pairs: total, p: counts.map(|count| count / total) })
    }

    /// Elo, interval, normalized Elo and LOS of these counts.
    pub fn estimate(&self) -> Estimate {
        self.distribution().map_or_else(Estimate::default, |distribution| distribution.estimate())
    }
}

/// Frequencies of the five pair scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// N: the sum of the counts, replaced zeros included.
    pub pairs: f64,
    /// The share of each pair score; the sum is 1.
    pub p: [f64; 5],
}

impl Distribution {
    /// The mean pair score less ½. Its form makes mirrored counts give exactly the opposite number.
    pub fn advantage(&self) -> f64 {
        advantage(&self.p)
    }

    /// σ: the standard deviation of a pair's score.
    pub fn deviation(&self) -> f64 {
        deviation(&self.p)
    }

    fn estimate(&self) -> Estimate {
        let (advantage, sigma) = (self.advantage(), self.deviation());
        let standard_error = sigma / self.pairs.sqrt();
        let elo_low = elo_from_advantage(advantage - Z95 * standard_error);
        let elo_high = elo_from_advantage(advantage + Z95 * standard_error);
        Estimate {
            elo: elo_from_advantage(advantage),
            elo_low,
            elo_high,
            elo_error: elo_low.zip(elo_high).map(|(low, high)| (high - low) / 2.0),
            nelo: finite(ELO_SCALE * advantage / (std::f64::consts::SQRT_2 * sigma)),
            los: finite(0.5 * (1.0 + libm::erf(advantage / (standard_error * std::f64::consts::SQRT_2)))),
        }
    }
}

/// What pair counts say of the first player's strength against the second's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// Logistic Elo difference.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval; `None` where the interval reaches a score of 0.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval; `None` where the interval reaches a score of 1.
    pub elo_high: Option<f64>,
    /// Half the width of the interval; `None` where it is unbounded.
    pub elo_error: Option<f64>,
    /// Normalized Elo: Elo measured in standard deviations of a game, hence in matches needed to show it.
    pub nelo: Option<f64>,
    /// Likelihood of superiority: the probability that the first player is the stronger one.
    pub los: Option<f64>,
}

/// Elo of a mean score ½ + `advantage`; `None` outside the open interval (0, 1).
pub fn elo_from_advantage(advantage: f64) -> Option<f64> {
    // −400·log10(1/s − 1) = 400·log10((½ + d)/(½ − d)), written as an odd function of d = s − ½.
    if advantage.abs() < 0.5 { finite(ELO_SCALE * libm::atanh(2.0 * advantage)) } else { None }
}

/// The mean score less ½ that an Elo difference predicts.
pub fn advantage_from_elo(elo: f64) -> f64 {
    0.5 * (elo / ELO_SCALE).tanh()
}

pub(super) fn advantage(p: &[f64; 5]) -> f64 {
    0.5 * (p[4] - p[0]) + 0.25 * (p[3] - p[1])
}

pub(super) fn deviation(p: &[f64; 5]) -> f64 {
    let mean = 0.5 + advantage(p);
    let square = |score: f64| (score - mean) * (score - mean);
    // Summed from the outside in, so that mirrored counts give the same bits up to the mean's rounding.
    (p[0] * square(0.0) + p[4] * square(1.0) + (p[1] * square(0.25) + p[3] * square(0.75)) + p[2] * square(0.5)).sqrt()
}

pub(super) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Score differences of pairs, summed exactly: the second, more sensitive statistic of games that count points.
///
/// A pair's difference is D = (d1 + d2)/2 with both games' differences from the first player's point of view, in
/// the game's own unit (discs). The sums are kept over d1 + d2, twice that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairDifferences {
    /// How many pairs.
    pub pairs: u64,
    /// Σ(d1 + d2).
    pub sum: i64,
    /// Σ(d1 + d2)².
    pub squares: u64,
}

impl PairDifferences {
    /// Adds a pair from the differences of its two games, both from the first player's point of view.
    pub fn add_pair(&mut self, one: i32, other: i32) {
        let both = i64::from(one) + i64::from(other);
        self.pairs += 1;
        self.sum = self.sum.saturating_add(both);
        self.squares = self.squares.saturating_add(both.unsigned_abs().saturating_mul(both.unsigned_abs()));
    }

    /// D̄, the mean pair difference; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.sum as f64 / (2.0 * self.pairs as f64))
    }

    /// σ², the variance of a pair's difference (over N, not N − 1); `None` without pairs.
    pub fn variance(&self) -> Option<f64> {
        let (pairs, sum) = (self.pairs as i128, self.sum as i128);
        // N·Σx² − (Σx)² in whole numbers: no cancellation however far the mean is from zero.
        let scaled = (pairs * self.squares as i128 - sum * sum).max(0);
        (pairs > 0).then(|| scaled as f64 / (4.0 * (pairs * pairs) as f64))
    }

    /// Half the width of the 95 % interval around the mean; `None` below two pairs.
    pub fn error(&self) -> Option<f64> {
        let variance = self.variance().filter(|_| self.pairs >= 2)?;
        Some(Z95 * (variance / self.pairs as f64).sqrt())
    }
}

impl AddAssign for PairDifferences {
    fn add_assign(&mut self, other: PairDifferences) {
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: Option<f64>, expected: f64, tolerance: f64) {
        let found = found.expect("a number");
        assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
    }

    #[test]
    fn published_values_hold() {
        let estimate = Pentanomial([10, 25, 80, 40, 12]).estimate();
        near(estimate.elo, 19.79, 0.005);
        near(estimate.elo_low, -5.28, 0.005);
        near(estimate.elo_high, 45.06, 0.005);
        near(estimate.elo_error, (45.055_490 + 5.276_419) / 2.0, 1e-5);
        near(estimate.nelo, 29.41, 0.005);
        near(estimate.los, 0.93907, 5e-6);

        let estimate = Pentanomial([0, 86, 860, 128, 0]).estimate();
        near(estimate.elo, 6.7943, 5e-5);
        near(estimate.nelo, 21.6055, 5e-5);
    }

    #[test]
    fn elo_and_score_are_the_logistic_curve() {
        // 10^(x/400) are the odds: 10 to 1 is 400 Elo, 3 to 1 is 190.85.
        near(elo_from_advantage(10.0 / 11.0 - 0.5), 400.0, 1e-9);
        near(elo_from_advantage(0.25), 190.848_501_887_9, 1e-9);
        assert!((advantage_from_elo(400.0) - (10.0 / 11.0 - 0.5)).abs() < 1e-12);
        for edge in [0.5, -0.5, 0.7, f64::NAN] {
            assert_eq!(elo_from_advantage(edge), None);
        }
    }

    #[test]
    fn a_pair_is_counted_by_its_points() {
        use GameScore::{Draw, Loss, Win};
        let mut counts = Pentanomial::default();
        for (one, other) in
            [(Loss, Loss), (Loss, Draw), (Draw, Loss), (Draw, Draw), (Win, Loss), (Loss, Win), (Win, Draw), (Win, Win)]
        {
            counts.add_pair(one, other);
        }
        assert_eq!(counts, Pentanomial([1, 2, 3, 1, 1]));
        assert_eq!([-3, 0, 2].map(GameScore::from_difference), [Loss, Draw, Win]);
    }

    #[test]
    fn nothing_played_says_nothing() {
        assert_eq!(Pentanomial::default().estimate(), Estimate::default());
        assert_eq!(Pentanomial::default().score(), None);
        assert_eq!(PairDifferences::default().mean(), None);
    }

    #[test]
    fn a_perfect_score_has_a_finite_estimate_and_an_open_interval() {
        let estimate = Pentanomial([0, 0, 0, 0, 40]).estimate();
        assert!(estimate.elo.unwrap() > 1000.0);
        assert_eq!((estimate.elo_high, estimate.elo_error), (None, None));
        assert!(estimate.elo_low.unwrap() > 500.0);
        near(estimate.los, 1.0, 1e-9);
    }

    #[test]
    fn differences_are_those_of_the_textbook() {
        // D = 3, −1, 4: mean 2, variance over N = (1 + 9 + 4)/3.
        let mut differences = PairDifferences::default();
        for (one, other) in [(4, 2), (-10, 8), (8, 0)] {
            differences.add_pair(one, other);
        }
        near(differences.mean(), 2.0, 1e-12);
        near(differences.variance(), 14.0 / 3.0, 1e-12);
        near(differences.error(), 1.96 * (14.0f64 / 9.0).sqrt(), 1e-12);
    }

    #[test]
    fn counts_are_read_and_refused_by_name() {
        assert_eq!("10, 25,80,40,12".parse(), Ok(Pentanomial([10, 25, 80, 40, 12])));
        let message = |text: &str| text.parse::<Pentanomial>().unwrap_err().to_string();
        assert!(message("1,2,3,4").contains("found 4"));
        assert!(message("1,2,-3,4,5").contains("DD"));
        assert!(message("1,2,3,4,99999999999999999999").contains("WW"));
    }

    proptest! {
        #[test]
        fn mirrored_counts_change_the_sign(counts in prop::array::uniform5(0u64..5000)) {
            let counts = Pentanomial(counts);
            let (here, there) = (counts.estimate(), counts.mirrored().estimate());
            prop_assert_eq!(here.elo.is_some(), !counts.is_empty());
            if let (Some(a), Some(b)) = (here.elo, there.elo) {
                prop_assert!((a + b).abs() < 1e-9);
                prop_assert!((here.nelo.unwrap() + there.nelo.unwrap()).abs() < 1e-6 * (1.0 + a.abs()));
                prop_assert!((here.los.unwrap() + there.los.unwrap() - 1.0).abs() < 1e-9);
            }
            prop_assert_eq!(here.elo_low.is_some(), there.elo_high.is_some());
        }

        #[test]
        fn a_better_pair_means_more_elo(counts in prop::array::uniform5(1u64..500), from in 0usize..4, up in 1usize..5) {
            let mut better = counts;
            let to = (from + up).min(4);
            better[from] -= 1;
            better[to] += 1;
            let (before, after) = (Pentanomial(counts).estimate(), Pentanomial(better).estimate());
            prop_assert!(after.elo > before.elo);
        }
    }
}
