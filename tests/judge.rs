//! The referee from outside: programs that misbehave in every known way, each with its own reason, none left behind.
//!
//! The bots are `tests/bots/badbot.rs`, built as an example. Limits are short so that the tests are quick; times are
//! compared with wide margins, because a test must not fail on a busy machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use serde_json::Value;
use stonesmith::game::othello::Othello;
use stonesmith::game::renju::Renju;
use stonesmith::game::{Color, Move, Position};
use stonesmith::judge::{self, Limits};
use stonesmith::play::duel::{self, Simple};
use stonesmith::play::{parse_opening, position_after};

const PATIENT: [&str; 4] = ["--total-ms", "20000", "--cpu-ms", "20000"];

/// The example beside this test's own executable; built now when only this test was asked for and it is missing or old.
fn badbot() -> &'static Path {
    static BOT: OnceLock<PathBuf> = OnceLock::new();
    BOT.get_or_init(|| {
        let own = env::current_exe().unwrap();
        let profile = own.parent().unwrap().parent().unwrap();
        let bot = profile.join("examples/badbot");
        let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/badbot.rs");
        if changed(&bot) < changed(&source) {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--example", "badbot"]).current_dir(env!("CARGO_MANIFEST_DIR"));
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.status().unwrap().success());
        }
        bot
    })
}

/// A bot's command and the tag by which its processes are found.
struct Bot {
    command: String,
    tag: String,
}

fn bot(mode: &str) -> Bot {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let tag = format!("badbot-{}-{count}", std::process::id());
    Bot { command: format!("'{}' {mode} --tag {tag}", badbot().display()), tag }
}

fn processes(tag: &str) -> Vec<PathBuf> {
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    folders
        .filter(|folder| {
            fs::read(folder.join("cmdline"))
                .is_ok_and(|line| line.split(|&byte| byte == 0).any(|word| word == tag.as_bytes()))
        })
        .collect()
}

