//! The generalised sequential probability ratio test on pair counts: LLR, bounds, verdict.
//!
//! Between hypotheses elo0 < elo1 the likelihood ratio is that of the two distributions nearest to the observed
//! counts (maximum likelihood) whose logistic or normalized Elo is elo0 or elo1. Sources: M. Van den Bergh,
//! "Comments on GSPRT" and "Normalized Elo"; A. Wald for the bounds; the pentanomial form is fishtest's.
//! All numbers are finite, or `None` where no distribution can satisfy a hypothesis.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::elo::{
    Distribution, ELO_SCALE, PAIR_SCORES, PairDifferences, Pentanomial, advantage, advantage_from_elo, deviation,
    finite,
};

/// What the two bounds of a test measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the score in standard deviations, so the same bounds cost the same number of games at any
    /// draw rate.
    Normalized,
    /// Logistic Elo: the mean score.
    Logistic,
}

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Model, String> {
        match text {
            "normalized" => Ok(Model::Normalized),
            "logistic" => Ok(Model::Logistic),
            other => Err(format!("expected normalized or logistic, found `{other}`")),
        }
    }
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// LLR at or below the lower bound: elo0 is accepted, the first player is not better.
    H0,
    /// LLR at or above the upper bound: elo1 is accepted.
    H1,
    /// Between the bounds: more pairs are needed.
    #[serde(rename = "continue")]
    Continue,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
            Verdict::Continue => "continue",
        })
    }
}

/// A test that makes no sense.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    /// Not two numbers.
    #[error("expected two bounds elo0,elo1, found `{0}`")]
    Bounds(String),
    /// elo0 is not below elo1.
    #[error("expected elo0 < elo1, found {elo0} and {elo1}")]
    Order {
        /// The lower hypothesis as given.
        elo0: f64,
        /// The upper hypothesis as given.
        elo1: f64,
    },
    /// Error probabilities outside (0, ½).
    #[error("expected alpha and beta between 0 and 0.5, found {alpha} and {beta}")]
    ErrorRates {
        /// Probability of accepting H1 under H0.
        alpha: f64,
        /// Probability of accepting H0 under H1.
        beta: f64,
    },
}

/// Reads `elo0,elo1`.
pub fn parse_bounds(text: &str) -> Result<(f64, f64), SprtError> {
    let number = |field: &str| field.trim().parse::<f64>().ok().filter(|value| value.is_finite());
    text.split_once(',')
        .and_then(|(elo0, elo1)| number(elo0).zip(number(elo1)))
        .ok_or_else(|| SprtError::Bounds(text.to_string()))
}

