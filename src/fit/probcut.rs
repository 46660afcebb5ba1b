//! ProbCut lines: how well a shallow search foretells a deep one, by ply and depth pair.
//!
//! For every pair of depths and every band of plies, v_deep ≈ a·v_shallow + b by least squares over the samples of
//! `label --probcut-pairs`, with σ the residual's deviation (M. Buro, "ProbCut", 1995). Depths beyond the sampled
//! ones take the line of the deepest pair of their parity, the shallow search as much deeper as the deep one.

use ndarray::{Array1, Array2};

use crate::dataset::pairs::PairSample;
use crate::eval::weights::ProbCut;

/// The depths that are spared and those searched instead. Both of one parity: the side to move at a search's leaves
/// colours its value.
pub const PAIRS: [(u8, u8); 8] = [(3, 1), (4, 2), (5, 1), (6, 2), (7, 3), (8, 4), (9, 3), (10, 4)];
/// Lines are drawn up to this depth.
const DEEPEST: u8 = 16;
/// Plies of one band.
const BAND: u8 = 8;
/// Fewer samples draw no line.
const FEWEST: usize = 30;

/// A fitted line in floating point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// a.
    pub slope: f64,
    /// b.
    pub intercept: f64,
    /// σ.
    pub deviation: f64,
    /// Samples behind it.
    pub samples: usize,
}

/// The least-squares line of `deep` over `shallow`; `None` with too few samples or no spread.
pub fn regress(shallow: &[f64], deep: &[f64]) -> Option<Line> {
    let samples = shallow.len();
    if samples < FEWEST {
        return None;
    }
    let design = Array2::from_shape_fn((samples, 2), |(row, column)| if column == 0 { shallow[row] } else { 1.0 });
    let target = Array1::from_iter(deep.iter().copied());
    let (normal, moments) = (design.t().dot(&design), design.t().dot(&target));
    let determinant = normal[[0, 0]] * normal[[1, 1]] - normal[[0, 1]] * normal[[1, 0]];
    if determinant <= 1e-9 * normal[[0, 0]] * normal[[1, 1]] {
        return None;
    }
    let slope = (moments[0] * normal[[1, 1]] - moments[1] * normal[[0, 1]]) / determinant;
    let intercept = (normal[[0, 0]] * moments[1] - normal[[1, 0]] * moments[0]) / determinant;
    let residual = target - design.dot(&Array1::from(vec![slope, intercept]));
    let deviation = (residual.dot(&residual) / (samples - 2) as f64).sqrt();
    Some(Line { slope, intercept, deviation, samples })
}

/// The shallow depth that goes with a solve from `empties` empty squares.
fn before_solving(empties: u8) -> Option<u8> {
    match empties {
        0..=12 => None,
        13..=15 => Some(1 + (empties + 1) % 2),
        16..=20 => Some(3 + (empties + 1) % 2),
        _ => Some(5 + (empties + 1) % 2),
    }
}

/// The lines of all depth pairs, by ply, deep and shallow depth. `last` is the number of stones on the full board
/// beyond the first position's: a sample at ply p was solved from `last − p` empty squares.
pub fn lines(samples: &[PairSample], last: u8) -> Vec<ProbCut> {
    let mut lines = Vec::new();
    for band in (0..last).step_by(BAND as usize) {
        let near: Vec<&PairSample> =
            samples.iter().filter(|sample| (band..band + BAND).contains(&sample.ply)).collect();
        let mut deepest: [Option<(u8, u8, Line)>; 2] = [None; 2];
        for (deep, shallow) in PAIRS {
            let of = |depth: u8| move |sample: &&&PairSample| sample.scores.len() >= depth as usize;
            let score = |depth: u8| near.iter().filter(of(deep)).map(move |s| f64::from(s.scores[depth as usize - 1]));
            let (x, y): (Vec<f64>, Vec<f64>) = (score(shallow).collect(), score(deep).collect());
            if let Some(line) = regress(&x, &y).filter(|_| band + deep < last) {
                lines.push(stored(band, deep, shallow, &line));
                deepest[deep as usize % 2] = Some((deep, shallow, line));
            }
        }
        for (deep, shallow, line) in deepest.into_iter().flatten() {
            for more in (2..=DEEPEST - deep).step_by(2).filter(|more| band + deep + more < last) {
                lines.push(stored(band, deep + more, shallow + more, &line));
            }
        }
    }
    lines.extend(solving_lines(samples, last));
    lines.sort_by_key(|line| (line.ply, line.deep, line.shallow));
    lines.dedup_by_key(|line| (line.ply, line.deep, line.shallow));
    lines
}

