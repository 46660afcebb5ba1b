//! `label --probcut-pairs` and `fit --probcut`: samples and lines end to end, resumable, the same bytes for any number
//! of threads, and a search that uses them.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

fn stonesmith(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("stonesmith"));
    command.current_dir(folder).arg("-q");
    command
}

#[test]
fn samples_are_the_same_for_any_number_of_threads_and_draw_lines() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = ["selfplay", "-g", "othello6", "--weights", "zero", "--games", "120", "--depth", "1", "--out", "games"];
    stonesmith(at).args(games).assert().success();
    let label = |out: &str, threads: &str| {
        let arguments = ["label", "-g", "othello6", "--weights", "zero", "--data", "games", "--out", out];
        let options =
            ["--probcut-pairs", "--depth", "4", "--every", "3", "--solve-empties", "14", "--threads", threads];
        stonesmith(at).args(arguments).args(options).arg("--resume").assert().success();
    };
    label("one", "1");
    label("two", "3");
    let name = "000000.pairs";
    let (one, two) = (fs::read(at.join("one").join(name)).unwrap(), fs::read(at.join("two").join(name)).unwrap());
    assert_eq!(one, two);
    // A job cut short goes on and ends with the same bytes.
    fs::create_dir(at.join("cut")).unwrap();
    fs::write(at.join("cut").join(format!("{name}.part")), &one[..one.len() / 2]).unwrap();
    label("cut", "2");
    assert_eq!(fs::read(at.join("cut").join(name)).unwrap(), one);
    // Positions with at most 14 empty squares carry their exact value, others do not.
    for line in String::from_utf8(one).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let empties = 32 - fields[1].parse::<i32>().unwrap();
        assert_eq!(fields[2] != "-", empties <= 14, "{line}");
    }
}

#[test]
fn lines_change_nothing_but_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut samples = String::from("# by hand\n");
    for game in 0..400 {
        let shallow = (game * 37) % 301 - 150;
        samples += &format!("{game}\t20\t-\t{shallow}\t0\t{}\n", shallow / 2 + (game % 5) - 2);
    }
    fs::write(at.join("x.pairs"), samples).unwrap();
    let games = ["selfplay", "-g", "othello6", "--weights", "zero", "--games", "60", "--depth", "0", "--out", "games"];
    stonesmith(at).args(games).assert().success();
    let fit = ["fit", "-g", "othello6", "--data", "games", "--knots", "1", "--passes", "2", "--out", "parent.wts"];
    stonesmith(at).args(fit).assert().success();
    let fit = [
        "fit",
        "-g",
        "othello6",
        "--probcut",
        "--data",
        "x.pairs",
        "--parent",
        "parent.wts",
        "--out",
        "a.wts",
        "--json",
    ];
    let output = stonesmith(at).args(fit).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["positions"], 400);
    let line = &report["lines"][0];
    assert_eq!((&line["deep"], &line["shallow"], &line["ply"]), (&3.into(), &1.into(), &16.into()));
    assert!((line["slope"].as_f64().unwrap() - 0.5).abs() < 0.01, "{line}");

    let without_parent = ["fit", "-g", "othello6", "--probcut", "--data", "x.pairs", "--out", "b.wts"];
    stonesmith(at).args(without_parent).assert().code(2);
    fs::write(at.join("bad.pairs"), "# by hand\n1\t20\tx\t3\n").unwrap();
    let bad = ["fit", "-g", "othello6", "--probcut", "--data", "bad.pairs", "--parent", "parent.wts", "--out", "b.wts"];
    let assert = stonesmith(at).args(bad).assert().code(2);
    let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(error.contains("bad.pairs, line 2"), "{error}");
    assert!(!at.join("b.wts").exists());
}
