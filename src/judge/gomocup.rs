//! Gomocup (Piskvork): a program that is told its opponent's moves as `TURN x,y` and answers `x,y`.
//!
//! A game that does not begin on the empty board, and one in which somebody passed, is told as a whole by `BOARD`.
//! `MESSAGE`, `DEBUG` and the like are talk. The rule told is 4, Renju. Programs of this protocol play by a time for
//! each move, which is told in untimed games too.

use std::time::Duration;

use super::conversation::{Conversation, Speech, refused, unexpected};
use super::verdict::Fault;
use crate::game::renju::{Point, Renju};
use crate::game::{Color, Move, Position};

/// How long a move may come after an error. A program that still ends its last search when it is told of the clock may
/// lose the beginning of that line and take the rest for a command (Rapfi does), and then answers the next one well.
const SECOND_THOUGHT: Duration = Duration::from_secs(2);
/// The largest time managers tell: no limit.
const NO_LIMIT: u128 = i32::MAX as u128;

/// The Gomocup protocol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gomocup;

impl Speech<Renju> for Gomocup {
    fn answer(&mut self, talk: &mut Conversation<Renju>) -> Result<Move, Fault> {
        let started = talk.start()?;
        if started {
            order(talk, "START 15\n")?;
        }
        let fresh = talk.is_new_game();
        if fresh && !started {
            order(talk, "RESTART\n")?;
        }
        talk.tell(&times(talk, fresh))?;
        let untold = talk.untold();
        let request = match untold[..] {
            [] if talk.position().board().stones() == 0 => "BEGIN\n".to_string(),
            [(_, mv)] if !fresh && !mv.is_pass() => format!("TURN {}\n", text(mv)),
            _ => board(talk),
        };
        let mut lines = talk.ask(&request, |line| is_point(line) || is_refusal(line))?;
        if lines.last().is_some_and(|line| is_refusal(line)) {
            lines.extend(talk.ask_on(SECOND_THOUGHT, is_point));
        }
        let line = lines.last().expect("a line was accepted").trim();
        point(line).map(Point::to_move).ok_or_else(|| unexpected("`x,y`", line))
    }
}

/// A command answered by `OK`.
fn order(talk: &mut Conversation<Renju>, command: &str) -> Result<(), Fault> {
    let lines = talk.settle(command, |line| line.trim().eq_ignore_ascii_case("OK") || is_refusal(line))?;
    let line = lines.last().expect("a line was accepted").trim();
    if is_refusal(line) { Err(refused(command, line)) } else { Ok(()) }
}

fn times(talk: &Conversation<Renju>, fresh: bool) -> String {
    let terms = talk.terms();
    let mut text = String::new();
    if fresh {
        // A move may take the whole game's time where that is the limit.
        let turn = terms.game.unwrap_or(terms.turn).as_millis();
        let total = terms.game.map_or(0, |game| game.as_millis());
        text = format!(
            "INFO rule 4\nINFO game_type 1\nINFO max_memory 0\nINFO timeout_turn {turn}\nINFO timeout_match {total}\n"
        );
    }
    let left = talk.remaining().map_or(NO_LIMIT, |left| left.as_millis());
    text + &format!("INFO time_left {left}\n")
}

/// All stones, in the order of play where it is known, and who is who from the program's side.
fn board(talk: &Conversation<Renju>) -> String {
    let own = talk.position().side_to_move();
    let line = |point: Point, color: Color| format!("{},{}\n", text(point.to_move()), if color == own { 1 } else { 2 });
    let mut lines = "BOARD\n".to_string();
    let start = talk.start_position();
    for color in [Color::Black, Color::White] {
        lines.extend(start.board().points_of(color).map(|point| line(point, color)));
    }
    let mut color = start.side_to_move();
    for &(mv, _) in talk.moves() {
        lines.extend(Point::of_move(mv).map(|point| line(point, color)));
        color = color.opponent();
    }
    lines + "DONE\n"
}

/// `x,y` from 0: column and row.
fn text(mv: Move) -> String {
    let (row, col) = Point::of_move(mv).expect("a pass is told by the whole board").one_based();
    format!("{},{}", col - 1, row - 1)
}

fn coordinates(line: &str) -> Option<(i64, i64)> {
    let (x, y) = line.trim().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn is_point(line: &str) -> bool {
    coordinates(line).is_some()
}

fn point(line: &str) -> Option<Point> {
    let (x, y) = coordinates(line)?;
    Point::from_one_based(y.checked_add(1)?, x.checked_add(1)?)
}

/// Whether a line refuses a command. What a program does not know among the INFO keys is its own affair.
fn is_refusal(line: &str) -> bool {
    let line = line.trim().to_ascii_uppercase();
    let about_info = ["INFO", "TIME_LEFT", "TIMEOUT_", "MAX_MEMORY", "GAME_TYPE"].iter().any(|key| line.contains(key));
    (line.starts_with("ERROR") || line.starts_with("UNKNOWN")) && !about_info
}
