//! Games as move text: one game a line, moves from the start position.
//!
//! Othello games are written without blanks (`f5d6c3…`), Renju games with (`h8 i9 …`); both are read either way, in
//! either case. A pass may be written `--`, `pass`, `pa` or `ps`. Where the rules leave nothing but a pass it may be left
//! out on reading; Othello's passes are all of that kind and are not written, Renju's are. Blank lines and lines that begin with `#` are passed over.
//!
//! Text holds the moves and nothing else. A line that ends before its game does has no result: its record is
//! adjudicated as a draw with every ply marked random, so that no position takes the outcome for its label.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::record::MAX_PLIES;
use super::{End, GameRecord, Ply, RecordError};
use crate::game::{GameId, IllegalMove, Move, Outcome, Position};

/// The longest line, in bytes.
pub const LINE_LIMIT: usize = 64 * 1024;

/// What is wrong with a line of move text. Lines, columns (in characters) and moves are counted from 1.
#[derive(Debug, Error)]
pub enum MoveTextError {
    /// The file system refused; reading ends here.
    #[error("{}: cannot read line {line}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The reason.
        source: io::Error,
    },
    /// The line is too long or not text.
    #[error("{}: line {line}: expected at most {LINE_LIMIT} bytes of text", file.display())]
    NotALine {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
    },
    /// Something that is no move.
    #[error("{}: line {line}, column {column}: expected move {number} ({example}), found `{found}`", file.display())]
    NotAMove {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
        /// Where in the line.
        column: usize,
        /// The move of the game, passes that were left out not counted.
        number: usize,
        /// How moves look.
        example: &'static str,
        /// What stands there, shortened.
        found: String,
    },
    /// A move that the rules do not allow.
    #[error("{}: line {line}, column {column}: move {number}: {source}", file.display())]
    Illegal {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
        /// Where in the line.
        column: usize,
        /// The move of the game, passes that were left out not counted.
        number: usize,
        /// The move and the reason.
        source: IllegalMove,
    },
}

/// The games of a text in order. A line with an error does not keep the following ones from being read.
#[derive(Debug)]
pub struct MoveTextReader<R, P> {
    input: R,
    file: PathBuf,
    line: u64,
    games: u64,
    ended: bool,
    rules: std::marker::PhantomData<P>,
}

impl<R: BufRead, P: Position> MoveTextReader<R, P> {
    /// Reads `input`; `file` is its name in errors. Records are numbered from 0.
    pub fn new(input: R, file: &Path) -> Self {
        let rules = std::marker::PhantomData;
        MoveTextReader { input, file: file.to_path_buf(), line: 0, games: 0, ended: false, rules }
    }

    /// The next line into `text`: its length, 0 at the end of the input; `None` for a line over the limit, which is
    /// passed over.
    fn read_line(&mut self, text: &mut Vec<u8>) -> io::Result<Option<usize>> {
        text.clear();
        let length = io::Read::take(&mut self.input, LINE_LIMIT as u64 + 1).read_until(b'\n', text)?;
        if length <= LINE_LIMIT {
            return Ok(Some(length));
        }
        if text.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
        }
        Ok(None)
    }
}

impl<R: BufRead, P: Position> Iterator for MoveTextReader<R, P> {
    type Item = Result<GameRecord, MoveTextError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        while !self.ended {
            self.line += 1;
            let (file, line) = (self.file.clone(), self.line);
            match self.read_line(&mut bytes) {
                Err(source) => {
                    self.ended = true;
                    return Some(Err(MoveTextError::Io { file, line, source }));
                }
                Ok(None) => return Some(Err(MoveTextError::NotALine { file, line })),
                Ok(Some(0)) => self.ended = true,
                Ok(Some(_)) => {
                    let Ok(text) = std::str::from_utf8(&bytes) else {
                        return Some(Err(MoveTextError::NotALine { file, line }));
                    };
                    let text = if line == 1 { text.trim_start_matches('\u{feff}') } else { text };
                    if text.trim().is_empty() || text.starts_with('#') {
                        continue;
                    }
                    let game = parse_game::<P>(text, self.games, &file, line);
                    self.games += u64::from(game.is_ok());
                    return Some(game);
                }
            }
        }
        None
    }
}

