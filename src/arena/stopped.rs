//! The estimate of a match that a sequential test ended.
//!
//! A test stops where the score happens to be extreme, so the plain estimate exaggerates. Here the LLR is taken as
//! a Brownian motion between the test's bounds, outcomes are ordered (upper bound first, the earlier the higher;
//! lower bound last, the earlier the lower), and the estimate is the strength at which the observed outcome is the
//! median: too high as often as too low. After D. Siegmund, "Estimation following sequential tests" (1978).

use serde::Serialize;

use super::elo::{Distribution, ELO_SCALE, Pentanomial, elo_from_advantage};
use super::sprt::{Sprt, Verdict};

/// Strength corrected for the stopping rule; the plain counterpart is [`super::elo::Estimate`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StoppedEstimate {
    /// Median-unbiased normalized Elo.
    pub nelo: f64,
    /// Lower end of its 95 % interval.
    pub nelo_low: f64,
    /// Upper end of its 95 % interval.
    pub nelo_high: f64,
    /// The logistic Elo that belongs to it at the observed deviation; `None` beyond a score of 0 or 1.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end of its 95 % interval.
    pub elo_high: Option<f64>,
}

/// How far the LLR may be from that of a Brownian motion, as a share of itself or of the upper bound.
const TOLERANCE: f64 = 0.25;

/// The estimate given that the match ran under `sprt`, stopped by it or still undecided (at a cap, say).
///
/// `None` without pairs or LLR, and where the LLR is no Brownian motion: scores so one-sided, or hypotheses so far
/// away, that a correction of second order means nothing.
pub fn stopped_estimate(sprt: &Sprt, counts: &Pentanomial) -> Option<StoppedEstimate> {
    let observed = counts.distribution()?;
    let llr = sprt.llr(counts)?;
    // Near the hypotheses LLR = (t1 − t0)(Σ(a−½)/σ − N(t0+t1)/2): divided by t1 − t0 it is a walk of variance 1 a
    // pair and drift t − (t0+t1)/2.
    let (t0, t1) = sprt.normalized_scores(&observed);
    let scale = t1 - t0;
    let (lower, upper) = (sprt.lower() / scale, sprt.upper() / scale);
    let end = observed.pairs * (observed.advantage() / observed.deviation() - 0.5 * (t0 + t1));
    let gap = (end * scale - llr).abs();
    if gap.is_nan() || gap > TOLERANCE * llr.abs().max(sprt.upper()) {
        return None;
    }
    let walk = match sprt.verdict(Some(llr)) {
        // A test looks after whole batches of pairs only: what it found beyond the bound moves the bound.
        Verdict::H0 => Walk { time: observed.pairs, end: llr / scale, lower: llr / scale, upper },
        Verdict::H1 => Walk { time: observed.pairs, end: llr / scale, lower, upper: llr / scale },
        Verdict::Continue => Walk { time: observed.pairs, end: end.clamp(lower, upper), lower, upper },
    };
    let strength = |probability: f64| walk.drift_at(probability).map(|drift| drift + 0.5 * (t0 + t1));
    let (low, middle, high) = (strength(0.025)?, strength(0.5)?, strength(0.975)?);
    let nelo = |t: f64| ELO_SCALE * t / std::f64::consts::SQRT_2;
    let elo = |t: f64| elo_of(&observed, t);
    Some(StoppedEstimate {
        nelo: nelo(middle),
        nelo_low: nelo(low),
        nelo_high: nelo(high),
        elo: elo(middle),
        elo_low: elo(low),
        elo_high: elo(high),
    })
}

fn elo_of(observed: &Distribution, t: f64) -> Option<f64> {
    elo_from_advantage(t * observed.deviation())
}

/// A Brownian motion from 0 with variance 1 per unit of time, watched until `time` or until it left
/// (`lower`, `upper`).
#[derive(Clone, Copy, Debug)]
struct Walk {
    time: f64,
    end: f64,
    lower: f64,
    upper: f64,
}

