//! Baked Renju bots: equal golden lines from every compiler and interpreter, answers that are legal by the bots' own slow
//! reading of the rules and by ours, and wins by fours that are found.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use stonesmith::bake::{self, Language, template};
use stonesmith::dataset::obf;
use stonesmith::eval::renju::lines::THREATS;
use stonesmith::eval::renju::{Evaluator, SURE, knots, zero};
use stonesmith::eval::weights::Weights;
use stonesmith::game::renju::{Board, Point, Renju};
use stonesmith::game::{Color, Move, Position};
use stonesmith::judge::{Entrant, Limits, Match, RenjuJudge, Side, Start, Winner};
use stonesmith::kit;
use stonesmith::search::renju::lite::{self, Lite};
use stonesmith::search::renju::{Engine, golden};
use stonesmith::search::{Limits as SearchLimits, Searcher};

use crate::programs::{Bot, assert_lines, baked, bots, compile, run};

const BENCH: &str = include_str!("../../src/search/renju/bench.obf");
const ORACLE: &str = include_str!("../data/renju-forbidden-oracle.jsonl");

/// Weights with everything drawn: four knots, a scale of their own.
fn weights() -> Weights {
    let mut weights = kit::renju_bench_weights(3);
    let first = weights.row(0).iter().map(|value| value / 4 * 4).collect::<Vec<i16>>();
    weights.values.extend(first);
    let row = weights.row_len();
    for (knot, values) in weights.values.chunks_exact_mut(row).enumerate() {
        for (threats, value) in values[row - THREATS..].iter_mut().enumerate() {
            *value = ((37 * threats + 100 * knot) % 601) as i16 - 300;
        }
    }
    weights.knots = vec![3, 20, 21, 70];
    weights.scale = 2048;
    for (ply, constant) in weights.constants.iter_mut().enumerate() {
        *constant = 37 * ply as i16 % 501 - 250;
    }
    weights
}

/// The bots of [`weights`], made once for all tests: by gcc and for each interpreter.
pub fn renju_bots() -> &'static [Bot] {
    static BOTS: OnceLock<(tempfile::TempDir, Vec<Bot>)> = OnceLock::new();
    let (_, found) = BOTS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut found = bots(&baked(&weights(), Language::C), Language::C, folder.path());
        found.extend(bots(&baked(&weights(), Language::Python), Language::Python, folder.path()));
        (folder, found)
    });
    found
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
    let folder = tempfile::tempdir().unwrap();
    let expected = rust_lines(BENCH, &weights(), 5);
    // The number of legal moves in these lines is the bot's slow rule, which never saw the engine.
    let oracle = oracle_positions(4);
    let judged = rust_lines(&oracle, &weights(), 1);
    assert!(judged.len() > 500);
    for (compiler, flags, language) in [
        ("gcc", ["-O1", "-std=c11", "-DGOLDEN"], Language::C),
        ("g++", ["-O2", "-std=c++17", "-DGOLDEN"], Language::Cpp),
    ] {
        let (source, program) = (folder.path().join(language.file_name()), folder.path().join(compiler));
        std::fs::write(&source, baked(&weights(), language)).unwrap();
        compile(compiler, &flags, &source, &program);
        assert_lines(&expected, &run(std::slice::from_ref(&program), &["5"], BENCH.as_bytes()), compiler);
        if language == Language::Cpp {
            assert_lines(&judged, &run(&[program], &["1"], oracle.as_bytes()), "the oracle's positions");
        }
    }
}

#[test]
fn golden_lines_of_python_are_those_of_the_lite_profile() {
    const DEPTH: u8 = 2;
    let some: String =
        BENCH.lines().filter(|line| !line.starts_with('%')).step_by(2).map(|line| format!("{line}\n")).collect();
    let text = format!("{some}{}", oracle_positions(500));
    let mut lite = Lite::new(&weights()).unwrap();
    let positions = obf::parse::<Renju>(&text, Path::new("positions")).unwrap();
    let expected: Vec<String> = positions.iter().map(|scored| lite::line(&mut lite, &scored.position, DEPTH)).collect();
    assert!(expected.len() > 12);
    for bot in renju_bots().iter().filter(|bot| bot.name != "gcc") {
        let found = run(&bot.command, &["--golden", &DEPTH.to_string()], text.as_bytes());
        assert_lines(&expected, &found, &bot.name);
    }
}

