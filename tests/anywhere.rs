//! The program away from its repository: the champions inside it serve wherever no `weights/` folder is in reach, and
//! such a folder goes first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use stonesmith::eval::weights::Weights;
use stonesmith::kit;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("stonesmith"));
    command.current_dir(folder).args(arguments).output().expect("the binary runs")
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The champion of a game in the repository the program was built from.
fn champion(game: &str) -> (PathBuf, Weights) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights").join(game);
    let path = folder.join(fs::read_to_string(folder.join("champion")).unwrap().trim());
    let weights = Weights::read(&path).unwrap();
    (path, weights)
}

/// A board with one empty square: the last move takes every disc.
const NEARLY_FULL: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X; h8:+64\n";

#[test]
fn champions_bake_evaluate_solve_and_play_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for game in ["othello", "renju"] {
        let (path, weights) = champion(game);
        let number = path.file_name().unwrap().to_str().unwrap().split('-').next().unwrap().to_string();
        for word in ["champion", &number] {
            let report = done(here, &["-g", game, "--json", "inspect", word]);
            let report: serde_json::Value = serde_json::from_str(&report).unwrap();
            assert_eq!(report["id"], weights.id());
            assert_eq!(report["bytes"], fs::metadata(&path).unwrap().len());
            assert_eq!(report["ok"], true);
        }
        done(here, &["-g", game, "bake", "champion", "--lang", "cpp", "--out", "main.cpp"]);
        let origin: serde_json::Value = serde_json::from_str(&done(here, &["--json", "inspect", "main.cpp"])).unwrap();
        let baked = [&origin["id"], &origin["parent"]];
        assert!(baked.contains(&&serde_json::json!(weights.id())), "{origin}");
        let exported = here.join("all.wts");
        done(here, &["-g", game, "export", "champion", "--out", "all.wts"]);
        assert_eq!(fs::read(exported).unwrap(), fs::read(path).unwrap());
        let played =
            done(here, &["-g", game, "--json", "-q", "match", "champion", "random", "--pairs", "1", "--depth", "1"]);
        assert!(played.contains("\"pairs\":1"), "{played}");
    }
    fs::write(here.join("last.obf"), NEARLY_FULL).unwrap();
    let evaluated = done(here, &["--json", "eval", "--weights", "champion", "--data", "last.obf"]);
    assert!(evaluated.contains("\"positions\":1"), "{evaluated}");
    let solved = done(here, &["--json", "solve", "last.obf"]);
    assert!(solved.contains("\"score\":64"), "{solved}");
    let out = done(
        here,
        &["--json", "-q", "selfplay", "--weights", "champion", "--games", "2", "--depth", "1", "--out", "g"],
    );
    assert!(out.contains("\"games\":2"), "{out}");
}

#[test]
fn a_folder_in_reach_and_a_path_go_first() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let id = |word: &str| {
        let report = done(here, &["--json", "inspect", word]);
        serde_json::from_str::<serde_json::Value>(&report).unwrap()["id"].as_str().unwrap().to_string()
    };
    let (other, built_in) = (kit::bench_weights(7, 90), champion("othello").1);
    fs::create_dir_all(here.join("weights/othello")).unwrap();
    fs::write(here.join("weights/othello/009-other.wts"), other.to_bytes()).unwrap();
    // A folder without a champion has versions by number; the champion is still the one inside.
    assert_eq!((id("9"), id("champion")), (other.id(), built_in.id()));
    fs::write(here.join("weights/othello/champion"), "009-other.wts\n").unwrap();
    assert_eq!(id("champion"), other.id());
    done(here, &["export", "champion", "--out", "first.wts"]);
    assert_eq!(Weights::read(&here.join("first.wts")).unwrap(), other);
    // A path is a path, wherever a champion is.
    assert_eq!(id("weights/othello/009-other.wts"), other.id());
    // A champion that names a missing file is a damaged folder, not a reason to take another.
    fs::write(here.join("weights/othello/champion"), "010-gone.wts\n").unwrap();
    let output = run(here, &["export", "champion", "--out", "second.wts"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("010-gone.wts"));
}

#[test]
fn a_game_without_a_champion_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["-g", "othello4", "export", "champion", "--out", "w.wts"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("train --publish"));
    let output = run(folder.path(), &["export", "77", "--out", "w.wts"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("weights/othello"));
}