impl Walk {
    /// The drift at which an outcome as high as this one or higher has the given probability.
    fn drift_at(&self, probability: f64) -> Option<f64> {
        let spread = 40.0 / self.time.sqrt();
        let centre = self.end / self.time;
        let (mut low, mut high) = (centre - spread, centre + spread);
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if self.at_least_observed(middle) < probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(0.5 * (low + high))
    }

    /// The probability of an outcome at least as high as the observed one.
    fn at_least_observed(&self, drift: f64) -> f64 {
        if self.end >= self.upper {
            self.reached_upper(drift)
        } else if self.end <= self.lower {
            1.0 - self.mirrored().reached_upper(-drift)
        } else {
            self.reached_upper(drift) + self.still_above(self.end, drift)
        }
    }

    fn mirrored(&self) -> Walk {
        Walk { time: self.time, end: -self.end, lower: -self.upper, upper: -self.lower }
    }

    /// The probability of having reached `upper` before `lower` within `time`: the first-passage density of the
    /// two-sided problem by images at distances upper + 2k·width, each integrated over time (inverse Gaussian).
    fn reached_upper(&self, drift: f64) -> f64 {
        let width = self.upper - self.lower;
        let (root, speed) = (self.time.sqrt(), drift.abs());
        let mut sum = 0.0;
        let mut image = |distance: f64| {
            let away = distance.abs();
            let near = scaled_tail(drift * self.upper - speed * away, (away - speed * self.time) / root);
            let far = scaled_tail(drift * self.upper + speed * away, (away + speed * self.time) / root);
            sum += (near + far).copysign(distance);
            near + far
        };
        image(self.upper);
        for k in 1..100_000 {
            let shift = 2.0 * width * f64::from(k);
            if image(self.upper - shift).max(image(self.upper + shift)) < 1e-17 {
                break;
            }
        }
        sum.clamp(0.0, 1.0)
    }

    /// The probability of standing above `level` at `time` without having left the bounds, by images again.
    fn still_above(&self, level: f64, drift: f64) -> f64 {
        let width = self.upper - self.lower;
        let (root, way) = (self.time.sqrt(), drift * self.time);
        let between = |shift: f64| {
            let from = (level + shift - way) / root;
            let to = (self.upper + shift - way) / root;
            scaled_between(-drift * shift, from, to)
        };
        let mut sum = 0.0;
        for k in 0..100_000 {
            let shift = 2.0 * width * f64::from(k);
            let mut terms = [between(shift), between(shift - 2.0 * self.lower), 0.0, 0.0];
            if k > 0 {
                terms[2] = between(-shift);
                terms[3] = between(-shift - 2.0 * self.lower);
            }
            sum += terms[0] - terms[1] + terms[2] - terms[3];
            if k > 1 && terms.iter().all(|term| term.abs() < 1e-17) {
                break;
            }
        }
        sum.clamp(0.0, 1.0)
    }
}

/// e^exponent · P(Z > z) for a standard normal Z, without overflow where the tail is as small as the factor is
/// great.
fn scaled_tail(exponent: f64, z: f64) -> f64 {
    if z < 20.0 {
        return exponent.exp() * 0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2);
    }
    let squared = z * z;
    let series = 1.0 - 1.0 / squared + 3.0 / (squared * squared);
    (exponent - 0.5 * squared).exp() * series / (z * (2.0 * std::f64::consts::PI).sqrt())
}

