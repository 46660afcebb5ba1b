//! Reading one shard, a frame at a time.
//!
//! Opening walks the heads of all frames, so totals and a torn tail are known before the first record; reading holds
//! one frame in memory.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use zstd::bulk::Decompressor;

use super::frame::{FRAME_HEAD, FRAME_MARK, FrameHead, TRAILER, TRAILER_MARK, Trailer};
use super::{ShardError, ShardHeader, Torn, damaged, io_error};
use crate::dataset::GameRecord;
use crate::game::GameId;

/// What to do about a shard that lacks its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// It is an error.
    Strict,
    /// Its whole frames are read, and [`ShardReader::torn`] says what is missing.
    Recover,
}

/// The records of one shard in order. After an error it ends.
pub struct ShardReader {
    file: PathBuf,
    input: BufReader<File>,
    header: ShardHeader,
    layout: Layout,
    /// Where the next frame begins.
    offset: u64,
    frame: OpenFrame,
    decompressor: Decompressor<'static>,
    hasher: blake3::Hasher,
    ended: bool,
}

/// The frame whose records are being taken.
#[derive(Default)]
struct OpenFrame {
    offset: u64,
    payload: Vec<u8>,
    /// How much of the payload is taken.
    used: usize,
    /// Records still due.
    games: u32,
    /// Plies still due.
    positions: u32,
}

/// What the frame heads of a shard say.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub games: u64,
    pub positions: u64,
    pub frames: u64,
    /// Where the last whole frame begins.
    pub last: u64,
    /// Where it ends.
    pub end: u64,
    pub trailer: Option<Trailer>,
    pub torn: Option<Torn>,
}

impl ShardReader {
    /// Opens a shard and checks its header, the heads of its frames and its trailer.
    pub fn open(path: &Path, tail: Tail) -> Result<ShardReader, ShardError> {
        let input = File::open(path).map_err(io_error(path, "open"))?;
        let reader = ShardReader::new(input, path)?;
        match &reader.layout.torn {
            Some(torn) if tail == Tail::Strict => Err(torn.clone().into()),
            _ => Ok(reader),
        }
    }

    /// As [`open`](ShardReader::open), and the shard must be of `game`.
    pub fn open_game(path: &Path, tail: Tail, game: GameId) -> Result<ShardReader, ShardError> {
        let reader = ShardReader::open(path, tail)?;
        if reader.header.game != game {
            let found = reader.header.game;
            return Err(ShardError::Game { file: path.to_path_buf(), found, expected: game });
        }
        Ok(reader)
    }

