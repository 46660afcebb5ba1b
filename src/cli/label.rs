//! `label`: recorded games searched again, deeper, and solved exactly near the end.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde::Serialize;

use super::selfplay::{prepare_folder, threads};
use super::{Answer, Global, print_json, progress, weights};
use crate::dataset::shard::{ShardSet, Tail};
use crate::eval::weights::Weights;
use crate::kit;
use crate::label::{Job, Made, Options, run as run_job};

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights that search: a path, a version's number, or `champion`
    #[arg(long)]
    weights: String,
    /// The folder of the games
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The folder for the rescored games
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Nodes a position
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth of the search [default: 10, or no limit with --nodes]
    #[arg(long)]
    depth: Option<u8>,
    /// Solve positions with at most this many empty squares
    #[arg(long, default_value_t = 18, value_name = "E")]
    solve_empties: u8,
    /// Search every n-th position after the last random move
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Go on with what is in the folder
    #[arg(long)]
    resume: bool,
    /// Workers [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Serialize)]
struct Output {
    games: u64,
    positions: u64,
    seconds: f64,
    blake3: String,
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
    let options = Options {
        depth: arguments.depth.unwrap_or(if arguments.nodes.is_some() { 60 } else { 10 }),
        nodes: arguments.nodes.unwrap_or(u64::MAX),
        solve_empties: arguments.solve_empties,
        every: arguments.every,
    };
    prepare_folder(&arguments.out, arguments.resume)?;
    let begin = Instant::now();
    let made = rescore(global, &weights, &options, &data, &arguments.out, threads(arguments.threads))?;
    if !made.complete {
        progress::say(global, format!("stopped after {} games; go on with --resume", made.games));
        return Ok(Answer::Done);
    }
    let seconds = begin.elapsed().as_secs_f64();
    if global.json {
        print_json(&Output { games: made.games, positions: made.positions, seconds, blake3: made.blake3 })?;
    } else {
        writeln!(stdout(), "{} games rescored into {}", made.games, arguments.out.display())?;
        writeln!(stdout(), "blake3 {}", made.blake3)?;
        writeln!(stdout(), "next: stonesmith fit --data {} --out candidate.wts", arguments.out.display())?;
    }
    Ok(Answer::Done)
}

/// Rescores the games of `data` with a progress bar.
pub fn rescore(
    global: &Global,
    weights: &Weights,
    options: &Options,
    data: &ShardSet,
    out: &std::path::Path,
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