/// e^exponent · P(from < Z < to), from the tails that do not cancel.
fn scaled_between(exponent: f64, from: f64, to: f64) -> f64 {
    if from >= 0.0 {
        scaled_tail(exponent, from) - scaled_tail(exponent, to)
    } else if to <= 0.0 {
        scaled_tail(exponent, -to) - scaled_tail(exponent, -from)
    } else {
        exponent.exp() - scaled_tail(exponent, -from) - scaled_tail(exponent, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::sprt::Model;

    const BOUND: f64 = 2.944_438_979_166_44;

    #[test]
    fn the_tail_is_the_normal_one() {
        assert!((scaled_tail(0.0, 1.96) - 0.024_997_895_148_220).abs() < 1e-14);
        // Mills' ratio at 20 from both sides of the switch.
        let (below, above) = (scaled_tail(200.0, 20.0 - 1e-12), scaled_tail(200.0, 20.0));
        assert!((below / above - 1.0).abs() < 1e-6);
    }

    #[test]
    fn probabilities_add_up_to_one() {
        for time in [0.5, 3.0, 30.0] {
            for drift in [-2.0, -0.3, 0.0, 0.1, 1.0] {
                let walk = Walk { time, end: 0.0, lower: -1.5, upper: BOUND };
                let up = walk.reached_upper(drift);
                let down = walk.mirrored().reached_upper(-drift);
                let inside = walk.still_above(walk.lower, drift);
                assert!((up + down + inside - 1.0).abs() < 1e-10, "{time} {drift}: {up} {down} {inside}");
            }
        }
    }

    #[test]
    fn in_the_end_walds_formula_holds() {
        let walk = Walk { time: 1000.0, end: 0.0, lower: -BOUND, upper: BOUND };
        for drift in [-0.5f64, 0.2, 0.5] {
            let (down, up) = ((-2.0 * drift * walk.lower).exp(), (-2.0 * drift * walk.upper).exp());
            let wald = (1.0 - down) / (up - down);
            assert!((walk.reached_upper(drift) - wald).abs() < 1e-10, "{drift}");
        }
    }

    #[test]
    fn one_far_bound_is_the_reflection_principle() {
        // P(max of B up to T ≥ b) = 2·P(B_T ≥ b).
        let walk = Walk { time: 4.0, end: 0.0, lower: -100.0, upper: 2.0 };
        assert!((walk.reached_upper(0.0) - 2.0 * 0.158_655_253_931_457).abs() < 1e-12);
    }

    #[test]
    fn far_from_its_bounds_a_match_is_corrected_by_nothing() {
        let counts = Pentanomial([10, 25, 80, 40, 12]);
        let sprt = Sprt::with_error_rates(0.0, 10.0, 1e-9, 1e-9, Model::Normalized).unwrap();
        let (plain, corrected) = (counts.estimate(), stopped_estimate(&sprt, &counts).unwrap());
        assert!((corrected.nelo - plain.nelo.unwrap()).abs() < 0.01, "{corrected:?}");
        assert!((corrected.elo_low.unwrap() - plain.elo_low.unwrap()).abs() < 0.5, "{corrected:?}");
    }

    #[test]
    fn a_stopped_match_is_corrected_towards_the_middle() {
        let counts = Pentanomial([0, 86, 860, 128, 0]);
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = Sprt::new(0.0, 10.0, model).unwrap();
            let corrected = stopped_estimate(&sprt, &counts).unwrap();
            let plain = counts.estimate();
            assert!(corrected.nelo < plain.nelo.unwrap() && corrected.nelo > 0.0, "{corrected:?}");
            assert!(corrected.nelo_low < corrected.nelo && corrected.nelo < corrected.nelo_high);
        }
        assert_eq!(stopped_estimate(&Sprt::new(0.0, 1.0, Model::Logistic).unwrap(), &Pentanomial::default()), None);
    }

    #[test]
    fn a_one_sided_match_is_not_corrected() {
        let sprt = Sprt::new(0.0, 10.0, Model::Normalized).unwrap();
        for counts in [[0, 0, 0, 0, 40], [144, 3, 1, 0, 0]] {
            assert_eq!(stopped_estimate(&sprt, &Pentanomial(counts)), None, "{counts:?}");
        }
    }
}
