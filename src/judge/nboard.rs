//! NBoard: an Othello program that is told the whole game as GGF and asked by `go`.
//!
//! The program is started once and plays all games. Before each move it gets `set game` with the position and the
//! moves since, and `ping`, whose `pong` shows that it is ready; that time is not charged. Its answer is
//! `=== d3/eval/time`; everything else it prints is talk. Its clock counts whole seconds, so that it is told of fewer
//! than it has ([`super::conversation::Terms::told`]).

use std::fmt::Write as _;
use std::time::Duration;

use super::conversation::{Conversation, Speech, unexpected};
use super::verdict::Fault;
use crate::game::{Color, Move, Position};

/// A game as NBoard tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ggf<P> {
    /// After the moves told.
    pub position: P,
    /// Minutes of each side for the game, where a time is told.
    pub minutes: Option<f64>,
    /// Seconds that Black and White have used by the moves' own account.
    pub used: [f64; 2],
}

/// Reads `(;GM[Othello]…BO[8 cells side]B[f5/eval/seconds]W[f6]…;)`.
///
/// # Errors
/// What is missing or wrong, in words.
pub fn parse_ggf<P: Position>(text: &str) -> Result<Ggf<P>, String> {
    let body = text.trim().strip_prefix("(;").ok_or("expected a game that begins with `(;`")?;
    let mut game: Option<Ggf<P>> = None;
    let mut minutes = None;
    let mut rest = body.trim_start();
    while let Some(end) = rest.find('[') {
        let key = rest[..end].trim().trim_start_matches(';').trim();
        let close = rest[end..].find(']').ok_or_else(|| format!("`{key}[` is not closed"))? + end;
        let value = rest[end + 1..close].trim();
        rest = &rest[close + 1..];
        match key {
            "GM" if !value.eq_ignore_ascii_case("othello") => return Err(format!("a game of {value}, not Othello")),
            "TI" => minutes = minutes_of(value),
            "BO" => {
                let start = board_of::<P>(value)?;
                game = Some(Ggf { position: start, minutes, used: [0.0; 2] });
            }
            "B" | "W" => {
                let game = game.as_mut().ok_or("a move before the board BO[…]")?;
                let color = if key == "B" { Color::Black } else { Color::White };
                add_move(game, color, value)?;
            }
            _ => {}
        }
    }
    let mut game = game.ok_or("no board BO[…]")?;
    game.minutes = minutes;
    Ok(game)
}

/// `8 cells side`, the cells with or without blanks between them.
fn board_of<P: Position>(value: &str) -> Result<P, String> {
    let words: Vec<&str> = value.split_whitespace().collect();
    let [_size, cells @ .., side] = &words[..] else { return Err("expected BO[8 cells side]".to_string()) };
    let side = match *side {
        "*" | "X" | "B" => Color::Black,
        "O" | "W" => Color::White,
        other => return Err(format!("expected the side to move, * or O, found `{other}`")),
    };
    P::from_board_text(&cells.concat(), side)
}

fn add_move<P: Position>(game: &mut Ggf<P>, color: Color, value: &str) -> Result<(), String> {
    let mut parts = value.split('/');
    let word = parts.next().unwrap_or_default().trim();
    let mv = P::parse_move(word).ok_or_else(|| format!("`{word}` is no move"))?;
    if game.position.side_to_move() != color {
        game.position.play(Move::PASS).map_err(|_| format!("{word} is played out of turn"))?;
    }
    game.position.play(mv).map_err(|error| error.to_string())?;
    let seconds = parts.nth(1).and_then(|text| text.trim().parse::<f64>().ok()).filter(|time| time.is_finite());
    game.used[usize::from(color == Color::White)] += seconds.unwrap_or(0.0).max(0.0);
    Ok(())
}

/// `[hours:]minutes:seconds` or seconds, before a slash; nothing for no time.
fn minutes_of(value: &str) -> Option<f64> {
    let clock = value.split('/').next()?.trim();
    let mut seconds = 0.0;
    for part in clock.split(':') {
        seconds = 60.0 * seconds + part.trim().parse::<f64>().ok().filter(|part| part.is_finite() && *part >= 0.0)?;
    }
    (seconds > 0.0).then_some(seconds / 60.0)
}

/// The game from `start` by `moves`, with `time` for each side where the game is timed: whole seconds, rounded down, but
/// at least one. What is left of them follows from the moves' own times, which are rounded up.
pub fn ggf_text<P: Position>(start: &P, moves: &[(Move, Duration)], time: Option<Duration>) -> String {
    let cells: String = start.board_text().chars().map(ggf_cell).collect();
    let size = cells.chars().count().isqrt();
    let side = ggf_cell(start.side_to_move().letter());
    // Clocks of this notation count whole seconds.
    let time = time.map_or("0".to_string(), |time| {
        let whole = time.as_secs().max(1);
        format!("{}:{:02}", whole / 60, whole % 60)
    });
    let mut text =
        format!("(;GM[Othello]PC[Stonesmith]PB[black]PW[white]RE[?]TI[{time}]TY[{size}]BO[{size} {cells} {side}]");
    let mut position = start.clone();
    for &(mv, took) in moves {
        let word = if mv.is_pass() { "PA".to_string() } else { P::move_text(mv).to_ascii_uppercase() };
        let color = position.side_to_move().letter();
        let hundredths = took.as_micros().div_ceil(10_000);
        let _ = write!(text, "{color}[{word}//{}.{:02}]", hundredths / 100, hundredths % 100);
        position.play(mv).expect("a recorded move is legal");
    }
    text + ";)"
}

