//! Frames and the trailer of a shard as bytes; the layout is in [`super`].

use zstd::bulk::{Compressor, Decompressor};

use super::{MAX_PAYLOAD, MAX_STORED, checksum, field};

/// Bytes of a frame before its stored payload.
pub const FRAME_HEAD: usize = 36;
/// Bytes of the trailer.
pub const TRAILER: usize = 64;
/// How a frame begins.
pub const FRAME_MARK: [u8; 4] = *b"GAME";
/// How the trailer begins.
pub const TRAILER_MARK: [u8; 4] = *b"DONE";

/// The compression level of every frame: part of the format, since equal records must give equal bytes.
const LEVEL: i32 = 9;

/// What the head of a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHead {
    pub games: u32,
    pub positions: u32,
    pub payload: u32,
    pub stored: u32,
    sum: [u8; 8],
}

impl FrameHead {
    /// The head in these bytes, or what was expected of them.
    pub fn decode(bytes: &[u8; FRAME_HEAD]) -> Result<FrameHead, &'static str> {
        if bytes[..4] != FRAME_MARK || checksum(&bytes[..28]) != field(bytes, 28) {
            return Err("a frame head that agrees with its checksum");
        }
        let number = |offset| u32::from_le_bytes(field(bytes, offset));
        let head = FrameHead {
            games: number(4),
            positions: number(8),
            payload: number(12),
            stored: number(16),
            sum: field(bytes, 20),
        };
        if head.payload as usize > MAX_PAYLOAD || head.stored as usize > MAX_STORED {
            return Err("a frame within the limits of its size");
        }
        Ok(head)
    }

    fn encode(&self) -> [u8; FRAME_HEAD] {
        let mut bytes = [0; FRAME_HEAD];
        bytes[..4].copy_from_slice(&FRAME_MARK);
        for (slot, number) in [self.games, self.positions, self.payload, self.stored].into_iter().enumerate() {
            bytes[4 + 4 * slot..8 + 4 * slot].copy_from_slice(&number.to_le_bytes());
        }
        bytes[20..28].copy_from_slice(&self.sum);
        let sum = checksum(&bytes[..28]);
        bytes[28..].copy_from_slice(&sum);
        bytes
    }

    /// The payload that was stored as `stored`, or what was expected of those bytes.
    pub fn payload(&self, stored: &[u8], decompressor: &mut Decompressor<'_>) -> Result<Vec<u8>, &'static str> {
        if checksum(stored) != self.sum {
            return Err("a frame that agrees with its checksum");
        }
        let payload = decompressor.decompress(stored, self.payload as usize).ok();
        payload.filter(|payload| payload.len() == self.payload as usize).ok_or("a payload of the length that is stated")
    }
}

/// A frame of `games` records with `positions` plies, whose bytes are `payload`.
pub fn encode_frame(
    payload: &[u8],
    games: u32,
    positions: u32,
    compressor: &mut Compressor<'_>,
) -> std::io::Result<Vec<u8>> {
    let stored = compressor.compress(payload)?;
    let (length, sum) = (stored.len() as u32, checksum(&stored));
    let head = FrameHead { games, positions, payload: payload.len() as u32, stored: length, sum };
    let mut bytes = head.encode().to_vec();
    bytes.extend(stored);
    Ok(bytes)
}

/// The compressor of a journal's frames: one record each, rewritten when the shard is finished, so speed counts.
pub fn journal_compressor() -> std::io::Result<Compressor<'static>> {
    Compressor::new(1)
}

/// The compressor of a finished shard's frames.
pub fn compressor() -> std::io::Result<Compressor<'static>> {
    Compressor::new(LEVEL)
}

/// The totals at the end of a finished shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailer {
    pub frames: u32,
    pub games: u64,
    pub positions: u64,
    pub hash: [u8; 32],
}

impl Trailer {
    pub fn encode(&self) -> [u8; TRAILER] {
        let mut bytes = [0; TRAILER];
        bytes[..4].copy_from_slice(&TRAILER_MARK);
        bytes[4..8].copy_from_slice(&self.frames.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.games.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.positions.to_le_bytes());
        bytes[24..56].copy_from_slice(&self.hash);
        let sum = checksum(&bytes[..56]);
        bytes[56..].copy_from_slice(&sum);
        bytes
    }

    /// The trailer in these bytes, or what was expected of them.
    pub fn decode(bytes: &[u8; TRAILER]) -> Result<Trailer, &'static str> {
        if bytes[..4] != TRAILER_MARK || checksum(&bytes[..56]) != field(bytes, 56) {
            return Err("a trailer that agrees with its checksum");
        }
        Ok(Trailer {
            frames: u32::from_le_bytes(field(bytes, 4)),
            games: u64::from_le_bytes(field(bytes, 8)),
            positions: u64::from_le_bytes(field(bytes, 16)),
            hash: field(bytes, 24),
        })
    }
}
