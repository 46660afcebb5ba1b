//! The baked Renju bot: equal golden lines from every compiler, the judge's protocol in all its dialects, and answers
//! that are legal by its own slow reading of the rules and by ours.
//!
//! Needs gcc and g++.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use stonesmith::bake::{self, Language, Limit, Options, template};
use stonesmith::dataset::obf;
use stonesmith::eval::renju::{Evaluator, knots, zero};
use stonesmith::eval::weights::Weights;
use stonesmith::game::renju::{Board, Point, Renju};
use stonesmith::game::{Color, Move, Position};
use stonesmith::judge::{Entrant, Limits, Match, RenjuJudge, Side, Start, Winner};
use stonesmith::kit;
use stonesmith::search::renju::{Engine, golden};

const BENCH: &str = include_str!("../src/search/renju/bench.obf");
const ORACLE: &str = include_str!("data/renju-forbidden-oracle.jsonl");

/// A source without a limit on its size.
fn unlimited(language: Language) -> Options {
    Options::new(language, 0).limited(Limit::Bytes(usize::MAX))
}

fn compile(compiler: &str, flags: &[&str], source: &Path, program: &Path) {
    let output = Command::new(compiler)
        .args(["-O2", "-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{compiler} {flags:?}:\n{said}");
}

fn run(program: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_string());
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Weights with everything drawn: four knots, a scale of their own.
fn weights() -> Weights {
    let mut weights = kit::renju_bench_weights(3);
    let first = weights.row(0).iter().map(|value| value / 4 * 4).collect::<Vec<i16>>();
    weights.values.extend(first);
    weights.knots = vec![3, 20, 21, 70];
    weights.scale = 2048;
    for (ply, constant) in weights.constants.iter_mut().enumerate() {
        *constant = 37 * ply as i16 % 501 - 250;
    }
    weights
}

struct Built {
    folder: tempfile::TempDir,
}

impl Built {
    fn bot(&self) -> PathBuf {
        self.folder.path().join("bot")
    }
}

/// The bot of [`weights`], compiled once for all tests.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (language, name) in [(Language::C, "main.c"), (Language::Cpp, "main.cpp")] {
            let source = bake::bake(&weights(), &unlimited(language)).unwrap();
            std::fs::write(path(name), source).unwrap();
        }
        compile("g++", &["-std=gnu++20"], &path("main.cpp"), &path("bot"));
        compile("gcc", &["-std=c11", "-DGOLDEN"], &path("main.c"), &path("golden-c"));
        compile("g++", &["-std=c++17", "-DGOLDEN"], &path("main.cpp"), &path("golden-cpp"));
        Built { folder }
    })
}

/// Positions of the forbidden-point oracle that are not over, as golden input: every `step`-th.
fn oracle_positions(step: usize) -> String {
    let mut text = String::new();
    for line in ORACLE.lines().step_by(step) {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut board = Board::empty();
        for (key, color) in [("black", Color::Black), ("white", Color::White)] {
            for stone in case[key].as_array().unwrap() {
                let at = |i: usize| stone[i].as_i64().unwrap();
                board.place(Point::from_one_based(at(0), at(1)).unwrap(), color);
            }
        }
        let position = Renju::new(board, Color::Black);
        if position.outcome().is_none() {
            text.push_str(&format!("{} B\n", position.board_text()));
        }
    }
    text
}

fn rust_lines(text: &str, weights: &Weights, depth: u8) -> Vec<String> {
    let mut engine = Engine::new(Evaluator::new(weights).unwrap(), golden::TT_BITS);
    let positions = obf::parse::<Renju>(text, Path::new("positions")).unwrap();
    positions.iter().map(|scored| golden::line(&mut engine, &scored.position, depth)).collect()
}

#[test]
fn golden_lines_are_equal_in_rust_c_and_cpp() {
    let folder = built().folder.path();
    let expected = rust_lines(BENCH, &weights(), 5);
    for program in ["golden-c", "golden-cpp"] {
        let found = run(&folder.join(program), &["5"], BENCH);
        assert!(found.lines().eq(expected.iter().map(String::as_str)), "{program}:\n{found}");
    }
}

#[test]
fn forbidden_points_and_evaluations_agree_on_the_oracle() {
    // The number of legal moves in these lines is the bot's slow rule, which never saw the engine.
    let text = oracle_positions(4);
    let expected = rust_lines(&text, &weights(), 1);
    assert!(expected.len() > 500);
    let found = run(&built().folder.path().join("golden-cpp"), &["1"], &text);
    for (found, expected) in found.lines().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.len());
}

#[test]
fn the_template_compiles_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("renju.c");
    std::fs::write(&source, template::RENJU_C).unwrap();
    compile("gcc", &["-std=c2x"], &source, &folder.path().join("bot"));
    assert_eq!(run(&folder.path().join("bot"), &[], "READY FIRST\nTURN 1000 1000\nFINISH\n"), "OK\nMOVE 8 8\n");
}

