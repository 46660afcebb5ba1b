//! The reversi judge: 8×8, `READY` and `TURN turn board` out, `OK` and `MOVE r c` or `PASS` back.
//!
//! Every side is asked in its own turns only, also when it must pass, with the whole board. The total of answer time
//! includes READY. What the problem's statement leaves open (READY's argument, the order and form of TURN's tokens) is
//! a [`Dialect`]: a bot should survive all of them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::protocol::{Protocol, Turn};
use super::spelling::Spelling;
use super::verdict::{Fault, Reason, quoted};
use crate::game::othello::{Othello, notation};
use crate::game::{Color, Move, Position};

type Board = Othello<8>;

/// The reversi judge in one of its dialects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reversi {
    /// How the requests are spelled.
    pub dialect: Dialect,
}

/// How READY names the seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadyForm {
    /// `READY FIRST` and `READY SECOND`.
    #[default]
    Seat,
    /// `READY BLACK` and `READY WHITE`.
    Color,
    /// `READY`.
    Bare,
}

/// How TURN shows the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardForm {
    /// One token of 64 letters.
    #[default]
    Token,
    /// Eight tokens of 8 letters on TURN's line.
    Rows,
    /// Eight lines of 8 letters after TURN's line.
    Lines,
}

/// The letters of the board: empty, black, white.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// `.BW`.
    #[default]
    Dots,
    /// `-XO`.
    Crosses,
    /// `0BW`.
    Zeros,
}

/// The form of requests and answers: the standard one, changed in any of the ways of [`Dialect::WORDS`] and
/// [`Spelling::WORDS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// READY's argument.
    pub ready: ReadyForm,
    /// The board.
    pub board: BoardForm,
    /// Its letters.
    pub letters: Letters,
    /// `TURN board turn` instead of `TURN turn board`.
    pub board_first: bool,
    /// Remaining milliseconds of the side on move and its opponent at the end of TURN's line.
    pub times: bool,
    /// What it shares with other judges.
    pub spelling: Spelling,
}

impl Dialect {
    /// The words of a dialect and what they mean. A dialect is any of them, and of [`Spelling::WORDS`], joined by commas.
    pub const WORDS: [(&'static str, &'static str); 9] = [
        ("standard", "READY FIRST or SECOND; TURN turn board"),
        ("color", "READY BLACK or WHITE"),
        ("bare", "READY alone"),
        ("board-first", "TURN board turn"),
        ("rows", "the board as eight tokens"),
        ("lines", "the board as eight lines after TURN turn"),
        ("crosses", "board letters - X O"),
        ("zeros", "board letters 0 B W"),
        ("times", "remaining milliseconds, own and opponent's, at the end of the TURN line"),
    ];

    /// All words with their meanings, for a help text.
    pub fn summary() -> String {
        Spelling::summary(&Dialect::WORDS)
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Dialect, String> {
        let mut dialect = Dialect::default();
        for word in text.split(',').map(str::trim) {
            let clash = match word {
                "color" | "bare" => dialect.ready != ReadyForm::Seat,
                "rows" | "lines" => dialect.board != BoardForm::Token,
                "crosses" | "zeros" => dialect.letters != Letters::Dots,
                _ => false,
            };
            if clash {
                return Err(format!("dialect `{text}`: `{word}` contradicts an earlier word"));
            }
            match word {
                "standard" => {}
                "color" => dialect.ready = ReadyForm::Color,
                "bare" => dialect.ready = ReadyForm::Bare,
                "board-first" => dialect.board_first = true,
                "rows" => dialect.board = BoardForm::Rows,
                "lines" => dialect.board = BoardForm::Lines,
                "crosses" => dialect.letters = Letters::Crosses,
                "zeros" => dialect.letters = Letters::Zeros,
                "times" => dialect.times = true,
                _ if dialect.spelling.take(word) => {}
                _ => return Err(Spelling::unknown(word, &Dialect::WORDS)),
            }
        }
        Ok(dialect)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (self.ready == ReadyForm::Color, "color"),
            (self.ready == ReadyForm::Bare, "bare"),
            (self.board_first, "board-first"),
            (self.board == BoardForm::Rows, "rows"),
            (self.board == BoardForm::Lines, "lines"),
            (self.letters == Letters::Crosses, "crosses"),
            (self.letters == Letters::Zeros, "zeros"),
            (self.times, "times"),
        ];
        let words = words.into_iter().filter(|(used, _)| *used).map(|(_, word)| word).collect();
        f.write_str(&self.spelling.joined(words))
    }
}

