//! GTP: a program that is told every move (`play b d3`) and asked by `genmove`.
//!
//! Answers begin with `=` or `?` and end with an empty line. A program that refuses to be told a pass is forgiven, for
//! many take a forced pass as understood; any other refusal is a fault. In timed games it gets `time_settings` in whole
//! seconds and before each move `time_left`, rounded down to a second and below ten to a tenth, both less a reserve
//! ([`super::conversation::Terms::told`]).

use std::time::Duration;

use super::conversation::{Conversation, Speech, refused, unexpected};
use super::verdict::Fault;
use crate::game::{Color, Move, Position};

/// GTP.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gtp;

impl<P: Position> Speech<P> for Gtp {
    fn answer(&mut self, talk: &mut Conversation<P>) -> Result<Move, Fault> {
        if talk.start()? {
            let size = talk.position().board_text().chars().count().isqrt();
            order(talk, &format!("boardsize {size}"))?;
        }
        if talk.is_new_game() {
            order(talk, "clear_board")?;
            if let Some(game) = talk.terms().told() {
                order(talk, &format!("time_settings {} 0 0", game.as_secs().max(1)))?;
            }
        }
        for (position, mv) in talk.untold() {
            let told = format!("play {} {}", letter(position.side_to_move()), P::move_text(mv));
            if let Err(words) = command(talk, &told)?
                && !mv.is_pass()
            {
                return Err(refused(&told, &words));
            }
        }
        talk.all_told();
        let color = letter(talk.position().side_to_move());
        if let Some(left) = talk.told_left() {
            // Not every program knows it, and one that does not plays by `time_settings`.
            let _ = command(talk, &format!("time_left {color} {} 0", seconds(left)))?;
        }
        let mut reader = Reader::default();
        let lines = talk.ask(&format!("genmove {color}\n"), |line| reader.ends(line))?;
        let word = answer_of(&lines).map_err(|words| unexpected("a move", &words))?;
        P::parse_move(&word).ok_or_else(|| unexpected("a move", &word))
    }
}

/// A command that is not charged: its answer, or the text of its refusal.
fn command<P: Position>(talk: &mut Conversation<P>, text: &str) -> Result<Result<String, String>, Fault> {
    let mut reader = Reader::default();
    let lines = talk.settle(&format!("{text}\n"), |line| reader.ends(line))?;
    Ok(answer_of(&lines))
}

/// A command that must be obeyed.
fn order<P: Position>(talk: &mut Conversation<P>, text: &str) -> Result<(), Fault> {
    command(talk, text)?.map(drop).map_err(|words| refused(text, &words))
}

/// Finds the empty line that ends an answer.
#[derive(Default)]
struct Reader {
    begun: bool,
}

impl Reader {
    fn ends(&mut self, line: &str) -> bool {
        self.begun |= line.starts_with(['=', '?']);
        self.begun && line.trim().is_empty()
    }
}

/// The text behind `=`, or behind `?` as the error.
fn answer_of(lines: &[String]) -> Result<String, String> {
    let first = lines.iter().find(|line| line.starts_with(['=', '?'])).expect("the reader has seen it");
    let text = first[1..].trim().to_string();
    if first.starts_with('=') { Ok(text) } else { Err(text) }
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

fn seconds(left: Duration) -> String {
    let seconds = left.as_secs_f64();
    if seconds >= 10.0 { format!("{}", seconds.floor()) } else { format!("{:.1}", (10.0 * seconds).floor() / 10.0) }
}
