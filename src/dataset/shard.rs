//! Shard files `*.games`: the game records of one run, framed and checksummed.
//!
//! A file is a header, frames, and a trailer that says it is complete. All numbers are little-endian. A *checksum* is
//! the first 8 bytes of the BLAKE3 hash of the bytes it stands for. No length is believed before its checksum holds
//! and its limit is kept.
//!
//! Header (offsets from the start of the file, o bytes of options):
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | magic `89 53 54 47 0d 0a 1a 0a` (`\x89STG\r\n\x1a\n`: a text-mode copy destroys it) |
//! | 8 | 2 | `u16` format version, 1 |
//! | 10 | 1 | game: 0 othello, 1 othello6, 2 othello4, 3 renju |
//! | 11 | 1 | 0 |
//! | 12 | 2 | `u16` score unit: search units per disc or point, at least 1 |
//! | 14 | 2 | 0 |
//! | 16 | 8 | `u64` index of the shard's first game in its run |
//! | 24 | 32 | run id: a hash that the run makes of its seed, options and weights |
//! | 56 | 4 | `u32` o, at most [`MAX_OPTIONS`] |
//! | 60 | 8 | checksum of bytes 0–59 |
//! | 68 | o | options of the run, UTF-8 text |
//! | 68 + o | 8 | checksum of the options |
//!
//! Frame (offsets from its start, c bytes stored):
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | `47 41 4d 45` (`GAME`) |
//! | 4 | 4 | `u32` number of records |
//! | 8 | 4 | `u32` number of positions (plies) in them |
//! | 12 | 4 | `u32` length of the payload, at most [`MAX_PAYLOAD`] |
//! | 16 | 4 | `u32` c, at most [`MAX_STORED`] |
//! | 20 | 8 | checksum of the stored bytes |
//! | 28 | 8 | checksum of bytes 0–27 |
//! | 36 | c | the payload, one zstd frame; the payload is records one after another, as in [`super::record`] |
//!
//! Trailer (offsets from its start; nothing follows it):
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | `44 4f 4e 45` (`DONE`) |
//! | 4 | 4 | `u32` number of frames |
//! | 8 | 8 | `u64` number of records |
//! | 16 | 8 | `u64` number of positions |
//! | 24 | 32 | BLAKE3 hash of all payloads, one after another |
//! | 56 | 8 | checksum of bytes 0–55 |
//!
//! A shard in the making is a journal `NAME.games.part`: header and frames of one record each, no trailer. Killed at
//! any moment, it loses the record being written. [`ShardWriter::finish`] rewrites it in frames of [`FRAME_GAMES`]
//! records, so the finished bytes follow from the records alone and not from the interruptions. The hash over payloads
//! does not depend on frames or on the compressor: it names the contents.

mod frame;
mod reader;
mod set;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::GameId;

pub use reader::{ShardReader, Tail};
pub use set::{Records, Shard, ShardSet};
pub use writer::{Resumed, ShardSummary, ShardWriter, write_shard};

/// The first bytes of every shard.
pub const MAGIC: [u8; 8] = *b"\x89STG\r\n\x1a\n";
/// The version of the format described here.
pub const VERSION: u16 = 1;
/// Records per frame of a finished shard.
pub const FRAME_GAMES: u32 = 256;
/// The longest options text, in bytes.
pub const MAX_OPTIONS: usize = 64 * 1024;
/// The longest payload of a frame, in bytes.
pub const MAX_PAYLOAD: usize = 16 << 20;
/// The longest stored form of a payload, in bytes: zstd adds at most this little to what it cannot compress.
pub const MAX_STORED: usize = MAX_PAYLOAD + (MAX_PAYLOAD >> 7);

/// Bytes of a header before its options text.
const HEADER_HEAD: usize = 68;
/// Bytes of a checksum.
const CHECKSUM: usize = 8;

/// What a shard says about the run its games come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardHeader {
    /// The game.
    pub game: GameId,
    /// Search units per disc or point in the scores of the plies, at least 1.
    pub score_unit: u16,
    /// The index of the shard's first game in its run.
    pub first_index: u64,
    /// The run: a hash of its seed, options and weights, never of time, path or threads.
    pub run_id: [u8; 32],
    /// The options of the run as text.
    pub options: String,
}

