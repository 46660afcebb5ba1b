//! Game logs as contestants know them, written and read.
//!
//! A line a move: `FIRST 3 4 12` is row, column and milliseconds, `FIRST PASS 12` a pass. `# Debug FIRST: …` is a line
//! of a program's standard error, `ABORT FIRST TLE` its fault, and `RESULT FIRST 40 24` (winner or `DRAW`, discs of
//! first and second) ends a game. FIRST and SECOND are the programs, whatever their colours. What else a game consists
//! of stands in comments that other readers skip: `# BLACK SECOND`, `# OPENING f5d6`, programs and clocks. Several
//! games follow each other in one log.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Entrant;
use super::protocol::Protocol;
use super::referee::Game;
use super::verdict::Side;
use crate::game::Move;
use crate::play::{opening_text, parse_opening, position_after};

/// One game as text, with its `RESULT` line.
pub fn game_text<R: Protocol>(protocol: &R, entrants: &[Entrant; 2], game: &Game) -> String {
    let mut lines = vec![format!("# {} game {}", protocol.name(), game.start.number)];
    for side in Side::BOTH {
        lines.push(format!("# PROGRAM {} {}", side.label(), entrants[side.index()].text().replace('\n', " ")));
    }
    lines.push(format!("# BLACK {}", game.start.black.label()));
    if !game.start.opening.is_empty() {
        lines.push(format!("# OPENING {}", opening_text::<R::Position>(&game.start.opening)));
    }
    for side in [game.start.black, game.start.black.other()] {
        if let Some(took) = game.ready[side.index()] {
            lines.push(format!("# READY {} {}", side.label(), took.as_millis()));
        }
    }
    let mut debug = game.debug.iter().peekable();
    for (number, played) in game.played.iter().enumerate() {
        while let Some(line) = debug.next_if(|line| line.after <= number) {
            lines.push(format!("# Debug {}: {}", line.side.label(), line.text));
        }
        let action = match protocol.row_col(played.mv) {
            Some((row, col)) => format!("{row} {col}"),
            None => "PASS".to_string(),
        };
        lines.push(format!("{} {action} {}", played.side.label(), played.took.as_millis()));
    }
    lines.extend(debug.map(|line| format!("# Debug {}: {}", line.side.label(), line.text)));
    if let Some(faulty) = game.verdict.faulty {
        lines.push(format!("# DETAIL {}", game.verdict.detail));
        lines.push(format!("ABORT {} {}", faulty.label(), game.verdict.reason.name()));
    }
    for side in Side::BOTH {
        let usage = game.usage[side.index()];
        lines.push(format!(
            "# CLOCKS {} answers {:.1} ms, CPU {:.1} ms, peak {:.1} MiB",
            side.label(),
            usage.wall.as_secs_f64() * 1e3,
            usage.cpu.as_secs_f64() * 1e3,
            usage.peak as f64 / f64::from(1 << 20)
        ));
    }
    let winner = game.verdict.result.name().to_ascii_uppercase();
    lines.push(format!("RESULT {winner} {} {}", game.stones[0], game.stones[1]));
    lines.join("\n") + "\n"
}

/// A log being written: games go to a temporary file beside it, which takes its name when the match is over.
#[derive(Debug)]
pub struct Writer {
    out: BufWriter<File>,
    /// The temporary file and its final name; `None` for a pipe or a device, which is written directly.
    names: Option<(PathBuf, PathBuf)>,
}

impl Writer {
    /// Opens the log.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Writer> {
        let special = fs::metadata(path).is_ok_and(|data| !data.is_file());
        if special {
            return Ok(Writer { out: BufWriter::new(File::options().write(true).open(path)?), names: None });
        }
        let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_os_string();
        name.push(".tmp");
        let temporary = path.with_file_name(name);
        Ok(Writer { out: BufWriter::new(File::create(&temporary)?), names: Some((temporary, path.to_path_buf())) })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Makes the log durable and gives it its name.
    ///
    /// # Errors
    /// When that fails; the temporary file stays.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some((temporary, path)) = self.names {
            self.out.get_ref().sync_all()?;
            fs::rename(temporary, path)?;
        }
        Ok(())
    }
}

