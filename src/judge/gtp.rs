//! GTP: a program that is told every move (`play b d3`) and asked by `genmove`.
//!
//! Answers begin with `=` or `?` and end with an empty line. A program that refuses to be told a pass is forgiven, for
//! many take a forced pass as understood; any other refusal is a fault. In timed games it gets `time_settings` and
//! `time_left`, in whole seconds, and with a decimal below ten.

use std::time::Duration;

use super::command::Command;
use super::conversation::{Conversation, Terms, unexpected};
use super::verdict::{Fault, Reason, quoted};
use crate::game::{Color, Move, Position};
use crate::play::duel::{self, Choice, Contestant};

/// A program behind GTP.
#[derive(Debug)]
pub struct GtpProgram<P> {
    talk: Conversation<P>,
}

impl<P: Position> GtpProgram<P> {
    /// A program that is not started yet.
    pub fn new(command: Command, terms: Terms) -> GtpProgram<P> {
        GtpProgram { talk: Conversation::new(command, terms) }
    }

    fn answer(&mut self) -> Result<Move, Fault> {
        if self.talk.forced_pass() {
            return Ok(Move::PASS);
        }
        if self.talk.start()? {
            let size = self.talk.position().board_text().chars().count().isqrt();
            self.order(&format!("boardsize {size}"))?;
        }
        if self.talk.is_new_game() {
            self.order("clear_board")?;
            if let Some(game) = self.talk.terms().game {
                self.order(&format!("time_settings {} 0 0", game.as_secs().max(1)))?;
            }
        }
        for (position, mv) in self.talk.untold() {
            let color = letter(position.side_to_move());
            let told = self.command(&format!("play {color} {}", P::move_text(mv)))?;
            if let Err(refused) = told
                && !mv.is_pass()
            {
                let detail = format!("it refused {}: {}", P::move_text(mv), quoted(refused.as_bytes()));
                return Err(Fault::new(Reason::Format, detail));
            }
        }
        self.talk.all_told();
        let color = letter(self.talk.position().side_to_move());
        if let Some(left) = self.talk.remaining() {
            // Not every program knows it, and one that does not plays by `time_settings`.
            let _ = self.command(&format!("time_left {color} {} 0", seconds(left)))?;
        }
        let mut reader = Reader::default();
        let lines = self.talk.ask(&format!("genmove {color}\n"), |line| reader.ends(line))?;
        let word = answer_of(&lines)?.map_err(|refused| unexpected("a move", &refused))?;
        P::parse_move(&word).ok_or_else(|| unexpected("a move", &word))
    }

    /// A command that is not charged: its answer, or the text of its refusal.
    fn command(&mut self, text: &str) -> Result<Result<String, String>, Fault> {
        let mut reader = Reader::default();
        let lines = self.talk.settle(&format!("{text}\n"), |line| reader.ends(line))?;
        answer_of(&lines)
    }

    /// A command that must be obeyed.
    fn order(&mut self, text: &str) -> Result<(), Fault> {
        match self.command(text)? {
            Ok(_) => Ok(()),
            Err(refused) => {
                Err(Fault::new(Reason::Format, format!("it refused `{text}`: {}", quoted(refused.as_bytes()))))
            }
        }
    }
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

/// The text behind `=`, or behind `?` as the inner error.
fn answer_of(lines: &[String]) -> Result<Result<String, String>, Fault> {
    let first = lines.iter().find(|line| line.starts_with(['=', '?'])).expect("the reader has seen it");
    let text = first[1..].trim().to_string();
    Ok(if first.starts_with('=') { Ok(text) } else { Err(text) })
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

impl<P: Position> Contestant<P> for GtpProgram<P> {
    fn begin(&mut self, _game: u64) -> Result<(), duel::Fault> {
        Ok(())
    }

    fn opening(&mut self, start: &P, moves: &[Move]) {
        self.talk.begin(start, moves);
    }

    fn opponent_played(&mut self, mv: Move, took: Duration) {
        self.talk.add(mv, took);
    }

    fn choose(&mut self, _position: &P) -> Result<Choice, duel::Fault> {
        let asked = !self.talk.forced_pass();
        let answer = self.answer();
        let choice = self.talk.finish(answer)?;
        if asked {
            // It has played its own move itself.
            self.talk.all_told();
        }
        Ok(choice)
    }
}