/// Runs `judge reversi` and answers its JSON lines.
fn referee(first: &str, second: &str, more: &[&str]) -> Vec<Value> {
    let output = stonesmith()
        .args(["judge", "reversi", "--json", "--first", first, "--second", second])
        .args(more)
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    let (out, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{errors}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn stonesmith() -> assert_cmd::Command {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_stonesmith"))
}

/// A bad bot plays first against our greedy player: its fault, with the text its detail must contain.
#[track_caller]
fn fault(mode: &str, reason: &str, detail: &str, limits: &[&str]) -> Value {
    let bot = bot(mode);
    let games = referee(&bot.command, "greedy", limits);
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!(game["reason"], reason, "{game}");
    assert_eq!(game["faulty"], "first", "{game}");
    assert_eq!(game["result"], "second", "{game}");
    let text = game["detail"].as_str().unwrap();
    assert!(text.contains(detail), "{game}");
    assert_eq!(processes(&bot.tag), Vec::<PathBuf>::new());
    game.clone()
}

/// A bot that must get through its game.
#[track_caller]
fn clean(mode: &str, more: &[&str]) -> Value {
    let bot = bot(mode);
    let games = referee(&bot.command, "greedy", &[&PATIENT, more].concat());
    let game = &games[0];
    assert_eq!(game["reason"], "OK", "{game}");
    assert_eq!(game["faulty"], Value::Null);
    assert_eq!(processes(&bot.tag), Vec::<PathBuf>::new());
    game.clone()
}

fn number(game: &Value, key: &str, side: usize) -> f64 {
    game[key][side].as_f64().unwrap()
}

#[test]
fn silence_costs_the_game_at_the_limit() {
    for mode in ["never-ready", "hang", "no-flush", "no-newline"] {
        let game = fault(mode, "TLE", "300 ms", &["--total-ms", "300"]);
        let wall = number(&game, "wall_ms", 0);
        assert!((299.0..3000.0).contains(&wall), "{game}");
    }
    fault("slow 100", "TLE", "within", &["--total-ms", "250"]);
}

#[test]
fn cpu_time_is_a_limit_of_its_own() {
    let limits = ["--total-ms", "20000", "--cpu-ms", "150"];
    let game = fault("spin", "CPU_TLE", "limit is 150 ms", &limits);
    assert!((150.0..1000.0).contains(&number(&game, "cpu_ms", 0)), "{game}");
    // Start-up, other processes and the opponent's turns count too.
    fault("start-burn 400", "CPU_TLE", "150 ms", &limits);
    fault("spin-child", "CPU_TLE", "150 ms", &limits);
    let (ponder, slow) = (bot("ponder"), bot("slow 15000"));
    let games = referee(&ponder.command, &slow.command, &limits);
    assert_eq!((&games[0]["reason"], &games[0]["faulty"]), (&"CPU_TLE".into(), &"first".into()), "{}", games[0]);
    assert!(number(&games[0], "wall_ms", 1) < 14_000.0, "the wait for the opponent is cut short: {}", games[0]);
}

#[test]
fn a_program_that_ends_has_crashed() {
    let game = fault("crash", "CRASH", "SIGABRT", &PATIENT);
    assert!(game["detail"].as_str().unwrap().contains("about to fail"), "{game}");
    fault("dead", "CRASH", "exited with code 3", &PATIENT);
    fault("exit", "CRASH", "exited with code 0", &PATIENT);
    fault("exit-after-ready", "CRASH", "exited with code 0", &PATIENT);
    fault("unfinished", "CRASH", "middle of a line: `MOVE 3`", &PATIENT);
    fault("close-stdout", "CRASH", "closed its output", &PATIENT);
    fault("close-stdin", "CRASH", "closed its input", &PATIENT);
}

#[test]
fn wrong_answers_are_told_apart() {
    fault("illegal", "ILLEGAL", "MOVE 1 1", &PATIENT);
    fault("outside", "ILLEGAL", "outside the board", &PATIENT);
    fault("pass", "ILLEGAL_PASS", "4 legal moves", &PATIENT);
    fault("format", "FORMAT", "`MOVE d3`", &PATIENT);
    fault("wrong-ready", "FORMAT", "`YES`", &PATIENT);
    fault("extra", "EXTRA_OUTPUT", "`debug`", &PATIENT);
    // Printed while the opponent thinks: found at the next request.
    let (late, slow) = (bot("late-extra"), bot("slow 1000"));
    let games = referee(&late.command, &slow.command, &PATIENT);
    assert_eq!((&games[0]["reason"], &games[0]["faulty"]), (&"EXTRA_OUTPUT".into(), &"first".into()), "{}", games[0]);
}

#[test]
fn a_flood_is_cut_off() {
    for mode in ["flood", "flood-lines", "flood-after"] {
        fault(mode, "FLOOD", "65536 bytes", &PATIENT);
    }
}

#[test]
fn memory_is_what_is_resident() {
    let game = fault("memory 200", "MEMORY", "limit is 100 MiB", &["--memory-mb", "100", "--total-ms", "20000"]);
    assert!((100.0..260.0).contains(&number(&game, "peak_mb", 0)), "{game}");
    fault("memory-child 200", "MEMORY", "limit is 100 MiB", &["--memory-mb", "100", "--total-ms", "20000"]);
    // The peak counts although the memory is free again when the game ends.
    let game = clean("memory 60", &["--memory-mb", "150"]);
    assert!((60.0..100.0).contains(&number(&game, "peak_mb", 0)), "{game}");
    assert_eq!(number(&game, "peak_mb", 1), 0.0);
}

#[test]
fn legal_habits_are_no_faults() {
    let game = clean("two-writes", &[]);
    assert!(game["moves"].as_u64().unwrap() >= 9);
    clean("ignore-eof", &[]);
    clean("stderr-flood", &[]);
    // Children, one of them a daemon that left group, session and parent, die with the game.
    clean("daemons", &[]);
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
    let until = |condition: &dyn Fn() -> bool| {
        let begin = Instant::now();
        while !condition() && begin.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(20));
        }
        condition()
    };
    // The bot, its child and the daemon; the process between bot and daemon has ended.
    assert!(until(&|| processes(&bot.tag).len() == 3 && processes(&hang.tag).len() == 1));
    judge.kill().unwrap();
    judge.wait().unwrap();
    assert!(until(&|| processes(&bot.tag).is_empty() && processes(&hang.tag).is_empty()));
}

