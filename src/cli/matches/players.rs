//! The sides of a match: what a word on the command line means, and the contestants made from it.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::Conditions;
use super::clocks::Clocks;
use crate::arena::openings::{Opening, placing_moves, random_openings_up_to};
use crate::cli::champions::built_in;
use crate::cli::thinker::{Thinker, Timed};
use crate::cli::{Global, weights};
use crate::eval::evaluator::Evaluator;
use crate::eval::othello::DISC;
use crate::eval::renju;
use crate::eval::weights::Weights;
use crate::game::Position;
use crate::game::othello::Othello;
use crate::game::renju::Renju;
use crate::judge::contestant::Program;
use crate::judge::conversation::{Speaker, Terms};
use crate::judge::gomocup::Gomocup;
use crate::judge::gtp::Gtp;
use crate::judge::nboard::Nboard;
use crate::judge::{Command, Limits as JudgeLimits, RenjuJudge, Reversi};
use crate::kit;
use crate::play::duel::{Contestant, Engine as Playing, Simple};
use crate::search::othello::Engine;
use crate::search::renju::Engine as RenjuEngine;
use crate::search::{Limits, Searcher};

/// Plies of a generated opening on 8×8; smaller boards get a share in proportion.
const OPENING_PLIES: usize = 10;
/// A generated opening is kept if a shallow search sees it within this many discs.
const BALANCE: i32 = 8;
/// The longest wait for an answer in games without clocks.
const ANSWER: Duration = Duration::from_secs(60);

/// A side of a match.
#[derive(Clone)]
pub enum Player {
    /// An engine of ours with these weights.
    Weights(Box<Weights>),
    /// Random moves.
    Random,
    /// The greedy move.
    Greedy,
    /// A program, and what it speaks.
    Program(Speech, Command),
}

/// The protocols of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// The judge's READY and TURN.
    Judge,
    /// Go Text Protocol.
    Gtp,
    /// NBoard.
    Nboard,
    /// Gomocup.
    Gomocup,
}

