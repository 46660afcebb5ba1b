//! The `forbidden` verb and Renju perft on the command line: answers, errors with their line, exit codes, streaming.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use serde_json::Value;

const ORACLE: &str = include_str!("data/renju-forbidden-oracle.jsonl");

fn stonesmith() -> Command {
    Command::new(env!("CARGO_BIN_EXE_stonesmith"))
}

fn forbidden_of(input: &str) -> (String, String, Option<i32>) {
    let output = stonesmith().arg("forbidden").write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn the_oracle_from_a_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/renju-forbidden-oracle.jsonl");
    let output = stonesmith().args(["forbidden", path]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), ORACLE.lines().count());
    for (answer, question) in answers.lines().zip(ORACLE.lines()) {
        let (answer, question): (Value, Value) =
            (serde_json::from_str(answer).unwrap(), serde_json::from_str(question).unwrap());
        assert_eq!(answer, serde_json::json!({ "forbidden": question["forbidden"] }));
    }
}

#[test]
fn stdin_unknown_keys_and_blank_lines() {
    let (out, err, code) = forbidden_of(
        "{\"white\":[],\"black\":[[8,5],[8,6],[8,7],[8,9],[8,10]],\"more\":{\"black\":[[0,0]]}}\r\n\n{\"black\":[],\"white\":[]}",
    );
    assert_eq!(out, "{\"forbidden\":[[8,8,[\"overline\"]]]}\n{\"forbidden\":[]}\n");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!(forbidden_of(""), (String::new(), String::new(), Some(0)));
}

#[test]
fn a_bad_line_is_named_after_the_answers_before_it() {
    let good = "{\"black\":[],\"white\":[]}";
    for (bad, expectation) in [
        ("black", "expected {\"black\""),
        ("{\"black\":[]}", "missing field `white`"),
        ("{\"black\":[[1]],\"white\":[]}", "expected {\"black\""),
        ("{\"black\":[[1,2,3]],\"white\":[]}", "expected {\"black\""),
        ("{\"black\":[[1.5,2]],\"white\":[]}", "expected {\"black\""),
        ("{\"black\":[],\"white\":[]} {}", "expected {\"black\""),
        ("[[],[]]", "expected {\"black\""),
        ("{\"black\":[[0,1]],\"white\":[]}", "from 1 to 15, found [0, 1]"),
        ("{\"black\":[],\"white\":[[3,16]]}", "from 1 to 15, found [3, 16]"),
        ("{\"black\":[[-1,-1]],\"white\":[]}", "from 1 to 15, found [-1, -1]"),
        ("{\"black\":[[3,4],[3,4]],\"white\":[]}", "every point once, found [3, 4]"),
        ("{\"black\":[[3,4]],\"white\":[[3,4]]}", "every point once, found [3, 4]"),
    ] {
        let (out, err, code) = forbidden_of(&format!("{good}\n{bad}\n{good}\n"));
        assert_eq!(out, "{\"forbidden\":[]}\n", "{bad}");
        assert!(err.contains("stdin: line 2") && err.contains(expectation), "{bad}: {err}");
        assert_eq!(code, Some(2), "{bad}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let output = stonesmith().args(["forbidden", "no/such.jsonl"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no/such.jsonl"));
}

#[test]
fn every_answer_comes_before_the_next_question() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_stonesmith"))
        .arg("forbidden")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        input.write_all(b"{\"black\":[],\"white\":[]}\n").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, "{\"forbidden\":[]}\n");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn perft_counts_renju() {
    let nodes = |arguments: &[&str]| {
        let output = stonesmith().args(["perft", "-g", "renju", "--json"]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["nodes"].as_u64()
    };
    assert_eq!(nodes(&["3"]), Some(8 * 23));
    assert_eq!(nodes(&["4"]), Some(8 * 23 * 223));
    // Three stones in a corner: 222 points and the pass; Black's five-to-be is forbidden as an overline.
    let position = |cells: &str, side: char| format!("{cells:.<225} {side}");
    assert_eq!(nodes(&["1", "--position", &position("BWB", 'W')]), Some(223));
    assert_eq!(nodes(&["1", "--position", &position("BBB.BB", 'B')]), Some(225 - 5 - 1 + 1));
    assert_eq!(nodes(&["1", "--position", &position("BBB.BB", 'W')]), Some(225 - 5 + 1));
}
