//! Matches, gates, ratings, evaluation and exact solving from the command line, as scripts read them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// FFO endgame position 40 with the published scores of its moves.
const FFO40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; D8:+34; \
                     C1:+30; B1:+30; G7:+28; D7:+28; C6:+28; F7:+26; A6:+24; --:-127;\n";

/// FFO endgame position 20, worth +6 by H5.
const FFO20: &str =
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;\n";

fn stonesmith(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(cargo_bin!("stonesmith")).current_dir(folder).args(arguments).output().expect("the binary runs")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Weights of a small Othello that learned from a few games under `seed`.
fn weights(folder: &Path, name: &str, seed: &str) {
    let games = format!("games-{seed}");
    let play = ["selfplay", "-g", "othello6", "-q", "--weights", "zero", "--games", "400", "--depth", "0"];
    assert_eq!(status(&stonesmith(folder, &[&play[..], &["--seed", seed, "--out", &games]].concat())), 0);
    let fit = ["fit", "-g", "othello6", "-q", "--data", &games, "--out", name, "--knots", "2", "--passes", "15"];
    assert_eq!(status(&stonesmith(folder, &fit)), 0);
}

#[test]
fn a_match_counts_pairs_and_repeated_games() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        stonesmith(folder.path(), &["match", "-g", "othello6", "greedy", "greedy", "--pairs", "7", "-q", "--json"]);
    let result = json(&output);
    assert_eq!(status(&output), 0);
    // A player against itself: every pair is even, its two games are one and the same.
    assert_eq!(result["pentanomial"], serde_json::json!([0, 0, 7, 0, 0]));
    assert_eq!((&result["pairs"], &result["faults"], &result["repeated_games"]), (&7.into(), &0.into(), &7.into()));
    assert_eq!(result["wins"], result["losses"]);
    assert_eq!(result["elo"], 0.0);
    for key in ["draws", "elo_error", "nelo", "llr", "verdict"] {
        assert!(result.get(key).is_some(), "{key} is missing");
    }
}

