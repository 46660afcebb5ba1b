//! Baked bots against the Rust engine: equal golden lines from every compiler and instruction set, equal time plans,
//! and the judge's protocol in all the dialects it may come in.
//!
//! Needs gcc and g++ (clang too where it is there). The positions are those of `tests/data/golden.obf`: games drawn
//! from numbered seeds, forced passes, ends of games, wipeouts, and published endgame problems.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use assert_cmd::cargo::CommandCargoExt;
use stonesmith::bake::{self, Language, Limit, template};
use stonesmith::dataset::obf::{self, ScoredPosition};
use stonesmith::eval::evaluator::Evaluator;
use stonesmith::eval::othello::DISC;
use stonesmith::eval::weights::Weights;
use stonesmith::game::othello::Othello;
use stonesmith::game::{Color, GameId, Move, Position};
use stonesmith::kit;
use stonesmith::search::clock::{PLAN_MS, Pace, budget};
use stonesmith::search::othello::{Engine, golden};

const POSITIONS: &str = include_str!("data/golden.obf");
/// No limit on the size of a source.
const ANY: Limit = Limit::Bytes(usize::MAX);

fn positions() -> Vec<ScoredPosition<Othello<8>>> {
    obf::parse(POSITIONS, Path::new("golden.obf")).unwrap()
}

fn engine(weights: &Weights) -> Engine<8> {
    Engine::new(Evaluator::new(weights).unwrap(), golden::TT_BITS)
}

/// Weights whose every part is drawn at random, with one knot more than the bench's and a scale of its own.
fn wild_weights() -> Weights {
    let mut weights = kit::bench_weights(7, 2000);
    let first = weights.row(0).iter().map(|value| value / 8 * 8).collect::<Vec<i16>>();
    weights.values.extend(first);
    weights.knots = vec![0, 17, 18, 44];
    weights.scale = 1024;
    weights
}

/// Compiles without a single warning, or panics with what the compiler said.
fn compile(compiler: &str, flags: &[&str], source: &Path, program: &Path) {
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{compiler} {flags:?}:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn is_there(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok()
}

/// What a program prints for an input; it must end by itself with 0 and say nothing on stderr.
fn run(program: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_string());
    // A program that ends early closes its end of the pipe; that is its right.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{program:?}: {} {errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn assert_lines(expected: &[String], found: &str, what: &str) {
    for (number, (line, other)) in expected.iter().zip(found.lines()).enumerate() {
        assert_eq!(line, other, "{what}, line {}", number + 1);
    }
    assert_eq!(expected.len(), found.lines().count(), "{what}");
}

/// The published scores of the endgame problems, exactly, by the Rust engine and by a bot.
#[test]
fn golden_lines_of_bots_are_those_of_rust() {
    const DEPTH: u8 = 6;
    let folder = tempfile::tempdir().unwrap();
    let sanitise = "-fsanitize=undefined,address";
    let builds: &[(&str, &[&str], &str)] = &[
        ("gcc", &["-std=c11", "-O2", "-DGOLDEN"], "bench.c"),
        ("g++", &["-std=gnu++17", "-O1", "-DGOLDEN"], "bench.cpp"),
        ("gcc", &["-std=c2x", "-O1", "-DGOLDEN", "-DPORTABLE", sanitise, "-fno-sanitize-recover=all"], "wild.c"),
        ("g++", &["-std=gnu++20", "-O2", "-DGOLDEN"], "wild.cpp"),
        ("clang", &["-std=c11", "-O1", "-DGOLDEN", sanitise, "-fno-sanitize-recover=all"], "bench.c"),
    ];
    let weights = [("bench", kit::bench_weights(1, 60)), ("wild", wild_weights())];
    for (name, weights) in &weights {
        for (language, ending) in [(Language::C, "c"), (Language::Cpp, "cpp")] {
            let source = bake::bake(weights, language, ANY).unwrap();
            assert_eq!(source, bake::bake(weights, language, ANY).unwrap(), "the same input gives the same bytes");
            std::fs::write(folder.path().join(format!("{name}.{ending}")), source).unwrap();
        }
    }
    let expected = thread::scope(|scope| {
        let searches = weights.each_ref().map(|(_, weights)| {
            scope.spawn(|| {
                let mut engine = engine(weights);
                positions().iter().map(|scored| golden::line(&mut engine, &scored.position, DEPTH)).collect::<Vec<_>>()
            })
        });
        let programs = compile_all(builds, folder.path());
        let expected = searches.map(|search| search.join().unwrap());
        for (program, (compiler, flags, source)) in programs.iter().zip(builds) {
            let Some(program) = program else { continue };
            let expected = &expected[usize::from(source.starts_with("wild"))];
            let found = run(program, &[&DEPTH.to_string()], POSITIONS);
            assert_lines(expected, &found, &format!("{compiler} {flags:?} {source}"));
        }
        check_plans(programs[0].as_ref().unwrap());
        check_solves(programs[1].as_ref().unwrap(), &weights[0].1);
        expected
    });
    assert_ne!(expected[0], expected[1], "the weights matter");
}

