//! Self-play and labels as a user meets them: the same bytes for any number of threads and after any interruption,
//! clear refusals of what does not fit together.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

fn stonesmith(arguments: &[&str]) -> Output {
    Command::new(cargo_bin!("stonesmith")).args(arguments).output().expect("the binary runs")
}

fn done(arguments: &[&str]) -> String {
    let output = stonesmith(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str], because: &str) {
    let output = stonesmith(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(because), "{arguments:?}: expected `{because}` in: {message}");
}

/// The names and bytes of the files in a folder.
fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn threads_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let play = |name: &str, threads: &str| {
        let (out, common) =
            (out(name), ["selfplay", "--weights", "zero", "-q", "--games", "40", "--shard-games", "16"]);
        done(&[&common[..], &["--depth", "1", "--solve-empties", "8", "--threads", threads, "--out", &out]].concat());
        bytes(Path::new(&out))
    };
    let one = play("one", "1");
    assert_eq!(
        one.iter().map(|file| file.0.as_str()).collect::<Vec<_>>(),
        ["000000.games", "000001.games", "000002.games"]
    );
    assert!(one == play("three", "3"));
    let label = |name: &str, threads: &str| {
        let (data, out) = (out("one"), out(name));
        let common = ["label", "--weights", "zero", "-q", "--depth", "3", "--solve-empties", "10", "--every", "5"];
        done(&[&common[..], &["--threads", threads, "--data", &data, "--out", &out]].concat());
        bytes(Path::new(&out))
    };
    let labelled = label("label-one", "1");
    assert_eq!(labelled.len(), 3);
    assert!(labelled == label("label-three", "3"));
    assert!(labelled != one);
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = |name: &str| -> Vec<String> {
        let out = folder.path().join(name).to_string_lossy().into_owned();
        let words = ["selfplay", "--weights", "zero", "-q", "--games", "400", "--depth", "1", "--solve-empties", "9"];
        let more = ["--shard-games", "150", "--threads", "2", "--resume", "--out"];
        words.iter().chain(&more).map(|word| word.to_string()).chain([out]).collect()
    };
    let whole: Vec<String> = arguments("whole");
    done(&whole.iter().map(String::as_str).collect::<Vec<_>>());
    let killed = arguments("killed");
    let first_shard = folder.path().join("killed/000000.games");
    for attempt in 0..3 {
        let mut child = Command::new(cargo_bin!("stonesmith")).args(&killed).stdout(Stdio::null()).spawn().unwrap();
        let begin = Instant::now();
        // Long enough to have begun, a little longer each time, never so long that a slow machine finishes first.
        while !first_shard.with_extension("games.part").exists() && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(5 + 10 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    done(&killed.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(bytes(&folder.path().join("whole")) == bytes(&folder.path().join("killed")));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (games, text) = (path("games"), path("text.wts"));
    let small =
        ["selfplay", "-g", "othello4", "--weights", "zero", "-q", "--games", "5", "--depth", "1", "--out", &games];
    done(&small);
    refused(&small, "not empty");
    refused(&[&small[..], &["--resume", "--seed", "2"]].concat(), "another run");
    fs::write(&text, "these are no weights at all, but a line of text").unwrap();
    let other = path("other");
    refused(&["selfplay", "--weights", &text, "--games", "5", "--out", &other], "STONEWTS");
    refused(&["selfplay", "--weights", "999", "--games", "5", "--out", &other], "weights");
    refused(&["label", "--weights", "zero", "--data", &games, "--out", &other], "games of othello4");
    refused(&["fit", "--data", &games, "--out", &path("f.wts")], "games of othello4");
    assert!(!Path::new(&path("f.wts")).exists());
    refused(&["fit", "-g", "othello4", "--data", &path("nothing"), "--out", &path("f.wts")], "nothing");
    // Weights of another game: made here, refused there.
    let weights = path("w4.wts");
    done(&["fit", "-g", "othello4", "-q", "--data", &games, "--out", &weights, "--knots", "1", "--passes", "5"]);
    refused(&["selfplay", "--weights", &weights, "--games", "5", "--out", &other], "weights for othello4");
    let whole = fs::read(&weights).unwrap();
    fs::write(&weights, &whole[..whole.len() / 2]).unwrap();
    refused(&["selfplay", "-g", "othello4", "--weights", &weights, "--games", "5", "--out", &other], "hash");
    assert!(!Path::new(&other).exists(), "nothing was begun");
}
