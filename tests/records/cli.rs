//! `convert` and `inspect` from outside.

use std::io::Write;

use assert_cmd::Command;

use super::*;

/// Runs the program: exit code, stdout, stderr.
fn stonesmith(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("stonesmith").unwrap();
    arguments.iter().for_each(|argument| {
        command.arg(argument);
    });
    let output = command.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Black wipes White out in nine moves; a game that stops; one with an illegal third move.
const TEXT: &str = "e6f4e3f6g5d6e7f5c5\nf5d6c3\nf5d6a1\n";

#[test]
fn text_to_shards_and_back() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("in.txt"), TEXT).unwrap();
    let (code, out, error) = stonesmith(&[&"convert", &at("in.txt"), &at("a.games"), &"--json"]);
    assert_eq!(code, 0, "{error}");
    let out = json(&out);
    assert_eq!(
        (out["games"].as_u64(), out["skipped"].as_u64(), out["positions"].as_u64()),
        (Some(2), Some(1), Some(12))
    );
    assert!(error.contains("in.txt: line 3, column 5: move 3: illegal move a1: it turns no disc"), "{error}");
    let (code, ..) = stonesmith(&[&"convert", &at("a.games"), &at("out.txt")]);
    assert_eq!(code, 0);
    assert_eq!(fs::read_to_string(at("out.txt")).unwrap(), "e6f4e3f6g5d6e7f5c5\nf5d6c3\n");
    // The same input gives the same bytes.
    stonesmith(&[&"convert", &at("in.txt"), &at("b.games")]);
    assert_eq!(fs::read(at("a.games")).unwrap(), fs::read(at("b.games")).unwrap());
    assert_eq!(names(folder.path()), ["a.games", "b.games", "in.txt", "out.txt"]);
    let games = read(&at("a.games"), Tail::Strict).unwrap();
    assert_eq!((games[0].outcome, games[0].end), (Outcome(64), End::Finished));
}

#[test]
fn renju_text_to_shards_and_back() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    // Black makes five; a second black stone outside the middle 5×5 is not allowed.
    fs::write(at("in.txt"), "h8 h9 i8 i9 j8 j9 k8 k9 l8\nh8 h9 a1\n").unwrap();
    let (code, _, error) = stonesmith(&[&"-g", &"renju", &"convert", &at("in.txt"), &at("a.games")]);
    assert!(code == 0 && error.contains("in.txt: line 2, column 7: move 3: illegal move a1"), "{error}");
    assert_eq!(stonesmith(&[&"convert", &at("a.games"), &at("out.txt")]).0, 0);
    assert_eq!(fs::read_to_string(at("out.txt")).unwrap(), "h8 h9 i8 i9 j8 j9 k8 k9 l8\n");
    let (code, out, _) = stonesmith(&[&"inspect", &at("a.games"), &"--json"]);
    let report = json(&out);
    assert_eq!((code, &report["game"], &report["details"]["black_wins"]), (0, &"renju".into(), &1.into()));
    let (code, _, error) = stonesmith(&[&"convert", &at("a.games"), &at("out.wtb")]);
    assert!(code == 2 && error.contains("not of renju"), "{error}");
}

#[test]
fn wthor_to_shards_to_text_and_back() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    // The games of TEXT, by hand: 10·row + column.
    let mut bytes = vec![20, 26, 2, 18, 3, 0, 0, 0, 0, 0, 0xe3, 7, 8, 0, 24, 0];
    for (discs, moves) in [(64, &[65, 46, 35, 66, 57, 64, 75, 56, 53][..]), (30, &[56, 64, 33]), (30, &[56, 64, 11])] {
        let mut record = vec![1, 0, 2, 0, 3, 0, discs, discs];
        record.extend(moves);
        record.resize(68, 0);
        bytes.extend(record);
    }
    fs::write(at("in.wtb"), &bytes).unwrap();
    let (code, out, error) = stonesmith(&[&"convert", &at("in.wtb"), &at("a.games")]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("2 games of othello, 12 positions") && out.contains("1 skipped"), "{out}");
    assert!(error.contains("in.wtb: record 3, move 3: illegal move a1"), "{error}");
    let games = read(&at("a.games"), Tail::Strict).unwrap();
    assert_eq!((games[1].outcome, games[1].end), (Outcome(-4), End::Adjudicated));
    stonesmith(&[&"convert", &at("a.games"), &at("b.wtb")]);
    stonesmith(&[&"convert", &at("b.wtb"), &at("c.txt")]);
    assert_eq!(fs::read_to_string(at("c.txt")).unwrap(), "e6f4e3f6g5d6e7f5c5\nf5d6c3\n");
    let back = fs::read(at("b.wtb")).unwrap();
    assert_eq!(back.len(), 16 + 2 * 68);
    assert_eq!(back[16 + 6..16 + 68], bytes[16 + 6..16 + 68]);
    let (code, out, _) = stonesmith(&[&"inspect", &at("b.wtb"), &"--json"]);
    assert_eq!((code, &json(&out)["kind"], &json(&out)["games"]), (0, &"wthor".into(), &2.into()));
    let (code, out, _) = stonesmith(&[&"inspect", &at("in.wtb"), &"--json"]);
    assert_eq!((code, &json(&out)["ok"]), (1, &false.into()));
    assert!(json(&out)["problem"].as_str().unwrap().contains("record 3, move 3"), "{out}");
}

