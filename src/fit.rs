//! The fit: from recorded games and a feature model to weights.
//!
//! The prediction of a position is the constant of its ply plus the sum of its instances' weights, mixed between
//! the two knots around the ply; it is fitted to the labels of recorded positions by ridge-regularised least squares
//! in the game's outcome unit, or by logistic regression where games are won or lost ([`samples`] makes the rows,
//! [`solver`] and [`logistic`] solve, [`mod@quantise`] rounds, [`report`] judges). The worth of moves in ordering is
//! learned from the moves that searches chose ([`moves`]). Nothing here knows a board: a position is what
//! [`FeatureModel`] says of it.

pub mod checkpoint;
pub mod dump;
pub mod logistic;
pub mod moves;
pub mod probcut;
pub mod quantise;
pub mod report;
pub mod samples;
pub mod sharing;
pub mod solver;

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use thiserror::Error;

use crate::dataset::GameRecord;
use crate::eval::weights::Weights;
use crate::eval::{FeatureModel, Layout};
use checkpoint::Checkpoint;
use quantise::{Quantised, quantise, unknowns_of};
use report::{FitReport, Loss, total};
use samples::{SampleOptions, Samples};
use solver::{Link, LossMeter, PassReport, Problem, SolverOptions};

/// Why there is no fit.
#[derive(Debug, Error)]
pub enum FitError {
    /// The records could not be read.
    #[error("{0}")]
    Read(#[source] Box<dyn Error + Send + Sync>),
    /// A record contradicts the rules.
    #[error("game {index}, ply {ply}: {problem}")]
    Game {
        /// The number of the game in its run.
        index: u64,
        /// The entry of its move list, from 0.
        ply: usize,
        /// What is wrong.
        problem: String,
    },
    /// The weights to fill are not those of the feature model.
    #[error("the tables of the weights to fit are not those of the feature model: expected {expected}, found {found}")]
    Template {
        /// Tables of the feature model.
        expected: String,
        /// Tables of the weights.
        found: String,
    },
    /// The state could not be kept for a resumed fit.
    #[error("{}: {error}", path.display())]
    Checkpoint {
        /// The checkpoint's file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// Nothing to fit.
    #[error("no labelled training position in {games} games")]
    NoPositions {
        /// The games read.
        games: u64,
    },
}

impl FitError {
    fn game(record: &GameRecord, ply: usize, problem: String) -> FitError {
        FitError::Game { index: record.index, ply, problem }
    }
}

/// What to fit and how.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOptions {
    /// Which positions enter and with what target.
    pub samples: SampleOptions,
    /// Ridge and stopping.
    pub solver: SolverOptions,
    /// What the sums of weights predict: the outcome itself, by least squares, or the odds of winning, by logistic
    /// regression.
    pub link: Link,
    /// The validation loss is computed every so many passes; 0 = only at the end.
    pub validation_every: usize,
    /// Where a fit by least squares leaves its state from time to time, and from where it goes on.
    pub checkpoint: Option<PathBuf>,
}

impl FitOptions {
    /// The usual choice for a game whose outcomes reach ± `largest_outcome`.
    pub fn new(largest_outcome: f32) -> FitOptions {
        FitOptions {
            samples: SampleOptions::new(largest_outcome),
            solver: SolverOptions::default(),
            link: Link::Identity,
            validation_every: 5,
            checkpoint: None,
        }
    }

    /// The usual choice for a game that is won or lost, by moves that need not all be played.
    pub fn won_or_lost() -> FitOptions {
        let solver = SolverOptions { lambda: 20.0, sharing: false, ..SolverOptions::default() };
        let mut options = FitOptions { link: Link::Logistic, solver, ..FitOptions::new(1.0) };
        options.samples.ends = false;
        options
    }
}

/// How far a fit has come.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// So many games were replayed.
    Games(u64),
    /// The fit goes on after so many passes of an earlier run.
    Resumed(usize),
    /// A pass ended; the validation loss is there every few passes.
    Pass(PassReport, Option<Loss>),
    /// The fit is done; its samples are still there to be looked at.
    Solved(&'a Samples, &'a Fit),
}

/// A finished fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The rounded weights.
    pub weights: Weights,
    /// What was done.
    pub report: FitReport,
    /// The unknowns before rounding, numbered as in [`Problem`].
    pub unknowns: Vec<f64>,
    /// The ridge of each unknown, infinite where it is held at 0.
    pub ridge: Vec<f64>,
}

/// Fits the labelled positions of `records` at the knots of `template`, whose game, scale and tables the result
/// takes, starting from the weights of `parent` where it has the same tables. Rayon's current pool does the work;
/// the result has the same bits for any number of threads.
///
/// # Errors
/// See [`FitError`].
pub fn fit<M, E>(
    records: impl Iterator<Item = Result<GameRecord, E>>,
    model: &M,
    template: &Weights,
    parent: Option<&Weights>,
    options: &FitOptions,
    mut progress: impl FnMut(Progress),
) -> Result<Fit, FitError>
where
    M: FeatureModel,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let begin = Instant::now();
    check_template(model.layout(), template)?;
    let mut samples = Samples::build(records, model, &options.samples, |games| progress(Progress::Games(games)))?;
    let sample_seconds = begin.elapsed().as_secs_f64();
    let mut fit = match options.link {
        Link::Identity => fit_samples(&samples, template, parent, options, &mut progress)?,
        Link::Logistic => fit_odds(&mut samples, template, parent, options, &mut progress)?,
    };
    fit.report.sample_seconds = sample_seconds;
    fit.report.seconds += sample_seconds;
    progress(Progress::Solved(&samples, &fit));
    Ok(fit)
}

