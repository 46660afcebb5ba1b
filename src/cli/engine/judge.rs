//! The judges' own lines from the bot's side, tolerant of their dialects.
//!
//! Commands are taken in any case, unknown ones and empty lines are ignored, `FINISH` and the end of the input end
//! the program. The time of a game is the judge's total, less what our answers have used; Renju's `TURN` tells it.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use super::Setting;
use super::lines::next_line;
use crate::cli::thinker::{Allowance, Think};
use crate::game::othello::{Othello, notation};
use crate::game::renju::{Point, Renju, notation as renju_notation};
use crate::game::{Color, Move, Position};

/// Serves a reversi judge: `READY`, `TURN turn board`.
pub fn serve_reversi<const N: usize>(
    setting: &Setting,
    thinker: &mut dyn Think<Othello<N>>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut left_ms = setting.game_ms;
    while let Some(line) = next_line(input)? {
        let words = words(&line);
        match words.first().map(String::as_str) {
            Some("FINISH" | "QUIT") => break,
            Some("READY") => {
                begin(thinker, output)?;
                left_ms = setting.game_ms;
            }
            Some("TURN") => {
                let begin = Instant::now();
                let mut request = Request::default();
                request.take::<N>(&words[1..]);
                // A board of lines follows its TURN.
                while request.cells.len() < N * N {
                    let Some(line) = next_line(input)? else { return Ok(()) };
                    request.take::<N>(&self::words(&line));
                }
                let color = if request.turn.unwrap_or(1) % 2 == 1 { Color::Black } else { Color::White };
                let Ok(position) = notation::from_board_text::<N>(&request.cells, color) else { continue };
                let mv = choose(thinker, &position, left_ms);
                writeln!(output, "{}", reversi_text::<N>(mv))?;
                output.flush()?;
                left_ms -= begin.elapsed().as_secs_f64() * 1e3;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Answers READY, and a new game begins.
fn begin<P: Position>(thinker: &mut dyn Think<P>, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "OK")?;
    output.flush()?;
    thinker.begin();
    Ok(())
}

/// The move to play: nothing is thought where there is nothing to choose.
fn choose<P: Position>(thinker: &mut dyn Think<P>, position: &P, left_ms: f64) -> Move {
    match position.legal_moves()[..] {
        [] => Move::PASS,
        [only] => only,
        _ => thinker.think(position, Allowance::Game(left_ms)).mv,
    }
}

/// The words of a line in capitals, without a `START` before `TURN`.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_ascii_uppercase).collect();
    if words.len() > 1 && words[0] == "START" && words[1] == "TURN" {
        words.remove(0);
    }
    words
}

/// What a TURN has told so far.
#[derive(Default)]
struct Request {
    turn: Option<u64>,
    cells: String,
}

impl Request {
    /// Tells words apart by their shape: the board's letters come in pieces of at least a row, the first number is
    /// the turn, and times after it are of no use.
    fn take<const N: usize>(&mut self, words: &[String]) {
        for word in words {
            let is_cells = word.len() >= N && word.bytes().all(|c| b".-0BWXO*".contains(&c));
            if is_cells && self.cells.len() < N * N {
                self.cells += &word.replace('0', ".");
            } else if let (None, Ok(number)) = (self.turn, word.parse()) {
                self.turn = Some(number);
            }
        }
    }
}

fn reversi_text<const N: usize>(mv: Move) -> String {
    if mv.is_pass() {
        return "PASS".to_string();
    }
    let (row, col) = notation::row_col::<N>(mv.0 as usize);
    format!("MOVE {} {}", row + 1, col + 1)
}

/// Serves the Renju judge: `READY`, `TURN my_time opp_time`, `OPP x y time`, and our `INIT cells plies`.
pub fn serve_renju(
    setting: &Setting,
    thinker: &mut dyn Think<Renju>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut left_ms = setting.game_ms;
    let mut position = Renju::start();
    let mut pass_word = false;
    while let Some(line) = next_line(input)? {
        let words = words(&line);
        match words.first().map(String::as_str) {
            Some("FINISH" | "QUIT") => break,
            Some("READY") => {
                begin(thinker, output)?;
                (position, left_ms) = (Renju::start(), setting.game_ms);
            }
            Some("INIT") => {
                let board = words.get(1).and_then(|cells| renju_notation::parse_board(cells).ok());
                let plies = words.get(2).and_then(|word| word.parse::<usize>().ok());
                if let (Some(board), Some(plies)) = (board, plies) {
                    position = Renju::new(board, if plies.is_multiple_of(2) { Color::Black } else { Color::White });
                }
            }
            Some("OPP") => {
                let numbers: Vec<i64> = words[1..].iter().filter_map(|word| word.parse().ok()).collect();
                pass_word |= words.get(1).is_some_and(|word| word == "PASS");
                let point = match numbers[..] {
                    [row, col, ..] if !pass_word => Point::from_one_based(row, col),
                    _ => None,
                };
                // A judge has checked the move; what we cannot follow is left alone.
                let _ = position.play(point.map_or(Move::PASS, Point::to_move));
            }
            Some("TURN") => {
                let begin = Instant::now();
                if let Some(told) = words.get(1).and_then(|word| word.parse::<f64>().ok()).filter(|ms| ms.is_finite()) {
                    left_ms = told;
                }
                let mv = choose(thinker, &position, left_ms);
                let _ = position.play(mv);
                match Point::of_move(mv).map(Point::one_based) {
                    Some((row, col)) => writeln!(output, "MOVE {row} {col}")?,
                    None if pass_word => writeln!(output, "PASS")?,
                    None => writeln!(output, "MOVE -1 -1")?,
                }
                output.flush()?;
                left_ms -= begin.elapsed().as_secs_f64() * 1e3;
            }
            _ => {}
        }
    }
    Ok(())
}
