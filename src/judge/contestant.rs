//! A program as a contestant of a match: the judge's protocol and limits behind [`Contestant`].
//!
//! A match gives positions, a judge's lines tell a history. Between two positions of one side lies one move of its own
//! and one of its opponent, which is looked up among the legal ones where the protocol tells of it; a game that starts
//! from an opening is numbered by its stones, and one more where a pass has changed the colour's turn.

use std::time::Instant;

use super::Limits;
use super::bot::Bot;
use super::command::Command;
use super::protocol::{Protocol, Turn};
use super::verdict;
use crate::game::{Color, Move, Position};
use crate::play::duel::{Choice, Contestant, Fault};

/// A program that plays a match.
#[derive(Debug)]
pub struct Program<R: Protocol> {
    protocol: R,
    command: Command,
    limits: Limits,
    session: Option<Session<R::Position>>,
}

/// One game of a program.
#[derive(Debug)]
struct Session<P> {
    bot: Bot,
    /// The position the program knows: after its own last move.
    known: P,
    /// The number of the turn it is asked next.
    turn: usize,
    since: Instant,
}

impl<R: Protocol> Program<R> {
    /// A program under these limits in every game.
    pub fn new(protocol: R, command: Command, limits: Limits) -> Program<R> {
        Program { protocol, command, limits, session: None }
    }

    /// Starts the program in `position`, its first to move in.
    fn start(&self, position: &R::Position) -> Result<Session<R::Position>, verdict::Fault> {
        let color = position.side_to_move();
        let odd_turn = color == Color::Black;
        let turn = position.ply() + 1;
        let turn = if (turn % 2 == 1) == odd_turn { turn } else { turn + 1 };
        let mut bot = Bot::start(&self.command, self.limits).map_err(|error| {
            verdict::Fault::new(verdict::Reason::Crash, format!("the program cannot be started: {error}"))
        })?;
        let answer = bot.ask_alone(&self.protocol.ready(color), self.protocol.ready_allowance())?;
        self.protocol.check_ready(&answer.line)?;
        let start = R::Position::start();
        let mut session = Session { bot, known: start.clone(), turn, since: Instant::now() };
        if *position != start
            && !self.tell_move(&mut session, position)?
            && let Some(lines) = self.protocol.init(position, turn - 1)
        {
            session.bot.tell(&lines)?;
        }
        Ok(session)
    }

    /// Tells the program of the one move between the position it knows and `position`; false if there is none.
    fn tell_move(&self, session: &mut Session<R::Position>, position: &R::Position) -> Result<bool, verdict::Fault> {
        // Protocols that show the board tell of no move.
        if self.protocol.notice(Move::PASS, session.since.elapsed()).is_none() {
            return Ok(true);
        }
        let leads_here = |mv: &Move| {
            let mut next = session.known.clone();
            next.play(*mv).is_ok() && next == *position
        };
        let Some(mv) = session.known.legal_moves().into_iter().find(leads_here) else { return Ok(false) };
        if let Some(lines) = self.protocol.notice(mv, session.since.elapsed()) {
            session.bot.tell(&lines)?;
        }
        Ok(true)
    }

    fn answer(&mut self, position: &R::Position) -> Result<Move, verdict::Fault> {
        let mut session = match self.session.take() {
            None => self.start(position)?,
            Some(mut session) => {
                self.tell_move(&mut session, position)?;
                session
            }
        };
        let turn = Turn {
            number: session.turn,
            position,
            remaining: session.bot.remaining(),
            opponent_remaining: self.limits.total,
        };
        let answer = session.bot.ask_alone(&self.protocol.turn(&turn), None)?;
        let mv = self.protocol.read_move(&answer.line)?;
        session.known = self.protocol.play(&turn, mv)?;
        session.turn += 2;
        session.since = Instant::now();
        self.session = Some(session);
        Ok(mv)
    }
}

impl<R: Protocol + Send> Contestant<R::Position> for Program<R> {
    /// Ends the program of the game before; it is started again when it is first asked, for its colour is known then.
    fn begin(&mut self, _game: u64) -> Result<(), Fault> {
        self.session = None;
        Ok(())
    }

    fn choose(&mut self, position: &R::Position) -> Result<Choice, Fault> {
        match self.answer(position) {
            Ok(mv) => Ok(Choice { mv, score: None, solved: None }),
            Err(fault) => Err(Fault { reason: fault.reason.name().to_string(), detail: fault.detail }),
        }
    }
}