#[test]
fn two_programs_play_a_whole_game_on_the_boards_of_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let records = ["a", "b"].map(|name| folder.path().join(name));
    let [one, other] =
        [("legal", 0), ("last", 1)].map(|(mode, i)| bot(&format!("{mode} --record '{}'", records[i].display())));
    let games = referee(&one.command, &other.command, &PATIENT);
    let game = &games[0];
    assert_eq!(game["reason"], "OK");
    let mut keys: Vec<&str> = game.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "black", "cpu_ms", "detail", "discs", "faulty", "game", "moves", "opening", "peak_mb", "reason", "result",
            "wall_ms"
        ]
    );
    for side in 0..2 {
        assert!(number(game, "wall_ms", side) > 0.0 && number(game, "cpu_ms", side) > 0.0, "{game}");
        assert!((0.5..100.0).contains(&number(game, "peak_mb", side)), "{game}");
    }
    // Replay what the programs were shown: first its lowest move, second its highest, each board its own turn's.
    let [black, white] = records.map(|path| fs::read_to_string(path).unwrap());
    let (mut black, mut white) = (black.lines(), white.lines());
    assert_eq!((black.next(), white.next()), (Some("READY FIRST"), Some("READY SECOND")));
    let mut position = Othello::<8>::start();
    let mut turn = 0;
    while position.outcome().is_none() {
        turn += 1;
        let lines = if turn % 2 == 1 { &mut black } else { &mut white };
        assert_eq!(lines.next().unwrap(), format!("TURN {turn} {}", position.board_text()));
        let moves = position.legal_moves();
        position.play(if turn % 2 == 1 { moves[0] } else { *moves.last().unwrap() }).unwrap();
    }
    assert_eq!((black.next(), white.next()), (None, None));
    assert_eq!(game["moves"], turn);
    let (b, w) = position.black_white();
    assert_eq!(game["discs"], serde_json::json!([b.count_ones(), w.count_ones()]));
    let winner = ["second", "draw", "first"][(position.outcome().unwrap().0.signum() + 1) as usize];
    assert_eq!(game["result"], winner);
}

/// An opening after which the side to move must pass, as move text.
fn opening_before_a_pass() -> (String, usize) {
    use stonesmith::rng::{Domain, RngExt, stream};
    for index in 0.. {
        let mut draws = stream(1, Domain::Test, index);
        let mut position = Othello::<8>::start();
        let mut moves: Vec<Move> = Vec::new();
        while position.outcome().is_none() {
            let legal = position.legal_moves();
            if legal == [Move::PASS] {
                return (moves.iter().map(|&mv| Othello::<8>::move_text(mv)).collect(), moves.len());
            }
            moves.push(legal[draws.random_range(0..legal.len())]);
            position.play(*moves.last().unwrap()).unwrap();
        }
    }
    unreachable!()
}

