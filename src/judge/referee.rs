//! The game loop: greets both sides, asks them in turn, judges every answer, and ends what it started.
//!
//! Black is greeted first, and each program is started right before its greeting, so that its start-up counts as
//! answer time. The first fault ends the game: with both programs dead, the one asked first is at fault. A program
//! that dies while it waits is found dead when it is asked again, and not at all if it need not be.

use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::bot::{Bot, Failure, Usage};
use super::protocol::{Protocol, Turn};
use super::verdict::{Fault, Reason, Side, Verdict, Winner};
use super::{Entrant, Limits};
use crate::game::{Color, Move, Position};
use crate::play::{Greedy, Player, Random, position_after};

/// How long a program that was dismissed may take to exit.
const FAREWELL_PATIENCE: Duration = Duration::from_millis(200);

/// The referee of a match.
#[derive(Clone, Debug)]
pub struct Match<R> {
    /// The judge's protocol.
    pub protocol: R,
    /// The two sides.
    pub entrants: [Entrant; 2],
    /// What each program may use.
    pub limits: Limits,
    /// Seed of the random player.
    pub seed: u64,
}

/// How a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The number of the game in its match, from 1.
    pub number: u64,
    /// The side that plays Black.
    pub black: Side,
    /// Moves played before the programs are asked, legal ones, passes included.
    pub opening: Vec<Move>,
}

impl Start {
    /// The side that plays `color`.
    pub fn side(&self, color: Color) -> Side {
        match color {
            Color::Black => self.black,
            Color::White => self.black.other(),
        }
    }

    /// The colour `side` plays.
    pub fn color(&self, side: Side) -> Color {
        if side == self.black { Color::Black } else { Color::White }
    }
}

/// One action of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who.
    pub side: Side,
    /// What.
    pub mv: Move,
    /// The answer time.
    pub took: Duration,
}

/// A line of a program's standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugLine {
    /// How many actions had been played when it was read.
    pub after: usize,
    /// Who wrote it.
    pub side: Side,
    /// The line.
    pub text: String,
}

/// A judged game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// How it started.
    pub start: Start,
    /// The time each side took to answer its greeting.
    pub ready: [Option<Duration>; 2],
    /// What was played after the opening.
    pub played: Vec<Played>,
    /// What the programs wrote to standard error.
    pub debug: Vec<DebugLine>,
    /// The decision.
    pub verdict: Verdict,
    /// What each side used.
    pub usage: [Usage; 2],
    /// Stones or discs of each side on the last board.
    pub stones: [u32; 2],
}

/// The system failed, not a program.
#[derive(Debug, Error)]
#[error("cannot start the {side} program: {source}")]
pub struct SystemError {
    /// Which program was to be started.
    pub side: Side,
    /// What the system says.
    pub source: io::Error,
}

/// What ends a game before its end on the board.
enum Stop {
    Fault(Side, Fault),
    System(SystemError),
}

impl From<(Side, Fault)> for Stop {
    fn from((side, fault): (Side, Fault)) -> Stop {
        Stop::Fault(side, fault)
    }
}

impl<R: Protocol> Match<R> {
    /// Plays one game.
    ///
    /// # Errors
    /// When the system cannot start a process; a fault of a program is a [`Verdict`].
    pub fn play(&self, start: &Start) -> Result<Game, SystemError> {
        let mut table = Table {
            referee: self,
            start,
            position: position_after(&start.opening),
            seats: [None, None],
            ready: [None; 2],
            played: Vec::new(),
            debug: Vec::new(),
        };
        let stop = table.run().err();
        let fault = match stop {
            None => None,
            Some(Stop::Fault(side, fault)) => Some((side, fault)),
            Some(Stop::System(error)) => return Err(error),
        };
        Ok(table.close(fault))
    }
}

/// A side in its seat.
enum Seat<P> {
    Program(Box<Bot>),
    Player { player: Box<dyn Player<P>>, wall: Duration },
}

/// A game in progress.
struct Table<'a, R: Protocol> {
    referee: &'a Match<R>,
    start: &'a Start,
    position: R::Position,
    seats: [Option<Seat<R::Position>>; 2],
    ready: [Option<Duration>; 2],
    played: Vec<Played>,
    debug: Vec<DebugLine>,
}

