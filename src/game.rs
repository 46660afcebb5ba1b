//! What a game is: the traits [`Position`] and the small types every floor shares.
//!
//! A position holds no history and no score. The pipeline plays any game through [`Position`]; each game's engine
//! works on the game's own types. A method stands in the trait only because a game-blind floor calls it for both
//! games. Games: [`othello`] (board size as a parameter) and [`renju`].

pub mod othello;
pub mod perft;
pub mod renju;
pub mod symmetry;

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use thiserror::Error;

/// The games, as they are named in files and on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum GameId {
    /// Othello (Reversi) on 8×8.
    Othello = 0,
    /// Othello on 6×6.
    Othello6 = 1,
    /// Othello on 4×4.
    Othello4 = 2,
    /// Renju on 15×15.
    Renju = 3,
}

impl GameId {
    /// All games, in the order of their numbers in files.
    pub const ALL: [GameId; 4] = [GameId::Othello, GameId::Othello6, GameId::Othello4, GameId::Renju];

    /// The name used on the command line and as a folder name.
    pub fn name(self) -> &'static str {
        match self {
            GameId::Othello => "othello",
            GameId::Othello6 => "othello6",
            GameId::Othello4 => "othello4",
            GameId::Renju => "renju",
        }
    }

    /// The game with this number in a file, if there is one.
    pub fn from_byte(byte: u8) -> Option<GameId> {
        GameId::ALL.get(byte as usize).copied()
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<GameId, String> {
        GameId::ALL
            .into_iter()
            .find(|game| game.name() == text)
            .ok_or_else(|| format!("unknown game `{text}`: expected othello, othello6, othello4 or renju"))
    }
}

/// The two sides. Black moves first in both games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Color {
    /// The other side.
    pub fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// `B` or `W`.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

/// A move: the number of a square or point as its game counts them, or [`Move::PASS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u8);

impl Move {
    /// The pass, forced in Othello and optional in Renju.
    pub const PASS: Move = Move(255);

    /// Whether this is the pass.
    pub fn is_pass(self) -> bool {
        self == Move::PASS
    }
}

/// The result of a finished game from Black's point of view, in the game's own unit: discs (−64 … 64, empties to
/// the winner) in Othello, −1, 0 or 1 in Renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome(pub i16);

impl Outcome {
    /// The side that won; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self.0 {
            0 => None,
            n if n > 0 => Some(Color::Black),
            _ => Some(Color::White),
        }
    }

    /// The same result from the point of view of `color`.
    pub fn for_color(self, color: Color) -> i16 {
        match color {
            Color::Black => self.0,
            Color::White => -self.0,
        }
    }
}

/// A move that the rules do not allow, with the reason in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("illegal move {text}: {reason}")]
pub struct IllegalMove {
    /// The move in the game's notation.
    pub text: String,
    /// Why the rules forbid it.
    pub reason: String,
}

/// A position of a game: board and side to move, without history or score.
pub trait Position: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The game this is a position of.
    const GAME: GameId;

    /// The position every game starts from.
    fn start() -> Self;

    /// The side to move. It stays defined (whoever would move) when the game is over.
    fn side_to_move(&self) -> Color;

    /// All legal moves in ascending order, with [`Move::PASS`] last where it is legal; empty when the game is over.
    fn legal_moves(&self) -> Vec<Move>;

    /// Plays `mv`, or says why it is illegal and leaves the position as it was.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;

    /// The result when the game is over, `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// How far the game has come, in stones or discs placed since the start (passes do not count).
    fn ply(&self) -> usize;

    /// What a greedy player counts: how much the legal move `mv` gains at once (discs turned, stones in line).
    fn gain(&self, mv: Move) -> i32;

    /// The least of the position's symmetric forms from the side to move's point of view: equal for positions
    /// that differ only by a symmetry of the board.
    fn canonical(&self) -> [u64; 8];

    /// A move in the game's notation (`f5`, `h8`, `pass`).
    fn move_text(mv: Move) -> String;

    /// The move written `text` (case does not matter), if it is one on this board.
    fn parse_move(text: &str) -> Option<Move>;

    /// The board as text, row by row from the top, `B`, `W` and `.`.
    fn board_text(&self) -> String;

    /// Parses board text of one row after another (letters as in [`Position::board_text`], or `X`/`*` black,
    /// `O` white, `-` empty) with the side to move.
    fn from_board_text(text: &str, side: Color) -> Result<Self, String>;
}
