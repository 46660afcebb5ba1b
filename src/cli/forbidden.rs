//! `forbidden`: the forbidden points of Renju positions, one JSON line in, one JSON line out.
//!
//! Each answer is flushed before the next line is read, so the verb can sit behind a pipe that asks and waits.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::{Answer, Global};
use crate::game::Color;
use crate::game::renju::{Board, Point, forbidden::forbidden_points};

#[derive(clap::Args)]
pub struct Arguments {
    /// JSON lines {"black": [[row, col], …], "white": [[row, col], …]}, counted from 1; stdin without it
    file: Option<PathBuf>,
}

/// A line of the input; further keys are ignored.
#[derive(Deserialize)]
struct Stones {
    black: Vec<(i64, i64)>,
    white: Vec<(i64, i64)>,
}

#[derive(Serialize)]
struct Output {
    forbidden: Vec<(usize, usize, Vec<&'static str>)>,
}

pub fn run(_global: &Global, arguments: Arguments) -> Result<Answer> {
    match &arguments.file {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            answer_lines(BufReader::new(file), &path.display().to_string())
        }
        None => answer_lines(io::stdin().lock(), "stdin"),
    }
}

fn answer_lines(mut input: impl BufRead, name: &str) -> Result<Answer> {
    let mut out = io::stdout().lock();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if input.read_until(b'\n', &mut line).with_context(|| format!("{name}: line {number}"))? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let board = parse(&line).with_context(|| format!("{name}: line {number}"))?;
        let mut answer = serde_json::to_vec(&judged(&board))?;
        answer.push(b'\n');
        out.write_all(&answer)?;
        out.flush()?;
    }
    Ok(Answer::Done)
}

const EXPECTED: &str = "expected {\"black\": [[row, col], …], \"white\": [[row, col], …]}";

fn parse(line: &[u8]) -> Result<Board> {
    let line = line.trim_ascii();
    // Serde would take an array of two lists for the struct.
    if !line.starts_with(b"{") {
        bail!("{EXPECTED}, found no JSON object");
    }
    let stones: Stones = serde_json::from_slice(line).map_err(|error| anyhow!("{EXPECTED}: {error}"))?;
    let mut board = Board::empty();
    for (color, list) in [(Color::Black, stones.black), (Color::White, stones.white)] {
        for (row, col) in list {
            let Some(point) = Point::from_one_based(row, col) else {
                bail!("expected rows and columns from 1 to 15, found [{row}, {col}]");
            };
            if !board.is_empty(point) {
                bail!("expected every point once, found [{row}, {col}] again");
            }
            board.place(point, color);
        }
    }
    Ok(board)
}

fn judged(board: &Board) -> Output {
    let forbidden = forbidden_points(board)
        .into_iter()
        .map(|(point, reasons)| {
            let (row, col) = point.one_based();
            (row, col, reasons.iter().map(|reason| reason.name()).collect())
        })
        .collect();
    Output { forbidden }
}
