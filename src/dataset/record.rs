//! One game record: its bytes and its check by the rules of its game.
//!
//! The bytes (little-endian; n plies, of which s have a score):
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | `u64` index of the game in its run |
//! | 8 | 2 | `i16` outcome, Black's point of view, in the game's unit |
//! | 10 | 1 | how the record ends: 0 finished, 1 solved, 2 adjudicated |
//! | 11 | 2 | `u16` n, at most [`MAX_PLIES`] |
//! | 13 | n | the moves: squares or points, 255 a pass |
//! | 13 + n | n | flags per ply: bit 0 a score follows, bit 1 random, bit 2 exact; the rest 0 |
//! | 13 + 2n | 2s | `i16` scores of the plies with bit 0, side to move's point of view |

use thiserror::Error;

use super::{End, GameRecord, Ply};
use crate::game::{IllegalMove, Move, Outcome, Position};

/// The most plies a record may have: more than any game of either kind can last, passes included.
pub const MAX_PLIES: usize = 1024;

const HEAD: usize = 13;
const HAS_SCORE: u8 = 1;
const RANDOM: u8 = 2;
const EXACT: u8 = 4;

/// A record that does not agree with the rules of its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// A move that is not legal where it stands.
    #[error("game {index}, ply {ply}: {source}")]
    Illegal {
        /// The record's index.
        index: u64,
        /// The ply, from 1.
        ply: usize,
        /// The move and the reason.
        source: IllegalMove,
    },
    /// A record marked as finished whose last position is not the end of a game.
    #[error("game {index}: marked as finished, but the game goes on after ply {plies}")]
    GoesOn {
        /// The record's index.
        index: u64,
        /// Its number of plies.
        plies: usize,
    },
    /// A record marked as finished whose outcome is not the one on the board.
    #[error("game {index}: the outcome is recorded as {recorded}, the board says {board}")]
    Outcome {
        /// The record's index.
        index: u64,
        /// What the record says, Black's point of view.
        recorded: i16,
        /// What the final board says.
        board: i16,
    },
}

impl GameRecord {
    /// Plays the record through and returns its last position, or says where it breaks the rules of `P`'s game. A
    /// finished record must end where the game ends, with the outcome of that position.
    pub fn replay<P: Position>(&self) -> Result<P, RecordError> {
        let index = self.index;
        let mut position = P::start();
        for (number, ply) in self.plies.iter().enumerate() {
            position.play(ply.mv).map_err(|source| RecordError::Illegal { index, ply: number + 1, source })?;
        }
        if self.end == End::Finished {
            match position.outcome() {
                None => return Err(RecordError::GoesOn { index, plies: self.plies.len() }),
                Some(board) if board != self.outcome => {
                    return Err(RecordError::Outcome { index, recorded: self.outcome.0, board: board.0 });
                }
                Some(_) => {}
            }
        }
        Ok(position)
    }

    /// Appends the record's bytes to `out`; nothing is appended when it has more than [`MAX_PLIES`] plies (`false`).
    pub(super) fn encode(&self, out: &mut Vec<u8>) -> bool {
        if self.plies.len() > MAX_PLIES {
            return false;
        }
        out.extend(self.index.to_le_bytes());
        out.extend(self.outcome.0.to_le_bytes());
        out.push(self.end as u8);
        out.extend((self.plies.len() as u16).to_le_bytes());
        out.extend(self.plies.iter().map(|ply| ply.mv.0));
        out.extend(self.plies.iter().map(flags));
        out.extend(self.plies.iter().filter_map(|ply| ply.score).flat_map(i16::to_le_bytes));
        true
    }

