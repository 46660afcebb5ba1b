//! `simulate` from outside: what it prints, what it says on bad input, and with which exit code.

use std::io::{Read, Write};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;

fn simulate(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("stonesmith")
        .unwrap()
        .arg("simulate")
        .args(arguments)
        .write_stdin(input)
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

const TWO_CASES: &str = "2\n6 2\n2 3 1\n2 2 2\n4 1\n1 2 1\n";

#[test]
fn answers_are_one_line_a_case() {
    // 6×6: W (3,3) (4,4), B (3,4) (4,3) in row, column. Black at (3,2) turns (3,3): B 4, W 1. White at (2,2) turns
    // (3,3) on the diagonal to (4,4): B 3, W 3. 4×4: Black at (2,1) turns (2,2): B 4, W 1.
    assert_eq!(simulate(&[], TWO_CASES), (0, "#1 3 3\n#2 4 1\n".into(), String::new()));
    let windows = TWO_CASES.replace('\n', " \r\n\r\n");
    assert_eq!(simulate(&["-"], &windows), (0, "#1 3 3\n#2 4 1\n".into(), String::new()));
    let (code, out, _) = simulate(&["--json"], TWO_CASES);
    assert_eq!(code, 0);
    assert_eq!(out, "{\"case\":1,\"black\":3,\"white\":3}\n{\"case\":2,\"black\":4,\"white\":1}\n");
}

#[test]
fn a_file_is_read_and_named_in_errors() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cases.txt");
    std::fs::write(&path, TWO_CASES).unwrap();
    assert_eq!(simulate(&[path.to_str().unwrap()], "").1, "#1 3 3\n#2 4 1\n");
    std::fs::write(&path, &TWO_CASES[..TWO_CASES.len() - 6]).unwrap();
    let (code, out, error) = simulate(&[path.to_str().unwrap()], "");
    assert_eq!((code, out.as_str()), (2, "#1 3 3\n"));
    assert!(error.contains("cases.txt") && error.contains("line 6") && error.contains("move 1 of 1"), "{error}");
    let (code, _, error) = simulate(&["/nonexistent/cases.txt"], "");
    assert_eq!(code, 2);
    assert!(error.contains("/nonexistent/cases.txt"), "{error}");
}

#[test]
fn earlier_answers_stand_when_a_later_case_is_wrong() {
    for (bad, says) in [
        ("2\n6 2\n2 3 1\n2 2 2\n4 1\n1 1 1\n", "line 6"),
        ("2\n6 2\n2 3 1\n2 2 2\n4 1\n1 2 7\n", "line 6"),
        ("2\n6 2\n2 3 1\n2 2 2\n9 1\n", "line 5"),
        ("1\n6 2\n2 3 1\n2 2 2\nmore\n", "line 5"),
        ("2\n6 2\n2 3 1\n2 2 2\n", "line 5"),
        ("2\n6 2\n2 3 1\n2 2 2\n4 1\n\u{ff}\n", "line 6"),
    ] {
        let (code, out, error) = simulate(&[], bad);
        assert_eq!((code, out.as_str()), (2, "#1 3 3\n"), "{bad:?}");
        assert!(error.contains(says), "{error}");
        assert!(error.contains("expected") || error.contains("turns no disc"), "{error}");
    }
}

#[test]
fn bad_moves_are_left_out_on_request() {
    let input = "1\n4 3\n1 2 1\n1 2 2\n4 1 1\n";
    assert_eq!(simulate(&[], input).0, 2);
    let (code, out, error) = simulate(&["--lenient"], input);
    assert_eq!((code, out.as_str()), (0, "#1 4 1\n"));
    assert!(error.contains("2 moves left out"), "{error}");
    assert_eq!(simulate(&["--lenient", "-q"], input).2, "");
}

#[test]
fn bytes_that_are_not_text_and_endless_lines_are_refused() {
    let mut command = Command::cargo_bin("stonesmith").unwrap();
    let output = command.arg("simulate").write_stdin(b"1\n4 1\n\xff\xfe\x00\n".to_vec()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    // The reader stops long before the end of the line and closes its end of the pipe.
    let mut child = Process::new(assert_cmd::cargo::cargo_bin!("stonesmith"))
        .arg("simulate")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let chunk = vec![b'7'; 1 << 16];
    let written = (0..1024).take_while(|_| input.write_all(&chunk).is_ok()).count();
    drop(input);
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(written < 1024, "64 MiB of one line were read");
    assert!(error.contains("line 1: longer than"), "{error}");
}

#[test]
fn each_answer_comes_before_the_next_line_is_waited_for() {
    let mut child = Process::new(assert_cmd::cargo::cargo_bin!("stonesmith"))
        .arg("simulate")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    input.write_all(b"2\n4 0\n").unwrap();
    let mut answer = [0; 7];
    output.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"#1 2 2\n");
    input.write_all(b"8 0\n").unwrap();
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "#2 2 2\n");
    assert!(child.wait().unwrap().success());
}