#[test]
fn convert_refuses_what_it_cannot_read() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("bad.txt"), "zz\nf5f5\n").unwrap();
    fs::write(at("empty.txt"), "").unwrap();
    fs::write(at("bad.games"), "no shard").unwrap();
    fs::write(at("six.txt"), "e4\n").unwrap();
    fs::write(at("old.games"), "old").unwrap();
    for (input, output, says) in [
        ("bad.txt", "old.games", "no game that can be read"),
        ("empty.txt", "old.games", "no game that can be read"),
        ("bad.games", "x.txt", "not a shard"),
        ("absent.txt", "x.games", "absent.txt"),
        ("absent.wtb", "x.games", "absent.wtb"),
        ("bad.txt", "x.doc", "ends in .games, .wtb or .txt"),
        ("bad.doc", "x.txt", "ends in .games, .wtb or .txt"),
        ("six.txt", "absent/x.games", "absent/x.games"),
    ] {
        let (code, out, error) = stonesmith(&[&"convert", &at(input), &at(output)]);
        assert_eq!((code, out.as_str()), (2, ""), "{input} to {output}");
        assert!(error.contains(says), "{error}");
    }
    let (code, _, error) = stonesmith(&[&"-g", &"othello6", &"convert", &at("six.txt"), &at("x.wtb")]);
    assert!(code == 2 && error.contains("WTHOR holds games of othello"), "{error}");
    assert_eq!(fs::read(at("old.games")).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["bad.games", "bad.txt", "empty.txt", "old.games", "six.txt"]);
    let (code, ..) = stonesmith(&[&"-g", &"othello6", &"convert", &at("six.txt"), &at("x.games")]);
    assert_eq!(code, 0);
    assert!(ShardReader::open_game(&at("x.games"), Tail::Strict, GameId::Othello6).is_ok());
}

#[test]
fn convert_on_a_full_disk_leaves_the_old_file() {
    let folder = scratch();
    let at = |name: &str| folder.path().join(name);
    let mut text = File::create(at("in.txt")).unwrap();
    for record in games(40) {
        let moves = record.plies.iter().filter(|ply| !ply.mv.is_pass()).map(|ply| Othello::<8>::move_text(ply.mv));
        writeln!(text, "{}", moves.collect::<String>()).unwrap();
    }
    for output in ["out.games", "out.txt", "out.wtb"] {
        fs::write(at(output), "old").unwrap();
        let mut process = Process::new(assert_cmd::cargo::cargo_bin!("stonesmith"));
        process.arg("convert").arg(at("in.txt")).arg(at(output));
        limit_file_size(&mut process, 500);
        let result = process.output().unwrap();
        let error = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(2), "{error}");
        assert!(error.contains(output), "{error}");
        assert_eq!(fs::read(at(output)).unwrap(), b"old");
    }
    assert_eq!(names(folder.path()), ["in.txt", "out.games", "out.txt", "out.wtb"]);
}