/// A test between two hypotheses about the first player's Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test of elo0 against elo1 with both error probabilities at 0.05.
    pub fn new(elo0: f64, elo1: f64, model: Model) -> Result<Sprt, SprtError> {
        Sprt::with_error_rates(elo0, elo1, 0.05, 0.05, model)
    }

    /// A test with stated error probabilities: `alpha` of accepting H1 under H0, `beta` of accepting H0 under H1.
    pub fn with_error_rates(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Order { elo0, elo1 });
        }
        let sensible = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(sensible(alpha) && sensible(beta)) {
            return Err(SprtError::ErrorRates { alpha, beta });
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The hypotheses, elo0 and elo1.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// What the hypotheses measure.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Wald's lower bound ln(β/(1−α)): an LLR at or below it accepts H0.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Wald's upper bound ln((1−β)/α): an LLR at or above it accepts H1.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 to H0; 0 without pairs, `None` where a hypothesis is out of reach of any
    /// distribution (a logistic bound so far that its score rounds to 0 or 1).
    pub fn llr(&self, counts: &Pentanomial) -> Option<f64> {
        let Some(observed) = counts.distribution() else { return Some(0.0) };
        let under0 = self.fitted(&observed, self.elo0)?;
        let under1 = self.fitted(&observed, self.elo1)?;
        let per_pair: f64 = (0..5).map(|i| observed.p[i] * (under1[i] / under0[i]).ln()).sum();
        finite(observed.pairs * per_pair)
    }

    /// What an LLR decides; an unknown one decides nothing.
    pub fn verdict(&self, llr: Option<f64>) -> Verdict {
        match llr {
            Some(llr) if llr >= self.upper() => Verdict::H1,
            Some(llr) if llr <= self.lower() => Verdict::H0,
            _ => Verdict::Continue,
        }
    }

    /// The two hypotheses as normalized scores t = (s − ½)/σ of a pair, with the observed σ for logistic bounds.
    pub(super) fn normalized_scores(&self, observed: &Distribution) -> (f64, f64) {
        let score = |elo: f64| match self.model {
            Model::Normalized => normalized_score(elo),
            Model::Logistic => advantage_from_elo(elo) / observed.deviation(),
        };
        (score(self.elo0), score(self.elo1))
    }

    /// The two hypotheses as mean pair differences δ0, δ1 in the game's unit: those that lie as many standard
    /// deviations σ of a pair's difference from 0 as the normalized bounds say, so that both statistics of a match
    /// test the same thing. `None` for logistic bounds, which say nothing of differences, and where σ is unknown.
    pub fn difference_hypotheses(&self, differences: &PairDifferences) -> Option<(f64, f64)> {
        let sigma = differences.variance().filter(|_| differences.pairs >= 2)?.sqrt();
        let delta = |elo: f64| finite(normalized_score(elo) * sigma);
        (self.model == Model::Normalized).then_some(())?;
        delta(self.elo0).zip(delta(self.elo1))
    }

    /// [`difference_llr`] between [`Sprt::difference_hypotheses`].
    pub fn difference_llr(&self, differences: &PairDifferences) -> Option<f64> {
        let (delta0, delta1) = self.difference_hypotheses(differences)?;
        difference_llr(differences, delta0, delta1)
    }

    fn fitted(&self, observed: &Distribution, elo: f64) -> Option<[f64; 5]> {
        match self.model {
            Model::Logistic => {
                let mean = advantage_from_elo(elo);
                tilted(&observed.p, &PAIR_SCORES.map(|score| (score - 0.5) - mean))
            }
            Model::Normalized => fitted_normalized(&observed.p, normalized_score(elo)),
        }
    }
}

/// t_j: a pair's (s − ½)/σ at this normalized Elo (of a game, hence √2).
fn normalized_score(nelo: f64) -> f64 {
    std::f64::consts::SQRT_2 * nelo / ELO_SCALE
}

/// The maximum-likelihood distribution under Σ pφ = 0: p̂/(1 + θφ) with θ such that the constraint holds.
/// `None` if φ does not take both signs.
fn tilted(observed: &[f64; 5], phi: &[f64; 5]) -> Option<[f64; 5]> {
    let greatest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = phi.iter().copied().fold(f64::INFINITY, f64::min);
    if !(greatest > 0.0 && least < 0.0) {
        return None;
    }
    // Σ p̂φ/(1+θφ) falls from +∞ to −∞ between these poles: Newton's steps, kept inside the bracket.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, phi) in observed.iter().zip(phi) {
            let term = phi / (1.0 + theta * phi);
            value += p * term;
            slope -= p * term * term;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - theta).abs() <= 1e-15 * (1.0 + theta.abs()) {
            break;
        }
        theta = next;
    }
    let mut fitted = *observed;
    for (p, phi) in fitted.iter_mut().zip(phi) {
        *p /= 1.0 + theta * phi;
    }
    let sum: f64 = fitted.iter().sum();
    fitted.iter_mut().for_each(|p| *p /= sum);
    fitted.iter().all(|&p| p > 0.0 && p.is_finite()).then_some(fitted)
}

