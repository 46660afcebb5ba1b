//! The Gomocup protocol (Piskvork): `START 15`, `BEGIN`, `TURN x,y`, `BOARD … DONE`, `INFO key value`; answers `x,y`
//! from 0.
//!
//! x is taken for the column and y for the row; any other choice is a reflection of it. Managers know no pass, and
//! their openings need not keep the judge's rule for the first three moves: stones are placed as they are told, and
//! only our own moves keep it.

use std::io::{self, BufRead, Write};

use super::Setting;
use super::lines::next_line;
use crate::cli::thinker::{Allowance, Think};
use crate::game::renju::{Board, Point, Renju};
use crate::game::{Color, Position};

/// The board's side.
const SIZE: i64 = 15;
/// The time of a move where the manager says nothing.
const TURN_MS: f64 = 30_000.0;

/// Serves until `END` or the end of the input.
pub fn serve(
    setting: &Setting,
    thinker: &mut dyn Think<Renju>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut session = Session::new(setting, thinker);
    while let Some(line) = next_line(input)? {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let answer = match command.to_ascii_uppercase().as_str() {
            "" => continue,
            "END" => break,
            "INFO" => {
                session.info(rest);
                continue;
            }
            "BOARD" => {
                let mut stones = Vec::new();
                loop {
                    let Some(line) = next_line(input)? else { return Ok(()) };
                    match line.trim() {
                        "" => {}
                        word if word.eq_ignore_ascii_case("DONE") => break,
                        stone => stones.push(stone.to_string()),
                    }
                }
                session.board(&stones)
            }
            word => session.command(word, rest),
        };
        match answer {
            Ok(text) => writeln!(output, "{text}")?,
            Err(Refusal::Error(text)) => writeln!(output, "ERROR {text}")?,
            Err(Refusal::Unknown) => writeln!(output, "UNKNOWN {}", line.chars().take(60).collect::<String>())?,
        }
        output.flush()?;
    }
    Ok(())
}

/// An answer that is none.
enum Refusal {
    Error(String),
    Unknown,
}

fn error<T>(text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Error(text.into()))
}

struct Session<'a> {
    setting: &'a Setting,
    thinker: &'a mut dyn Think<Renju>,
    started: bool,
    board: Board,
    to_move: Color,
    /// Milliseconds: of a move (0: as fast as possible), of the match (0: without limit), left of it.
    turn_ms: f64,
    match_ms: f64,
    left_ms: Option<f64>,
}

impl<'a> Session<'a> {
    fn new(setting: &'a Setting, thinker: &'a mut dyn Think<Renju>) -> Self {
        let board = Board::empty();
        let (turn_ms, match_ms, left_ms) = (TURN_MS, 0.0, None);
        Session { setting, thinker, started: false, board, to_move: Color::Black, turn_ms, match_ms, left_ms }
    }

    fn command(&mut self, command: &str, rest: &str) -> Result<String, Refusal> {
        match command {
            "ABOUT" => Ok(format!(
                "name=\"Stonesmith\", version=\"{}\", author=\"Stonesmith\", country=\"-\", www=\"-\", about=\"{}\"",
                env!("CARGO_PKG_VERSION"),
                self.setting.name
            )),
            "START" => match rest.trim().parse::<i64>() {
                Ok(SIZE) => Ok(self.clear()),
                Ok(size) => error(format!("size {size} is not supported: the board is 15")),
                Err(_) => error("START needs a size"),
            },
            "RECTSTART" => error("only START 15 is supported"),
            "RESTART" if self.started => Ok(self.clear()),
            "BEGIN" | "TURN" | "TAKEBACK" | "RESTART" if !self.started => error("no board: START comes first"),
            "BEGIN" if self.board.stones() > 0 => error("BEGIN on a board with stones"),
            "BEGIN" => self.think(),
            "TURN" => {
                let point = self.free_point(rest)?;
                self.place(point);
                self.think()
            }
            "TAKEBACK" => {
                let Some(point) = point(rest) else { return error(format!("`{rest}` is no point of the board")) };
                let Some(color) = self.board.color_at(point) else { return error("no stone there to take back") };
                self.board.remove(point, color);
                self.to_move = color;
                Ok("OK".to_string())
            }
            _ => Err(Refusal::Unknown),
        }
    }