/// Compiles the builds two at a time; `None` for a clang that is not there.
fn compile_all(builds: &[(&str, &[&str], &str)], folder: &Path) -> Vec<Option<PathBuf>> {
    let job = |number: usize| {
        let (compiler, flags, source) = builds[number];
        let program = folder.join(format!("bot{number}"));
        if compiler.starts_with("clang") && !is_there(compiler) {
            return None;
        }
        compile(compiler, flags, &folder.join(source), &program);
        Some(program)
    };
    thread::scope(|scope| {
        let halves =
            [0, 1].map(|half| scope.spawn(move || (half..builds.len()).step_by(2).map(job).collect::<Vec<_>>()));
        let [even, odd] = halves.map(|half| half.join().unwrap());
        let mut odd = odd.into_iter();
        even.into_iter().flat_map(|first| [Some(first), odd.next()]).flatten().collect()
    })
}

/// The bot's time plan is the table of Rust's, in microseconds.
fn check_plans(program: &Path) {
    let (mut input, mut expected) = (String::new(), Vec::new());
    for left in [-5.0, 0.5, 40.0, 700.0, 2200.0, 4500.0] {
        for empties in [1, 8, 15, 20, 21, 22, 24, 33, 49, 55, 60] {
            for pace in [Pace::new(20000.0), Pace { difficulty: 2.5, ..Pace::new(3000.0) }] {
                input += &format!("{left} {empties} {} {}\n", pace.nodes_per_ms, pace.difficulty);
                let plan = budget(PLAN_MS, left, left + 1.0, empties, &pace);
                let micro = |ms: f64| (1000.0 * ms).round_ties_even();
                expected.push(format!("{} {} {}", micro(plan.soft_ms), micro(plan.hard_ms), u8::from(plan.solve)));
            }
        }
    }
    assert_lines(&expected, &run(program, &["--plan"], &input), "time plans");
}

/// Exact solves give the published scores, and the same nodes in Rust and in the bot.
fn check_solves(program: &Path, weights: &Weights) {
    let mut engine = engine(weights);
    let (mut input, mut expected) = (String::new(), Vec::new());
    for scored in positions().iter().filter(|scored| !scored.moves.is_empty()) {
        let line = golden::solve_line(&mut engine, &scored.position);
        let field: Vec<&str> = line.split(' ').collect();
        assert_eq!(field[1].parse().ok(), scored.best_score(), "published score of {}", scored.text);
        let best =
            scored.moves.iter().find(|(mv, _)| Othello::<8>::move_text(*mv) == field[2]).map(|&(_, score)| score);
        assert_eq!(best, scored.best_score(), "the best move of {}", scored.text);
        input += &format!("{}\n", scored.text);
        expected.push(line);
    }
    assert_eq!(expected.len(), 7);
    assert_lines(&expected, &run(program, &["--solve"], &input), "solves");
}

