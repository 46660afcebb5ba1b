//! WTHOR files `.wtb`: the tournament games of the Fédération Française d'Othello.
//!
//! A file is a header of 16 bytes and records of 68, little-endian. Header: 0 century, 1 year, 2 month and 3 day of
//! its making; 4 `u32` number of records; 8 `u16` unused here; 10 `u16` year of the games; 12 board size (0 or 8: 8×8);
//! 13 kind (0: games); 14 number of empties at which the theoretical score was computed; 15 reserved. Record: 0 `u16`
//! tournament; 2 `u16` Black; 4 `u16` White; 6 Black's discs at the end; 7 Black's discs with best play from the
//! theoretical depth on; 8 sixty moves as 10·row + column (f5 = 56), 0 behind the last.
//!
//! Passes are not recorded and are put back in. Disc counts give empty squares to the winner. A game that its board
//! ends has the board's outcome; one that stops earlier (resigned, out of time) has the recorded discs, awarded.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{End, GameRecord, Ply};
use crate::game::othello::{Othello, notation};
use crate::game::{IllegalMove, Move, Outcome, Position};

const HEADER: usize = 16;
const RECORD: usize = 68;
const MOVES: usize = 60;

/// What is wrong with a WTHOR file. Records and moves are counted from 1.
#[derive(Debug, Error)]
pub enum WthorError {
    /// The file system refused; reading ends here.
    #[error("{}: cannot {action}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The header is none of a file of 8×8 games.
    #[error("{}: byte {offset}: expected {expected}, found {found}", file.display())]
    Header {
        /// The file.
        file: PathBuf,
        /// Where in the file.
        offset: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The file holds fewer or more bytes than its header says; what is there is read.
    #[error("{}: expected {expected} bytes for {records} records, found {found}", file.display())]
    Size {
        /// The file.
        file: PathBuf,
        /// The number of records that the header states.
        records: u32,
        /// The size they need.
        expected: u64,
        /// The size of the file.
        found: u64,
    },
    /// A record that is no legal game; the following ones are read.
    #[error("{}: record {record}, move {number}: {reason}", file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// The record.
        record: u32,
        /// The move, passes not counted.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WthorHeader {
    /// The number of records.
    pub records: u32,
    /// The year of the games.
    pub year: u16,
    /// The number of empties from which the theoretical scores are exact.
    pub solved_empties: u8,
}

/// One game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// The moves with their passes and the outcome; its index is the number of the record, from 0.
    pub record: GameRecord,
    /// The number of the tournament.
    pub tournament: u16,
    /// The number of the player with the black discs.
    pub black: u16,
    /// The number of the player with the white discs.
    pub white: u16,
    /// Black's discs at the end, as recorded.
    pub black_discs: u8,
    /// Black's discs with best play by both sides from [`WthorHeader::solved_empties`] on.
    pub theoretical_discs: u8,
}

impl WthorGame {
    /// Whether the recorded disc count is the one on the board; a game stopped early always agrees.
    pub fn score_agrees(&self) -> bool {
        i32::from(self.record.outcome.0) == 2 * i32::from(self.black_discs) - 64
    }
}

/// The games of a WTHOR file in order. A bad record does not keep the following ones from being read.
#[derive(Debug)]
pub struct WthorReader {
    file: PathBuf,
    input: BufReader<File>,
    header: WthorHeader,
    next: u32,
    /// The number of whole records that are there.
    present: u32,
    size_error: Option<WthorError>,
}

impl WthorReader {
    /// Opens a file and checks its header.
    pub fn open(path: &Path) -> Result<WthorReader, WthorError> {
        let failed = |action| move |source| WthorError::Io { file: path.to_path_buf(), action, source };
        let mut input = File::open(path).map_err(failed("open"))?;
        let found = input.metadata().map_err(failed("read the size"))?.len();
        let mut bytes = Vec::new();
        (&mut input).take(HEADER as u64).read_to_end(&mut bytes).map_err(failed("read the header"))?;
        let header = parse_header(&bytes).map_err(|(offset, expected, found)| WthorError::Header {
            file: path.to_path_buf(),
            offset,
            expected,
            found,
        })?;
        let records = header.records;
        let expected = HEADER as u64 + RECORD as u64 * u64::from(records);
        let size_error =
            (found != expected).then(|| WthorError::Size { file: path.to_path_buf(), records, expected, found });
        let whole = (found - HEADER as u64) / RECORD as u64;
        let present = u32::try_from(whole).unwrap_or(u32::MAX).min(records);
        let input = BufReader::new(input);
        Ok(WthorReader { file: path.to_path_buf(), input, header, next: 0, present, size_error })
    }