/// [`fit`] by logistic regression, with the samples already made; they come back as they were.
///
/// # Errors
/// [`FitError::Template`].
pub fn fit_odds(
    samples: &mut Samples,
    template: &Weights,
    parent: Option<&Weights>,
    options: &FitOptions,
    mut progress: impl FnMut(Progress),
) -> Result<Fit, FitError> {
    check_template(&samples.layout, template)?;
    let begin = Instant::now();
    let largest = options.samples.largest_outcome;
    let mut x = unknowns_of(samples, template, parent.unwrap_or(template));
    let last = logistic::solve(samples, &template.knots, &mut x, &options.solver, |samples, pass, x| {
        let meter = LossMeter::new(samples, &template.knots, largest, Link::Logistic);
        progress(Progress::Pass(*pass, total(&meter.validation(x)).loss()));
    });
    let solver_seconds = begin.elapsed().as_secs_f64();
    let problem = Problem::new(samples, &template.knots, &options.solver);
    let meter = LossMeter::new(samples, &template.knots, largest, Link::Logistic);
    let solved = Solved { x, last, solver_seconds, begin };
    Ok(finish(samples, template, parent, options, &problem, &meter, solved))
}

/// [`fit`] by least squares, with the samples already made.
///
/// # Errors
/// [`FitError::Template`].
pub fn fit_samples(
    samples: &Samples,
    template: &Weights,
    parent: Option<&Weights>,
    options: &FitOptions,
    mut progress: impl FnMut(Progress),
) -> Result<Fit, FitError> {
    check_template(&samples.layout, template)?;
    let begin = Instant::now();
    let knots = &template.knots;
    let largest = options.samples.largest_outcome;
    let solving = Instant::now();
    let mut problem = Problem::new(samples, knots, &options.solver);
    let sharing = problem.sharing().clone();
    let mut x = sharing.split(&unknowns_of(samples, template, parent.unwrap_or(template)));
    problem.hold(&mut x);
    let meter = problem.loss_meter(largest);
    let mut checkpoint =
        options.checkpoint.as_ref().map(|path| Checkpoint::new(path, samples, &x, knots, &options.solver));
    let mut state = match checkpoint.as_ref().and_then(Checkpoint::load) {
        Some(state) => {
            progress(Progress::Resumed(state.pass));
            state
        }
        None => problem.begin(x),
    };
    let mut unsaved = None;
    let last = problem.go_on(&mut state, &options.solver, |pass, state| {
        let due = options.validation_every > 0 && pass.pass % options.validation_every == 0;
        let loss = due.then(|| total(&meter.validation(&sharing.sum(&state.x))).loss());
        progress(Progress::Pass(*pass, loss.flatten()));
        unsaved = checkpoint.as_mut().and_then(|checkpoint| checkpoint.save(state).err());
        unsaved.is_none()
    });
    if let Some(error) = unsaved {
        let path = options.checkpoint.clone().unwrap_or_default();
        return Err(FitError::Checkpoint { path, error });
    }
    let x = sharing.sum(&state.x).into_owned();
    let solved = Solved { x, last, solver_seconds: solving.elapsed().as_secs_f64(), begin };
    Ok(finish(samples, template, parent, options, &problem, &meter, solved))
}

/// What a solver leaves.
struct Solved {
    x: Vec<f64>,
    last: PassReport,
    solver_seconds: f64,
    begin: Instant,
}

/// Rounds a solution and measures it.
fn finish(
    samples: &Samples,
    template: &Weights,
    parent: Option<&Weights>,
    options: &FitOptions,
    problem: &Problem,
    meter: &LossMeter,
    solved: Solved,
) -> Fit {
    let Solved { x, last, solver_seconds, begin } = solved;
    let knots = &template.knots;
    let parent_hash = parent.map_or([0; 32], Weights::hash);
    let Quantised { weights, saturated } = quantise(samples, &x, template, parent_hash);
    let rounded = unknowns_of(samples, template, &weights);
    let (training, validation) = (meter.training(&rounded), meter.validation(&rounded));
    let unrounded = total(&meter.validation(&x)).loss();
    let (on_training, on_validation) = (total(&training).loss().unwrap_or_default(), total(&validation).loss());
    let positions = samples.training_rows();
    let report = FitReport {
        games: samples.games,
        validation_games: samples.validation_games,
        positions,
        labels: samples.training_labels(),
        validation_positions: samples.validation_rows(),
        training_mae: on_training.mae,
        training_rmse: on_training.rmse,
        validation_mae: on_validation.map(|loss| loss.mae),
        validation_rmse: on_validation.map(|loss| loss.rmse),
        unrounded_validation_rmse: unrounded.map(|loss| loss.rmse),
        objective: last.objective,
        passes: last.pass,
        sample_seconds: 0.0,
        solver_seconds,
        seconds: begin.elapsed().as_secs_f64(),
        positions_per_second: (positions * last.pass) as f64 / solver_seconds,
        lambda: options.solver.lambda,
        knots: knots.clone(),
        saturated,
        phases: report::phases(samples, &training, &validation),
        occurrences: report::occurrences(problem, samples, knots),
    };
    Fit { weights, report, ridge: problem.ridge(), unknowns: x }
}

fn check_template(layout: &Layout, template: &Weights) -> Result<(), FitError> {
    let expected: Vec<(&str, usize)> = layout.tables.iter().map(|table| (&*table.name, table.size)).collect();
    let found: Vec<(&str, usize)> = template.tables.iter().map(|table| (&*table.name, table.size)).collect();
    if layout.game == template.game && expected == found {
        return Ok(());
    }
    let text = |game, tables| format!("{game} {tables:?}");
    Err(FitError::Template { expected: text(layout.game, expected), found: text(template.game, found) })
}
