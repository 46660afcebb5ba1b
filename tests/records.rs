//! Game records from outside: shards that are cut, flipped, foreign or short of disk, and `convert` and `inspect`.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use assert_cmd::Command;
use proptest::prelude::*;
use stonesmith::dataset::shard::{MAGIC, Resumed, ShardSummary, file_name, write_shard};
use stonesmith::dataset::{End, GameRecord, Ply, ShardError, ShardHeader, ShardReader, ShardSet, ShardWriter, Tail};
use stonesmith::game::othello::Othello;
use stonesmith::game::{GameId, Move, Outcome, Position};
use stonesmith::rng::{Domain, RngExt, stream};

fn header() -> ShardHeader {
    let options = "nodes = 400\nsolve_empties = 14\n".to_string();
    ShardHeader { game: GameId::Othello, score_unit: 32, first_index: 50, run_id: [7; 32], options }
}

/// A legal game of random moves with made-up scores, the same for every call with this index.
fn random_game<P: Position>(index: u64) -> GameRecord {
    let mut rng = stream(9, Domain::Test, index);
    let mut position = P::start();
    let mut plies = Vec::new();
    while position.outcome().is_none() {
        let moves = position.legal_moves();
        let mv = moves[rng.random_range(0..moves.len())];
        let random = plies.len() < 6;
        let score = (!random).then(|| rng.random_range(-2048..=2048));
        plies.push(Ply { mv, score, random, exact: plies.len() > 50 });
        position.play(mv).unwrap();
    }
    GameRecord { index, plies, outcome: position.outcome().unwrap(), end: End::Finished }
}

fn games(count: u64) -> Vec<GameRecord> {
    (50..50 + count).map(random_game::<Othello<8>>).collect()
}

fn write(path: &Path, records: &[GameRecord]) -> ShardSummary {
    write_shard(path, &header(), records.iter().cloned().map(Ok::<_, ShardError>)).unwrap()
}

fn read(path: &Path, tail: Tail) -> Result<Vec<GameRecord>, ShardError> {
    ShardReader::open(path, tail)?.collect()
}

fn resume(path: &Path) -> ShardWriter {
    match ShardWriter::resume(path, &header()).unwrap() {
        Resumed::Open(writer) => writer,
        Resumed::Finished(summary) => panic!("already finished: {summary:?}"),
    }
}

fn part_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.part", path.display()))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let ply = (any::<u8>(), any::<Option<i16>>(), any::<bool>(), any::<bool>());
    let ply = ply.prop_map(|(mv, score, random, exact)| Ply { mv: Move(mv), score, random, exact });
    let end = prop_oneof![Just(End::Finished), Just(End::Solved), Just(End::Adjudicated)];
    (any::<u64>(), prop::collection::vec(ply, 0..80), any::<i16>(), end)
        .prop_map(|(index, plies, outcome, end)| GameRecord { index, plies, outcome: Outcome(outcome), end })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(records in prop::collection::vec(any_record(), 0..600)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let summary = write(&path, &records);
        prop_assert_eq!(summary.games, records.len() as u64);
        prop_assert_eq!(summary.positions, records.iter().map(|record| record.plies.len() as u64).sum::<u64>());
        prop_assert_eq!(summary.bytes, fs::metadata(&path).unwrap().len());
        let reader = ShardReader::open_game(&path, Tail::Strict, GameId::Othello).unwrap();
        prop_assert_eq!(reader.header(), &header());
        prop_assert_eq!((reader.games(), reader.positions()), (summary.games, summary.positions));
        prop_assert_eq!(reader.content_hash(), Some(summary.content_hash));
        prop_assert_eq!(reader.collect::<Result<Vec<_>, _>>().unwrap(), records);
    }
}

#[test]
fn a_position_takes_less_than_four_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let summary = write(&folder.path().join("a.games"), &games(300));
    assert!(summary.bytes < 4 * summary.positions, "{} bytes for {} positions", summary.bytes, summary.positions);
}

