//! Whole games: what the programs are told, who wins, openings, passes, Renju, and programs in a match.

use std::collections::HashSet;
use std::fs;
use std::time::Duration;

use serde_json::Value;
use stonesmith::game::othello::Othello;
use stonesmith::game::renju::Renju;
use stonesmith::game::{Color, Move, Position};
use stonesmith::judge::{self, Limits};
use stonesmith::play::duel::{self, Simple};
use stonesmith::play::{parse_opening, position_after};

use crate::bots::{Bot, PATIENT, bot, number, processes, referee, stonesmith};

#[test]
fn two_programs_play_a_whole_game_on_the_boards_of_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let records = ["a", "b"].map(|name| folder.path().join(name));
    let [one, other] =
        [("legal", 0), ("last", 1)].map(|(mode, i)| bot(&format!("{mode} --record '{}'", records[i].display())));
    let games = referee(&one.command, &other.command, &PATIENT);
    let game = &games[0];
    assert_eq!(game["reason"], "OK");
    let mut keys: Vec<&str> = game.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "black", "cpu_ms", "detail", "discs", "faulty", "game", "moves", "opening", "peak_mb", "reason", "result",
            "wall_ms"
        ]
    );
    for side in 0..2 {
        assert!(number(game, "wall_ms", side) > 0.0 && number(game, "cpu_ms", side) > 0.0, "{game}");
        assert!((0.5..100.0).contains(&number(game, "peak_mb", side)), "{game}");
    }
    // Replay what the programs were shown: first its lowest move, second its highest, each board its own turn's.
    let [black, white] = records.map(|path| fs::read_to_string(path).unwrap());
    let (mut black, mut white) = (black.lines(), white.lines());
    assert_eq!((black.next(), white.next()), (Some("READY FIRST"), Some("READY SECOND")));
    let mut position = Othello::<8>::start();
    let mut turn = 0;
    while position.outcome().is_none() {
        turn += 1;
        let lines = if turn % 2 == 1 { &mut black } else { &mut white };
        assert_eq!(lines.next().unwrap(), format!("TURN {turn} {}", position.board_text()));
        let moves = position.legal_moves();
        position.play(if turn % 2 == 1 { moves[0] } else { *moves.last().unwrap() }).unwrap();
    }
    assert_eq!((black.next(), white.next()), (None, None));
    assert_eq!(game["moves"], turn);
    let (b, w) = position.black_white();
    assert_eq!(game["discs"], serde_json::json!([b.count_ones(), w.count_ones()]));
    let winner = ["second", "draw", "first"][(position.outcome().unwrap().0.signum() + 1) as usize];
    assert_eq!(game["result"], winner);
}

/// An opening after which the side to move must pass, as move text.
fn opening_before_a_pass() -> (String, usize) {
    use stonesmith::rng::{Domain, RngExt, stream};
    for index in 0.. {
        let mut draws = stream(1, Domain::Test, index);
        let mut position = Othello::<8>::start();
        let mut moves: Vec<Move> = Vec::new();
        while position.outcome().is_none() {
            let legal = position.legal_moves();
            if legal == [Move::PASS] {
                return (moves.iter().map(|&mv| Othello::<8>::move_text(mv)).collect(), moves.len());
            }
            moves.push(legal[draws.random_range(0..legal.len())]);
            position.play(*moves.last().unwrap()).unwrap();
        }
    }
    unreachable!()
}

