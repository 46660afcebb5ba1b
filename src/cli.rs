//! The command line: one file per verb, the only floor that prints and that knows `data/` and `weights/`.
//!
//! stdout is the result, stderr progress and errors. Exit codes: 0 done, 1 "no" (a gate or a verification failed),
//! 2 bad usage or input. A reader that closes its end of the pipe is success.

mod bake;
mod bench;
mod champions;
mod convert;
mod cores;
mod engine;
mod eval;
mod export;
mod fit;
mod forbidden;
mod forge;
mod gate;
mod inspect;
mod judge;
mod label;
mod matches;
mod perft;
mod progress;
mod ratings;
mod report;
mod results;
mod selfplay;
mod shrink;
mod simulate;
mod solve;
mod sprt;
mod thinker;
mod train;
mod weights;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::dataset::whole_file::WholeFile;
use crate::game::GameId;

/// What a verb answers when it ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It did what was asked.
    Done,
    /// It ran, and the answer is no: a gate or a verification failed.
    No,
}

#[derive(Parser)]
#[command(name = "stonesmith", version, about, max_term_width = 110)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// Flags every verb takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Global {
    /// The game: othello (8×8), othello6, othello4 or renju
    #[arg(short, long, global = true, default_value = "othello", value_name = "GAME")]
    pub game: GameId,
    /// Print the result as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress on stderr
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Convert game records between shards, WTHOR files and move text
    Convert(convert::Arguments),
    /// Say what a file is and whether it is sound
    Inspect(inspect::Arguments),
    /// Judge which points are forbidden to Black in Renju positions
    Forbidden(forbidden::Arguments),
    /// Count the move sequences of a given length
    Perft(perft::Arguments),
    /// Let two programs play under a judge's rules and limits
    Judge(judge::Arguments),
    /// Play games of a weights version against itself, into shards
    Selfplay(selfplay::Arguments),
    /// Search recorded games again, deeper, and solve their ends
    Label(label::Arguments),
    /// Fit weights to recorded games
    Fit(fit::Arguments),
    /// Compare weights versions on held-out positions
    Eval(eval::Arguments),
    /// Answer the requests of graphical boards, arenas and judges
    Engine(engine::Arguments),
    /// Play pairs of games between two players and say what they prove
    Match(matches::Arguments),
    /// Play a candidate against the champion, and promote it if it wins
    Gate(gate::Arguments),
    /// Train weights from nothing and forge a bot from them
    Train(train::Arguments),
    /// Rate all versions from all recorded matches
    Ratings(ratings::Arguments),
    /// One self-contained page of a run: curves, ladder, weights by phase, games
    Report(report::Arguments),
    /// Write one source file for a judge from a weights version
    Bake(bake::Arguments),
    /// Other or smaller forms of a weights file
    Export(export::Arguments),
    /// The node count of fixed searches, and golden lines to compare engines by
    Bench(bench::Arguments),
    /// Solve the positions of an .obf file exactly
    Solve(solve::Arguments),
    /// The statistics of given pair counts: LLR, bounds, Elo, nElo, LOS
    Sprt(sprt::Arguments),
    /// Play recorded moves on small boards and count the discs
    Simulate(simulate::Arguments),
}

/// Parses the command line, runs the verb and returns its exit code.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let global = &arguments.global;
    let result = match arguments.verb.unwrap_or(Verb::Train(train::Arguments::default())) {
        Verb::Convert(verb) => convert::run(global, verb),
        Verb::Inspect(verb) => inspect::run(global, verb),
        Verb::Forbidden(verb) => forbidden::run(global, verb),
        Verb::Perft(verb) => perft::run(global, verb),
        Verb::Judge(verb) => judge::run(global, verb),
        Verb::Selfplay(verb) => selfplay::run(global, verb),
        Verb::Label(verb) => label::run(global, verb),
        Verb::Fit(verb) => fit::run(global, verb),
        Verb::Eval(verb) => eval::run(global, verb),
        Verb::Engine(verb) => engine::run(global, verb),
        Verb::Match(verb) => matches::run(global, verb),
        Verb::Gate(verb) => gate::run(global, verb),
        Verb::Train(verb) => train::run(global, verb),
        Verb::Ratings(verb) => ratings::run(global, verb),
        Verb::Report(verb) => report::run(global, verb),
        Verb::Bake(verb) => bake::run(global, verb),
        Verb::Export(verb) => export::run(global, verb),
        Verb::Bench(verb) => bench::run(global, verb),
        Verb::Solve(verb) => solve::run(global, verb),
        Verb::Sprt(verb) => sprt::run(global, verb),
        Verb::Simulate(verb) => simulate::run(global, verb),
    };
    match result {
        Ok(Answer::Done) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The message is lost only if stderr is closed, and then there is nobody to tell.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}

/// Prints one JSON document on a line of its own.
pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(|error| match error.io_error_kind() {
        Some(kind) => anyhow::Error::from(io::Error::from(kind)),
        None => error.into(),
    })?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Writes a file whole: under a temporary name, to the disk, then in its place.
pub fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let mut file = WholeFile::create(path)?;
        file.write_all(bytes)?;
        file.commit()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
