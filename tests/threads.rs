//! Many threads on one search: the same exact scores as one thread, legal answers when stopped, nothing left over.

use std::fs;
use std::path::Path;

use stonesmith::eval::evaluator::Evaluator;
use stonesmith::eval::weights::Weights;
use stonesmith::game::othello::Othello;
use stonesmith::game::{Color, Position};
use stonesmith::rng::{Domain, RngExt, stream};
use stonesmith::search::othello::Engine;
use stonesmith::search::{Limits, Searcher};

fn engine(threads: usize) -> Engine<8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/othello");
    let champion = fs::read_to_string(folder.join("champion")).unwrap();
    let weights = Weights::from_bytes(&fs::read(folder.join(champion.trim())).unwrap()).unwrap();
    Engine::new(Evaluator::new(&weights).unwrap(), 18).with_threads(threads).unwrap()
}

fn random_position(seed: u64, empties: u32) -> Option<Othello<8>> {
    let mut rng = stream(seed, Domain::Test, 30);
    let mut position = Othello::<8>::start();
    while position.empties().count_ones() > empties {
        let moves = position.legal_moves();
        position.play(*moves.get(rng.random_range(0..moves.len().max(1)))?).unwrap();
    }
    (!position.is_over()).then_some(position)
}

#[test]
fn many_threads_find_the_known_score() {
    // Number 41 of the published FFO endgames: a draw, by h4 alone.
    let board = "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-";
    let position = Othello::<8>::from_board_text(board, Color::Black).unwrap();
    let result = engine(4).solve(&position);
    assert_eq!((result.score, result.exact), (0, true));
    assert_eq!(Othello::<8>::move_text(result.best), "h4");
}

#[test]
fn a_team_agrees_with_one_thread_and_is_ready_for_the_next_position() {
    let (mut one, mut four) = (engine(1), engine(4));
    let mut solved = 0;
    for position in (0..12).filter_map(|seed| random_position(seed, 18)) {
        one.forget();
        four.forget();
        assert_eq!(four.solve(&position).score, one.solve(&position).score, "{position:?}");
        solved += 1;
    }
    assert!(solved >= 10);
}

#[test]
fn a_stopped_team_answers_with_a_legal_move() {
    let mut four = engine(4);
    for (seed, nodes) in [(1, 1_000), (2, 20_000), (3, 200_000)] {
        let position = random_position(seed, 40).unwrap();
        let result = four.search(&position, &Limits::nodes(nodes));
        assert!(position.legal_moves().contains(&result.best));
        // Every thread looks at the limit once in a few thousand nodes, and counts its own.
        assert!(result.nodes <= 4 * nodes + 100_000, "{} nodes of {nodes}", result.nodes);
    }
}