    fn clear(&mut self) -> String {
        self.started = true;
        (self.board, self.to_move, self.left_ms) = (Board::empty(), Color::Black, None);
        self.thinker.begin();
        "OK".to_string()
    }

    fn free_point(&self, text: &str) -> Result<Point, Refusal> {
        match point(text) {
            None => error(format!("`{}` is no point of the board", text.chars().take(40).collect::<String>())),
            Some(point) if !self.board.is_empty(point) => error(format!("{} is occupied", text.trim())),
            Some(point) => Ok(point),
        }
    }

    fn place(&mut self, point: Point) {
        self.board.place(point, self.to_move);
        self.to_move = self.to_move.opponent();
    }

    /// The stones in the order they were played, ours as 1, theirs as 2; then our move.
    fn board(&mut self, lines: &[String]) -> Result<String, Refusal> {
        if !self.started {
            return error("no board: START comes first");
        }
        let mut stones = [Vec::new(), Vec::new()];
        let mut occupied = Board::empty();
        for line in lines {
            let mut parts = line.rsplitn(2, ',');
            let (owner, place) = (parts.next().unwrap_or_default().trim(), parts.next().unwrap_or_default());
            let Some(point) = point(place) else { return error(format!("`{line}` is no stone of the board")) };
            if !occupied.is_empty(point) {
                return error(format!("`{line}`: a stone is there already"));
            }
            occupied.place(point, Color::Black);
            match owner {
                "1" => stones[0].push(point),
                "2" => stones[1].push(point),
                _ => return error(format!("`{line}`: expected 1 (own) or 2 (opponent) at its end")),
            }
        }
        let own_color = match stones[1].len().checked_sub(stones[0].len()) {
            Some(0) => Color::Black,
            Some(1) => Color::White,
            _ => return error(format!("{} own and {} other stones: not our turn", stones[0].len(), stones[1].len())),
        };
        self.board = Board::empty();
        for (points, color) in stones.iter().zip([own_color, own_color.opponent()]) {
            points.iter().for_each(|&point| self.board.place(point, color));
        }
        self.to_move = own_color;
        self.think()
    }

    fn think(&mut self) -> Result<String, Refusal> {
        let position = Renju::new(self.board.clone(), self.to_move);
        if position.outcome().is_some() {
            return error("the game is over");
        }
        let in_match = self.left_ms.or((self.match_ms > 0.0).then_some(self.match_ms));
        let allowance = match in_match {
            // A share of the match must not pass what one move may take.
            Some(left) if left / 12.0 < self.turn_ms => Allowance::Game(left),
            _ => Allowance::Move(self.turn_ms.max(1.0)),
        };
        let thought = self.thinker.think(&position, allowance);
        if let Some(left) = &mut self.left_ms {
            *left = (*left - thought.seconds * 1e3).max(0.0);
        }
        let point = match Point::of_move(thought.mv) {
            Some(point) => point,
            // A pass cannot be told: the first point that is allowed, or any empty one.
            None => match position.legal_moves().into_iter().find_map(Point::of_move) {
                Some(point) => point,
                None => match self.board.empty_points().next() {
                    Some(point) => point,
                    None => return error("the board is full"),
                },
            },
        };
        self.place(point);
        let (row, col) = point.one_based();
        Ok(format!("{},{}", col - 1, row - 1))
    }

    fn info(&mut self, rest: &str) {
        let (key, value) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Some(number) = value.trim().parse::<f64>().ok().filter(|number| number.is_finite()) else { return };
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn_ms = number.max(0.0),
            "timeout_match" => self.match_ms = number.max(0.0),
            // Without a limit for the match managers tell a number that means nothing: the largest there is.
            "time_left" => self.left_ms = (number < 2e9).then_some(number.max(0.0)),
            _ => {}
        }
    }
}

/// `x,y` from 0.
fn point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    let (x, y) = (x.trim().parse::<i64>().ok()?, y.trim().parse::<i64>().ok()?);
    // Checked before 1 is added: the largest integer is no point either.
    let on_board = (0..SIZE).contains(&x) && (0..SIZE).contains(&y);
    if on_board { Point::from_one_based(y + 1, x + 1) } else { None }
}