#[test]
fn the_frame_and_the_trailer_stand_as_documented() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    let records = games(2);
    let summary = write(&path, &records);
    let bytes = fs::read(&path).unwrap();
    let u32_at = |offset: usize| u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap());
    let sum = |range: std::ops::Range<usize>| blake3::hash(&bytes[range]).as_bytes()[..8].to_vec();
    let frame = 68 + header().options.len() + 8;
    assert_eq!(&bytes[frame..frame + 4], b"GAME");
    let plies = records.iter().map(|record| record.plies.len()).sum::<usize>();
    assert_eq!((u32_at(frame + 4), u32_at(frame + 8) as usize), (2, plies));
    let stored = u32_at(frame + 16) as usize;
    let begin = frame + 36;
    assert_eq!(bytes[frame + 20..frame + 28], sum(begin..begin + stored));
    assert_eq!(bytes[frame + 28..frame + 36], sum(frame..frame + 28));
    let payload = zstd::bulk::decompress(&bytes[begin..begin + stored], 1 << 20).unwrap();
    assert_eq!(payload.len(), u32_at(frame + 12) as usize);
    assert_eq!(payload[..8], 50u64.to_le_bytes());
    assert_eq!(blake3::hash(&payload), summary.content_hash);
    let trailer = begin + stored;
    assert_eq!(bytes.len(), trailer + 64);
    assert_eq!(&bytes[trailer..trailer + 4], b"DONE");
    assert_eq!(u32_at(trailer + 4), 1);
    assert_eq!(bytes[trailer + 24..trailer + 56], blake3::hash(&payload).as_bytes()[..]);
    assert_eq!(bytes[trailer + 56..], sum(trailer..trailer + 56));
}

#[test]
fn a_shard_cut_anywhere_is_incomplete_and_keeps_its_whole_frames() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cut) = (folder.path().join("a.games"), folder.path().join("cut.games"));
    let records = games(300);
    write(&path, &records);
    let bytes = fs::read(&path).unwrap();
    let header_end = 68 + header().options.len() + 8;
    let first_frame = header_end + 36 + u32::from_le_bytes(bytes[header_end + 16..][..4].try_into().unwrap()) as usize;
    let trailer = bytes.len() - 64;
    let near = |place: usize| place.saturating_sub(40)..(place + 70).min(bytes.len());
    let places = near(0)
        .chain(near(header_end))
        .chain(near(first_frame))
        .chain(near(trailer))
        .chain((0..bytes.len()).step_by(997));
    for place in places {
        fs::write(&cut, &bytes[..place]).unwrap();
        let strict = read(&cut, Tail::Strict).unwrap_err();
        assert!(strict.to_string().contains("cut.games"), "{strict}");
        let recovered = ShardReader::open(&cut, Tail::Recover);
        if place < header_end {
            assert!(matches!(strict, ShardError::TruncatedHeader { .. }), "cut at {place}: {strict}");
            assert!(recovered.is_err());
            continue;
        }
        let (whole, end) = match place {
            _ if place >= trailer => (300, trailer),
            _ if place >= first_frame => (256, first_frame),
            _ => (0, header_end),
        };
        let ShardError::Torn(torn) = strict else { panic!("cut at {place}: {strict}") };
        assert_eq!((torn.offset, torn.lost_bytes), (end as u64, (place - end) as u64), "cut at {place}");
        let reader = recovered.unwrap();
        assert_eq!(reader.torn(), Some(&torn));
        assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), records[..whole], "cut at {place}");
    }
    // A tail of zeros, as a power failure leaves it.
    fs::write(&cut, [&bytes[..first_frame], &[0; 5000]].concat()).unwrap();
    let reader = ShardReader::open(&cut, Tail::Recover).unwrap();
    assert_eq!(reader.torn().unwrap().lost_bytes, 5000);
    assert_eq!(reader.count(), 256);
}

#[test]
fn every_flipped_bit_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (path, flipped) = (folder.path().join("a.games"), folder.path().join("flipped.games"));
    let records = games(3);
    write(&path, &records);
    let mut bytes = fs::read(&path).unwrap();
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&flipped, &bytes).unwrap();
        let error = read(&flipped, Tail::Strict).expect_err(&format!("bit {bit} is flipped"));
        assert!(!matches!(error, ShardError::Io { .. } | ShardError::Torn(_)), "bit {bit}: {error}");
        // Damage is no torn tail: it is not passed over in silence either.
        read(&flipped, Tail::Recover).expect_err(&format!("bit {bit} is flipped"));
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    // Frames that are whole but out of order, and bytes behind the end.
    fs::write(&flipped, [&bytes[..], b"x"].concat()).unwrap();
    let error = read(&flipped, Tail::Recover).unwrap_err().to_string();
    assert!(error.contains(&format!("damaged at byte {}: expected the end of the file", bytes.len())), "{error}");
}

