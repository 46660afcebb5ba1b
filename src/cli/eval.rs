//! `eval`: weights versions side by side on the same held-out positions.
//!
//! On an `.obf` file: how often the depth-1 move (static evaluation after each move, ties by square order) is a best
//! one, what it costs when it is not (regret, in discs), and the error of that move's value. On shards: the error of
//! the static evaluation against the games' outcomes, by phase.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::{Answer, Global, print_json, weights};
use crate::dataset::obf::{self, ScoredPosition};
use crate::dataset::shard::{ShardSet, Tail};
use crate::eval::FeatureModel;
use crate::eval::evaluator::Evaluator;
use crate::eval::othello::DISC;
use crate::eval::renju::{self, RenjuFeatures};
use crate::eval::weights::Weights;
use crate::game::othello::{Othello, final_score};
use crate::game::renju::Renju;
use crate::game::{GameId, Move, Position};

#[derive(clap::Args)]
pub struct Arguments {
    /// Versions: paths, numbers, or `champion`
    #[arg(long, required = true, num_args = 1..)]
    weights: Vec<String>,
    /// Positions with solved moves (.obf), or folders and files of games
    #[arg(long, required = true, num_args = 1.., value_name = "DIR|FILE.obf")]
    data: Vec<PathBuf>,
}

#[derive(Serialize)]
struct OnPositions {
    weights: String,
    positions: u64,
    best_move_rate: f64,
    mean_regret: f64,
    mae: f64,
    rmse: f64,
}

#[derive(Serialize)]
struct OnGames {
    weights: String,
    positions: u64,
    mae: f64,
    rmse: f64,
    phases: Vec<Phase>,
}

#[derive(Clone, Serialize)]
struct Phase {
    first_ply: usize,
    last_ply: usize,
    positions: u64,
    mae: f64,
    rmse: f64,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    match global.game {
        GameId::Othello => compare::<8>(global, &arguments),
        GameId::Othello6 => compare::<6>(global, &arguments),
        GameId::Othello4 => compare::<4>(global, &arguments),
        GameId::Renju => compare_renju(global, &arguments),
    }
}

/// Renju versions side by side on recorded games: expected outcomes against outcomes, in quiet positions.
fn compare_renju(global: &Global, arguments: &Arguments) -> Result<Answer> {
    let is_obf = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "obf");
    ensure!(!arguments.data.iter().any(is_obf), "--data: Renju versions are compared on folders of games");
    let features = RenjuFeatures::new();
    for word in &arguments.weights {
        let weights = weights::resolve(global, word)?;
        let evaluator = renju::Evaluator::new(&weights)?;
        let judge = |position: &Renju| {
            let expected = || f64::from(evaluator.value(position)) / f64::from(2 * renju::LOGIT);
            features.is_quiet(position).then(|| expected().tanh())
        };
        let result = on_games(word, judge, &arguments.data, renju::PLIES)?;
        print_on_games(global, word, &weights, &result)?;
    }
    Ok(Answer::Done)
}

fn compare<const N: usize>(global: &Global, arguments: &Arguments) -> Result<Answer> {
    let is_obf = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "obf");
    let obf_files = arguments.data.iter().filter(|path| is_obf(path)).count();
    ensure!(
        obf_files == 0 || obf_files == arguments.data.len(),
        "--data: expected .obf files or folders of games, found both"
    );
    let versions = arguments.weights.iter().map(|word| Ok((word.clone(), weights::resolve(global, word)?)));
    let versions: Vec<(String, Weights)> = versions.collect::<Result<_>>()?;
    if obf_files > 0 {
        let mut positions = Vec::new();
        for path in &arguments.data {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            positions.extend(obf::parse::<Othello<N>>(&text, path)?);
        }
        positions.retain(|scored| !scored.moves.is_empty());
        ensure!(!positions.is_empty(), "{}: no position with scored moves", arguments.data[0].display());
        for (name, weights) in &versions {
            let result = on_positions::<N>(name, &Evaluator::new(weights)?, &positions);
            if global.json {
                print_json(&result)?;
            } else {
                writeln!(
                    stdout(),
                    "{name} ({}): {} positions, best move {:.1} %, regret {:.3}, MAE {:.3}, RMSE {:.3}",
                    weights.id(),
                    result.positions,
                    100.0 * result.best_move_rate,
                    result.mean_regret,
                    result.mae,
                    result.rmse
                )?;
            }
        }
    } else {
        for (name, weights) in &versions {
            let evaluator = Evaluator::<N>::new(weights)?;
            let judge = |position: &Othello<N>| Some(f64::from(evaluator.value(position.board())) / f64::from(DISC));
            let result = on_games(name, judge, &arguments.data, N * N)?;
            print_on_games(global, name, weights, &result)?;
        }
    }
    Ok(Answer::Done)
}