#[test]
fn a_forced_pass_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (opening, plies) = opening_before_a_pass();
    let file = folder.path().join("openings.txt");
    fs::write(&file, format!("# before a pass\n\n{opening}\n")).unwrap();
    let record = folder.path().join("record");
    // The side that must pass is Black in one of the two games.
    let passer = bot(&format!("legal --record '{}'", record.display()));
    let swap = plies % 2 == 1;
    let (first, second) = if swap { ("greedy", &*passer.command) } else { (&*passer.command, "greedy") };
    let games = referee(first, second, &[&PATIENT[..], &["--openings", file.to_str().unwrap()]].concat());
    assert_eq!(games[0]["reason"], "OK", "{}", games[0]);
    assert_eq!(games[0]["opening"], opening);
    let record = fs::read_to_string(record).unwrap();
    let mut position: Othello<8> = position_after(&parse_opening::<Othello<8>>(&opening).unwrap());
    let board = position.board_text();
    let turns: Vec<&str> = record.lines().skip(1).collect();
    assert_eq!(turns[0], format!("TURN {} {board}", plies + 1));
    // The opponent has moved in between, and the pass has its own number.
    position.play(Move::PASS).unwrap();
    assert!(turns[1].starts_with(&format!("TURN {} ", plies + 3)), "{}", turns[1]);

    // A disc placed instead of the pass is illegal.
    let placer = bot("illegal");
    let (first, second) = if swap { ("greedy", &*placer.command) } else { (&*placer.command, "greedy") };
    let games = referee(first, second, &[&PATIENT[..], &["--openings", file.to_str().unwrap()]].concat());
    assert_eq!(games[0]["reason"], "ILLEGAL");
    assert_eq!(games[0]["moves"], 0);
}

#[test]
fn alternating_games_share_distinct_openings_in_pairs() {
    let games = referee("random", "greedy", &["--games", "10", "--alternate"]);
    assert_eq!(games.len(), 10);
    let mut openings = HashSet::new();
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["black"], &pair[1]["black"]), (&"first".into(), &"second".into()));
        let opening = pair[0]["opening"].as_str().unwrap();
        let moves = parse_opening::<Othello<8>>(opening).unwrap();
        assert!((6..=10).contains(&moves.len()));
        assert!(openings.insert(opening.to_string()));
    }
    // Without alternation every game has its own, and the same seed draws the same ones.
    let plain = referee("random", "greedy", &["--games", "5"]);
    let drawn: Vec<&str> = plain.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!(drawn, games.iter().step_by(2).map(|game| game["opening"].as_str().unwrap()).collect::<Vec<_>>());
    let other = referee("random", "greedy", &["--games", "5", "--seed", "2"]);
    assert_ne!(drawn, other.iter().map(|game| game["opening"].as_str().unwrap()).collect::<Vec<_>>());
    assert_eq!(referee("random", "random", &[])[0]["opening"], "");
}

/// Runs one game of `judge renju` and answers its JSON.
fn judge_renju(first: &str, second: &str, more: &[&str]) -> Value {
    let output = stonesmith()
        .args(["judge", "renju", "--json", "--first", first, "--second", second])
        .args(PATIENT)
        .args(more)
        .timeout(Duration::from_secs(280))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn renju_is_judged_by_its_own_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let records = ["a", "b"].map(|name| folder.path().join(name));
    let [one, other] =
        [("legal", 0), ("pass", 1)].map(|(mode, i)| bot(&format!("{mode} --record '{}'", records[i].display())));
    let game = judge_renju(&one.command, &other.command, &[]);
    // White passes whenever it may, and Black's lowest points fill the first row: five is a win, six would be none.
    assert_eq!((&game["result"], &game["reason"]), (&"first".into(), &"OK".into()), "{game}");
    let [black, white] = records.map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(black.lines().next(), Some("READY FIRST"));
    assert_eq!(white.lines().next(), Some("READY SECOND"));
    assert!(black.lines().nth(1).unwrap().starts_with("TURN "), "{black}");
    assert!(black.lines().any(|line| line.starts_with("OPP -1 -1 ")), "{black}");
    assert!(white.lines().nth(1).unwrap().starts_with("OPP 8 8 "), "{white}");
    assert_eq!((black.lines().last(), white.lines().last()), (Some("FINISH"), Some("FINISH")));

    let (one, other) = (bot("pass"), bot("pass"));
    let game = judge_renju(&one.command, &other.command, &[]);
    assert_eq!((&game["result"], &game["reason"], &game["moves"]), (&"draw".into(), &"OK".into(), &5.into()), "{game}");
    assert_eq!((processes(&one.tag).len(), processes(&other.tag).len()), (0, 0));
}

