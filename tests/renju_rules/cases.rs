//! Reads case files (a board and verdicts on single points) and checks the rule against them.

use stonesmith::game::renju::forbidden::{forbidden, forbidden_points};
use stonesmith::game::renju::{Board, Point, Reason, notation};

/// Checks every case of `text` and returns the number of verdicts in it.
pub fn check(text: &str) -> usize {
    let mut verdicts = 0;
    for case in text.split("\ncase ").skip(1) {
        let mut lines = case.lines();
        let name = lines.next().expect("a case has a name");
        let rows: Vec<&str> =
            case.lines().filter(|line| line.len() == 15 && line.chars().all(|c| ".XO".contains(c))).collect();
        assert_eq!(rows.len(), 15, "{name}: fifteen rows");
        let board = notation::parse_board(&rows.concat()).unwrap();
        let mut listed = Vec::new();
        for line in lines.clone().filter(|line| line.starts_with("expect ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let point = Point::from_one_based(words[1].parse().unwrap(), words[2].parse().unwrap()).unwrap();
            verdict(name, &board, point, words[3], words.get(4).copied());
            if words[3] == "forbidden" {
                listed.push(point);
            }
            verdicts += 1;
        }
        if lines.any(|line| line == "full") {
            listed.sort();
            let found: Vec<Point> = forbidden_points(&board).into_iter().map(|(point, _)| point).collect();
            assert_eq!(found, listed, "{name}: the list is full\n{board:?}");
        }
    }
    verdicts
}

fn verdict(name: &str, board: &Board, point: Point, verdict: &str, reason: Option<&str>) {
    let found = forbidden(board, point);
    let right = match (verdict, reason) {
        ("legal", None) => found.is_none(),
        ("not_double_three", None) => found.is_none_or(|reasons| !reasons.contains(Reason::DoubleThree)),
        ("forbidden", None | Some("forbidden")) => found.is_some(),
        ("forbidden", Some(reason)) => found.is_some_and(|reasons| reasons.iter().any(|found| found.name() == reason)),
        _ => panic!("{name}: unknown verdict {verdict} {reason:?}"),
    };
    assert!(right, "{name}: {:?} should be {verdict} {reason:?}, found {found:?}\n{board:?}", point.one_based());
}
