//! Shrinking: a smaller weights file that loses little, under a budget.
//!
//! Three levers: coarser steps (weights rounded to multiples of 2, 4, 8 … units, which the coder of baked files turns
//! into fewer bits), fewer knots (those whose mixtures are nearest to the old ones at all plies), and fewer patterns
//! (the largest first, one is left). The plan's order is that of the least change of evaluations for a size, measured
//! on positions of games: half a disc of precision changes them less than a few knots do. Each stage of the plan is
//! smaller than the one before. The result is a weights file whose parent is the original, so that the arena measures
//! what is submitted.

use super::weights::{Kind, Weights};
use super::{even_knots, mixture};

/// A form of some weights: so many knots, values in such steps, so many of the largest patterns left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Knots.
    pub knots: usize,
    /// Weights are multiples of this many units.
    pub step: i16,
    /// Patterns left out, the largest first.
    pub dropped: usize,
}

/// The stages for `weights`, the largest first: the original without any change is before all of them.
pub fn plan(weights: &Weights) -> Vec<Stage> {
    let all = weights.knots.len();
    let patterns = weights.tables.iter().filter(|table| matches!(table.kind, Kind::Cells(_))).count();
    // Steps in 128ths of a disc: precision to half a disc, then knots to 6, then both; two knots are no better than one.
    let mut stages: Vec<(usize, i16)> = [2, 4, 8, 16, 32, 64].map(|step| (all, step)).to_vec();
    stages.extend((6..all).rev().map(|knots| (knots, 64)));
    stages.extend(
        [(6, 128), (5, 128), (4, 128), (4, 256), (3, 256), (1, 128), (1, 256)].map(|(k, step)| (k.min(all), step)),
    );
    let unit = (weights.scale / 128).clamp(1, 64) as i16;
    let mut plan: Vec<Stage> = Vec::new();
    for (knots, step) in stages {
        let stage = Stage { knots, step: step * unit, dropped: 0 };
        if plan.last().is_none_or(|last| stage.knots < last.knots || stage.step > last.step) {
            plan.push(stage);
        }
    }
    let coarsest = 256 * unit;
    plan.extend((1..patterns).map(|dropped| Stage { knots: 1, step: coarsest, dropped }));
    plan
}

/// What [`shrink_to`] found.
#[derive(Clone, Debug, PartialEq)]
pub enum Shrunk {
    /// The largest form that fits.
    Fits(Box<Weights>),
    /// Not even this one fits, the smallest of the plan.
    TooLarge(Box<Weights>),
}

/// The first form of the plan that `fits` accepts, looked for by halving; the original if it does.
///
/// # Errors
/// Those of `fits`.
pub fn shrink_to<E>(weights: &Weights, mut fits: impl FnMut(&Weights) -> Result<bool, E>) -> Result<Shrunk, E> {
    if fits(weights)? {
        return Ok(Shrunk::Fits(Box::new(weights.clone())));
    }
    let plan = plan(weights);
    let smallest = smaller(weights, *plan.last().expect("a plan has stages"));
    if !fits(&smallest)? {
        return Ok(Shrunk::TooLarge(Box::new(smallest)));
    }
    // The first `low` stages do not fit, the one at `high` does.
    let (mut low, mut high, mut found) = (0, plan.len() - 1, smallest);
    while low < high {
        let middle = (low + high) / 2;
        let form = smaller(weights, plan[middle]);
        if fits(&form)? {
            (high, found) = (middle, form);
        } else {
            low = middle + 1;
        }
    }
    Ok(Shrunk::Fits(Box::new(found)))
}

