//! The command line: one file per verb, the only floor that prints and that knows `data/` and `weights/`.
//!
//! stdout is the result, stderr progress and errors. Exit codes: 0 done, 1 "no" (a gate or a verification failed),
//! 2 bad usage or input. A reader that closes its end of the pipe is success.

mod judge;
mod perft;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    verb: Verb,
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
    /// Count the move sequences of a given length
    Perft(perft::Arguments),
    /// Let two programs play under a judge's rules and limits
    Judge(judge::Arguments),
}

/// Parses the command line, runs the verb and returns its exit code.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let global = &arguments.global;
    let result = match arguments.verb {
        Verb::Perft(verb) => perft::run(global, verb),
        Verb::Judge(verb) => judge::run(global, verb),
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