/// The maximum-likelihood distribution whose (mean − ½)/σ is `t`.
///
/// The constraint is not linear in p, so it is linearised at the last estimate and solved again, damped, until
/// nothing moves. Far from the observed counts that may find no solution, or none it settles at; then σ is searched.
fn fitted_normalized(observed: &[f64; 5], t: f64) -> Option<[f64; 5]> {
    iterated(observed, t).or_else(|| searched(observed, t))
}

/// Σ pφ = 0 is the constraint (mean − ½)/σ = t, linearised at a distribution of this mean − ½ and this σ.
fn linearised(t: f64, mean: f64, sigma: f64) -> [f64; 5] {
    PAIR_SCORES.map(|score| {
        let z = (score - 0.5 - mean) / sigma;
        score - 0.5 - 0.5 * t * sigma * (1.0 + z * z)
    })
}

fn iterated(observed: &[f64; 5], t: f64) -> Option<[f64; 5]> {
    let mut p = *observed;
    let mut change = f64::INFINITY;
    for _ in 0..200 {
        let next = tilted(observed, &linearised(t, advantage(&p), deviation(&p)))?;
        change = 0.0;
        for (p, next) in p.iter_mut().zip(next) {
            change = f64::max(change, (next - *p).abs());
            *p += 0.5 * (next - *p);
        }
        if change < 1e-13 {
            break;
        }
    }
    (change < 1e-9).then_some(p)
}

