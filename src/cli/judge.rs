//! `judge`: two programs under a judge's rules, clocks and limits; or a logged game played again.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use indicatif::ProgressBar;
use serde::Serialize;

use super::progress::{bar, stop_flag};
use super::{Answer, Global, print_json};
use crate::arena::openings::Opening;
use crate::game::othello::Othello;
use crate::game::{Move, Position};
use crate::judge::log::{self, LoggedGame};
use crate::judge::renju::RenjuDialect;
use crate::judge::replay::{Replay, replay};
use crate::judge::reversi::Dialect;
use crate::judge::settings;
use crate::judge::{Entrant, Game, Limits, Match, Protocol, Reason, RenjuJudge, Reversi, Side, Start, Usage, Winner};
use crate::kit;
use crate::play::{opening_text, parse_opening, position_after, random_openings};

/// The judges whose protocol is known.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Judge {
    /// 8×8 reversi: READY, TURN turn board
    Reversi,
    /// 15×15 Renju: READY, TURN, OPP, FINISH
    Renju,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// Whose rules
    judge: Judge,
    /// The first program: a command, `random` or `greedy`
    #[arg(short = 'a', long, value_name = "CMD")]
    first: Option<String>,
    /// The second program
    #[arg(short = 'b', long, value_name = "CMD")]
    second: Option<String>,
    /// How many games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Play every opening twice with colours changed (the first program begins)
    #[arg(long)]
    alternate: bool,
    /// Openings, one a line as move text (f5d6c3…), or `none`. Without it several games start from random ones, in
    /// Renju from balanced ones of six moves; Renju programs are told of an opening by `INIT cells plies` after READY
    #[arg(short = 'i', long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Answer time of each program in a game, in milliseconds
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    total_ms: u64,
    /// CPU time of all processes of each program in a game, in milliseconds
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    cpu_ms: u64,
    /// Resident memory of each program in MiB
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory_mb: u64,
    /// Run the program on move only 1/F of the time, on real clocks: a judge that is F times slower
    #[arg(long, default_value_t = 1.0, value_name = "F", value_parser = slowdown)]
    slowdown: f64,
    #[arg(long, default_value = "standard", value_name = "D", help = format!(
        "How requests are spelled, words joined by commas. Reversi: {}. Renju: {}",
        Dialect::summary(), RenjuDialect::summary()))]
    dialect: String,
    /// Write the games to this log
    #[arg(short = 'l', long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Settings file with INPUT= (openings), LOG=, EXEC1= and EXEC2=; flags go before it
    #[arg(short = 'c', long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Let --first or --second (or both) answer the turns they have in this log again
    #[arg(long, value_name = "LOG", conflicts_with_all = ["alternate", "openings", "log"])]
    replay: Option<PathBuf>,
    /// Seed of random openings and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn slowdown(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if (1.0..=100.0).contains(&factor) => Ok(factor),
        _ => Err("expected a factor from 1 to 100".to_string()),
    }
}

pub fn run(global: &Global, mut arguments: Arguments) -> Result<Answer> {
    if let Some(path) = arguments.config.clone() {
        arguments.read_settings(&path)?;
    }
    match arguments.judge {
        Judge::Reversi => {
            let judge = Reversi { dialect: dialect(&arguments.dialect)? };
            let plies = judge.opening_plies().context("reversi has openings")?;
            arguments.run(global, judge, |seed, count| Ok(random_openings::<Othello<8>>(seed, count, plies.clone())))
        }
        Judge::Renju => arguments.run(global, RenjuJudge { dialect: dialect(&arguments.dialect)? }, renju_openings),
    }
}

/// Balanced beginnings of Renju, those of `match`.
fn renju_openings(seed: u64, count: usize) -> Result<Vec<Vec<Move>>> {
    let moves = kit::renju_openings(seed, count)?.into_iter().map(|opening| match opening {
        Opening::Moves(moves) => moves,
        Opening::Position(_) => unreachable!("generated openings are moves"),
    });
    Ok(moves.collect())
}

