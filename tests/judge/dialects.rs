//! `--dialect`.

use serde_json::Value;
use stonesmith::judge::renju::RenjuDialect;
use stonesmith::judge::reversi::Dialect;
use stonesmith::judge::spelling::Spelling;

use crate::bots::{PATIENT, clean, fault, stonesmith};

/// A game of our engine against `greedy` in this dialect, which the engine is not told.
fn tolerant(game: &str, judge: &str, dialect: &str) -> Value {
    let engine = format!("'{}' engine -g {game} --protocol judge --weights greedy", env!("CARGO_BIN_EXE_stonesmith"));
    let output = stonesmith()
        .args(["judge", judge, "--json", "--first", &engine, "--second", "greedy", "--dialect", dialect])
        .args(["--games", "2", "--alternate", "--openings", "none"])
        .args(PATIENT)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2, "{dialect}: {}", String::from_utf8_lossy(&output.stderr));
    games.into_iter().find(|game| game["reason"] != "OK").unwrap_or(Value::Null)
}

/// The words that change requests only, so that a bot that reads them all needs no telling.
fn requests(own: &[(&'static str, &'static str)]) -> Vec<&'static str> {
    let shared = Spelling::WORDS.iter().filter(|(word, _)| ["start", "crlf", "lower", "noise"].contains(word));
    own.iter().chain(shared).map(|(word, _)| *word).collect()
}

#[test]
fn a_tolerant_bot_survives_every_form_of_reversi_requests() {
    for dialect in requests(&Dialect::WORDS) {
        assert_eq!(tolerant("othello", "reversi", dialect), Value::Null, "{dialect}");
    }
    for dialect in ["bare,board-first,crosses,times,start,crlf,noise", "color,lines,zeros,lower,noise"] {
        assert_eq!(tolerant("othello", "reversi", dialect), Value::Null, "{dialect}");
    }
}

#[test]
fn a_tolerant_bot_survives_every_form_of_renju_requests() {
    for dialect in requests(&RenjuDialect::WORDS) {
        assert_eq!(tolerant("renju", "renju", dialect), Value::Null, "{dialect}");
    }
    assert_eq!(tolerant("renju", "renju", "bare,no-times,pass-word,start,crlf,lower,noise"), Value::Null);
}

#[test]
fn dialects_reach_the_program() {
    // The mock bot knows the standard spelling only: any other makes it panic, which is a crash.
    for dialect in ["lines", "lower", "noise", "turn=GO"] {
        fault("legal", "CRASH", "exited with code 101", &[&PATIENT[..], &["--dialect", dialect]].concat());
    }
    clean("legal", &["--dialect", "color"]);
}

#[test]
fn answers_are_read_as_the_dialect_spells_them() {
    let spelled = ["--dialect", "ready=HERE,verb=PUT,pass=NO MOVE,zero-based,column-first"];
    clean("spelled", &spelled);
    fault("spelled", "FORMAT", "`HERE` instead of `OK`", &PATIENT);
    fault("legal", "FORMAT", "`OK` instead of `HERE`", &[&PATIENT[..], &spelled].concat());
    fault("pass", "ILLEGAL_PASS", "legal moves", &[&PATIENT[..], &["--dialect", "pass=PASS"]].concat());
    // Counted from 0, row 3 is the fourth; the bot means another square and is told so.
    fault("legal", "ILLEGAL", "MOVE ", &[&PATIENT[..], &["--dialect", "zero-based"]].concat());
}
