//! The loop for Renju on a small scale: from nothing to a judged bot, the same bytes for any number of threads.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use stonesmith::dataset::{GameRecord, ShardSet, Tail};
use stonesmith::eval::renju::{Evaluator, knots, zero};
use stonesmith::game::renju::Renju;
use stonesmith::game::{Move, Position};
use stonesmith::search::renju::Engine;
use stonesmith::search::{Limits, Searcher};

/// Two small generations.
const PROFILE: &str = "
seed = 5
judged_games = 2
[gate]
pairs = 4
depth = 1
[[generation]]
games = 400
depth = 0
knots = 2
window = 1
passes = 12
[[generation]]
games = 60
depth = 2
knots = 2
window = 1
passes = 12
";

fn stonesmith(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin!("stonesmith"));
    command.current_dir(folder).args(["-g", "renju"]).args(arguments).output().expect("the binary runs")
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = stonesmith(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn from_nothing_to_a_judged_bot() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), PROFILE).unwrap();
    let result =
        json(folder.path(), &["train", "--profile", "small.toml", "--run", "run", "--json", "-q", "--publish"]);
    assert_eq!((&result["generations"], &result["judged"], &result["faults"]), (&2.into(), &2.into(), &0.into()));
    let run = folder.path().join("run");
    let bot = fs::read_to_string(run.join("main.cpp")).unwrap();
    assert!(bot.len() < 1_048_576 && bot.contains("Renju bot baked by Stonesmith"));
    // Published: a version under its content's name, and a row of the ledger.
    let champion = fs::read_to_string(folder.path().join("weights/renju/champion")).unwrap();
    assert_eq!(champion.trim(), format!("001-{}.wts", result["weights"].as_str().unwrap()));
    assert_eq!(fs::read_to_string(folder.path().join("weights/renju/ledger.tsv")).unwrap().lines().count(), 2);
    for (path, kind) in [("run/main.cpp", "bot"), ("run/bot.wts", "weights"), ("run/gen-001/games", "games")] {
        let report = json(folder.path(), &["inspect", path, "--json"]);
        assert_eq!(
            (&report["kind"], &report["game"], &report["ok"]),
            (&kind.into(), &"renju".into(), &true.into()),
            "{report}"
        );
    }
    // The other verbs take the version as well.
    let played = json(folder.path(), &["match", "champion", "random", "--pairs", "2", "--depth", "1", "--json", "-q"]);
    assert_eq!((&played["wins"], &played["faults"]), (&4.into(), &0.into()));
    let held = json(folder.path(), &["eval", "--weights", "champion", "--data", "run/gen-001/games", "--json"]);
    assert!(held["positions"].as_u64().unwrap() > 100 && held["mae"].as_f64().unwrap() < 1.2, "{held}");
    let golden = stonesmith(folder.path(), &["bench", "--golden", "--weights", "champion", "--depth", "2"]);
    assert_eq!(String::from_utf8_lossy(&golden.stdout).lines().count(), 23);
}

#[test]
fn self_play_and_fit_have_the_same_bytes_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let made = |threads: &str| {
        let (out, file) = (format!("games-{threads}"), format!("{threads}.wts"));
        let games = json(
            folder.path(),
            &[
                "selfplay",
                "--weights",
                "zero",
                "--games",
                "60",
                "--depth",
                "1",
                "--out",
                &out,
                "--threads",
                threads,
                "--json",
                "-q",
            ],
        );
        let fitted = json(
            folder.path(),
            &[
                "fit",
                "--data",
                &out,
                "--out",
                &file,
                "--knots",
                "2",
                "--passes",
                "12",
                "--threads",
                threads,
                "--json",
                "-q",
            ],
        );
        assert!(fitted["validation_mae"].as_f64().unwrap() > 0.0);
        (games["blake3"].clone(), fs::read(folder.path().join(file)).unwrap())
    };
    assert!(made("1") == made("3"));
}

/// The records of a folder.
fn records(folder: &Path) -> Vec<GameRecord> {
    ShardSet::open(&[folder], Tail::Strict).unwrap().records().map(Result::unwrap).collect()
}

#[test]
fn labels_keep_the_games_and_tell_what_a_deeper_search_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let played = ["selfplay", "--weights", "zero", "--games", "40", "--depth", "1", "--out", "games", "--json", "-q"];
    json(folder.path(), &played);
    for (out, threads) in [("one", "1"), ("three", "3")] {
        let label = ["label", "--weights", "zero", "--data", "games", "--depth", "3", "--out", out, "-q"];
        let output = stonesmith(folder.path(), &[&label[..], &["--threads", threads]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let (games, labelled) = (records(&at("games")), records(&at("one")));
    assert!(labelled == records(&at("three")) && labelled.len() == 40);
    let mut engine = Engine::new(Evaluator::new(&zero(knots(1))).unwrap(), 16);
    for (game, labelled) in games.iter().zip(&labelled) {
        let moves = |record: &GameRecord| record.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        assert_eq!((moves(game), game.outcome), (moves(labelled), labelled.outcome));
        let first = labelled.first_labelled();
        for (number, ply) in labelled.plies.iter().enumerate() {
            assert_eq!(ply.score.is_some(), number >= first && ply.mv != Move::PASS, "ply {number}");
        }
        // The first labelled position is searched with clean tables: the label is what a search by itself says.
        let Some(label) = labelled.plies.get(first) else { continue };
        let mut position = Renju::start();
        labelled.plies[..first].iter().for_each(|ply| position.play(ply.mv).unwrap());
        engine.forget();
        let result = engine.search(&position, &Limits::depth(3));
        assert_eq!((label.score.map(i32::from), label.exact), (Some(result.score), result.exact), "{position:?}");
    }
}

#[test]
fn a_wrong_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let othello = concat!(env!("CARGO_MANIFEST_DIR"), "/weights/othello/001-c4c697ab.wts");
    let output = stonesmith(folder.path(), &["bake", othello, "--lang", "c", "--out", "main.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("main.c").exists());
    fs::write(folder.path().join("x.obf"), format!("{} B\n", ".".repeat(225))).unwrap();
    let output = stonesmith(folder.path(), &["eval", "--weights", "1", "--data", "x.obf"]);
    assert_eq!(output.status.code(), Some(2));
}