/// `weights` in the form of a stage.
pub fn smaller(weights: &Weights, stage: Stage) -> Weights {
    let (first, last) = (weights.knots[0], *weights.knots.last().expect("at least one knot"));
    let plies = match stage.knots {
        knots if knots >= weights.knots.len() => weights.knots.clone(),
        // A single knot stands in the middle: it has to serve all plies.
        1 => vec![first + (last - first) / 2],
        knots => even_knots(knots, first as usize, last as usize),
    };
    let dropped = largest_patterns(weights, stage.dropped);
    let mut values = Vec::new();
    for row in resampled(weights, &plies) {
        let mut start = 0;
        for (number, table) in weights.tables.iter().enumerate() {
            if !dropped.contains(&number) {
                values.extend(row[start..start + table.size].iter().map(|&value| round(value, stage.step)));
            }
            start += table.size;
        }
    }
    let kept = weights.tables.iter().enumerate().filter(|(number, _)| !dropped.contains(number));
    Weights {
        parent: weights.hash(),
        values,
        knots: plies,
        tables: kept.map(|(_, table)| table.clone()).collect(),
        ..weights.clone()
    }
}

/// The tables of the `count` largest patterns; of equal ones the later.
fn largest_patterns(weights: &Weights, count: usize) -> Vec<usize> {
    let is_pattern = |number: &usize| matches!(weights.tables[*number].kind, Kind::Cells(_));
    let mut patterns: Vec<usize> = (0..weights.tables.len()).rev().filter(is_pattern).collect();
    patterns.sort_by_key(|&number| std::cmp::Reverse(weights.tables[number].size));
    patterns.truncate(count);
    patterns
}

/// The rows of knots at `plies` whose mixtures are nearest, in least squares over all plies between the old knots, to
/// those of the old.
fn resampled(weights: &Weights, plies: &[u8]) -> Vec<Vec<f64>> {
    let rows = || (0..weights.knots.len()).map(|knot| weights.row(knot));
    if plies == weights.knots {
        return rows().map(|row| row.iter().map(|&value| f64::from(value)).collect()).collect();
    }
    // Normal equations: the new knots' shares in every ply against themselves, and against the old knots' shares.
    let (new, old) = (plies.len(), weights.knots.len());
    let mut equations = vec![vec![0.0; new + old]; new];
    for ply in weights.knots[0]..=weights.knots[old - 1] {
        for (knot, share) in shares(plies, ply) {
            for (other, by) in shares(plies, ply) {
                equations[knot][other] += share * by;
            }
            for (other, by) in shares(&weights.knots, ply) {
                equations[knot][new + other] += share * by;
            }
        }
    }
    for pivot in 0..new {
        let scale = equations[pivot][pivot];
        equations[pivot].iter_mut().for_each(|value| *value /= scale);
        let row = equations[pivot].clone();
        for (other, equation) in equations.iter_mut().enumerate().filter(|(other, _)| *other != pivot) {
            debug_assert_ne!(other, pivot);
            let times = equation[pivot];
            equation.iter_mut().zip(&row).for_each(|(value, by)| *value -= times * by);
        }
    }
    let mixed = |shares: &[f64]| {
        let mut sum = vec![0.0; weights.row_len()];
        for (row, share) in rows().zip(shares) {
            sum.iter_mut().zip(row).for_each(|(sum, &value)| *sum += share * f64::from(value));
        }
        sum
    };
    equations.iter().map(|equation| mixed(&equation[new..])).collect()
}

/// The knots around a ply and their shares.
fn shares(knots: &[u8], ply: u8) -> [(usize, f64); 2] {
    let (below, above, share) = mixture(knots, ply.into());
    let share = f64::from(share) / 256.0;
    [(below, 1.0 - share), (above, share)]
}

