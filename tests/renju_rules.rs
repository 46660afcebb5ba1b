//! The Renju rules against answers from outside: an oracle of 2,600 positions on which independent checkers agree,
//! collected cases, the slow rule of `definitions`, and the judge's rules of the opening, of passes and of the end.
//!
//! `RENJU_CASES=DIR cargo test --release --test renju_rules -- --ignored` checks every case file of a folder.

#[path = "renju_rules/cases.rs"]
mod cases;
#[path = "renju_rules/positions.rs"]
mod positions;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use stonesmith::game::perft::{PassCounting, perft};
use stonesmith::game::renju::forbidden::{forbidden, forbidden_points, is_forbidden};
use stonesmith::game::renju::{Board, Direction, Point, Reason, Reasons, Renju, definitions, notation};
use stonesmith::game::{Color, Move, Outcome, Position, symmetry};
use stonesmith::rng::{Domain, RngExt, Stream, stream};

const ORACLE: &str = include_str!("data/renju-forbidden-oracle.jsonl");

#[derive(Deserialize)]
struct Oracle {
    id: u32,
    black: Vec<(i64, i64)>,
    white: Vec<(i64, i64)>,
    forbidden: Vec<(i64, i64, Vec<String>)>,
    allowed93: Vec<(i64, i64)>,
    black_five: Vec<(i64, i64)>,
    white_win: Vec<(i64, i64)>,
}

fn oracle() -> impl Iterator<Item = (Oracle, Board)> {
    ORACLE.lines().map(|line| {
        let entry: Oracle = serde_json::from_str(line).unwrap();
        let mut board = Board::empty();
        for (color, stones) in [(Color::Black, &entry.black), (Color::White, &entry.white)] {
            stones.iter().for_each(|&(row, col)| board.place(Point::from_one_based(row, col).unwrap(), color));
        }
        (entry, board)
    })
}

fn one_based(point: Point) -> (i64, i64) {
    let (row, col) = point.one_based();
    (row as i64, col as i64)
}

