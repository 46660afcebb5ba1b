//! What a fit did: losses per phase, how often weights were seen, speed.
//!
//! Losses are in units of the game's outcome, with predictions clipped to the largest outcome as they are at play.
//! Validation losses are over single labels. Training rows may stand for several merged labels: their RMSE counts
//! the spread of those labels (it is that of single labels), their MAE is against the mean label.

use serde::Serialize;

use super::samples::{Group, NO_COLUMN, Samples};
use super::solver::Problem;

/// Plies of one phase of the report.
const PHASE: usize = 6;

/// How far predictions are from labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Loss {
    /// Labels counted.
    pub labels: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Root mean squared error.
    pub rmse: f64,
}

/// The sums behind a [`Loss`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LossSums {
    /// Σ w.
    pub labels: f64,
    /// Σ w·|error|.
    pub absolute: f64,
    /// Σ w·error².
    pub squared: f64,
}

impl LossSums {
    /// Adds another part.
    pub fn add(&mut self, other: &LossSums) {
        self.labels += other.labels;
        self.absolute += other.absolute;
        self.squared += other.squared;
    }

    /// The loss; `None` over nothing.
    pub fn loss(&self) -> Option<Loss> {
        (self.labels > 0.0).then(|| Loss {
            labels: self.labels,
            mae: self.absolute / self.labels,
            rmse: (self.squared / self.labels).sqrt(),
        })
    }
}

/// One stretch of plies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// The first ply.
    pub first_ply: usize,
    /// The last ply.
    pub last_ply: usize,
    /// Training rows.
    pub positions: usize,
    /// The mean training label, for the side to move.
    pub target_mean: f64,
    /// The standard deviation of training labels: the RMSE of predicting their mean.
    pub target_deviation: f64,
    /// Loss on training rows.
    pub training: Option<Loss>,
    /// Loss on validation rows.
    pub validation: Option<Loss>,
}

/// How many weights of a knot were read by how many labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Occurrences {
    /// The knot's ply.
    pub knot: u8,
    /// Weights never read.
    pub none: usize,
    /// Weights read by 1 or 2 labels: they stay 0.
    pub below_3: usize,
    /// Weights read by 3 to 9.
    pub below_10: usize,
    /// Weights read by 10 to 99.
    pub below_100: usize,
    /// Weights read by 100 and more.
    pub more: usize,
}

/// Everything worth knowing about a fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitReport {
    /// Games read.
    pub games: u64,
    /// Games set aside for validation.
    pub validation_games: u64,
    /// Training rows: what a pass reads. Equal positions are one row if they were merged.
    pub positions: usize,
    /// Labels in the training rows.
    pub labels: f64,
    /// Validation rows, one label each.
    pub validation_positions: usize,
    /// Mean absolute error of the rounded weights on training rows.
    pub training_mae: f64,
    /// Root mean squared error of the rounded weights on training rows.
    pub training_rmse: f64,
    /// Mean absolute error of the rounded weights on validation rows.
    pub validation_mae: Option<f64>,
    /// Root mean squared error of the rounded weights on validation rows.
    pub validation_rmse: Option<f64>,
    /// The same before rounding.
    pub unrounded_validation_rmse: Option<f64>,
    /// Regularised loss per label at the end.
    pub objective: f64,
    /// Passes over the training rows.
    pub passes: usize,
    /// Seconds spent reading and replaying.
    pub sample_seconds: f64,
    /// Seconds spent in passes.
    pub solver_seconds: f64,
    /// All seconds.
    pub seconds: f64,
    /// positions × passes / solver_seconds.
    pub positions_per_second: f64,
    /// The ridge.
    pub lambda: f64,
    /// The knots.
    pub knots: Vec<u8>,
    /// Rounded values that hit the end of their range.
    pub saturated: usize,
    /// Losses of the rounded weights by phase, phases without rows left out.
    pub phases: Vec<Phase>,
    /// Occurrences by knot.
    pub occurrences: Vec<Occurrences>,
}

/// The loss of all groups.
pub fn total(parts: &[LossSums]) -> LossSums {
    let mut sum = LossSums::default();
    parts.iter().for_each(|part| sum.add(part));
    sum
}

