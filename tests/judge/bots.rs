//! What all tests of the referee need: the bots, `judge` run from outside, and what must be true of every game.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::Value;

use crate::example::example;

/// Limits that no bot reaches that does not mean to, on a machine that hardly lets it run either.
pub const PATIENT: [&str; 4] = ["--total-ms", "120000", "--cpu-ms", "120000"];
/// A referee that takes longer is held up.
const STALL: Duration = Duration::from_secs(280);

pub fn badbot() -> &'static Path {
    static BOT: OnceLock<PathBuf> = OnceLock::new();
    BOT.get_or_init(|| example("badbot"))
}

/// A bot's command and the tag by which its processes are found.
pub struct Bot {
    pub command: String,
    pub tag: String,
}

pub fn bot(mode: &str) -> Bot {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let tag = format!("badbot-{}-{count}", std::process::id());
    Bot { command: format!("'{}' {mode} --tag {tag}", badbot().display()), tag }
}

pub fn processes(tag: &str) -> Vec<PathBuf> {
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    folders
        .filter(|folder| {
            fs::read(folder.join("cmdline"))
                .is_ok_and(|line| line.split(|&byte| byte == 0).any(|word| word == tag.as_bytes()))
        })
        .collect()
}

/// Runs `judge reversi` and answers its JSON lines.
pub fn referee(first: &str, second: &str, more: &[&str]) -> Vec<Value> {
    let output = stonesmith()
        .args(["judge", "reversi", "--json", "--first", first, "--second", second])
        .args(more)
        .timeout(STALL)
        .output()
        .unwrap();
    let (out, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{errors}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn stonesmith() -> assert_cmd::Command {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_stonesmith"))
}

/// A bad bot against our greedy player, once with each colour: both games are lost by its fault, with the text the
/// detail must contain, in good time, and nothing of it is left.
#[track_caller]
pub fn fault(mode: &str, reason: &str, detail: &str, limits: &[&str]) -> Value {
    let bot = bot(mode);
    let begin = Instant::now();
    let both = ["--games", "2", "--alternate", "--openings", "none"];
    let games = referee(&bot.command, "greedy", &[limits, &both].concat());
    assert!(begin.elapsed() < STALL, "{mode} holds the match up: {:?}", begin.elapsed());
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game["reason"], reason, "{game}");
        assert_eq!(game["faulty"], "first", "{game}");
        assert_eq!(game["result"], "second", "{game}");
        assert!(game["detail"].as_str().unwrap().contains(detail), "{game}");
    }
    assert_eq!(processes(&bot.tag), Vec::<PathBuf>::new());
    games[0].clone()
}

/// A bot that must get through its game.
#[track_caller]
pub fn clean(mode: &str, more: &[&str]) -> Value {
    let bot = bot(mode);
    let games = referee(&bot.command, "greedy", &[&PATIENT, more].concat());
    let game = &games[0];
    assert_eq!(game["reason"], "OK", "{game}");
    assert_eq!(game["faulty"], Value::Null);
    assert_eq!(processes(&bot.tag), Vec::<PathBuf>::new());
    game.clone()
}

pub fn number(game: &Value, key: &str, side: usize) -> f64 {
    game[key][side].as_f64().unwrap()
}

/// Waits up to a minute for a condition.
pub fn until(condition: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    while !condition() && begin.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(20));
    }
    condition()
}