    /// A reader that recovers, over a file that is open already.
    pub(super) fn new(input: File, path: &Path) -> Result<ShardReader, ShardError> {
        let size = input.metadata().map_err(io_error(path, "read the size"))?.len();
        let mut input = BufReader::new(input);
        input.seek(SeekFrom::Start(0)).map_err(io_error(path, "read"))?;
        let header = ShardHeader::read(&mut input, path, size)?;
        let offset = header.encoded_length() as u64;
        let layout = scan(&mut input, path, offset, size)?;
        input.seek(SeekFrom::Start(offset)).map_err(io_error(path, "read"))?;
        let decompressor = Decompressor::new().map_err(io_error(path, "decompress"))?;
        Ok(ShardReader {
            file: path.to_path_buf(),
            input,
            header,
            layout,
            offset,
            frame: OpenFrame::default(),
            decompressor,
            hasher: blake3::Hasher::new(),
            ended: false,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// What the shard says of its run.
    pub fn header(&self) -> &ShardHeader {
        &self.header
    }

    /// The number of records in its whole frames.
    pub fn games(&self) -> u64 {
        self.layout.games
    }

    /// The number of positions (plies) in its whole frames.
    pub fn positions(&self) -> u64 {
        self.layout.positions
    }

    /// The tail that is missing; `None` for a finished shard.
    pub fn torn(&self) -> Option<&Torn> {
        self.layout.torn.as_ref()
    }

    /// The hash over the payloads that a finished shard states; reading to the end checks it.
    pub fn content_hash(&self) -> Option<blake3::Hash> {
        self.layout.trailer.map(|trailer| trailer.hash.into())
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The payload of the next frame with its head and offset; `None` behind the last.
    pub(super) fn next_payload(&mut self) -> Result<Option<(u64, FrameHead, Vec<u8>)>, ShardError> {
        if self.offset >= self.layout.end {
            return self.check_hash().map(|()| None);
        }
        let (file, offset) = (&self.file, self.offset);
        let mut head = [0; FRAME_HEAD];
        self.input.read_exact(&mut head).map_err(io_error(file, "read a frame"))?;
        let head = FrameHead::decode(&head).map_err(|expected| damaged(file, offset, expected))?;
        let mut stored = vec![0; head.stored as usize];
        self.input.read_exact(&mut stored).map_err(io_error(file, "read a frame"))?;
        let payload = head.payload(&stored, &mut self.decompressor);
        let payload = payload.map_err(|expected| damaged(file, offset, expected))?;
        self.hasher.update(&payload);
        self.offset += (FRAME_HEAD + stored.len()) as u64;
        Ok(Some((offset, head, payload)))
    }

    fn check_hash(&self) -> Result<(), ShardError> {
        match self.layout.trailer {
            Some(trailer) if self.hasher.finalize() != trailer.hash => {
                Err(damaged(&self.file, self.layout.end, "a hash that agrees with the records"))
            }
            _ => Ok(()),
        }
    }

    fn next_record(&mut self) -> Result<Option<GameRecord>, ShardError> {
        while self.frame.games == 0 {
            if self.frame.used != self.frame.payload.len() || self.frame.positions != 0 {
                return Err(damaged(
                    &self.file,
                    self.frame.offset,
                    "as many records and positions as the frame states",
                ));
            }
            let Some((offset, head, payload)) = self.next_payload()? else { return Ok(None) };
            self.frame = OpenFrame { offset, payload, used: 0, games: head.games, positions: head.positions };
        }
        let frame = &mut self.frame;
        let mut rest = &frame.payload[frame.used..];
        let record = GameRecord::decode(&mut rest).map_err(|expected| damaged(&self.file, frame.offset, expected))?;
        frame.used = frame.payload.len() - rest.len();
        frame.games -= 1;
        frame.positions = (frame.positions)
            .checked_sub(record.plies.len() as u32)
            .ok_or_else(|| damaged(&self.file, frame.offset, "as many positions as the frame states"))?;
        Ok(Some(record))
    }
}

impl Iterator for ShardReader {
    type Item = Result<GameRecord, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_record().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Walks the frames of a file of `size` bytes by their heads.
fn scan(input: &mut BufReader<File>, file: &Path, begin: u64, size: u64) -> Result<Layout, ShardError> {
    let mut layout = Layout { end: begin, last: begin, ..Layout::default() };
    loop {
        let offset = layout.end;
        let rest = size - offset;
        let torn = Torn { file: file.to_path_buf(), offset, lost_bytes: rest };
        let mut mark = [0; 4];
        let present = rest.min(4) as usize;
        input.read_exact(&mut mark[..present]).map_err(io_error(file, "read a frame"))?;
        if FRAME_MARK.starts_with(&mark[..present]) {
            let Some(head) = read_rest::<FRAME_HEAD>(input, file, mark, rest)? else {
                return Ok(Layout { torn: Some(torn), ..layout });
            };
            let head = FrameHead::decode(&head).map_err(|expected| damaged(file, offset, expected))?;
            let length = FRAME_HEAD as u64 + u64::from(head.stored);
            if rest < length {
                return Ok(Layout { torn: Some(torn), ..layout });
            }
            input.seek_relative(i64::from(head.stored)).map_err(io_error(file, "read a frame"))?;
            layout.games += u64::from(head.games);
            layout.positions += u64::from(head.positions);
            layout.frames += 1;
            (layout.last, layout.end) = (offset, offset + length);
        } else if TRAILER_MARK.starts_with(&mark[..present]) {
            let Some(trailer) = read_rest::<TRAILER>(input, file, mark, rest)? else {
                return Ok(Layout { torn: Some(torn), ..layout });
            };
            let trailer = Trailer::decode(&trailer).map_err(|expected| damaged(file, offset, expected))?;
            let stated = (u64::from(trailer.frames), trailer.games, trailer.positions);
            if stated != (layout.frames, layout.games, layout.positions) {
                return Err(damaged(file, offset, "a trailer that agrees with the frames"));
            }
            if rest > TRAILER as u64 {
                return Err(damaged(file, offset + TRAILER as u64, "the end of the file behind the trailer"));
            }
            return Ok(Layout { trailer: Some(trailer), ..layout });
        } else if mark == [0; 4] && only_zeros(input).map_err(io_error(file, "read a frame"))? {
            // After a power failure a file can be longer than what reached the disk, and reads as zeros there.
            return Ok(Layout { torn: Some(torn), ..layout });
        } else {
            return Err(damaged(file, offset, "a frame or the trailer"));
        }
    }
}

/// The `N` bytes that begin with `mark`, if the `rest` of the file is that long.
fn read_rest<const N: usize>(
    input: &mut impl Read,
    file: &Path,
    mark: [u8; 4],
    rest: u64,
) -> Result<Option<[u8; N]>, ShardError> {
    if rest < N as u64 {
        return Ok(None);
    }
    let mut bytes = [0; N];
    bytes[..4].copy_from_slice(&mark);
    input.read_exact(&mut bytes[4..]).map_err(io_error(file, "read a frame"))?;
    Ok(Some(bytes))
}

fn only_zeros(input: &mut impl Read) -> std::io::Result<bool> {
    let mut chunk = [0; 4096];
    loop {
        match input.read(&mut chunk)? {
            0 => return Ok(true),
            count if chunk[..count].iter().any(|&byte| byte != 0) => return Ok(false),
            _ => {}
        }
    }
}