/// The game written in one line, as record number `index`.
pub fn parse_game<P: Position>(text: &str, index: u64, file: &Path, line: u64) -> Result<GameRecord, MoveTextError> {
    let mut position = P::start();
    let mut plies = Vec::new();
    let mut rest = text.trim_end();
    let mut number = 0;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        number += 1;
        let column = text[..text.trim_end().len() - rest.len()].chars().count() + 1;
        let word = &rest[..word_length(rest)];
        let not_a_move = || {
            let (file, found) = (file.to_path_buf(), rest.chars().take(12).collect());
            MoveTextError::NotAMove { file, line, column, number, example: example(P::GAME), found }
        };
        let mv = P::parse_move(word).ok_or_else(not_a_move)?;
        let illegal = |source| MoveTextError::Illegal { file: file.to_path_buf(), line, column, number, source };
        if position.outcome().is_some() || plies.len() >= MAX_PLIES {
            let reason = "the game is over".to_string();
            return Err(illegal(IllegalMove { text: P::move_text(mv), reason }));
        }
        if !mv.is_pass() && position.legal_moves() == [Move::PASS] {
            position.play(Move::PASS).map_err(illegal)?;
            plies.push(ply(Move::PASS));
        }
        position.play(mv).map_err(illegal)?;
        plies.push(ply(mv));
        rest = &rest[word.len()..];
    }
    Ok(match position.outcome() {
        Some(outcome) => GameRecord { index, plies, outcome, end: End::Finished },
        None => {
            plies.iter_mut().for_each(|ply| ply.random = true);
            GameRecord { index, plies, outcome: Outcome(0), end: End::Adjudicated }
        }
    })
}

/// The record's moves as a line (without its end), or where the record breaks the rules of `P`'s game.
pub fn game_text<P: Position>(record: &GameRecord) -> Result<String, RecordError> {
    let renju = P::GAME == GameId::Renju;
    let mut position = P::start();
    let mut words = Vec::new();
    for (number, ply) in record.plies.iter().enumerate() {
        if renju || !ply.mv.is_pass() {
            words.push(P::move_text(ply.mv));
        }
        let illegal = |source| RecordError::Illegal { index: record.index, ply: number + 1, source };
        position.play(ply.mv).map_err(illegal)?;
    }
    Ok(words.join(if renju { " " } else { "" }))
}

fn ply(mv: Move) -> Ply {
    Ply { mv, score: None, random: false, exact: false }
}

fn example(game: GameId) -> &'static str {
    if game == GameId::Renju { "such as h8, or pass" } else { "such as f5, or pass" }
}

