//! One game between two contestants, recorded.
//!
//! A contestant answers a position with a move, or says what the position is exactly worth, which ends the game
//! (two engines that solve from the same number of empty squares need not play what both know). A fault loses.

use std::time::{Duration, Instant};

use super::Player;
use crate::dataset::{End, GameRecord, Ply};
use crate::game::{Color, Move, Outcome, Position};
use crate::search::{Limits, Searcher};

/// What a contestant answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The score behind it, in search units for the side to move.
    pub score: Option<i16>,
    /// The exact outcome for the side to move, if the contestant proved it.
    pub solved: Option<i16>,
}

/// Why a contestant lost without being beaten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind in one word, as the referee names it (`ILLEGAL`, `CRASH`, `TLE` …).
    pub reason: String,
    /// What happened.
    pub detail: String,
}

/// Whoever can play a game.
pub trait Contestant<P: Position>: Send {
    /// A new game begins; `game` is its number in the match.
    fn begin(&mut self, game: u64) -> Result<(), Fault>;

    /// What the game begins with: `moves` from `start`. Comes after [`Contestant::begin`]; whoever judges positions by
    /// themselves need not care.
    fn opening(&mut self, _start: &P, _moves: &[Move]) {}

    /// The opponent has played `mv`, after thinking so long.
    fn opponent_played(&mut self, _mv: Move, _took: Duration) {}

    /// The answer to a position that is not over.
    fn choose(&mut self, position: &P) -> Result<Choice, Fault>;
}

/// An engine of ours at fixed limits.
pub struct Engine<S> {
    searcher: S,
    limits: Limits<'static>,
    units_per_outcome: i32,
    adjudicates: bool,
}

impl<S: Searcher> Engine<S> {
    /// `units_per_outcome` is the searcher's units per unit of the outcome. `adjudicates`: a solved position ends the
    /// game, which is right only where the opponent would play the rest as well as this engine.
    pub fn new(searcher: S, limits: Limits<'static>, units_per_outcome: i32, adjudicates: bool) -> Self {
        Engine { searcher, limits, units_per_outcome, adjudicates }
    }
}

impl<S: Searcher> Contestant<S::Position> for Engine<S> {
    fn begin(&mut self, _game: u64) -> Result<(), Fault> {
        self.searcher.forget();
        Ok(())
    }

    fn choose(&mut self, position: &S::Position) -> Result<Choice, Fault> {
        let result = self.searcher.search(position, &self.limits);
        let solved = (self.adjudicates && result.exact).then_some((result.score / self.units_per_outcome) as i16);
        Ok(Choice { mv: result.best, score: Some(result.score as i16), solved })
    }
}

/// A player that needs no search: [`super::Random`] anew for each game, or [`super::Greedy`].
pub enum Simple {
    /// Every legal move with the same probability, under this seed.
    Random(u64, super::Random),
    /// The largest gain.
    Greedy,
}

impl Simple {
    /// The random player of `seed`.
    pub fn random(seed: u64) -> Simple {
        Simple::Random(seed, super::Random::new(seed, 0))
    }
}

impl<P: Position> Contestant<P> for Simple {
    fn begin(&mut self, game: u64) -> Result<(), Fault> {
        if let Simple::Random(seed, player) = self {
            *player = super::Random::new(*seed, game);
        }
        Ok(())
    }

    fn choose(&mut self, position: &P) -> Result<Choice, Fault> {
        let mv = match self {
            Simple::Random(_, player) => player.choose(position),
            Simple::Greedy => super::Greedy.choose(position),
        };
        Ok(Choice { mv, score: None, solved: None })
    }
}

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    /// The moves from the start (or from the opening's position) and the outcome.
    pub record: GameRecord,
    /// Who lost by a fault, and which.
    pub fault: Option<(Color, Fault)>,
}

/// Plays one game from `start`. `opening` holds moves from there that both sides are given.
pub fn play<P: Position>(
    index: u64,
    start: &P,
    opening: &[Move],
    black: &mut dyn Contestant<P>,
    white: &mut dyn Contestant<P>,
    lost_by_fault: i16,
) -> Duel {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for &mv in opening {
        position.play(mv).expect("an opening's moves are legal");
        plies.push(Ply { mv, score: None, random: true, exact: false });
    }
    let forfeit = |plies, loser: Color, fault| {
        let outcome = Outcome(if loser == Color::Black { -lost_by_fault } else { lost_by_fault });
        Duel { record: GameRecord { index, plies, outcome, end: End::Adjudicated }, fault: Some((loser, fault)) }
    };
    for (color, begun) in [(Color::Black, black.begin(index)), (Color::White, white.begin(index))] {
        if let Err(fault) = begun {
            return forfeit(plies, color, fault);
        }
    }
    black.opening(start, opening);
    white.opening(start, opening);
    loop {
        if let Some(outcome) = position.outcome() {
            return Duel { record: GameRecord { index, plies, outcome, end: End::Finished }, fault: None };
        }
        let color = position.side_to_move();
        let asked = Instant::now();
        let answer = if color == Color::Black { black.choose(&position) } else { white.choose(&position) };
        let choice = match answer {
            Ok(choice) => choice,
            Err(fault) => return forfeit(plies, color, fault),
        };
        if let Some(value) = choice.solved {
            let outcome = Outcome(if color == Color::Black { value } else { -value });
            return Duel { record: GameRecord { index, plies, outcome, end: End::Solved }, fault: None };
        }
        if let Err(error) = position.play(choice.mv) {
            return forfeit(plies, color, Fault { reason: "ILLEGAL".to_string(), detail: error.to_string() });
        }
        let took = asked.elapsed();
        match color {
            Color::Black => white.opponent_played(choice.mv, took),
            Color::White => black.opponent_played(choice.mv, took),
        }
        plies.push(Ply { mv: choice.mv, score: choice.score, random: false, exact: false });
    }
}