fn ggf_cell(letter: char) -> char {
    match letter {
        'B' => '*',
        'W' => 'O',
        _ => '-',
    }
}

/// NBoard.
#[derive(Clone, Debug)]
pub struct Nboard {
    depth: Option<u8>,
    pings: u64,
}

impl Nboard {
    /// To a program that searches to `depth` where one is given.
    pub fn new(depth: Option<u8>) -> Nboard {
        Nboard { depth, pings: 0 }
    }
}

impl<P: Position> Speech<P> for Nboard {
    fn answer(&mut self, talk: &mut Conversation<P>) -> Result<Move, Fault> {
        if talk.start()? {
            talk.tell("nboard 2\n")?;
            if let Some(depth) = self.depth {
                talk.tell(&format!("set depth {depth}\n"))?;
            }
        }
        talk.is_new_game();
        let game = ggf_text(talk.start_position(), talk.moves(), talk.terms().told());
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        let request = format!("set game {game}\nping {}\n", self.pings);
        talk.settle(&request, |line| line.trim() == pong)?;
        let lines = talk.ask("go\n", |line| line.trim_start().starts_with("==="))?;
        let line = lines.last().expect("a line was accepted").trim();
        let word = line.trim_start_matches('=').trim_start();
        let word = word.split(|c: char| c == '/' || c.is_whitespace()).next().unwrap_or_default();
        P::parse_move(word).ok_or_else(|| unexpected("`=== move`", line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;

    type Board = Othello<8>;

    /// The example of the protocol's own description.
    const EXAMPLE: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]\
                           BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]\
                           W[C5]B[E6]W[F7]B[E7]W[F4];)";

    #[test]
    fn the_protocols_example_is_read() {
        let game = parse_ggf::<Board>(EXAMPLE).unwrap();
        let mut expected = Board::start();
        for word in ["f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4"] {
            expected.play(Board::parse_move(word).unwrap()).unwrap();
        }
        assert_eq!((game.position, game.minutes, game.used), (expected, Some(15.0), [0.0; 2]));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let moves: Vec<(Move, Duration)> =
            ["f5", "d6", "c3"].map(|word| (Board::parse_move(word).unwrap(), Duration::from_millis(1500))).into();
        let text = ggf_text(&Board::start(), &moves, Some(Duration::from_secs(90)));
        let game = parse_ggf::<Board>(&text).unwrap();
        assert_eq!((game.position.ply(), game.minutes, game.used), (3, Some(1.5), [3.0, 1.5]));
        assert_eq!(parse_ggf::<Board>(&ggf_text(&Board::start(), &moves, None)).unwrap().minutes, None);
        let told = |millis| ggf_text(&Board::start(), &moves, Some(Duration::from_millis(millis)));
        assert!(told(5999).contains("TI[0:05]") && told(200).contains("TI[0:01]"));
        let brief = [(moves[0].0, Duration::from_micros(1_230_001)), (moves[1].0, Duration::ZERO)];
        let text = ggf_text(&Board::start(), &brief, None);
        assert!(text.contains("B[F5//1.24]W[D6//0.00]"), "{text}");
    }

    #[test]
    fn a_pass_may_be_left_out_and_nonsense_is_named() {
        let start = format!("BO[8 *O------{0}*O------{0}{0}{0}{0}{0} *]", "-".repeat(8));
        let read = |moves: &str| parse_ggf::<Board>(&format!("(;GM[Othello]{start}{moves};)"));
        // After c1 White has no move; Black plays on, and takes the last white disc.
        let silent = read("B[C1]B[C3]").unwrap();
        assert_eq!(silent.position.black_white().1, 0);
        assert_eq!(read("B[C1]W[PA]B[C3]").unwrap(), silent);
        assert!(read("B[C1]W[C3]").is_err() && read("B[C1]B[PA]").is_err());
        for (text, part) in [
            ("hello", "(;"),
            ("(;GM[Othello];)", "no board"),
            ("(;GM[Chess]BO[8 x *];)", "Chess"),
            ("(;GM[Othello]BO[8 --- *];)", ""),
            ("(;GM[Othello]B[F5];)", "before the board"),
            ("(;GM[Othello", "not closed"),
        ] {
            let error = parse_ggf::<Board>(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        let bad = EXAMPLE.replace("W[F6]", "W[A1]");
        assert!(parse_ggf::<Board>(&bad).unwrap_err().contains("a1"));
    }
}