/// The nearest multiple of `step`, halves towards zero.
fn round(value: f64, step: i16) -> i16 {
    let steps = (value.abs() / f64::from(step) - 0.5).ceil().max(0.0);
    // The largest multiple that fits, where the nearest does not.
    let most = f64::from(i16::MAX / step);
    (steps.min(most) * f64::from(step)).copysign(value) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights::Table;
    use crate::game::GameId;

    fn weights() -> Weights {
        let table = Table { name: "scalar".into(), kind: Kind::Scalar, size: 4 };
        Weights {
            game: GameId::Othello,
            scale: 128,
            parent: [0; 32],
            knots: vec![10, 20, 30],
            tables: vec![table],
            constants: vec![7; 61],
            values: vec![0, 100, -100, 9, 10, 120, -120, 11, 20, 140, -140, 13],
            probcut: Vec::new(),
        }
    }

    fn stage(knots: usize, step: i16) -> Stage {
        Stage { knots, step, dropped: 0 }
    }

    #[test]
    fn values_round_to_the_step_and_knots_are_resampled() {
        let coarse = smaller(&weights(), stage(3, 16));
        assert_eq!(coarse.values, [0, 96, -96, 16, 16, 112, -112, 16, 16, 144, -144, 16]);
        assert_eq!(coarse.parent, weights().hash());
        assert_eq!(coarse.constants, weights().constants);
        let two = smaller(&weights(), stage(2, 1));
        assert_eq!((two.knots, two.values), (vec![10, 30], vec![0, 100, -100, 9, 20, 140, -140, 13]));
        let one = smaller(&weights(), stage(1, 1));
        assert_eq!((one.knots, one.values), (vec![20], vec![10, 120, -120, 11]));
        for value in [-32_000, -8, -1, 0, 7, 8, 9, 31_999] {
            let rounded = round(f64::from(value), 16);
            assert!((i32::from(rounded) - value).abs() <= 8 && rounded % 16 == 0);
            assert_eq!(round(f64::from(-value), 16), -rounded);
        }
    }

    #[test]
    fn resampling_is_least_squares() {
        // One weight that jumps from 0 to 90 between two of three knots: the best line over plies 0, 1, 2 of the values
        // 0, 0, 90 is 30 + 45·(ply - 1), the best constant 30.
        let mut weights = weights();
        (weights.knots, weights.values) = (vec![0, 1, 2], [[0; 4], [0; 4], [90; 4]].concat());
        assert_eq!(smaller(&weights, stage(2, 1)).values, [[-15; 4], [75; 4]].concat());
        assert_eq!(smaller(&weights, stage(1, 1)).values, [30; 4]);
    }

    #[test]
    fn patterns_go_the_largest_first_with_their_weights() {
        let mut weights = weights();
        let cells =
            |name: &str, cells: &[u8], size| Table { name: name.into(), kind: Kind::Cells(cells.to_vec()), size };
        weights.tables = vec![cells("small", &[0], 1), cells("large", &[0, 1], 2), weights.tables[0].clone()];
        weights.tables[2].size = 1;
        let only = smaller(&weights, Stage { knots: 3, step: 1, dropped: 1 });
        assert_eq!(only.tables, [weights.tables[0].clone(), weights.tables[2].clone()]);
        assert_eq!(only.values, [0, 9, 10, 11, 20, 13]);
        assert_eq!(plan(&weights).last(), Some(&Stage { knots: 1, step: 256, dropped: 1 }));
    }

    #[test]
    fn what_fits_is_kept_and_the_first_that_fits_is_taken() {
        let fits = |weights: &Weights| Ok::<bool, ()>(weights.values.iter().all(|value| value % 4 == 0));
        let found = |weights| Ok(Shrunk::Fits(Box::new(weights)));
        assert_eq!(shrink_to(&weights(), fits), found(smaller(&weights(), stage(3, 4))));
        assert_eq!(shrink_to(&weights(), |_| Ok::<bool, ()>(true)), found(weights()));
        let least = smaller(&weights(), stage(1, 256));
        assert_eq!(shrink_to(&weights(), |_| Ok::<bool, ()>(false)), Ok(Shrunk::TooLarge(Box::new(least))));
        let two_knots = |weights: &Weights| Ok::<bool, ()>(weights.values.len() <= 8);
        assert_eq!(shrink_to(&weights(), two_knots), found(smaller(&weights(), stage(1, 128))));
    }

    #[test]
    fn every_stage_of_the_plan_is_smaller_than_the_one_before() {
        let mut weights = weights();
        for knots in 1..14 {
            weights.knots = (0..knots).collect();
            let plan = plan(&weights);
            for pair in plan.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                assert!(b.knots <= a.knots && b.dropped >= a.dropped, "{a:?} {b:?}");
                assert!(b.knots < a.knots || b.step > a.step || b.dropped > a.dropped, "{a:?} {b:?}");
            }
        }
    }
}