impl Dialect {
    fn board_text(&self, position: &Board) -> String {
        let letters = match self.letters {
            Letters::Dots => ['.', 'B', 'W'],
            Letters::Crosses => ['-', 'X', 'O'],
            Letters::Zeros => ['0', 'B', 'W'],
        };
        let cell = |letter| match letter {
            'B' => letters[1],
            'W' => letters[2],
            _ => letters[0],
        };
        position.board_text().chars().map(cell).collect()
    }
}

impl Protocol for Reversi {
    type Position = Board;

    fn name(&self) -> &'static str {
        "reversi"
    }

    fn ready(&self, color: Color) -> String {
        let seat = match (self.dialect.ready, color) {
            (ReadyForm::Seat, Color::Black) => " FIRST",
            (ReadyForm::Seat, Color::White) => " SECOND",
            (ReadyForm::Color, Color::Black) => " BLACK",
            (ReadyForm::Color, Color::White) => " WHITE",
            (ReadyForm::Bare, _) => "",
        };
        self.dialect.spelling.greeting(seat)
    }

    fn turn(&self, turn: &Turn<'_, Board>) -> String {
        let dialect = &self.dialect;
        let board = dialect.board_text(turn.position);
        let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
        let number = turn.number.to_string();
        let shown = match dialect.board {
            BoardForm::Token => board.clone(),
            BoardForm::Rows => rows.join(" "),
            BoardForm::Lines => String::new(),
        };
        let mut tokens = [&number, &shown];
        if dialect.board_first {
            tokens.swap(0, 1);
        }
        let mut rest: String = tokens.iter().filter(|token| !token.is_empty()).flat_map(|token| [" ", token]).collect();
        if dialect.times {
            rest += &format!(" {} {}", turn.remaining.as_millis(), turn.opponent_remaining.as_millis());
        }
        let mut text = dialect.spelling.request(&rest);
        if dialect.board == BoardForm::Lines {
            text.extend(rows.iter().flat_map(|row| [row, dialect.spelling.end()]));
        }
        text
    }

    fn check_ready(&self, line: &str) -> Result<(), Fault> {
        self.dialect.spelling.check_ready(line)
    }

    fn read_move(&self, line: &str) -> Result<Move, Fault> {
        if self.dialect.spelling.is_pass(line, &["PASS"]) {
            return Ok(Move::PASS);
        }
        let (row, col) = self.dialect.spelling.read(line)?;
        self.move_at(row, col).ok_or_else(|| {
            Fault::new(
                Reason::Illegal,
                format!("{} is outside the board: rows and columns are 1 to 8", quoted(line.as_bytes())),
            )
        })
    }

    fn play(&self, turn: &Turn<'_, Board>, mv: Move) -> Result<Board, Fault> {
        let mut position = *turn.position;
        position.play(mv).map_err(|illegal| match self.row_col(mv) {
            Some((row, col)) => {
                Fault::new(Reason::Illegal, format!("MOVE {row} {col} in turn {}: {}", turn.number, illegal.reason))
            }
            None => {
                let moves = turn.position.legal_moves();
                let example = moves
                    .first()
                    .and_then(|&mv| self.row_col(mv))
                    .map_or(String::new(), |(row, col)| format!(", for instance MOVE {row} {col}"));
                let detail = format!("PASS in turn {} with {} legal moves{example}", turn.number, moves.len());
                Fault::new(Reason::IllegalPass, detail)
            }
        })?;
        Ok(position)
    }

    fn opening_plies(&self) -> Option<RangeInclusive<usize>> {
        Some(6..=10)
    }

    fn row_col(&self, mv: Move) -> Option<(usize, usize)> {
        (!mv.is_pass()).then(|| {
            let (row, col) = notation::row_col::<8>(mv.0 as usize);
            (row + 1, col + 1)
        })
    }

    fn move_at(&self, row: i64, col: i64) -> Option<Move> {
        let on_board = (1..=8).contains(&row) && (1..=8).contains(&col);
        on_board.then(|| Move(notation::square::<8>(row as usize - 1, col as usize - 1) as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const START: &str = "...........................WB......BW...........................";

    fn turn(dialect: &str) -> String {
        let position = Board::start();
        let turn = Turn {
            number: 1,
            position: &position,
            remaining: Duration::from_micros(4_999_900),
            opponent_remaining: Duration::from_millis(5000),
        };
        Reversi { dialect: dialect.parse().unwrap() }.turn(&turn)
    }

    #[test]
    fn requests_are_spelled_as_the_dialect_says() {
        assert_eq!(turn("standard"), format!("TURN 1 {START}\n"));
        assert_eq!(turn("board-first,times"), format!("TURN {START} 1 4999 5000\n"));
        assert_eq!(turn("rows"), "TURN 1 ........ ........ ........ ...WB... ...BW... ........ ........ ........\n");
        let lines = turn("lines,crosses,crlf,times,start");
        assert_eq!(lines.lines().count(), 9);
        assert!(lines.starts_with("START TURN 1 4999 5000\r\n--------\r\n"), "{lines}");
        assert!(lines.contains("\r\n---OX---\r\n"));
        assert!(turn("zeros").contains("0WB0"));
        let ready = |dialect: &str, color| Reversi { dialect: dialect.parse().unwrap() }.ready(color);
        assert_eq!(ready("standard", Color::White), "READY SECOND\n");
        assert_eq!(ready("color", Color::Black), "READY BLACK\n");
        assert_eq!(ready("bare,crlf", Color::Black), "READY\r\n");
    }

    #[test]
    fn dialects_round_trip_and_reject_nonsense() {
        for text in ["standard", "color,board-first,times,pass=NONE", "bare,lines,zeros,start,crlf"] {
            assert_eq!(text.parse::<Dialect>().unwrap().to_string(), text);
        }
        assert!("rows,lines".parse::<Dialect>().unwrap_err().contains("contradicts"));
        assert!("klingon".parse::<Dialect>().unwrap_err().contains("board-first"));
        for word in Dialect::WORDS.iter().chain(&Spelling::WORDS).map(|(word, _)| *word) {
            assert_eq!(word.parse::<Dialect>().unwrap().to_string(), word);
        }
    }

    #[test]
    fn only_the_exact_answers_are_read() {
        let reversi = Reversi::default();
        assert_eq!(reversi.read_move("MOVE 3 4"), Ok(Board::parse_move("d3").unwrap()));
        assert_eq!(reversi.read_move("PASS"), Ok(Move::PASS));
        for line in [
            "",
            "MOVE",
            "MOVE 3",
            "MOVE 3 4 5",
            "move 3 4",
            "MOVE 3  4",
            " MOVE 3 4",
            "MOVE 3 4 ",
            "MOVE 3 4\r",
            "MOVE +3 4",
            "MOVE 03 4",
            "MOVE c 4",
            "MOVE 3,4",
            "pass",
            "PASS ",
            "OK",
            "MOVE 3 -",
            "MOVE 3.0 4",
        ] {
            assert_eq!(reversi.read_move(line).unwrap_err().reason, Reason::Format, "{line:?}");
        }
        for line in ["MOVE 0 4", "MOVE 9 1", "MOVE -1 -1", "MOVE 3 99999999999999999999999"] {
            assert_eq!(reversi.read_move(line).unwrap_err().reason, Reason::Illegal, "{line:?}");
        }
        assert!(reversi.check_ready("OK").is_ok());
        assert_eq!(reversi.check_ready("ok").unwrap_err().reason, Reason::Format);
    }

    #[test]
    fn moves_are_judged_by_the_rules() {
        let reversi = Reversi::default();
        let position = Board::start();
        let turn =
            Turn { number: 1, position: &position, remaining: Duration::ZERO, opponent_remaining: Duration::ZERO };
        let judge = |line: &str| reversi.play(&turn, reversi.read_move(line).unwrap());
        assert!(judge("MOVE 3 4").is_ok());
        assert_eq!(judge("MOVE 3 3").unwrap_err().reason, Reason::Illegal);
        assert_eq!(judge("MOVE 4 4").unwrap_err().reason, Reason::Illegal);
        let pass = judge("PASS").unwrap_err();
        assert_eq!(pass.reason, Reason::IllegalPass);
        assert!(pass.detail.contains("MOVE 3 4"), "{}", pass.detail);
    }
}