fn dialect<D: FromStr<Err = String>>(text: &str) -> Result<D> {
    text.parse().map_err(|error| anyhow!("--dialect: {error}"))
}

impl Arguments {
    fn read_settings(&mut self, path: &Path) -> Result<()> {
        let settings = settings::parse(&read(path)?).with_context(|| path.display().to_string())?;
        for key in &settings.unknown {
            writeln!(io::stderr(), "{}: `{key}` means nothing here", path.display())?;
        }
        self.first = self.first.take().or(settings.exec1);
        self.second = self.second.take().or(settings.exec2);
        if self.replay.is_none() {
            self.openings = self.openings.take().or(settings.input.map(PathBuf::from));
            self.log = self.log.take().or(settings.log.map(PathBuf::from));
        }
        Ok(())
    }

    fn run<R: Protocol>(
        &self,
        global: &Global,
        protocol: R,
        generate: impl Fn(u64, usize) -> Result<Vec<Vec<Move>>>,
    ) -> Result<Answer> {
        if let Some(path) = &self.replay {
            return self.run_replay(global, &protocol, path);
        }
        let entrant = |command: &Option<String>, flag: &str| -> Result<Entrant> {
            let text =
                command.as_deref().with_context(|| format!("{flag} is needed: a command, `random` or `greedy`"))?;
            Entrant::parse(text).with_context(|| flag.to_string())
        };
        let entrants = [entrant(&self.first, "--first")?, entrant(&self.second, "--second")?];
        let openings = self.choose_openings::<R::Position>(global, generate)?;
        let mut log = match &self.log {
            Some(path) => Some(log::Writer::create(path).with_context(|| path.display().to_string())?),
            None => None,
        };
        let referee = Match { protocol, entrants, limits: self.limits(), seed: self.seed };
        let progress = if self.games > 1 { bar(global, "games", self.games) } else { ProgressBar::hidden() };
        let stop = stop_flag();
        let mut tally = Tally::default();
        for index in 0..self.games {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let round = if self.alternate { index / 2 } else { index };
            let start = Start {
                number: index + 1,
                black: if self.alternate && index % 2 == 1 { Side::Second } else { Side::First },
                opening: openings[round as usize % openings.len()].clone(),
            };
            let game = referee.play(&start)?;
            if let Some(log) = &mut log {
                log.write(&log::game_text(&referee.protocol, &referee.entrants, &game))
                    .context("the log cannot be written")?;
            }
            tally.add(&game);
            progress.suspend(|| print_game::<R::Position>(global, &game))?;
            progress.inc(1);
        }
        progress.finish_and_clear();
        if let Some(log) = log {
            log.finish().context("the log cannot be finished")?;
        }
        if !global.json {
            writeln!(stdout(), "{tally}")?;
        }
        Ok(Answer::Done)
    }

    fn limits(&self) -> Limits {
        Limits {
            total: Duration::from_millis(self.total_ms),
            cpu: Duration::from_millis(self.cpu_ms),
            memory: self.memory_mb << 20,
            slowdown: self.slowdown,
        }
    }

    /// The openings of the match, at least one.
    fn choose_openings<P: Position>(
        &self,
        global: &Global,
        generate: impl Fn(u64, usize) -> Result<Vec<Vec<Move>>>,
    ) -> Result<Vec<Vec<Move>>> {
        let needed = if self.alternate { self.games.div_ceil(2) } else { self.games } as usize;
        let path = match &self.openings {
            Some(path) if path.as_os_str() == "none" => return Ok(vec![Vec::new()]),
            None if self.games == 1 => return Ok(vec![Vec::new()]),
            None => {
                let openings = generate(self.seed, needed)?;
                ensure!(!openings.is_empty(), "there are no openings to draw");
                return Ok(openings);
            }
            Some(path) => path,
        };
        let mut openings = read_openings::<P>(path)?;
        if openings.len() < needed && !global.quiet {
            let (have, path) = (openings.len(), path.display());
            writeln!(io::stderr(), "{path}: {have} different openings for {needed} rounds: they are played again")?;
        }
        openings.truncate(needed);
        Ok(openings)
    }