    /// The header.
    pub fn header(&self) -> WthorHeader {
        self.header
    }
}

impl Iterator for WthorReader {
    type Item = Result<WthorGame, WthorError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.present {
            return self.size_error.take().map(Err);
        }
        let mut bytes = [0; RECORD];
        if let Err(source) = self.input.read_exact(&mut bytes) {
            (self.next, self.size_error) = (self.present, None);
            return Some(Err(WthorError::Io { file: self.file.clone(), action: "read a record", source }));
        }
        let index = self.next;
        self.next += 1;
        Some(parse_record(&bytes, index).map_err(|(number, reason)| WthorError::Game {
            file: self.file.clone(),
            record: index + 1,
            number,
            reason,
        }))
    }
}

fn parse_header(bytes: &[u8]) -> Result<WthorHeader, (usize, &'static str, String)> {
    let Ok(bytes) = <[u8; HEADER]>::try_from(bytes) else {
        return Err((bytes.len(), "a header of 16 bytes", "the end of the file".to_string()));
    };
    // A file of another kind is told by its date: no other field has so few values.
    if !(1..=12).contains(&bytes[2]) || !(1..=31).contains(&bytes[3]) {
        return Err((2, "a month and a day", format!("{} and {}", bytes[2], bytes[3])));
    }
    if !matches!(bytes[12], 0 | 8) {
        return Err((12, "board size 8 (or 0, the same)", bytes[12].to_string()));
    }
    if bytes[13] != 0 {
        return Err((13, "kind 0, games", bytes[13].to_string()));
    }
    Ok(WthorHeader {
        records: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
        year: u16::from_le_bytes([bytes[10], bytes[11]]),
        solved_empties: bytes[14],
    })
}

/// The game in a record, or the number of its first bad move and what is wrong with it.
fn parse_record(bytes: &[u8; RECORD], index: u32) -> Result<WthorGame, (usize, String)> {
    let number = |offset| u16::from_le_bytes([bytes[offset], bytes[offset + 1]]);
    let moves = &bytes[8..];
    let count = moves.iter().position(|&mv| mv == 0).unwrap_or(MOVES);
    if let Some(late) = moves[count..].iter().position(|&mv| mv != 0) {
        return Err((count + late + 1, "a move behind the end of the game".to_string()));
    }
    let mut position = Othello::<8>::start();
    let mut plies = Vec::with_capacity(MOVES + 4);
    let mut play = |position: &mut Othello<8>, mv| -> Result<(), IllegalMove> {
        position.play(mv)?;
        plies.push(Ply { mv, score: None, random: false, exact: false });
        Ok(())
    };
    for (place, &byte) in moves[..count].iter().enumerate() {
        let fail = |reason: String| (place + 1, reason);
        let (row, col) = (usize::from(byte / 10), usize::from(byte % 10));
        if !(1..=8).contains(&row) || !(1..=8).contains(&col) {
            return Err(fail(format!("expected 10·row + column, both 1 to 8, found {byte}")));
        }
        if position.is_over() {
            return Err(fail("the game is over before this move".to_string()));
        }
        if position.mobility() == 0 {
            play(&mut position, Move::PASS).map_err(|error| fail(error.to_string()))?;
        }
        let mv = Move(notation::square::<8>(row - 1, col - 1) as u8);
        play(&mut position, mv).map_err(|error| fail(error.to_string()))?;
    }
    let (black_discs, theoretical_discs) = (bytes[6], bytes[7]);
    let (outcome, end) = match position.outcome() {
        Some(outcome) => (outcome, End::Finished),
        None if black_discs <= 64 => (Outcome(2 * i16::from(black_discs) - 64), End::Adjudicated),
        None => return Err((count, format!("the game stops here, and Black's discs are given as {black_discs}"))),
    };
    let record = GameRecord { index: u64::from(index), plies, outcome, end };
    Ok(WthorGame { record, tournament: number(0), black: number(2), white: number(4), black_discs, theoretical_discs })
}

