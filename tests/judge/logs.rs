//! Logs that contestants know, replays of them, settings files, and usage that makes no sense.

use std::fs;

use serde_json::Value;

use crate::bots::{PATIENT, bot, referee, stonesmith};

#[test]
fn a_log_is_written_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let path = log.to_str().unwrap();
    let (one, other) = (bot("stderr 7"), bot("last"));
    referee(&one.command, &other.command, &[&PATIENT[..], &["--games", "2", "--alternate", "--log", path]].concat());
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("# Debug FIRST: thinking of 7\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT "));
    assert_eq!(text.lines().filter(|line| line.starts_with("RESULT ")).count(), 2);
    let shape = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        words.len() == 4 && words[1..].iter().all(|word| word.parse::<u64>().is_ok())
    };
    assert!(text.lines().filter(|line| line.starts_with("FIRST ")).filter(shape).count() > 20);
    assert!(!folder.path().join("game.log.tmp").exists());

    // The same program answers the same; the other one does not, and the replay goes on all the same.
    let same = replay(&one.command, path);
    assert_eq!(same.len(), 2);
    assert!(
        same.iter().all(|summary| summary["different"] == 0 && summary["turns"].as_u64().unwrap() > 15),
        "{same:?}"
    );
    let changed = replay(&other.command, path);
    assert_eq!(changed[0]["turns"], same[0]["turns"]);
    assert!(changed[0]["different"].as_u64().unwrap() > 5, "{changed:?}");
}

/// The summaries of a replay by the first program.
fn replay(first: &str, log: &str) -> Vec<Value> {
    let output = stonesmith()
        .args(["judge", "reversi", "--json", "--first", first, "--replay", log])
        .args(PATIENT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line.get("turns").is_some()).collect()
}

#[test]
fn a_fault_is_logged_and_its_position_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let path = log.to_str().unwrap();
    let bad = bot("illegal");
    referee("greedy", &bad.command, &["--log", path]);
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("\nABORT SECOND ILLEGAL\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT FIRST "));
    let good = bot("legal");
    let output = stonesmith().args(["judge", "reversi", "--second", &good.command, "--replay", path]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("logged a fault: ILLEGAL"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT second OK turns 1"), "{text}");
}

#[test]
fn a_game_of_renju_is_replayed_from_its_opening() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let path = log.to_str().unwrap();
    let openings = folder.path().join("openings.txt");
    fs::write(&openings, "h8 g9 i8 a1\n").unwrap();
    let (one, other) = (bot("legal"), bot("last"));
    let run = |more: &[&str]| {
        let output = stonesmith().args(["judge", "renju"]).args(PATIENT).args(more).output().unwrap();
        assert!(output.status.success(), "{more:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let openings = openings.to_str().unwrap();
    run(&["--first", &one.command, "--second", &other.command, "--openings", openings, "--log", path]);
    let text = run(&["--first", &one.command, "--second", &other.command, "--replay", path]);
    let results: Vec<&str> = text.lines().filter(|line| line.starts_with("RESULT ")).collect();
    assert_eq!(results.len(), 2, "{text}");
    for (line, side) in results.iter().zip(["first", "second"]) {
        assert!(line.starts_with(&format!("RESULT {side} OK turns ")) && line.contains(" different 0 "), "{text}");
    }
    // The moves of the log, and their times, are told to whoever answers now.
    let record = folder.path().join("record");
    let listener = bot(&format!("legal --record '{}'", record.display()));
    run(&["--first", &listener.command, "--replay", path]);
    let told = fs::read_to_string(record).unwrap();
    let log = fs::read_to_string(&log).unwrap();
    let mut logged = log.lines().filter_map(|line| line.strip_prefix("SECOND "));
    for line in told.lines().filter(|line| line.starts_with("OPP ")) {
        assert_eq!(Some(&line[4..]), logged.next());
    }
    assert!(told.lines().filter(|line| line.starts_with("OPP ")).count() > 1, "{told}");
}

#[test]
fn a_settings_file_names_programs_and_log() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, log) = (folder.path().join("setting.ini"), folder.path().join("out.log"));
    let openings = folder.path().join("openings.txt");
    fs::write(&openings, "f5d6c3\n").unwrap();
    let text = format!("INPUT={}\nLOG={}\nEXEC1=greedy\nEXEC2=random\n", openings.display(), log.display());
    fs::write(&settings, text).unwrap();
    let output = stonesmith().args(["judge", "reversi", "--config", settings.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().last().unwrap().starts_with("RESULT first "), "{text}");
    let written = fs::read_to_string(&log).unwrap();
    assert!(written.contains("# OPENING f5d6c3\n") && written.contains("# PROGRAM FIRST greedy\n"), "{written}");

    // Flags go before it, and the short ones are those of known tools.
    let other = folder.path().join("other.log");
    let short = ["judge", "reversi", "-c", settings.to_str().unwrap(), "-a", "random", "-l", other.to_str().unwrap()];
    let output = stonesmith().args(short).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(other).unwrap();
    assert!(text.contains("# PROGRAM FIRST random\n") && text.contains("# PROGRAM SECOND random\n"), "{text}");
    assert_eq!(fs::read_to_string(&log).unwrap(), written, "the settings' log is left alone");

    fs::write(&settings, "EXEC1=greedy\nhello\n").unwrap();
    let output = stonesmith().args(["judge", "reversi", "--config", settings.to_str().unwrap()]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("line 2") && errors.contains("`hello`"), "{errors}");
}

#[test]
fn bad_usage_is_exit_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let openings = folder.path().join("openings.txt");
    fs::write(&openings, "f5d6\nf5a1\n").unwrap();
    let file = openings.to_str().unwrap();
    for (arguments, expected) in [
        (vec!["--first", "random"], "--second"),
        (vec!["--first", "random", "--second", "./no/such/bot"], "no such program"),
        (vec!["--first", "random", "--second", "'x"], "quote"),
        (vec!["--first", "random", "--second", "greedy", "--games", "0"], "--games"),
        (vec!["--first", "random", "--second", "greedy", "--slowdown", "0.5"], "factor"),
        (vec!["--first", "random", "--second", "greedy", "--dialect", "klingon"], "klingon"),
        (vec!["--first", "random", "--second", "greedy", "--openings", file], "line 2"),
        (vec!["--first", "random", "--second", "greedy", "--openings", "/no/such/file"], "/no/such/file"),
        (vec!["--replay", file, "--first", "random"], "line 1"),
    ] {
        let output = stonesmith().args(["judge", "reversi"]).args(&arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
}
