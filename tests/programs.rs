//! Matches against programs of GTP, NBoard and Gomocup: told the truth, timed, and every fault with its reason.
//!
//! The programs are `tests/bots/linebot.rs`, built as an example, and our own `engine`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use example::example;
use serde_json::Value;

#[path = "bots/example.rs"]
mod example;

fn linebot() -> &'static Path {
    static BOT: OnceLock<PathBuf> = OnceLock::new();
    BOT.get_or_init(|| example("linebot"))
}

fn bot(protocol: &str, mode: &str) -> String {
    format!("{protocol}:'{}' {protocol} {mode}", linebot().display())
}

fn engine(protocol: &str, more: &str) -> String {
    format!("{protocol}:'{}' engine --protocol {protocol} {more}", env!("CARGO_BIN_EXE_stonesmith"))
}

/// Runs a match in the repository's folder, where the champion is; answers the result and what went to stderr.
#[track_caller]
fn play(arguments: &[&str]) -> (Value, String) {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_stonesmith"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["match", "--json"])
        .args(arguments)
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    (serde_json::from_slice(&output.stdout).unwrap(), errors)
}

/// The games of a match between two players, as recorded.
#[track_caller]
fn games(a: &str, b: &str, more: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let (result, errors) = play(&[&["-q", a, b, "--out", out.to_str().unwrap()], more].concat());
    assert_eq!(result["faults"], 0, "{a} {b}: {result} {errors}");
    let text = fs::read_to_string(out.join("pairs.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| line["games"].clone()).collect()
}

#[test]
fn a_program_plays_the_same_games_as_the_player_it_imitates() {
    let here = games("random", "greedy", &["--pairs", "6"]);
    for protocol in ["gtp", "nboard"] {
        assert_eq!(games("random", &bot(protocol, "greedy"), &["--pairs", "6"]), here, "{protocol}");
    }
    // Random games of Othello pass now and then; the bot that takes passes for understood keeps up.
    assert_eq!(games("random", &bot("gtp", "no-pass"), &["--pairs", "6"]), here);
    let renju = ["--pairs", "4", "-g", "renju"];
    assert_eq!(games("greedy", &bot("gomocup", "greedy"), &renju), games("greedy", "greedy", &renju));
}

#[test]
fn our_engine_behind_a_protocol_plays_what_it_plays_in_a_match() {
    // Generated openings are balanced by the weights at hand, and a program's are not: here all play the same ones.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    fs::write(&file, "f5d6c3d3c4\nf5f6e6f4\n").unwrap();
    let conditions = ["--pairs", "2", "--depth", "2", "--openings", file.to_str().unwrap()];
    let here = games("champion", "greedy", &conditions);
    let gtp = engine("gtp", "--weights champion --depth 2 --hash-mb 4");
    assert_eq!(games(&gtp, "greedy", &conditions), here);
    let nboard = engine("nboard", "--weights champion --hash-mb 4");
    assert_eq!(games(&nboard, "greedy", &conditions), here);
    // An engine that knows the rules alone sees fives coming, and greedy does not.
    let searching = engine("gomocup", "-g renju --weights zero --nodes 300");
    let (result, _) = play(&["-q", "-g", "renju", &searching, "greedy", "--pairs", "2"]);
    assert_eq!((&result["faults"], &result["losses"]), (&0.into(), &0.into()), "{result}");
    let gomocup = engine("gomocup", "-g renju --weights greedy");
    let renju = ["--pairs", "2", "-g", "renju"];
    assert_eq!(games(&gomocup, "greedy", &renju), games("greedy", "greedy", &renju));
}

/// Processes of the bots of this test file that still run.
fn left_over(tag: &str) -> usize {
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    folders
        .filter(|folder| {
            fs::read(folder.join("cmdline"))
                .is_ok_and(|line| line.windows(tag.len()).any(|part| part == tag.as_bytes()))
        })
        .count()
}

#[test]
fn every_fault_has_its_reason_and_costs_its_game() {
    let table: HashMap<&str, &[(&str, &str)]> = HashMap::from([
        (
            "gtp",
            &[
                ("illegal", "ILLEGAL"),
                ("pass", "ILLEGAL_PASS"),
                ("refuse", "FORMAT"),
                ("format", "FORMAT"),
                ("resign", "FORMAT"),
                ("hang", "TLE"),
                ("spin", "TLE"),
                ("slow 400", "TLE"),
                ("flood", "FLOOD"),
                ("crash", "CRASH"),
                ("exit", "CRASH"),
                ("dead", "CRASH"),
            ][..],
        ),
        (
            "nboard",
            &[
                ("illegal", "ILLEGAL"),
                ("pass", "ILLEGAL_PASS"),
                ("format", "FORMAT"),
                ("hang", "TLE"),
                ("crash", "CRASH"),
                ("dead", "CRASH"),
            ],
        ),
        (
            "gomocup",
            &[
                ("illegal", "ILLEGAL"),
                ("outside", "FORMAT"),
                ("refuse", "FORMAT"),
                ("no-start", "FORMAT"),
                ("hang", "TLE"),
                ("crash", "CRASH"),
                ("ignore-eof", "OK"),
                ("no-info", "OK"),
                ("second-thought", "OK"),
            ],
        ),
    ]);
    for (protocol, modes) in table {
        let game = if protocol == "gomocup" { "renju" } else { "othello" };
        for (index, &(mode, reason)) in modes.iter().enumerate() {
            let tag = format!("tag-{}-{protocol}-{index}", std::process::id());
            let command = format!(
                "{} --tag {tag}",
                bot(protocol, &format!("{mode}{}", if mode.contains(' ') { "" } else { " 0" }))
            );
            // 300 ms are enough to fail by waiting, and on a busy machine too few for anything else.
            let clock = if reason == "TLE" { "300" } else { "100000" };
            let (result, errors) =
                play(&["-g", game, "greedy", &command, "--pairs", "1", "--game-ms", clock, "--concurrency", "1"]);
            assert_eq!(left_over(&tag), 0, "{protocol} {mode}");
            if reason == "OK" {
                assert_eq!(result["faults"], 0, "{protocol} {mode}: {result}");
                continue;
            }
            // Both games are lost, whatever the colours, and the fault is the program's.
            assert_eq!(result["pentanomial"], serde_json::json!([0, 0, 0, 0, 1]), "{protocol} {mode}: {result}");
            assert_eq!((&result["faults"], &result["faults_a"]), (&2.into(), &0.into()), "{protocol} {mode}");
            let reasons = result["fault_reasons"][1].as_object().unwrap();
            let mut reasons: Vec<&str> = reasons.keys().map(String::as_str).collect();
            // On a busy machine a program that spins may use up its CPU time first.
            reasons.iter_mut().filter(|found| mode == "spin" && **found == "CPU_TLE").for_each(|found| *found = "TLE");
            assert_eq!(reasons, [reason], "{protocol} {mode}: {errors}");
            assert!(errors.contains("FAULT in pair 0"), "{errors}");
        }
    }
}

#[test]
fn timed_games_end_in_time_and_say_so() {
    let (result, _) = play(&["-q", "champion", "greedy", "--pairs", "1", "--game-ms", "400", "--concurrency", "1"]);
    assert_eq!(result["pairs"], 1);
    assert!(result["conditions"].as_str().unwrap().contains("400 ms"), "{result}");
    let cores = result["cores"].as_str().unwrap();
    assert!(cores.starts_with("pinned to cores ") || cores.starts_with("cores not pinned: "), "{cores}");
    // More games at once than cores cannot be pinned, and nobody is fooled about it.
    let (result, _) = play(&["-q", "greedy", "random", "--pairs", "3", "--concurrency", "5000"]);
    assert!(result["cores"].as_str().unwrap().contains("not pinned: 5000 games at once"), "{result}");
}

/// What a program is told in a match of two games against greedy, each side with so many milliseconds.
fn told(protocol: &str, game: &str, mode: &str, millis: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let command = bot(protocol, &format!("{mode} --record '{}'", record.display()));
    let (result, errors) =
        play(&["-g", game, "greedy", &command, "--pairs", "1", "--game-ms", millis, "--concurrency", "1"]);
    assert_eq!(result["faults"], 0, "{protocol}: {errors}");
    fs::read_to_string(record).unwrap().lines().map(str::to_string).collect()
}

#[test]
fn programs_that_count_seconds_are_told_of_fewer_than_they_have() {
    // 20.9 s less 8 % are 19.228 s.
    let lines = told("nboard", "othello", "slow 15", "20900");
    let mut own: f64 = 0.0;
    for line in lines.iter().filter(|line| line.starts_with("set game ")) {
        assert!(line.contains("TI[0:19]"), "{line}");
        let game = stonesmith::judge::nboard::parse_ggf::<stonesmith::game::othello::Othello<8>>(&line[9..]).unwrap();
        own = own.max(game.used[0]).max(game.used[1]);
    }
    // Every move's time is told, rounded up: some thirty moves of 15 ms and more.
    assert!(own >= 0.4, "{own}");

    let lines = told("gtp", "othello", "slow 15", "10900");
    assert_eq!(lines.iter().filter(|line| *line == "time_settings 10 0 0").count(), 2, "{lines:?}");
    let left: Vec<f64> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("time_left ")?[2..].strip_suffix(" 0")?.parse().ok())
        .collect();
    // 10.9 s less 872 ms, in tenths below ten seconds; half a game of 15 ms a move takes a fifth of a second and more.
    assert!(left.len() > 40 && left[0] == 10.0 && left[15] <= 9.8, "{left:?}");
    assert!(left[..16].windows(2).all(|pair| pair[1] <= pair[0]), "{left:?}");
    // A protocol of milliseconds is told the truth.
    let lines = told("gomocup", "renju", "greedy 0", "20900");
    assert!(lines.contains(&"INFO timeout_match 20900".to_string()), "{lines:?}");
    assert!(lines.contains(&"INFO time_left 20900".to_string()), "{lines:?}");
}

#[test]
fn starting_is_not_charged() {
    // A second of work before the first answer, in games of 700 ms: neither answer time nor CPU time.
    for (protocol, game) in [("gtp", "othello"), ("nboard", "othello"), ("gomocup", "renju")] {
        told(protocol, game, "start-work 1000", "700");
    }
}

#[test]
fn progress_shows_score_elo_llr_and_what_is_left() {
    let (_, errors) = play(&["random", "greedy", "--pairs", "40", "--sprt", "0,10", "-g", "othello4"]);
    let line = errors.lines().find(|line| line.contains(" pairs: +")).unwrap_or_else(|| panic!("{errors}"));
    assert!(["Elo ", " ± ", "LLR ", " left"].iter().all(|word| line.contains(word)), "{line}");
}

#[test]
fn renju_openings_are_legal_distinct_and_end_in_no_threes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let arguments = ["-q", "-g", "renju", "random", "greedy", "--pairs", "40", "--out", out.to_str().unwrap()];
    let (result, _) = play(&arguments);
    assert_eq!(result["pairs"], 40);
    let text = fs::read_to_string(out.join("pairs.jsonl")).unwrap();
    let mut openings: Vec<String> = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        openings.push(line["opening"].as_str().unwrap().to_string());
    }
    for opening in &openings {
        use stonesmith::game::Position;
        use stonesmith::game::renju::{Renju, openings::is_even};
        let moves = stonesmith::play::parse_opening::<Renju>(opening).unwrap();
        let position: Renju = stonesmith::play::position_after(&moves);
        assert!(position.ply() == 6 && is_even(&position), "{opening}");
    }
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 40);
}

