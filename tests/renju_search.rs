//! The Renju engine against the rules: wins by continuous fours are found and hold against every reply.

use std::path::Path;

use stonesmith::dataset::obf;
use stonesmith::eval::renju::{Evaluator, SURE};
use stonesmith::eval::weights::Weights;
use stonesmith::game::renju::{Board, Point, Renju};
use stonesmith::game::{Color, Move, Position, symmetry};
use stonesmith::kit;
use stonesmith::search::renju::Engine;
use stonesmith::search::renju::golden::TT_BITS;
use stonesmith::search::{Limits, Searcher};

const WON: &str = include_str!("data/renju-fours.obf");

fn engine() -> Engine {
    Engine::new(Evaluator::new(&kit::renju_bench_weights(1)).unwrap(), TT_BITS)
}

/// The engine with the committed champion.
fn champion() -> Engine {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/renju");
    let name = std::fs::read_to_string(folder.join("champion")).unwrap();
    Engine::new(Evaluator::new(&Weights::read(&folder.join(name.trim())).unwrap()).unwrap(), 16)
}

/// Stones by their names, and who moves.
fn position(black: &str, white: &str, color: Color) -> Renju {
    let mut board = Board::empty();
    for (names, stone) in [(black, Color::Black), (white, Color::White)] {
        for name in names.split_whitespace() {
            board.place(Point::of_move(Renju::parse_move(name).unwrap()).unwrap(), stone);
        }
    }
    Renju::new(board, color)
}

/// The positions under all turns and reflections of the board.
fn images(position: &Renju) -> impl Iterator<Item = Renju> {
    (0..symmetry::COUNT).map(|s| Renju::new(position.board().transformed(s), position.side_to_move()))
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
    assert!(lengths.iter().filter(|&&length| length >= 15).count() >= 15, "{lengths:?}");
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
fn a_four_is_never_left_unblocked() {
    // The winner's first four is played; its stop has to be answered whatever else there is, at every depth.
    let mut stopped = 0;
    for scored in obf::parse::<Renju>(WON, Path::new("renju-fours.obf")).unwrap() {
        let mut position = scored.position;
        let attacker = position.side_to_move();
        let mut engine = champion();
        position.play(engine.search(&position, &Limits::depth(1)).best).unwrap();
        let fives = winning_points(position.board(), attacker);
        let own = winning_points(position.board(), attacker.opponent());
        if position.outcome().is_some() || fives.len() != 1 || !own.is_empty() {
            continue;
        }
        let stop = fives[0].to_move();
        if !position.legal_moves().contains(&stop) {
            continue;
        }
        stopped += 1;
        for limits in [Limits::depth(1), Limits::depth(5), Limits::nodes(3000)] {
            assert_eq!(engine.search(&position, &limits).best, stop, "{position:?}");
        }
    }
    assert!(stopped >= 80, "{stopped}");
}

/// A closed three in the corner for each side, so that both have fours to play there that lead to nothing.
const CORNER: [&str; 2] = ["a13 a14 a15 o1 n1", "o2 o3 o4 a1 b1 c1"];

#[test]
fn fours_in_a_corner_that_lead_to_nothing_are_not_preferred() {
    // Black: a13–a15 with a12 a11 left; White: o2–o4 with o5 o6, and a1–c1 with d1 e1. A quiet middle game besides.
    let corner = ["a11", "a12", "o5", "o6", "d1", "e1"].map(|name| Renju::parse_move(name).unwrap());
    let mut engine = champion();
    for (black, white) in [("h8 i9 g7", "h9 g8 i7"), ("h8 j8 i10 g6", "i9 g9 h7 j10")] {
        for color in [Color::Black, Color::White] {
            let at = position(&format!("{} {black}", CORNER[0]), &format!("{} {white}", CORNER[1]), color);
            for depth in 1..=7 {
                engine.forget();
                let best = engine.search(&at, &Limits::depth(depth)).best;
                assert!(!corner.contains(&best), "{color:?} at depth {depth}: {}", Renju::move_text(best));
            }
        }
    }
}

#[test]
fn an_open_three_is_stopped_although_there_are_fours_in_the_corner() {
    // Black's three threatens; White's corner fours would only put it off.
    let at = position(&format!("{} g8 h8 i8", CORNER[0]), &format!("{} h9 c6", CORNER[1]), Color::White);
    for image in images(&at) {
        let mut engine = champion();
        for depth in 1..=6 {
            let result = engine.search(&image, &Limits::depth(depth));
            let mut after = image.clone();
            after.play(result.best).unwrap();
            // By the rules: no reply of Black makes a four with two fives.
            let open = after.board().empty_points().filter(|&point| {
                let mut next = after.clone();
                next.play(point.to_move()).is_ok() && winning_points(next.board(), Color::Black).len() > 1
            });
            assert_eq!(open.count(), 0, "depth {depth}: {}", Renju::move_text(result.best));
        }
    }
}

#[test]
fn a_double_three_of_white_is_played_and_wins_against_every_reply() {
    // Two open threes at once on i7: no four anywhere, so the continuous fours alone see nothing.
    let at = position("h9 c3 m12 d12", "g7 h7 i8 i9", Color::White);
    assert!(!champion().search(&at, &Limits::depth(1)).exact);
    for image in images(&at) {
        let mut engine = champion();
        let result = engine.search(&image, &Limits::depth(7));
        assert!(result.score > SURE, "{}", result.score);
        let mut after = image.clone();
        after.play(result.best).unwrap();
        for reply in after.legal_moves() {
            let mut then = after.clone();
            then.play(reply).unwrap();
            if then.outcome().is_none() {
                prove(&mut engine, then);
            }
        }
    }
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
