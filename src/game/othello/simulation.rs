//! The Othello simulation: recorded moves of many small games to the disc counts at their ends.
//!
//! Input is `T`, then per case a line `N M` (board size 4, 6 or 8; number of moves) and M lines `col row colour`
//! (counted from 1, the column first; colour 1 is Black, 2 White). A colour may move twice in a row, whether or not
//! the other side could have moved; what is checked of a move is that its square is empty and that it turns a disc.
//! Blank lines, trailing blanks, CR and a byte order mark are passed over.
//!
//! [`Simulation`] takes one line at a time and does no I/O; [`simulate`] runs it over a whole text.

use thiserror::Error;

use super::{Board, Othello, flips, notation};
use crate::game::{Color, Position};

/// The longest line [`Simulation`] takes, in bytes: a valid one is far shorter, blanks included.
pub const LINE_LIMIT: usize = 64 * 1024;

/// The discs at the end of a case; empty squares are nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number of the case, from 1.
    pub case: u64,
    /// Black's discs.
    pub black: u32,
    /// White's discs.
    pub white: u32,
}

/// What is wrong with an input, and in which of its lines (counted from 1, blank lines included).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SimulationError {
    /// The line does not hold the numbers that must stand there.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// Its number.
        line: u64,
        /// What should stand there.
        expected: String,
        /// What stands there, shortened.
        found: String,
    },
    /// The line is longer than [`LINE_LIMIT`].
    #[error("line {line}: longer than {LINE_LIMIT} bytes, expected {expected}")]
    LongLine {
        /// Its number.
        line: u64,
        /// What should stand there.
        expected: String,
    },
    /// A move that the rules do not allow.
    #[error("line {line}: move {number} of case {case} (column {col}, row {row}, {color}): {reason}")]
    Move {
        /// Its number.
        line: u64,
        /// The case, from 1.
        case: u64,
        /// The move of the case, from 1.
        number: u64,
        /// The column, from 1.
        col: usize,
        /// The row, from 1.
        row: usize,
        /// Who moves: `black` or `white`.
        color: &'static str,
        /// Why it is not allowed.
        reason: &'static str,
    },
    /// The input ends too early.
    #[error("line {line}: the input ends here, expected {expected}")]
    Missing {
        /// The number of the line that is missing.
        line: u64,
        /// What should stand there.
        expected: String,
    },
}

/// A board of one of the three sizes: the centred grid, and how to find a square on it.
#[derive(Clone, Copy, Debug)]
struct Case {
    size: usize,
    square: fn(usize, usize) -> usize,
    black: u64,
    white: u64,
    moves: u64,
    played: u64,
}

impl Case {
    fn start<const N: usize>(moves: u64) -> Case {
        let (black, white) = Othello::<N>::start().black_white();
        Case { size: N, square: notation::square::<N>, black, white, moves, played: 0 }
    }

    /// Places a disc of `color` at row and column, counted from 0, or says why it cannot be placed.
    fn place(&mut self, row: usize, col: usize, color: Color) -> Result<(), &'static str> {
        let square = (self.square)(row, col);
        if (self.black | self.white) >> square & 1 == 1 {
            return Err("the square is occupied");
        }
        let (player, opponent) = match color {
            Color::Black => (self.black, self.white),
            Color::White => (self.white, self.black),
        };
        if flips::flips(player, opponent, square) == 0 {
            return Err("it turns no disc");
        }
        let after = Board { player, opponent }.play(square);
        (self.black, self.white) = match color {
            Color::Black => (after.opponent, after.player),
            Color::White => (after.player, after.opponent),
        };
        Ok(())
    }
}

/// The running simulation: [`line`](Simulation::line) for every line of the input, then
/// [`finish`](Simulation::finish).
#[derive(Clone, Debug)]
pub struct Simulation {
    lenient: bool,
    line: u64,
    cases: Option<u64>,
    done: u64,
    current: Option<Case>,
    ignored: u64,
}

impl Simulation {
    /// A simulation at the first line. A `lenient` one leaves out moves onto an occupied square and moves that turn
    /// no disc; otherwise they are errors.
    pub fn new(lenient: bool) -> Simulation {
        Simulation { lenient, line: 0, cases: None, done: 0, current: None, ignored: 0 }
    }