/// Golden lines contain what is known from outside: perft of the start, exact scores.
#[test]
fn golden_lines_say_what_is_known() {
    let mut engine = engine(&kit::bench_weights(3, 40));
    for scored in &positions() {
        let line = golden::line(&mut engine, &scored.position, 1);
        let field: Vec<&str> = line.split(' ').collect();
        assert_eq!(field.len(), 7);
        if scored.position == Othello::<8>::start() {
            assert_eq!(field[2], "244", "perft 4 (published)");
        }
        if let Some(score) = scored.best_score() {
            assert_eq!(field[5].parse(), Ok(score * DISC), "{}", scored.text);
        }
        if scored.position.mobility() == 0 {
            assert_eq!(field[4], "pass");
        }
        if let Some(outcome) = scored.position.outcome() {
            assert_eq!(field[5].parse(), Ok(outcome.for_color(scored.position.side_to_move()) as i32 * DISC));
        }
    }
}

/// The template as it stands, compiled once as it is.
fn template_bot() -> &'static Path {
    static BOT: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = BOT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("othello.c");
        std::fs::write(&source, template::OTHELLO_C).unwrap();
        let program = folder.path().join("bot");
        compile("gcc", &["-std=c11", "-O2"], &source, &program);
        (folder, program)
    });
    program
}

/// The regions of the template are what a bake of its little weights writes.
#[test]
fn the_template_holds_the_bake_of_its_own_weights() {
    let baked = bake::bake(&kit::template_weights(), Language::C, ANY).unwrap();
    for name in ["patterns", "probcut", "weights"] {
        let (found, expected) = (template::region(template::OTHELLO_C, name), template::region(&baked, name));
        assert_eq!(found, expected, "region {name}");
    }
}

