//! `simulate`: the Othello simulation, from FILE or stdin to one line a case.
//!
//! The input is read a line at a time and each answer is written when its case is complete, so an error leaves the
//! answers of the earlier cases on stdout.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use super::{Answer, Global};
use crate::game::othello::simulation::{Count, LINE_LIMIT, Simulation};

#[derive(clap::Args)]
pub struct Arguments {
    /// The input: T, then per case `N M` and M lines `column row colour` (stdin if absent or `-`)
    file: Option<PathBuf>,
    /// Leave out moves that turn no disc or fall on an occupied square, instead of stopping there
    #[arg(long)]
    lenient: bool,
}

#[derive(Serialize)]
struct Line {
    case: u64,
    black: u32,
    white: u32,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let file = arguments.file.filter(|path| path.as_os_str() != "-");
    let name = file.as_ref().map_or("stdin".to_string(), |path| path.display().to_string());
    let mut simulation = Simulation::new(arguments.lenient);
    let out = BufWriter::new(io::stdout().lock());
    match &file {
        Some(path) => {
            let input = File::open(path).with_context(|| format!("cannot open {name}"))?;
            answer(&mut simulation, BufReader::new(input), out, global.json, &name)?;
        }
        None => answer(&mut simulation, BufReader::new(io::stdin().lock()), out, global.json, &name)?,
    }
    if simulation.ignored() > 0 && !global.quiet {
        let _ = writeln!(io::stderr(), "{name}: {} moves left out", simulation.ignored());
    }
    Ok(Answer::Done)
}

fn answer<R: Read>(
    simulation: &mut Simulation,
    mut input: BufReader<R>,
    mut out: impl Write,
    json: bool,
    name: &str,
) -> Result<()> {
    let mut line = Vec::new();
    loop {
        // Whoever types the input sees each answer before the next line is waited for.
        if input.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        let length = (&mut input)
            .take(LINE_LIMIT as u64 + 1)
            .read_until(b'\n', &mut line)
            .with_context(|| format!("cannot read {name}"))?;
        let step = if length == 0 { simulation.finish().map(|()| None) } else { simulation.line(&line) };
        match step {
            Ok(Some(count)) => write_count(&mut out, count, json)?,
            Ok(None) => {}
            Err(error) => {
                out.flush()?;
                return Err(error).with_context(|| name.to_string());
            }
        }
        if length == 0 {
            out.flush()?;
            return Ok(());
        }
    }
}

fn write_count(out: &mut impl Write, Count { case, black, white }: Count, json: bool) -> io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, &Line { case, black, white })?;
        out.write_all(b"\n")
    } else {
        writeln!(out, "#{case} {black} {white}")
    }
}
