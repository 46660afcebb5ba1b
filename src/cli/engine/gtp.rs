//! Go Text Protocol, version 2, as Othello programs speak it: `play b d3`, `genmove w`, answers `= d3`.
//!
//! A forced pass may be told (`play b pass`) or left out: a move of the side that is not on move is understood as
//! coming after it. Errors are answers that begin with `?`.

use std::io::{self, BufRead, Write};

use super::Setting;
use super::lines::next_line;
use crate::cli::thinker::{Allowance, Think};
use crate::game::othello::{Othello, notation};
use crate::game::{Color, Move, Position};

const COMMANDS: [&str; 18] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "set_game",
];

/// Serves until `quit` or the end of the input.
pub fn serve<const N: usize>(
    setting: &Setting,
    thinker: &mut dyn Think<Othello<N>>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let start = Othello::start();
    let mut session = Session { setting, thinker, game: vec![start], time: None, clocks: [Clock::default(); 2] };
    while let Some(line) = next_line(input)? {
        let line = cleaned(&line);
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.parse::<u32>().is_ok()).unwrap_or("");
        let Some(command) = words.next() else {
            // Only a number: a command without a name. Nothing at all: no command.
            if !id.is_empty() {
                write!(output, "?{id} unknown command\n\n")?;
                output.flush()?;
            }
            continue;
        };
        let words: Vec<&str> = words.collect();
        match session.command(command, &words) {
            Ok(answer) if answer.is_empty() => write!(output, "={id}\n\n")?,
            Ok(answer) => write!(output, "={id} {answer}\n\n")?,
            Err(error) => write!(output, "?{id} {error}\n\n")?,
        }
        output.flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

/// The line without comment and control characters, as the protocol asks.
fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
}

/// Times of a game in milliseconds: absolute without `stones`, else Canadian byo-yomi after the main time.
#[derive(Clone, Copy)]
struct TimeSettings {
    main: f64,
    byo: f64,
    stones: u32,
}

/// What one side has left.
#[derive(Clone, Copy, Default)]
struct Clock {
    /// Milliseconds, for `moves` moves where that is not 0.
    left: f64,
    moves: u32,
}

struct Session<'a, const N: usize> {
    setting: &'a Setting,
    thinker: &'a mut dyn Think<Othello<N>>,
    /// The positions of the game, the start first.
    game: Vec<Othello<N>>,
    /// Set when the game is played on time.
    time: Option<TimeSettings>,
    clocks: [Clock; 2],
}

