//! The Renju judge: 15×15, `READY`, `TURN my_time opp_time`, `OPP x y time` and `FINISH` out; `OK` and `MOVE x y` back.
//!
//! x is the row and y the column, from 1. READY has a limit of its own, 3,000 ms, that does not come off the game's
//! total. Either side may pass from the fourth move on; `MOVE -1 -1` and `PASS` are both taken for a pass, because the
//! statement's own spelling is not known, and how the opponent's pass is told is a [`RenjuDialect`]. Black's forbidden
//! moves lose. The requests show no board, so a program learns of an opening by a line that is ours:
//! `INIT <225 cells> <plies>`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use super::protocol::{Protocol, Turn};
use super::spelling::Spelling;
use super::verdict::{Fault, Reason, quoted};
use crate::game::renju::{Point, Renju, forbidden};
use crate::game::{Color, Move, Position};

/// The time for answering READY.
const READY_LIMIT: Duration = Duration::from_millis(3000);

/// The Renju judge in one of its dialects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenjuJudge {
    /// How the requests are spelled.
    pub dialect: RenjuDialect,
}

/// The times that TURN tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// Own remaining time, then the opponent's.
    #[default]
    Both,
    /// Own remaining time.
    Own,
    /// None.
    None,
}

/// The form of requests and answers: the standard one, changed in any of the ways of [`RenjuDialect::WORDS`] and
/// [`Spelling::WORDS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenjuDialect {
    /// The times on TURN's line.
    pub times: Times,
    /// `OPP PASS time` instead of `OPP -1 -1 time`.
    pub pass_word: bool,
    /// `READY` without its argument.
    pub bare: bool,
    /// What it shares with other judges.
    pub spelling: Spelling,
}

impl RenjuDialect {
    /// The words of a dialect and what they mean. A dialect is any of them, and of [`Spelling::WORDS`], joined by commas.
    pub const WORDS: [(&'static str, &'static str); 5] = [
        ("standard", "READY FIRST or SECOND; TURN my_time opp_time; OPP -1 -1 time for a pass"),
        ("own-time", "TURN my_time"),
        ("no-times", "TURN alone"),
        ("pass-word", "OPP PASS time for a pass"),
        ("bare", "READY alone"),
    ];

    /// All words with their meanings, for a help text.
    pub fn summary() -> String {
        Spelling::summary(&RenjuDialect::WORDS)
    }
}

impl FromStr for RenjuDialect {
    type Err = String;

    fn from_str(text: &str) -> Result<RenjuDialect, String> {
        let mut dialect = RenjuDialect::default();
        for word in text.split(',').map(str::trim) {
            match word {
                "standard" => {}
                "own-time" | "no-times" if dialect.times != Times::Both => {
                    return Err(format!("dialect `{text}`: `{word}` contradicts an earlier word"));
                }
                "own-time" => dialect.times = Times::Own,
                "no-times" => dialect.times = Times::None,
                "pass-word" => dialect.pass_word = true,
                "bare" => dialect.bare = true,
                _ if dialect.spelling.take(word) => {}
                _ => return Err(Spelling::unknown(word, &RenjuDialect::WORDS)),
            }
        }
        Ok(dialect)
    }
}

impl fmt::Display for RenjuDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (self.times == Times::Own, "own-time"),
            (self.times == Times::None, "no-times"),
            (self.pass_word, "pass-word"),
            (self.bare, "bare"),
        ];
        let words = words.into_iter().filter(|(used, _)| *used).map(|(_, word)| word).collect();
        f.write_str(&self.spelling.joined(words))
    }
}

impl Protocol for RenjuJudge {
    type Position = Renju;

