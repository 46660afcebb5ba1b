//! Undefined behaviour, bad addresses and reads of nothing show in whole games: the repository's champions, compiled with
//! ASan and UBSan and under valgrind, and the answer to the simulation.
//!
//! Slow programs are not slow judges: the referee's limits are wide, and recorded requests tell little time and begin the
//! clock anew now and then, so that there is something to search in every part of a game.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use stonesmith::bake::{self, Language, Limit};
use stonesmith::eval::weights::Weights;
use stonesmith::game::Position;
use stonesmith::game::othello::Othello;
use stonesmith::game::renju::Renju;
use stonesmith::rng::{Domain, RngExt, stream};

use crate::programs::{baked, compile, is_there, run, stonesmith};
use crate::simulation::random_cases;

const SANITIZE: [&str; 4] = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The sources of a game's bot, as C and as C++.
fn sources(game: &str, folder: &Path) -> [PathBuf; 2] {
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights").join(game);
    let name = std::fs::read_to_string(weights.join("champion")).unwrap();
    let weights = Weights::read(&weights.join(name.trim())).unwrap();
    [Language::C, Language::Cpp].map(|language| {
        let path = folder.join(language.file_name());
        std::fs::write(&path, baked(&weights, language)).unwrap();
        path
    })
}

/// The requests of a game at random, with `request` for each of its positions.
fn recorded<P: Position>(seed: u64, mut request: impl FnMut(&P, usize) -> String) -> (String, usize) {
    let mut rng = stream(seed, Domain::Test, 62);
    let (mut position, mut turn) = (P::start(), 0);
    let mut input = String::new();
    while position.outcome().is_none() {
        let moves = position.legal_moves();
        turn += 1;
        if turn % 3 == 1 {
            input += "READY\n";
        }
        input += &request(&position, turn);
        position.play(moves[rng.random_range(0..moves.len())]).unwrap();
    }
    (input, turn + turn.div_ceil(3))
}

/// A game of Othello, a second told to be left over before every move.
fn othello_requests(seed: u64) -> (String, usize) {
    recorded(seed, |position: &Othello<8>, turn| format!("TURN {turn} {} 1500 1500\n", position.board_text()))
}

/// A game of Renju that is set up before every move: the bot need not play what was played. Stones at random fill the
/// board with lines of all kinds.
fn renju_requests(seed: u64) -> (String, usize) {
    let (mut input, mut answers) = (String::new(), 0);
    // A game at random is over soon, a board of stones is not.
    for round in 0..3 {
        let (more, count) = recorded(seed + round, |position: &Renju, _| {
            let mut text = String::new();
            let _ = writeln!(text, "INIT {} {}", position.board_text(), position.ply());
            text + "TURN 2500 2500\n"
        });
        input += &more;
        answers += count;
    }
    (input, answers)
}

fn answers_all(command: &[PathBuf], (input, answers): &(String, usize)) {
    let output = run(command, &[], input.as_bytes());
    assert_eq!(output.lines().count(), *answers, "{command:?}");
}

/// Eight judged games against others and two against each other, without a fault.
fn judge(game: &str, programs: &[PathBuf]) {
    let [first, second] = [0, 1].map(|at| programs[at].to_str().unwrap());
    for (first, second) in
        [(first, "greedy"), (first, "random"), (second, "greedy"), (second, "random"), (first, second)]
    {
        let (code, text, errors) = stonesmith(&[
            "-q",
            "judge",
            game,
            "--first",
            first,
            "--second",
            second,
            "--games",
            "2",
            "--alternate",
            "--total-ms",
            "20000",
            "--cpu-ms",
            "60000",
            "--memory-mb",
            "4000",
        ]);
        assert_eq!(code, Some(0), "{errors}");
        assert!(text.lines().last().unwrap().ends_with("faults 0"), "{first} {second}: {text}");
    }
}

/// The bots of a game: C and C++ under the sanitizers of both compilers, with AVX2 and without, and under valgrind.
fn check(game: &str, referee: &str, requests: &(String, usize)) {
    let folder = tempfile::tempdir().unwrap();
    let [c, cpp] = sources(game, folder.path());
    let build = |compiler: &str, flags: &[&str], name: &str| {
        let (source, standard) = if compiler.ends_with("++") { (&cpp, "-std=gnu++20") } else { (&c, "-std=c2x") };
        let program = folder.path().join(name);
        compile(compiler, &[flags, &[standard]].concat(), source, &program);
        program
    };
    let programs = [build("gcc", &SANITIZE, "gcc"), build("g++", &SANITIZE, "g++")];
    judge(referee, &programs);
    let portable = [&SANITIZE[..], &["-DPORTABLE"]].concat();
    let mut commands = programs.map(|program| vec![program]).to_vec();
    commands.push(vec![build("g++", &portable, "portable")]);
    if is_there("clang") && is_there("clang++") {
        commands.push(vec![build("clang", &SANITIZE, "clang")]);
        commands.push(vec![build("clang++", &portable, "portable-clang")]);
    }
    if is_there("valgrind") {
        for (compiler, flags) in [("gcc", &["-O1", "-g"][..]), ("g++", &["-O1", "-g", "-DPORTABLE"])] {
            let program = build(compiler, flags, &format!("plain-{compiler}"));
            commands.push(valgrind(program));
        }
    } else {
        eprintln!("valgrind is missing: left out");
    }
    for command in commands {
        answers_all(&command, requests);
    }
}

fn valgrind(program: PathBuf) -> Vec<PathBuf> {
    let words = [
        "valgrind",
        "-q",
        "--leak-check=full",
        "--show-leak-kinds=definite",
        "--errors-for-leak-kinds=definite",
        "--error-exitcode=9",
    ];
    words.iter().map(PathBuf::from).chain([program]).collect()
}

#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn whole_games_of_othello_are_clean() {
    check("othello", "reversi", &othello_requests(1));
}

#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn whole_games_of_renju_are_clean() {
    check("renju", "renju", &renju_requests(2));
}

#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn the_simulation_is_clean() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("main.c");
    std::fs::write(&source, bake::simulation(Language::C, Limit::Bytes(1 << 20), 1).unwrap()).unwrap();
    let (sanitized, plain) = (folder.path().join("sanitized"), folder.path().join("plain"));
    compile("gcc", &[&SANITIZE[..], &["-std=c11"]].concat(), &source, &sanitized);
    compile("gcc", &["-O1", "-g", "-std=c11"], &source, &plain);
    let mut commands = vec![vec![sanitized]];
    if is_there("valgrind") {
        commands.push(valgrind(plain));
    }
    let garbled: String = random_cases().replace(" 2\n", " 7 x\n");
    for command in commands {
        assert_eq!(run(&command, &[], random_cases().as_bytes()).lines().count(), 60);
        run(&command, &[], garbled.as_bytes());
        run(&command, &[], b"2\n6 2\n2 3 1\n2 2 2\n4 1\n");
    }
}