impl<const N: usize> Session<'_, N> {
    fn command(&mut self, command: &str, words: &[&str]) -> Result<String, String> {
        match command {
            "protocol_version" => Ok("2".to_string()),
            "name" => Ok("Stonesmith".to_string()),
            "version" => Ok(format!("{} ({})", env!("CARGO_PKG_VERSION"), self.setting.name)),
            "known_command" => Ok(words.first().is_some_and(|word| COMMANDS.contains(word)).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => Ok(String::new()),
            "boardsize" => match words.first().and_then(|word| word.parse::<usize>().ok()) {
                None => Err("boardsize not an integer".to_string()),
                Some(size) if size != N => Err("unacceptable size".to_string()),
                Some(_) => Ok(self.clear()),
            },
            "clear_board" => Ok(self.clear()),
            "komi" => match words.first().and_then(|word| word.parse::<f64>().ok()) {
                Some(_) => Ok(String::new()),
                None => Err("komi not a float".to_string()),
            },
            "set_game" if words == ["Othello"] => Ok(String::new()),
            "set_game" => Err("unsupported game".to_string()),
            "play" => {
                let [color, text] = words else { return Err("expected a colour and a move".to_string()) };
                let color = color_of(color)?;
                let mv = notation::parse_move::<N>(text).ok_or("invalid color or coordinate")?;
                let next = self.after(color, mv)?;
                self.game.extend(next);
                Ok(String::new())
            }
            "genmove" | "reg_genmove" => {
                let color = color_of(words.first().ok_or("expected a colour")?)?;
                self.move_of(color, command == "genmove")
            }
            "undo" if self.game.len() == 1 => Err("cannot undo".to_string()),
            "undo" => {
                self.game.pop();
                Ok(String::new())
            }
            "showboard" => Ok(self.board()),
            "time_settings" => self.time_settings(words),
            "time_left" => self.time_left(words),
            "final_score" => {
                let position = self.position();
                let outcome = position.outcome().ok_or("the game is not over")?.0;
                Ok(match outcome {
                    0 => "0".to_string(),
                    n if n > 0 => format!("B+{n}"),
                    n => format!("W+{}", -n),
                })
            }
            _ => Err("unknown command".to_string()),
        }
    }

    fn position(&self) -> Othello<N> {
        *self.game.last().expect("the start is never taken away")
    }

    fn clear(&mut self) -> String {
        self.game.truncate(1);
        self.thinker.begin();
        if let Some(time) = self.time {
            self.clocks = [Clock { left: time.main, moves: 0 }; 2];
        }
        String::new()
    }

    /// The positions that `mv` of `color` leads through: one, or two after a pass nobody told.
    fn after(&self, color: Color, mv: Move) -> Result<Vec<Othello<N>>, String> {
        let illegal = |_| "illegal move".to_string();
        let mut position = self.position();
        let mut passed = Vec::new();
        if position.side_to_move() != color {
            position.play(Move::PASS).map_err(|_| "illegal move: it is the other side's turn".to_string())?;
            passed.push(position);
        }
        position.play(mv).map_err(illegal)?;
        passed.push(position);
        Ok(passed)
    }

    fn move_of(&mut self, color: Color, plays: bool) -> Result<String, String> {
        let mut position = self.position();
        if position.outcome().is_some() {
            return Ok("pass".to_string());
        }
        let before = self.game.len();
        if position.side_to_move() != color {
            position.play(Move::PASS).map_err(|_| "it is the other side's turn".to_string())?;
            self.game.push(position);
        }
        let allowance = self.allowance(color);
        let thought = self.thinker.think(&position, allowance);
        self.charge(color, thought.seconds * 1e3);
        position.play(thought.mv).map_err(|error| error.to_string())?;
        self.game.push(position);
        if !plays {
            self.game.truncate(before);
        }
        Ok(notation::move_text::<N>(thought.mv))
    }

    fn allowance(&self, color: Color) -> Allowance {
        let Some(time) = self.time else { return Allowance::Fixed };
        let clock = self.clocks[index(color)];
        match clock.moves {
            0 if clock.left > 0.0 || time.stones == 0 => Allowance::Game(clock.left),
            // Main time is used up, and the period's first move is due.
            0 => Allowance::Move(time.byo / f64::from(time.stones)),
            moves => Allowance::Move(clock.left / f64::from(moves)),
        }
    }

    fn charge(&mut self, color: Color, ms: f64) {
        let clock = &mut self.clocks[index(color)];
        clock.left = (clock.left - ms).max(0.0);
        clock.moves = clock.moves.saturating_sub(1);
    }

    /// `time_settings main byo stones`, in seconds: absolute time without byo-yomi, no limit with byo-yomi of no
    /// stones, Canadian byo-yomi otherwise.
    fn time_settings(&mut self, words: &[&str]) -> Result<String, String> {
        let numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let [main, byo, stones] = numbers[..] else { return Err("expected three whole numbers".to_string()) };
        let (main, byo, stones) = (f64::from(main) * 1e3, f64::from(byo) * 1e3, if byo == 0 { 0 } else { stones });
        self.time = (byo == 0.0 || stones > 0).then_some(TimeSettings { main, byo, stones });
        self.clocks = [Clock { left: main, moves: 0 }; 2];
        Ok(String::new())
    }

    /// `time_left color seconds stones`; fractions of a second are taken too.
    fn time_left(&mut self, words: &[&str]) -> Result<String, String> {
        let [color, time, stones] = words else { return Err("expected a colour, seconds and stones".to_string()) };
        let color = color_of(color)?;
        let time = time.parse::<f64>().ok().filter(|time| time.is_finite());
        let (Some(time), Ok(stones)) = (time, stones.parse()) else {
            return Err("expected a colour, seconds and stones".to_string());
        };
        let left = (time * 1e3).max(0.0);
        self.time.get_or_insert(TimeSettings { main: left, byo: 0.0, stones: 0 });
        self.clocks[index(color)] = Clock { left, moves: stones };
        Ok(String::new())
    }

    /// The board as it is shown in a terminal, with the side to move.
    fn board(&self) -> String {
        let position = self.position();
        let text = position.board_text();
        let columns: String = ('a'..).take(N).flat_map(|c| [' ', c]).collect();
        let rows = text.as_bytes().chunks(N).enumerate().map(|(row, cells)| {
            let cells: String = cells.iter().flat_map(|&cell| [' ', cell as char]).collect();
            format!("{}{cells}", row + 1)
        });
        let side = match position.side_to_move() {
            Color::Black => "black",
            Color::White => "white",
        };
        format!("\n {columns}\n{}\n{side} to move", rows.collect::<Vec<_>>().join("\n"))
    }
}

fn index(color: Color) -> usize {
    usize::from(color == Color::White)
}

fn color_of(word: &str) -> Result<Color, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err("invalid color or coordinate".to_string()),
    }
}