/// The table of phases, from the losses of each training and validation group.
pub fn phases(samples: &Samples, training: &[LossSums], validation: &[LossSums]) -> Vec<Phase> {
    let mut phases = Vec::new();
    for first_ply in (0..samples.layout.plies).step_by(PHASE) {
        let last_ply = (first_ply + PHASE).min(samples.layout.plies) - 1;
        let within = |groups: &[Group], losses: &[LossSums]| {
            let pairs = groups.iter().zip(losses).filter(|(group, _)| (first_ply..=last_ply).contains(&group.ply));
            total(&pairs.map(|(_, loss)| *loss).collect::<Vec<_>>())
        };
        let (mut positions, mut labels, mut sum, mut squares) = (0, 0.0, 0.0, 0.0);
        for group in samples.training.iter().filter(|group| (first_ply..=last_ply).contains(&group.ply)) {
            positions += group.rows();
            squares += group.scatter;
            for (&target, &weight) in group.targets.iter().zip(&group.weights) {
                let (target, weight) = (f64::from(target), f64::from(weight));
                labels += weight;
                sum += weight * target;
                squares += weight * target * target;
            }
        }
        if positions == 0 {
            continue;
        }
        let mean = sum / labels;
        phases.push(Phase {
            first_ply,
            last_ply,
            positions,
            target_mean: mean,
            target_deviation: (squares / labels - mean * mean).max(0.0).sqrt(),
            training: within(&samples.training, training).loss(),
            validation: within(&samples.validation, validation).loss(),
        });
    }
    phases
}

/// How often the weights of each knot were read.
pub fn occurrences(problem: &Problem, samples: &Samples, knots: &[u8]) -> Vec<Occurrences> {
    let of_knot = |(number, &knot): (usize, &u8)| {
        let mut found = Occurrences { knot, none: 0, below_3: 0, below_10: 0, below_100: 0, more: 0 };
        let mut seen = 0;
        for (&count, _) in problem.occurrences(number).iter().zip(&samples.columns).filter(|(_, c)| **c != NO_COLUMN) {
            seen += 1;
            match count {
                0.0 => found.none += 1,
                n if n < 3.0 => found.below_3 += 1,
                n if n < 10.0 => found.below_10 += 1,
                n if n < 100.0 => found.below_100 += 1,
                _ => found.more += 1,
            }
        }
        found.none += samples.layout.row_len() - seen;
        found
    };
    knots.iter().enumerate().map(of_knot).collect()
}

/// Bytes a fit takes at most: `positions` labelled positions (merging makes it less) and the solver on `threads`
/// threads.
pub fn memory_need(layout: &crate::eval::Layout, knots: usize, positions: u64, threads: usize) -> u64 {
    positions * super::samples::bytes_per_position(layout)
        + super::samples::bytes_in_flight(layout, positions)
        + super::solver::solver_bytes(layout.row_len(), knots, layout.plies, threads)
}

impl std::fmt::Display for FitReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} games, {} positions ({} after merging equal ones), {} passes in {:.1} s, {:.1} M positions·passes/s",
            self.games,
            self.labels,
            self.positions,
            self.passes,
            self.solver_seconds,
            self.positions_per_second / 1e6
        )?;
        writeln!(f, "plies     positions   target sd   training MAE  RMSE   validation MAE  RMSE")?;
        for phase in &self.phases {
            let loss = |loss: &Option<Loss>| {
                loss.map_or(("-".into(), "-".into()), |l| (format!("{:.3}", l.mae), format!("{:.3}", l.rmse)))
            };
            let (training, validation) = (loss(&phase.training), loss(&phase.validation));
            writeln!(
                f,
                "{:>2}–{:<2}  {:>12}  {:>9.2}  {:>12} {:>6}  {:>13} {:>6}",
                phase.first_ply,
                phase.last_ply,
                phase.positions,
                phase.target_deviation,
                training.0,
                training.1,
                validation.0,
                validation.1
            )?;
        }
        let show = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.3}"));
        write!(f, "validation MAE {}, RMSE {}", show(self.validation_mae), show(self.validation_rmse))
    }
}
