//! The `sprt` verb from outside: published values, exit codes, and numbers that are finite or null.

use assert_cmd::Command;
use serde_json::Value;

fn sprt(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("stonesmith").unwrap();
    command.arg("sprt").args(arguments);
    command
}

fn json(arguments: &[&str]) -> Value {
    let output = sprt(arguments).arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().expect("a number");
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

#[test]
fn published_values_are_printed() {
    let output = json(&["--pentanomial", "10,25,80,40,12"]);
    near(&output["llr"], 0.6640, 5e-5);
    near(&output["lower"], -2.944, 5e-4);
    near(&output["upper"], 2.944, 5e-4);
    near(&output["elo"], 19.79, 5e-3);
    near(&output["elo_error"], 25.166, 1e-3);
    near(&output["nelo"], 29.41, 5e-3);
    near(&output["los"], 0.93907, 5e-6);
    assert_eq!(output["verdict"], "continue");
    near(&json(&["--pentanomial", "10,25,80,40,12", "--model", "logistic"])["llr"], 0.8846, 5e-5);
    let behind = json(&["--pentanomial", "144,3,1,0,0", "--bounds", "-300,-100"]);
    near(&behind["llr"], -37.0473, 5e-5);
    assert_eq!(behind["verdict"], "H0");
    near(&json(&["--pentanomial=93,18711,58877,18739,100", "--bounds=-1.75,0.25"])["llr"], 2.9421, 5e-5);
    assert_eq!(json(&["--pentanomial", "0,86,860,128,0"])["verdict"], "H1");
}

#[test]
fn nothing_played_is_zero_and_nulls() {
    let output = json(&["--pentanomial", "0,0,0,0,0"]);
    assert_eq!(output["llr"], 0.0);
    for key in ["elo", "elo_error", "nelo", "los"] {
        assert!(output[key].is_null(), "{key}");
    }
    assert!(output["lower"].is_number() && output["upper"].is_number());
}

#[test]
fn a_perfect_score_prints_no_infinity() {
    let output = json(&["--pentanomial", "0,0,0,0,40"]);
    near(&output["llr"], 1.5946, 5e-5);
    assert!(output["elo"].is_number() && output["elo_error"].is_null());
    let text = sprt(&["--pentanomial", "0,0,0,0,40"]).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(text).unwrap().to_lowercase();
    assert!(text.contains("llr") && !text.contains("inf") && !text.contains("nan"), "{text}");
}

#[test]
fn bad_input_is_exit_2_and_says_why() {
    for (arguments, part) in [
        (&["--pentanomial", "1,2,3,4"][..], "five counts"),
        (&["--pentanomial", "-1,2,3,4,5"], "LL"),
        (&["--pentanomial", "1,2,x,4,5"], "DD"),
        (&["--pentanomial", "1,2,3,4,5", "--bounds", "10,0"], "elo0 < elo1"),
        (&["--pentanomial", "1,2,3,4,5", "--bounds", "5,5"], "elo0 < elo1"),
        (&["--pentanomial", "1,2,3,4,5", "--bounds", "5"], "two bounds"),
        (&["--pentanomial", "1,2,3,4,5", "--bounds", "0,inf"], "two bounds"),
        (&["--pentanomial", "1,2,3,4,5", "--model", "trinomial"], "normalized or logistic"),
        (&[], "--pentanomial"),
    ] {
        let output = sprt(arguments).assert().code(2).get_output().clone();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(part), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty());
    }
}
