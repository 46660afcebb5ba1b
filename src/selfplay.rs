//! Self-play: games of an engine against itself, each a function of (options, weights, seed, index).
//!
//! A game begins with random moves, so that training meets the lopsided positions search trees are full of; then
//! both sides search, with now and then another random move. It ends where the rules end it, or earlier at the first
//! position the search solves exactly: from there the outcome is known. Threads change nothing but the time it takes.

use serde::{Deserialize, Serialize};

use crate::dataset::{End, GameRecord, Ply};
use crate::game::{Color, Move, Outcome, Position};
use crate::rng::{Domain, RngExt, Stream, stream};
use crate::search::{Limits, Searcher};

/// How self-play games are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The seed of every random stream.
    pub seed: u64,
    /// Depth of the search that chooses moves.
    pub depth: u8,
    /// Nodes after which a search stops (in addition to `depth`).
    #[serde(default = "no_limit", skip_serializing_if = "is_no_limit")]
    pub nodes: u64,
    /// Positions with at most this many empty squares are solved, and end the game.
    pub solve_empties: u8,
    /// Lengths of the random beginning.
    pub prefix: Vec<PrefixShare>,
    /// The share of random moves after the beginning, in thousandths.
    pub random_per_mille: u32,
}

fn no_limit() -> u64 {
    u64::MAX
}

fn is_no_limit(nodes: &u64) -> bool {
    *nodes == u64::MAX
}

/// One part of the mixture of random beginnings: lengths drawn evenly from `from..=to` plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefixShare {
    /// Weight of this part.
    pub weight: u32,
    /// Shortest length in plies.
    pub from: u32,
    /// Longest length in plies.
    pub to: u32,
}

impl Options {
    fn limits(&self) -> Limits<'static> {
        Limits { depth: self.depth, nodes: self.nodes, solve_empties: self.solve_empties, time: None }
    }
}

/// Plays game number `index`. `units_per_outcome` is the engine's search units per unit of the outcome.
pub fn play_game<S: Searcher>(searcher: &mut S, options: &Options, index: u64, units_per_outcome: i32) -> GameRecord {
    let mut rng = stream(options.seed, Domain::SelfPlay, index);
    searcher.forget();
    let limits = options.limits();
    let (mut position, mut plies) = random_beginning::<S::Position>(&mut rng, &options.prefix);
    loop {
        if let Some(outcome) = position.outcome() {
            return GameRecord { index, plies, outcome, end: End::Finished };
        }
        let moves = position.legal_moves();
        let (mv, random, score) = if moves == [Move::PASS] {
            (Move::PASS, false, None)
        } else {
            let result = searcher.search(&position, &limits);
            if result.exact {
                let value = (result.score / units_per_outcome) as i16;
                let outcome = Outcome(if position.side_to_move() == Color::Black { value } else { -value });
                return GameRecord { index, plies, outcome, end: End::Solved };
            }
            let random = rng.random_range(0..1000) < options.random_per_mille;
            let mv = if random { moves[rng.random_range(0..moves.len())] } else { result.best };
            (mv, random, Some(result.score as i16))
        };
        plies.push(Ply { mv, score, random, exact: false });
        position.play(mv).expect("the engine's move is legal");
    }
}

/// Random moves from the start; a beginning that ends the game is drawn again.
fn random_beginning<P: Position>(rng: &mut Stream, prefix: &[PrefixShare]) -> (P, Vec<Ply>) {
    loop {
        let length = draw_length(rng, prefix);
        let mut position = P::start();
        let mut plies = Vec::new();
        for _ in 0..length {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            plies.push(Ply { mv, score: None, random: true, exact: false });
            position.play(mv).expect("a generated move is legal");
        }
        if position.outcome().is_none() {
            return (position, plies);
        }
    }
}

fn draw_length(rng: &mut Stream, prefix: &[PrefixShare]) -> u32 {
    let total: u32 = prefix.iter().map(|share| share.weight).sum();
    if total == 0 {
        return 0;
    }
    let mut draw = rng.random_range(0..total);
    for share in prefix {
        if draw < share.weight {
            return rng.random_range(share.from..=share.to.max(share.from));
        }
        draw -= share.weight;
    }
    unreachable!("the draw is below the total weight")
}
