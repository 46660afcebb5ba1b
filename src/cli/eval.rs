//! `eval`: weights versions side by side on the same held-out positions.
//!
//! On an `.obf` file: how often the depth-1 move (static evaluation after each move, ties by square order) is a best
//! one, what it costs when it is not (regret, in discs), and the error of that move's value; with `--depth` or
//! `--nodes` the same of a search's move, with its nodes and time. On shards: the error of the static evaluation
//! against the games' outcomes, by phase.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

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
use crate::search::othello::Engine;
use crate::search::{Limits, Searcher};

#[derive(clap::Args)]
pub struct Arguments {
    /// Versions: paths, numbers, or `champion`
    #[arg(long, required = true, num_args = 1..)]
    weights: Vec<String>,
    /// Positions with solved moves (.obf), or folders and files of games
    #[arg(long, required = true, num_args = 1.., value_name = "DIR|FILE.obf")]
    data: Vec<PathBuf>,
    /// Choose the moves of .obf positions by a search of this depth [default: static evaluation after each move]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Choose them by a search of so many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How sure a forward cut of the search must be: 0 is boldest, 5 cuts nothing
    #[arg(long, default_value_t = Limits::LEVEL, value_parser = clap::value_parser!(u8).range(0..=5))]
    level: u8,
    /// Size of the search's transposition table
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash_mb: u64,
}

impl Arguments {
    /// The limits of the searches asked for, if any.
    fn limits(&self) -> Option<Limits<'static>> {
        (self.depth.is_some() || self.nodes.is_some()).then(|| Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            ..Limits::depth(self.depth.unwrap_or(60)).at_level(self.level)
        })
    }
}

#[derive(Serialize)]
struct OnPositions {
    weights: String,
    positions: u64,
    best_move_rate: f64,
    mean_regret: f64,
    /// Half the width of the 95 % interval of the mean regret.
    regret_error: f64,
    mae: f64,
    rmse: f64,
    /// Of all searches together; none without searching.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Cost>,
}

/// What searches cost, a position on average.
#[derive(Clone, Copy, Serialize)]
struct Cost {
    nodes: f64,
    ms: f64,
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
    ensure!(arguments.limits().is_none(), "--depth, --nodes: Renju versions are compared by their evaluation");
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
            let evaluator = Evaluator::new(weights)?;
            let result = match arguments.limits() {
                None => on_positions(name, &positions, |scored| static_choice(&evaluator, scored)),
                Some(limits) => {
                    let engine = Engine::with_megabytes(evaluator, arguments.hash_mb as usize);
                    by_search(name, &positions, engine, &limits)
                }
            };
            print_on_positions(global, name, weights, &result)?;
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

/// The move whose static value is highest, equals by square order.
fn static_choice<const N: usize>(evaluator: &Evaluator<N>, scored: &ScoredPosition<Othello<N>>) -> (Move, f64) {
    let mut moves: Vec<Move> = scored.moves.iter().map(|&(mv, _)| mv).collect();
    moves.sort();
    let mut chosen: Option<(Move, f64)> = None;
    for mv in moves {
        let value = move_value(evaluator, &scored.position, mv);
        if chosen.is_none_or(|(_, most)| value > most) {
            chosen = Some((mv, value));
        }
    }
    chosen.expect("there is a move")
}

/// The moves that searches within `limits` choose, each by an engine that remembers nothing of the one before.
fn by_search<const N: usize>(
    name: &str,
    positions: &[ScoredPosition<Othello<N>>],
    mut engine: Engine<N>,
    limits: &Limits,
) -> OnPositions {
    let (mut nodes, mut seconds) = (0, 0.0);
    let mut result = on_positions(name, positions, |scored| {
        engine.forget();
        let begin = Instant::now();
        let found = engine.search(&scored.position, limits);
        seconds += begin.elapsed().as_secs_f64();
        nodes += found.nodes;
        (found.best, f64::from(found.score) / f64::from(DISC))
    });
    let count = positions.len() as f64;
    result.search = Some(Cost { nodes: nodes as f64 / count, ms: 1e3 * seconds / count });
    result
}

/// `choose` gives a move and what it believes it to be worth, in discs for the mover.
fn on_positions<P>(
    name: &str,
    positions: &[ScoredPosition<P>],
    mut choose: impl FnMut(&ScoredPosition<P>) -> (Move, f64),
) -> OnPositions {
    let (mut best, mut regrets, mut sums) = (0, Errors::default(), Errors::default());
    for scored in positions {
        let known = scored.best_score().expect("positions without moves were dropped");
        let (mv, value) = choose(scored);
        // A move that is not listed was not worth listing: as bad as the worst that is.
        let listed = scored.moves.iter().find(|&&(listed, _)| listed == mv).or(scored.moves.iter().min_by_key(|m| m.1));
        let score = listed.expect("there is a move").1;
        best += u64::from(score == known);
        regrets.add(f64::from(known - score));
        sums.add(value - f64::from(score));
    }
    let count = positions.len() as f64;
    // A regret is never negative: its mean error is the mean, its root mean square error gives the spread.
    let (mean, square) = (regrets.mae(), regrets.rmse().powi(2));
    OnPositions {
        weights: name.to_string(),
        positions: positions.len() as u64,
        best_move_rate: best as f64 / count,
        mean_regret: mean,
        regret_error: 1.96 * ((square - mean * mean).max(0.0) / count).sqrt(),
        mae: sums.mae(),
        rmse: sums.rmse(),
        search: None,
    }
}

fn print_on_positions(global: &Global, name: &str, weights: &Weights, result: &OnPositions) -> Result<()> {
    if global.json {
        return print_json(result);
    }
    writeln!(
        stdout(),
        "{name} ({}): {} positions, best move {:.1} %, regret {:.3} ± {:.3}, MAE {:.3}, RMSE {:.3}{}",
        weights.id(),
        result.positions,
        100.0 * result.best_move_rate,
        result.mean_regret,
        result.regret_error,
        result.mae,
        result.rmse,
        result.search.map_or(String::new(), |cost| format!(", {:.0} nodes and {:.2} ms each", cost.nodes, cost.ms))
    )?;
    Ok(())
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
