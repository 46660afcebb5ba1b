//! `match`: two players, pairs of games from the same openings with colours swapped, and what the counts prove.

mod clocks;
mod players;
mod record;
mod report;

use std::collections::HashSet;
use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use self::clocks::Clocks;
use self::players::{OthelloTable, RenjuTable, Speech, Table};
pub use self::players::{Player, player};
use self::record::{FaultLine, Identity, PairLine, PairLog};
use self::report::{Counts, live, summary};
pub use self::report::{Output, print};
use super::cores::Pins;
use super::results::Record;
use super::selfplay::{prepare_folder, threads};
use super::{Answer, Global, print_json, progress, write_file};
use crate::arena::openings::{Opening, Schedule, read_openings};
use crate::arena::pairs::{Pair, Sides, Tally, run as run_pairs};
use crate::arena::sprt::{Model, Sprt, Verdict, parse_bounds};
use crate::game::{Color, GameId, Position};

/// How often a line of progress is written where no bar can be shown.
const SAY_EVERY: Duration = Duration::from_secs(30);

#[derive(clap::Args)]
pub struct Arguments {
    /// A player: a weights file, a version's number, `champion`, `random`, `greedy`, or a program: `bot:CMD` (the
    /// judge's protocol and limits), `gtp:CMD`, `nboard:CMD`, `gomocup:CMD`
    a: String,
    /// The other player
    b: String,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    clocks: Clocks,
    /// Stop as soon as a sequential test of these normalized-Elo bounds is decided
    #[arg(long, value_name = "nelo0,nelo1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// The folder for games and results
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with what is in the folder, up to --pairs
    #[arg(long, requires = "out")]
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
    /// Depth of a move's search [default: 4, or no limit with --nodes and on time]
    #[arg(long)]
    pub depth: Option<u8>,
    /// Games at once, each on a core of its own [default: all cores, unpinned in games of ours without clocks]
    #[arg(long, value_name = "C")]
    pub concurrency: Option<usize>,
    /// Size of each engine's transposition table
    #[arg(long, default_value_t = 4, value_name = "M")]
    pub hash_mb: usize,
    /// The seed of openings and random players
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let sprt = arguments.sprt.as_deref().map(parse_sprt).transpose()?;
    let (a, b) = (player(global, &arguments.a)?, player(global, &arguments.b)?);
    if let Some(out) = &arguments.out {
        prepare_folder(out, arguments.resume)?;
    }
    let wish = Wish {
        names: [&arguments.a, &arguments.b],
        players: [&a, &b],
        conditions: &arguments.conditions,
        clocks: &arguments.clocks,
        sprt,
        out: arguments.out.as_deref(),
        record: Record::between(global.game, [&arguments.a, &arguments.b], [&a.identity(), &b.identity()]),
        // A core for each game where that is asked for, and wherever time counts.
        pinned: arguments.conditions.concurrency.is_some()
            || arguments.clocks.game_ms.is_some()
            || [&a, &b].iter().any(|player| player.is_program()),
    };
    let (tally, output) = wish.play(global)?;
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

/// Plays a match of versions at fixed depth or nodes, counts it and records the result; with `out`, every pair is
/// written there and a stopped match goes on.
pub fn play(
    global: &Global,
    a: (&str, &Player),
    b: (&str, &Player),
    conditions: &Conditions,
    sprt: Option<Sprt>,
    out: Option<&Path>,
    record: Record,
) -> Result<(Tally, Output)> {
    let (names, players, record) = ([a.0, b.0], [a.1, b.1], Some(record));
    Wish { names, players, conditions, clocks: &Clocks::NONE, sprt, out, record, pinned: false }.play(global)
}

/// A match as it is asked for.
struct Wish<'a> {
    names: [&'a str; 2],
    players: [&'a Player; 2],
    conditions: &'a Conditions,
    clocks: &'a Clocks,
    sprt: Option<Sprt>,
    out: Option<&'a Path>,
    record: Option<Record>,
    pinned: bool,
}

impl Wish<'_> {
    fn play(&self, global: &Global) -> Result<(Tally, Output)> {
        let (players, conditions, clocks) = (self.players, self.conditions, self.clocks);
        match global.game {
            GameId::Othello => self.drive(global, &OthelloTable::<8>::new(players, conditions, clocks)?),
            GameId::Othello6 => self.drive(global, &OthelloTable::<6>::new(players, conditions, clocks)?),
            GameId::Othello4 => self.drive(global, &OthelloTable::<4>::new(players, conditions, clocks)?),
            GameId::Renju => self.drive(global, &RenjuTable::new(players, conditions, clocks)?),
        }
    }

    fn pairs(&self) -> u64 {
        self.conditions.pairs.unwrap_or(if self.sprt.is_some() { 2000 } else { 100 })
    }

    fn schedule<P: Position>(&self, global: &Global, table: &impl Table<P>) -> Result<Schedule<P>> {
        let pairs = self.pairs();
        let schedule = match &self.conditions.openings {
            Some(path) => Schedule::new(read_openings(path)?.openings, self.conditions.seed),
            None => Schedule::in_order(table.generated(pairs.max(1) as usize)?),
        };
        let schedule = schedule.context("no opening to play from")?;
        if (schedule.len() as u64) < pairs {
            let have = schedule.len();
            progress::say(global, format!("{have} openings for {pairs} pairs: they repeat when all were used"));
        }
        let speaks = |speech| self.players.iter().any(|p| matches!(p, Player::Program(own, _) if *own == speech));
        let from_positions =
            || (0..schedule.len()).any(|i| matches!(schedule.draw(i as u64).opening, Opening::Position(_)));
        if speaks(Speech::Gtp) && from_positions() {
            bail!("gtp: programs can be told moves only: the openings must be move text, not positions");
        }
        Ok(schedule)
    }

    fn identity(&self, game: GameId, conditions: String) -> Identity {
        Identity {
            game: game.to_string(),
            a: self.players[0].identity(),
            b: self.players[1].identity(),
            conditions,
            seed: self.conditions.seed,
            openings: match &self.conditions.openings {
                Some(path) => path.file_name().map_or("-".into(), |name| name.to_string_lossy().into_owned()),
                None => "generated".to_string(),
            },
        }
    }

    fn drive<P: Position>(&self, global: &Global, table: &impl Table<P>) -> Result<(Tally, Output)> {
        let begin = Instant::now();
        let schedule = self.schedule(global, table)?;
        let threads = threads(self.conditions.concurrency);
        let (pins, cores) = if self.pinned { Pins::plan(threads) } else { (None, "cores not pinned".to_string()) };
        let identity = self.identity(P::GAME, table.conditions());
        let mut log = match self.out {
            Some(out) => {
                identity.claim(out)?;
                Some(PairLog::open(&out.join("pairs.jsonl"))?)
            }
            None => None,
        };
        let played = identity.how_played();
        let recorded = match &self.record {
            Some(record) => record.pairs(&played)?,
            None => 0,
        };
        let mut counts = Counts::beyond(recorded);
        let mut seen = HashSet::new();
        for line in log.iter_mut().flat_map(|log| log.known.drain(..)) {
            ensure!(line.pair == counts.tally.pentanomial.pairs(), "pairs.jsonl: pair {} out of order", line.pair);
            let planned = schedule.draw(line.pair).opening.text();
            ensure!(
                line.opening == planned,
                "pairs.jsonl: pair {} began with {}, not {planned}",
                line.pair,
                line.opening
            );
            counts.add(&line, &mut seen);
        }
        let first = counts.tally.pentanomial.pairs();
        if first > 0 {
            progress::say(global, format!("resumed after {first} pairs"));
        }
        let bar = progress::bar(global, "match", self.pairs());
        bar.set_position(first);
        bar.reset_eta();
        let stop = progress::stop_flag();
        let decided = |tally: &Tally| {
            self.sprt.as_ref().is_some_and(|sprt| sprt.verdict(sprt.llr(&tally.pentanomial)) != Verdict::Continue)
        };
        // A bar is shown on a terminal only; a log file gets a line now and then.
        let speaks = !global.quiet && !stderr().is_terminal();
        let mut said = Instant::now();
        if !decided(&counts.tally) {
            let sink = |pair: Pair| -> Result<bool> {
                let line = line_of::<P>(&schedule, &pair);
                for fault in &line.fault_details {
                    let name = self.names[usize::from(fault.side == 'b')];
                    let text = format!("FAULT in pair {}: {name}: {}: {}", pair.number, fault.reason, fault.detail);
                    bar.suspend(|| progress::say(global, text));
                }
                counts.add(&line, &mut seen);
                if let Some(log) = &mut log {
                    log.push(&line)?;
                }
                bar.set_position(pair.number + 1);
                if schedule.draw(pair.number).wrapped {
                    bar.suspend(|| progress::say(global, "all openings were used: they repeat from here on"));
                }
                let message = live(&counts.tally, self.sprt.as_ref());
                let done = pair.number + 1;
                if speaks
                    && (said.elapsed() >= SAY_EVERY || (done * 10) / self.pairs() > (pair.number * 10) / self.pairs())
                {
                    said = Instant::now();
                    let eta = begin.elapsed().mul_f64((self.pairs() - done) as f64 / (done - first) as f64);
                    let left = format!("at most {} s left", eta.as_secs());
                    progress::say(global, format!("{done} of {} pairs: {message}, {left}", self.pairs()));
                }
                bar.set_message(message);
                Ok(!decided(&counts.tally) && !stop.load(Ordering::Relaxed))
            };
            let make = || -> Sides<P> {
                if let Some(pins) = &pins {
                    pins.take();
                }
                (table.contestant(0), table.contestant(1))
            };
            let opening = |pair| -> Opening<P> { schedule.draw(pair).opening.clone() };
            let range = first..self.pairs().max(first);
            run_pairs(range, threads, table.lost_by_fault(), opening, make, sink)?;
        }
        bar.finish_and_clear();
        let conditions = table.conditions();
        let seconds = begin.elapsed().as_secs_f64();
        let output = summary(self.names, P::GAME, self.sprt.as_ref(), &counts, conditions, cores, seconds);
        if let Some(out) = self.out {
            write_file(&out.join("results.json"), (serde_json::to_string_pretty(&output)? + "\n").as_bytes())?;
        }
        if let Some(record) = &self.record
            && let Err(error) = record.append(global, &played, &counts.unrecorded)
        {
            // What was played stands, even in a folder that cannot be written to.
            writeln!(stderr(), "the result is not recorded: {error}")?;
        }
        Ok((counts.tally, output))
    }
}

/// The record of a pair.
fn line_of<P: Position>(schedule: &Schedule<P>, pair: &Pair) -> PairLine {
    let details = pair.games.iter().zip([Color::Black, Color::White]).enumerate();
    PairLine {
        pair: pair.number,
        opening: schedule.draw(pair.number).opening.text(),
        differences: pair.differences(),
        faults: pair.faults(),
        games: pair.games.each_ref().map(|game| {
            let moves = game.record.plies.iter().map(|ply| P::move_text(ply.mv));
            moves.collect::<Vec<_>>().join(" ")
        }),
        fault_details: details
            .filter_map(|(number, (game, color_of_a))| {
                let (loser, fault) = game.fault.as_ref()?;
                let side = if *loser == color_of_a { 'a' } else { 'b' };
                let (reason, detail) = (fault.reason.clone(), fault.detail.clone());
                Some(FaultLine { game: number, side, reason, detail })
            })
            .collect(),
    }
}
