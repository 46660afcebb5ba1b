//! A logged game played again: the programs answer the turns they had, and the log goes on as it went.
//!
//! Every turn of a replayed side is asked with the logged position, so one different answer does not hide the rest.
//! Where a log ends with a fault of a replayed side, that side is asked once more, in the position of its fault.

use std::time::Duration;

use super::Limits;
use super::bot::{Bot, Usage};
use super::command::Command;
use super::log::LoggedGame;
use super::protocol::{Protocol, Turn};
use super::referee::{Start, SystemError};
use super::verdict::{Fault, Side};
use crate::game::{Move, Position};
use crate::play::position_after;

/// One answer of a replayed program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reanswer {
    /// The turn's number in the game, from 1, passes included.
    pub turn: usize,
    /// What it answered.
    pub answered: Move,
    /// The answer time.
    pub took: Duration,
    /// What the log has, with its milliseconds; `None` in the position of a fault.
    pub logged: Option<(Move, u64)>,
}

impl Reanswer {
    /// Whether the program now plays what the log has.
    pub fn same(&self) -> bool {
        self.logged.is_some_and(|(mv, _)| mv == self.answered)
    }
}

/// A replay of one side of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Whose turns were played again.
    pub side: Side,
    /// The answers, in order.
    pub answers: Vec<Reanswer>,
    /// The fault that ended the replay early.
    pub fault: Option<Fault>,
    /// What the program used.
    pub usage: Usage,
}

/// Lets `command` answer the turns of `side` in `game` again.
///
/// # Errors
/// When the system cannot start a process.
pub fn replay<R: Protocol>(
    protocol: &R,
    game: &LoggedGame,
    side: Side,
    command: &Command,
    limits: Limits,
) -> Result<Replay, SystemError> {
    let mut bot = Bot::start(command, limits).map_err(|source| SystemError { side, source })?;
    let mut answers = Vec::new();
    let outcome = answer_all(protocol, game, side, &mut bot, limits, &mut answers);
    let (usage, late_fault) = bot.end();
    Ok(Replay { side, answers, fault: outcome.err().or(late_fault), usage })
}

fn answer_all<R: Protocol>(
    protocol: &R,
    game: &LoggedGame,
    side: Side,
    bot: &mut Bot,
    limits: Limits,
    answers: &mut Vec<Reanswer>,
) -> Result<(), Fault> {
    let start = Start { number: 1, black: game.black, opening: game.opening.clone() };
    let greeting = bot.ask_alone(&protocol.ready(start.color(side)), protocol.ready_allowance())?;
    protocol.check_ready(&greeting.line)?;

    let mut position: R::Position = position_after(&game.opening);
    if let Some(lines) = protocol.init(&position, game.opening.len()).filter(|_| !game.opening.is_empty()) {
        bot.tell(&lines)?;
    }
    let mut opponent_wall = Duration::ZERO;
    let logged = game.moves.iter().map(Some).chain([None]);
    for (index, logged) in logged.enumerate() {
        let mover = start.side(position.side_to_move());
        let fault_here = game.abort.as_ref().is_some_and(|(faulty, _)| *faulty == side);
        if position.outcome().is_some() || (logged.is_none() && !fault_here) {
            break;
        }
        let turn = Turn {
            number: game.opening.len() + index + 1,
            position: &position,
            remaining: bot.remaining(),
            opponent_remaining: limits.total.saturating_sub(opponent_wall),
        };
        let mut differs = false;
        if mover == side {
            let answer = bot.ask_alone(&protocol.turn(&turn), None)?;
            let answered = protocol.read_move(&answer.line)?;
            protocol.play(&turn, answered)?;
            let logged = logged.map(|logged| (logged.mv, logged.millis));
            differs = logged.is_some_and(|(mv, _)| mv != answered);
            answers.push(Reanswer { turn: turn.number, answered, took: answer.took, logged });
        }
        let Some(logged) = logged else { break };
        let next = protocol.play(&turn, logged.mv)?;
        // A program that is not shown the board believes in its own move.
        if let Some(lines) = protocol.init(&next, turn.number).filter(|_| differs) {
            bot.tell(&lines)?;
        }
        if mover != side {
            let took = Duration::from_millis(logged.millis);
            opponent_wall += took;
            if let Some(notice) = protocol.notice(logged.mv, took) {
                bot.tell(&notice)?;
            }
        }
        position = next;
    }
    bot.check_silence()
}