    /// Moves left out so far.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// Takes the next line (with or without its line end) and returns the count of the case that it completes.
    /// After an error the simulation is not to be used further.
    pub fn line(&mut self, text: &[u8]) -> Result<Option<Count>, SimulationError> {
        self.line += 1;
        if text.len() > LINE_LIMIT {
            return Err(SimulationError::LongLine { line: self.line, expected: self.expected() });
        }
        let text = if self.line == 1 { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
        let text = text.trim_ascii();
        if text.is_empty() {
            return Ok(None);
        }
        match (self.cases, &self.current) {
            (None, _) => {
                let [cases] = self.numbers(text)?;
                self.cases = Some(cases);
                Ok(None)
            }
            (Some(cases), None) if self.done == cases => Err(self.unexpected(text)),
            (Some(_), None) => self.begin(text),
            (Some(_), Some(_)) => self.play(text),
        }
    }

    /// Ends the input: an error when something is still to come.
    pub fn finish(&self) -> Result<(), SimulationError> {
        if self.cases == Some(self.done) {
            return Ok(());
        }
        Err(SimulationError::Missing { line: self.line + 1, expected: self.expected() })
    }

    /// The line `N M`.
    fn begin(&mut self, text: &[u8]) -> Result<Option<Count>, SimulationError> {
        let [size, moves] = self.numbers(text)?;
        let case = match size {
            4 => Case::start::<4>(moves),
            6 => Case::start::<6>(moves),
            8 => Case::start::<8>(moves),
            _ => return Err(self.unexpected(text)),
        };
        self.current = Some(case);
        Ok(self.count_if_complete())
    }

    /// The line `col row colour`.
    fn play(&mut self, text: &[u8]) -> Result<Option<Count>, SimulationError> {
        let [col, row, color] = self.numbers(text)?;
        let case = self.current.as_mut().expect("a case is open");
        let on_board = 1..=case.size as u64;
        let color = match color {
            1 => Color::Black,
            2 => Color::White,
            _ => return Err(self.unexpected(text)),
        };
        if !on_board.contains(&col) || !on_board.contains(&row) {
            return Err(self.unexpected(text));
        }
        let (col, row) = (col as usize, row as usize);
        case.played += 1;
        let number = case.played;
        if let Err(reason) = case.place(row - 1, col - 1, color) {
            if !self.lenient {
                let color = if color == Color::Black { "black" } else { "white" };
                let (line, case) = (self.line, self.done + 1);
                return Err(SimulationError::Move { line, case, number, col, row, color, reason });
            }
            self.ignored += 1;
        }
        Ok(self.count_if_complete())
    }

    fn count_if_complete(&mut self) -> Option<Count> {
        let case = self.current.take_if(|case| case.played == case.moves)?;
        self.done += 1;
        Some(Count { case: self.done, black: case.black.count_ones(), white: case.white.count_ones() })
    }

    /// The line as exactly `K` whole numbers.
    fn numbers<const K: usize>(&self, text: &[u8]) -> Result<[u64; K], SimulationError> {
        let parse = || {
            let mut numbers = [0; K];
            let mut words = std::str::from_utf8(text).ok()?.split_ascii_whitespace();
            for number in &mut numbers {
                let word = words.next().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
                *number = word.parse().ok()?;
            }
            words.next().is_none().then_some(numbers)
        };
        parse().ok_or_else(|| self.unexpected(text))
    }

    /// What the next line should be.
    fn expected(&self) -> String {
        match (self.cases, &self.current) {
            (None, _) => "the number of cases".to_string(),
            (Some(cases), None) if self.done == cases => format!("the end of the input after {cases} cases"),
            (Some(cases), None) => {
                format!("case {} of {cases}: `N M` with N 4, 6 or 8 and the number of moves", self.done + 1)
            }
            (Some(_), Some(case)) => format!(
                "move {} of {} of case {}: `column row colour` with column and row 1 to {}, colour 1 or 2",
                case.played + 1,
                case.moves,
                self.done + 1,
                case.size
            ),
        }
    }

    fn unexpected(&self, text: &[u8]) -> SimulationError {
        const SHOWN: usize = 40;
        let text = String::from_utf8_lossy(text);
        let mut found: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        if text.chars().nth(SHOWN).is_some() {
            found.push('…');
        }
        SimulationError::Line { line: self.line, expected: self.expected(), found }
    }
}

/// The counts of all cases of `text` in order; an error ends them.
pub fn simulate(text: &str, lenient: bool) -> impl Iterator<Item = Result<Count, SimulationError>> + '_ {
    let mut simulation = Simulation::new(lenient);
    let mut lines = text.lines();
    let mut ended = false;
    std::iter::from_fn(move || {
        while !ended {
            let step = match lines.next() {
                Some(line) => simulation.line(line.as_bytes()),
                None => {
                    ended = true;
                    simulation.finish().map(|()| None)
                }
            };
            ended |= step.is_err();
            if let Some(answer) = step.transpose() {
                return Some(answer);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, RngExt, stream};

    fn counts(text: &str) -> Vec<(u32, u32)> {
        simulate(text, false).map(|count| count.unwrap()).map(|count| (count.black, count.white)).collect()
    }

    fn failure(text: &str) -> (usize, String) {
        let answers: Vec<_> = simulate(text, false).collect();
        let error = answers.last().unwrap().as_ref().unwrap_err().to_string();
        (answers.len() - 1, error)
    }

    #[test]
    fn small_cases_by_hand() {
        // No move: two discs each, on every size.
        assert_eq!(counts("3\n4 0\n6 0\n8 0\n"), [(2, 2), (2, 2), (2, 2)]);
        // 4×4: white stands on (2,2) and (3,3). Black at column 1, row 2 turns (row 2, column 2): B 4, W 1.
        assert_eq!(counts("1\n4 1\n1 2 1\n"), [(4, 1)]);
        // Row 2 is then B B B .; White at column 1, row 1 turns (2,2) on the diagonal to its disc at (3,3): B 3, W 3.
        assert_eq!(counts("1\n4 2\n1 2 1\n1 1 2\n"), [(3, 3)]);
    }

    #[test]
    fn a_colour_may_move_twice() {
        // Black turns (2,2) from column 1, then (3,3) from column 4: White is wiped out though it could have moved.
        assert_eq!(counts("1\n4 2\n1 2 1\n4 3 1\n"), [(6, 0)]);
        // And White may begin: column 1, row 3 turns (3,2).
        assert_eq!(counts("1\n4 1\n1 3 2\n"), [(1, 4)]);
    }

    #[test]
    fn blanks_line_ends_and_a_byte_order_mark_do_not_matter() {
        let text = "\u{feff}2 \r\n\r\n 4  1\t\r\n\n1 2 1  \r\n   \n6 0\r\n\n\n";
        assert_eq!(counts(text), [(4, 1), (2, 2)]);
        assert_eq!(counts("0\n"), []);
        assert_eq!(counts("1\n4 0"), [(2, 2)]);
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        for (text, answered, line, expected) in [
            ("", 0, 1, "the number of cases"),
            ("x\n", 0, 1, "the number of cases"),
            ("-1\n", 0, 1, "the number of cases"),
            ("1 1\n", 0, 1, "the number of cases"),
            ("1\n", 0, 2, "case 1 of 1"),
            ("1\n5 0\n", 0, 2, "4, 6 or 8"),
            ("1\n8\n", 0, 2, "the number of moves"),
            ("1\n8 0 0\n", 0, 2, "the number of moves"),
            ("2\n4 0\n\n4 1\n", 1, 5, "move 1 of 1 of case 2"),
            ("1\n4 1\n1 2\n", 0, 3, "column row colour"),
            ("1\n4 1\n1 2 1 1\n", 0, 3, "column row colour"),
            ("1\n4 1\n1 2 3\n", 0, 3, "colour 1 or 2"),
            ("1\n4 1\n1 2 0\n", 0, 3, "colour 1 or 2"),
            ("1\n4 1\n5 2 1\n", 0, 3, "1 to 4"),
            ("1\n4 1\n1 0 1\n", 0, 3, "1 to 4"),
            ("1\n4 1\n1 99999999999999999999999 1\n", 0, 3, "1 to 4"),
            ("1\n4 1\n1 2.0 1\n", 0, 3, "column row colour"),
            ("1\n4 0\nx\n", 1, 3, "end of the input after 1 cases"),
            ("1\n4 1\n2 2 1\n", 0, 3, "move 1 of case 1 (column 2, row 2, black): the square is occupied"),
            ("1\n4 1\n1 1 2\n", 0, 3, "move 1 of case 1 (column 1, row 1, white): it turns no disc"),
            // The start is its own mirror image along the diagonal, so only a message can tell column from row.
            ("1\n8 2\n3 4 1\n5 2 2\n", 0, 4, "move 2 of case 1 (column 5, row 2, white): it turns no disc"),
        ] {
            let (before, error) = failure(text);
            assert_eq!(before, answered, "{text:?}: {error}");
            assert!(error.starts_with(&format!("line {line}: ")), "{text:?}: {error}");
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_lenient_simulation_leaves_bad_moves_out() {
        let text = "1\n4 4\n1 2 1\n1 2 2\n4 1 1\n1 1 2\n";
        assert!(failure(text).1.starts_with("line 4: "));
        let count = simulate(text, true).next().unwrap().unwrap();
        assert_eq!((count.black, count.white), (3, 3));
        // What is not a move at all stays an error.
        assert!(simulate("1\n4 1\n9 9 1\n", true).next().unwrap().is_err());
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut simulation = Simulation::new(false);
        let error = simulation.line(&vec![b'1'; LINE_LIMIT + 1]).unwrap_err();
        assert!(matches!(error, SimulationError::LongLine { line: 1, .. }), "{error}");
    }

    /// The published solution's way, square by square on a plain array: 0 empty, 1 black, 2 white. A move runs along
    /// each of the eight directions until the edge, an empty square or its own colour, and recolours what it crossed
    /// if it ended on its own colour.
    fn recoloured(board: &[Vec<u8>], row: usize, col: usize, stone: u8) -> Vec<(usize, usize)> {
        let n = board.len() as i32;
        let mut all = Vec::new();
        for (dr, dc) in [(1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)] {
            let (mut r, mut c, mut crossed) = (row as i32 + dr, col as i32 + dc, Vec::new());
            while (0..n).contains(&r) && (0..n).contains(&c) {
                match board[r as usize][c as usize] {
                    0 => break,
                    own if own == stone => {
                        all.append(&mut crossed);
                        break;
                    }
                    _ => crossed.push((r as usize, c as usize)),
                }
                (r, c) = (r + dr, c + dc);
            }
        }
        all
    }

    #[test]
    fn random_games_agree_with_the_slow_board() {
        let mut rng = stream(1, Domain::Test, 20);
        let (mut text, mut expected, games) = (String::new(), Vec::new(), 600);
        for game in 0..games {
            let n = [4, 6, 8][game % 3];
            let mut board = vec![vec![0u8; n]; n];
            let half = n / 2;
            (board[half][half], board[half - 1][half - 1]) = (2, 2);
            (board[half][half - 1], board[half - 1][half]) = (1, 1);
            let mut moves = Vec::new();
            let mut stone = 1;
            // A tenth of the moves are by the colour that just moved.
            loop {
                if rng.random_range(0..10) == 0 {
                    stone = 3 - stone;
                }
                let legal = |stone| -> Vec<(usize, usize)> {
                    (0..n * n)
                        .map(|cell| (cell / n, cell % n))
                        .filter(|&(r, c)| board[r][c] == 0 && !recoloured(&board, r, c, stone).is_empty())
                        .collect()
                };
                let mut choices = legal(stone);
                if choices.is_empty() {
                    stone = 3 - stone;
                    choices = legal(stone);
                }
                if choices.is_empty() {
                    break;
                }
                let (row, col) = choices[rng.random_range(0..choices.len())];
                for (r, c) in recoloured(&board, row, col, stone) {
                    board[r][c] = stone;
                }
                board[row][col] = stone;
                moves.push(format!("{} {} {stone}", col + 1, row + 1));
                stone = 3 - stone;
                if rng.random_range(0..200) == 0 {
                    break;
                }
            }
            let discs = |stone| board.iter().flatten().filter(|&&cell| cell == stone).count() as u32;
            expected.push((discs(1), discs(2)));
            text += &format!("{n} {}\n{}\n", moves.len(), moves.join("\n"));
        }
        assert_eq!(counts(&format!("{games}\n{text}")), expected);
    }
}
