//! A program that plays all games of a match in one process, behind a protocol that lets it talk.
//!
//! What GTP, NBoard and Gomocup have in common: the program is started before its first game, is told what was
//! played since it was last asked, prints lines of its own besides its answers, and has a clock for each game. A
//! fault ends the process; the next game starts it anew. What is said is a [`Speech`]'s affair.

use std::time::Duration;

use super::Limits;
use super::bot::Bot;
use super::command::Command;
use super::verdict::{Fault, Reason, quoted};
use crate::game::{Move, Position};
use crate::play::duel::{self, Choice, Contestant};

/// How long a program may take to start, and to get ready for a game: it may load files and clear tables.
const SETTLE: Duration = Duration::from_secs(60);

/// What a program of a match may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Answer time of a game, and CPU time of its process meanwhile; `None` where games are not timed.
    pub game: Option<Duration>,
    /// The longest wait for one answer where games are not timed.
    pub answer: Duration,
    /// The time of a move, for programs that must be told one although games are not timed.
    pub turn: Duration,
}

impl Terms {
    /// Answer time that a protocol of whole seconds may tell: what is left of it after the game is a reserve, for such a
    /// program cannot know how much of its last second is gone, nor when its answer arrives.
    pub fn told(&self) -> Option<Duration> {
        self.game.map(|game| game.saturating_sub((game * 8 / 100).max(LEAST_RESERVE)))
    }
}

/// The reserve of a short game.
const LEAST_RESERVE: Duration = Duration::from_millis(500);

/// A protocol that lets a program talk.
pub trait Speech<P: Position>: Send {
    /// Tells the program what it has not heard and asks for its move in the position on the board, in which there is
    /// another move than a pass.
    ///
    /// # Errors
    /// The program's fault.
    fn answer(&mut self, talk: &mut Conversation<P>) -> Result<Move, Fault>;
}

/// A program behind such a protocol as a contestant.
#[derive(Debug)]
pub struct Speaker<P, S> {
    talk: Conversation<P>,
    speech: S,
}

impl<P: Position, S: Speech<P>> Speaker<P, S> {
    /// A program that is not started yet.
    pub fn new(speech: S, command: Command, terms: Terms) -> Speaker<P, S> {
        Speaker { talk: Conversation::new(command, terms), speech }
    }
}

impl<P: Position, S: Speech<P>> Contestant<P> for Speaker<P, S> {
    fn begin(&mut self, _game: u64) -> Result<(), duel::Fault> {
        Ok(())
    }

    fn opening(&mut self, start: &P, moves: &[Move]) {
        self.talk.begin(start, moves);
    }

    fn opponent_played(&mut self, mv: Move, took: Duration) {
        self.talk.add(mv, took);
    }

    fn choose(&mut self, position: &P) -> Result<Choice, duel::Fault> {
        // Nobody is asked for a forced pass; the program is told of it with the moves after it.
        if position.legal_moves() == [Move::PASS] {
            return self.talk.finish(Ok(Move::PASS));
        }
        let answer = self.speech.answer(&mut self.talk);
        let choice = self.talk.finish(answer)?;
        // It has played its own move itself.
        self.talk.all_told();
        Ok(choice)
    }
}

/// One program with the game it is in.
#[derive(Debug)]
pub struct Conversation<P> {
    command: Command,
    terms: Terms,
    bot: Option<Bot>,
    /// Whether the game is one the program has not heard of.
    fresh: bool,
    start: P,
    position: P,
    moves: Vec<(Move, Duration)>,
    told: usize,
    used: Duration,
    /// CPU time of the process when it was first asked for a move in this game; what it takes to start and to hear of
    /// the game is not charged.
    cpu_before: Option<Duration>,
    /// The time of the last answer.
    took: Duration,
}

impl<P: Position> Conversation<P> {
    /// A program that is not started yet.
    pub fn new(command: Command, terms: Terms) -> Conversation<P> {
        Conversation {
            command,
            terms,
            bot: None,
            fresh: true,
            start: P::start(),
            position: P::start(),
            moves: Vec::new(),
            told: 0,
            used: Duration::ZERO,
            cpu_before: None,
            took: Duration::ZERO,
        }
    }

    /// What it may use.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// A new game begins with these moves from `start`.
    pub fn begin(&mut self, start: &P, opening: &[Move]) {
        self.fresh = true;
        (self.start, self.position) = (start.clone(), start.clone());
        self.moves.clear();
        self.used = Duration::ZERO;
        opening.iter().for_each(|&mv| self.add(mv, Duration::ZERO));
    }

    /// The opponent has played.
    pub fn add(&mut self, mv: Move, took: Duration) {
        self.position.play(mv).expect("the moves of a game are legal");
        self.moves.push((mv, took));
    }

    /// Where the game started.
    pub fn start_position(&self) -> &P {
        &self.start
    }

    /// The moves since then, each with the time it took.
    pub fn moves(&self) -> &[(Move, Duration)] {
        &self.moves
    }

    /// The moves the program has not been told, with the position each is played in.
    pub fn untold(&self) -> Vec<(P, Move)> {
        let mut position = self.start.clone();
        let mut untold = Vec::new();
        for (index, &(mv, _)) in self.moves.iter().enumerate() {
            if index >= self.told {
                untold.push((position.clone(), mv));
            }
            position.play(mv).expect("the moves of a game are legal");
        }
        untold
    }

    /// The program knows all moves so far, its own next answer included.
    pub fn all_told(&mut self) {
        self.told = self.moves.len();
    }

