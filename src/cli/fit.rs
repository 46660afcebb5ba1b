//! `fit`: recorded games to weights.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use super::selfplay::threads;
use super::{Answer, Global, print_json, progress, weights, write_file};
use crate::dataset::pairs::PairSample;
use crate::dataset::shard::{ShardSet, Tail};
use crate::dataset::whole_file::WholeFile;
use crate::eval::othello::PatternSetName;
use crate::eval::weights::Weights;
use crate::fit::report::FitReport;
use crate::fit::samples::Samples;
use crate::fit::{Fit, Progress, dump, probcut};
use crate::game::GameId;
use crate::kit;

#[derive(clap::Args)]
pub struct Arguments {
    /// Folders or files of games
    #[arg(long, required = true, num_args = 1.., value_name = "DIR")]
    data: Vec<PathBuf>,
    /// The weights file to write
    #[arg(long, value_name = "F.wts")]
    out: PathBuf,
    /// Start from these weights: a path, a version's number, or `champion`
    #[arg(long)]
    parent: Option<String>,
    /// How many plies have weights of their own
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=61))]
    knots: u8,
    /// The patterns of Othello: standard, tens (wider ones, stronger with many games), edax (for `export --format edax`) or
    /// lines (for the smallest bots)
    #[arg(long, default_value_t)]
    patterns: PatternSetName,
    /// Ridge: so many pseudo-observations of 0 a weight [default: 300, Renju 20]
    #[arg(long)]
    lambda: Option<f64>,
    /// Hold every weight at 0 by itself, not at what its smaller parts and its other phases say (Renju always does)
    #[arg(long)]
    plain_ridge: bool,
    /// The share of games set aside to judge by
    #[arg(long, default_value_t = 0.05)]
    validation: f64,
    /// Passes over the data
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Target = this share of the outcome and the rest of the recorded score in the first half of a game; from there
    /// the share rises to 1
    #[arg(long, default_value_t = 1.0)]
    outcome_weight: f32,
    /// The score of a position is this share of what the next positions' searches say (a λ-return) and the rest of its own
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0)]
    score_lambda: f32,
    /// A position whose score is so many discs counts half as much as a level one [default: all count alike]
    #[arg(long, value_name = "DISCS")]
    half_weight: Option<f32>,
    /// Workers [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// At most so many positions of one game [default: all]
    #[arg(long, value_name = "N")]
    max_positions_per_game: Option<usize>,
    /// Give the parent's weights ProbCut lines drawn from the samples (*.pairs) of --data; nothing else changes
    #[arg(long, requires = "parent")]
    probcut: bool,
    /// Also write the linear system and its solution, for scripts/lsmr_compare.py (about 800 bytes a position)
    #[arg(long, value_name = "FILE", requires = "plain_ridge")]
    dump_system: Option<PathBuf>,
}

