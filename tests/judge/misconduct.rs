//! Every way a bot is known to misbehave, each with its own reason; and habits that look like it and are legal.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

use crate::bots::{Bot, PATIENT, badbot, bot, clean, fault, number, processes, referee, until};

/// Enough to fail by waiting.
const SHORT: [&str; 2] = ["--total-ms", "300"];
/// Enough to fail by working.
const LITTLE_CPU: [&str; 4] = ["--total-ms", "120000", "--cpu-ms", "150"];
const LITTLE_MEMORY: [&str; 4] = ["--total-ms", "120000", "--memory-mb", "100"];

/// A test for each line, and the table of all of them.
macro_rules! misconduct {
    ($($name:ident: $mode:literal, $reason:literal, $detail:literal, $limits:expr;)*) => {
        $(#[test]
        fn $name() {
            fault($mode, $reason, $detail, &$limits);
        })*

        /// Mode, reason and limits of every misconduct.
        const ALL: &[(&str, &str, &[&str])] = &[$(($mode, $reason, &$limits)),*];
    };
}

misconduct! {
    never_answers_ready: "never-ready", "TLE", "300 ms", SHORT;
    hangs: "hang", "TLE", "300 ms", SHORT;
    forgets_to_flush: "no-flush", "TLE", "300 ms", SHORT;
    forgets_the_line_end: "no-newline", "TLE", "300 ms", SHORT;
    thinks_too_long_in_all: "slow 100", "TLE", "within", ["--total-ms", "250"];
    spins: "spin", "CPU_TLE", "limit is 150 ms", LITTLE_CPU;
    works_before_it_is_asked: "start-burn 400", "CPU_TLE", "150 ms", LITTLE_CPU;
    lets_a_child_work: "spin-child", "CPU_TLE", "150 ms", LITTLE_CPU;
    crashes: "crash", "CRASH", "SIGABRT", PATIENT;
    fails_at_once: "dead", "CRASH", "exited with code 3", PATIENT;
    exits_early: "exit", "CRASH", "exited with code 0", PATIENT;
    exits_after_ready: "exit-after-ready", "CRASH", "exited with code 0", PATIENT;
    exits_within_a_line: "unfinished", "CRASH", "middle of a line: `MOVE 3`", PATIENT;
    exits_and_leaves_a_child_with_its_pipes: "orphan", "CRASH", "exited with code 0", PATIENT;
    closes_its_output: "close-stdout", "CRASH", "closed its output", PATIENT;
    closes_its_input: "close-stdin", "CRASH", "closed its input", PATIENT;
    plays_an_illegal_move: "illegal", "ILLEGAL", "MOVE 1 1", PATIENT;
    plays_outside_the_board: "outside", "ILLEGAL", "outside the board", PATIENT;
    passes_with_moves: "pass", "ILLEGAL_PASS", "legal moves", PATIENT;
    answers_in_another_format: "format", "FORMAT", "`MOVE d3`", PATIENT;
    answers_with_a_byte_that_is_no_text: "binary", "FORMAT", "is not text", PATIENT;
    answers_with_an_empty_line: "empty-line", "FORMAT", "found ``", PATIENT;
    answers_ready_by_another_word: "wrong-ready", "FORMAT", "`YES`", PATIENT;
    adds_a_line: "extra", "EXTRA_OUTPUT", "`debug`", PATIENT;
    floods_a_line: "flood", "FLOOD", "65536 bytes", PATIENT;
    floods_lines: "flood-lines", "FLOOD", "65536 bytes", PATIENT;
    floods_after_its_answer: "flood-after", "FLOOD", "65536 bytes", PATIENT;
    takes_memory: "memory 200", "MEMORY", "limit is 100 MiB", LITTLE_MEMORY;
    lets_a_child_take_memory: "memory-child 200", "MEMORY", "limit is 100 MiB", LITTLE_MEMORY;
}

#[test]
fn takes_two_gigabytes() {
    // Resident memory, by the limit a judge has: the bot is stopped on its way, and its own allocation never fails.
    let available = fs::read_to_string("/proc/meminfo").unwrap();
    let available = available.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap_or("0");
    let kibibytes: u64 = available.trim().trim_end_matches(" kB").parse().unwrap();
    if kibibytes < 3 << 20 {
        eprintln!("skipped: less than 3 GiB of memory are free here");
        return;
    }
    let game = fault("memory 2048", "MEMORY", "limit is 1024 MiB", &PATIENT);
    assert!((1024.0..2200.0).contains(&number(&game, "peak_mb", 0)), "{game}");
}

#[test]
fn the_time_of_a_silent_bot_ends_at_the_limit() {
    for mode in ["never-ready", "hang", "no-flush", "no-newline"] {
        let game = fault(mode, "TLE", "300 ms", &SHORT);
        assert!((299.0..30_000.0).contains(&number(&game, "wall_ms", 0)), "{game}");
    }
    let game = fault("spin", "CPU_TLE", "150 ms", &LITTLE_CPU);
    assert!((150.0..1000.0).contains(&number(&game, "cpu_ms", 0)), "{game}");
}

#[test]
fn works_in_its_opponents_turn() {
    let (ponder, slow) = (bot("ponder"), bot("slow 90000"));
    let games = referee(&ponder.command, &slow.command, &LITTLE_CPU);
    assert_eq!((&games[0]["reason"], &games[0]["faulty"]), (&"CPU_TLE".into(), &"first".into()), "{}", games[0]);
    assert!(number(&games[0], "wall_ms", 1) < 89_000.0, "the wait for the opponent is cut short: {}", games[0]);
    assert_eq!((processes(&ponder.tag).len(), processes(&slow.tag).len()), (0, 0));
}