#[test]
fn a_forced_pass_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (opening, plies) = opening_before_a_pass();
    let file = folder.path().join("openings.txt");
    fs::write(&file, format!("# before a pass\n\n{opening}\n")).unwrap();
    let record = folder.path().join("record");
    // The side that must pass is Black in one of the two games.
    let passer = bot(&format!("legal --record '{}'", record.display()));
    let swap = plies % 2 == 1;
    let (first, second) = if swap { ("greedy", &*passer.command) } else { (&*passer.command, "greedy") };
    let games = referee(first, second, &[&PATIENT[..], &["--openings", file.to_str().unwrap()]].concat());
    assert_eq!(games[0]["reason"], "OK", "{}", games[0]);
    assert_eq!(games[0]["opening"], opening);
    let record = fs::read_to_string(record).unwrap();
    let mut position: Othello<8> = position_after(&parse_opening::<Othello<8>>(&opening).unwrap());
    let board = position.board_text();
    let turns: Vec<&str> = record.lines().skip(1).collect();
    assert_eq!(turns[0], format!("TURN {} {board}", plies + 1));
    // The opponent has moved in between, and the pass has its own number.
    position.play(Move::PASS).unwrap();
    assert!(turns[1].starts_with(&format!("TURN {} ", plies + 3)), "{}", turns[1]);

    // A disc placed instead of the pass is illegal.
    let placer = bot("illegal");
    let (first, second) = if swap { ("greedy", &*placer.command) } else { (&*placer.command, "greedy") };
    let games = referee(first, second, &[&PATIENT[..], &["--openings", file.to_str().unwrap()]].concat());
    assert_eq!(games[0]["reason"], "ILLEGAL");
    assert_eq!(games[0]["moves"], 0);
}

#[test]
fn alternating_games_share_distinct_openings_in_pairs() {
    let games = referee("random", "greedy", &["--games", "10", "--alternate"]);
    assert_eq!(games.len(), 10);
    let mut openings = std::collections::HashSet::new();
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["black"], &pair[1]["black"]), (&"first".into(), &"second".into()));
        let opening = pair[0]["opening"].as_str().unwrap();
        let moves = parse_opening::<Othello<8>>(opening).unwrap();
        assert!((6..=10).contains(&moves.len()));
        assert!(openings.insert(opening.to_string()));
    }
    // Without alternation every game has its own, and the same seed draws the same ones.
    let plain = referee("random", "greedy", &["--games", "5"]);
    let drawn: Vec<&str> = plain.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!(drawn, games.iter().step_by(2).map(|game| game["opening"].as_str().unwrap()).collect::<Vec<_>>());
    let other = referee("random", "greedy", &["--games", "5", "--seed", "2"]);
    assert_ne!(drawn, other.iter().map(|game| game["opening"].as_str().unwrap()).collect::<Vec<_>>());
    assert_eq!(referee("random", "random", &[])[0]["opening"], "");
}

#[test]
fn clocks_agree_with_an_independent_measurement() {
    // The bot sleeps so long before READY's answer: wall without CPU, and no more wall than the whole run took.
    let begin = Instant::now();
    let game = clean("ready-sleep 120", &[]);
    let elapsed = begin.elapsed().as_secs_f64() * 1e3;
    assert!((120.0..elapsed).contains(&number(&game, "wall_ms", 0)), "{game}");
    assert!(number(&game, "cpu_ms", 0) < 100.0, "{game}");
    // The wait for the opponent is not charged: the clocks together show no more than the run took.
    let (quick, slow) = (bot("legal"), bot("slow 20"));
    let begin = Instant::now();
    let game = &referee(&quick.command, &slow.command, &PATIENT)[0];
    let elapsed = begin.elapsed().as_secs_f64() * 1e3;
    let (one, other) = (number(game, "wall_ms", 0), number(game, "wall_ms", 1));
    assert!(other >= 20.0 * 20.0, "{game}");
    assert!(one + other < elapsed, "{elapsed} {game}");
    // The bot works until its own CPU clock shows so much: one thread, then two.
    for mode in ["ready-burn 150", "ready-thread-burn 150"] {
        let game = clean(mode, &[]);
        assert!((149.0..300.0).contains(&number(&game, "cpu_ms", 0)), "{game}");
    }
}