impl Speech {
    /// Every protocol with the word before the command.
    const PREFIXES: [(&'static str, Speech); 4] =
        [("bot:", Speech::Judge), ("gtp:", Speech::Gtp), ("nboard:", Speech::Nboard), ("gomocup:", Speech::Gomocup)];
}

/// The player a word means.
pub fn player(global: &Global, word: &str) -> Result<Player> {
    for (prefix, speech) in Speech::PREFIXES {
        if let Some(command) = word.strip_prefix(prefix) {
            return Ok(Player::Program(speech, Command::parse(command).context(prefix)?));
        }
    }
    Ok(match word {
        "random" => Player::Random,
        "greedy" => Player::Greedy,
        _ => Player::Weights(Box::new(weights::resolve(global, word)?)),
    })
}

impl Player {
    /// What makes this player the one it is: recorded with a match, so that another one is not taken for it later.
    pub fn identity(&self) -> String {
        match self {
            Player::Weights(weights) => weights.id(),
            Player::Random => "random".to_string(),
            Player::Greedy => "greedy".to_string(),
            Player::Program(speech, command) => {
                let prefix = Speech::PREFIXES.iter().find(|(_, known)| known == speech).map_or("", |(word, _)| word);
                format!("{prefix}{}", command.text())
            }
        }
    }

    /// Whether a process of its own plays.
    pub fn is_program(&self) -> bool {
        matches!(self, Player::Program(..))
    }
}

/// Both sides of a match in one game, ready to make contestants.
pub trait Table<P: Position>: Sync {
    /// A contestant for A (0) or B (1).
    fn contestant(&self, side: usize) -> Box<dyn Contestant<P>>;

    /// Up to `wanted` balanced openings; a longer list begins with a shorter one.
    fn generated(&self, wanted: usize) -> Result<Vec<Opening<P>>>;

    /// Points lost by a fault, in the unit of the outcome.
    fn lost_by_fault(&self) -> i16;

    /// How games are played, in words.
    fn conditions(&self) -> String;
}

/// The limits of programs.
fn terms(clocks: &Clocks) -> Terms {
    Terms { game: clocks.game(), answer: ANSWER, turn: Duration::from_millis(clocks.move_ms) }
}

fn judge_limits(clocks: &Clocks) -> JudgeLimits {
    match clocks.game() {
        Some(game) => JudgeLimits { total: game, cpu: game, ..JudgeLimits::default() },
        None => JudgeLimits::default(),
    }
}

/// Depth 4 where nothing is said, no limit of depth where nodes or time are.
fn fixed_limits(conditions: &Conditions, clocks: &Clocks) -> Limits<'static> {
    let unlimited = conditions.nodes.is_some() || clocks.game_ms.is_some();
    let depth = conditions.depth.unwrap_or(if unlimited { 60 } else { 4 });
    Limits { nodes: conditions.nodes.unwrap_or(u64::MAX), ..Limits::depth(depth) }
}

fn in_words(conditions: &Conditions, clocks: &Clocks, depth: u8) -> String {
    match (clocks.game_ms, conditions.nodes) {
        (Some(ms), _) => format!("{ms} ms of answer time and of CPU time a game"),
        (None, Some(nodes)) => format!("{nodes} nodes"),
        (None, None) => format!("depth {depth}"),
    }
}

/// Othello on N×N.
pub struct OthelloTable<'a, const N: usize> {
    players: [&'a Player; 2],
    evaluators: [Option<Evaluator<N>>; 2],
    conditions: &'a Conditions,
    clocks: &'a Clocks,
    limits: Limits<'static>,
}

impl<'a, const N: usize> OthelloTable<'a, N> {
    /// # Errors
    /// When weights do not fit, or a program's protocol is for another game.
    pub fn new(players: [&'a Player; 2], conditions: &'a Conditions, clocks: &'a Clocks) -> Result<Self> {
        for player in players {
            match player {
                Player::Program(Speech::Judge, _) => ensure!(N == 8, "bot: programs play 8×8 reversi"),
                Player::Program(Speech::Gomocup, _) => bail!("gomocup: programs play Renju (-g renju)"),
                _ => {}
            }
        }
        let evaluator = |player: &Player| match player {
            Player::Weights(weights) => Evaluator::<N>::new(weights).map(Some),
            _ => Ok(None),
        };
        let evaluators = [evaluator(players[0])?, evaluator(players[1])?];
        let solve_empties = kit::solve_empties(<Othello<N> as Position>::GAME);
        let limits = Limits { solve_empties, ..fixed_limits(conditions, clocks) };
        Ok(OthelloTable { players, evaluators, conditions, clocks, limits })
    }

    fn program(&self, speech: Speech, command: Command) -> Box<dyn Contestant<Othello<N>>> {
        match speech {
            Speech::Gtp => Box::new(Speaker::new(Gtp, command, terms(self.clocks))),
            Speech::Nboard => {
                // A timed game is not limited by depth too, unless it is asked for; programs have no such default.
                let depth = self.conditions.depth.unwrap_or(self.limits.depth);
                Box::new(Speaker::new(Nboard::new(Some(depth)), command, terms(self.clocks)))
            }
            Speech::Judge | Speech::Gomocup => {
                // Only the 8×8 board has a judge; the type says N, and N is 8 wherever such a program plays.
                let program = Program::new(Reversi::default(), command, judge_limits(self.clocks));
                let boxed: Box<dyn std::any::Any> = Box::new(Box::new(program) as Box<dyn Contestant<Othello<8>>>);
                *boxed.downcast::<Box<dyn Contestant<Othello<N>>>>().expect("N is 8")
            }
        }
    }
}

impl<const N: usize> Table<Othello<N>> for OthelloTable<'_, N> {
    fn contestant(&self, side: usize) -> Box<dyn Contestant<Othello<N>>> {
        match (self.players[side], &self.evaluators[side]) {
            (_, Some(evaluator)) => {
                let engine = Engine::with_megabytes(evaluator.clone(), self.conditions.hash_mb);
                match self.clocks.game() {
                    Some(game) => Box::new(Timed::new(Thinker::new(engine, self.limits, DISC), game)),
                    None => {
                        let both_solve = self.evaluators.iter().all(Option::is_some);
                        Box::new(Playing::new(engine, self.limits, DISC, both_solve))
                    }
                }
            }
            (Player::Program(speech, command), None) => self.program(*speech, command.clone()),
            (Player::Random, None) => Box::new(Simple::random(self.conditions.seed + side as u64)),
            (_, None) => Box::new(Simple::Greedy),
        }
    }