    /// Starts the program if it does not run; true when it did not.
    ///
    /// # Errors
    /// CRASH when the system cannot start it.
    pub fn start(&mut self) -> Result<bool, Fault> {
        if self.bot.is_some() {
            return Ok(false);
        }
        let limits = Limits { total: Duration::MAX, cpu: Duration::MAX, memory: u64::MAX, slowdown: 1.0 };
        let bot = Bot::start(&self.command, limits);
        let cannot = |error| Fault::new(Reason::Crash, format!("the program cannot be started: {error}"));
        self.bot = Some(bot.map_err(cannot)?);
        self.fresh = true;
        Ok(true)
    }

    /// Whether the program must be told of a new game: true once a game.
    pub fn is_new_game(&mut self) -> bool {
        let fresh = std::mem::replace(&mut self.fresh, false);
        if fresh {
            self.told = 0;
            self.cpu_before = None;
        }
        fresh
    }

    /// Answer time left in this game; `None` where it is not timed.
    pub fn remaining(&self) -> Option<Duration> {
        self.terms.game.map(|game| game.saturating_sub(self.used))
    }

    /// What [`Terms::told`] leaves of it.
    pub fn told_left(&self) -> Option<Duration> {
        self.terms.told().map(|told| told.saturating_sub(self.used))
    }

    /// Sends lines that need no answer.
    ///
    /// # Errors
    /// CRASH when the program is dead or does not read.
    pub fn tell(&mut self, lines: &str) -> Result<(), Fault> {
        let bot = self.bot.as_mut().expect("the program is started before it is spoken to");
        bot.discard_output()?;
        bot.tell(lines)
    }

    /// Sends a request that is not charged, and reads until `last` accepts a line; answers all lines.
    ///
    /// # Errors
    /// The program's fault.
    pub fn settle(&mut self, request: &str, last: impl FnMut(&str) -> bool) -> Result<Vec<String>, Fault> {
        let bot = self.bot.as_mut().expect("the program is started before it is spoken to");
        Ok(bot.consult(request, SETTLE, last)?.0)
    }

    /// Sends a request on the game's clock, and reads until `last` accepts a line; answers all lines.
    ///
    /// # Errors
    /// The program's fault: TLE and CPU_TLE by the game's clock.
    pub fn ask(&mut self, request: &str, last: impl FnMut(&str) -> bool) -> Result<Vec<String>, Fault> {
        let limit = self.remaining().unwrap_or(self.terms.answer);
        let bot = self.bot.as_mut().expect("the program is started before it is spoken to");
        let cpu_before = *self.cpu_before.get_or_insert_with(|| bot.cpu());
        let (lines, took) = bot.consult(request, limit, last)?;
        self.took = took;
        self.used += took;
        let cpu = bot.cpu().saturating_sub(cpu_before);
        match self.terms.game {
            Some(game) if cpu > game => {
                let detail = format!("{} ms of CPU time, the limit is {} ms", cpu.as_millis(), game.as_millis());
                Err(Fault::new(Reason::CpuTle, detail))
            }
            _ => Ok(lines),
        }
    }

    /// Goes on reading after [`Conversation::ask`], on the same clock but at most for `patience`, until `last` accepts a
    /// line; no lines if none comes.
    pub fn ask_on(&mut self, patience: Duration, last: impl FnMut(&str) -> bool) -> Vec<String> {
        let limit = self.remaining().unwrap_or(self.terms.answer).min(patience);
        let bot = self.bot.as_mut().expect("the program is started before it is spoken to");
        let Ok((lines, took)) = bot.consult("", limit, last) else { return Vec::new() };
        self.took += took;
        self.used += took;
        lines
    }

    /// Turns an answer into a contestant's choice: an illegal move is a fault, and a fault ends the program.
    ///
    /// # Errors
    /// The fault.
    pub fn finish(&mut self, answer: Result<Move, Fault>) -> Result<Choice, duel::Fault> {
        let checked = answer.and_then(|mv| {
            let mut next = self.position.clone();
            next.play(mv).map(|()| mv).map_err(|illegal| {
                let reason = match mv {
                    Move::PASS => Reason::IllegalPass,
                    _ if illegal.reason.starts_with("forbidden") => Reason::Forbidden,
                    _ => Reason::Illegal,
                };
                Fault::new(reason, illegal.to_string())
            })
        });
        match checked {
            Ok(mv) => {
                self.add(mv, self.took);
                self.took = Duration::ZERO;
                Ok(Choice { mv, score: None, solved: None })
            }
            Err(fault) => {
                self.bot = None;
                Err(duel::Fault { reason: fault.reason.name().to_string(), detail: fault.detail })
            }
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &P {
        &self.position
    }
}

/// FORMAT: a line that is not what the protocol says.
pub fn unexpected(expected: &str, line: &str) -> Fault {
    Fault::new(Reason::Format, format!("expected {expected}, found {}", quoted(line.as_bytes())))
}

/// FORMAT: a command that must be obeyed was refused in these words.
pub fn refused(command: &str, words: &str) -> Fault {
    Fault::new(Reason::Format, format!("it refused `{}`: {}", command.trim(), quoted(words.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_time_keeps_a_reserve() {
        let told = |millis| {
            let terms =
                Terms { game: Some(Duration::from_millis(millis)), answer: Duration::ZERO, turn: Duration::ZERO };
            terms.told().unwrap().as_millis()
        };
        assert_eq!([told(300), told(5000), told(10_000), told(60_000)], [0, 4500, 9200, 55_200]);
    }
}