fn print_on_games(global: &Global, name: &str, weights: &Weights, result: &OnGames) -> Result<()> {
    if global.json {
        return print_json(result);
    }
    writeln!(
        stdout(),
        "{name} ({}): {} positions, MAE {:.3}, RMSE {:.3}",
        weights.id(),
        result.positions,
        result.mae,
        result.rmse
    )?;
    for phase in &result.phases {
        writeln!(
            stdout(),
            "  plies {:>2}–{:<2} {:>10} positions, MAE {:.3}, RMSE {:.3}",
            phase.first_ply,
            phase.last_ply,
            phase.positions,
            phase.mae,
            phase.rmse
        )?;
    }
    Ok(())
}

/// The static value of a move in discs for the mover: the evaluation behind it, or the final score.
fn move_value<const N: usize>(evaluator: &Evaluator<N>, position: &Othello<N>, mv: Move) -> f64 {
    let mut child = *position;
    child.play(mv).expect("a listed move is legal");
    let board = child.board();
    if child.is_over() {
        return -f64::from(final_score::<N>(board.player, board.opponent));
    }
    -f64::from(evaluator.value(board)) / f64::from(DISC)
}

fn on_positions<const N: usize>(
    name: &str,
    evaluator: &Evaluator<N>,
    positions: &[ScoredPosition<Othello<N>>],
) -> OnPositions {
    let (mut best, mut regret, mut sums) = (0, 0.0, Errors::default());
    for scored in positions {
        let known = scored.best_score().expect("positions without moves were dropped");
        let mut moves: Vec<(Move, i32)> = scored.moves.clone();
        moves.sort_by_key(|&(mv, _)| mv);
        let mut chosen: Option<(f64, i32)> = None;
        for (mv, score) in moves {
            let value = move_value(evaluator, &scored.position, mv);
            if chosen.is_none_or(|(most, _)| value > most) {
                chosen = Some((value, score));
            }
        }
        let (value, score) = chosen.expect("there is a move");
        best += u64::from(score == known);
        regret += f64::from(known - score);
        sums.add(value - f64::from(score));
    }
    let count = positions.len() as f64;
    OnPositions {
        weights: name.to_string(),
        positions: positions.len() as u64,
        best_move_rate: best as f64 / count,
        mean_regret: regret / count,
        mae: sums.mae(),
        rmse: sums.rmse(),
    }
}

/// The error of `judge`, which expects an outcome for the side to move or keeps silent, on the positions of games.
fn on_games<P: Position>(
    name: &str,
    judge: impl Fn(&P) -> Option<f64>,
    data: &[PathBuf],
    plies: usize,
) -> Result<OnGames> {
    const GROUP: usize = 6;
    let set = ShardSet::open(data, Tail::Recover)?;
    let expected = P::GAME;
    ensure!(set.game() == expected, "{}: games of {}, expected {expected}", data[0].display(), set.game());
    let mut all = Errors::default();
    let mut groups = vec![Errors::default(); plies.div_ceil(GROUP)];
    for record in set.records() {
        let record = record?;
        let first = record.first_labelled();
        let mut position = P::start();
        for (number, ply) in record.plies.iter().enumerate() {
            if number >= first
                && ply.mv != Move::PASS
                && let Some(value) = judge(&position)
            {
                let error = value - f64::from(record.outcome.for_color(position.side_to_move()));
                all.add(error);
                groups[position.ply() / GROUP].add(error);
            }
            let problem = |error| anyhow::anyhow!("game {}, ply {}: {error}", record.index, number + 1);
            position.play(ply.mv).map_err(problem).with_context(|| display(data))?;
        }
    }
    let phases = groups.iter().enumerate().filter(|(_, sums)| sums.count > 0);
    let phases = phases.map(|(group, sums)| Phase {
        first_ply: group * GROUP,
        last_ply: group * GROUP + GROUP - 1,
        positions: sums.count,
        mae: sums.mae(),
        rmse: sums.rmse(),
    });
    let phases = phases.collect();
    Ok(OnGames { weights: name.to_string(), positions: all.count, mae: all.mae(), rmse: all.rmse(), phases })
}

fn display(data: &[PathBuf]) -> String {
    data.first().map(|path| Path::new(path).display().to_string()).unwrap_or_default()
}

/// Sums of errors in discs.
#[derive(Clone, Default)]
struct Errors {
    count: u64,
    absolute: f64,
    squared: f64,
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.count += 1;
        self.absolute += error.abs();
        self.squared += error * error;
    }

    fn mae(&self) -> f64 {
        self.absolute / self.count.max(1) as f64
    }

    fn rmse(&self) -> f64 {
        (self.squared / self.count.max(1) as f64).sqrt()
    }
}