#[test]
fn slowdown_stretches_the_wall_clock_and_not_the_work() {
    let game = clean("ready-burn 100", &["--slowdown", "4"]);
    let (wall, cpu) = (number(&game, "wall_ms", 0), number(&game, "cpu_ms", 0));
    assert!(cpu < 250.0, "{game}");
    // A quarter of the time would make it 400 ms.
    assert!(wall > 250.0, "{game}");
}

#[test]
fn a_log_is_written_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let path = log.to_str().unwrap();
    let (one, other) = (bot("stderr 7"), bot("last"));
    referee(&one.command, &other.command, &[&PATIENT[..], &["--games", "2", "--alternate", "--log", path]].concat());
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("# Debug FIRST: thinking of 7\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT "));
    assert_eq!(text.lines().filter(|line| line.starts_with("RESULT ")).count(), 2);
    let shape = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        words.len() == 4 && words[1..].iter().all(|word| word.parse::<u64>().is_ok())
    };
    assert!(text.lines().filter(|line| line.starts_with("FIRST ")).filter(shape).count() > 20);
    assert!(!folder.path().join("game.log.tmp").exists());

    // The same program answers the same; the other one does not, and the replay goes on all the same.
    let same = replay(&one.command, path);
    assert_eq!(same.len(), 2);
    assert!(
        same.iter().all(|summary| summary["different"] == 0 && summary["turns"].as_u64().unwrap() > 15),
        "{same:?}"
    );
    let changed = replay(&other.command, path);
    assert_eq!(changed[0]["turns"], same[0]["turns"]);
    assert!(changed[0]["different"].as_u64().unwrap() > 5, "{changed:?}");
}

/// The summaries of a replay by the first program.
fn replay(first: &str, log: &str) -> Vec<Value> {
    let output = stonesmith()
        .args(["judge", "reversi", "--json", "--first", first, "--replay", log])
        .args(PATIENT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line.get("turns").is_some()).collect()
}

#[test]
fn a_fault_is_logged_and_its_position_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let path = log.to_str().unwrap();
    let bad = bot("illegal");
    referee("greedy", &bad.command, &["--log", path]);
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("\nABORT SECOND ILLEGAL\n"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT FIRST "));
    let good = bot("legal");
    let output = stonesmith().args(["judge", "reversi", "--second", &good.command, "--replay", path]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("logged a fault: ILLEGAL"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT second OK turns 1"), "{text}");
}

#[test]
fn a_settings_file_names_programs_and_log() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, log) = (folder.path().join("setting.ini"), folder.path().join("out.log"));
    let openings = folder.path().join("openings.txt");
    fs::write(&openings, "f5d6c3\n").unwrap();
    let text = format!("INPUT={}\nLOG={}\nEXEC1=greedy\nEXEC2=random\n", openings.display(), log.display());
    fs::write(&settings, text).unwrap();
    let output = stonesmith().args(["judge", "reversi", "--config", settings.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().last().unwrap().starts_with("RESULT first "), "{text}");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("# OPENING f5d6c3\n") && log.contains("# PROGRAM FIRST greedy\n"), "{log}");
}