/// Whether a WTHOR record can hold the game, or why not: its outcome must be a disc difference (even, at most 64) and
/// its moves squares of the 8×8 board.
pub fn check_fits(record: &GameRecord) -> Result<(), &'static str> {
    if record.outcome.0 % 2 != 0 || !(-64..=64).contains(&record.outcome.0) {
        return Err("its outcome is no disc difference of a full board");
    }
    let mut placed = record.plies.iter().map(|ply| ply.mv).filter(|mv| !mv.is_pass());
    if placed.clone().count() > MOVES || placed.any(|mv| mv.0 >= 64) {
        return Err("its moves are none of 8×8 Othello");
    }
    Ok(())
}

/// Writes games as a WTHOR file: no players, no tournament, the made-up date 1 January 2000, and the outcome for the
/// theoretical score too.
#[derive(Debug)]
pub struct WthorWriter<W> {
    out: W,
    records: u32,
}

impl<W: Write + Seek> WthorWriter<W> {
    /// Begins the file at the current place of `out`, which must be its start.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&header_bytes(0))?;
        Ok(WthorWriter { out, records: 0 })
    }

    /// Appends a game of 8×8 Othello. One that the format cannot hold ([`check_fits`]) is an error of kind
    /// `InvalidData` and leaves the file as it was.
    pub fn push(&mut self, record: &GameRecord) -> io::Result<()> {
        let refuse = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason);
        check_fits(record).map_err(refuse)?;
        let mut bytes = [0; RECORD];
        let discs = ((record.outcome.0 + 64) / 2) as u8;
        (bytes[6], bytes[7]) = (discs, discs);
        let placed = record.plies.iter().filter(|ply| !ply.mv.is_pass());
        for (slot, ply) in bytes[8..].iter_mut().zip(placed) {
            let (row, col) = notation::row_col::<8>(usize::from(ply.mv.0));
            *slot = (10 * (row + 1) + col + 1) as u8;
        }
        let records = self.records.checked_add(1).ok_or_else(|| refuse("too many games for one file"))?;
        self.out.write_all(&bytes)?;
        self.records = records;
        Ok(())
    }

    /// Puts the number of games into the header and returns the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header_bytes(self.records))?;
        self.out.seek(SeekFrom::End(0))?;
        Ok(self.out)
    }
}

