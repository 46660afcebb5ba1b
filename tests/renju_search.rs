//! The Renju engine against the rules: wins by continuous fours are found and hold against every reply.

use std::path::Path;

use stonesmith::dataset::obf;
use stonesmith::eval::renju::Evaluator;
use stonesmith::game::renju::{Board, Point, Renju};
use stonesmith::game::{Color, Move, Position};
use stonesmith::kit;
use stonesmith::search::renju::Engine;
use stonesmith::search::{Limits, Searcher};

const WON: &str = include_str!("data/renju-fours.obf");

fn engine() -> Engine {
    Engine::new(Evaluator::new(&kit::renju_bench_weights(1)).unwrap(), 16)
}

/// The points where a stone of `color` wins at once, by the rules.
fn winning_points(board: &Board, color: Color) -> Vec<Point> {
    board.empty_points().filter(|&point| board.wins_at(point, color)).collect()
}

/// Plays the engine's moves for the side to move and looks at every reply: all but one at most must leave a five.
/// Returns the plies to the five.
fn prove(engine: &mut Engine, mut position: Renju) -> usize {
    let attacker = position.side_to_move();
    for plies in 0.. {
        let result = engine.search(&position, &Limits::depth(1));
        assert!(result.exact && result.score > 0, "after {plies} plies no win is seen: {position:?}");
        position.play(result.best).unwrap();
        if position.outcome().is_some() {
            assert_eq!(position.outcome().and_then(|outcome| outcome.winner()), Some(attacker));
            return 2 * plies + 1;
        }
        assert!(winning_points(position.board(), attacker.opponent()).is_empty(), "the defender has a five");
        let mut stops = Vec::new();
        for reply in position.legal_moves() {
            let mut after = position.clone();
            after.play(reply).unwrap();
            if winning_points(after.board(), attacker).is_empty() {
                stops.push(reply);
            }
        }
        match stops[..] {
            // Nothing stops the five: the defender loses whatever it does.
            [] => return 2 * plies + 3,
            [stop] => position.play(stop).unwrap(),
            _ => panic!("{stops:?} all stop the attack: it is no line of fours: {position:?}"),
        }
    }
    unreachable!("a game ends")
}

#[test]
fn wins_by_fours_from_self_play_are_all_found_and_hold() {
    let positions = obf::parse::<Renju>(WON, Path::new("renju-fours.obf")).unwrap();
    assert!(positions.len() >= 100);
    let mut engine = engine();
    let mut lengths = Vec::new();
    for scored in positions {
        engine.forget();
        lengths.push(prove(&mut engine, scored.position));
    }
    // Short and long ones.
    assert!(lengths.iter().filter(|&&length| length >= 15).count() >= 30, "{lengths:?}");
}

#[test]
fn a_forced_win_for_the_other_side_is_not_claimed() {
    // The same positions with the other side to move: whatever is claimed as exact must hold as well.
    let mut engine = engine();
    let mut claimed = 0;
    for scored in obf::parse::<Renju>(WON, Path::new("renju-fours.obf")).unwrap() {
        let position = Renju::new(scored.position.board().clone(), scored.position.side_to_move().opponent());
        engine.forget();
        let result = engine.search(&position, &Limits::depth(1));
        if result.exact && result.score > 0 {
            claimed += 1;
            prove(&mut engine, position);
        }
    }
    assert!(claimed > 0);
}

#[test]
fn answers_are_legal_in_games_that_go_on_to_the_end() {
    let mut engine = engine();
    for game in 0..3 {
        let mut position = Renju::start();
        while position.outcome().is_none() {
            let mv = if position.ply() as u64 % 7 == game {
                // A move far away now and then, so that the board fills in odd ways.
                let legal = position.legal_moves();
                legal[(31 * position.ply() + 7) % legal.len().saturating_sub(1).max(1)]
            } else {
                engine.search(&position, &Limits::depth(1)).best
            };
            position.play(mv).unwrap();
        }
        assert!(position.ply() > 8 || position.outcome().is_some());
    }
}

#[test]
fn a_full_board_is_drawn_without_a_fault() {
    // Columns in pairs shifted row by row: no line of five anywhere. The last two points are left empty.
    let mut board = Board::empty();
    let mut left = Vec::new();
    for point in Point::all() {
        let black = (point.col() + 2 * (point.row() % 2)) / 2 % 2 == 0;
        if point.row() == 14 && point.col() >= 13 {
            left.push(point);
        } else {
            board.place(point, if black { Color::Black } else { Color::White });
        }
    }
    let mut position = Renju::new(board, Color::White);
    assert_eq!(position.outcome(), None);
    let mut engine = engine();
    while position.outcome().is_none() {
        let best = engine.search(&position, &Limits::depth(4)).best;
        position.play(best).unwrap();
        assert!(best == Move::PASS || left.iter().any(|point| point.to_move() == best));
    }
}