#[test]
fn inspect_says_what_a_shard_is() {
    let folder = scratch();
    let path = folder.path().join("a.games");
    let mut records = games(30);
    records.push(records[4].clone());
    let summary = write(&path, &records);
    let (code, out, error) = stonesmith(&[&"inspect", &path, &"--json"]);
    assert_eq!(code, 0, "{error}");
    let report = json(&out);
    assert_eq!(report["kind"], "games");
    assert_eq!(report["id"], summary.content_hash.to_hex().to_string());
    assert_eq!(report["game"], "othello");
    assert_eq!(report["bytes"], summary.bytes);
    assert_eq!(report["ok"], true);
    assert_eq!(report["games"], 31);
    assert_eq!(report["positions"], summary.positions);
    assert_eq!(report["run_id"], "07".repeat(32));
    assert_eq!(report["options"], header().options);
    let details = &report["details"];
    assert_eq!(details["duplicates"], 1);
    assert_eq!(details["openings"], 30);
    assert_eq!(details["commonest_opening"], 2);
    let entropy = 29.0 / 31.0 * 31f64.log2() + 2.0 / 31.0 * 15.5f64.log2();
    assert!((details["opening_entropy_bits"].as_f64().unwrap() - entropy).abs() < 1e-9);
    let (_, text, _) = stonesmith(&[&"inspect", &path]);
    assert!(text.contains("plies 0-9: outcome ") && text.contains("plies 10-19: "), "{text}");
    assert_eq!(details["illegal_games"], 0);
    // Plies 0 to 5 are random: 4 of the first ten carry a score and the outcome.
    assert_eq!(details["phases"][0]["score"]["count"], 4 * 31);
    let outcomes: Vec<f64> = records
        .iter()
        .flat_map(|record| (6..10).map(|ply| f64::from(record.outcome.0) * if ply % 2 == 0 { 1.0 } else { -1.0 }))
        .collect();
    let mean = outcomes.iter().sum::<f64>() / outcomes.len() as f64;
    let variance = outcomes.iter().map(|outcome| (outcome - mean).powi(2)).sum::<f64>() / outcomes.len() as f64;
    let spread = &details["phases"][0]["outcome"];
    assert!((spread["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{spread}");
    assert!((spread["std"].as_f64().unwrap() - variance.sqrt()).abs() < 1e-9, "{spread}");
    // A folder is inspected as one sequence.
    let (code, out, _) = stonesmith(&[&"inspect", &folder.path(), &"--json"]);
    assert_eq!((code, &json(&out)["id"], &json(&out)["bytes"]), (0, &report["id"], &report["bytes"]));
    let (code, out, _) = stonesmith(&[&"inspect", &path]);
    assert!(
        code == 0 && out.contains("\nok              yes\n") && out.contains("nodes = 400; solve_empties = 14"),
        "{out}"
    );
}

#[test]
fn inspect_says_where_a_shard_is_damaged() {
    let folder = scratch();
    let path = folder.path().join("a.games");
    write(&path, &games(20));
    let good = fs::read(&path).unwrap();
    let frame = 68 + header().options.len() + 8;
    let inspect = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (code, out, _) = stonesmith(&[&"inspect", &path, &"--json"]);
        let report = json(&out);
        assert_eq!((&report["kind"], &report["ok"]), (&"games".into(), &(code == 0).into()));
        (code, report["problem"].as_str().unwrap_or_default().to_string(), report)
    };
    let mut flipped = good.clone();
    flipped[frame + 100] ^= 1;
    let (code, problem, _) = inspect(&flipped);
    assert!(code == 1 && problem.contains(&format!("damaged at byte {frame}")), "{problem}");
    let (code, problem, report) = inspect(&good[..good.len() - 10]);
    assert!(code == 1 && problem.contains("incomplete"), "{problem}");
    assert_eq!(report["torn_offset"], good.len() as u64 - 64);
    assert_eq!(report["details"]["games_read"], 20);
    let (code, problem, _) = inspect(&good[..30]);
    assert!(code == 1 && problem.contains("ends at byte 30"), "{problem}");
    let mut no_magic = good.clone();
    no_magic[0] = 0;
    assert_eq!(inspect(&no_magic).0, 1);
    assert_eq!(inspect(b"").0, 1);
    // Sound bytes that are no legal game.
    let mut illegal = games(2);
    illegal[1].plies[0].mv = Move(0);
    write(&path, &illegal);
    let (code, problem, report) = inspect(&fs::read(&path).unwrap());
    assert!(code == 1 && problem.contains("game 51, ply 1: illegal move a1"), "{problem}");
    assert_eq!(report["details"]["illegal_games"], 1);
    // What is no file of ours is bad input.
    let other = folder.path().join("picture.png");
    fs::write(&other, b"\x89PNG\r\n\x1a\n").unwrap();
    assert_eq!(stonesmith(&[&"inspect", &other]).0, 2);
    assert_eq!(stonesmith(&[&"inspect", &folder.path().join("absent.games")]).0, 2);
}