fn header_bytes(records: u32) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..4].copy_from_slice(&[20, 0, 1, 1]);
    bytes[4..8].copy_from_slice(&records.to_le_bytes());
    bytes[10..12].copy_from_slice(&2000u16.to_le_bytes());
    bytes[12] = 8;
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A header of 2019 with `records` records and theoretical scores from 24 empties.
    fn header(records: u8) -> Vec<u8> {
        vec![20, 26, 2, 18, records, 0, 0, 0, 0, 0, 0xe3, 7, 8, 0, 24, 0]
    }

    fn record(black_discs: u8, moves: &[u8]) -> Vec<u8> {
        let mut bytes = vec![9, 0, 0xaa, 12, 0x6e, 13, black_discs, 40];
        bytes.extend(moves);
        bytes.resize(RECORD, 0);
        bytes
    }

    /// e6 f4 e3 f6 g5 d6 e7 f5 c5: Black wipes White out.
    const WIPEOUT: [u8; 9] = [65, 46, 35, 66, 57, 64, 75, 56, 53];

    fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("WTH_TEST.wtb");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn good_records_are_read_and_bad_ones_named() {
        let mut bytes = header(6);
        bytes.extend(record(64, &WIPEOUT));
        bytes.extend(record(10, &[56, 64]));
        bytes.extend(record(32, &[56, 56]));
        bytes.extend(record(32, &[56, 91]));
        bytes.extend(record(32, &[56, 0, 64]));
        bytes.extend(record(13, &WIPEOUT));
        let (_folder, path) = file(&bytes);
        let reader = WthorReader::open(&path).unwrap();
        assert_eq!(reader.header(), WthorHeader { records: 6, year: 2019, solved_empties: 24 });
        let games: Vec<_> = reader.collect();
        assert_eq!(games.len(), 6);

        let first = games[0].as_ref().unwrap();
        assert_eq!((first.tournament, first.black, first.white, first.theoretical_discs), (9, 0x0caa, 0x0d6e, 40));
        assert_eq!((first.record.outcome, first.record.end), (Outcome(64), End::Finished));
        assert!(first.score_agrees());
        let text: Vec<String> = first.record.plies.iter().map(|ply| Othello::<8>::move_text(ply.mv)).collect();
        assert_eq!(text, ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]);

        let stopped = &games[1].as_ref().unwrap().record;
        assert_eq!((stopped.outcome, stopped.end, stopped.plies.len()), (Outcome(-44), End::Adjudicated, 2));

        for (game, says) in [
            (2, "record 3, move 2: illegal move f5: the square is occupied"),
            (3, "record 4, move 2: expected 10·row + column"),
            (4, "record 5, move 3: a move behind the end"),
        ] {
            let error = games[game].as_ref().unwrap_err().to_string();
            assert!(error.contains("WTH_TEST.wtb") && error.contains(says), "{error}");
        }
        // The board decides over the score byte, and the difference shows.
        let last = games[5].as_ref().unwrap();
        assert!(last.record.outcome == Outcome(64) && !last.score_agrees());
    }

    #[test]
    fn passes_are_put_back_in() {
        // The first legal move over and over ends in a game with passes; WTHOR records only the placed discs.
        let mut position = Othello::<8>::start();
        let mut all = Vec::new();
        while let Some(&mv) = position.legal_moves().first() {
            position.play(mv).unwrap();
            all.push(mv);
        }
        assert!(all.contains(&Move::PASS), "the game has a pass");
        let placed = all.iter().filter(|mv| !mv.is_pass()).map(|mv| 10 * (mv.0 / 8 + 1) + mv.0 % 8 + 1);
        let mut bytes = header(1);
        bytes.extend(record(0, &placed.collect::<Vec<_>>()));
        let (_folder, path) = file(&bytes);
        let game = WthorReader::open(&path).unwrap().next().unwrap().unwrap();
        assert_eq!(game.record.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>(), all);
        assert_eq!(Some(game.record.outcome), position.outcome());
    }

    #[test]
    fn headers_of_something_else_are_refused() {
        let mut other_board = header(0);
        other_board[12] = 10;
        let mut solitaires = header(0);
        solitaires[13] = 1;
        for (bytes, says) in [
            (header(0)[..15].to_vec(), "byte 15: expected a header of 16 bytes"),
            (Vec::new(), "byte 0"),
            (b"GIF89a not a game at all".to_vec(), "byte 2: expected a month"),
            (other_board, "byte 12: expected board size 8"),
            (solitaires, "byte 13: expected kind 0"),
        ] {
            let (_folder, path) = file(&bytes);
            let error = WthorReader::open(&path).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn a_file_of_another_size_than_it_says_is_read_as_far_as_it_goes() {
        let mut bytes = header(3);
        bytes.extend(record(64, &WIPEOUT));
        bytes.extend(&record(64, &WIPEOUT)[..50]);
        let (_folder, path) = file(&bytes);
        let games: Vec<_> = WthorReader::open(&path).unwrap().collect();
        assert_eq!(games.len(), 2);
        assert!(games[0].is_ok());
        let error = games[1].as_ref().unwrap_err().to_string();
        assert!(error.contains("expected 220 bytes for 3 records, found 134"), "{error}");
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut bytes = header(2);
        bytes.extend(record(64, &WIPEOUT));
        bytes.extend(record(10, &[56, 64]));
        let (_folder, path) = file(&bytes);
        let read = |path: &Path| -> Vec<GameRecord> {
            WthorReader::open(path).unwrap().map(|game| game.unwrap().record).collect()
        };
        let records = read(&path);
        let mut writer = WthorWriter::new(io::Cursor::new(Vec::new())).unwrap();
        records.iter().for_each(|record| writer.push(record).unwrap());
        let mut odd = records[0].clone();
        odd.outcome = Outcome(3);
        assert_eq!(writer.push(&odd).unwrap_err().kind(), io::ErrorKind::InvalidData);
        let (_folder, path) = file(&writer.finish().unwrap().into_inner());
        assert_eq!(read(&path), records);
    }
}