#[test]
fn several_games_of_renju_start_from_balanced_openings() {
    let bots = [bot("legal"), bot("last")];
    let play = |more: &[&str]| -> Vec<Value> {
        let output = stonesmith()
            .args(["judge", "renju", "--json", "--first", &bots[0].command, "--second", &bots[1].command])
            .args(PATIENT)
            .args(more)
            .timeout(Duration::from_secs(280))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let games = play(&["--games", "4", "--alternate"]);
    // Both programs have been told where the game began: neither plays on a stone.
    assert!(games.iter().all(|game| game["faulty"] == Value::Null), "{games:?}");
    let openings: Vec<&str> = games.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!((openings[0], openings[2]), (openings[1], openings[3]));
    assert_ne!(openings[0], openings[2]);
    for opening in openings {
        assert_eq!(parse_opening::<Renju>(opening).unwrap().len(), 6, "{opening}");
    }
    assert_eq!(play(&["--games", "2", "--openings", "none"])[1]["opening"], "");
}

#[test]
fn a_forbidden_move_loses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    // Black's open threes in row 8 and in column j cross in j8: row 8, column 10 of the judge.
    fs::write(&file, "h8 g9 i8 a1 j9 o1 j10 a15\n").unwrap();
    let bad = bot("point 810");
    let game = judge_renju(&bad.command, "greedy", &["--openings", file.to_str().unwrap()]);
    assert_eq!((&game["reason"], &game["faulty"]), (&"FORBIDDEN".into(), &"first".into()), "{game}");
    assert!(game["detail"].as_str().unwrap().contains("double three"), "{game}");
}

#[test]
fn a_program_plays_in_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let good = bot(&format!("last --record '{}'", record.display()));
    let command = |bot: &Bot| judge::Command::parse(&bot.command).unwrap();
    let limits = Limits { total: Duration::from_secs(120), cpu: Duration::from_secs(120), ..Limits::default() };
    let (opening, plies) = opening_before_a_pass();
    for opening in ["", "f5d6c3", &opening] {
        let moves = parse_opening::<Othello<8>>(opening).unwrap();
        let mut program = judge::Program::new(judge::Reversi::default(), command(&good), limits);
        let played = duel::play(1, &Othello::<8>::start(), &moves, &mut program, &mut Simple::Greedy, 64);
        assert_eq!(played.fault, None);
        assert!(played.record.plies.len() > moves.len());
        // Black's turns are odd and follow each other by two.
        let text = fs::read_to_string(&record).unwrap();
        assert_eq!(text.lines().next(), Some("READY FIRST"));
        let numbers: Vec<usize> =
            text.lines().skip(1).map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect();
        assert!(numbers.iter().all(|number| number % 2 == 1), "{text}");
        assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 2), "{text}");
        assert!(numbers[0] == moves.len() + 1 || numbers[0] == moves.len() + 2, "{plies} {text}");
    }
    let bad = bot("illegal");
    let mut program = judge::Program::new(judge::Reversi::default(), command(&bad), limits);
    let lost = duel::play(2, &Othello::<8>::start(), &[], &mut Simple::Greedy, &mut program, 64);
    assert_eq!(lost.fault.map(|(color, fault)| (color, fault.reason)), Some((Color::White, "ILLEGAL".to_string())));

    let renju = bot("legal");
    let mut program = judge::Program::new(judge::RenjuJudge::default(), command(&renju), limits);
    let opening = parse_opening::<Renju>("h8 g9 i8 a1").unwrap();
    for (game, opening) in [&[][..], &opening].into_iter().enumerate() {
        let played = duel::play(game as u64, &Renju::start(), opening, &mut Simple::Greedy, &mut program, 1);
        assert_eq!(played.fault, None);
    }
    drop(program);
    assert_eq!(processes(&renju.tag).len(), 0);
}
