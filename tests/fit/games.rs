//! Games of random moves, the same for every call with the same index: what the tests of the fit are fed.

use stonesmith::dataset::{End, GameRecord, Ply};
use stonesmith::game::Position;
use stonesmith::game::othello::Othello;
use stonesmith::rng::{Domain, RngExt, stream};

/// A game of random moves to its end, all of them free of the mark that they were drawn.
pub fn random_game<const N: usize>(index: u64) -> GameRecord {
    let mut rng = stream(11, Domain::Test, index);
    let mut position = Othello::<N>::start();
    let mut plies = Vec::new();
    while position.outcome().is_none() {
        let moves = position.legal_moves();
        let mv = moves[rng.random_range(0..moves.len())];
        plies.push(Ply { mv, score: None, random: false, exact: false });
        position.play(mv).unwrap();
    }
    GameRecord { index, plies, outcome: position.outcome().unwrap(), end: End::Finished }
}