    fn run_replay<R: Protocol>(&self, global: &Global, protocol: &R, path: &Path) -> Result<Answer> {
        let games = log::parse(protocol, &read(path)?).with_context(|| path.display().to_string())?;
        ensure!(!games.is_empty(), "{}: no game in this log", path.display());
        let mut commands = Vec::new();
        for (side, text) in [(Side::First, &self.first), (Side::Second, &self.second)] {
            match text.as_deref().map(Entrant::parse).transpose().with_context(|| format!("--{side}"))? {
                Some(Entrant::Program(command)) => commands.push((side, command)),
                Some(_) => bail!("--{side}: only a program can be replayed against a log"),
                None => {}
            }
        }
        ensure!(!commands.is_empty(), "--replay needs the program that answers: --first or --second");
        for (index, game) in games.iter().enumerate() {
            for (side, command) in &commands {
                let replay = replay(protocol, game, *side, command, self.limits())?;
                print_replay::<R::Position>(global, index + 1, game, &replay)?;
            }
        }
        Ok(Answer::Done)
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The different openings of a file, in its order. Blank lines and `#` comments are skipped.
fn read_openings<P: Position>(path: &Path) -> Result<Vec<Vec<Move>>> {
    let mut openings = Vec::new();
    let mut seen = HashSet::new();
    for (index, line) in read(path)?.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let moves =
            parse_opening::<P>(line).map_err(|error| anyhow!("{}: line {}: {error}", path.display(), index + 1))?;
        if seen.insert(position_after::<P>(&moves)) {
            openings.push(moves);
        }
    }
    ensure!(!openings.is_empty(), "{}: no openings in this file", path.display());
    Ok(openings)
}

/// A game as JSON. Pairs are the first program's and the second's.
#[derive(Serialize)]
struct GameOutput {
    game: u64,
    result: Winner,
    reason: Reason,
    detail: String,
    faulty: Option<Side>,
    moves: usize,
    black: Side,
    discs: [u32; 2],
    opening: String,
    wall_ms: [f64; 2],
    cpu_ms: [f64; 2],
    peak_mb: [f64; 2],
}

fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn mebibytes(bytes: u64) -> f64 {
    (bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0
}

fn print_game<P: Position>(global: &Global, game: &Game) -> Result<()> {
    let verdict = &game.verdict;
    let pair = |value: fn(&Usage) -> f64| [value(&game.usage[0]), value(&game.usage[1])];
    let (wall_ms, cpu_ms) = (pair(|usage| millis(usage.wall)), pair(|usage| millis(usage.cpu)));
    let peak_mb = pair(|usage| mebibytes(usage.peak));
    if global.json {
        return print_json(&GameOutput {
            game: game.start.number,
            result: verdict.result,
            reason: verdict.reason,
            detail: verdict.detail.clone(),
            faulty: verdict.faulty,
            moves: game.played.len(),
            black: game.start.black,
            discs: game.stones,
            opening: opening_text::<P>(&game.start.opening),
            wall_ms,
            cpu_ms,
            peak_mb,
        });
    }
    let mut out = stdout().lock();
    let score = format!("{}-{}", game.stones[0], game.stones[1]);
    writeln!(
        out,
        "{:>5}  {:<6}  {:<12}  {score:>5}  black {:<6}  {:>3} moves  wall {:.0}/{:.0} ms  cpu {:.0}/{:.0} ms  peak \
         {:.0}/{:.0} MB",
        game.start.number,
        verdict.result.name(),
        verdict.reason,
        game.start.black.to_string(),
        game.played.len(),
        wall_ms[0],
        wall_ms[1],
        cpu_ms[0],
        cpu_ms[1],
        peak_mb[0],
        peak_mb[1],
    )?;
    if let Some(faulty) = verdict.faulty {
        writeln!(out, "       {faulty}: {}", verdict.detail)?;
    }
    out.flush()?;
    Ok(())
}

/// The match so far, shown as its last line.
#[derive(Default)]
struct Tally {
    wins: [u64; 2],
    draws: u64,
    faults: BTreeMap<(usize, Reason), u64>,
}

impl Tally {
    fn add(&mut self, game: &Game) {
        match game.verdict.result {
            Winner::First => self.wins[0] += 1,
            Winner::Second => self.wins[1] += 1,
            Winner::Draw => self.draws += 1,
        }
        if let Some(side) = game.verdict.faulty {
            *self.faults.entry((side.index(), game.verdict.reason)).or_default() += 1;
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let faults: u64 = self.faults.values().sum();
        write!(f, "RESULT first {} draw {} second {} faults {faults}", self.wins[0], self.draws, self.wins[1])?;
        let kinds: Vec<String> = self
            .faults
            .iter()
            .map(|((side, reason), count)| format!("{} {count} {reason}", Side::BOTH[*side]))
            .collect();
        if kinds.is_empty() { Ok(()) } else { write!(f, " ({})", kinds.join(", ")) }
    }
}

#[derive(Serialize)]
struct TurnOutput {
    game: usize,
    side: Side,
    turn: usize,
    answered: String,
    logged: Option<String>,
    same: bool,
    ms: f64,
    logged_ms: Option<u64>,
}

#[derive(Serialize)]
struct ReplayOutput<'a> {
    game: usize,
    side: Side,
    turns: usize,
    different: usize,
    reason: Reason,
    detail: &'a str,
    wall_ms: f64,
    cpu_ms: f64,
    peak_mb: f64,
}

fn print_replay<P: Position>(global: &Global, number: usize, game: &LoggedGame, replay: &Replay) -> Result<()> {
    let side = replay.side;
    for answer in &replay.answers {
        let answered = P::move_text(answer.answered);
        let logged = answer.logged.map(|(mv, _)| P::move_text(mv));
        let (ms, logged_ms) = (millis(answer.took), answer.logged.map(|(_, ms)| ms));
        if global.json {
            let (turn, same) = (answer.turn, answer.same());
            print_json(&TurnOutput { game: number, side, turn, answered, logged, same, ms, logged_ms })?;
            continue;
        }
        let before = match (logged, logged_ms, &game.abort) {
            (Some(logged), Some(logged_ms), _) => format!("logged {logged:<4} {logged_ms:>5} ms"),
            (_, _, Some((_, reason))) => format!("logged a fault: {reason}"),
            _ => String::new(),
        };
        let mark = if answer.same() { "" } else { "  differs" };
        writeln!(
            stdout(),
            "{number:>5}  {side:<6}  turn {:>2}  {answered:<4} {ms:>7.1} ms  {before}{mark}",
            answer.turn
        )?;
    }
    let different = replay.answers.iter().filter(|answer| !answer.same()).count();
    let (reason, detail) = replay.fault.as_ref().map_or((Reason::Ok, ""), |fault| (fault.reason, &fault.detail));
    let (wall_ms, cpu_ms) = (millis(replay.usage.wall), millis(replay.usage.cpu));
    let (turns, peak_mb) = (replay.answers.len(), mebibytes(replay.usage.peak));
    if global.json {
        return print_json(&ReplayOutput {
            game: number,
            side,
            turns,
            different,
            reason,
            detail,
            wall_ms,
            cpu_ms,
            peak_mb,
        });
    }
    if replay.fault.is_some() {
        writeln!(stdout(), "       {side}: {detail}")?;
    }
    writeln!(
        stdout(),
        "RESULT {side} {reason} turns {turns} different {different}  wall {wall_ms:.0} ms  cpu {cpu_ms:.0} ms"
    )?;
    Ok(())
}