/// The same without iteration: where the constraint holds, the mean is ½ + tσ, so σ alone gives the linearised
/// constraint and with it p. The right σ is one at which the mean of that p really is ½ + tσ; of all that a fine
/// scan over (0, ½] brackets, it is the one that makes the observed counts likeliest.
fn searched(observed: &[f64; 5], t: f64) -> Option<[f64; 5]> {
    const STEPS: u32 = 400;
    const LEAST: f64 = 1e-4;
    let at = |sigma: f64| {
        let p = tilted(observed, &linearised(t, t * sigma, sigma))?;
        Some((advantage(&p) - t * sigma, p))
    };
    let likelihood = |p: &[f64; 5]| -> f64 { observed.iter().zip(p).map(|(observed, p)| observed * p.ln()).sum() };
    let sigma = |step: u32| LEAST * (0.5 / LEAST).powf(f64::from(step) / f64::from(STEPS));
    let mut best: Option<(f64, [f64; 5])> = None;
    for step in 0..STEPS {
        let (mut low, mut high) = (sigma(step), sigma(step + 1));
        let (Some((below, _)), Some((above, mut p))) = (at(low), at(high)) else { continue };
        if (below < 0.0) == (above < 0.0) {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let Some((excess, found)) = at(middle) else { break };
            p = found;
            if (excess < 0.0) == (below < 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let candidate = (likelihood(&p), p);
        if best.as_ref().is_none_or(|best| candidate.0 > best.0) {
            best = Some(candidate);
        }
    }
    best.map(|(_, p)| p)
}

/// The log-likelihood ratio of a mean pair difference δ1 to δ0 (normal, σ as observed):
/// N(δ1−δ0)(2D̄−δ0−δ1)/(2σ²). `None` below two pairs or without any spread.
pub fn difference_llr(differences: &PairDifferences, delta0: f64, delta1: f64) -> Option<f64> {
    let mean = differences.mean()?;
    let variance = differences.variance().filter(|&variance| variance > 0.0)?;
    let pairs = differences.pairs as f64;
    finite(pairs * (delta1 - delta0) * (2.0 * mean - delta0 - delta1) / (2.0 * variance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stopped::stopped_estimate;
    use crate::rng::{Domain, RngExt, Stream, stream};
    use proptest::prelude::*;

    /// A rare miss of the fit must not wait for an unlucky day to be seen.
    const CASES: u32 = 4096;

    fn llr(counts: [u64; 5], bounds: (f64, f64), model: Model) -> f64 {
        Sprt::new(bounds.0, bounds.1, model).unwrap().llr(&Pentanomial(counts)).expect("a finite LLR")
    }

    fn check(counts: [u64; 5], bounds: (f64, f64), model: Model, expected: f64, tolerance: f64) {
        let found = llr(counts, bounds, model);
        assert!((found - expected).abs() <= tolerance, "{counts:?} {bounds:?}: found {found}, expected {expected}");
        let [ll, ld, dd, wd, ww] = counts;
        let mirrored = llr([ww, wd, dd, ld, ll], (-bounds.1, -bounds.0), model);
        assert!((mirrored + expected).abs() <= tolerance, "mirrored {counts:?}: found {mirrored}");
    }

    #[test]
    fn published_values_hold() {
        use Model::{Logistic, Normalized};
        check([93, 18711, 58877, 18739, 100], (-1.75, 0.25), Normalized, 2.9421, 5e-5);
        check([39, 8843, 26675, 9240, 44], (0.5, 2.5), Normalized, 2.9417, 5e-5);
        check([10, 25, 80, 40, 12], (0.0, 10.0), Normalized, 0.6640, 5e-5);
        check([10, 25, 80, 40, 12], (0.0, 10.0), Logistic, 0.8846, 5e-5);
        check([0, 86, 860, 128, 0], (0.0, 10.0), Normalized, 2.94732, 5e-6);
        check([0, 86, 860, 128, 0], (0.0, 10.0), Logistic, 3.23129, 5e-6);
        check([144, 3, 1, 0, 0], (0.0, 10.0), Normalized, -6.0936, 5e-5);
        check([144, 3, 1, 0, 0], (-300.0, -100.0), Normalized, -37.0473, 5e-5);
        check([0, 0, 0, 0, 40], (0.0, 10.0), Normalized, 1.5946, 5e-5);
        check([0; 5], (0.0, 10.0), Normalized, 0.0, 0.0);
        check([0; 5], (0.0, 10.0), Logistic, 0.0, 0.0);
    }

    #[test]
    fn bounds_and_verdicts_are_walds() {
        let sprt = Sprt::new(0.0, 10.0, Model::Normalized).unwrap();
        assert!((sprt.upper() - 19.0f64.ln()).abs() < 1e-12 && (sprt.lower() + 19.0f64.ln()).abs() < 1e-12);
        assert_eq!(sprt.verdict(Some(2.945)), Verdict::H1);
        assert_eq!(sprt.verdict(Some(-2.945)), Verdict::H0);
        assert_eq!(sprt.verdict(Some(2.944)), Verdict::Continue);
        assert_eq!(sprt.verdict(None), Verdict::Continue);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Sprt::new(10.0, 0.0, Model::Normalized).is_err());
        assert!(Sprt::new(5.0, 5.0, Model::Logistic).is_err());
        assert!(Sprt::new(0.0, f64::INFINITY, Model::Logistic).is_err());
        assert!(Sprt::with_error_rates(0.0, 5.0, 0.5, 0.05, Model::Normalized).is_err());
        assert_eq!(parse_bounds(" -300,-100"), Ok((-300.0, -100.0)));
        for text in ["0", "0,1,2", "a,b", "", "0,nan", "0,inf"] {
            assert!(parse_bounds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn all_draws_against_a_tiny_gain_accept_nothing_better() {
        // The observed deviation is almost zero here, so the plain iteration has no first step.
        assert!(llr([0, 0, 5000, 0, 0], (0.0, 10.0), Model::Normalized) < 0.0);
        assert!(llr([0, 0, 0, 0, 40], (-300.0, -100.0), Model::Normalized) > 0.0);
    }

    #[test]
    fn difference_llr_is_the_normal_one() {
        // D = 3, −1, 4 has mean 2 and variance 14/3: 3·1·(4 − 1)/(2·14/3) = 27/28.
        let mut differences = PairDifferences::default();
        for (one, other) in [(4, 2), (-10, 8), (8, 0)] {
            differences.add_pair(one, other);
        }
        assert!((difference_llr(&differences, 0.0, 1.0).unwrap() - 27.0 / 28.0).abs() < 1e-12);
        let mut still = PairDifferences::default();
        still.add_pair(2, 2);
        still.add_pair(2, 2);
        assert_eq!(difference_llr(&still, 0.0, 1.0), None);
        assert_eq!(difference_llr(&PairDifferences::default(), 0.0, 1.0), None);
    }

    #[test]
    fn both_statistics_test_the_same_hypotheses() {
        // 400 pairs with D = ±10 and a mean of 1: σ² = 99. Bounds of 0 and 10 normalized Elo are 0 and
        // √2·10·ln 10/800 standard deviations, and N(δ1 − δ0)(2D̄ − δ0 − δ1)/(2σ²) is 400·δ1(2 − δ1)/198.
        let mut differences = PairDifferences::default();
        (0..220).for_each(|_| differences.add_pair(10, 10));
        (0..180).for_each(|_| differences.add_pair(-16, -4));
        assert_eq!((differences.mean(), differences.variance()), (Some(1.0), Some(99.0)));
        let sprt = Sprt::new(0.0, 10.0, Model::Normalized).unwrap();
        let (delta0, delta1) = sprt.difference_hypotheses(&differences).unwrap();
        assert!(delta0 == 0.0 && (delta1 - 0.405_003_05).abs() < 1e-7, "{delta1}");
        let llr = sprt.difference_llr(&differences).unwrap();
        assert!((llr - 1.305_007_34).abs() < 1e-7, "{llr}");
        // Bounds one above and one below the truth by as much say nothing: D̄ = (δ0 + δ1)/2 is at their middle.
        let middle = 1.0 / 99f64.sqrt() * ELO_SCALE / std::f64::consts::SQRT_2;
        let even = Sprt::new(middle - 7.0, middle + 7.0, Model::Normalized).unwrap();
        assert!(even.difference_llr(&differences).unwrap().abs() < 1e-9);
        let logistic = Sprt::new(0.0, 10.0, Model::Logistic).unwrap();
        assert_eq!(logistic.difference_llr(&differences), None);
        assert_eq!(sprt.difference_llr(&PairDifferences::default()), None);
        let mut one = PairDifferences::default();
        one.add_pair(3, 4);
        assert_eq!(sprt.difference_llr(&one), None);
    }

    /// A distribution of exactly this normalized Elo: a symmetric one, exponentially tilted.
    fn truth(nelo: f64) -> [f64; 5] {
        let tilted = |lambda: f64| {
            let weights: [f64; 5] =
                std::array::from_fn(|i| [0.08, 0.22, 0.4, 0.22, 0.08][i] * (lambda * PAIR_SCORES[i]).exp());
            let sum: f64 = weights.iter().sum();
            weights.map(|weight| weight / sum)
        };
        let (mut low, mut high) = (-10.0, 10.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let p = tilted(middle);
            let mean: f64 = (0..5).map(|i| p[i] * PAIR_SCORES[i]).sum();
            let variance: f64 = (0..5).map(|i| p[i] * (PAIR_SCORES[i] - mean).powi(2)).sum();
            let found = 800.0 / 10.0f64.ln() * (mean - 0.5) / (2.0 * variance).sqrt();
            if found < nelo { low = middle } else { high = middle }
        }
        tilted(low)
    }

    fn draw(p: &[f64; 5], stream: &mut Stream) -> usize {
        let mut rest: f64 = stream.random();
        for (i, p) in p.iter().enumerate() {
            rest -= p;
            if rest < 0.0 {
                return i;
            }
        }
        4
    }

    /// Plays SPRTs of [0, 60] at a true normalized Elo: the share that accepted H1, the share of estimates
    /// corrected for stopping that lie above the truth, and the share of plain ones.
    fn simulate(nelo: f64, runs: u64) -> (f64, f64, f64) {
        let sprt = Sprt::new(0.0, 60.0, Model::Normalized).unwrap();
        let p = truth(nelo);
        let (mut accepted, mut corrected_above, mut plain_above) = (0, 0, 0);
        for run in 0..runs {
            let mut stream = stream(nelo as u64, Domain::Test, run);
            let mut counts = Pentanomial::default();
            let verdict = loop {
                for _ in 0..4 {
                    counts.0[draw(&p, &mut stream)] += 1;
                }
                let verdict = sprt.verdict(sprt.llr(&counts));
                if verdict != Verdict::Continue {
                    break verdict;
                }
            };
            accepted += u64::from(verdict == Verdict::H1);
            // Uncorrected where no correction is given: short and one-sided matches.
            let plain = counts.estimate().nelo.unwrap();
            corrected_above += u64::from(stopped_estimate(&sprt, &counts).map_or(plain, |it| it.nelo) > nelo);
            plain_above += u64::from(plain > nelo);
        }
        let share = |count: u64| count as f64 / runs as f64;
        (share(accepted), share(corrected_above), share(plain_above))
    }

    #[test]
    fn error_rates_stay_below_alpha_and_beta() {
        const RUNS: u64 = 2000;
        let (false_h1, corrected0, plain0) = simulate(0.0, RUNS);
        let (true_h1, corrected1, plain1) = simulate(60.0, RUNS);
        // Three standard deviations of a binomial share at 0.05.
        let allowed = 0.05 + 3.0 * (0.05f64 * 0.95 / RUNS as f64).sqrt();
        assert!(false_h1 <= allowed, "accepted H1 under H0: {false_h1}");
        assert!(1.0 - true_h1 <= allowed, "accepted H0 under H1: {}", 1.0 - true_h1);
        // A test that hardly ever errs would be a broken one, too: Wald's bounds are nearly attained.
        assert!(false_h1 > 0.01 && true_h1 < 0.99, "{false_h1} {true_h1}");
        // The corrected estimate is as often too high as too low; the plain one exaggerates.
        for corrected in [corrected0, corrected1] {
            assert!((corrected - 0.5).abs() < 0.06, "corrected estimates above the truth: {corrected}");
        }
        assert!(plain0 < 0.5 && plain1 > 0.5, "plain estimates above the truth: {plain0} {plain1}");
    }

    #[test]
    fn hypotheses_far_from_the_counts_are_fitted() {
        // Scores of 80 % against bounds that say 40 %, and the like: the plain iteration swings to and fro here.
        for (counts, elo) in [
            ([0, 41, 1657, 2551, 1510], -151.2477472985515),
            ([0, 41, 1657, 2551, 1510], -600.0),
            ([0, 0, 0, 0, 2999], -100.0),
            ([2999, 0, 0, 0, 0], 0.25),
            ([0, 0, 2999, 0, 0], -200.0),
        ] {
            let observed = Pentanomial(counts).distribution().unwrap();
            let t = normalized_score(elo);
            let fitted = fitted_normalized(&observed.p, t).expect("some distribution has this score");
            assert!((fitted.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{fitted:?}");
            assert!((advantage(&fitted) - t * deviation(&fitted)).abs() < 1e-8, "{counts:?} {elo}: {fitted:?}");
            // No distribution near it that has the same score makes the counts likelier.
            let likelihood = |p: &[f64; 5]| -> f64 { observed.p.iter().zip(p).map(|(o, p)| o * p.ln()).sum() };
            for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))).filter(|(from, to)| from != to) {
                let mut moved = fitted;
                let step = 2e-2 * moved[from].min(moved[to]);
                moved[from] -= step;
                moved[to] += step;
                let near = searched(&moved, t).expect("it is near one that has this score");
                assert!(likelihood(&near) <= likelihood(&fitted) + 1e-8, "{counts:?} {elo}: {near:?} {fitted:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(CASES))]

        #[test]
        fn mirrored_counts_and_bounds_change_the_sign(
            counts in prop::array::uniform5(0u64..3000), elo0 in -200.0..200.0f64, width in 1.0..200.0f64,
        ) {
            let counts = Pentanomial(counts);
            for model in [Model::Normalized, Model::Logistic] {
                let here = Sprt::new(elo0, elo0 + width, model).unwrap().llr(&counts);
                let there = Sprt::new(-elo0 - width, -elo0, model).unwrap().llr(&counts.mirrored());
                prop_assert!(here.is_some() && there.is_some());
                let (here, there) = (here.unwrap(), there.unwrap());
                prop_assert!((here + there).abs() <= 1e-6 * (1.0 + here.abs()), "{here} {there}");
            }
        }

        #[test]
        fn mirrored_differences_and_bounds_change_the_sign(
            games in prop::collection::vec((-64i32..=64, -64i32..=64), 2..200), elo0 in -50.0..50.0f64, width in 1.0..50.0f64,
        ) {
            let (mut here, mut there) = (PairDifferences::default(), PairDifferences::default());
            for &(one, other) in &games {
                here.add_pair(one, other);
                there.add_pair(-other, -one);
            }
            let llr = |low: f64, high: f64, differences: &PairDifferences| {
                Sprt::new(low, high, Model::Normalized).unwrap().difference_llr(differences)
            };
            let (a, b) = (llr(elo0, elo0 + width, &here), llr(-elo0 - width, -elo0, &there));
            prop_assert_eq!(a.is_some(), b.is_some());
            if let (Some(a), Some(b)) = (a, b) {
                prop_assert!((a + b).abs() <= 1e-9 * (1.0 + a.abs()), "{} {}", a, b);
            }
            // A disc more in every game never speaks against the better hypothesis.
            let mut more = PairDifferences::default();
            games.iter().for_each(|&(one, other)| more.add_pair(one + 1, other + 1));
            if let (Some(a), Some(c)) = (a, llr(elo0, elo0 + width, &more)) {
                prop_assert!(c > a);
            }
        }

        #[test]
        fn likelihood_falls_away_from_the_estimate(
            counts in prop::array::uniform5(1u64..500), offset in 0.0..50.0f64, width in 1.0..50.0f64,
        ) {
            let counts = Pentanomial(counts);
            let estimate = counts.estimate();
            for (model, centre) in
                [(Model::Normalized, estimate.nelo.unwrap()), (Model::Logistic, estimate.elo.unwrap())]
            {
                let above = Sprt::new(centre + offset, centre + offset + width, model).unwrap().llr(&counts).unwrap();
                let below = Sprt::new(centre - offset - width, centre - offset, model).unwrap().llr(&counts).unwrap();
                prop_assert!(above < 0.0 && below > 0.0, "{above} {below}");
            }
        }

        #[test]
        fn ratios_add_up(counts in prop::array::uniform5(0u64..500), elo in -100.0..100.0f64, first in 1.0..80.0f64, second in 1.0..80.0f64) {
            let counts = Pentanomial(counts);
            for model in [Model::Normalized, Model::Logistic] {
                let between = |low: f64, high: f64| Sprt::new(low, high, model).unwrap().llr(&counts).unwrap();
                let whole = between(elo, elo + first + second);
                let parts = between(elo, elo + first) + between(elo + first, elo + first + second);
                prop_assert!((whole - parts).abs() <= 1e-6 * (1.0 + whole.abs()));
            }
        }

        #[test]
        fn nothing_is_ever_infinite(
            exponents in prop::array::uniform5(0u32..53), elo0 in -2000.0..2000.0f64, width in 0.1..2000.0f64,
        ) {
            let counts = Pentanomial(exponents.map(|exponent| (1u64 << exponent) - 1));
            for model in [Model::Normalized, Model::Logistic] {
                let llr = Sprt::new(elo0, elo0 + width, model).unwrap().llr(&counts);
                prop_assert!(llr.is_none_or(f64::is_finite));
            }
        }
    }
}
