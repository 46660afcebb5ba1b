//! Logistic regression by repeated least squares (Fisher scoring, also called IRLS).
//!
//! With odds e^x and an expected outcome 2σ(x) − 1, a Newton step on the logistic loss is a weighted least-squares
//! problem: row i has the weight 4·wᵢ·pᵢ(1 − pᵢ) and the target x + (tᵢ − pᵢ)/(pᵢ(1 − pᵢ)), with tᵢ the target as a
//! probability. The factor 4 makes a level position count like one label, so the ridge keeps its meaning. [`solver`]
//! solves these problems; a few of its passes each are enough, since the next step starts where the last one ended.
//!
//! [`solver`]: super::solver

use rayon::prelude::*;

use super::samples::{Group, Samples};
use super::solver::{Link, LossMeter, PassReport, Problem, SolverOptions};

/// Newton steps.
const STEPS: usize = 6;
/// p(1 − p) is taken for at least this: rows far beyond doubt would ask for steps too large to trust.
const LEAST_CURVATURE: f32 = 0.02;

/// Fits the weights and constants `x` to the training rows, whose targets are expected outcomes in −1 … 1. `watch` is told after
/// every Newton step; [`SolverOptions::passes`] are shared out among them. The samples come back as they were.
pub fn solve(
    samples: &mut Samples,
    knots: &[u8],
    x: &mut [f64],
    options: &SolverOptions,
    mut watch: impl FnMut(&Samples, &PassReport, &[f64]),
) -> PassReport {
    let kept: Vec<(Vec<f32>, Vec<f32>, f64)> =
        samples.training.iter().map(|group| (group.targets.clone(), group.weights.clone(), group.scatter)).collect();
    let each = SolverOptions { passes: (options.passes / STEPS).max(2), ..*options };
    let mut last = PassReport { pass: 0, training_mse: 0.0, objective: 0.0 };
    let mut unknowns = None;
    for _ in 0..STEPS {
        let meter = LossMeter::new(samples, knots, 1.0, Link::Logistic);
        let sums: Vec<Vec<f32>> = samples.training.par_iter().map(|group| meter.sums(group, x)).collect();
        let rows = samples.training.par_iter_mut().zip(&kept).zip(&sums);
        rows.for_each(|((group, (targets, weights, _)), sums)| respond(group, targets, weights, sums));
        let mut problem = Problem::new(samples, knots, options);
        let unknowns = unknowns.get_or_insert_with(|| problem.sharing().split(x));
        problem.hold(unknowns);
        let step = problem.solve(unknowns, &each, |_, _| true);
        x.copy_from_slice(&problem.sharing().sum(unknowns));
        last = PassReport { pass: last.pass + step.pass, ..step };
        for (group, (targets, weights, scatter)) in samples.training.iter_mut().zip(&kept) {
            group.targets.clone_from(targets);
            group.weights.clone_from(weights);
            group.scatter = *scatter;
        }
        watch(samples, &last, x);
    }
    last
}

/// Gives a group the targets and weights of a Newton step at these sums.
fn respond(group: &mut Group, targets: &[f32], weights: &[f32], sums: &[f32]) {
    group.scatter = 0.0;
    for (row, &sum) in sums.iter().enumerate() {
        let p = 1.0 / (1.0 + libm::expf(-sum));
        let curvature = (p * (1.0 - p)).max(LEAST_CURVATURE);
        group.targets[row] = sum + ((targets[row] + 1.0) / 2.0 - p) / curvature;
        group.weights[row] = 4.0 * weights[row] * curvature;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Layout, Table};
    use crate::fit::samples::{LANE, NO_COLUMN};
    use crate::game::GameId;

    /// Rows that read weight 0 or 1, with so many wins and losses each.
    fn samples(wins: [usize; 2], losses: [usize; 2]) -> Samples {
        let layout = Layout {
            game: GameId::Othello4,
            tables: vec![Table { name: "t".into(), size: 2 }],
            instances: vec![0],
            plies: 1,
        };
        let mut group = Group { ply: 0, ..Group::default() };
        for index in 0..2u16 {
            for (count, target) in [(wins[index as usize], 1.0), (losses[index as usize], -1.0)] {
                for _ in 0..count {
                    group.indices.push(index);
                    group.indices.extend([0; LANE - 1]);
                    group.targets.push(target);
                    group.weights.push(1.0);
                }
            }
        }
        // Two weights and a slot for everything unseen, then a column of its own for each pad.
        let columns = [0, 1].into_iter().chain([NO_COLUMN; LANE]).collect();
        let bases = (0..LANE as u32).map(|pad| if pad == 0 { 0 } else { 2 + pad }).collect();
        let (training, validation) = (vec![group], Vec::new());
        let parts = Vec::new();
        Samples { layout, stride: LANE, bases, columns, parts, training, validation, games: 1, validation_games: 0 }
    }

    #[test]
    fn sums_are_the_logarithms_of_the_odds() {
        let mut samples = samples([30, 6], [10, 18]);
        let before = samples.clone();
        let options = SolverOptions { lambda: 1e-6, passes: 60, tolerance: 1e-12, sharing: false };
        let mut x = vec![0.0; samples.width() + 1];
        let last = solve(&mut samples, &[0], &mut x, &options, |_, _, _| ());
        assert!(last.pass <= 60);
        let constant = x[samples.width()];
        assert!((x[0] + constant - 3f64.ln()).abs() < 1e-3, "{x:?}");
        assert!((x[1] + constant + 3f64.ln()).abs() < 1e-3, "{x:?}");
        assert_eq!(samples.training[0].targets, before.training[0].targets);
        assert_eq!(samples.training[0].weights, before.training[0].weights);
    }

    #[test]
    fn certain_wins_do_not_run_away() {
        let mut samples = samples([400, 0], [0, 400]);
        let mut x = vec![0.0; samples.width() + 1];
        solve(&mut samples, &[0], &mut x, &SolverOptions::default(), |_, _, _| ());
        assert!(x.iter().all(|value| value.is_finite() && value.abs() < 20.0), "{x:?}");
        assert!(x[0] > 1.0 && x[1] < -1.0, "{x:?}");
    }
}
