//! Edax's evaluation file as a user meets it: fitted, exported, inspected, evaluated, and refused for other features.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use stonesmith::kit;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("stonesmith"));
    command.current_dir(folder).args(["-q", "--json"]).args(arguments).output().expect("the binary runs")
}

fn done(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn weights_of_its_features_become_its_file_and_evaluate_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    done(here, &["selfplay", "--weights", "zero", "--games", "150", "--depth", "0", "--out", "g"]);
    let fit = ["fit", "--data", "g", "--patterns", "edax", "--knots", "3", "--passes", "5", "--out", "e.wts"];
    done(here, &fit);
    done(here, &["export", "e.wts", "--format", "edax", "--out", "eval.dat"]);
    assert_eq!(fs::metadata(here.join("eval.dat")).unwrap().len(), 28 + 61 * 114_364 * 2);
    let report = done(here, &["inspect", "eval.dat"]);
    assert_eq!((&report["kind"], &report["game"], &report["ok"]), (&"weights".into(), &"othello".into(), &true.into()));
    // The same errors on recorded games: every value is the same.
    let errors = |weights: &str| {
        let mut result = done(here, &["eval", "--weights", weights, "--data", "g"]);
        result["weights"].take();
        result
    };
    let ours = errors("e.wts");
    assert!(ours["positions"].as_u64().unwrap() > 1000 && ours["mae"].as_f64().unwrap() > 0.0);
    assert_eq!(errors("eval.dat"), ours);
    // What has no mobilities bakes as well, and the origin names the weights themselves.
    done(here, &["bake", "e.wts", "--lang", "c", "--out", "main.c"]);
    assert_eq!(done(here, &["inspect", "main.c"])["id"], done(here, &["inspect", "e.wts"])["id"]);
    let mut torn = fs::read(here.join("eval.dat")).unwrap();
    torn.truncate(100_000);
    fs::write(here.join("eval.dat"), torn).unwrap();
    assert_eq!(run(here, &["inspect", "eval.dat"]).status.code(), Some(1));
}

#[test]
fn other_features_are_refused_with_the_set_that_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("w.wts"), kit::bench_weights(1, 90).to_bytes()).unwrap();
    let output = run(here, &["export", "w.wts", "--format", "edax", "--out", "eval.dat"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("fit --patterns edax") && !here.join("eval.dat").exists(), "{message}");
    let small = ["-g", "othello6", "fit", "--data", "g", "--patterns", "edax", "--out", "e.wts"];
    done(here, &["-g", "othello6", "selfplay", "--weights", "zero", "--games", "5", "--depth", "0", "--out", "g"]);
    let output = run(here, &small);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("for 8×8, not for 6×6"));
}