#[test]
fn frames_in_another_order_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    write(&path, &games(512));
    let mut bytes = fs::read(&path).unwrap();
    let begin = 68 + header().options.len() + 8;
    let middle = begin + 36 + u32::from_le_bytes(bytes[begin + 16..][..4].try_into().unwrap()) as usize;
    let end = bytes.len() - 64;
    bytes[begin..end].rotate_left(middle - begin);
    fs::write(&path, bytes).unwrap();
    let error = read(&path, Tail::Strict).unwrap_err().to_string();
    assert!(error.contains("a hash that agrees with the records"), "{error}");
}

#[test]
fn lengths_in_a_file_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    write(&path, &games(1));
    let bytes = fs::read(&path).unwrap();
    let frame = 68 + header().options.len() + 8;
    // Heads with good checksums that state huge or wrong numbers, followed by enough bytes to be whole.
    for (field, value, says) in [
        (12, u32::MAX, "within the limits"),
        (16, u32::MAX, "within the limits"),
        (12, 1 << 20, "the length that is stated"),
        (4, u32::MAX, "a whole record"),
        (4, 0, "as many records"),
        (8, u32::MAX, "as many records"),
        (8, 0, "as many positions"),
    ] {
        let mut forged = bytes[..bytes.len() - 64].to_vec();
        forged[frame + field..frame + field + 4].copy_from_slice(&value.to_le_bytes());
        let sum = blake3::hash(&forged[frame..frame + 28]);
        forged[frame + 28..frame + 36].copy_from_slice(&sum.as_bytes()[..8]);
        fs::write(&path, forged).unwrap();
        let error = read(&path, Tail::Recover).unwrap_err().to_string();
        assert!(error.contains(&format!("damaged at byte {frame}")) && error.contains(says), "{error}");
    }
}

#[test]
fn foreign_files_have_errors_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        ShardReader::open_game(&path, Tail::Strict, GameId::Othello).map(drop).unwrap_err()
    };
    assert!(matches!(open(b""), ShardError::TruncatedHeader { size: 0, .. }));
    assert!(matches!(open(b"f5d6c3d3c4f4f6"), ShardError::Foreign { .. }));
    assert!(matches!(open(&[0; 4096]), ShardError::Foreign { .. }));
    write(&path, &games(1));
    let good = fs::read(&path).unwrap();
    let mut other = good.clone();
    other[8] = 2;
    assert!(matches!(open(&other), ShardError::Version { found: 2, .. }));
    // A text-mode copy turns the line ends of the magic.
    assert!(matches!(open(&[b"\x89STG\n\x1a\n", &good[8..]].concat()), ShardError::Foreign { .. }));
    write_shard(&path, &ShardHeader { game: GameId::Renju, ..header() }, [] as [Result<_, ShardError>; 0]).unwrap();
    let error = open(&fs::read(&path).unwrap());
    assert!(matches!(error, ShardError::Game { found: GameId::Renju, expected: GameId::Othello, .. }), "{error}");
    assert!(matches!(ShardReader::open(&folder.path().join("no.games"), Tail::Strict), Err(ShardError::Io { .. })));
}

