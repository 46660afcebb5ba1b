//! `solve`: the exact scores of the positions of an `.obf` file.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::{Answer, Global, print_json, weights};
use crate::dataset::obf;
use crate::eval::evaluator::Evaluator;
use crate::eval::othello::DISC;
use crate::game::othello::Othello;
use crate::game::{GameId, Position};
use crate::search::Searcher;
use crate::search::othello::Engine;

#[derive(clap::Args)]
pub struct Arguments {
    /// Positions, one a line
    file: PathBuf,
    /// Size of the transposition table
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    hash_mb: usize,
    /// Threads on each position; with one, the default, node counts are the same in every run
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The weights that order moves [default: the champion, or none without one]
    #[arg(long)]
    weights: Option<String>,
}

#[derive(Serialize)]
struct Line {
    position: String,
    score: i32,
    best: String,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Total {
    total_nodes: u64,
    total_seconds: f64,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    match global.game {
        GameId::Othello => solve_file::<8>(global, &arguments),
        GameId::Othello6 => solve_file::<6>(global, &arguments),
        GameId::Othello4 => solve_file::<4>(global, &arguments),
        GameId::Renju => bail!("solve is for Othello: Renju positions have no exact scores"),
    }
}

fn solve_file<const N: usize>(global: &Global, arguments: &Arguments) -> Result<Answer> {
    let text = std::fs::read_to_string(&arguments.file).with_context(|| arguments.file.display().to_string())?;
    let positions = obf::parse::<Othello<N>>(&text, &arguments.file)?;
    let weights = weights::resolve_or_champion(global, arguments.weights.as_deref())?;
    let evaluator = Evaluator::<N>::new(&weights)?;
    let mut engine = Engine::with_megabytes(evaluator, arguments.hash_mb).with_threads(arguments.threads.into())?;
    let (mut total_nodes, mut total_seconds, mut wrong) = (0, 0.0, 0);
    for scored in &positions {
        engine.forget();
        let begin = Instant::now();
        let result = engine.solve(&scored.position);
        let seconds = begin.elapsed().as_secs_f64();
        total_nodes += result.nodes;
        total_seconds += seconds;
        let score = result.score / DISC;
        let best = Othello::<N>::move_text(result.best);
        if scored.best_score().is_some_and(|known| known != score) {
            wrong += 1;
        }
        if global.json {
            print_json(&Line { position: scored.text.clone(), score, best, nodes: result.nodes, seconds })?;
        } else {
            let known = scored.best_score().map_or(String::new(), |known| {
                if known == score { "  as known".into() } else { format!("  KNOWN TO BE {known:+}") }
            });
            writeln!(
                stdout(),
                "{}  {score:+3}  {best:4}  {:>13} nodes  {seconds:8.3} s{known}",
                scored.text,
                result.nodes
            )?;
        }
    }
    if global.json {
        print_json(&Total { total_nodes, total_seconds })?;
    } else {
        writeln!(
            stdout(),
            "{} positions, {total_nodes} nodes, {total_seconds:.3} s, {:.1} M nodes/s",
            positions.len(),
            total_nodes as f64 / total_seconds / 1e6
        )?;
    }
    Ok(if wrong == 0 { Answer::Done } else { Answer::No })
}
