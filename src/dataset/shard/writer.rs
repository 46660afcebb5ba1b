//! Writing shards: a journal that survives `kill -9`, and the finished file made from it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use zstd::bulk::Compressor;

use super::frame::{Trailer, compressor, encode_frame, journal_compressor};
use super::reader::{ShardReader, Tail};
use super::{FRAME_GAMES, ShardError, ShardHeader, Torn, io_error};
use crate::dataset::GameRecord;
use crate::dataset::record::MAX_PLIES;
use crate::dataset::whole_file::{WholeFile, beside, sync_folder};

/// What a finished shard holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardSummary {
    /// The file.
    pub path: PathBuf,
    /// Its records.
    pub games: u64,
    /// Their plies.
    pub positions: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The hash over its payloads.
    pub content_hash: blake3::Hash,
}

/// What [`ShardWriter::resume`] finds.
#[derive(Debug)]
pub enum Resumed {
    /// The shard is finished and sound.
    Finished(ShardSummary),
    /// It is begun, or not even that: the next record to push is number [`ShardWriter::games`].
    Open(ShardWriter),
}

/// Writes one shard record by record, in the order of the run. Each record is in the file when
/// [`push`](ShardWriter::push) returns, so a killed process loses only the game in hand.
pub struct ShardWriter {
    path: PathBuf,
    part: PathBuf,
    journal: File,
    compressor: Compressor<'static>,
    header: ShardHeader,
    /// Where the last whole frame of the journal ends.
    end: u64,
    games: u64,
    positions: u64,
    torn: Option<Torn>,
}

impl ShardWriter {
    /// Begins the shard `path` anew; a journal of it that is there is dropped.
    pub fn create(path: &Path, header: &ShardHeader) -> Result<ShardWriter, ShardError> {
        let bytes = header.encode(path)?;
        let (part, journal) = open_journal(path)?;
        let mut writer = ShardWriter {
            path: path.to_path_buf(),
            compressor: journal_compressor().map_err(io_error(&part, "compress"))?,
            part,
            journal,
            header: header.clone(),
            end: 0,
            games: 0,
            positions: 0,
            torn: None,
        };
        writer.cut()?;
        writer.append(&bytes)?;
        Ok(writer)
    }

    /// Goes on with the shard `path` where an earlier process of the same run left it: a finished one is checked from
    /// end to end, a journal is cut to its last whole frame, and a finished one that has lost its end becomes a
    /// journal again. A file with another header is an error, and so is damage before the tail.
    pub fn resume(path: &Path, header: &ShardHeader) -> Result<Resumed, ShardError> {
        let part = beside(path, ".part");
        if path.exists() {
            match verify_finished(path, header) {
                Ok(summary) => {
                    // The process was killed between the renaming of the shard and the removal of its journal.
                    remove_if_present(&part)?;
                    return Ok(Resumed::Finished(summary));
                }
                Err(ShardError::Torn(_) | ShardError::TruncatedHeader { .. }) if part.exists() => {
                    remove_if_present(path)?;
                }
                Err(ShardError::Torn(_) | ShardError::TruncatedHeader { .. }) => {
                    fs::rename(path, &part).map_err(io_error(path, "make it a journal again"))?;
                }
                Err(error) => return Err(error),
            }
        }
        if !part.exists() {
            return ShardWriter::create(path, header).map(Resumed::Open);
        }
        ShardWriter::resume_journal(path, header).map(Resumed::Open)
    }