#[test]
fn a_killed_writer_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file_name(0));
    let part = part_of(&path);
    let records = games(12);
    let expected = {
        let whole = folder.path().join("whole.games");
        write(&whole, &records);
        fs::read(&whole).unwrap()
    };
    let mut writer = ShardWriter::create(&path, &header()).unwrap();
    let mut ends = vec![fs::metadata(&part).unwrap().len()];
    for record in &records {
        writer.push(record).unwrap();
        ends.push(fs::metadata(&part).unwrap().len());
    }
    assert!(!path.exists(), "only a finished shard has its name");
    drop(writer);
    let journal = fs::read(&part).unwrap();
    for cut in 0..=journal.len() {
        fs::write(&part, &journal[..cut]).unwrap();
        let writer = resume(&path);
        let whole = ends.iter().filter(|&&end| end <= cut as u64).count().saturating_sub(1);
        assert_eq!(writer.games(), whole as u64, "killed after byte {cut}");
        if cut as u64 >= ends[0] {
            let lost = writer.torn().map_or(0, |torn| torn.lost_bytes);
            assert_eq!(lost, cut as u64 - ends[whole], "killed after byte {cut}");
        }
        if cut % 97 == 0 || cut == journal.len() {
            finish_and_compare(writer, &records, &expected, &path);
            fs::remove_file(&path).unwrap();
        }
    }
    // The last record reached the disk with its length and without its bytes.
    let mut hollow = journal.clone();
    let last = ends[11] as usize + 36;
    hollow[last..].fill(0);
    fs::write(&part, &hollow).unwrap();
    let writer = resume(&path);
    assert_eq!(writer.games(), 11);
    finish_and_compare(writer, &records, &expected, &path);
    // Damage in the middle is another matter.
    fs::remove_file(&path).unwrap();
    let mut bad = journal.clone();
    bad[ends[3] as usize + 40] ^= 1;
    fs::write(&part, &bad).unwrap();
    let error = ShardWriter::resume(&path, &header()).unwrap_err();
    assert!(matches!(error, ShardError::Damaged { offset, .. } if offset == ends[3]), "{error}");
}

fn finish_and_compare(mut writer: ShardWriter, records: &[GameRecord], expected: &[u8], path: &Path) {
    for record in &records[writer.games() as usize..] {
        writer.push(record).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(fs::read(path).unwrap(), expected);
    assert!(!part_of(path).exists(), "the journal is gone");
}

#[test]
fn a_finished_shard_is_recognised_and_a_cut_one_mended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file_name(3));
    let records = games(300);
    let summary = write(&path, &records);
    let bytes = fs::read(&path).unwrap();
    match ShardWriter::resume(&path, &header()).unwrap() {
        Resumed::Finished(found) => assert_eq!(found, summary),
        Resumed::Open(_) => panic!("it is finished"),
    }
    // Killed after the renaming: the journal still stands beside it.
    fs::write(part_of(&path), b"anything").unwrap();
    assert!(matches!(ShardWriter::resume(&path, &header()).unwrap(), Resumed::Finished(_)));
    assert!(!part_of(&path).exists());
    for cut in [bytes.len() - 1, bytes.len() - 64, bytes.len() - 65, bytes.len() / 2, 200, 50, 0] {
        fs::write(&path, &bytes[..cut]).unwrap();
        finish_and_compare(resume(&path), &records, &bytes, &path);
    }
    // Another run's shard is neither continued nor touched.
    for other in [
        ShardHeader { run_id: [8; 32], ..header() },
        ShardHeader { first_index: 0, ..header() },
        ShardHeader { options: String::new(), ..header() },
    ] {
        let error = ShardWriter::resume(&path, &other).unwrap_err();
        assert!(matches!(error, ShardError::OtherRun { .. }), "{error}");
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let error = ShardWriter::resume(&path, &other).unwrap_err();
        assert!(matches!(error, ShardError::OtherRun { .. }), "{error}");
        assert_eq!(names(folder.path()), [file_name(3)]);
        fs::write(&path, &bytes).unwrap();
    }
    let mut damaged = bytes.clone();
    damaged[200] ^= 4;
    fs::write(&path, &damaged).unwrap();
    assert!(matches!(ShardWriter::resume(&path, &header()), Err(ShardError::Damaged { .. })));
}

#[test]
fn two_writers_do_not_share_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file_name(0));
    let mut writer = ShardWriter::create(&path, &header()).unwrap();
    writer.push(&games(1)[0]).unwrap();
    assert!(matches!(ShardWriter::create(&path, &header()), Err(ShardError::Busy { .. })));
    assert!(matches!(ShardWriter::resume(&path, &header()), Err(ShardError::Busy { .. })));
    assert_eq!(writer.finish().unwrap().games, 1);
}

/// The environment variable that turns [`full_disk_child`] from an empty test into the child of the next.
const CHILD: &str = "STONESMITH_FULL_DISK_TEST";

/// Lets the process write no file longer than `bytes`, and makes the attempt an error instead of a signal.
fn limit_file_size(process: &mut Process, bytes: u64) {
    // SAFETY: between fork and exec only `signal` and `setrlimit` are called; both are async-signal-safe.
    unsafe {
        process.pre_exec(move || {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            if libc::setrlimit(libc::RLIMIT_FSIZE, &limit) == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
        });
    }
}