#[test]
fn adds_a_line_in_its_opponents_turn() {
    // Printed while the opponent thinks: found at the next request.
    let (late, slow) = (bot("late-extra"), bot("slow 1000"));
    let games = referee(&late.command, &slow.command, &PATIENT);
    assert_eq!((&games[0]["reason"], &games[0]["faulty"]), (&"EXTRA_OUTPUT".into(), &"first".into()), "{}", games[0]);
    assert_eq!((processes(&late.tag).len(), processes(&slow.tag).len()), (0, 0));
}

#[test]
fn the_last_words_of_a_crash_are_told() {
    let game = fault("crash", "CRASH", "SIGABRT", &PATIENT);
    assert!(game["detail"].as_str().unwrap().contains("about to fail"), "{game}");
}

#[test]
fn the_peak_of_memory_is_kept() {
    let game = fault("memory 200", "MEMORY", "limit is 100 MiB", &LITTLE_MEMORY);
    assert!((100.0..260.0).contains(&number(&game, "peak_mb", 0)), "{game}");
    // It counts although the memory is free again when the game ends.
    let game = clean("memory 60", &["--memory-mb", "150"]);
    assert!((60.0..100.0).contains(&number(&game, "peak_mb", 0)), "{game}");
    assert_eq!(number(&game, "peak_mb", 1), 0.0);
}

#[test]
fn address_space_is_not_memory() {
    // 8 GiB reserved and not touched, as garbage collectors do.
    let game = clean("reserve 8192", &[]);
    assert!(number(&game, "peak_mb", 0) < 100.0, "{game}");
}

#[test]
fn answering_in_two_writes_is_legal() {
    let game = clean("two-writes", &[]);
    assert!(game["moves"].as_u64().unwrap() >= 9);
}

#[test]
fn ignoring_the_end_of_input_is_no_fault_and_no_way_to_stay() {
    clean("ignore-eof", &[]);
}

#[test]
fn children_that_outlive_a_bot_die_with_the_game() {
    // One of them is a daemon that left group, session and parent.
    clean("daemons", &[]);
}

#[test]
fn a_flood_of_debug_output_holds_nobody_up() {
    clean("stderr-flood", &[]);
}

#[test]
fn with_both_dead_the_one_asked_first_is_at_fault() {
    let (one, other) = (bot("dead"), bot("dead"));
    let games = referee(&one.command, &other.command, &["--games", "2", "--alternate"]);
    assert_eq!(games[0]["faulty"], "first");
    assert_eq!(games[0]["black"], "first");
    // In the second game the second program is Black and is asked first.
    assert_eq!(games[1]["faulty"], "second");
    assert_eq!(games[1]["result"], "first");
}

#[test]
fn a_dead_judge_leaves_no_bot() {
    let bot = bot("daemons");
    let hang = self::bot("hang");
    let mut judge = Command::new(env!("CARGO_BIN_EXE_stonesmith"))
        .args(["judge", "reversi", "--first", &bot.command, "--second", &hang.command, "--total-ms", "60000"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The bot, its child and the daemon; the process between bot and daemon has ended.
    assert!(until(|| processes(&bot.tag).len() == 3 && processes(&hang.tag).len() == 1));
    judge.kill().unwrap();
    judge.wait().unwrap();
    assert!(until(|| processes(&bot.tag).is_empty() && processes(&hang.tag).is_empty()));
}

/// Copies of the referee and of the bot that everybody may run.
struct Public {
    folder: tempfile::TempDir,
    program: PathBuf,
    bot: PathBuf,
}

impl Public {
    fn new() -> Public {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let copy = |from: &Path, name: &str| {
            let to = folder.path().join(name);
            fs::copy(from, &to).unwrap();
            to
        };
        let program = copy(Path::new(env!("CARGO_BIN_EXE_stonesmith")), "stonesmith");
        let bot = copy(badbot(), "badbot");
        Public { folder, program, bot }
    }

    /// A game of the bot against our greedy player, refereed by the user nobody; `None` where that cannot be.
    fn judge(&self, bot: &Bot, limits: &[&str]) -> Option<Value> {
        let output = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&self.program)
            .args(["judge", "reversi", "--json", "--second", "greedy", "--first", &bot.command])
            .args(limits)
            .current_dir(self.folder.path())
            .output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }

    fn bot(&self, mode: &str) -> Bot {
        let Bot { tag, .. } = bot(mode);
        Bot { command: format!("'{}' {mode} --tag {tag}", self.bot.display()), tag }
    }
}

#[test]
fn an_ordinary_user_sees_the_same() {
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: not root, so every other test has shown it");
        return;
    }
    let public = Public::new();
    let good = public.bot("daemons");
    let Some(game) = public.judge(&good, &PATIENT) else {
        eprintln!("skipped: no setpriv, or the folder of temporary files is closed to others");
        return;
    };
    assert_eq!(game["reason"], "OK", "{game}");
    assert!(number(&game, "cpu_ms", 0) > 0.0 && number(&game, "peak_mb", 0) > 0.5, "{game}");
    assert_eq!(processes(&good.tag).len(), 0);
    for &(mode, reason, limits) in ALL {
        let bot = public.bot(mode);
        let game = public.judge(&bot, limits).unwrap();
        assert_eq!((&game["reason"], &game["faulty"]), (&reason.into(), &"first".into()), "{mode}: {game}");
        assert_eq!(processes(&bot.tag).len(), 0, "{mode}");
    }
}