    fn generated(&self, wanted: usize) -> Result<Vec<Opening<Othello<N>>>> {
        let plies = (OPENING_PLIES * (N * N - 4)).div_ceil(60);
        // Programs are no judges of openings that we could ask: the champion inside this one is.
        let judge = match self.evaluators.iter().flatten().next() {
            Some(evaluator) => Some(evaluator.clone()),
            None => match built_in(<Othello<N> as Position>::GAME) {
                Some(champion) => Some(Evaluator::new(&champion.weights()?)?),
                None => None,
            },
        };
        let mut engine = judge.map(|evaluator| Engine::new(evaluator, 14));
        let balanced = |position: &Othello<N>| match &mut engine {
            None => true,
            Some(engine) => {
                engine.forget();
                engine.search(position, &Limits::depth(3)).score.abs() <= BALANCE * DISC
            }
        };
        Ok(random_openings_up_to(self.conditions.seed, plies, wanted, placing_moves, balanced)?)
    }

    fn lost_by_fault(&self) -> i16 {
        (N * N) as i16
    }

    fn conditions(&self) -> String {
        let words = in_words(self.conditions, self.clocks, self.limits.depth);
        match self.clocks.game_ms {
            Some(_) => words,
            None => format!("{words}, solving from {} empties", self.limits.solve_empties),
        }
    }
}

/// Renju.
pub struct RenjuTable<'a> {
    players: [&'a Player; 2],
    evaluators: [Option<renju::Evaluator>; 2],
    conditions: &'a Conditions,
    clocks: &'a Clocks,
    limits: Limits<'static>,
}

impl<'a> RenjuTable<'a> {
    /// # Errors
    /// When weights do not fit, or a program's protocol is for another game.
    pub fn new(players: [&'a Player; 2], conditions: &'a Conditions, clocks: &'a Clocks) -> Result<Self> {
        let speaks_nboard = |player: &&Player| matches!(player, Player::Program(Speech::Nboard, _));
        ensure!(!players.iter().any(speaks_nboard), "nboard: programs play Othello");
        let evaluator = |player: &Player| match player {
            Player::Weights(weights) => renju::Evaluator::new(weights).map(Some),
            _ => Ok(None),
        };
        let evaluators = [evaluator(players[0])?, evaluator(players[1])?];
        let limits = Limits { solve_empties: 0, ..fixed_limits(conditions, clocks) };
        Ok(RenjuTable { players, evaluators, conditions, clocks, limits })
    }
}

impl Table<Renju> for RenjuTable<'_> {
    fn contestant(&self, side: usize) -> Box<dyn Contestant<Renju>> {
        match (self.players[side], &self.evaluators[side]) {
            (_, Some(evaluator)) => {
                let engine = RenjuEngine::with_megabytes(evaluator.clone(), self.conditions.hash_mb);
                match self.clocks.game() {
                    Some(game) => Box::new(Timed::new(Thinker::new(engine, self.limits, renju::SURE), game)),
                    None => {
                        let both_ours = self.evaluators.iter().all(Option::is_some);
                        Box::new(Playing::new(engine, self.limits, renju::SURE, both_ours))
                    }
                }
            }
            (Player::Program(Speech::Judge, command), None) => {
                Box::new(Program::new(RenjuJudge::default(), command.clone(), judge_limits(self.clocks)))
            }
            (Player::Program(Speech::Gtp, command), None) => {
                Box::new(Speaker::new(Gtp, command.clone(), terms(self.clocks)))
            }
            (Player::Program(_, command), None) => Box::new(Speaker::new(Gomocup, command.clone(), terms(self.clocks))),
            (Player::Random, None) => Box::new(Simple::random(self.conditions.seed + side as u64)),
            (_, None) => Box::new(Simple::Greedy),
        }
    }

    fn generated(&self, wanted: usize) -> Result<Vec<Opening<Renju>>> {
        Ok(kit::renju_openings(self.conditions.seed, wanted)?)
    }

    fn lost_by_fault(&self) -> i16 {
        1
    }

    fn conditions(&self) -> String {
        in_words(self.conditions, self.clocks, self.limits.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_the_even_openings_that_weights_get() {
        let conditions = Conditions {
            pairs: None,
            openings: None,
            nodes: None,
            depth: None,
            concurrency: None,
            hash_mb: 4,
            seed: 3,
        };
        let champion = built_in(<Othello<8> as Position>::GAME).expect("a champion of 8×8 Othello").weights().unwrap();
        let champion = Player::Weights(Box::new(champion));
        let generated = |a: &Player, b: &Player| {
            let table = OthelloTable::<8>::new([a, b], &conditions, &Clocks::NONE).unwrap();
            table.generated(30).unwrap().iter().map(Opening::text).collect::<Vec<_>>()
        };
        assert_eq!(generated(&Player::Random, &Player::Greedy), generated(&champion, &champion));
    }
}