#[test]
fn what_a_protocol_cannot_play_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.obf");
    fs::write(&file, "---------------------------OX------XO--------------------------- X\n").unwrap();
    let file = file.to_str().unwrap();
    let gtp = bot("gtp", "greedy");
    for (arguments, part) in [
        (vec!["gomocup:cat", "greedy"], "Renju"),
        (vec!["-g", "renju", "nboard:cat", "greedy"], "Othello"),
        (vec!["gtp:no-such-program-here", "greedy"], "no such program"),
        (vec![&gtp, "greedy", "--openings", file], "move text"),
        (vec!["greedy", "random", "--resume"], "--out"),
        (vec!["greedy", "random", "--game-ms", "100", "--nodes", "5"], "--nodes"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_stonesmith")).arg("match").args(&arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_folder_belongs_to_one_match() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let out = out.to_str().unwrap();
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stonesmith"));
        command.args(["match", "-q", "-g", "othello4", "--out", out]).args(more).output().unwrap()
    };
    assert_eq!(run(&["random", "greedy", "--pairs", "4"]).status.code(), Some(0));
    for (more, key) in [
        (vec!["random", "random", "--pairs", "6", "--resume"], "its b is `greedy`"),
        (vec!["random", "greedy", "--pairs", "6", "--resume", "--seed", "2"], "seed"),
        (vec!["random", "greedy", "--pairs", "6", "--resume", "--depth", "5"], "conditions"),
    ] {
        let output = run(&more);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {errors}");
        assert!(errors.contains(key), "{more:?}: {errors}");
    }
    assert_eq!(run(&["random", "greedy", "--pairs", "6"]).status.code(), Some(2), "not without --resume");
    assert_eq!(run(&["random", "greedy", "--pairs", "6", "--resume"]).status.code(), Some(0));
    let text = fs::read_to_string(Path::new(out).join("pairs.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 6);
}

#[test]
fn openings_repeat_only_when_all_were_used_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("openings.txt"), folder.path().join("m"));
    fs::write(&file, "f5d6c3\nf5f6e6\nf5d6c4\nf5f4e3\n").unwrap();
    let arguments = ["random", "greedy", "--openings", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let (_, errors) = play(&[&arguments[..], &["--pairs", "10"]].concat());
    assert!(errors.contains("4 openings for 10 pairs"), "{errors}");
    assert_eq!(errors.matches("all openings were used").count(), 2, "{errors}");
    let text = fs::read_to_string(out.join("pairs.jsonl")).unwrap();
    let openings: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["opening"].as_str().unwrap().to_string())
        .collect();
    for round in openings.chunks(4) {
        let distinct: std::collections::HashSet<&String> = round.iter().collect();
        assert_eq!(distinct.len(), round.len(), "{openings:?}");
    }
}

#[test]
fn an_extended_match_goes_on_with_openings_it_has_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let out = out.to_str().unwrap();
    play(&["-q", "random", "greedy", "--pairs", "20", "--out", out]);
    play(&["-q", "random", "greedy", "--pairs", "35", "--out", out, "--resume"]);
    let openings = |path: &Path| -> Vec<String> {
        let text = fs::read_to_string(path.join("pairs.jsonl")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| line["opening"].as_str().unwrap().to_string()).collect()
    };
    let extended = openings(Path::new(out));
    let whole = folder.path().join("whole");
    play(&["-q", "random", "greedy", "--pairs", "35", "--out", whole.to_str().unwrap()]);
    assert_eq!(extended, openings(&whole));
    let distinct: std::collections::HashSet<&String> = extended.iter().collect();
    assert_eq!(distinct.len(), 35);
}
