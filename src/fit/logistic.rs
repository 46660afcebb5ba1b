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

/// Fits the unknowns `x` to the training rows, whose targets are expected outcomes in −1 … 1. `watch` is told after
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
    for _ in 0..STEPS {
        let meter = LossMeter::new(samples, knots, 1.0, Link::Logistic);
        let sums: Vec<Vec<f32>> = samples.training.par_iter().map(|group| meter.sums(group, x)).collect();
        let rows = samples.training.par_iter_mut().zip(&kept).zip(&sums);
        rows.for_each(|((group, (targets, weights, _)), sums)| respond(group, targets, weights, sums));
        let mut problem = Problem::new(samples, knots, options.lambda);
        problem.hold(x);
        let step = problem.solve(x, &each, |_, _| true);
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
