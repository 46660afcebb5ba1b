//! Shrinking: a smaller weights file that loses little, under a budget.
//!
//! Three levers, pulled in this order: coarser steps (weights rounded to multiples of 2, 4, 8 … units, which the coder
//! of baked files turns into fewer bits), fewer knots (resampled by the same mixture that play uses), and fewer
//! patterns (the largest first, one is left). Each stage of the plan is smaller than the one before. The result is a
//! weights file whose parent is the original, so that the arena measures what is submitted.

use super::evaluator::mix_row;
use super::even_knots;
use super::weights::{Kind, Weights};

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
    // Precision to an eighth of a disc (at 128 units), then knots, precision again, at last patterns.
    let mut stages: Vec<(usize, i16)> = [2, 4, 8, 16].map(|step| (all, step)).to_vec();
    stages.extend((4..all).rev().map(|knots| (knots, 16)));
    stages.extend([(4, 32), (3, 32), (3, 64), (2, 64), (1, 64), (1, 128)].map(|(knots, step)| (knots.min(all), step)));
    stages.dedup();
    let mut plan: Vec<Stage> = stages.iter().map(|&(knots, step)| Stage { knots, step, dropped: 0 }).collect();
    plan.extend((1..patterns).map(|dropped| Stage { knots: 1, step: 128, dropped }));
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
    for &ply in &plies {
        let row = mix_row(weights, ply as usize);
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

/// The nearest multiple of `step`, halves towards zero.
fn round(value: i16, step: i16) -> i16 {
    let (value, step) = (i32::from(value), i32::from(step));
    let size = (value.abs() + (step - 1) / 2) / step * step;
    (value.signum() * size).clamp(i16::MIN.into(), i16::MAX.into()) as i16
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
            assert!((i32::from(round(value, 16)) - i32::from(value)).abs() <= 8);
            assert_eq!(i32::from(round(value, 16)), -i32::from(round(-value, 16)));
        }
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
        assert_eq!(plan(&weights).last(), Some(&Stage { knots: 1, step: 128, dropped: 1 }));
    }

    #[test]
    fn what_fits_is_kept_and_the_first_that_fits_is_taken() {
        let fits = |weights: &Weights| Ok::<bool, ()>(weights.values.iter().all(|value| value % 4 == 0));
        let found = |weights| Ok(Shrunk::Fits(Box::new(weights)));
        assert_eq!(shrink_to(&weights(), fits), found(smaller(&weights(), stage(3, 4))));
        assert_eq!(shrink_to(&weights(), |_| Ok::<bool, ()>(true)), found(weights()));
        let least = smaller(&weights(), stage(1, 128));
        assert_eq!(shrink_to(&weights(), |_| Ok::<bool, ()>(false)), Ok(Shrunk::TooLarge(Box::new(least))));
        let two_knots = |weights: &Weights| Ok::<bool, ()>(weights.values.len() <= 8);
        assert_eq!(shrink_to(&weights(), two_knots), found(smaller(&weights(), stage(2, 64))));
    }

    #[test]
    fn every_stage_of_the_plan_is_coarser_than_the_one_before() {
        let mut weights = weights();
        for knots in 1..14 {
            weights.knots = (0..knots).collect();
            let plan = plan(&weights);
            for pair in plan.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                assert!(b.knots <= a.knots && b.step >= a.step && b.dropped >= a.dropped && a != b, "{a:?} {b:?}");
            }
        }
    }
}
