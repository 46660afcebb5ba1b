//! `report` from outside: one page that needs nothing else, the same bytes every time, and what it shows.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;

fn stonesmith(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(cargo_bin!("stonesmith")).current_dir(folder).args(arguments).output().expect("the binary runs")
}

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = stonesmith(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A run of two generations as `train` leaves it, with versions that really played each other.
fn make_run(folder: &Path) {
    let small = ["-g", "othello6", "-q"];
    for (seed, name) in [("1", "a.wts"), ("2", "b.wts")] {
        let games = format!("games-{seed}");
        let play = ["selfplay", "--weights", "zero", "--games", "300", "--depth", "0", "--seed", seed, "--out", &games];
        done(folder, &[&play[..], &small].concat());
        done(
            folder,
            &[&["fit", "--data", &games, "--out", name, "--knots", "2", "--passes", "10"][..], &small].concat(),
        );
    }
    done(folder, &[&["gate", "a.wts"][..], &small].concat());
    // The second may win or lose; the ledger has both.
    stonesmith(folder, &[&["gate", "b.wts", "--pairs", "6", "--depth", "1"][..], &small].concat());
    done(
        folder,
        &[&["match", "a.wts", "random", "--pairs", "3", "--depth", "1", "--out", "run/gen-001/gate"][..], &small]
            .concat(),
    );
    fs::rename(folder.join("weights/othello6"), folder.join("run/weights")).unwrap();
    fs::rename(folder.join("data/othello6/results.tsv"), folder.join("run/weights/results.tsv")).unwrap();
    fs::write(
        folder.join("run/run.toml"),
        "game = \"othello6\"\ncommand = [\"x\", \"train\", \"<quick>\"]\ncommit = \"c0ffee\"\n",
    )
    .unwrap();
    for (number, mae, elo) in [(0, 9.5, "null"), (1, 7.25, "123.5")] {
        let generation = folder.join(format!("run/gen-00{number}"));
        fs::create_dir_all(&generation).unwrap();
        let result = format!(
            "{{\"candidate\":\"x\",\"validation_mae\":{mae},\"validation_rmse\":{},\"decision\":\"d\",\"promoted\":true,\
             \"elo\":{elo},\"elo_error\":{elo},\"seconds\":60}}",
            mae + 2.0
        );
        fs::write(generation.join("result.json"), result).unwrap();
        let fit = "{\"games\": 300, \"phases\": [{\"first_ply\": 4, \"last_ply\": 9, \"training\": {\"rmse\": 9.0}, \
                   \"validation\": {\"rmse\": 10.0}}, {\"first_ply\": 10, \"last_ply\": 15, \"training\": {\"rmse\": 8.0}, \
                   \"validation\": null}]}";
        fs::write(generation.join("fit.json"), fit).unwrap();
    }
}

#[test]
fn a_run_is_one_self_contained_page() {
    let folder = tempfile::tempdir().unwrap();
    make_run(folder.path());
    let eval = "{\"weights\":\"a\",\"positions\":1,\"best_move_rate\":0.5,\"mean_regret\":2.5,\"mae\":3,\"rmse\":4}\n";
    fs::write(folder.path().join("eval.jsonl"), format!("{eval}{}", eval.replace("2.5", "1.5"))).unwrap();
    let arguments = ["report", "--run", "run", "--out", "report.html", "--eval", "eval.jsonl"];
    let said = done(folder.path(), &arguments);
    assert!(said.contains("2 generations") && said.contains("6 games"), "{said}");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    for foreign in ["http", "src=", "href=", "url(", "@import", "fetch(", "<link"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for part in [
        "Validation loss",
        "Elo against the champion",
        "Ladder",
        "Ledger",
        "Weights by phase",
        "Regret on solved",
        "c0ffee",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Text from files is text on the page.
    assert!(page.contains("train &lt;quick&gt;") && !page.contains("<quick>"));
    // Elements that are opened are closed.
    for element in ["table", "tr", "svg", "div", "script", "style", "h2", "p", "body", "html"] {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
    done(folder.path(), &["report", "--run", "run", "--out", "again.html", "--eval", "eval.jsonl"]);
    assert_eq!(fs::read_to_string(folder.path().join("again.html")).unwrap(), page);
    // The games are those of the gate, board by board: the first board is the start, of 6×6.
    let start = "..............WB....BW..............";
    assert!(page.contains(&format!("b:[\"{start}\"")), "the viewer's first board");
}

#[test]
fn what_cannot_be_reported_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (arguments, part) in [
        (vec!["report", "--run", "none", "--out", "r.html"], "no such run"),
        (vec!["report", "--run", "empty", "--out", "r.html"], "nothing to report"),
        (vec!["report", "--out", "r.html"], "nothing to report"),
        (vec!["report", "--run", "empty"], "--out"),
    ] {
        let output = stonesmith(folder.path(), &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
        assert!(!folder.path().join("r.html").exists());
    }
}