/// What the lite profile searches is what the rules and the engine's own solver of fours say.
#[test]
fn lite_finds_the_wins_by_fours_that_the_engine_finds() {
    let mut lite = Lite::new(&weights()).unwrap();
    let mut engine = Engine::new(Evaluator::new(&weights()).unwrap(), 16);
    let mut won = 0;
    for scored in &obf::parse::<Renju>(BENCH, Path::new("bench.obf")).unwrap() {
        let (found, full) = (lite.search(&scored.position, 3), golden::search(&mut engine, &scored.position, 3));
        assert!(scored.position.legal_moves().contains(&found.best));
        if full.exact {
            assert_eq!((found.exact, found.score, found.best), (true, full.score, full.best), "{}", scored.text);
            won += 1;
        }
    }
    assert!(won >= 2, "{won}");
}

#[test]
fn the_templates_run_as_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("renju.c");
    std::fs::write(&source, template::RENJU_C).unwrap();
    compile("gcc", &["-O1", "-std=c2x"], &source, &folder.path().join("bot"));
    let mut found = vec![Bot { name: "gcc".into(), command: vec![folder.path().join("bot")] }];
    found.extend(bots(template::RENJU_PY, Language::Python, folder.path()));
    for bot in found {
        let output = run(&bot.command, &[], b"READY FIRST\nTURN 1000 1000\nFINISH\n");
        assert_eq!(output, "OK\nMOVE 8 8\n", "{}", bot.name);
    }
}

/// The regions of the templates have the shape of what a bake writes.
#[test]
fn a_bake_fills_the_regions_that_the_templates_have() {
    let weights = zero(knots(1));
    for (language, text) in [(Language::C, template::RENJU_C), (Language::Python, template::RENJU_PY)] {
        let source = baked(&weights, language);
        for name in ["spelling", "memory", "rules"] {
            if name == "rules" && language == Language::C {
                continue;
            }
            let plain = |text: &str| -> Vec<String> {
                let region = template::region(text, name).unwrap();
                region.lines().map(|line| line.split(" /*").next().unwrap().to_string()).collect()
            };
            assert_eq!(plain(text), plain(&source), "region {name}");
        }
        for name in ["knots", "weights"] {
            assert_ne!(template::region(text, name), template::region(&source, name), "region {name}");
        }
    }
}