#[test]
fn requests_are_taken_in_any_spelling() {
    let bot = built().bot();
    let first = |input: &str| run(&bot, &[], input).lines().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(first("\u{feff}ready first\r\n\r\nturn 900 900\r\nfinish\r\nTURN 900 900\n"), ["OK", "MOVE 8 8"]);
    assert_eq!(first("READY\nSTART TURN\n"), ["OK", "MOVE 8 8"]);
    assert_eq!(first("READY SECOND\nWHAT 1 2\nOPP 8 8 10\n"), ["OK"]);
    // Unknown side: who is asked first is Black; who is told first is White.
    let white = first("READY\nOPP 8 8 10\nTURN 900 900\n");
    assert!(white.len() == 2 && white[1].starts_with("MOVE "), "{white:?}");
    let point: Vec<i64> = white[1].split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
    assert!(point.iter().all(|n| (7..=9).contains(n)) && point != [8, 8], "{white:?}");
    // A second READY begins a new game.
    assert_eq!(first("READY FIRST\nTURN 900 900\nREADY FIRST\nTURN 900 900\n"), ["OK", "MOVE 8 8", "OK", "MOVE 8 8"]);
}

/// A board whose only empty point would make six in a row for Black.
fn only_forbidden_left() -> Board {
    let mut board = Board::empty();
    for point in Point::all() {
        let (row, col) = (point.row(), point.col());
        let black = if row == 7 && (1..=9).contains(&col) { (2..=8).contains(&col) } else { (row / 2 + col) % 2 == 0 };
        if !(row == 7 && col == 5) {
            board.place(point, if black { Color::Black } else { Color::White });
        }
    }
    board
}

#[test]
fn black_passes_where_only_forbidden_points_are_left_and_mirrors_the_spelling() {
    let position = Renju::new(only_forbidden_left(), Color::Black);
    assert_eq!(position.legal_moves().len(), 1, "only the pass");
    let init = format!("INIT {} 224\n", position.board_text());
    let bot = built().bot();
    assert_eq!(run(&bot, &[], &format!("READY FIRST\n{init}TURN 900 900\n")), "OK\nMOVE -1 -1\n");
    assert_eq!(run(&bot, &[], &format!("READY FIRST\n{init}OPP PASS 5\nTURN 900 900\n")), "OK\nPASS\n");
    assert_eq!(run(&bot, &[], &format!("READY FIRST\n{init}OPP -1 -1 5\nTURN 900 900\n")), "OK\nMOVE -1 -1\n");
}

#[test]
fn answers_are_empty_and_allowed_where_many_points_are_forbidden() {
    // Positions of the oracle with Black to move, each with forbidden points; one process answers them all.
    let mut input = "READY FIRST\n".to_string();
    let mut positions = Vec::new();
    for line in oracle_positions(13).lines() {
        let position = Renju::from_board_text(&line[..225], Color::Black).unwrap();
        let stones = position.board().stones();
        if stones >= 3 {
            input.push_str(&format!("READY FIRST\nINIT {} {}\nTURN 180 180\n", &line[..225], stones));
            positions.push(position);
        }
    }
    assert!(positions.len() > 100);
    let said = run(&built().bot(), &[], &input);
    let answers: Vec<&str> = said.lines().filter(|line| *line != "OK").collect();
    assert_eq!(answers.len(), positions.len());
    for (answer, mut position) in answers.into_iter().zip(positions) {
        let numbers: Vec<i64> = answer.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
        let mv = match numbers[..] {
            [-1, -1] => Move::PASS,
            [row, col] => Point::from_one_based(row, col).unwrap().to_move(),
            _ => panic!("{answer}"),
        };
        let only_pass = position.legal_moves() == [Move::PASS];
        assert_eq!(mv == Move::PASS, only_pass, "{answer}: {position:?}");
        position.play(mv).unwrap_or_else(|error| panic!("{answer}: {error}: {position:?}"));
    }
}

#[test]
fn judged_games_have_no_fault_in_any_dialect() {
    let program = built().bot().display().to_string();
    let bot = Entrant::parse(&program).unwrap();
    let limits = Limits { total: Duration::from_secs(4), cpu: Duration::from_secs(20), ..Limits::default() };
    let dialects = ["standard", "own-time,pass-word", "no-times,start,crlf", "bare"];
    for (number, (dialect, opponent)) in dialects.iter().zip(["random", "greedy", "random", "greedy"]).enumerate() {
        let referee = Match {
            protocol: RenjuJudge { dialect: dialect.parse().unwrap() },
            entrants: [bot.clone(), Entrant::parse(opponent).unwrap()],
            limits,
            seed: number as u64,
        };
        let black = if number % 2 == 0 { Side::First } else { Side::Second };
        let game = referee.play(&Start { number: 1, black, opening: Vec::new() }).unwrap();
        assert_eq!(game.verdict.faulty, None, "{dialect}: {:?}", game.verdict);
        assert_eq!(game.verdict.result, Winner::First, "{dialect}: {:?}", game.verdict);
    }
}

#[test]
fn weights_that_know_nothing_make_a_bot_too() {
    let source = bake::bake(&zero(knots(1)), &unlimited(Language::C)).unwrap();
    let provenance = bake::provenance(&source).unwrap();
    assert!(provenance.intact && provenance.game == stonesmith::game::GameId::Renju);
}