/// One action of a logged game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedMove {
    /// Who.
    pub side: Side,
    /// What.
    pub mv: Move,
    /// Milliseconds.
    pub millis: u64,
}

/// A game read from a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedGame {
    /// The side that played Black.
    pub black: Side,
    /// The moves before the programs were asked.
    pub opening: Vec<Move>,
    /// What was played.
    pub moves: Vec<LoggedMove>,
    /// Whose fault ended the game, and its reason.
    pub abort: Option<(Side, String)>,
}

/// A log that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct LogError {
    /// From 1.
    pub line: usize,
    /// What was expected and what was found.
    pub problem: String,
}

/// Reads the games of a log, and checks that their moves are legal and their sides alternate.
///
/// # Errors
/// The first line that is not understood.
pub fn parse<R: Protocol>(protocol: &R, text: &str) -> Result<Vec<LoggedGame>, LogError> {
    let mut games = Vec::new();
    let mut draft = Draft::<R>::default();
    for (index, line) in text.lines().enumerate() {
        let error = |problem: String| LogError { line: index + 1, problem };
        if draft.line(protocol, line.trim()).map_err(error)? {
            games.extend(std::mem::take(&mut draft).finish());
        }
    }
    // A match that was cut off leaves a game without a result.
    games.extend(draft.finish());
    Ok(games)
}

struct Draft<R: Protocol> {
    black: Option<Side>,
    opening: Vec<Move>,
    moves: Vec<LoggedMove>,
    abort: Option<(Side, String)>,
    position: Option<R::Position>,
}

impl<R: Protocol> Default for Draft<R> {
    fn default() -> Self {
        Draft { black: None, opening: Vec::new(), moves: Vec::new(), abort: None, position: None }
    }
}

impl<R: Protocol> Draft<R> {
    /// Takes a line; true when it ends the game.
    fn line(&mut self, protocol: &R, line: &str) -> Result<bool, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["#", "BLACK", name] if self.moves.is_empty() => self.black = Some(side(name)?),
            ["#", "OPENING", ref moves @ ..] if self.moves.is_empty() => {
                self.opening = parse_opening::<R::Position>(&moves.join(" "))?;
            }
            [word, ..] if word.starts_with('#') => {}
            ["RESULT", ..] => return Ok(true),
            ["ABORT", name, ref reason @ ..] => self.abort = Some((side(name)?, reason.join(" "))),
            [name, "PASS", millis] => self.add(protocol, name, Move::PASS, millis)?,
            [name, row, col, millis] => {
                let number = |word: &str| word.parse::<i64>().ok();
                let mv = match (number(row), number(col)) {
                    (Some(-1), Some(-1)) => Move::PASS,
                    (Some(row), Some(col)) => {
                        protocol.move_at(row, col).ok_or_else(|| format!("{row} {col} is not on the board"))?
                    }
                    _ => return Err(format!("expected row and column, found `{row} {col}`")),
                };
                self.add(protocol, name, mv, millis)?;
            }
            _ => return Err(format!("expected `FIRST row column ms`, `ABORT …`, `RESULT …` or `# …`, found `{line}`")),
        }
        Ok(false)
    }

    fn add(&mut self, protocol: &R, name: &str, mv: Move, millis: &str) -> Result<(), String> {
        use crate::game::{Color, Position};
        let side = side(name)?;
        let millis = millis.parse().map_err(|_| format!("expected milliseconds, found `{millis}`"))?;
        let position = self.position.get_or_insert_with(|| position_after(&self.opening));
        let color = position.side_to_move();
        let black = *self.black.get_or_insert(if color == Color::Black { side } else { side.other() });
        if (side == black) != (color == Color::Black) {
            return Err(format!("{} moves, but it is the turn of {}", side.label(), side.other().label()));
        }
        position.play(mv).map_err(|illegal| match protocol.row_col(mv) {
            Some((row, col)) => format!("{row} {col} is illegal: {}", illegal.reason),
            None => format!("PASS is illegal: {}", illegal.reason),
        })?;
        self.moves.push(LoggedMove { side, mv, millis });
        Ok(())
    }

    fn finish(self) -> Option<LoggedGame> {
        if self.moves.is_empty() && self.abort.is_none() {
            return None;
        }
        Some(LoggedGame {
            black: self.black.unwrap_or(Side::First),
            opening: self.opening,
            moves: self.moves,
            abort: self.abort,
        })
    }
}