#[test]
fn bad_usage_is_exit_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let openings = folder.path().join("openings.txt");
    fs::write(&openings, "f5d6\nf5a1\n").unwrap();
    let file = openings.to_str().unwrap();
    for (arguments, expected) in [
        (vec!["--first", "random"], "--second"),
        (vec!["--first", "random", "--second", "./no/such/bot"], "no such program"),
        (vec!["--first", "random", "--second", "'x"], "quote"),
        (vec!["--first", "random", "--second", "greedy", "--games", "0"], "--games"),
        (vec!["--first", "random", "--second", "greedy", "--slowdown", "0.5"], "factor"),
        (vec!["--first", "random", "--second", "greedy", "--dialect", "klingon"], "klingon"),
        (vec!["--first", "random", "--second", "greedy", "--openings", file], "line 2"),
        (vec!["--first", "random", "--second", "greedy", "--openings", "/no/such/file"], "/no/such/file"),
        (vec!["--replay", file, "--first", "random"], "line 1"),
    ] {
        let output = stonesmith().args(["judge", "reversi"]).args(&arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
}

#[test]
fn dialects_reach_the_program() {
    // The mock bot knows the standard spelling only: any other makes it panic, which is a crash.
    let bot = bot("legal");
    let games = referee(&bot.command, "greedy", &[&PATIENT[..], &["--dialect", "lines"]].concat());
    assert_eq!(games[0]["reason"], "CRASH");
    let game = clean("legal", &["--dialect", "color"]);
    assert_eq!(game["reason"], "OK");
}

fn judge_renju(first: &str, second: &str, more: &[&str]) -> Value {
    let output = stonesmith()
        .args(["judge", "renju", "--json", "--first", first, "--second", second])
        .args(PATIENT)
        .args(more)
        .timeout(Duration::from_secs(60))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn renju_is_judged_by_its_own_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let records = ["a", "b"].map(|name| folder.path().join(name));
    let [one, other] =
        [("legal", 0), ("pass", 1)].map(|(mode, i)| bot(&format!("{mode} --record '{}'", records[i].display())));
    let game = judge_renju(&one.command, &other.command, &[]);
    // White passes whenever it may, and Black's lowest points fill the first row: five is a win, six would be none.
    assert_eq!((&game["result"], &game["reason"]), (&"first".into(), &"OK".into()), "{game}");
    let [black, white] = records.map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(black.lines().next(), Some("READY FIRST"));
    assert_eq!(white.lines().next(), Some("READY SECOND"));
    assert!(black.lines().nth(1).unwrap().starts_with("TURN "), "{black}");
    assert!(black.lines().any(|line| line.starts_with("OPP -1 -1 ")), "{black}");
    assert!(white.lines().nth(1).unwrap().starts_with("OPP 8 8 "), "{white}");
    assert_eq!((black.lines().last(), white.lines().last()), (Some("FINISH"), Some("FINISH")));

    let (one, other) = (bot("pass"), bot("pass"));
    let game = judge_renju(&one.command, &other.command, &[]);
    assert_eq!((&game["result"], &game["reason"], &game["moves"]), (&"draw".into(), &"OK".into(), &5.into()), "{game}");
    assert_eq!((processes(&one.tag).len(), processes(&other.tag).len()), (0, 0));
}

#[test]
fn several_games_of_renju_start_from_balanced_openings() {
    let bots = [bot("legal"), bot("last")];
    let play = |more: &[&str]| -> Vec<Value> {
        let output = stonesmith()
            .args(["judge", "renju", "--json", "--first", &bots[0].command, "--second", &bots[1].command])
            .args(PATIENT)
            .args(more)
            .timeout(Duration::from_secs(60))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let games = play(&["--games", "4", "--alternate"]);
    // Both programs have been told where the game began: neither plays on a stone.
    assert!(games.iter().all(|game| game["faulty"] == Value::Null), "{games:?}");
    let openings: Vec<&str> = games.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!((openings[0], openings[2]), (openings[1], openings[3]));
    assert_ne!(openings[0], openings[2]);
    for opening in openings {
        assert_eq!(parse_opening::<Renju>(opening).unwrap().len(), 6, "{opening}");
    }
    assert_eq!(play(&["--games", "2", "--openings", "none"])[1]["opening"], "");
}

#[test]
fn a_forbidden_move_loses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    // Black's open threes in row 8 and in column j cross in j8: row 8, column 10 of the judge.
    fs::write(&file, "h8 g9 i8 a1 j9 o1 j10 a15\n").unwrap();
    let bad = bot("point 810");
    let game = judge_renju(&bad.command, "greedy", &["--openings", file.to_str().unwrap()]);
    assert_eq!((&game["reason"], &game["faulty"]), (&"FORBIDDEN".into(), &"first".into()), "{game}");
    assert!(game["detail"].as_str().unwrap().contains("double three"), "{game}");
}

#[test]
fn a_program_plays_in_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let good = bot(&format!("last --record '{}'", record.display()));
    let command = |bot: &Bot| judge::Command::parse(&bot.command).unwrap();
    let limits = Limits { total: Duration::from_secs(20), cpu: Duration::from_secs(20), ..Limits::default() };
    let (opening, plies) = opening_before_a_pass();
    for opening in ["", "f5d6c3", &opening] {
        let moves = parse_opening::<Othello<8>>(opening).unwrap();
        let mut program = judge::Program::new(judge::Reversi::default(), command(&good), limits);
        let played = duel::play(1, &Othello::<8>::start(), &moves, &mut program, &mut Simple::Greedy, 64);
        assert_eq!(played.fault, None);
        assert!(played.record.plies.len() > moves.len());
        // Black's turns are odd and follow each other by two.
        let text = fs::read_to_string(&record).unwrap();
        assert_eq!(text.lines().next(), Some("READY FIRST"));
        let numbers: Vec<usize> =
            text.lines().skip(1).map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect();
        assert!(numbers.iter().all(|number| number % 2 == 1), "{text}");
        assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 2), "{text}");
        assert!(numbers[0] == moves.len() + 1 || numbers[0] == moves.len() + 2, "{plies} {text}");
    }
    let bad = bot("illegal");
    let mut program = judge::Program::new(judge::Reversi::default(), command(&bad), limits);
    let lost = duel::play(2, &Othello::<8>::start(), &[], &mut Simple::Greedy, &mut program, 64);
    assert_eq!(lost.fault.map(|(color, fault)| (color, fault.reason)), Some((Color::White, "ILLEGAL".to_string())));

    let renju = bot("legal");
    let mut program = judge::Program::new(judge::RenjuJudge::default(), command(&renju), limits);
    let opening = parse_opening::<Renju>("h8 g9 i8 a1").unwrap();
    for (game, opening) in [&[][..], &opening].into_iter().enumerate() {
        let played = duel::play(game as u64, &Renju::start(), opening, &mut Simple::Greedy, &mut program, 1);
        assert_eq!(played.fault, None);
    }
    drop(program);
    assert_eq!(processes(&renju.tag).len(), 0);
}