/// The length of the first word of `text`: a spelling of the pass, or a letter with the digits behind it, or else one
/// character.
fn word_length(text: &str) -> usize {
    for pass in ["--", "pass", "pa", "ps"] {
        if text.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass)) {
            return pass.len();
        }
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    first + text[first..].bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;
    use crate::game::renju::Renju;

    type Board = Othello<8>;

    fn parse(text: &str) -> Result<GameRecord, MoveTextError> {
        parse_game::<Board>(text, 3, Path::new("games.txt"), 5)
    }

    /// Nine moves that leave White without a disc.
    const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn a_finished_game_has_its_outcome() {
        let record = parse(WIPEOUT).unwrap();
        assert_eq!((record.index, record.outcome, record.end), (3, Outcome(64), End::Finished));
        assert_eq!(record.plies.len(), 9);
        assert_eq!(record.first_labelled(), 0);
        assert_eq!(game_text::<Board>(&record).unwrap(), WIPEOUT);
        let spaced = parse(" E6 f4,e3 F6\tg5 d6 e7 f5 c5 \r\n").unwrap();
        assert_eq!(spaced, record);
    }

    #[test]
    fn a_line_that_stops_early_labels_nothing() {
        let record = parse("f5d6c3").unwrap();
        assert_eq!((record.outcome, record.end, record.plies.len()), (Outcome(0), End::Adjudicated, 3));
        assert_eq!(record.first_labelled(), 3);
        assert_eq!(game_text::<Board>(&record).unwrap(), "f5d6c3");
    }

    #[test]
    fn forced_passes_may_be_left_out() {
        // The first legal move over and over leads to passes.
        let mut position = Board::start();
        let (mut with, mut without, mut passes) = (String::new(), String::new(), 0);
        while let Some(&mv) = position.legal_moves().first() {
            position.play(mv).unwrap();
            if mv.is_pass() {
                with += "--";
                passes += 1;
            } else {
                with += &Board::move_text(mv);
                without += &Board::move_text(mv);
            }
        }
        assert!(passes > 0, "the game has a pass");
        let record = parse(&without).unwrap();
        assert_eq!(record, parse(&with).unwrap());
        assert_eq!(record, parse(&with.replace("--", " PASS ")).unwrap());
        assert_eq!(record.plies.iter().filter(|ply| ply.mv.is_pass()).count(), passes);
        assert_eq!(game_text::<Board>(&record).unwrap(), without);
    }

    #[test]
    fn errors_name_line_column_and_move() {
        for (text, says) in [
            ("f5d6x3", "games.txt: line 5, column 5: expected move 3 (such as f5, or pass), found `x3`"),
            ("f5d6c", "column 5: expected move 3"),
            ("f5 d6 c33", "column 7: expected move 3"),
            ("f5d6é", "column 5: expected move 3"),
            ("f5 f5", "column 4: move 2: illegal move f5: the square is occupied"),
            ("f5--d6", "column 3: move 2: illegal move pass"),
            ("e6f4e3f6g5d6e7f5c5a1", "column 19: move 10: illegal move a1: the game is over"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn renju_games_have_blanks_and_passes() {
        let file = Path::new("x");
        // Black makes five in row 8; White makes four in row 9 and passes once.
        let text = "h8 h9 i8 i9 j8 j9 k8 pass l8";
        let record = parse_game::<Renju>(text, 0, file, 1).unwrap();
        assert_eq!((record.outcome, record.end, record.plies.len()), (Outcome(1), End::Finished, 9));
        assert_eq!(game_text::<Renju>(&record).unwrap(), text);
        assert_eq!(parse_game::<Renju>("H8h9i8I9j8j9k8--l8", 0, file, 1).unwrap(), record);
        // Two passes in a row end the game: a draw.
        let drawn = parse_game::<Renju>("h8 i9 j10 pass pass", 0, file, 1).unwrap();
        assert_eq!((drawn.outcome, drawn.end, drawn.plies.len()), (Outcome(0), End::Finished, 5));
        assert_eq!(game_text::<Renju>(&drawn).unwrap(), "h8 i9 j10 pass pass");
        let error = parse_game::<Renju>("h8 i9 j16", 0, file, 1).unwrap_err().to_string();
        assert!(error.contains("column 7: expected move 3 (such as h8, or pass), found `j16`"), "{error}");
    }

    #[test]
    fn a_bad_line_does_not_stop_the_reader() {
        let mut text = format!("\u{feff}# openings\n\n{WIPEOUT}\r\nf5zz\n").into_bytes();
        text.extend(vec![b'a'; 3 * LINE_LIMIT]);
        text.extend(b"\n\xff\xfe\nf5d6");
        let games: Vec<_> = MoveTextReader::<_, Board>::new(&text[..], Path::new("x.txt")).collect();
        assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, false, true]);
        assert_eq!(games[4].as_ref().unwrap().index, 1);
        for (game, line) in [(1, "line 4"), (2, "line 5"), (3, "line 6")] {
            assert!(games[game].as_ref().unwrap_err().to_string().contains(line));
        }
    }
}