impl<R: Protocol> Table<'_, R> {
    fn run(&mut self) -> Result<(), Stop> {
        for color in [Color::Black, Color::White] {
            self.greet(color)?;
        }
        while self.position.outcome().is_none() {
            self.ply()?;
        }
        let last = self.played.last().map_or(self.start.black, |played| played.side);
        for side in [last, last.other()] {
            if let Some(Seat::Program(bot)) = &mut self.seats[side.index()] {
                bot.check_silence().map_err(|fault| (side, fault))?;
            }
        }
        self.dismiss();
        Ok(())
    }

    fn greet(&mut self, color: Color) -> Result<(), Stop> {
        let side = self.start.side(color);
        let referee = self.referee;
        let seat = match &referee.entrants[side.index()] {
            Entrant::Program(command) => {
                let bot =
                    Bot::start(command, referee.limits).map_err(|source| Stop::System(SystemError { side, source }))?;
                Seat::Program(Box::new(bot))
            }
            Entrant::Random => Seat::Player {
                // Both sides may be random: they must not play alike.
                player: Box::new(Random::new(referee.seed, 2 * self.start.number + side.index() as u64)),
                wall: Duration::ZERO,
            },
            Entrant::Greedy => Seat::Player { player: Box::new(Greedy), wall: Duration::ZERO },
        };
        self.seats[side.index()] = Some(seat);
        let Some((line, took)) = self.ask(side, &referee.protocol.ready(color), referee.protocol.ready_allowance())?
        else {
            return Ok(());
        };
        self.ready[side.index()] = Some(took);
        referee.protocol.check_ready(&line).map_err(|fault| self.or_flood(side, fault))?;
        let plies = self.start.opening.len();
        if let Some(lines) = referee.protocol.init(&self.position, plies).filter(|_| plies > 0) {
            self.tell(side, &lines).map_err(|fault| (side, fault))?;
        }
        Ok(())
    }

    fn ply(&mut self) -> Result<(), Stop> {
        let side = self.start.side(self.position.side_to_move());
        let referee = self.referee;
        let position = self.position.clone();
        let turn = Turn {
            number: self.start.opening.len() + self.played.len() + 1,
            position: &position,
            remaining: self.remaining(side),
            opponent_remaining: self.remaining(side.other()),
        };
        let answer = self.ask(side, &referee.protocol.turn(&turn), None)?;
        let (mv, took) = match answer {
            Some((line, took)) => {
                let mv = referee.protocol.read_move(&line).map_err(|fault| self.or_flood(side, fault))?;
                (mv, took)
            }
            None => self.choose(side),
        };
        self.position = referee.protocol.play(&turn, mv).map_err(|fault| self.or_flood(side, fault))?;
        self.played.push(Played { side, mv, took });
        if let Some(notice) = referee.protocol.notice(mv, took) {
            let told = self.tell(side.other(), &notice);
            // Nobody loses for not listening to the move that ended the game.
            if self.position.outcome().is_none() {
                told.map_err(|fault| (side.other(), fault))?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, side: Side, lines: &str) -> Result<(), Fault> {
        match &mut self.seats[side.index()] {
            Some(Seat::Program(bot)) => bot.tell(lines),
            _ => Ok(()),
        }
    }

    /// Asks a program; `None` for a player of our own.
    fn ask(
        &mut self,
        side: Side,
        request: &str,
        allowance: Option<Duration>,
    ) -> Result<Option<(String, Duration)>, Stop> {
        let [first, second] = &mut self.seats;
        let (asked, other) = if side == Side::First { (first, second) } else { (second, first) };
        let Some(Seat::Program(bot)) = asked else { return Ok(None) };
        let waiting = match other {
            Some(Seat::Program(bot)) => Some(&mut **bot),
            _ => None,
        };
        let answer = bot.ask(request, allowance, waiting);
        let lines = bot.take_debug();
        self.note(side, lines);
        match answer {
            Ok(answer) => Ok(Some((answer.line, answer.took))),
            Err(Failure::Asked(fault)) => Err(Stop::Fault(side, fault)),
            Err(Failure::Waiting(fault)) => Err(Stop::Fault(side.other(), fault)),
        }
    }

    fn choose(&mut self, side: Side) -> (Move, Duration) {
        let begin = Instant::now();
        let Some(Seat::Player { player, wall }) = &mut self.seats[side.index()] else {
            unreachable!("a side that is not asked is a player of our own")
        };
        let mv = player.choose(&self.position);
        let took = begin.elapsed();
        *wall += took;
        (mv, took)
    }

    /// A wrong answer may be the beginning of a flood.
    fn or_flood(&mut self, side: Side, fault: Fault) -> Stop {
        match &mut self.seats[side.index()] {
            Some(Seat::Program(bot)) => Stop::Fault(side, bot.or_flood(fault)),
            _ => Stop::Fault(side, fault),
        }
    }

    fn remaining(&self, side: Side) -> Duration {
        match &self.seats[side.index()] {
            Some(Seat::Program(bot)) => bot.remaining(),
            Some(Seat::Player { wall, .. }) => self.referee.limits.total.saturating_sub(*wall),
            None => self.referee.limits.total,
        }
    }

    fn note(&mut self, side: Side, lines: Vec<String>) {
        let after = self.played.len();
        self.debug.extend(lines.into_iter().map(|text| DebugLine { after, side, text }));
    }

    fn dismiss(&mut self) {
        let Some(line) = self.referee.protocol.farewell() else { return };
        for seat in self.seats.iter_mut().flatten() {
            if let Seat::Program(bot) = seat {
                // The game is decided: a program that is gone already has nothing left to lose.
                if bot.tell(&line).is_ok() {
                    bot.dismiss(FAREWELL_PATIENCE);
                }
            }
        }
    }

    /// Ends the programs and decides the game.
    fn close(mut self, mut fault: Option<(Side, Fault)>) -> Game {
        let mut usage = [Usage::default(); 2];
        for side in [self.start.black, self.start.black.other()] {
            match self.seats[side.index()].take() {
                Some(Seat::Program(mut bot)) => {
                    let (used, late_fault) = bot.end();
                    usage[side.index()] = used;
                    let lines = bot.take_debug();
                    self.note(side, lines);
                    fault = fault.or(late_fault.map(|fault| (side, fault)));
                }
                Some(Seat::Player { wall, .. }) => usage[side.index()].wall = wall,
                None => {}
            }
        }
        let stones = self.stones();
        let verdict = match fault {
            Some((side, fault)) => Verdict::fault(side, fault),
            None => self.decide(stones),
        };
        Game {
            start: self.start.clone(),
            ready: self.ready,
            played: self.played,
            debug: self.debug,
            verdict,
            usage,
            stones,
        }
    }

    fn decide(&self, stones: [u32; 2]) -> Verdict {
        let winner = self.position.outcome().and_then(|outcome| outcome.winner());
        Verdict {
            result: winner.map_or(Winner::Draw, |color| self.start.side(color).into()),
            reason: Reason::Ok,
            detail: format!("first {}, second {}", stones[0], stones[1]),
            faulty: None,
        }
    }

    fn stones(&self) -> [u32; 2] {
        let board = self.position.board_text();
        Side::BOTH.map(|side| {
            let letter = self.start.color(side).letter();
            board.chars().filter(|&cell| cell == letter).count() as u32
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Reversi;
    use crate::play::{opening_text, parse_opening};

    type Board = crate::game::othello::Othello<8>;

    fn greedy_game(opening: &str, black: Side) -> Game {
        let entrants = [Entrant::Greedy, Entrant::Greedy];
        let referee = Match { protocol: Reversi::default(), entrants, limits: Limits::default(), seed: 1 };
        let opening = parse_opening::<Board>(opening).unwrap();
        referee.play(&Start { number: 1, black, opening }).unwrap()
    }

    #[test]
    fn a_game_without_programs_follows_the_rules_to_its_end() {
        let game = greedy_game("f5d6", Side::First);
        let moves: Vec<Move> = game.start.opening.iter().copied().chain(game.played.iter().map(|p| p.mv)).collect();
        let last: Board = position_after(&moves);
        let outcome = last.outcome().expect("the game is over");
        let (black, white) = last.black_white();
        assert_eq!(game.stones, [black.count_ones(), white.count_ones()]);
        let winner = outcome.winner().map_or(Winner::Draw, |color| game.start.side(color).into());
        assert_eq!(game.verdict.result, winner);
        assert_eq!((game.verdict.reason, game.verdict.faulty), (Reason::Ok, None));
        assert_eq!(opening_text::<Board>(&game.start.opening), "f5d6");
    }

    #[test]
    fn sides_keep_their_names_when_colours_change() {
        let (one, other) = (greedy_game("", Side::First), greedy_game("", Side::Second));
        assert_eq!(one.stones, [other.stones[1], other.stones[0]]);
        assert_eq!(other.played[0].side, Side::Second);
        assert_eq!(one.played.len(), other.played.len());
    }
}