/// What a bot should answer.
enum Answer {
    Ready,
    Pass,
    /// A legal move for this side on this board.
    Move(&'static str, Color),
}

use Answer::{Pass, Ready};

const START: &str = "...........................WB......BW...........................";
/// After black's d3.
const ONE: &str = "...................B.......BB......BW...........................";
/// White has no move, black has (two empty squares); from a game drawn at random.
const LATE: &str = "O-OOOOOOXOOOOOOOXXOOOOXOXXXXOOOOXXXOOOOOXXXXXOO-XXXOXOXXXXXXXXXX";
/// Black has nothing on the board.
const WIPED: &str = "...........WWW......W.....WWWWW...WWW.....WWW...................";

fn black(board: &'static str) -> Answer {
    Answer::Move(board, Color::Black)
}

fn white(board: &'static str) -> Answer {
    Answer::Move(board, Color::White)
}

fn position(board: &str, color: Color) -> Othello<8> {
    Othello::from_board_text(board, color).unwrap()
}

/// Feeds `input` and compares the answers one by one.
fn check(name: &str, input: &str, expected: &[Answer]) {
    let output = run(template_bot(), &["an argument of no meaning"], input);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{name}: {output:?}");
    assert!(output.is_empty() || output.ends_with('\n'), "{name}");
    for (line, answer) in lines.iter().zip(expected) {
        match answer {
            Ready => assert_eq!(*line, "OK", "{name}"),
            Pass => assert_eq!(*line, "PASS", "{name}"),
            Answer::Move(board, color) => {
                let field: Vec<&str> = line.split(' ').collect();
                let number = |text: &str| text.parse::<u8>().ok().filter(|n| (1..=8).contains(n));
                let [Some(row), Some(col)] = [number(field[1]), number(field[2])] else { panic!("{name}: {line}") };
                let mv = Move(8 * (row - 1) + col - 1);
                assert!(field[0] == "MOVE" && field.len() == 3, "{name}: {line}");
                assert!(position(board, *color).legal_moves().contains(&mv), "{name}: {line} for {color:?}");
            }
        }
    }
}

/// `text` with every cell followed by a blank, or every eight.
fn spaced(text: &str, every: usize, separator: &str) -> String {
    text.as_bytes().chunks(every).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join(separator)
}

/// A board in other letters: black, white, empty.
fn letters(board: &str, [b, w, e]: [char; 3]) -> String {
    board
        .chars()
        .map(|c| {
            if c == 'B' {
                b
            } else if c == 'W' {
                w
            } else {
                e
            }
        })
        .collect()
}

#[test]
fn the_positions_of_the_protocol_table_are_what_they_are_called() {
    assert_eq!(position(LATE, Color::White).legal_moves(), [Move::PASS]);
    assert!(position(LATE, Color::Black).mobility() != 0);
    assert!(position(WIPED, Color::Black).is_over());
    let mut one = Othello::<8>::start();
    one.play(Othello::<8>::parse_move("d3").unwrap()).unwrap();
    assert_eq!(one.board_text(), ONE);
}

#[test]
fn the_protocol_as_stated() {
    check("first", &format!("READY FIRST\nTURN 1 {START}\n"), &[Ready, black(START)]);
    check("second", &format!("READY SECOND\nTURN 2 {ONE}\n"), &[Ready, white(ONE)]);
    check("bare READY", &format!("READY\nTURN 2 {ONE}\n"), &[Ready, white(ONE)]);
    check("no READY at all", &format!("TURN 1 {START}\n"), &[black(START)]);
    check("forced pass", &format!("READY\nTURN 60 {LATE}\n"), &[Ready, Pass]);
    check("the other side of it", &format!("READY\nTURN 61 {LATE}\n"), &[Ready, black(LATE)]);
    check("a finished game", &format!("READY\nTURN 15 {WIPED}\n"), &[Ready, Pass]);
    check("no line end", &format!("READY\nTURN 1 {START}"), &[Ready, black(START)]);
    check("nothing", "", &[]);
    check("FINISH", &format!("READY\nFINISH\nTURN 1 {START}\n"), &[Ready]);
}

#[test]
fn the_protocol_with_noise() {
    check(
        "BOM, CR, blanks, case",
        &format!("\u{feff}  ready first \r\n\r\n turn\t1  {START} \r\n"),
        &[Ready, black(START)],
    );
    check(
        "unknown commands",
        &format!("HELLO\nREADY\nOPP 3 4\nINFO x {ONE}\nTURN 1 {START}\n"),
        &[Ready, black(START)],
    );
    let again = format!("READY SECOND\nTURN 2 {ONE}\nREADY FIRST\nTURN {START}\n");
    check("READY again", &again, &[Ready, white(ONE), Ready, black(START)]);
    check("START TURN", &format!("READY\nSTART TURN 1 {START}\n"), &[Ready, black(START)]);
    let abandoned = format!("READY\nTURN 1\n........\nTURN 2 {ONE}\n");
    check("a board that never came", &abandoned, &[Ready, white(ONE)]);
}

#[test]
fn the_protocol_in_other_layouts() {
    check("board first", &format!("READY\nTURN {ONE} 2\n"), &[Ready, white(ONE)]);
    check("with times", &format!("READY\nTURN 2 4990 5000 {ONE}\n"), &[Ready, white(ONE)]);
    check("times first", &format!("READY\nTURN 4990 5000 2 {ONE}\n"), &[Ready, white(ONE)]);
    // The first TURN says which number is which: a time of 40 is no turn later on.
    check(
        "small times late",
        &format!("READY\nTURN 5000 1 {START}\nTURN 540 60 {LATE}\nTURN 41 60 {LATE}\n"),
        &[Ready, black(START), Pass, Pass],
    );
    check("no turn, by READY", &format!("READY BLACK\nTURN {LATE}\n"), &[Ready, black(LATE)]);
    check("no turn, by READY", &format!("READY WHITE\nTURN {LATE}\n"), &[Ready, Pass]);
    check("no turn, by the board", &format!("READY\nTURN {ONE}\n"), &[Ready, white(ONE)]);
    check("turn from 0", &format!("READY\nTURN 0 {START}\nTURN 59 {LATE}\n"), &[Ready, black(START), Pass]);
    check("INIT", &format!("INIT {LATE} 60\nREADY\n"), &[Ready]);
    check("INIT and a bare TURN", &format!("READY\nINIT {LATE} 60\nTURN\n"), &[Ready, black(LATE)]);
    check("INIT and a turn", &format!("READY\nINIT {LATE} 59\nTURN 60\n"), &[Ready, Pass]);
}

#[test]
fn the_board_in_other_shapes() {
    for (name, board) in [
        ("X O -", letters(ONE, ['X', 'O', '-'])),
        ("x o .", letters(ONE, ['x', 'o', '.'])),
        ("1 2 0", letters(ONE, ['1', '2', '0'])),
        ("B W 0", letters(ONE, ['B', 'W', '0'])),
        ("* O _", letters(ONE, ['*', 'O', '_'])),
        ("b w -", letters(ONE, ['b', 'w', '-'])),
    ] {
        check(name, &format!("READY\nTURN 2 {board}\n"), &[Ready, white(ONE)]);
        check(name, &format!("READY\nTURN 2 {}\n", spaced(&board, 8, " ")), &[Ready, white(ONE)]);
        check(name, &format!("READY\nTURN 2 {}\n", spaced(&board, 1, " ")), &[Ready, white(ONE)]);
        check(name, &format!("READY\nTURN 2\n{board}\n"), &[Ready, white(ONE)]);
        check(name, &format!("READY\nTURN\n2\n{}\r\n", spaced(&board, 8, "\r\n")), &[Ready, white(ONE)]);
        let cells = spaced(&spaced(&board, 8, "/"), 1, " ").replace(" / ", "\n");
        check(name, &format!("READY\nTURN 2\n{cells}\n"), &[Ready, white(ONE)]);
    }
}

/// The verbs: a file above its limit is refused with the way out, and the way out works.
#[test]
fn bake_refuses_what_does_not_fit_and_export_makes_it_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("w.wts"), kit::bench_weights(5, 900).to_bytes()).unwrap();
    let stonesmith = |arguments: &[&str]| {
        let output = Command::cargo_bin("stonesmith").unwrap().args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, _, errors) =
        stonesmith(&["bake", &path("w.wts"), "--lang", "c", "--out", &path("main.c"), "--max-bytes", "250000"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("250000") && errors.contains("stonesmith export"), "{errors}");
    assert!(!Path::new(&path("main.c")).exists());
    let (code, report, errors) =
        stonesmith(&["--json", "export", &path("w.wts"), "--out", &path("s.wts"), "--max-bytes", "250000"]);
    assert_eq!(code, Some(0), "{errors}");
    let small = Weights::read(Path::new(&path("s.wts"))).unwrap();
    assert_eq!(small.parent, kit::bench_weights(5, 900).hash());
    assert!(report.contains(&small.id()), "{report}");
    let (code, _, errors) =
        stonesmith(&["bake", &path("s.wts"), "--lang", "c", "--out", &path("main.c"), "--max-bytes", "250000"]);
    assert_eq!(code, Some(0), "{errors}");
    let source = std::fs::read_to_string(path("main.c")).unwrap();
    assert!(source.len() <= 250_000 && source.is_ascii());
    for word in
        [small.id(), "MIT OR Apache-2.0".to_string(), "Stonesmith".to_string(), bake::template_id(GameId::Othello)]
    {
        assert!(source[..400].contains(&word), "the origin names {word}");
    }
    // The compact form still plays by the same rules.
    compile("gcc", &["-std=c11", "-O1", "-DGOLDEN"], Path::new(&path("main.c")), Path::new(&path("golden")));
    let lines: String =
        POSITIONS.lines().filter(|line| !line.starts_with('%')).take(12).map(|l| format!("{l}\n")).collect();
    std::fs::write(path("some.obf"), &lines).unwrap();
    let (code, expected, errors) =
        stonesmith(&["bench", "--golden", &path("some.obf"), "--weights", &path("s.wts"), "--depth", "5"]);
    assert_eq!(code, Some(0), "{errors}");
    let expected: Vec<String> = expected.lines().map(str::to_string).collect();
    assert_lines(&expected, &run(Path::new(&path("golden")), &["5"], &lines), "the compact form");
}
