//! Baked bots in C and C++ against the Rust engine: equal golden lines from every compiler and instruction set, equal
//! time plans. (`baked.rs` has Python, sizes, dialects and machines.)
//!
//! Needs gcc and g++ (clang too where it is there). The positions are those of `tests/data/golden.obf`: games drawn
//! from numbered seeds, forced passes, ends of games, wipeouts, and published endgame problems.

#[path = "baked/programs.rs"]
#[allow(dead_code, reason = "other test programs use the rest")]
mod programs;

use std::path::{Path, PathBuf};
use std::thread;

use stonesmith::bake::{Language, template};
use stonesmith::dataset::obf::{self, ScoredPosition};
use stonesmith::eval::evaluator::Evaluator;
use stonesmith::eval::othello::DISC;
use stonesmith::eval::weights::Weights;
use stonesmith::game::Position;
use stonesmith::game::othello::Othello;
use stonesmith::kit;
use stonesmith::search::clock::{PLAN_MS, Pace, budget};
use stonesmith::search::othello::{Engine, golden};

use programs::{assert_lines, baked, compile, is_there, run};

const POSITIONS: &str = include_str!("data/golden.obf");

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
            let source = baked(weights, language);
            assert_eq!(source, baked(weights, language), "the same input gives the same bytes");
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
            let found = run(std::slice::from_ref(program), &[&DEPTH.to_string()], POSITIONS.as_bytes());
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
    assert_lines(&expected, &run(&[program.into()], &["--plan"], input.as_bytes()), "time plans");
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
    assert_lines(&expected, &run(&[program.into()], &["--solve"], input.as_bytes()), "solves");
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

/// The regions of the templates are what a bake of their little weights writes.
#[test]
fn the_templates_hold_the_bakes_of_their_own_weights() {
    // Baked Python has one blank a level.
    let python = template::python_indented_by_one(template::OTHELLO_PY, true);
    for (language, text) in [(Language::C, template::OTHELLO_C), (Language::Python, &python)] {
        let baked = baked(&kit::template_weights(), language);
        for name in ["spelling", "memory", "patterns", "probcut", "weights"] {
            assert_eq!(template::region(text, name), template::region(&baked, name), "region {name}");
        }
    }
}