/// How a verb fits.
#[derive(Clone, Debug)]
pub struct Plan {
    pub knots: u8,
    pub patterns: PatternSetName,
    pub lambda: Option<f64>,
    pub plain_ridge: bool,
    pub validation: f64,
    pub passes: u32,
    pub outcome_weight: f32,
    pub score_lambda: f32,
    pub half_weight: Option<f32>,
    pub threads: usize,
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    report: &'a FitReport,
    peak_mb: Option<u64>,
    weights: String,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    ensure!(arguments.lambda.is_none_or(|lambda| lambda >= 0.0), "--lambda: expected at least 0");
    ensure!((0.0..1.0).contains(&arguments.validation), "--validation: expected a share from 0 to below 1");
    ensure!((0.0..=1.0).contains(&arguments.outcome_weight), "--outcome-weight: expected a share from 0 to 1");
    ensure!((0.0..=1.0).contains(&arguments.score_lambda), "--score-lambda: expected a share from 0 to 1");
    ensure!(arguments.half_weight.is_none_or(|half| half > 0.0), "--half-weight: expected more than 0 discs");
    let parent = arguments.parent.as_deref().map(|word| weights::resolve(global, word)).transpose()?;
    if arguments.probcut {
        return fit_probcut(global, &arguments, parent.expect("--probcut requires --parent"));
    }
    let data = ShardSet::open(&arguments.data, Tail::Recover)?;
    if data.game() != global.game {
        bail!("{}: games of {}, expected {} (-g)", arguments.data[0].display(), data.game(), global.game);
    }
    ensure!(
        global.game != GameId::Renju || arguments.patterns == PatternSetName::Standard,
        "--patterns: Renju has one set of features"
    );
    let plan = Plan {
        knots: arguments.knots,
        patterns: arguments.patterns,
        lambda: arguments.lambda,
        plain_ridge: arguments.plain_ridge,
        validation: arguments.validation,
        passes: arguments.passes,
        outcome_weight: arguments.outcome_weight,
        score_lambda: arguments.score_lambda,
        half_weight: arguments.half_weight,
        threads: threads(arguments.threads),
    };
    let mut checkpoint = arguments.out.clone().into_os_string();
    checkpoint.push(".checkpoint");
    let checkpoint = PathBuf::from(checkpoint);
    let extras = Extras {
        max_positions_per_game: arguments.max_positions_per_game,
        dump_system: arguments.dump_system.as_deref(),
        checkpoint: Some(&checkpoint),
    };
    let fitted = fit_with(global, &data, parent.as_ref(), &plan, &extras)?;
    write_file(&arguments.out, &fitted.weights.to_bytes())?;
    forget(&checkpoint);
    let id = fitted.weights.id();
    if global.json {
        print_json(&Output { report: &fitted.report, peak_mb: peak_mb(), weights: id })?;
    } else {
        writeln!(stdout(), "{}", fitted.report)?;
        if let Some(peak) = peak_mb() {
            writeln!(stdout(), "peak memory {peak} MB")?;
        }
        writeln!(stdout(), "{}: weights {id}", arguments.out.display())?;
        writeln!(stdout(), "next: stonesmith gate {}", arguments.out.display())?;
    }
    Ok(Answer::Done)
}

#[derive(Serialize)]
struct Lines<'a> {
    positions: usize,
    lines: &'a [Line],
    weights: String,
}

#[derive(Serialize)]
struct Line {
    ply: u8,
    deep: u8,
    shallow: u8,
    slope: f64,
    intercept: f64,
    deviation: f64,
}

fn fit_probcut(global: &Global, arguments: &Arguments, parent: Weights) -> Result<Answer> {
    ensure!(parent.game == global.game, "the parent is for {}, expected {} (-g)", parent.game, global.game);
    let (samples, _) = super::label::read_pairs(&arguments.data)?;
    let fitted = with_probcut(&parent, &samples)?;
    write_file(&arguments.out, &fitted.to_bytes())?;
    let units = f64::from(kit::units_per_outcome(parent.game));
    let lines: Vec<Line> = fitted
        .probcut
        .iter()
        .map(|line| Line {
            ply: line.ply,
            deep: line.deep,
            shallow: line.shallow,
            slope: f64::from(line.slope) / 1024.0,
            intercept: f64::from(line.intercept) / units,
            deviation: f64::from(line.deviation) / units,
        })
        .collect();
    if global.json {
        print_json(&Lines { positions: samples.len(), lines: &lines, weights: fitted.id() })?;
        return Ok(Answer::Done);
    }
    writeln!(stdout(), "from ply  deep  shallow  slope  intercept  deviation (in units of the outcome)")?;
    for line in &lines {
        let Line { ply, deep, shallow, slope, intercept, deviation } = line;
        writeln!(stdout(), "{ply:8} {deep:5} {shallow:8} {slope:6.3} {intercept:10.2} {deviation:10.2}")?;
    }
    writeln!(stdout(), "{} lines from {} positions", lines.len(), samples.len())?;
    writeln!(stdout(), "{}: weights {}", arguments.out.display(), fitted.id())?;
    writeln!(stdout(), "next: stonesmith gate {}", arguments.out.display())?;
    Ok(Answer::Done)
}

