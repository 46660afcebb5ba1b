//! Game records from outside: shards that are cut, flipped, foreign or short of disk (here), and `convert` and
//! `inspect` (in `cli`).

#[path = "records/cli.rs"]
mod cli;

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use proptest::prelude::*;
use stonesmith::dataset::shard::{Resumed, ShardSummary, file_name, write_shard};
use stonesmith::dataset::{End, GameRecord, Ply, ShardError, ShardHeader, ShardReader, ShardSet, ShardWriter, Tail};
use stonesmith::game::othello::Othello;
use stonesmith::game::{GameId, Move, Outcome, Position};
use stonesmith::rng::{Domain, RngExt, stream};

/// A folder for a test, in memory where the system has such a place: every shard is flushed to its disk.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

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
        let folder = scratch();
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
    let folder = scratch();
    let summary = write(&folder.path().join("a.games"), &games(300));
    assert!(summary.bytes < 4 * summary.positions, "{} bytes for {} positions", summary.bytes, summary.positions);
}

#[test]
fn the_frame_and_the_trailer_stand_as_documented() {
    let folder = scratch();
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
    let folder = scratch();
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
    let folder = scratch();
    let path = folder.path().join("a.games");
    write(&path, &games(3));
    let bytes = fs::read(&path).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    for bit in 0..8 * bytes.len() {
        let byte = bytes[bit / 8];
        file.write_all_at(&[byte ^ 1 << (bit % 8)], bit as u64 / 8).unwrap();
        let error = read(&path, Tail::Strict).expect_err(&format!("bit {bit} is flipped"));
        assert!(!matches!(error, ShardError::Io { .. } | ShardError::Torn(_)), "bit {bit}: {error}");
        // Damage is no torn tail: it is not passed over in silence either.
        read(&path, Tail::Recover).expect_err(&format!("bit {bit} is flipped"));
        file.write_all_at(&[byte], bit as u64 / 8).unwrap();
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    let error = read(&path, Tail::Recover).unwrap_err().to_string();
    assert!(error.contains(&format!("damaged at byte {}: expected the end of the file", bytes.len())), "{error}");
}

#[test]
fn frames_in_another_order_are_found() {
    let folder = scratch();
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
    let folder = scratch();
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
    let folder = scratch();
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
    let folder = scratch();
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
        // A new file each time: writing over an old one waits for the disk.
        let _ = fs::remove_file(&part);
        fs::write(&part, &journal[..cut]).unwrap();
        let writer = resume(&path);
        let whole = ends.iter().filter(|&&end| end <= cut as u64).count().saturating_sub(1);
        assert_eq!(writer.games(), whole as u64, "killed after byte {cut}");
        if cut as u64 >= ends[0] {
            let lost = writer.torn().map_or(0, |torn| torn.lost_bytes);
            assert_eq!(lost, cut as u64 - ends[whole], "killed after byte {cut}");
        }
        if cut % 311 == 0 || cut == journal.len() {
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
    let folder = scratch();
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
    let folder = scratch();
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
    let folder = scratch();
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
    let folder = scratch();
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
