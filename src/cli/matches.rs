//! `match`: two players, pairs of games from the same openings with colours swapped, and what the counts prove.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::selfplay::{prepare_folder, threads};
use super::{Answer, Global, print_json, progress, weights, write_file};
use crate::arena::elo::Estimate;
use crate::arena::openings::{Opening, Schedule, random_openings, read_openings};
use crate::arena::pairs::{Pair, Sides, Tally, run as run_pairs};
use crate::arena::sprt::{Model, Sprt, Verdict, parse_bounds};
use crate::arena::stopped::stopped_estimate;
use crate::eval::evaluator::Evaluator;
use crate::eval::othello::DISC;
use crate::eval::renju;
use crate::eval::weights::Weights;
use crate::game::othello::Othello;
use crate::game::renju::Renju;
use crate::game::{GameId, Position};
use crate::judge::contestant::Program;
use crate::judge::reversi::Dialect;
use crate::judge::{Command, Limits as JudgeLimits, RenjuJudge, Reversi};
use crate::kit;
use crate::play::duel::{Contestant, Engine as Playing, Simple};
use crate::search::othello::Engine;
use crate::search::renju::Engine as RenjuEngine;
use crate::search::{Limits, Searcher};

/// Plies of a generated opening on 8×8; smaller boards get a share in proportion.
const OPENING_PLIES: usize = 10;
/// A generated opening is kept if a shallow search sees it within this many discs.
const BALANCE: i32 = 8;

#[derive(clap::Args)]
pub struct Arguments {
    /// A player: a weights file, a version's number, `champion`, `random`, `greedy`, or `bot:CMD` (a program that
    /// speaks the judge's protocol, at the judge's limits)
    a: String,
    /// The other player
    b: String,
    #[command(flatten)]
    conditions: Conditions,
    /// Stop as soon as a sequential test of these normalized-Elo bounds is decided
    #[arg(long, value_name = "nelo0,nelo1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The folder for games and results
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with what is in the folder
    #[arg(long)]
    resume: bool,
}