fn side(name: &str) -> Result<Side, String> {
    Side::BOTH
        .into_iter()
        .find(|side| side.label() == name)
        .ok_or_else(|| format!("expected FIRST or SECOND, found `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::referee::{DebugLine, Match, Start};
    use crate::judge::{Fault, Limits, Reason, Reversi, Verdict};

    fn greedy_game() -> (Match<Reversi>, Game) {
        let entrants = [Entrant::Greedy, Entrant::Random];
        let referee = Match { protocol: Reversi::default(), entrants, limits: Limits::default(), seed: 3 };
        let opening = parse_opening::<crate::game::othello::Othello<8>>("f5d6c3").unwrap();
        let game = referee.play(&Start { number: 4, black: Side::Second, opening }).unwrap();
        (referee, game)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (referee, mut game) = greedy_game();
        game.debug.push(DebugLine { after: 2, side: Side::First, text: "ABORT FIRST TLE".to_string() });
        let text = game_text(&referee.protocol, &referee.entrants, &game);
        assert!(text.lines().last().unwrap().starts_with("RESULT "));
        let read = parse(&referee.protocol, &(text.clone() + &text)).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0], read[1]);
        assert_eq!((read[0].black, read[0].abort.clone()), (Side::Second, None));
        assert_eq!(read[0].opening, game.start.opening);
        let played: Vec<_> = game.played.iter().map(|played| (played.side, played.mv)).collect();
        assert_eq!(read[0].moves.iter().map(|logged| (logged.side, logged.mv)).collect::<Vec<_>>(), played);
    }

    #[test]
    fn a_fault_stands_before_the_result() {
        let (referee, mut game) = greedy_game();
        game.played.truncate(3);
        game.verdict = Verdict::fault(Side::First, Fault::new(Reason::IllegalPass, "because"));
        let text = game_text(&referee.protocol, &referee.entrants, &game);
        assert!(text.contains("\nABORT FIRST ILLEGAL_PASS\n"), "{text}");
        let read = parse(&referee.protocol, &text).unwrap();
        assert_eq!(read[0].abort, Some((Side::First, "ILLEGAL_PASS".to_string())));
        assert_eq!(read[0].moves.len(), 3);
    }

    #[test]
    fn foreign_logs_need_only_their_moves() {
        let text = "FIRST 3 4 12\nSECOND 3 3 7\n# Debug FIRST: hi\nFIRST 3 2 0\nRESULT SECOND\n";
        let games = parse(&Reversi::default(), text).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!((games[0].black, games[0].moves.len(), games[0].moves[0].millis), (Side::First, 3, 12));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| parse(&Reversi::default(), text).unwrap_err().to_string();
        assert!(error("FIRST 3 4 1\nSECOND 1 1 1\n").starts_with("line 2: 1 1 is illegal"));
        assert!(error("FIRST 3 4 1\nFIRST 3 3 1\n").contains("turn of SECOND"));
        assert!(error("\nFIRST 9 4 1\n").contains("line 2: 9 4 is not on the board"));
        assert!(error("THIRD 3 4 1\n").contains("expected FIRST or SECOND"));
        assert!(error("FIRST 3 4 x\n").contains("milliseconds"));
        assert!(error("hello\n").contains("`hello`"));
        assert!(error("FIRST PASS 1\n").contains("PASS is illegal"));
    }
}
