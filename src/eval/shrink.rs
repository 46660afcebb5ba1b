//! Shrinking: a smaller weights file that loses little, under a budget.
//!
//! Two levers: coarser steps (weights rounded to multiples of 2, 4, 8 … units, which the coder of baked files turns
//! into fewer bits) and fewer knots (resampled by the same mixture that play uses). The plan goes from the finest
//! step to the coarsest and drops knots only where steps alone do not fit. The result is a weights file whose parent
//! is the original, so that the arena measures what is submitted.

use super::evaluator::mix_row;
use super::even_knots;
use super::weights::Weights;

/// The coarsest step tried before knots are dropped, in weight units (an eighth of a disc at 128 units).
const COARSE: i16 = 16;
/// The coarsest step of all.
const COARSEST: i16 = 128;

/// The largest of the planned forms of `weights` that `fits` accepts; the original if it does. `None` when even the
/// smallest does not fit.
pub fn shrink_to<E>(
    weights: &Weights,
    mut fits: impl FnMut(&Weights) -> Result<bool, E>,
) -> Result<Option<Weights>, E> {
    if fits(weights)? {
        return Ok(Some(weights.clone()));
    }
    let all = weights.knots.len();
    let fine = steps(2, COARSE).map(|step| (all, step));
    let fewer = (2..all).rev().map(|knots| (knots, COARSE));
    let coarse = steps(2 * COARSE, COARSEST).map(|step| (all.min(2), step));
    let single = steps(COARSE, COARSEST).map(|step| (1, step));
    for (knots, step) in fine.chain(fewer).chain(coarse).chain(single) {
        let smaller = smaller(weights, knots, step);
        if fits(&smaller)? {
            return Ok(Some(smaller));
        }
    }
    Ok(None)
}

fn steps(from: i16, to: i16) -> impl Iterator<Item = i16> {
    std::iter::successors(Some(from), |step| Some(step * 2)).take_while(move |&step| step <= to)
}

/// `weights` on `knots` evenly spaced knots, every weight rounded to a multiple of `step`.
pub fn smaller(weights: &Weights, knots: usize, step: i16) -> Weights {
    let (first, last) = (weights.knots[0], *weights.knots.last().expect("at least one knot"));
    let plies = match knots >= weights.knots.len() {
        true => weights.knots.clone(),
        // A single knot stands in the middle: it has to serve all plies.
        false if knots == 1 => vec![first + (last - first) / 2],
        false => even_knots(knots, first as usize, last as usize),
    };
    let values = plies.iter().flat_map(|&ply| mix_row(weights, ply as usize));
    Weights {
        parent: weights.hash(),
        values: values.map(|value| round(value, step)).collect(),
        knots: plies,
        ..weights.clone()
    }
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
    use crate::eval::weights::{Kind, Table};
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

    #[test]
    fn values_round_to_the_step_and_knots_are_resampled() {
        let coarse = smaller(&weights(), 3, 16);
        assert_eq!(coarse.values, [0, 96, -96, 16, 16, 112, -112, 16, 16, 144, -144, 16]);
        assert_eq!(coarse.parent, weights().hash());
        assert_eq!(coarse.constants, weights().constants);
        let two = smaller(&weights(), 2, 1);
        assert_eq!((two.knots, two.values), (vec![10, 30], vec![0, 100, -100, 9, 20, 140, -140, 13]));
        let one = smaller(&weights(), 1, 1);
        assert_eq!((one.knots, one.values), (vec![20], vec![10, 120, -120, 11]));
        for value in [-32_000, -8, -1, 0, 7, 8, 9, 31_999] {
            assert!((i32::from(round(value, 16)) - i32::from(value)).abs() <= 8);
            assert_eq!(i32::from(round(value, 16)), -i32::from(round(-value, 16)));
        }
    }

    #[test]
    fn what_fits_is_kept_and_the_first_that_fits_is_taken() {
        let fits = |weights: &Weights| Ok::<bool, ()>(weights.values.iter().all(|value| value % 4 == 0));
        assert_eq!(shrink_to(&weights(), fits).unwrap().unwrap(), smaller(&weights(), 3, 4));
        assert_eq!(shrink_to(&weights(), |_| Ok::<bool, ()>(true)).unwrap().unwrap(), weights());
        assert_eq!(shrink_to(&weights(), |_| Ok::<bool, ()>(false)).unwrap(), None);
        let two_values = |weights: &Weights| Ok::<bool, ()>(weights.values.len() <= 8);
        assert_eq!(shrink_to(&weights(), two_values).unwrap().unwrap().knots, [10, 30]);
    }
}