/// A board whose only empty point would make six in a row for Black.
pub fn only_forbidden_left() -> Board {
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
fn black_passes_where_only_forbidden_points_are_left() {
    let position = Renju::new(only_forbidden_left(), Color::Black);
    assert_eq!(position.legal_moves().len(), 1, "only the pass");
    let init = format!("INIT {} 224\n", position.board_text());
    for bot in renju_bots() {
        let output = run(&bot.command, &[], format!("READY FIRST\n{init}TURN 500 500\n").as_bytes());
        assert_eq!(output, "OK\nMOVE -1 -1\n", "{}", bot.name);
    }
}

/// Positions won by continuous fours: the move that is printed wins whatever the answer.
#[test]
fn wins_by_fours_are_played() {
    let stones = |names: &str| -> Vec<Point> {
        names.split_whitespace().map(|name| Point::of_move(Renju::parse_move(name).unwrap()).unwrap()).collect()
    };
    let mut engine = Engine::new(Evaluator::new(&weights()).unwrap(), 16);
    // A three that is stopped and a column through its end; the same for White, whose win is that Black's stop is forbidden.
    for (black, white, color) in [
        ("g8 h8 i8 j5 j7", "f8 a1 c1 e1 o1", Color::Black),
        ("c4 h5 h6 h7 i4 j4 k4", "d4 e4 f4 a15 c12 o2", Color::White),
    ] {
        let mut board = Board::empty();
        stones(black).into_iter().for_each(|point| board.place(point, Color::Black));
        stones(white).into_iter().for_each(|point| board.place(point, Color::White));
        let position = Renju::new(board, color);
        let plies = if color == Color::Black { 10 } else { 13 };
        let seat = if color == Color::Black { "FIRST" } else { "SECOND" };
        let input = format!("READY {seat}\nINIT {} {plies}\nTURN 4000 4000\n", position.board_text());
        for bot in renju_bots() {
            let output = run(&bot.command, &[], input.as_bytes());
            let mut after = position.clone();
            after.play(answer(output.lines().nth(1).unwrap())).unwrap();
            let result = engine.search(&after, &SearchLimits::depth(3));
            assert!(result.score < -SURE, "{}: {output} {}", bot.name, result.score);
        }
    }
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
    let said = run(&renju_bots()[0].command, &[], input.as_bytes());
    let answers: Vec<&str> = said.lines().filter(|line| *line != "OK").collect();
    assert_eq!(answers.len(), positions.len());
    for (line, mut position) in answers.into_iter().zip(positions) {
        let mv = answer(line);
        let only_pass = position.legal_moves() == [Move::PASS];
        assert_eq!(mv == Move::PASS, only_pass, "{line}: {position:?}");
        position.play(mv).unwrap_or_else(|error| panic!("{line}: {error}: {position:?}"));
    }
}

/// A printed move.
pub fn answer(line: &str) -> Move {
    let numbers: Vec<i64> = line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
    assert!(line.starts_with("MOVE ") && numbers.len() == 2, "{line}");
    Point::from_one_based(numbers[0], numbers[1]).map_or(Move::PASS, Point::to_move)
}

#[test]
fn judged_games_have_no_fault_in_any_dialect() {
    // Python answers within milliseconds as well, but a game of it takes longer than a test should.
    let command: Vec<String> = renju_bots()[0].command.iter().map(|part| part.display().to_string()).collect();
    let bot = Entrant::parse(&command.join(" ")).unwrap();
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
    let source = baked(&zero(knots(1)), Language::C);
    let provenance = bake::provenance(&source).unwrap();
    assert!(provenance.intact && provenance.game == stonesmith::game::GameId::Renju);
}

/// The origin tells the node count of the engine that is inside: Renju's, not Othello's.
#[test]
fn the_origin_names_the_bench_of_renju() {
    let folder = tempfile::tempdir().unwrap();
    for (lang, profile) in [("cpp", "full"), ("py", "lite")] {
        let out = folder.path().join(format!("main.{lang}"));
        let bake = ["-q", "bake", "-g", "renju", "champion", "--lang", lang, "--out", out.to_str().unwrap()];
        assert_eq!(crate::programs::stonesmith(&bake).0, Some(0));
        let (_, bench, _) = crate::programs::stonesmith(&["--json", "bench", "-g", "renju", "--profile", profile]);
        let bench: serde_json::Value = serde_json::from_str(&bench).unwrap();
        let provenance = bake::provenance(&std::fs::read_to_string(&out).unwrap()).unwrap();
        assert_eq!(provenance.bench, bench["nodes"].to_string(), "{lang}");
    }
}

/// The verb's own proof of a bot in every language: golden lines and judged games.
#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn the_verb_verifies_its_bots() {
    let folder = tempfile::tempdir().unwrap();
    for lang in ["c", "cpp", "py"] {
        let out = folder.path().join(format!("main.{lang}"));
        let (code, text, errors) = crate::programs::stonesmith(&[
            "-q",
            "bake",
            "-g",
            "renju",
            "champion",
            "--lang",
            lang,
            "--verify",
            "--out",
            out.to_str().unwrap(),
        ]);
        assert_eq!(code, Some(0), "{lang}: {text}{errors}");
        assert!(text.contains("golden lines equal") && text.contains("0 faults"), "{text}");
    }
}