#[test]
fn every_point_of_the_oracle() {
    let mut seen = BTreeMap::<String, usize>::new();
    for (entry, board) in oracle() {
        let found: Vec<_> = forbidden_points(&board)
            .into_iter()
            .map(|(point, reasons)| {
                let (row, col) = one_based(point);
                (row, col, reasons.iter().map(|reason| reason.name().to_string()).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(found, entry.forbidden, "position {}\n{board:?}", entry.id);
        found.into_iter().for_each(|(_, _, reasons)| *seen.entry(reasons.join("+")).or_default() += 1);
        for point in board.empty_points() {
            let listed = entry.forbidden.iter().any(|&(row, col, _)| (row, col) == one_based(point));
            assert_eq!(is_forbidden(&board, point), listed);
        }
        for (row, col) in entry.allowed93 {
            assert_eq!(forbidden(&board, Point::from_one_based(row, col).unwrap()), None);
        }
        for (color, wins) in [(Color::Black, &entry.black_five), (Color::White, &entry.white_win)] {
            let found: Vec<_> =
                board.empty_points().filter(|&point| board.wins_at(point, color)).map(one_based).collect();
            assert_eq!(&found, wins, "position {} {color:?}", entry.id);
        }
    }
    // As many points of each kind as a count over the file's own lists gives.
    assert_eq!(seen.get("double_three"), Some(&3265));
    assert_eq!(seen.get("double_four"), Some(&1008));
    assert_eq!(seen.get("overline"), Some(&442));
    assert_eq!(seen.get("overline+double_four"), Some(&5));
    assert_eq!(seen.get("double_four+double_three"), Some(&4));
    assert_eq!(seen.get("overline+double_three"), Some(&2));
}

#[test]
fn every_committed_case() {
    let checked: usize = [
        include_str!("data/renju-mutants.txt"),
        include_str!("data/renju-article-9.3.txt"),
        include_str!("data/renju-disagreements.txt"),
    ]
    .into_iter()
    .map(cases::check)
    .sum();
    assert_eq!(checked, 151);
}

#[test]
#[ignore = "needs RENJU_CASES, a folder of case files"]
fn every_case_file_of_a_folder() {
    let folder = std::env::var("RENJU_CASES").expect("RENJU_CASES names a folder of case files");
    let mut files = 0;
    for file in std::fs::read_dir(Path::new(&folder)).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            println!("{}: {} verdicts", path.display(), cases::check(&std::fs::read_to_string(&path).unwrap()));
            files += 1;
        }
    }
    assert!(files > 0, "no .txt file in {folder}");
}

/// The fast rule and the slow one give the same reasons on every empty point.
fn compare_with_definitions(board: &Board) -> usize {
    let cells = definitions::cells(&notation::board_text(board));
    let mut found = 0;
    for point in board.empty_points() {
        let fast = forbidden(board, point).unwrap_or_default();
        let slow = definitions::reasons(&cells, point.row(), point.col());
        assert_eq!(fast, slow, "{} in {board:?}", notation::point_text(point));
        found += usize::from(!fast.is_empty());
        for (color, cell) in [(Color::Black, definitions::Cell::Black), (Color::White, definitions::Cell::White)] {
            assert_eq!(board.wins_at(point, color), definitions::wins(&cells, point.row(), point.col(), cell));
        }
    }
    found
}

#[test]
fn fast_and_slow_rule_agree_on_made_up_positions() {
    let mut forbidden_found = 0;
    for index in 0..900 {
        let random = &mut stream(1, Domain::Test, index);
        let board = match index % 3 {
            0 => positions::clustered(random),
            1 => positions::box_of_stones(random),
            _ => positions::scattered(random),
        };
        forbidden_found += compare_with_definitions(&board);
    }
    assert!(forbidden_found > 600, "the positions hold only {forbidden_found} forbidden points");
}

#[test]
fn fast_and_slow_rule_agree_on_mutated_positions() {
    for (index, (_, board)) in oracle().enumerate().step_by(8) {
        let random = &mut stream(2, Domain::Test, index as u64);
        compare_with_definitions(&positions::mutated(&board, random));
    }
}

#[test]
fn forbidden_points_turn_with_the_board() {
    for (_, board) in oracle().step_by(5) {
        let points: HashSet<(Point, Reasons)> = forbidden_points(&board).into_iter().collect();
        for s in 0..symmetry::COUNT {
            let turned: HashSet<_> = points.iter().map(|&(point, reasons)| (point.transformed(s), reasons)).collect();
            assert_eq!(forbidden_points(&board.transformed(s)).into_iter().collect::<HashSet<_>>(), turned);
        }
    }
}

#[test]
fn a_question_leaves_the_board_as_it_was() {
    for (_, board) in oracle().step_by(50) {
        let mut played = board.clone();
        for point in board.empty_points() {
            forbidden(&played, point);
            played.place(point, Color::Black);
            played.remove(point, Color::Black);
        }
        assert!(Point::all().all(|point| Direction::ALL.into_iter().all(|direction| {
            played.window(point, direction, Color::Black) == board.window(point, direction, Color::Black)
        })));
    }
}

fn mv(text: &str) -> Move {
    Renju::parse_move(text).unwrap()
}

/// A position after these moves, all of which must be legal.
fn after(moves: &str) -> Renju {
    let mut position = Renju::start();
    moves.split_whitespace().for_each(|text| position.play(mv(text)).unwrap());
    position
}

fn reason(position: &Renju, text: &str) -> String {
    let mut played = position.clone();
    let error = played.play(mv(text)).unwrap_err();
    assert_eq!(&played, position, "an illegal move changed the position");
    assert_eq!(error.text, text);
    error.reason
}

/// A position from rows of board letters, the other rows being empty; the first row given is row 15 of the field.
fn from_rows(rows: &[&str], side: Color) -> Renju {
    let text: String = (0..15).map(|row| format!("{:.<15}", rows.get(row).unwrap_or(&""))).collect();
    Renju::from_board_text(&text, side).unwrap()
}

#[test]
fn the_first_three_moves_stay_near_the_centre() {
    assert_eq!(Renju::start().legal_moves(), [Move(112)]);
    assert!(reason(&Renju::start(), "h9").contains("move 1 must be in h8"));
    assert!(reason(&Renju::start(), "pass").contains("first three moves"));

    let second: Vec<_> = after("h8").legal_moves().into_iter().map(Renju::move_text).collect();
    assert_eq!(second, ["g9", "h9", "i9", "g8", "i8", "g7", "h7", "i7"]);
    assert!(reason(&after("h8"), "h10").contains("move 2"));
    assert!(reason(&after("h8"), "pass").contains("first three moves"));

    let third = after("h8 h9").legal_moves();
    assert_eq!(third.len(), 23);
    assert_eq!(third.first().copied().map(Renju::move_text).as_deref(), Some("f10"));
    assert_eq!(third.last().copied().map(Renju::move_text).as_deref(), Some("j6"));
    // The statement's example of a third move: (10, 8).
    assert!(third.contains(&Point::from_one_based(10, 8).unwrap().to_move()));
    assert!(reason(&after("h8 h9"), "h11").contains("move 3"));
    assert!(reason(&after("h8 h9"), "pass").contains("first three moves"));
    assert!(reason(&after("h8 h9"), "h8").contains("occupied"));

    let fourth = after("h8 h9 i9").legal_moves();
    assert_eq!(fourth.len(), 223);
    assert_eq!(fourth.last(), Some(&Move::PASS));
}

#[test]
fn perft_of_the_opening() {
    // 1, then 8, then 25 less two stones, then 222 points and the pass; every way to a symmetric form counts.
    let counts = [1, 1, 8, 8 * 23, 8 * 23 * 223];
    for (depth, count) in counts.into_iter().enumerate() {
        assert_eq!(perft(&Renju::start(), depth as u32, PassCounting::PassIsPly), count);
    }
    // After a pass: 222 stones and a second pass that ends the game, which is one leaf at any depth.
    assert_eq!(perft(&after("h8 h9 i9 pass"), 1, PassCounting::PassIsPly), 223);
    assert_eq!(perft(&after("h8 h9 i9 pass pass"), 3, PassCounting::PassIsPly), 1);
}

#[test]
fn a_position_from_text_counts_its_stones_for_the_opening() {
    let start = from_rows(&[], Color::Black);
    assert_eq!(start, Renju::start());
    let corners = from_rows(&["B.W.B"], Color::White);
    assert_eq!(corners.legal_moves().len(), 223);
    assert_eq!((corners.ply(), corners.side_to_move()), (3, Color::White));
    assert!(reason(&from_rows(&["B.W"], Color::Black), "a1").contains("move 3"));
}

#[test]
fn a_pass_is_part_of_the_position_and_two_end_the_game() {
    let passed = after("h8 h9 i9 pass");
    assert_eq!((passed.side_to_move(), passed.ply(), passed.last_was_pass()), (Color::Black, 3, true));
    assert_eq!(passed.outcome(), None);
    let set = Renju::from_board_text(&passed.board_text(), Color::Black).unwrap();
    assert_ne!(passed, set);
    assert_ne!(passed.canonical(), set.canonical());
    assert_eq!(HashSet::from([passed.clone(), set.clone()]).len(), 2);

    let drawn = after("h8 h9 i9 pass pass");
    assert_eq!(drawn.outcome(), Some(Outcome(0)));
    assert!(drawn.legal_moves().is_empty());
    assert!(reason(&drawn, "a1").contains("over"));
    assert!(reason(&drawn, "pass").contains("over"));

    // A stone between two passes starts the count again, and the same side may move twice in a row on the board.
    let resumed = after("h8 h9 i9 pass a1 pass");
    assert_eq!((resumed.outcome(), resumed.side_to_move()), (None, Color::Black));
    assert_eq!(after("h8 h9 i9 a1 pass a2").board().count(Color::White), 3);
}

#[test]
fn black_wins_with_exactly_five() {
    let position = from_rows(&["BBBB...WWWW"], Color::Black);
    let mut won = position.clone();
    won.play(mv("e15")).unwrap();
    assert_eq!(won.outcome(), Some(Outcome(1)));
    assert!(won.legal_moves().is_empty());
    assert!(reason(&won, "l15").contains("over"));
    assert_eq!(won, Renju::from_board_text(&won.board_text(), Color::White).unwrap());
    assert_eq!(position.gain(mv("e15")), 5);
    assert_eq!(position.gain(mv("e14")), 2);
    assert_eq!(position.gain(Move::PASS), 0);
}

#[test]
fn forbidden_moves_are_illegal_and_say_why() {
    let overline = from_rows(&["BBB.BB"], Color::Black);
    assert_eq!(reason(&overline, "d15"), "forbidden: overline");
    assert!(!overline.legal_moves().contains(&mv("d15")));
    // The same point is White's to take.
    assert!(from_rows(&["BBB.BB"], Color::White).legal_moves().contains(&mv("d15")));

    let fours = from_rows(&["", "..B.BB..B"], Color::Black);
    assert_eq!(reason(&fours, "g14"), "forbidden: double four");

    let threes = from_rows(&["", "", "", "....B", "....B", "..BB"], Color::Black);
    assert_eq!(reason(&threes, "e10"), "forbidden: double three");
}

#[test]
fn five_comes_before_everything_forbidden() {
    // e11 makes five down the column, seven along the row and a double three of diagonals besides.
    let rows = ["....B", "....B", "..B.B.B", "...BBB", "BBBB.BB"];
    let position = from_rows(&rows, Color::Black);
    let mut won = position.clone();
    won.play(mv("e11")).unwrap();
    assert_eq!(won.outcome(), Some(Outcome(1)));
    assert_eq!(position.gain(mv("e11")), 5);
    // Without the five it is forbidden.
    assert!(
        reason(&from_rows(&["", "....B", "..B.B.B", "...BBB", "BBBB.BB"], Color::Black), "e11").contains("overline")
    );
}

#[test]
fn white_wins_with_six() {
    let mut position = from_rows(&["WWW.WW", "B.B.B"], Color::White);
    assert_eq!(position.gain(mv("d15")), 5);
    position.play(mv("d15")).unwrap();
    assert_eq!(position.outcome(), Some(Outcome(-1)));
}

#[test]
fn text_positions_know_their_winner() {
    let outcome = |rows: &[&str], side| from_rows(rows, side).outcome();
    assert_eq!(outcome(&["BBBBB", "WWWW"], Color::White), Some(Outcome(1)));
    assert_eq!(outcome(&["BBBBBB", "WWWW"], Color::White), None);
    assert_eq!(outcome(&["WWWWWW", "BBBB"], Color::Black), Some(Outcome(-1)));
    // With both lines on the board the side that moved last has won.
    assert_eq!(outcome(&["WWWWW", "BBBBB"], Color::Black), Some(Outcome(-1)));
    assert_eq!(outcome(&["WWWWW", "BBBBB"], Color::White), Some(Outcome(1)));
}

/// A full board on which no line is longer than two, but for the cells that `change` gives.
fn full_board(change: impl Fn(usize, usize) -> Option<char>) -> String {
    (0..225)
        .map(|cell| {
            let (row, col) = (cell / 15, cell % 15);
            change(row, col).unwrap_or(if (col + 2 * row) % 4 < 2 { 'B' } else { 'W' })
        })
        .collect()
}

#[test]
fn a_full_board_is_a_draw() {
    let text = full_board(|row, col| ((row, col) == (7, 0)).then_some('.'));
    let mut position = Renju::from_board_text(&text, Color::White).unwrap();
    assert_eq!(position.legal_moves(), [mv("a8"), Move::PASS]);
    position.play(mv("a8")).unwrap();
    assert_eq!(position.outcome(), Some(Outcome(0)));
    assert_eq!(position.ply(), 225);
    assert!(position.legal_moves().is_empty());
}

#[test]
fn black_passes_when_only_forbidden_points_are_left() {
    let text = full_board(|row, col| match (row, col) {
        (7, 7) => Some('.'),
        (7, 4..=10) => Some('B'),
        (7, 3 | 11) => Some('W'),
        _ => None,
    });
    let mut position = Renju::from_board_text(&text, Color::Black).unwrap();
    assert_eq!(position.outcome(), None);
    assert_eq!(position.legal_moves(), [Move::PASS]);
    position.play(Move::PASS).unwrap();
    assert_eq!(position.legal_moves(), [mv("h8"), Move::PASS]);
    position.play(Move::PASS).unwrap();
    assert_eq!(position.outcome(), Some(Outcome(0)));
}

/// A random game to its end or to 60 moves, each position handed to `look` before the move.
fn random_game(random: &mut Stream, mut look: impl FnMut(&Renju)) {
    let mut position = Renju::start();
    for _ in 0..60 {
        look(&position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let near: Vec<_> = moves.iter().copied().filter(|&mv| position.gain(mv) >= 2).collect();
        let from = if near.is_empty() || random.random_bool(0.2) { &moves } else { &near };
        position.play(from[random.random_range(0..from.len())]).unwrap();
    }
}

#[test]
fn legal_moves_are_exactly_those_that_can_be_played() {
    for game in 0..12 {
        random_game(&mut stream(3, Domain::Test, game), |position| {
            let played: Vec<Move> = (0..=255).map(Move).filter(|&mv| position.clone().play(mv).is_ok()).collect();
            assert_eq!(position.legal_moves(), played);
            assert_eq!(position.outcome().is_some(), played.is_empty());
        });
    }
}

#[test]
fn positions_round_trip_and_symmetric_forms_are_one() {
    for game in 0..8 {
        random_game(&mut stream(4, Domain::Test, game), |position| {
            let again = Renju::from_board_text(&position.board_text(), position.side_to_move()).unwrap();
            assert_eq!(again == *position, !position.last_was_pass());
            let other = Renju::new(position.board().clone(), position.side_to_move().opponent());
            assert_ne!(other.canonical(), again.canonical());
            for s in 0..symmetry::COUNT {
                let turned = Renju::new(position.board().transformed(s), position.side_to_move());
                assert_eq!(turned.canonical(), again.canonical());
            }
        });
    }
    let different: HashSet<_> = ["h8", "h8 h9", "h8 i9", "h8 h9 i9", "h8 h9 i10", "h8 h9 i9 a1", "h8 h9 i9 pass"]
        .into_iter()
        .map(|moves| after(moves).canonical())
        .collect();
    assert_eq!(different.len(), 7);
    assert_eq!(after("h8 h9 i10").canonical(), after("h8 g8 f9").canonical());
}

#[test]
fn board_text_errors_say_what_was_expected() {
    let error = |text: &str| Renju::from_board_text(text, Color::Black).unwrap_err();
    assert!(error("BW").contains("expected 225 board letters, found 2"));
    assert!(error(&format!("{}#", ".".repeat(224))).contains("cell 225, found `#`"));
    let mixed = format!("XO*-_\n{}", ".".repeat(220));
    assert_eq!(&Renju::from_board_text(&mixed, Color::Black).unwrap().board_text()[..6], "BWB...");
}

#[test]
fn reasons_are_listed_in_one_order() {
    let all: Reasons = [Reason::DoubleThree, Reason::Overline, Reason::DoubleFour].into_iter().collect();
    assert_eq!(all.to_string(), "overline, double four, double three");
}