#[test]
fn a_killed_match_goes_on_to_the_same_counts_and_can_be_extended() {
    let folder = tempfile::tempdir().unwrap();
    weights(folder.path(), "a.wts", "1");
    let arguments = |out: &'static str, pairs: &'static str| {
        let words = ["match", "-g", "othello6", "a.wts", "random", "--depth", "3", "-q", "--json", "--resume"];
        [&words[..], &["--pairs", pairs, "--out", out]].concat()
    };
    let whole = json(&stonesmith(folder.path(), &arguments("whole", "60")));
    for millis in [30, 60, 90] {
        let mut child = Command::new(cargo_bin!("stonesmith"))
            .current_dir(folder.path())
            .args(arguments("killed", "60"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let killed = json(&stonesmith(folder.path(), &arguments("killed", "60")));
    for key in ["pairs", "wins", "draws", "losses", "pentanomial", "elo", "repeated_games"] {
        assert_eq!(whole[key], killed[key], "{key}");
    }
    assert!(whole["wins"].as_u64() > whole["losses"].as_u64(), "learned weights beat random moves: {whole}");
    let longer = json(&stonesmith(folder.path(), &arguments("whole", "65")));
    assert_eq!(longer["pairs"], 65);
    let lines = fs::read_to_string(folder.path().join("whole/pairs.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 65);
    assert_eq!(
        json(&Output {
            stdout: fs::read(folder.path().join("whole/results.json")).unwrap(),
            ..stonesmith(folder.path(), &["--version"])
        })["pairs"],
        65
    );
}

#[test]
fn the_difference_is_a_second_statistic() {
    let folder = tempfile::tempdir().unwrap();
    let run = |game: &str, out: &str, more: &[&str]| {
        let words = ["match", "-g", game, "greedy", "random", "--pairs", "30", "-q", "--out", out];
        stonesmith(folder.path(), &[&words[..], more].concat())
    };
    let result = json(&run("othello6", "points", &["--sprt", "0,400", "--json"]));
    let lines = fs::read_to_string(folder.path().join("points/pairs.jsonl")).unwrap();
    let pairs: Vec<f64> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["differences"].clone())
        .map(|both| (both[0].as_f64().unwrap() + both[1].as_f64().unwrap()) / 2.0)
        .collect();
    // By the textbook: the mean, its 95 % interval, and N(δ1 − δ0)(2D̄ − δ0 − δ1)/(2σ²) where δ = t·σ and t = √2·nElo/C.
    let n = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / n;
    let sigma = (pairs.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / n).sqrt();
    let delta1 = 2f64.sqrt() * 400.0 / (800.0 / 10f64.ln()) * sigma;
    let expected = [
        ("mean_difference", mean),
        ("difference_error", 1.96 * sigma / n.sqrt()),
        ("difference_llr", n * delta1 * (2.0 * mean - delta1) / (2.0 * sigma * sigma)),
    ];
    for (key, value) in expected {
        let found = result[key].as_f64().unwrap_or_else(|| panic!("{key}: {result}"));
        assert!((found - value).abs() < 1e-9 * (1.0 + value.abs()), "{key}: {found}, expected {value}");
    }
    assert_eq!(result["difference_bounds"][0], 0.0);
    assert!((result["difference_bounds"][1].as_f64().unwrap() - delta1).abs() < 1e-9, "{result}");
    let recorded: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("points/results.json")).unwrap()).unwrap();
    assert_eq!(recorded["difference_llr"], result["difference_llr"]);
    let text = String::from_utf8(run("othello6", "again", &["--sprt", "0,400"]).stdout).unwrap();
    assert!(text.contains("LLR of the difference"), "{text}");
    // Without a test there are no hypotheses; where games are only won or lost, the score says it all.
    assert!(json(&run("othello6", "plain", &["--json"]))["difference_llr"].is_null());
    assert!(json(&run("renju", "renju", &["--sprt", "0,400", "--json"]))["difference_llr"].is_null());
}

/// Three small versions in `weights/othello6`, the third of them champion; the files `a.wts`, `b.wts`, `c.wts` are
/// copies. Answers the versions' file names.
fn versions(folder: &Path) -> Vec<String> {
    let own = folder.join("weights/othello6");
    fs::create_dir_all(&own).unwrap();
    let mut names = Vec::new();
    for (file, seed) in [("a.wts", "1"), ("b.wts", "2"), ("c.wts", "3")] {
        weights(folder, file, seed);
        let id = json(&stonesmith(folder, &["inspect", "--json", file]))["id"].as_str().unwrap().to_string();
        names.push(format!("00{seed}-{id}.wts"));
        fs::copy(folder.join(file), own.join(&names[names.len() - 1])).unwrap();
    }
    fs::write(own.join("champion"), format!("{}\n", names[2])).unwrap();
    names
}

#[test]
fn matches_between_versions_are_recorded_once() {
    let folder = tempfile::tempdir().unwrap();
    let names = versions(folder.path());
    let run = |words: &[&str]| {
        let output = stonesmith(folder.path(), &[words, &["-g", "othello6"]].concat());
        assert_eq!(status(&output), 0, "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    };
    let play = |a: &str, b: &str, more: &[&str]| run(&[&["match", a, b, "--depth", "1", "-q"], more].concat());
    let rows = || -> Vec<Vec<String>> {
        let text = fs::read_to_string(folder.path().join("data/othello6/results.tsv")).unwrap_or_default();
        text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect()
    };
    // What is no version is not recorded, and matches write nothing among the weights.
    play("1", "random", &["--pairs", "2"]);
    assert_eq!(rows().len(), 0);
    play("1", "2", &["--pairs", "6"]);
    assert_eq!(rows().len(), 1);
    let row = &rows()[0];
    assert_eq!((&row[1], &row[2], row[8].as_str()), (&names[0], &names[1], "6"), "{row:?}");
    assert!(row[3].contains("depth 1") && row[3].contains("openings generated, seed 1"), "{row:?}");
    // The same games again prove nothing; of a longer match those are recorded that were not.
    play("001", "b.wts", &["--pairs", "6"]);
    assert_eq!(rows().len(), 1);
    play("1", "2", &["--pairs", "10", "--out", "m"]);
    assert_eq!(rows().iter().map(|row| row[8].as_str()).collect::<Vec<_>>(), ["6", "4"]);
    play("1", "2", &["--pairs", "13", "--out", "m", "--resume"]);
    play("1", "2", &["--pairs", "3", "--seed", "2"]);
    assert_eq!(rows().iter().map(|row| row[8].as_str()).collect::<Vec<_>>(), ["6", "4", "3", "3"]);
    let whole = json(&stonesmith(
        folder.path(),
        &["match", "1", "2", "-g", "othello6", "--depth", "1", "-q", "--pairs", "13", "--json"],
    ));
    let sum = |index: usize| -> u64 {
        let counts =
            rows().into_iter().take(3).map(|row| row[4].split(',').nth(index).unwrap().parse::<u64>().unwrap());
        counts.sum()
    };
    assert_eq!(whole["pentanomial"], serde_json::json!([sum(0), sum(1), sum(2), sum(3), sum(4)]));
    // The ladder has all three, and the anchor goes by any of its names.
    play("champion", "1", &["--pairs", "8"]);
    for anchor in ["3", "champion", names[2].as_str()] {
        let ladder = json(&run(&["ratings", "--json", "--resamples", "50", "--anchor", anchor]));
        let rated = ladder["ratings"].as_array().unwrap();
        assert_eq!((&ladder["anchor"], &ladder["matches"], rated.len()), (&names[2].as_str().into(), &5.into(), 3));
        let champion = rated.iter().find(|rating| rating["name"] == names[2].as_str()).unwrap();
        assert_eq!((&champion["elo"], &champion["pairs"]), (&0.0.into(), &8.into()), "{ladder}");
    }
    assert_eq!(fs::read_dir(folder.path().join("weights/othello6")).unwrap().count(), 4);
    // Between the versions of a run the result stays with the run.
    fs::rename(folder.path().join("weights/othello6"), folder.path().join("run")).unwrap();
    let paths = [0, 1].map(|i| format!("run/{}", names[i]));
    play(&paths[0], &paths[1], &["--pairs", "2"]);
    assert_eq!(rows().len(), 5);
    let ladder = json(&run(&["ratings", "--json", "--versions", "run"]));
    assert_eq!((&ladder["matches"], &ladder["anchor"]), (&1.into(), &names[1].as_str().into()));
}

#[test]
fn the_gate_promotes_the_first_and_rejects_its_equal() {
    let folder = tempfile::tempdir().unwrap();
    weights(folder.path(), "a.wts", "1");
    let gate = |name: &str| {
        stonesmith(folder.path(), &["gate", "-g", "othello6", name, "--pairs", "20", "--depth", "1", "-q", "--json"])
    };
    let first = gate("a.wts");
    assert_eq!((status(&first), &json(&first)["promoted"]), (0, &Value::Bool(true)));
    let champion = fs::read_to_string(folder.path().join("weights/othello6/champion")).unwrap();
    assert!(champion.starts_with("001-") && champion.trim().ends_with(".wts"), "{champion}");
    let again = gate("a.wts");
    assert_eq!((status(&again), &json(&again)["promoted"]), (1, &Value::Bool(false)));
    assert_eq!(fs::read_to_string(folder.path().join("weights/othello6/champion")).unwrap(), champion);
    let ledger = fs::read_to_string(folder.path().join("weights/othello6/ledger.tsv")).unwrap();
    assert_eq!(ledger.lines().count(), 3, "a head and two rows: {ledger}");
    let ratings = stonesmith(folder.path(), &["ratings", "-g", "othello6", "--json"]);
    assert_eq!(status(&ratings), 0);
    assert!(json(&ratings)["ratings"].is_array());
    // The champion is found by its word and by its number.
    for word in ["champion", "1", "001"] {
        let inspected = stonesmith(
            folder.path(),
            &["selfplay", "-g", "othello6", "--weights", word, "--games", "2", "-q", "--out", word],
        );
        assert_eq!(status(&inspected), 0, "{word}");
    }
    let missing = gate("nothing.wts");
    assert_eq!(status(&missing), 2);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("nothing.wts"));
}

#[test]
fn evaluation_measures_regret_on_solved_moves() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ffo.obf"), FFO40).unwrap();
    // Weights of 8×8 that know nothing: all children are worth 0, so the first square is chosen, B1 at +30: regret 8.
    let play = ["selfplay", "-q", "--weights", "zero", "--games", "1", "--depth", "0", "--out", "games"];
    assert_eq!(status(&stonesmith(folder.path(), &play)), 0);
    let fit = ["fit", "-q", "--data", "games", "--out", "w.wts", "--knots", "1", "--passes", "1", "--lambda", "1e12"];
    let fitted = stonesmith(folder.path(), &[&fit[..], &["--validation", "0"]].concat());
    assert_eq!(status(&fitted), 0, "{}", String::from_utf8_lossy(&fitted.stderr));
    let output = stonesmith(folder.path(), &["eval", "--weights", "w.wts", "--data", "ffo.obf", "--json"]);
    let result = json(&output);
    assert_eq!((&result["positions"], &result["weights"]), (&1.into(), &"w.wts".into()));
    for key in ["best_move_rate", "mean_regret", "mae", "rmse"] {
        assert!(result[key].is_number(), "{key}: {result}");
    }
    let missing = stonesmith(folder.path(), &["eval", "--weights", "w.wts", "--data", "none.obf"]);
    assert_eq!(status(&missing), 2);
}

#[test]
fn solve_gives_exact_scores_line_by_line_and_says_no_to_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ffo.obf"), FFO20).unwrap();
    let output = stonesmith(folder.path(), &["solve", "ffo.obf", "--hash-mb", "8", "--json"]);
    assert_eq!(status(&output), 0);
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["score"], &lines[0]["best"]), (&6.into(), &"h5".into()));
    assert_eq!(lines[1]["total_nodes"], lines[0]["nodes"]);
    // 4×4 from its start: −10 for Black with empties to the winner.
    fs::write(folder.path().join("four.obf"), ".....WB..BW..... B;\n").unwrap();
    let output = stonesmith(folder.path(), &["solve", "-g", "othello4", "four.obf", "--json"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"score\":-10"));
    fs::write(folder.path().join("wrong.obf"), FFO20.replace("H5:+6", "H5:+8")).unwrap();
    assert_eq!(status(&stonesmith(folder.path(), &["solve", "wrong.obf", "--hash-mb", "8"])), 1);
    fs::write(folder.path().join("bad.obf"), "\nXO X\n").unwrap();
    let bad = stonesmith(folder.path(), &["solve", "bad.obf"]);
    assert_eq!(status(&bad), 2);
    assert!(String::from_utf8_lossy(&bad.stderr).contains("bad.obf:2"));
}
