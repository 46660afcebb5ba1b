//! `selfplay`: games of a weights version against itself, into shards.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use super::{Answer, Global, print_json, progress, weights};
use crate::eval::weights::Weights;
use crate::kit;
use crate::selfplay::{Job, Made, Options, PrefixShare, run as run_job};

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights that play: a path, a version's number, or `champion`; `zero` knows nothing
    #[arg(long)]
    weights: String,
    /// How many games
    #[arg(long)]
    games: u64,
    #[command(flatten)]
    job: JobArguments,
    /// Nodes a move
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth of a move's search; 0 plays at random
    #[arg(long)]
    depth: Option<u8>,
    /// Solve positions with at most this many empty squares; the game ends there [default: 12]
    #[arg(long, value_name = "E")]
    solve_empties: Option<u8>,
    /// Length of the random beginning, drawn evenly; without it, the mixture that training uses
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    random_plies: Option<(u32, u32)>,
    /// Random moves after the beginning, in thousandths
    #[arg(long, default_value_t = 20, value_name = "N")]
    random_per_mille: u32,
    /// Games in a shard
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    shard_games: u64,
    /// The seed of all random streams
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Where the games of a job go, and how many workers make them.
#[derive(clap::Args)]
pub struct JobArguments {
    /// The folder for the games
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Go on with what is in the folder
    #[arg(long)]
    pub resume: bool,
    /// Workers [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl JobArguments {
    /// Makes the folder, and says how many workers there are.
    pub fn prepare(&self) -> Result<usize> {
        prepare_folder(&self.out, self.resume)?;
        Ok(threads(self.threads))
    }
}

fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let bad = || format!("expected A..B with A ≤ B, found `{text}`");
    let (from, to) = text.split_once("..").ok_or_else(bad)?;
    let (from, to) = (from.parse().map_err(|_| bad())?, to.trim_start_matches('=').parse().map_err(|_| bad())?);
    if from > to { Err(bad()) } else { Ok((from, to)) }
}

/// What a job has made.
#[derive(Serialize)]
pub struct Output {
    /// Games.
    pub games: u64,
    /// Their plies, or what was sampled of them.
    pub positions: u64,
    /// How long it took.
    pub seconds: f64,
    /// The hash over all records.
    pub blake3: String,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let weights = weights::resolve_or_zero(global, &arguments.weights)?;
    let prefix = match arguments.random_plies {
        Some((from, to)) => vec![PrefixShare { weight: 1, from, to }],
        None => kit::exploration(global.game),
    };
    ensure!(arguments.random_per_mille <= 1000, "--random-per-mille: expected at most 1000");
    let options = Options {
        seed: arguments.seed,
        depth: arguments.depth.unwrap_or(if arguments.nodes.is_some() { 60 } else { 2 }),
        nodes: arguments.nodes.unwrap_or(u64::MAX),
        solve_empties: arguments.solve_empties.unwrap_or(kit::solve_empties(global.game)),
        prefix,
        random_per_mille: arguments.random_per_mille,
        level: kit::level(global.game),
        longest: kit::longest(global.game),
    };
    let out = &arguments.job.out;
    let threads = arguments.job.prepare()?;
    let begin = Instant::now();
    let made = play(global, &weights, &options, arguments.games, arguments.shard_games, out, threads)?;
    let seconds = begin.elapsed().as_secs_f64();
    if !made.complete {
        progress::say(global, format!("stopped after {} games; go on with --resume", made.games));
        return Ok(Answer::Done);
    }
    let output = Output { games: made.games, positions: made.positions, seconds, blake3: made.blake3 };
    if global.json {
        print_json(&output)?;
    } else {
        writeln!(stdout(), "{} games, {} positions in {}", output.games, output.positions, out.display())?;
        writeln!(stdout(), "blake3 {}", output.blake3)?;
        writeln!(stdout(), "next: stonesmith fit --data {} --out candidate.wts", out.display())?;
    }
    Ok(Answer::Done)
}

/// Plays the games of a job with a progress bar.
pub fn play(
    global: &Global,
    weights: &Weights,
    options: &Options,
    games: u64,
    shard_games: u64,
    out: &Path,
    threads: usize,
) -> Result<Made> {
    let bar = progress::bar(global, "self-play", games);
    let made = kit::with_engines!(weights, |make, units| {
        let job = Job { options, weights: weights.hash(), games, shard_games, out, threads, units_per_outcome: units };
        let mut first = None;
        run_job(&job, make, progress::stop_flag(), |games, positions| {
            if first.is_none() {
                first = Some(games);
                bar.reset_eta();
                bar.set_position(games);
            }
            bar.set_position(games);
            if games % 64 == 0 {
                bar.set_message(format!("{positions} positions"));
            }
        })?
    });
    bar.finish_and_clear();
    if let Some(torn) = &made.torn {
        progress::say(global, format!("cut a torn tail: {torn}"));
    }
    Ok(made)
}

/// Makes the folder, or with `resume` accepts what is in it.
pub fn prepare_folder(out: &Path, resume: bool) -> Result<()> {
    if out.exists() {
        let mut entries = fs::read_dir(out).with_context(|| out.display().to_string())?;
        if entries.next().is_some() && !resume {
            bail!("{}: the folder is not empty; --resume goes on with it", out.display());
        }
    }
    fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))
}

/// The number of workers: as asked, or one per core.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get())).max(1)
}
