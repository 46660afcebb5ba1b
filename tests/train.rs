//! The loop on a small scale: from nothing to a judged bot, resumed after kill -9, continued, refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

/// Two small generations.
const PROFILE: &str = "
seed = 5
judged_games = 2
[gate]
pairs = 6
depth = 1
[[generation]]
games = 300
depth = 0
knots = 2
window = 1
passes = 10
[[generation]]
games = 300
depth = 1
knots = 2
window = 2
passes = 10
label = { share = 0.5, depth = 3, solve_empties = 13, every = 9 }
";

fn stonesmith(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(cargo_bin!("stonesmith")).current_dir(folder).args(arguments).output().expect("the binary runs")
}

fn code(output: &Output) -> (i32, String) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    (output.status.code().expect("an exit code"), text)
}

/// A folder with the profile in it.
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), PROFILE).unwrap();
    folder
}

fn candidates(run: &Path) -> Vec<Vec<u8>> {
    (0..2).map(|number| fs::read(run.join(format!("gen-00{number}/candidate.wts"))).unwrap()).collect()
}

#[test]
fn from_nothing_to_a_judged_bot() {
    let folder = workplace();
    let output = stonesmith(folder.path(), &["train", "--profile", "small.toml", "--json", "-q", "--publish"]);
    let (status, text) = code(&output);
    assert_eq!(status, 0, "{text}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["generations"], 2);
    assert_eq!((&result["judged"], &result["faults"]), (&2.into(), &0.into()));
    let run = folder.path().join(result["run"].as_str().unwrap());
    assert!(run.ends_with("data/othello/runs/small-001"));
    let bot = fs::read_to_string(folder.path().join(result["bot"].as_str().unwrap())).unwrap();
    assert!(bot.len() < 1_048_576 && bot.contains("int main"));
    // Published: the champion's file, named by its content, and a ledger row.
    let champion = fs::read_to_string(folder.path().join("weights/othello/champion")).unwrap();
    assert_eq!(champion.trim(), format!("001-{}.wts", result["weights"].as_str().unwrap()));
    let ledger = fs::read_to_string(folder.path().join("weights/othello/ledger.tsv")).unwrap();
    assert_eq!(ledger.lines().count(), 2);
    // Every kind of file it made is what it says; an altered byte in the bot is noticed.
    let bot_path = folder.path().join(result["bot"].as_str().unwrap());
    let inspect = |path: &Path| stonesmith(folder.path(), &["inspect", path.to_str().unwrap(), "--json"]);
    for (path, kind) in [
        (bot_path.clone(), "bot"),
        (run.clone(), "run"),
        (run.join("bot.wts"), "weights"),
        (run.join("gen-001/games"), "games"),
        (run.join("gen-001/labels/000000.games"), "games"),
    ] {
        let output = inspect(&path);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["kind"], &report["ok"]), (&kind.into(), &true.into()), "{report}");
        assert_eq!(output.status.code(), Some(0));
    }
    for at in [200, bot.len() / 2, bot.len() - 2] {
        let mut altered = bot.clone().into_bytes();
        altered[at] = if altered[at] == b'x' { b'y' } else { b'x' };
        let path = folder.path().join("altered.cpp");
        fs::write(&path, altered).unwrap();
        assert_eq!(inspect(&path).status.code(), Some(1), "byte {at}");
    }
    // Again without --resume: a new run would begin, but this one is refused when named.
    let named = stonesmith(folder.path(), &["train", "--run", run.to_str().unwrap(), "-q"]);
    let (status, text) = code(&named);
    assert!(status == 2 && text.contains("--resume"), "{text}");
    let other =
        stonesmith(folder.path(), &["train", "-g", "othello6", "--run", run.to_str().unwrap(), "--resume", "-q"]);
    let (status, text) = code(&other);
    assert!(status == 2 && text.contains("a run of othello"), "{text}");
}

#[test]
fn a_killed_run_goes_on_to_the_same_weights_and_a_finished_one_further() {
    let folder = workplace();
    let train = |run: &str, more: &[&str]| -> Vec<String> {
        let words = ["train", "-g", "othello6", "--profile", "small.toml", "--run", run, "-q", "--resume"];
        words.iter().chain(more).map(|word| word.to_string()).collect()
    };
    let run = |arguments: Vec<String>| {
        let output = stonesmith(folder.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let (status, text) = code(&output);
        assert_eq!(status, 0, "{text}");
    };
    run(train("whole", &[]));
    // Killed at several moments, each a little later than the one before.
    for attempt in 1..=5 {
        let mut child = Command::new(cargo_bin!("stonesmith"))
            .current_dir(folder.path())
            .args(train("killed", &[]))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(60 * attempt) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    run(train("killed", &[]));
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    assert!(candidates(&whole) == candidates(&killed));
    run(train("whole", &["--generations", "3"]));
    assert!(whole.join("gen-002/result.json").exists());
    let ledger = fs::read_to_string(whole.join("weights/ledger.tsv")).unwrap();
    assert_eq!(ledger.lines().count(), 4, "{ledger}");
}

#[test]
fn a_missing_compiler_loses_nothing() {
    let folder = workplace();
    let train = |path: Option<&Path>| {
        let mut command = Command::new(cargo_bin!("stonesmith"));
        command.current_dir(folder.path()).args(["train", "--profile", "small.toml", "--run", "run", "--resume", "-q"]);
        if let Some(path) = path {
            command.env("PATH", path);
        }
        command.output().expect("the binary runs")
    };
    let nowhere = folder.path().join("no-programs-here");
    let (status, text) = code(&train(Some(&nowhere)));
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("g++") && text.contains("main.cpp"), "{text}");
    assert!(folder.path().join("run/gen-001/result.json").exists(), "the training is not lost");
    let before = candidates(&folder.path().join("run"));
    let (status, text) = code(&train(None));
    assert_eq!(status, 0, "{text}");
    assert!(before == candidates(&folder.path().join("run")));
}