#[test]
fn full_disk_child() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let mut writer = resume(Path::new(&path));
    let record = &games(1)[0];
    let error = loop {
        if let Err(error) = writer.push(record) {
            break error;
        }
    };
    assert!(matches!(error, ShardError::Io { action: "write", .. }), "{error}");
    assert!(error.to_string().contains(".part: cannot write: "), "{error}");
    // The record can be pushed again, and fails again, without harm to the others.
    assert!(writer.push(record).is_err());
}

#[test]
fn a_full_disk_costs_no_whole_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file_name(0));
    let records = games(5);
    let mut writer = ShardWriter::create(&path, &header()).unwrap();
    records.iter().for_each(|record| writer.push(record).unwrap());
    drop(writer);
    let before = fs::metadata(part_of(&path)).unwrap().len();
    let mut child = Process::new(std::env::current_exe().unwrap());
    child.args(["--exact", "full_disk_child"]).env(CHILD, &path);
    limit_file_size(&mut child, before + 1000);
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    let after = fs::metadata(part_of(&path)).unwrap().len();
    assert!(after > before && after <= before + 1000, "{before} → {after}");
    let writer = resume(&path);
    assert!(writer.games() > 5 && writer.torn().is_none(), "the tail was cut at once");
    writer.finish().unwrap();
    assert_eq!(read(&path, Tail::Strict).unwrap()[..5], records);
}

#[test]
fn shards_are_one_sequence_however_they_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let records = games(40);
    let whole = folder.path().join("whole");
    let parts = folder.path().join("parts");
    fs::create_dir_all(&whole).unwrap();
    fs::create_dir_all(&parts).unwrap();
    let summary = write(&whole.join("a.games"), &records);
    write(&parts.join(file_name(1)), &records[13..]);
    write(&parts.join(file_name(0)), &records[..13]);
    fs::write(parts.join("000002.games.part"), b"unfinished").unwrap();
    fs::write(parts.join("notes.txt"), b"not a shard").unwrap();
    let set = ShardSet::open(&[&parts], Tail::Strict).unwrap();
    assert_eq!((set.game(), set.games(), set.positions()), (GameId::Othello, 40, summary.positions));
    assert_eq!(set.run_ids(), [[7; 32]]);
    assert_eq!(set.records().map(Result::unwrap).collect::<Vec<_>>(), records);
    assert_eq!(set.content_hash().unwrap(), summary.content_hash);
    assert_eq!(ShardSet::open(&[&whole], Tail::Strict).unwrap().content_hash().unwrap(), summary.content_hash);
    let both = ShardSet::open(&[&whole, &parts], Tail::Strict).unwrap();
    assert_eq!(both.games(), 80);
    // A cut shard is an error, or is reported.
    let bytes = fs::read(parts.join(file_name(0))).unwrap();
    fs::write(parts.join(file_name(0)), &bytes[..bytes.len() - 70]).unwrap();
    assert!(matches!(ShardSet::open(&[&parts], Tail::Strict), Err(ShardError::Torn(_))));
    let set = ShardSet::open(&[&parts], Tail::Recover).unwrap();
    assert_eq!((set.torn().len(), set.games()), (1, 27));
    // One game only.
    let other = folder.path().join("b.games");
    write_shard(&other, &ShardHeader { game: GameId::Othello6, ..header() }, [] as [Result<_, ShardError>; 0]).unwrap();
    assert!(matches!(ShardSet::open(&[&whole, &other], Tail::Strict), Err(ShardError::Game { .. })));
    fs::create_dir(folder.path().join("empty")).unwrap();
    let empty = ShardSet::open(&[folder.path().join("empty")], Tail::Strict);
    assert!(matches!(empty, Err(ShardError::NoShards { .. })));
}

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
    let folder = tempfile::tempdir().unwrap();
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
fn wthor_to_shards_to_text_and_back() {
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
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
    let folder = tempfile::tempdir().unwrap();
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
    assert!(code == 0 && out.contains("ok       yes") && out.contains("nodes = 400; solve_empties = 14"), "{out}");
}

#[test]
fn inspect_says_where_a_shard_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
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
    assert_eq!(&MAGIC[1..4], b"STG");
}