/// The tail of a shard that is no whole frame: a run was cut short there, or a copy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: incomplete: the whole frames end at byte {offset}, {lost_bytes} bytes follow and no trailer", file.display())]
pub struct Torn {
    /// The file.
    pub file: PathBuf,
    /// Where its last whole frame ends, in bytes from the start.
    pub offset: u64,
    /// How many bytes stand behind that.
    pub lost_bytes: u64,
}

/// What can be wrong with a shard.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The file system refused.
    #[error("{}: cannot {action}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a shard: expected it to begin with {}, found {found}", file.display(), hex(&MAGIC))]
    Foreign {
        /// The file.
        file: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// A format this program does not know.
    #[error("{}: shard format version {found}, expected {VERSION}", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// The version it states.
        found: u16,
    },
    /// Games of another kind than wanted.
    #[error("{}: games of {found}, expected {expected}", file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// The game it holds.
        found: GameId,
        /// The game wanted.
        expected: GameId,
    },
    /// The file ends before its header does.
    #[error("{}: the file ends at byte {size}, expected a header of {expected} bytes", file.display())]
    TruncatedHeader {
        /// The file.
        file: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The least size of its header.
        expected: u64,
    },
    /// Bytes that are not what was written.
    #[error("{}: damaged at byte {offset}: expected {expected}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where the damaged part begins.
        offset: u64,
        /// What should stand there.
        expected: String,
    },
    /// The file lacks its end.
    #[error(transparent)]
    Torn(#[from] Torn),
    /// A file of another run where this run's was expected.
    #[error("{}: belongs to another run: {field} is {found}, expected {expected}", file.display())]
    OtherRun {
        /// The file.
        file: PathBuf,
        /// The part of the header that differs.
        field: &'static str,
        /// What the file says.
        found: String,
        /// What this run says.
        expected: String,
    },
    /// Another process is writing the file.
    #[error("{}: another process is writing it", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// A record or header outside the limits of the format.
    #[error("{}: cannot be written: {reason}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// Which limit.
        reason: String,
    },
    /// No shard where some were expected.
    #[error("{}: no finished shard (*.games) here", folder.display())]
    NoShards {
        /// The folder.
        folder: PathBuf,
    },
}

/// The name of shard number `number` of a run: `000007.games`. Names sort as numbers do up to 999,999.
pub fn file_name(number: u64) -> String {
    format!("{number:06}.games")
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    *blake3::hash(bytes).as_bytes().first_chunk().expect("a hash is longer")
}

fn io_error<'a>(file: &'a Path, action: &'static str) -> impl FnOnce(io::Error) -> ShardError + 'a {
    move |source| ShardError::Io { file: file.to_path_buf(), action, source }
}

fn damaged(file: &Path, offset: u64, expected: impl Into<String>) -> ShardError {
    ShardError::Damaged { file: file.to_path_buf(), offset, expected: expected.into() }
}

/// `N` bytes of `bytes` from `offset`.
fn field<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    bytes[offset..offset + N].try_into().expect("N bytes")
}

