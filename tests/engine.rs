//! `engine` from outside: each protocol's commands with their answers, its errors, and lines that make no sense.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use stonesmith::game::Position;
use stonesmith::game::othello::Othello;

fn engine(arguments: &[&str], input: &str) -> Output {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_stonesmith"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .arg("engine")
        .args(arguments)
        .write_stdin(input.as_bytes().to_vec())
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap()
}

/// The answers of a session that must end well.
#[track_caller]
fn answers(arguments: &[&str], input: &str) -> String {
    let output = engine(arguments, input);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const GTP: [&str; 6] = ["--protocol", "gtp", "--weights", "greedy", "-g", "othello"];
const NBOARD: [&str; 4] = ["--protocol", "nboard", "--weights", "greedy"];
const GOMOCUP: [&str; 6] = ["--protocol", "gomocup", "--weights", "greedy", "-g", "renju"];

#[test]
fn gtp_commands_have_their_answers() {
    // Greedy takes the lowest of equals: d3 first; after d3 c3 d4 becomes white again, and so on by the rules.
    for (command, expected) in [
        ("protocol_version", "= 2\n\n"),
        ("name", "= Stonesmith\n\n"),
        ("12 name", "=12 Stonesmith\n\n"),
        ("known_command genmove", "= true\n\n"),
        ("known_command fly", "= false\n\n"),
        ("boardsize 8", "=\n\n"),
        ("boardsize 19", "? unacceptable size\n\n"),
        ("boardsize", "? boardsize not an integer\n\n"),
        ("boardsize x", "? boardsize not an integer\n\n"),
        ("clear_board", "=\n\n"),
        ("komi 6.5", "=\n\n"),
        ("komi", "? komi not a float\n\n"),
        ("play b d3", "=\n\n"),
        ("play BLACK D3", "=\n\n"),
        ("play b a1", "? illegal move\n\n"),
        ("play b pass", "? illegal move\n\n"),
        ("play w d3", "? illegal move: it is the other side's turn\n\n"),
        ("play red d3", "? invalid color or coordinate\n\n"),
        ("play b z9", "? invalid color or coordinate\n\n"),
        ("play b", "? expected a colour and a move\n\n"),
        ("genmove b", "= d3\n\n"),
        ("genmove w", "? it is the other side's turn\n\n"),
        ("genmove", "? expected a colour\n\n"),
        ("undo", "? cannot undo\n\n"),
        ("play b d3\nundo\nplay b c4", "=\n\n=\n\n=\n\n"),
        ("reg_genmove b\nreg_genmove b", "= d3\n\n= d3\n\n"),
        ("time_settings 5 0 0", "=\n\n"),
        ("time_settings 5", "? expected three whole numbers\n\n"),
        ("time_left b 3 0", "=\n\n"),
        ("time_left b three 0", "? expected a colour, seconds and stones\n\n"),
        ("final_score", "? the game is not over\n\n"),
        ("set_game Othello", "=\n\n"),
        ("set_game Go", "? unsupported game\n\n"),
        ("fly", "? unknown command\n\n"),
        ("7 fly", "?7 unknown command\n\n"),
        ("7", "?7 unknown command\n\n"),
        ("# a comment\n\n \t\nname # another", "= Stonesmith\n\n"),
        ("name\r", "= Stonesmith\n\n"),
        ("quit\nname", "=\n\n"),
    ] {
        assert_eq!(answers(&GTP, &format!("{command}\n")), expected, "{command}");
    }
    let shown = answers(&GTP, "showboard\n");
    assert!(shown.contains("4 . . . W B . . .") && shown.contains("black to move"), "{shown}");
    let listed = answers(&GTP, "list_commands\n");
    assert!(["play", "genmove", "undo", "final_score"].iter().all(|name| listed.contains(name)), "{listed}");
}

#[test]
fn gtp_plays_a_whole_game_and_counts_it() {
    // The shortest game there is: Black takes everything with 9 discs, and the empties go to the winner.
    let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    let script: String = moves.iter().enumerate().map(|(i, mv)| format!("play {} {mv}\n", ["b", "w"][i % 2])).collect();
    let text = answers(&GTP, &format!("{script}final_score\ngenmove w\n"));
    assert_eq!(text, format!("{}= B+64\n\n= pass\n\n", "=\n\n".repeat(9)));
}

#[test]
fn gtp_understands_a_pass_nobody_told() {
    // Black d1 leaves White without a move, and Black to move again: told or not, the next move is Black's.
    let (moves, black_again) = before_a_pass();
    let script: String = moves.iter().map(|(color, mv)| format!("play {color} {mv}\n")).collect();
    let passer = if black_again == "b" { "w" } else { "b" };
    let silent = answers(&GTP, &format!("{script}genmove {black_again}\n"));
    let told = answers(&GTP, &format!("{script}play {passer} pass\ngenmove {black_again}\n"));
    assert_eq!(silent.lines().filter(|line| line.len() > 1).count(), 1, "{silent}");
    assert_eq!(silent.split('=').next_back(), told.split('=').next_back());
}

/// A game up to a forced pass, and the side that moves after it.
fn before_a_pass() -> (Vec<(&'static str, String)>, &'static str) {
    use stonesmith::game::{Color, Move};
    use stonesmith::rng::{Domain, RngExt, stream};
    let letter = |color| if color == Color::Black { "b" } else { "w" };
    for index in 0.. {
        let mut draws = stream(1, Domain::Test, index);
        let mut position = Othello::<8>::start();
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            let legal = position.legal_moves();
            if legal == [Move::PASS] {
                return (moves, letter(position.side_to_move().opponent()));
            }
            let mv = legal[draws.random_range(0..legal.len())];
            moves.push((letter(position.side_to_move()), Othello::<8>::move_text(mv)));
            position.play(mv).unwrap();
        }
    }
    unreachable!()
}

#[test]
fn time_is_kept_by_an_engine_that_searches() {
    // Half a second for the whole game: an answer to a fixed depth of 60 would take years.
    let begin = std::time::Instant::now();
    let text = answers(
        &["--protocol", "gtp", "--weights", "champion"],
        "time_settings 1 0 0\ngenmove b\ngenmove w\ngenmove b\ntime_left w 0.05 0\ngenmove w\n",
    );
    assert_eq!(text.matches("= ").count(), 4, "{text}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn nboard_answers_go_hint_and_ping() {
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let game = |moves: &str| format!("set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]{start}{moves};)\n");
    let go = |moves: &str, more: &str| {
        let text = answers(&NBOARD, &format!("nboard 2\nset depth 4\n{}{more}ping 7\ngo\n", game(moves)));
        assert!(text.starts_with("set myname Stonesmith"), "{text}");
        assert!(text.contains("pong 7\n"), "{text}");
        let line = text.lines().find(|line| line.starts_with("===")).expect("a move").to_string();
        line.trim_start_matches("=== ").split('/').next().unwrap().to_string()
    };
    assert_eq!(go("", ""), "D3");
    // The engine's own move is not played until it is told.
    assert_eq!(go("", "go\n"), "D3");
    assert_eq!(go("B[D3]", ""), go("", "move D3/1.0/0.1\n"));
    let hints = answers(&NBOARD, &format!("nboard 2\n{}hint 3\n", game("")));
    assert_eq!(hints.lines().filter(|line| line.starts_with("search ")).count(), 3, "{hints}");
    assert_eq!(answers(&NBOARD, "learn\nset contempt 0\nanalyze\nfly\n"), "learned\n");
    for (line, part) in [
        ("move A1", "illegal"),
        ("move hello", "no move"),
        ("set game nonsense", "(;"),
        ("set depth deep", "number"),
        ("set game (;GM[Othello]BO[8 --- *];)", "error"),
    ] {
        let text = answers(&NBOARD, &format!("{line}\nping 1\n"));
        assert!(
            text.starts_with("status error") && text.contains(part) && text.ends_with("pong 1\n"),
            "{line}: {text}"
        );
    }
}

#[test]
fn nboard_passes_where_it_must() {
    let (moves, next) = before_a_pass();
    let moves: String = moves.iter().map(|(color, mv)| format!("{}[{mv}]", color.to_uppercase())).collect();
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let game = format!("set game (;GM[Othello]TY[8]{start}{moves};)\n");
    let text = answers(&NBOARD, &format!("{game}go\nmove PA\ngo\n"));
    let moves: Vec<&str> = text.lines().filter(|line| line.starts_with("===")).collect();
    assert_eq!(moves.len(), 2, "{text} {next}");
    assert!(moves[0].starts_with("=== PA/") && !moves[1].starts_with("=== PA"), "{text}");
}

#[test]
fn gomocup_commands_have_their_answers() {
    for (script, expected) in [
        ("START 15\nBEGIN\n", "OK\n7,7\n"),
        ("START 20\n", "ERROR size 20 is not supported: the board is 15\n"),
        ("START\n", "ERROR START needs a size\n"),
        ("RECTSTART 15,15\n", "ERROR only START 15 is supported\n"),
        ("BEGIN\n", "ERROR no board: START comes first\n"),
        ("TURN 7,7\n", "ERROR no board: START comes first\n"),
        ("START 15\nTURN 7\n", "OK\nERROR `7` is no point of the board\n"),
        ("START 15\nTURN 15,0\n", "OK\nERROR `15,0` is no point of the board\n"),
        ("START 15\nBEGIN\nTURN 7,7\n", "OK\n7,7\nERROR 7,7 is occupied\n"),
        ("START 15\nBEGIN\nRESTART\nBEGIN\n", "OK\n7,7\nOK\n7,7\n"),
        ("START 15\nINFO timeout_turn 100\nINFO rule 4\nINFO nonsense\nINFO\nBEGIN\n", "OK\n7,7\n"),
        ("start 15\r\nbegin\r\n", "OK\n7,7\n"),
        ("START 15\nBOARD\n7,7,1\nDONE\n", "OK\nERROR 1 own and 0 other stones: not our turn\n"),
        ("START 15\nBOARD\n7,7,2\n7,7,2\nDONE\n", "OK\nERROR `7,7,2`: a stone is there already\n"),
        ("START 15\nBOARD\n7,7,9\nDONE\n", "OK\nERROR `7,7,9`: expected 1 (own) or 2 (opponent) at its end\n"),
        ("START 15\nTURN 7,7\nTAKEBACK 0,0\n", "OK\n6,6\nERROR no stone there to take back\n"),
        ("FLY\n", "UNKNOWN FLY\n"),
        ("END\nSTART 15\n", ""),
    ] {
        assert_eq!(answers(&GOMOCUP, script), expected, "{script}");
    }
    assert!(answers(&GOMOCUP, "ABOUT\n").starts_with("name=\"Stonesmith\", version="));
    // White to make five in the row with five or more: greedy sees the longest line. Column a is x = 0.
    let own = (0..4).map(|x| format!("{x},0,1\n")).collect::<String>();
    let other = [(7, 7), (9, 9), (11, 5), (3, 12), (13, 2)].map(|(x, y)| format!("{x},{y},2\n")).concat();
    assert_eq!(answers(&GOMOCUP, &format!("START 15\nBOARD\n{other}{own}DONE\n")), "OK\n4,0\n");
}

#[test]
fn judges_are_answered_in_their_dialects() {
    let judge = ["--protocol", "judge", "--weights", "greedy"];
    let board = Othello::<8>::start().board_text();
    let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    for turn in [
        format!("TURN 1 {board}"),
        format!("turn 1 {board}\r"),
        format!("TURN {board} 1"),
        format!("START TURN 1 {} 5000 5000", board.replace('.', "-").replace('B', "X").replace('W', "O")),
        format!("TURN 1 {}", rows.join(" ")),
        format!("TURN 1\n{}", rows.join("\n")),
        format!("TURN 1 {}", board.replace('.', "0")),
    ] {
        assert_eq!(answers(&judge, &format!("READY FIRST\nHELLO\n\n{turn}\n")), "OK\nMOVE 3 4\n", "{turn}");
    }
    let full = "B".repeat(63) + ".";
    assert_eq!(answers(&judge, &format!("READY SECOND\nTURN 2 {full}\n")), "OK\nPASS\n");
    let renju = ["--protocol", "judge", "--weights", "greedy", "-g", "renju"];
    assert_eq!(answers(&renju, "READY FIRST\nTURN 10000 10000\nFINISH\nTURN 1 1\n"), "OK\nMOVE 8 8\n");
    assert_eq!(answers(&renju, "READY SECOND\nOPP 8 8 10\nTURN 10000 9990\n"), "OK\nMOVE 7 7\n");
}

#[test]
fn nonsense_never_ends_a_session() {
    use stonesmith::rng::{Domain, RngExt, stream};
    let words = [
        "play",
        "b",
        "w",
        "d3",
        "pass",
        "genmove",
        "set",
        "game",
        "(;GM[",
        "BO[8",
        "]",
        "TURN",
        "7,7",
        "-1,-1",
        "BOARD",
        "DONE",
        "START",
        "15",
        "INFO",
        "timeout_turn",
        "nan",
        "inf",
        "-5",
        "99999999999999999999",
        "move",
        "go",
        "hint",
        "READY",
        "OPP",
        "INIT",
        "\u{0}",
        "é",
        "time_settings",
        "time_left",
        "undo",
        "TAKEBACK",
        "RESTART",
        "BEGIN",
    ];
    let mut draws = stream(1, Domain::Test, 77);
    let mut text = String::new();
    for _ in 0..400 {
        for _ in 0..draws.random_range(0..5) {
            text += words[draws.random_range(0..words.len())];
            text.push(' ');
        }
        text.push('\n');
    }
    for arguments in [&GTP[..], &NBOARD, &GOMOCUP, &["--protocol", "judge", "--weights", "greedy"]] {
        answers(arguments, &text);
    }
    answers(&["--protocol", "judge", "--weights", "greedy", "-g", "renju"], &text);
}

#[test]
fn a_protocol_of_another_game_is_bad_usage() {
    for (arguments, part) in [
        (vec!["--protocol", "gomocup", "--weights", "greedy"], "renju"),
        (vec!["--protocol", "nboard", "--weights", "greedy", "-g", "renju"], "Othello"),
        (vec!["--protocol", "judge", "--weights", "greedy", "-g", "othello6"], "8×8"),
        (vec!["--protocol", "gtp", "--weights", "no-such.wts"], "no-such.wts"),
        (vec!["--protocol", "fly"], "fly"),
    ] {
        let output = engine(&arguments, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
}
