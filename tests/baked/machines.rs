//! Machines nobody here has seen: compilers and standards, sanitizers, slow judges, stalls, little memory.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use stonesmith::bake::{self, Language, Limit, Options};
use stonesmith::dataset::obf;
use stonesmith::eval::evaluator::Evaluator;
use stonesmith::eval::weights::Weights;
use stonesmith::game::othello::Othello;
use stonesmith::game::renju::Renju;
use stonesmith::game::{Move, Position};
use stonesmith::kit;
use stonesmith::search::othello::{Engine, golden};
use stonesmith::search::renju;

use crate::programs::{Bot, assert_lines, baked, bots, compile, is_there, run, stonesmith};

const POSITIONS: &str = include_str!("../../src/search/othello/bench.obf");
const RENJU_POSITIONS: &str = include_str!("../../src/search/renju/bench.obf");
const MINGW: [(&str, Language, &str); 2] =
    [("x86_64-w64-mingw32-g++", Language::Cpp, "-std=gnu++20"), ("x86_64-w64-mingw32-gcc", Language::C, "-std=c11")];

/// A game's bot with the bench's weights, positions, and the golden lines at a depth.
struct Case {
    weights: Weights,
    positions: &'static str,
    depth: &'static str,
    expected: Vec<String>,
}

impl Case {
    fn othello() -> Case {
        let weights = kit::bench_weights(1, 60);
        let positions = obf::parse::<Othello<8>>(POSITIONS, Path::new("bench.obf")).unwrap();
        let mut engine = Engine::<8>::new(Evaluator::new(&weights).unwrap(), golden::TT_BITS);
        let expected = positions.iter().map(|scored| golden::line(&mut engine, &scored.position, 3)).collect();
        Case { weights, positions: POSITIONS, depth: "3", expected }
    }

    fn renju() -> Case {
        let weights = kit::renju_bench_weights(1);
        let positions = obf::parse::<Renju>(RENJU_POSITIONS, Path::new("bench.obf")).unwrap();
        let evaluator = stonesmith::eval::renju::Evaluator::new(&weights).unwrap();
        let mut engine = renju::Engine::new(evaluator, renju::golden::TT_BITS);
        let expected = positions.iter().map(|scored| renju::golden::line(&mut engine, &scored.position, 4)).collect();
        Case { weights, positions: RENJU_POSITIONS, depth: "4", expected }
    }

    /// Compiles the bot in every way of `builds`, as a bot and for goldens, and compares these.
    fn compare<'a>(&self, builds: impl IntoIterator<Item = (&'a str, &'a [&'a str])>) {
        let folder = tempfile::tempdir().unwrap();
        let (c, cpp) = (folder.path().join("main.c"), folder.path().join("main.cpp"));
        std::fs::write(&c, baked(&self.weights, Language::C)).unwrap();
        std::fs::write(&cpp, baked(&self.weights, Language::Cpp)).unwrap();
        for (compiler, flags) in builds {
            if !is_there(compiler) {
                eprintln!("{compiler} is missing: left out");
                continue;
            }
            let program = folder.path().join("program");
            let source = if compiler.contains("++") { &cpp } else { &c };
            compile(compiler, flags, source, &program);
            compile(compiler, &[flags, &["-DGOLDEN"][..]].concat(), source, &program);
            let found = run(std::slice::from_ref(&program), &[self.depth], self.positions.as_bytes());
            assert_lines(&self.expected, &found, &format!("{compiler} {flags:?}"));
        }
    }
}

#[test]
fn other_standards_and_optimisations_search_the_same_tree() {
    Case::othello().compare([
        ("gcc", &["-O0", "-std=c2x", "-pedantic-errors"][..]),
        ("g++", &["-O3", "-march=native", "-std=gnu++23"]),
    ]);
}