#[test]
fn an_ordinary_user_can_judge() {
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("skipped: not root, so every other test has shown it");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &Path, name: &str| {
        let to = folder.path().join(name);
        fs::copy(from, &to).unwrap();
        to
    };
    let program = copy(Path::new(env!("CARGO_BIN_EXE_stonesmith")), "stonesmith");
    let bot = copy(badbot(), "badbot");
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let run = |mode: &str, limits: &[&str]| {
        let output = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&program)
            .args(["judge", "reversi", "--json", "--second", "greedy"])
            .args(["--first", &format!("'{}' {mode}", bot.display())])
            .args(limits)
            .current_dir(folder.path())
            .output();
        output.ok().filter(|output| output.status.success())
    };
    let Some(output) = run("daemons", &PATIENT) else {
        eprintln!("skipped: no setpriv, or the folder of temporary files is closed to others");
        return;
    };
    let game: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(game["reason"], "OK", "{game}");
    assert!(number(&game, "cpu_ms", 0) > 0.0 && number(&game, "peak_mb", 0) > 0.5, "{game}");
    let game: Value =
        serde_json::from_slice(&run("spin-child", &["--total-ms", "20000", "--cpu-ms", "100"]).unwrap().stdout)
            .unwrap();
    assert_eq!(game["reason"], "CPU_TLE", "{game}");
    assert_eq!(
        processes("--tag").iter().filter(|path| fs::read_link(path.join("exe")).is_ok_and(|exe| exe == bot)).count(),
        0
    );
}
