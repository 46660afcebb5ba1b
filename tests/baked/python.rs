//! Python bots against the Rust engine's `lite` profile: equal golden lines from CPython and PyPy.

use std::path::Path;

use stonesmith::bake::Language;
use stonesmith::dataset::obf;
use stonesmith::eval::weights::ProbCut;
use stonesmith::game::othello::Othello;
use stonesmith::game::{Color, Move, Position};
use stonesmith::kit;
use stonesmith::rng::{Domain, RngExt, stream};
use stonesmith::search::othello::lite::{self, Lite};

use crate::programs::{assert_lines, baked, bots, run};

const POSITIONS: &str = include_str!("../data/golden.obf");

#[test]
fn golden_lines_of_python_are_those_of_rust() {
    const DEPTH: u8 = 3;
    let positions = obf::parse::<Othello<8>>(POSITIONS, Path::new("golden.obf")).unwrap();
    // Weights drawn at random, with a knot at each end of a ply and a scale of its own: what is wrong shows.
    let mut wild = kit::bench_weights(7, 2000);
    wild.values.extend(wild.row(0).to_vec());
    wild.knots = vec![0, 17, 18, 44];
    wild.scale = 1024;
    // Two lines of Multi-ProbCut where the searches are deep enough for one.
    let line = |ply, shallow| ProbCut { ply, deep: 3, shallow, slope: 1000, intercept: -3, deviation: 40 };
    wild.probcut = vec![line(5, 1), line(20, 2), line(24, 1)];
    let mut seen = Vec::new();
    for (weights, every) in [(kit::bench_weights(1, 60), 2), (wild, 5)] {
        let folder = tempfile::tempdir().unwrap();
        let source = baked(&weights, Language::Python);
        assert_eq!(source, baked(&weights, Language::Python), "the same input gives the same bytes");
        let mut engine = Lite::new(&weights).unwrap();
        let some: Vec<_> = positions.iter().step_by(every).collect();
        let expected: Vec<String> =
            some.iter().map(|scored| lite::line(&mut engine, &scored.position, DEPTH)).collect();
        let input: String = some.iter().map(|scored| format!("{}\n", scored.text)).collect();
        for bot in bots(&source, Language::Python, folder.path()) {
            let found = run(&bot.command, &["--golden", &DEPTH.to_string()], input.as_bytes());
            assert_lines(&expected, &found, &bot.name);
        }
        seen.push(expected);
    }
    assert_ne!(seen[0][0], seen[1][0], "the weights matter");
}

/// Positions of random games in which a move leaves the opponent without any: searches of two plies that pass at the last.
fn before_passes(count: usize) -> Vec<Othello<8>> {
    let passes_next = |position: &Othello<8>| {
        position.legal_moves().iter().any(|&mv| {
            let mut next = *position;
            next.play(mv).is_ok() && next.legal_moves() == [Move::PASS]
        })
    };
    let mut found = Vec::new();
    for game in 0.. {
        let mut rng = stream(game, Domain::Test, 60);
        let mut position = Othello::<8>::start();
        // Fewer empty squares are solved.
        while position.outcome().is_none() && position.empties().count_ones() > 12 {
            if passes_next(&position) {
                found.push(position);
                break;
            }
            let moves = position.legal_moves();
            position.play(moves[rng.random_range(0..moves.len())]).unwrap();
        }
        if found.len() == count {
            break;
        }
    }
    found
}

#[test]
fn python_sees_the_board_after_a_pass_at_the_last_ply() {
    let weights = kit::bench_weights(1, 60);
    let folder = tempfile::tempdir().unwrap();
    let source = baked(&weights, Language::Python);
    let mut engine = Lite::new(&weights).unwrap();
    let positions = before_passes(40);
    let color = |position: &Othello<8>| if position.side_to_move() == Color::Black { 'X' } else { 'O' };
    let input: String =
        positions.iter().map(|position| format!("{} {}\n", position.board_text(), color(position))).collect();
    let expected: Vec<String> = positions.iter().map(|position| lite::line(&mut engine, position, 2)).collect();
    for bot in bots(&source, Language::Python, folder.path()) {
        let found = run(&bot.command, &["--golden", "2"], input.as_bytes());
        assert_lines(&expected, &found, &bot.name);
    }
}

/// Solves of positions whose score is published.
#[test]
fn lite_solves_what_is_published() {
    let positions = obf::parse::<Othello<8>>(POSITIONS, Path::new("golden.obf")).unwrap();
    let mut engine = Lite::new(&kit::bench_weights(3, 40)).unwrap();
    let mut found = 0;
    for scored in positions.iter().filter(|scored| scored.position.empties().count_ones() <= 16) {
        let Some(score) = scored.best_score() else { continue };
        engine.forget();
        let result = engine.search(&scored.position, 60, 60);
        assert_eq!(result.score, 16 * score, "{}", scored.text);
        let best = scored.moves.iter().find(|(mv, _)| *mv == result.best).map(|&(_, score)| score);
        assert!(best.is_none_or(|best| best == score), "{}", Othello::<8>::move_text(result.best));
        found += 1;
    }
    assert!(found >= 1);
}

/// Some judges run the compiled file: the bot must not need its source.
#[test]
fn the_compiled_file_alone_plays() {
    let folder = tempfile::tempdir().unwrap();
    let source = baked(&kit::template_weights(), Language::Python);
    for bot in bots(&source, Language::Python, folder.path()) {
        let (file, moved) = (folder.path().join("main.py"), folder.path().join(format!("{}.pyc", bot.name)));
        let script = format!("import py_compile; py_compile.compile({file:?}, cfile={moved:?}, doraise=True)");
        run(&bot.command[..1], &["-c", &script], b"");
        let elsewhere = tempfile::tempdir().unwrap();
        let alone = elsewhere.path().join("bot.pyc");
        std::fs::rename(&moved, &alone).unwrap();
        let command = [bot.command[0].clone(), alone];
        let input = b"READY FIRST\nTURN 1 ...........................WB......BW...........................\n";
        let output = run(&command, &[], input);
        assert!(output.starts_with("OK\nMOVE ") && output.lines().count() == 2, "{}: {output}", bot.name);
    }
}