/// Lines that foretell exact values: one a ply, over the samples of that ply and its neighbours of the same parity.
fn solving_lines(samples: &[PairSample], last: u8) -> Vec<ProbCut> {
    let mut lines: Vec<ProbCut> = Vec::new();
    let mut hardest = None;
    for ply in (0..last).rev() {
        let empties = last - ply;
        let Some(shallow) = before_solving(empties) else { continue };
        let near = samples.iter().filter(|sample| sample.ply.abs_diff(ply) <= 2 && (sample.ply ^ ply) & 1 == 0);
        let known = near.filter_map(|sample| {
            let shallow = sample.scores.get(shallow as usize - 1)?;
            Some((f64::from(*shallow), f64::from(sample.exact?)))
        });
        let (x, y): (Vec<f64>, Vec<f64>) = known.unzip();
        if let Some(line) = regress(&x, &y) {
            hardest = Some(line);
        }
        if let Some(line) = &hardest
            && empties <= 30
        {
            lines.push(stored(ply, empties, shallow, line));
        }
    }
    lines
}

fn stored(ply: u8, deep: u8, shallow: u8, line: &Line) -> ProbCut {
    ProbCut {
        ply,
        deep,
        shallow,
        slope: (line.slope * 1024.0).round().clamp(256.0, 4096.0) as i16,
        intercept: line.intercept.round().clamp(-2000.0, 2000.0) as i16,
        deviation: line.deviation.round().clamp(1.0, 4000.0) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, RngExt, stream};

    #[test]
    fn a_planted_line_is_found() {
        let mut rng = stream(1, Domain::Test, 40);
        let samples: Vec<PairSample> = (0..20_000)
            .map(|game| {
                let shallow: f64 = rng.random_range(-400.0..400.0);
                // The sum of twelve uniform numbers is nearly normal with deviation 1.
                let normal: f64 = (0..12).map(|_| rng.random_range(-0.5..0.5)).sum();
                let deep = 0.9 * shallow + 7.0 + 30.0 * normal;
                PairSample { game, ply: 20, exact: None, scores: vec![shallow as i16, 0, deep as i16] }
            })
            .collect();
        let lines = lines(&samples, 60);
        let found: Vec<_> = lines.iter().filter(|line| line.ply == 16 && line.deep == 3).collect();
        assert_eq!(found.len(), 1);
        let line = found[0];
        assert!((f64::from(line.slope) / 1024.0 - 0.9).abs() < 0.01, "{line:?}");
        assert!((i32::from(line.intercept) - 7).abs() <= 1 && (i32::from(line.deviation) - 30).abs() <= 1, "{line:?}");
        assert!(!lines.iter().any(|line| line.ply == 24), "no samples, no line");
        assert!(lines.iter().any(|line| line.deep == 5 && line.shallow == 3), "deeper pairs follow");
    }

    #[test]
    fn three_points_by_hand() {
        let x: Vec<f64> = (0..30).map(|i| f64::from(i % 3)).collect();
        let y: Vec<f64> = (0..30).map(|i| [0.0, 2.0, 1.0][i % 3]).collect();
        let line = regress(&x, &y).unwrap();
        // Through (0,0), (1,2), (2,1): slope ½, intercept ½; residuals −½, 1, −½, ten of each.
        assert!((line.slope - 0.5).abs() < 1e-12 && (line.intercept - 0.5).abs() < 1e-12);
        assert!((line.deviation - (15.0f64 / 28.0).sqrt()).abs() < 1e-12);
        assert_eq!(regress(&[1.0; 40], &[1.0; 40]), None);
    }
}