    fn resume_journal(path: &Path, header: &ShardHeader) -> Result<ShardWriter, ShardError> {
        let (part, journal) = open_journal(path)?;
        let again = journal.try_clone().map_err(io_error(&part, "open"))?;
        let mut reader = match ShardReader::new(again, &part) {
            Ok(reader) => reader,
            Err(ShardError::TruncatedHeader { .. }) => {
                drop(journal);
                return ShardWriter::create(path, header);
            }
            Err(error) => return Err(error),
        };
        reader.header().check_same_run(header, &part)?;
        let last = reader.layout().last;
        let (mut end, mut games, mut positions) = (reader.layout().end, 0, 0);
        loop {
            match reader.next_payload() {
                Ok(None) => break,
                Ok(Some((_, head, _))) => {
                    games += u64::from(head.games);
                    positions += u64::from(head.positions);
                }
                // A power failure can leave the last frame with its length and without its bytes.
                Err(ShardError::Damaged { offset, .. }) if offset == last => {
                    end = last;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let size = journal.metadata().map_err(io_error(&part, "read the size"))?.len();
        let torn = (end < size).then(|| Torn { file: part.clone(), offset: end, lost_bytes: size - end });
        let compressor = journal_compressor().map_err(io_error(&part, "compress"))?;
        let header = header.clone();
        let path = path.to_path_buf();
        let mut writer = ShardWriter { path, part, journal, compressor, header, end, games, positions, torn };
        writer.cut()?;
        Ok(writer)
    }

    /// The number of records written: the place in the shard of the next one.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of positions (plies) written.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The tail that was cut off when the shard was resumed.
    pub fn torn(&self) -> Option<&Torn> {
        self.torn.as_ref()
    }

    /// Appends a record. On an error (a full disk) the journal keeps all whole frames, and the record may be pushed
    /// again.
    pub fn push(&mut self, record: &GameRecord) -> Result<(), ShardError> {
        let mut payload = Vec::new();
        encode(record, &mut payload, &self.part)?;
        let positions = record.plies.len() as u32;
        let bytes = encode_frame(&payload, 1, positions, &mut self.compressor)
            .map_err(io_error(&self.part, "compress a frame"))?;
        self.append(&bytes)?;
        self.games += 1;
        self.positions += u64::from(positions);
        Ok(())
    }

    /// Makes the shard from the journal, puts it in its place on the disk and removes the journal. When that fails
    /// the journal stands, and the shard can be resumed.
    pub fn finish(self) -> Result<ShardSummary, ShardError> {
        let reader = ShardReader::open(&self.part, Tail::Recover)?;
        let summary = write_shard(&self.path, &self.header, reader)?;
        remove_if_present(&self.part)?;
        Ok(summary)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), ShardError> {
        if let Err(source) = self.journal.write_all(bytes) {
            // Should the cut fail as well, reading still stops at the last whole frame.
            let _ = self.cut();
            return Err(io_error(&self.part, "write")(source));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Cuts the journal behind its last whole frame and goes on there.
    fn cut(&mut self) -> Result<(), ShardError> {
        self.journal.set_len(self.end).map_err(io_error(&self.part, "cut"))?;
        self.journal.seek(SeekFrom::Start(self.end)).map_err(io_error(&self.part, "write")).map(drop)
    }
}

impl std::fmt::Debug for ShardWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShardWriter").field("path", &self.path).field("games", &self.games).finish_non_exhaustive()
    }
}

/// Writes a whole shard at once: the file appears when all records are in it, or not at all. An error among the
/// records ends the writing and is returned.
pub fn write_shard<E: From<ShardError>>(
    path: &Path,
    header: &ShardHeader,
    records: impl IntoIterator<Item = Result<GameRecord, E>>,
) -> Result<ShardSummary, E> {
    let head = header.encode(path)?;
    let out = WholeFile::create(path).map_err(io_error(path, "create"))?;
    let compressor = compressor().map_err(io_error(path, "compress"))?;
    let mut frames = FrameWriter::new(out, path, compressor);
    frames.write(&head)?;
    for record in records {
        frames.push(&record?)?;
    }
    Ok(frames.finish()?)
}

/// Groups records into frames of [`FRAME_GAMES`].
struct FrameWriter<'a> {
    out: WholeFile,
    path: &'a Path,
    compressor: Compressor<'static>,
    hasher: blake3::Hasher,
    payload: Vec<u8>,
    pending: (u32, u32),
    totals: Trailer,
    bytes: u64,
}

impl<'a> FrameWriter<'a> {
    fn new(out: WholeFile, path: &'a Path, compressor: Compressor<'static>) -> Self {
        let totals = Trailer { frames: 0, games: 0, positions: 0, hash: [0; 32] };
        let (hasher, payload) = (blake3::Hasher::new(), Vec::new());
        FrameWriter { out, path, compressor, hasher, payload, pending: (0, 0), totals, bytes: 0 }
    }

    fn push(&mut self, record: &GameRecord) -> Result<(), ShardError> {
        encode(record, &mut self.payload, self.path)?;
        self.pending.0 += 1;
        self.pending.1 += record.plies.len() as u32;
        if self.pending.0 == FRAME_GAMES { self.frame() } else { Ok(()) }
    }

    fn frame(&mut self) -> Result<(), ShardError> {
        let (games, positions) = std::mem::take(&mut self.pending);
        self.hasher.update(&self.payload);
        let bytes = encode_frame(&self.payload, games, positions, &mut self.compressor)
            .map_err(io_error(self.path, "compress a frame"))?;
        self.payload.clear();
        self.totals.frames += 1;
        self.totals.games += u64::from(games);
        self.totals.positions += u64::from(positions);
        self.write(&bytes)
    }

    fn finish(mut self) -> Result<ShardSummary, ShardError> {
        if self.pending.0 > 0 {
            self.frame()?;
        }
        self.totals.hash = *self.hasher.finalize().as_bytes();
        let trailer = self.totals.encode();
        self.write(&trailer)?;
        self.out.commit().map_err(io_error(self.path, "write"))?;
        Ok(ShardSummary {
            path: self.path.to_path_buf(),
            games: self.totals.games,
            positions: self.totals.positions,
            bytes: self.bytes,
            content_hash: self.totals.hash.into(),
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ShardError> {
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes).map_err(io_error(self.path, "write"))
    }
}

fn encode(record: &GameRecord, payload: &mut Vec<u8>, file: &Path) -> Result<(), ShardError> {
    if record.encode(payload) {
        return Ok(());
    }
    let reason = format!("game {} has {} plies, more than {MAX_PLIES}", record.index, record.plies.len());
    Err(ShardError::Unwritable { file: file.to_path_buf(), reason })
}

/// Reads a finished shard from end to end.
fn verify_finished(path: &Path, header: &ShardHeader) -> Result<ShardSummary, ShardError> {
    let mut reader = ShardReader::open(path, Tail::Recover)?;
    reader.header().check_same_run(header, path)?;
    if let Some(torn) = reader.torn() {
        return Err(torn.clone().into());
    }
    reader.by_ref().try_for_each(|record| record.map(drop))?;
    let bytes = fs::metadata(path).map_err(io_error(path, "read the size"))?.len();
    let content_hash = reader.content_hash().expect("a shard that is not torn has its trailer");
    Ok(ShardSummary {
        path: path.to_path_buf(),
        games: reader.games(),
        positions: reader.positions(),
        bytes,
        content_hash,
    })
}

/// Opens the journal of the shard `path`, which no other process may have open for writing.
fn open_journal(path: &Path) -> Result<(PathBuf, File), ShardError> {
    let part = beside(path, ".part");
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part);
    let journal = opened.map_err(io_error(&part, "open"))?;
    match journal.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ShardError::Busy { file: part }),
        // A file system without locks: nothing keeps a second process away, as before there were locks.
        Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
            Err(io_error(&part, "lock")(error))
        }
        _ => Ok((part, journal)),
    }
}

fn remove_if_present(path: &Path) -> Result<(), ShardError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result.and_then(|()| sync_folder(path)).map_err(io_error(path, "remove")),
    }
}