#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn every_standard_and_optimisation_searches_the_same_tree() {
    let mut builds: Vec<(&str, Vec<&str>)> = Vec::new();
    for standard in ["-std=c11", "-std=gnu11", "-std=c17", "-std=gnu17", "-std=c2x", "-std=gnu2x"] {
        builds.extend([("gcc", vec!["-O0", standard]), ("clang", vec!["-O0", standard])]);
    }
    for standard in ["-std=gnu++17", "-std=gnu++20", "-std=gnu++2b", "-std=c++17", "-std=c++20"] {
        builds.extend([("g++", vec!["-O0", standard]), ("clang++", vec!["-O0", standard])]);
    }
    for level in ["-O1", "-O2", "-O3", "-Os", "-Ofast"] {
        builds.extend([("gcc", vec![level, "-std=c11"]), ("g++", vec![level, "-std=gnu++20", "-march=native"])]);
    }
    builds.extend([("clang", vec!["-O2", "-std=c11"]), ("clang++", vec!["-O2", "-march=native", "-std=gnu++20"])]);
    builds.push(("g++", vec!["-O2", "-std=gnu++20", "-DPORTABLE"]));
    // Whatever other versions this machine has; judges have older and newer ones than the system's.
    let others: Vec<(String, String)> = (11..=16)
        .map(|version| (format!("gcc-{version}"), format!("g++-{version}")))
        .chain((13..=22).map(|version| (format!("clang-{version}"), format!("clang++-{version}"))))
        .filter(|(c, cpp)| is_there(c) && is_there(cpp))
        .collect();
    for (c, cpp) in &others {
        builds.extend([(c.as_str(), vec!["-O2", "-std=c11"]), (c, vec!["-O3", "-march=native", "-std=c2x"])]);
        builds.extend([(cpp.as_str(), vec!["-O2", "-std=c++17"]), (cpp, vec!["-O3", "-march=native", "-std=gnu++2b"])]);
    }
    for case in [Case::othello(), Case::renju()] {
        case.compare(builds.iter().map(|(compiler, flags)| (*compiler, &flags[..])));
    }
}

/// Windows judges: the file compiles, and links without anything beside it.
#[test]
fn mingw_compiles_it() {
    let folder = tempfile::tempdir().unwrap();
    for (compiler, language, standard) in MINGW {
        if !is_there(compiler) {
            eprintln!("{compiler} is missing: left out");
            continue;
        }
        let source = folder.path().join(language.file_name());
        for weights in [kit::template_weights(), kit::renju_bench_weights(1)] {
            std::fs::write(&source, baked(&weights, language)).unwrap();
            compile(compiler, &["-O1", standard, "-static"], &source, &folder.path().join("bot.exe"));
        }
    }
}

/// A whole game of requests against the bot itself; answers are checked and each is a legal action.
fn whole_game(mut ask: impl FnMut(&str) -> String) -> usize {
    let mut position = Othello::<8>::start();
    let mut turn = 0;
    while !position.is_over() {
        turn += 1;
        let answer = ask(&format!("TURN {turn} {}\n", position.board_text()));
        let numbers: Vec<u8> = answer.split(' ').filter_map(|word| word.parse().ok()).collect();
        let mv = if answer == "PASS" { Move::PASS } else { Move(8 * (numbers[0] - 1) + numbers[1] - 1) };
        position.play(mv).unwrap_or_else(|error| panic!("{answer}: {error}"));
    }
    turn
}

/// A running bot that is spoken to line by line.
struct Session {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    waited: Duration,
}

impl Session {
    fn start(command: &[PathBuf]) -> Session {
        let mut child =
            Command::new(&command[0]).args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Session { child, output, waited: Duration::ZERO }
    }