/// How games are played: the flags `match` and `gate` share.
#[derive(Clone, Debug, clap::Args)]
pub struct Conditions {
    /// The most pairs to play [default: 100; 2000 with --sprt and in gates]
    #[arg(long)]
    pub pairs: Option<u64>,
    /// Openings: move text or .obf, one a line; without it, balanced ones are generated
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Nodes a move
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Depth of a move's search [default: 4, or no limit with --nodes]
    #[arg(long)]
    pub depth: Option<u8>,
    /// Games at once [default: all cores]
    #[arg(long, value_name = "C")]
    pub concurrency: Option<usize>,
    /// Size of each engine's transposition table
    #[arg(long, default_value_t = 4, value_name = "M")]
    pub hash_mb: usize,
    /// The seed of openings and random players
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A side of a match.
#[derive(Clone)]
pub enum Player {
    /// An engine of ours with these weights.
    Weights(Box<Weights>),
    /// Random moves.
    Random,
    /// The greedy move.
    Greedy,
    /// A program that speaks the judge's protocol.
    Program(Command),
}

/// What a match found, as scripts may read it.
#[derive(Clone, Debug, Serialize)]
pub struct Output {
    pub a: String,
    pub b: String,
    pub pairs: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub pentanomial: [u64; 5],
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
    pub nelo: Option<f64>,
    pub los: Option<f64>,
    pub llr: Option<f64>,
    pub verdict: Option<String>,
    pub elo_after_stopping: Option<f64>,
    pub mean_difference: Option<f64>,
    pub difference_error: Option<f64>,
    pub faults: u64,
    pub faults_a: u64,
    pub repeated_games: u64,
    pub conditions: String,
    pub seconds: f64,
}

/// One line of `pairs.jsonl`.
#[derive(Serialize, Deserialize)]
struct PairLine {
    pair: u64,
    opening: String,
    /// A's outcome with Black, then with White.
    differences: [i32; 2],
    faults: [u64; 2],
    /// The moves of both games, with the opening's.
    games: [String; 2],
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let sprt = arguments.sprt.as_deref().map(parse_sprt).transpose()?;
    let (a, b) = (player(global, &arguments.a)?, player(global, &arguments.b)?);
    if let Some(out) = &arguments.out {
        prepare_folder(out, arguments.resume)?;
    }
    let out = arguments.out.as_deref();
    let (tally, output) = play(global, (&arguments.a, &a), (&arguments.b, &b), &arguments.conditions, sprt, out)?;
    if global.json {
        print_json(&output)?;
    } else {
        print(&output, &tally)?;
    }
    Ok(Answer::Done)
}

/// Bounds of a normalized sequential test at α = β = 0.05.
pub fn parse_sprt(text: &str) -> Result<Sprt> {
    let (low, high) = parse_bounds(text).context("--sprt")?;
    Sprt::new(low, high, Model::Normalized).context("--sprt")
}

/// The player a word means.
pub fn player(global: &Global, word: &str) -> Result<Player> {
    Ok(match word {
        "random" => Player::Random,
        "greedy" => Player::Greedy,
        _ if word.starts_with("bot:") => Player::Program(Command::parse(&word[4..]).context("bot:")?),
        _ => Player::Weights(Box::new(weights::resolve(global, word)?)),
    })
}

/// Plays a match and counts it; with `out`, every pair is recorded there and a stopped match goes on.
pub fn play(
    global: &Global,
    a: (&str, &Player),
    b: (&str, &Player),
    conditions: &Conditions,
    sprt: Option<Sprt>,
    out: Option<&Path>,
) -> Result<(Tally, Output)> {
    match global.game {
        GameId::Othello => play_othello::<8>(global, a, b, conditions, sprt, out),
        GameId::Othello6 => play_othello::<6>(global, a, b, conditions, sprt, out),
        GameId::Othello4 => play_othello::<4>(global, a, b, conditions, sprt, out),
        GameId::Renju => play_renju(global, a, b, conditions, sprt, out),
    }
}

fn play_renju(
    global: &Global,
    a: (&str, &Player),
    b: (&str, &Player),
    conditions: &Conditions,
    sprt: Option<Sprt>,
    out: Option<&Path>,
) -> Result<(Tally, Output)> {
    let depth = conditions.depth.unwrap_or(if conditions.nodes.is_some() { 60 } else { 4 });
    let limits = Limits { depth, nodes: conditions.nodes.unwrap_or(u64::MAX), solve_empties: 0, time: None };
    let evaluator = |player: &Player| match player {
        Player::Weights(weights) => renju::Evaluator::new(weights).map(Some),
        _ => Ok(None),
    };
    let evaluators = [evaluator(a.1)?, evaluator(b.1)?];
    let both_ours = evaluators.iter().all(Option::is_some);
    let make_one = |side: usize| -> Box<dyn Contestant<Renju>> {
        match ([a.1, b.1][side], &evaluators[side]) {
            (_, Some(evaluator)) => {
                let engine = RenjuEngine::with_megabytes(evaluator.clone(), conditions.hash_mb);
                Box::new(Playing::new(engine, limits, renju::SURE, both_ours))
            }
            (Player::Program(command), None) => {
                Box::new(Program::new(RenjuJudge::default(), command.clone(), JudgeLimits::default()))
            }
            (Player::Random, None) => Box::new(Simple::random(conditions.seed + side as u64)),
            (_, None) => Box::new(Simple::Greedy),
        }
    };
    let make = || -> Sides<Renju> { (make_one(0), make_one(1)) };
    let pairs = conditions.pairs.unwrap_or(if sprt.is_some() { 2000 } else { 100 });
    let list = match &conditions.openings {
        Some(path) => read_openings(path)?.openings,
        None => kit::renju_openings(conditions.seed, pairs as usize),
    };
    let schedule = Schedule::new(list, conditions.seed).context("no opening to play from")?;
    let how = match conditions.nodes {
        Some(nodes) => format!("{nodes} nodes"),
        None => format!("depth {depth}"),
    };
    let setup = Setup { names: [a.0, b.0], pairs, sprt, out, how, threads: threads(conditions.concurrency) };
    drive(global, &setup, &schedule, make, 1)
}

fn play_othello<const N: usize>(
    global: &Global,
    a: (&str, &Player),
    b: (&str, &Player),
    conditions: &Conditions,
    sprt: Option<Sprt>,
    out: Option<&Path>,
) -> Result<(Tally, Output)> {
    let depth = conditions.depth.unwrap_or(if conditions.nodes.is_some() { 60 } else { 4 });
    let nodes = conditions.nodes.unwrap_or(u64::MAX);
    let limits = Limits { nodes, ..Limits::depth(depth) }.solving(kit::solve_empties(global.game));
    let evaluators = [a.1, b.1].map(|player| match player {
        Player::Weights(weights) => Evaluator::<N>::new(weights).map(Some),
        _ => Ok(None),
    });
    let [evaluator_a, evaluator_b] = evaluators;
    let evaluators = [evaluator_a?, evaluator_b?];
    let programs = [a.1, b.1].iter().any(|player| matches!(player, Player::Program(_)));
    ensure!(N == 8 || !programs, "bot: programs play 8×8 reversi");
    // Only the 8×8 board has a judge; the type says N, and N is 8 wherever a program plays.
    let program = |command: Command| -> Box<dyn Contestant<Othello<N>>> {
        let program = Program::new(Reversi { dialect: Dialect::default() }, command, JudgeLimits::default());
        let boxed: Box<dyn std::any::Any> = Box::new(Box::new(program) as Box<dyn Contestant<Othello<8>>>);
        *boxed.downcast::<Box<dyn Contestant<Othello<N>>>>().expect("N is 8")
    };
    let make_one = |side: usize| -> Box<dyn Contestant<Othello<N>>> {
        match ([a.1, b.1][side], &evaluators[side]) {
            (_, Some(evaluator)) => {
                let engine = Engine::with_megabytes(evaluator.clone(), conditions.hash_mb);
                let both_solve = evaluators.iter().all(Option::is_some);
                Box::new(Playing::new(engine, limits, DISC, both_solve))
            }
            (Player::Program(command), None) => program(command.clone()),
            (Player::Random, None) => Box::new(Simple::random(conditions.seed + side as u64)),
            (_, None) => Box::new(Simple::Greedy),
        }
    };
    let make = || -> Sides<Othello<N>> { (make_one(0), make_one(1)) };
    let pairs = conditions.pairs.unwrap_or(if sprt.is_some() { 2000 } else { 100 });
    let judge = evaluators.iter().flatten().next();
    let schedule = openings(global, conditions, pairs, judge)?;
    let how = match conditions.nodes {
        Some(nodes) => format!("{nodes} nodes"),
        None => format!("depth {depth}"),
    };
    let how = format!("{how}, solving from {} empties", limits.solve_empties);
    let setup = Setup { names: [a.0, b.0], pairs, sprt, out, how, threads: threads(conditions.concurrency) };
    drive(global, &setup, &schedule, make, (N * N) as i16)
}

fn openings<const N: usize>(
    global: &Global,
    conditions: &Conditions,
    pairs: u64,
    judge: Option<&Evaluator<N>>,
) -> Result<Schedule<Othello<N>>> {
    let list = match &conditions.openings {
        Some(path) => read_openings(path)?.openings,
        None => {
            let plies = (OPENING_PLIES * (N * N - 4)).div_ceil(60);
            let mut engine = judge.map(|evaluator| Engine::new(evaluator.clone(), 14));
            let balanced = |position: &Othello<N>| match &mut engine {
                None => true,
                Some(engine) => {
                    engine.forget();
                    engine.search(position, &Limits::depth(3)).score.abs() <= BALANCE * DISC
                }
            };
            // 4×4 has few positions after three plies: fewer openings than pairs is no error there, they repeat.
            let wanted = if N == 4 { 4 } else { pairs as usize };
            random_openings(conditions.seed, plies, wanted, balanced)?
        }
    };
    let schedule = Schedule::new(list, conditions.seed).context("no opening to play from")?;
    if (schedule.len() as u64) < pairs {
        progress::say(global, format!("{} openings for {pairs} pairs: they repeat when all were used", schedule.len()));
    }
    Ok(schedule)
}

struct Setup<'a> {
    names: [&'a str; 2],
    pairs: u64,
    sprt: Option<Sprt>,
    out: Option<&'a Path>,
    how: String,
    threads: usize,
}

fn drive<P: Position>(
    global: &Global,
    setup: &Setup,
    schedule: &Schedule<P>,
    make: impl Fn() -> Sides<P> + Sync,
    lost_by_fault: i16,
) -> Result<(Tally, Output)> {
    let begin = Instant::now();
    let mut tally = Tally::default();
    let mut seen = std::collections::HashSet::new();
    let mut repeated = 0;
    let mut log = match setup.out {
        Some(out) => Some(PairLog::open(&out.join("pairs.jsonl"))?),
        None => None,
    };
    for line in log.iter_mut().flat_map(|log| log.known.drain(..)) {
        ensure!(line.pair == tally.pentanomial.pairs(), "pairs.jsonl: pair {} out of order", line.pair);
        repeated += line.games.iter().filter(|game| !seen.insert((*game).clone())).count() as u64;
        tally.add_counts(line.differences, line.faults);
    }
    let bar = progress::bar(global, "match", setup.pairs);
    let first = tally.pentanomial.pairs();
    bar.set_position(first);
    let stop = progress::stop_flag();
    let decided = |tally: &Tally| {
        setup.sprt.as_ref().is_some_and(|sprt| sprt.verdict(sprt.llr(&tally.pentanomial)) != Verdict::Continue)
    };
    if !decided(&tally) {
        let sink = |pair: Pair| -> Result<bool> {
            let line = PairLine {
                pair: pair.number,
                opening: schedule.draw(pair.number).opening.text(),
                differences: pair.differences(),
                faults: pair.faults(),
                games: pair.games.each_ref().map(|game| {
                    let moves = game.record.plies.iter().map(|ply| P::move_text(ply.mv));
                    moves.collect::<Vec<_>>().join(" ")
                }),
            };
            for game in &pair.games {
                if let Some((loser, fault)) = &game.fault {
                    bar.println(format!("pair {}: {loser:?} lost by {}: {}", pair.number, fault.reason, fault.detail));
                }
            }
            repeated += line.games.iter().filter(|game| !seen.insert((*game).clone())).count() as u64;
            tally.add(&pair);
            if let Some(log) = &mut log {
                log.push(&line)?;
            }
            bar.set_position(pair.number + 1);
            if schedule.draw(pair.number).wrapped {
                bar.println("all openings were used: they repeat from here on");
            }
            bar.set_message(live(&tally, setup.sprt.as_ref()));
            Ok(!decided(&tally) && !stop.load(std::sync::atomic::Ordering::Relaxed))
        };
        let opening = |pair| -> Opening<P> { schedule.draw(pair).opening.clone() };
        run_pairs(first..setup.pairs.max(first), setup.threads, lost_by_fault, opening, make, sink)?;
    }
    bar.finish_and_clear();
    let output = summary(setup, &tally, repeated, begin.elapsed().as_secs_f64());
    if let Some(out) = setup.out {
        write_file(&out.join("results.json"), (serde_json::to_string_pretty(&output)? + "\n").as_bytes())?;
    }
    Ok((tally, output))
}

fn live(tally: &Tally, sprt: Option<&Sprt>) -> String {
    let estimate = tally.pentanomial.estimate();
    let mut text = match (estimate.elo, estimate.elo_error) {
        (Some(elo), Some(error)) => format!("Elo {elo:+.1} ± {error:.1}"),
        _ => String::new(),
    };
    if let Some(llr) = sprt.and_then(|sprt| sprt.llr(&tally.pentanomial)) {
        text += &format!("  LLR {llr:+.2}");
    }
    text
}

fn summary(setup: &Setup, tally: &Tally, repeated_games: u64, seconds: f64) -> Output {
    let Estimate { elo, elo_error, nelo, los, .. } = tally.pentanomial.estimate();
    let sprt = setup.sprt.as_ref();
    let llr = sprt.and_then(|sprt| sprt.llr(&tally.pentanomial));
    let verdict = sprt.map(|sprt| sprt.verdict(llr));
    let stopped = sprt.filter(|_| verdict.is_some_and(|verdict| verdict != Verdict::Continue));
    Output {
        a: setup.names[0].to_string(),
        b: setup.names[1].to_string(),
        pairs: tally.pentanomial.pairs(),
        wins: tally.games[0],
        draws: tally.games[1],
        losses: tally.games[2],
        pentanomial: tally.pentanomial.0,
        elo,
        elo_error,
        nelo,
        los,
        llr,
        verdict: verdict.map(|verdict| verdict.to_string()),
        elo_after_stopping: stopped.and_then(|sprt| stopped_estimate(sprt, &tally.pentanomial)?.elo),
        mean_difference: tally.differences.mean(),
        difference_error: tally.differences.error(),
        faults: tally.faults[0] + tally.faults[1],
        faults_a: tally.faults[0],
        repeated_games,
        conditions: setup.how.clone(),
        seconds,
    }
}

/// The report people read.
pub fn print(output: &Output, tally: &Tally) -> Result<()> {
    let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:+.2}"));
    let mut out = stdout().lock();
    writeln!(out, "{} against {}: {}", output.a, output.b, output.conditions)?;
    writeln!(
        out,
        "{} pairs, games +{} ={} -{}, pairs LL,LD,DD,WD,WW {}",
        output.pairs, output.wins, output.draws, output.losses, tally.pentanomial
    )?;
    writeln!(
        out,
        "Elo {} ± {}, nElo {}, LOS {}",
        number(output.elo),
        output.elo_error.map_or("-".to_string(), |error| format!("{error:.2}")),
        number(output.nelo),
        output.los.map_or("-".to_string(), |los| format!("{:.1} %", 100.0 * los))
    )?;
    writeln!(
        out,
        "mean difference of a pair {} ± {}",
        number(output.mean_difference),
        output.difference_error.map_or("-".to_string(), |error| format!("{error:.2}"))
    )?;
    if let Some(verdict) = &output.verdict {
        writeln!(out, "LLR {}: {verdict}", number(output.llr))?;
        if output.elo_after_stopping.is_some() {
            writeln!(out, "Elo corrected for stopping {}", number(output.elo_after_stopping))?;
        }
    }
    if output.faults > 0 {
        writeln!(out, "FAULTS {}: {} of {}", output.faults, output.faults_a, output.a)?;
    }
    if output.repeated_games > 0 {
        writeln!(out, "{} games repeat an earlier one move for move", output.repeated_games)?;
    }
    Ok(())
}

/// `pairs.jsonl`, appended pair by pair; a torn last line is cut on opening.
struct PairLog {
    file: File,
    path: PathBuf,
    known: Vec<PairLine>,
}

impl PairLog {
    fn open(path: &Path) -> Result<PairLog> {
        let name = || path.display().to_string();
        let mut known = Vec::new();
        let mut whole = 0;
        if path.exists() {
            let mut reader = BufReader::new(File::open(path).with_context(name)?);
            let mut line = String::new();
            while reader.read_line(&mut line).with_context(name)? > 0 {
                if !line.ends_with('\n') {
                    break;
                }
                let parsed = serde_json::from_str(&line);
                known.push(parsed.with_context(|| format!("{}:{}: not a pair", name(), known.len() + 1))?);
                whole += line.len() as u64;
                line.clear();
            }
            OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole)).with_context(name)?;
        }
        fs::create_dir_all(path.parent().expect("a file in a folder"))?;
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(name)?;
        Ok(PairLog { file, path: path.to_path_buf(), known })
    }

    fn push(&mut self, line: &PairLine) -> Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        self.file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}
