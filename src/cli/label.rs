//! `label`: recorded games searched again, deeper, and solved exactly near the end.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::selfplay::{JobArguments, Output};
use super::{Answer, Global, print_json, progress, weights};
use crate::dataset;
use crate::dataset::pairs::PairSample;
use crate::dataset::shard::{ShardSet, Tail};
use crate::eval::weights::Weights;
use crate::label::pairs::{PairsJob, PairsMade, PairsOptions};
use crate::label::{Job, Made, Options, run as run_job};
use crate::{kit, label};

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights that search: a path, a version's number, or `champion`
    #[arg(long)]
    weights: String,
    /// The folder of the games
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    job: JobArguments,
    /// Nodes a position
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth of the search [default: 10, or no limit with --nodes]
    #[arg(long)]
    depth: Option<u8>,
    /// Solve positions with at most this many empty squares [default: 18]
    #[arg(long, value_name = "E")]
    solve_empties: Option<u8>,
    /// Search every n-th position after the last random move [default: 1, or 8 with --probcut-pairs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Write the scores of searches to every depth (*.pairs), for `fit --probcut`, instead of games
    #[arg(long, conflicts_with = "nodes")]
    probcut_pairs: bool,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let weights = weights::resolve_or_zero(global, &arguments.weights)?;
    let data = ShardSet::open(&[&arguments.data], Tail::Recover)?;
    ensure!(
        data.game() == weights.game,
        "{}: games of {}, but the weights are for {}",
        arguments.data.display(),
        data.game(),
        weights.game
    );
    if arguments.probcut_pairs {
        return sample_pairs(global, &arguments, &weights, &data);
    }
    let options = Options {
        depth: arguments.depth.unwrap_or(if arguments.nodes.is_some() { 60 } else { 10 }),
        nodes: arguments.nodes.unwrap_or(u64::MAX),
        solve_empties: arguments.solve_empties.unwrap_or(18),
        every: arguments.every.unwrap_or(1),
    };
    let out = &arguments.job.out;
    let threads = arguments.job.prepare()?;
    let begin = Instant::now();
    let made = rescore(global, &weights, &options, &data, out, threads)?;
    if !made.complete {
        progress::say(global, format!("stopped after {} games; go on with --resume", made.games));
        return Ok(Answer::Done);
    }
    let seconds = begin.elapsed().as_secs_f64();
    if global.json {
        print_json(&Output { games: made.games, positions: made.positions, seconds, blake3: made.blake3 })?;
    } else {
        writeln!(stdout(), "{} games rescored into {}", made.games, out.display())?;
        writeln!(stdout(), "blake3 {}", made.blake3)?;
        writeln!(stdout(), "next: stonesmith fit --data {} --out candidate.wts", out.display())?;
    }
    Ok(Answer::Done)
}

fn sample_pairs(global: &Global, arguments: &Arguments, weights: &Weights, data: &ShardSet) -> Result<Answer> {
    let options = PairsOptions {
        depth: arguments.depth.unwrap_or(8),
        solve_empties: arguments.solve_empties.unwrap_or(18),
        every: arguments.every.unwrap_or(8),
    };
    let out = &arguments.job.out;
    let threads = arguments.job.prepare()?;
    let begin = Instant::now();
    let made = pairs_of(global, weights, &options, data, out, threads)?;
    if !made.complete {
        progress::say(global, format!("stopped after {} games; go on with --resume", made.games));
        return Ok(Answer::Done);
    }
    let (samples, blake3) = read_pairs(&[out])?;
    let (positions, seconds) = (samples.len() as u64, begin.elapsed().as_secs_f64());
    if global.json {
        print_json(&Output { games: made.games, positions, seconds, blake3 })?;
    } else {
        writeln!(stdout(), "{positions} positions of {} games in {}", made.games, out.display())?;
        writeln!(stdout(), "blake3 {blake3}")?;
        writeln!(
            stdout(),
            "next: stonesmith fit --probcut --data {} --parent {} --out candidate.wts",
            out.display(),
            arguments.weights
        )?;
    }
    Ok(Answer::Done)
}

/// Samples the games of `data` with a progress bar.
pub fn pairs_of(
    global: &Global,
    weights: &Weights,
    options: &PairsOptions,
    data: &ShardSet,
    out: &Path,
    threads: usize,
) -> Result<PairsMade> {
    let bar = progress::bar(global, "pairs", data.games());
    let made = kit::with_engines!(weights, |make, _units| {
        let job = PairsJob { options, weights: weights.hash(), data, out, threads };
        label::pairs::run(&job, make, progress::stop_flag(), |games| bar.set_position(games))?
    });
    bar.finish_and_clear();
    Ok(made)
}

/// All samples in files and folders, in the order of their names, and the hash of their bytes.
pub fn read_pairs(paths: &[impl AsRef<Path>]) -> Result<(Vec<PairSample>, String)> {
    let mut files = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        if path.is_dir() {
            let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
            let mut found: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
            found.retain(|path| path.extension().is_some_and(|extension| extension == "pairs"));
            ensure!(!found.is_empty(), "{}: no *.pairs file; `label --probcut-pairs` makes them", path.display());
            found.sort();
            files.extend(found);
        } else {
            files.push(path.to_path_buf());
        }
    }
    let mut hasher = blake3::Hasher::new();
    let mut samples = Vec::new();
    for file in &files {
        samples.extend(dataset::pairs::read(file)?);
        hasher.update(&fs::read(file)?);
    }
    Ok((samples, hasher.finalize().to_hex().to_string()))
}

/// Rescores the games of `data` with a progress bar.
pub fn rescore(
    global: &Global,
    weights: &Weights,
    options: &Options,
    data: &ShardSet,
    out: &Path,
    threads: usize,
) -> Result<Made> {
    let bar = progress::bar(global, "label", data.games());
    let made = kit::with_engines!(weights, |make, units| {
        let job = Job { options, weights: weights.hash(), data, out, threads, units_per_outcome: units };
        run_job(&job, make, progress::stop_flag(), |games, _| bar.set_position(games))?
    });
    bar.finish_and_clear();
    Ok(made)
}