    /// Takes one record from the front of `bytes`, or says what was expected there.
    pub(super) fn decode(bytes: &mut &[u8]) -> Result<GameRecord, &'static str> {
        let head: [u8; HEAD] = take(bytes, HEAD).and_then(|head| head.try_into().ok()).ok_or("a whole record")?;
        let index = u64::from_le_bytes(head[..8].try_into().expect("eight bytes"));
        let outcome = Outcome(i16::from_le_bytes([head[8], head[9]]));
        let end = match head[10] {
            0 => End::Finished,
            1 => End::Solved,
            2 => End::Adjudicated,
            _ => return Err("a record that ends finished, solved or adjudicated"),
        };
        let count = usize::from(u16::from_le_bytes([head[11], head[12]]));
        if count > MAX_PLIES {
            return Err("a record of at most 1024 plies");
        }
        let moves = take(bytes, count).ok_or("the moves of a record")?;
        let flags = take(bytes, count).ok_or("the flags of a record")?;
        if flags.iter().any(|flags| flags & !(HAS_SCORE | RANDOM | EXACT) != 0) {
            return Err("flags of a ply");
        }
        let scored = flags.iter().filter(|&&flags| flags & HAS_SCORE != 0).count();
        let mut scores = take(bytes, 2 * scored).ok_or("the scores of a record")?.chunks_exact(2);
        let mut score = || scores.next().map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let plies = moves
            .iter()
            .zip(flags)
            .map(|(&mv, &flags)| Ply {
                mv: Move(mv),
                score: if flags & HAS_SCORE != 0 { score() } else { None },
                random: flags & RANDOM != 0,
                exact: flags & EXACT != 0,
            })
            .collect();
        Ok(GameRecord { index, plies, outcome, end })
    }
}

fn flags(ply: &Ply) -> u8 {
    u8::from(ply.score.is_some()) * HAS_SCORE + u8::from(ply.random) * RANDOM + u8::from(ply.exact) * EXACT
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (front, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(front)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;

    fn ply(mv: u8, score: Option<i16>, random: bool, exact: bool) -> Ply {
        Ply { mv: Move(mv), score, random, exact }
    }

    #[test]
    fn the_bytes_are_the_documented_ones() {
        let record = GameRecord {
            index: 0x0102,
            plies: vec![ply(37, None, true, false), ply(43, Some(-2), false, false), ply(255, Some(300), false, true)],
            outcome: Outcome(-6),
            end: End::Solved,
        };
        let mut bytes = Vec::new();
        assert!(record.encode(&mut bytes));
        #[rustfmt::skip]
        let expected = [
            0x02, 0x01, 0, 0, 0, 0, 0, 0, // index
            0xfa, 0xff, // outcome
            1, // solved
            3, 0, // plies
            37, 43, 255, // moves
            2, 1, 5, // flags
            0xfe, 0xff, 0x2c, 0x01, // scores
        ];
        assert_eq!(bytes, expected);
        let mut rest = &bytes[..];
        assert_eq!(GameRecord::decode(&mut rest), Ok(record));
        assert!(rest.is_empty());
        for cut in 0..bytes.len() {
            assert!(GameRecord::decode(&mut &bytes[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn a_record_longer_than_any_game_is_refused() {
        let long = GameRecord {
            index: 0,
            plies: vec![ply(0, None, false, false); MAX_PLIES + 1],
            outcome: Outcome(0),
            end: End::Solved,
        };
        let mut bytes = Vec::new();
        assert!(!long.encode(&mut bytes) && bytes.is_empty());
        let mut claim = [0u8; 4096];
        (claim[11], claim[12]) = (0xff, 0xff);
        assert!(GameRecord::decode(&mut &claim[..]).is_err());
    }

    #[test]
    fn replay_names_the_ply_and_checks_the_end() {
        let game = |moves: &[&str], outcome, end| GameRecord {
            index: 7,
            plies: moves
                .iter()
                .map(|text| ply(Othello::<8>::parse_move(text).unwrap().0, None, false, false))
                .collect(),
            outcome: Outcome(outcome),
            end,
        };
        // The shortest wipeout known: nine moves, 13 discs, all Black's.
        let wipeout = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
        assert!(game(&wipeout, 64, End::Finished).replay::<Othello<8>>().is_ok());
        let error = game(&wipeout, 13, End::Finished).replay::<Othello<8>>().unwrap_err();
        assert_eq!(error, RecordError::Outcome { index: 7, recorded: 13, board: 64 });
        let error = game(&wipeout[..8], 64, End::Finished).replay::<Othello<8>>().unwrap_err();
        assert_eq!(error, RecordError::GoesOn { index: 7, plies: 8 });
        assert!(game(&wipeout[..8], 64, End::Adjudicated).replay::<Othello<8>>().is_ok());
        let error = game(&["e6", "e6"], 0, End::Adjudicated).replay::<Othello<8>>().unwrap_err();
        assert!(error.to_string().starts_with("game 7, ply 2: illegal move e6"), "{error}");
    }
}