/// The same weights with ProbCut lines drawn from `samples`.
pub fn with_probcut(weights: &Weights, samples: &[PairSample]) -> Result<Weights> {
    let last = weights.constants.len() as u8 - 1;
    let probcut = probcut::lines(samples, last);
    ensure!(!probcut.is_empty(), "{} samples draw no ProbCut line: more positions or deeper searches", samples.len());
    Ok(Weights { probcut, parent: weights.hash(), ..weights.clone() })
}

/// Fits the games of `data` with a progress bar; a fit that was killed goes on from `checkpoint`.
pub fn fit_data(
    global: &Global,
    data: &ShardSet,
    parent: Option<&Weights>,
    plan: &Plan,
    checkpoint: &Path,
) -> Result<Fit> {
    fit_with(global, data, parent, plan, &Extras { checkpoint: Some(checkpoint), ..Extras::default() })
}

/// Removes the checkpoint of a fit whose weights are written.
pub fn forget(checkpoint: &Path) {
    // A short fit never wrote one.
    let _ = std::fs::remove_file(checkpoint);
}

/// What only the verb itself offers.
#[derive(Default)]
struct Extras<'a> {
    max_positions_per_game: Option<usize>,
    dump_system: Option<&'a Path>,
    checkpoint: Option<&'a Path>,
}

fn fit_with(global: &Global, data: &ShardSet, parent: Option<&Weights>, plan: &Plan, extras: &Extras) -> Result<Fit> {
    let bytes = kit::fit_memory(data.game(), plan.patterns, plan.knots as usize, data.positions(), plan.threads)?;
    progress::say(
        global,
        format!("fit: {} games, {} plies; at most {} MB", data.games(), data.positions(), bytes >> 20),
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
    let mut options = kit::fit_options(data.game());
    options.samples.validation = plan.validation;
    options.samples.outcome_weight = plan.outcome_weight;
    options.samples.score_lambda = plan.score_lambda;
    options.samples.half_weight = plan.half_weight;
    options.samples.max_positions_per_game = extras.max_positions_per_game;
    options.checkpoint = extras.checkpoint.map(Path::to_path_buf);
    options.solver.lambda = plan.lambda.unwrap_or(options.solver.lambda);
    options.solver.sharing &= !plan.plain_ridge;
    options.solver.passes = plan.passes as usize;
    let reading = progress::bar(global, "replay", data.games());
    let passes = progress::bar(global, "fit", u64::from(plan.passes));
    let mut dumped = Ok(());
    let on_progress = |step: Progress| match step {
        Progress::Games(games) => reading.set_position(games),
        Progress::Resumed(pass) => progress::say(global, format!("fit: goes on after pass {pass}")),
        Progress::Pass(pass, loss) => {
            reading.finish_and_clear();
            passes.set_position(pass.pass as u64);
            if let Some(loss) = loss {
                passes.set_message(format!("validation MAE {:.3}, RMSE {:.3}", loss.mae, loss.rmse));
            }
        }
        Progress::Solved(samples, fit) => {
            if let Some(path) = extras.dump_system {
                dumped = dump_system(path, samples, fit);
            }
        }
    };
    let game = data.game();
    let knots = plan.knots as usize;
    let name = plan.patterns;
    let fitted = pool.install(|| -> Result<Fit> {
        Ok(match game {
            GameId::Othello => kit::fit_othello::<8>(data, name.set::<8>()?, knots, parent, &options, on_progress)?,
            GameId::Othello6 => kit::fit_othello::<6>(data, name.set::<6>()?, knots, parent, &options, on_progress)?,
            GameId::Othello4 => kit::fit_othello::<4>(data, name.set::<4>()?, knots, parent, &options, on_progress)?,
            GameId::Renju => kit::fit_renju(data, knots, parent, &options, on_progress)?,
        })
    })?;
    passes.finish_and_clear();
    dumped.map(|()| fitted)
}

fn dump_system(path: &Path, samples: &Samples, fit: &Fit) -> Result<()> {
    let write = || {
        let mut file = WholeFile::create(path)?;
        dump::write_system(&mut file, samples, &fit.weights.knots, &fit.ridge, &fit.unknowns)?;
        file.commit()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// The most memory this process has had, in MB.
fn peak_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kb| kb >> 10)
}