    fn ask(&mut self, request: &str) -> String {
        let begin = Instant::now();
        self.child.stdin.as_mut().unwrap().write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        self.waited += begin.elapsed();
        line.trim_end().to_string()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

fn champion_bots(folder: &Path) -> Vec<Bot> {
    let mut found = Vec::new();
    for (lang, language) in [("c", Language::C), ("py", Language::Python)] {
        let out = folder.join(format!("baked.{lang}"));
        let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/othello");
        let name = std::fs::read_to_string(weights.join("champion")).unwrap();
        let weights = weights.join(name.trim()).display().to_string();
        let (code, _, errors) = stonesmith(&["bake", &weights, "--lang", lang, "--out", out.to_str().unwrap()]);
        assert_eq!(code, Some(0), "{errors}");
        let folder = folder.join(lang);
        std::fs::create_dir(&folder).unwrap();
        found.extend(bots(&std::fs::read_to_string(&out).unwrap(), language, &folder));
    }
    found
}

/// A machine that stands still for 200 ms every second: the sum of answer times stays below the limit.
#[test]
#[ignore = "measures time: scripts/test.sh --full"]
fn stalls_of_200_ms_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    for bot in champion_bots(folder.path()) {
        let mut session = Session::start(&bot.command);
        let pid = i32::try_from(session.child.id()).unwrap();
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let stalls = thread::spawn(move || {
            while stopped.recv_timeout(Duration::from_millis(800)).is_err() {
                // SAFETY: the process is our child and is waited for only after this thread has ended.
                unsafe { libc::kill(pid, libc::SIGSTOP) };
                thread::sleep(Duration::from_millis(200));
                // SAFETY: as above.
                unsafe { libc::kill(pid, libc::SIGCONT) };
            }
        });
        assert_eq!(session.ask("READY\n"), "OK");
        // The bot plays both sides, so it answers twice as often as in a game.
        whole_game(|request| session.ask(request));
        stop.send(()).unwrap();
        stalls.join().unwrap();
        assert!(session.waited < Duration::from_millis(5000), "{}: {:?}", bot.name, session.waited);
    }
}

/// A judge three times slower, over a hundred games: no loss on time.
#[test]
#[ignore = "measures time: scripts/test.sh --full"]
fn a_judge_three_times_slower_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    for bot in champion_bots(folder.path()) {
        let command: Vec<String> = bot.command.iter().map(|part| part.display().to_string()).collect();
        let (code, text, errors) = stonesmith(&[
            "judge",
            "reversi",
            "--first",
            &command.join(" "),
            "--second",
            "random",
            "--games",
            "34",
            "--alternate",
            "--slowdown",
            "3",
        ]);
        assert_eq!(code, Some(0), "{errors}");
        assert!(text.lines().last().unwrap().ends_with("faults 0"), "{}: {text}", bot.name);
    }
}

/// The switch for memory: less than it says, and a refusal below what the program needs.
#[test]
fn memory_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let start = "...........................WB......BW...........................";
    for (language, megabytes, least) in [
        (Language::C, None, "28"),
        (Language::C, Some(40), "28"),
        (Language::Python, None, "111"),
        (Language::Python, Some(130), "111"),
    ] {
        let options = Options { memory_mb: megabytes, ..Options::new(language, 0).limited(Limit::Bytes(usize::MAX)) };
        let source = bake::bake(&kit::bench_weights(1, 60), &options).unwrap();
        for bot in bots(&source, language, folder.path()) {
            let mut session = Session::start(&bot.command);
            assert_eq!(session.ask("READY\n"), "OK");
            // Midgame positions fill the table.
            for scored in obf::parse::<Othello<8>>(POSITIONS, Path::new("bench.obf")).unwrap().iter().skip(2).take(2) {
                let turn = if scored.position.side_to_move() == stonesmith::game::Color::Black { 1 } else { 2 };
                session.ask(&format!("READY\nTURN {turn} {}\n", scored.position.board_text()));
                let mut answer = String::new();
                session.output.read_line(&mut answer).unwrap();
            }
            session.ask(&format!("TURN 1 {start}\n"));
            let status = std::fs::read_to_string(format!("/proc/{}/status", session.child.id())).unwrap();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
            let kilobytes: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
            let most = megabytes.unwrap_or(200);
            assert!(kilobytes <= most << 10, "{} may take {most} MiB and takes {kilobytes} kB", bot.name);
        }
        let error = bake::bake(&kit::bench_weights(1, 60), &Options { memory_mb: Some(8), ..options }).unwrap_err();
        assert!(error.to_string().contains(&format!("at least {least} MiB")), "{error}");
    }
}