    fn name(&self) -> &'static str {
        "renju"
    }

    fn ready(&self, color: Color) -> String {
        let seat = match color {
            _ if self.dialect.bare => "",
            Color::Black => " FIRST",
            Color::White => " SECOND",
        };
        self.dialect.spelling.greeting(seat)
    }

    fn ready_allowance(&self) -> Option<Duration> {
        Some(READY_LIMIT)
    }

    fn turn(&self, turn: &Turn<'_, Renju>) -> String {
        let (own, other) = (turn.remaining.as_millis(), turn.opponent_remaining.as_millis());
        let times = match self.dialect.times {
            Times::Both => format!(" {own} {other}"),
            Times::Own => format!(" {own}"),
            Times::None => String::new(),
        };
        self.dialect.spelling.request(&times)
    }

    fn check_ready(&self, line: &str) -> Result<(), Fault> {
        self.dialect.spelling.check_ready(line)
    }

    fn read_move(&self, line: &str) -> Result<Move, Fault> {
        let spelling = &self.dialect.spelling;
        if spelling.is_pass(line, &["PASS", "MOVE -1 -1"]) {
            return Ok(Move::PASS);
        }
        let (row, col) = spelling.read(line)?;
        let shown = quoted(line.as_bytes());
        self.move_at(row, col).ok_or_else(|| {
            Fault::new(Reason::Illegal, format!("{shown} is outside the board: rows and columns are 1 to 15"))
        })
    }

    fn play(&self, turn: &Turn<'_, Renju>, mv: Move) -> Result<Renju, Fault> {
        let mut position = turn.position.clone();
        let Err(illegal) = position.play(mv) else { return Ok(position) };
        let Some(point) = Point::of_move(mv) else {
            return Err(Fault::new(Reason::IllegalPass, format!("a pass in turn {}: {}", turn.number, illegal.reason)));
        };
        let (row, col) = point.one_based();
        let shown = format!("MOVE {row} {col} in turn {}", turn.number);
        let board = turn.position.board();
        let could = board.is_empty(point) && turn.position.outcome().is_none();
        let black = turn.position.side_to_move() == Color::Black;
        match (could && black).then(|| forbidden::forbidden(board, point)).flatten() {
            Some(reasons) => Err(Fault::new(Reason::Forbidden, format!("{shown}: {reasons}"))),
            None => Err(Fault::new(Reason::Illegal, format!("{shown}: {}", illegal.reason))),
        }
    }

    fn opening_plies(&self) -> Option<RangeInclusive<usize>> {
        None
    }

    fn init(&self, position: &Renju, plies: usize) -> Option<String> {
        Some(self.dialect.spelling.line("INIT", &format!(" {} {plies}", position.board_text())))
    }

    fn notice(&self, mv: Move, took: Duration) -> Option<String> {
        let action = match self.row_col(mv) {
            Some(point) => self.dialect.spelling.coordinates(point),
            None if self.dialect.pass_word => "PASS".to_string(),
            None => "-1 -1".to_string(),
        };
        Some(self.dialect.spelling.line("OPP", &format!(" {action} {}", took.as_millis())))
    }

    fn farewell(&self) -> Option<String> {
        Some(self.dialect.spelling.line("FINISH", ""))
    }

    fn row_col(&self, mv: Move) -> Option<(usize, usize)> {
        Point::of_move(mv).map(Point::one_based)
    }

    fn move_at(&self, row: i64, col: i64) -> Option<Move> {
        Point::from_one_based(row, col).map(Point::to_move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{parse_opening, position_after};

    fn judge(moves: &str, line: &str) -> Result<Renju, Fault> {
        let opening = parse_opening::<Renju>(moves).unwrap();
        let position: Renju = position_after(&opening);
        let turn = Turn {
            number: opening.len() + 1,
            position: &position,
            remaining: Duration::from_millis(9000),
            opponent_remaining: Duration::from_millis(8000),
        };
        let judge = RenjuJudge::default();
        judge.play(&turn, judge.read_move(line)?)
    }

    fn reason(moves: &str, line: &str) -> Reason {
        judge(moves, line).unwrap_err().reason
    }

    #[test]
    fn the_first_three_moves_are_bound() {
        assert!(judge("", "MOVE 8 8").is_ok());
        assert_eq!(reason("", "MOVE 8 9"), Reason::Illegal);
        assert_eq!(reason("", "MOVE -1 -1"), Reason::IllegalPass);
        assert!(judge("h8", "MOVE 7 9").is_ok());
        assert_eq!(reason("h8", "MOVE 6 8"), Reason::Illegal);
        assert!(judge("h8h9", "MOVE 10 6").is_ok());
        assert_eq!(reason("h8h9", "MOVE 11 8"), Reason::Illegal);
        assert_eq!(reason("h8h9", "PASS"), Reason::IllegalPass);
        assert!(judge("h8h9i8", "PASS").is_ok());
    }

    #[test]
    fn forbidden_moves_have_their_own_reason() {
        // Two open threes cross in j8, row 8 and column 10 of the judge.
        let crossing = "h8g9i8a1j9o1j10a15";
        let fault = judge(crossing, "MOVE 8 10").unwrap_err();
        assert_eq!(fault.reason, Reason::Forbidden);
        assert!(fault.detail.contains("double three"), "{}", fault.detail);
        assert_eq!(reason(crossing, "MOVE 8 8"), Reason::Illegal);
        // White may play there.
        assert!(judge(&format!("{crossing}o15"), "MOVE 8 10").is_ok());
    }

    #[test]
    fn answers_and_requests_are_spelled_as_agreed() {
        let judge = RenjuJudge::default();
        assert_eq!(judge.read_move("MOVE 15 1"), Ok(Renju::parse_move("a1").unwrap()));
        assert_eq!(judge.read_move("MOVE 0 1").unwrap_err().reason, Reason::Illegal);
        assert_eq!(judge.read_move("MOVE 1 16").unwrap_err().reason, Reason::Illegal);
        assert_eq!(judge.read_move("MOVE h8").unwrap_err().reason, Reason::Format);
        let position = Renju::start();
        let (remaining, opponent_remaining) = (Duration::from_micros(9_999_900), Duration::from_millis(10_000));
        let turn = Turn { number: 1, position: &position, remaining, opponent_remaining };
        assert_eq!(judge.turn(&turn), "TURN 9999 10000\n");
        let took = Duration::from_micros(12_900);
        assert_eq!(judge.notice(Renju::parse_move("j8").unwrap(), took).unwrap(), "OPP 8 10 12\n");
        assert_eq!(judge.notice(Move::PASS, took).unwrap(), "OPP -1 -1 12\n");
        let other = RenjuJudge { dialect: "no-times,pass-word,start,crlf".parse().unwrap() };
        assert_eq!(other.turn(&turn), "START TURN\r\n");
        assert_eq!(other.notice(Move::PASS, took).unwrap(), "OPP PASS 12\r\n");
        let turned = RenjuJudge { dialect: "zero-based,column-first,pass=NONE".parse().unwrap() };
        assert_eq!(turned.notice(Renju::parse_move("j8").unwrap(), took).unwrap(), "OPP 9 7 12\n");
        assert_eq!(turned.read_move("MOVE 9 7"), Ok(Renju::parse_move("j8").unwrap()));
        assert_eq!((turned.read_move("NONE"), turned.read_move("PASS").is_err()), (Ok(Move::PASS), true));
        assert!(judge.init(&position, 0).unwrap().starts_with("INIT ......"));
    }

    #[test]
    fn dialects_round_trip() {
        for word in RenjuDialect::WORDS.iter().chain(&Spelling::WORDS).map(|(word, _)| *word) {
            assert_eq!(word.parse::<RenjuDialect>().unwrap().to_string(), word);
        }
        assert!("own-time,no-times".parse::<RenjuDialect>().unwrap_err().contains("contradicts"));
        assert!("rows".parse::<RenjuDialect>().unwrap_err().contains("pass-word"));
    }
}