impl ShardHeader {
    /// The header's bytes, or the limit it breaks.
    fn encode(&self, file: &Path) -> Result<Vec<u8>, ShardError> {
        let reason = match self {
            _ if self.options.len() > MAX_OPTIONS => format!("options text longer than {MAX_OPTIONS} bytes"),
            _ if self.score_unit == 0 => "a score unit of 0".to_string(),
            _ => String::new(),
        };
        if !reason.is_empty() {
            return Err(ShardError::Unwritable { file: file.to_path_buf(), reason });
        }
        let mut bytes = Vec::with_capacity(self.encoded_length());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.game as u8, 0]);
        bytes.extend(self.score_unit.to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(self.first_index.to_le_bytes());
        bytes.extend(self.run_id);
        bytes.extend((self.options.len() as u32).to_le_bytes());
        bytes.extend(checksum(&bytes));
        bytes.extend(self.options.as_bytes());
        bytes.extend(checksum(self.options.as_bytes()));
        Ok(bytes)
    }

    /// How many bytes the header takes.
    fn encoded_length(&self) -> usize {
        HEADER_HEAD + self.options.len() + CHECKSUM
    }

    /// Reads the header from the start of a file of `size` bytes.
    fn read(input: &mut impl io::Read, file: &Path, size: u64) -> Result<ShardHeader, ShardError> {
        let truncated = |expected| ShardError::TruncatedHeader { file: file.to_path_buf(), size, expected };
        let mut head = [0; HEADER_HEAD];
        let present = (size.min(HEADER_HEAD as u64)) as usize;
        input.read_exact(&mut head[..present]).map_err(io_error(file, "read the header"))?;
        let magic = &head[..present.min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(ShardError::Foreign { file: file.to_path_buf(), found: hex(magic) });
        }
        if present < HEADER_HEAD {
            return Err(truncated(HEADER_HEAD as u64));
        }
        let version = u16::from_le_bytes(field(&head, 8));
        if version != VERSION {
            return Err(ShardError::Version { file: file.to_path_buf(), found: version });
        }
        if checksum(&head[..60]) != field(&head, 60) {
            return Err(damaged(file, 0, "a header that agrees with its checksum"));
        }
        let game = GameId::from_byte(head[10]).ok_or_else(|| damaged(file, 10, "the number of a game"))?;
        let score_unit = u16::from_le_bytes(field(&head, 12));
        if score_unit == 0 {
            return Err(damaged(file, 12, "a score unit of at least 1"));
        }
        let length = u32::from_le_bytes(field(&head, 56)) as usize;
        if length > MAX_OPTIONS {
            return Err(damaged(file, 56, format!("at most {MAX_OPTIONS} bytes of options")));
        }
        let whole = (HEADER_HEAD + length + CHECKSUM) as u64;
        if size < whole {
            return Err(truncated(whole));
        }
        let mut text = vec![0; length + CHECKSUM];
        input.read_exact(&mut text).map_err(io_error(file, "read the header"))?;
        let sum = text.split_off(length);
        let options = Some(text).filter(|text| checksum(text) == sum[..]).and_then(|text| String::from_utf8(text).ok());
        let options =
            options.ok_or_else(|| damaged(file, HEADER_HEAD as u64, "options that agree with their checksum"))?;
        let (first_index, run_id) = (u64::from_le_bytes(field(&head, 16)), field(&head, 24));
        Ok(ShardHeader { game, score_unit, first_index, run_id, options })
    }

    /// Whether `file`, which has the header `self`, is the file that `expected` describes.
    fn check_same_run(&self, expected: &ShardHeader, file: &Path) -> Result<(), ShardError> {
        let fields = [
            ("the game", self.game.to_string(), expected.game.to_string()),
            ("the score unit", self.score_unit.to_string(), expected.score_unit.to_string()),
            ("the first index", self.first_index.to_string(), expected.first_index.to_string()),
            ("the run id", hex(&self.run_id), hex(&expected.run_id)),
            ("the options text", format!("{:?}", self.options), format!("{:?}", expected.options)),
        ];
        match fields.into_iter().find(|(_, found, expected)| found != expected) {
            None => Ok(()),
            Some((field, found, expected)) => {
                Err(ShardError::OtherRun { file: file.to_path_buf(), field, found, expected })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_bytes_are_the_documented_ones() {
        let header = ShardHeader {
            game: GameId::Renju,
            score_unit: 0x0102,
            first_index: 0x0304,
            run_id: [0xab; 32],
            options: "nodes = 1".into(),
        };
        let bytes = header.encode(Path::new("x")).unwrap();
        let mut expected = vec![0x89, 0x53, 0x54, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
        expected.extend([1, 0, 3, 0, 2, 1, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0]);
        expected.extend([0xab; 32]);
        expected.extend([9, 0, 0, 0]);
        expected.extend(&blake3::hash(&expected).as_bytes()[..8]);
        expected.extend(b"nodes = 1");
        expected.extend(&blake3::hash(b"nodes = 1").as_bytes()[..8]);
        assert_eq!(bytes, expected);
        assert_eq!(ShardHeader::read(&mut &bytes[..], Path::new("x"), bytes.len() as u64).unwrap(), header);
    }

    #[test]
    fn a_header_outside_the_limits_is_refused() {
        let mut header = ShardHeader {
            game: GameId::Othello,
            score_unit: 0,
            first_index: 0,
            run_id: [0; 32],
            options: String::new(),
        };
        assert!(matches!(header.encode(Path::new("x")), Err(ShardError::Unwritable { .. })));
        header.score_unit = 1;
        header.options = "x".repeat(MAX_OPTIONS + 1);
        assert!(matches!(header.encode(Path::new("x")), Err(ShardError::Unwritable { .. })));
    }

    #[test]
    fn names_sort_as_numbers_do() {
        assert_eq!(file_name(7), "000007.games");
        assert!(file_name(99) < file_name(100));
    }
}
