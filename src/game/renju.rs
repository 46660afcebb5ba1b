//! Renju on 15×15 under the judge's rules: no swap, the first three moves near the centre, passes by choice.
//!
//! Black wins with exactly five and may not play on forbidden points ([`forbidden`]) unless the move makes five;
//! White wins with five or more. From the fourth move on either side may pass; two passes in a row and a full board
//! are draws. Because of the passes the side to move is part of the position, and so is the pass just made.
//! Move 1 is the centre, move 2 lies within one row and column of it, move 3 within two. How many moves were made is
//! read from the stones (none of the three may be a pass), so a position set from text with fewer than three stones
//! is restricted like a game of that many moves, and one with three or more is free.

pub mod board;
pub mod definitions;
pub mod forbidden;
pub mod line;
pub mod notation;
pub mod openings;
pub mod point;

pub use board::Board;
pub use forbidden::{Reason, Reasons};
pub use point::{Direction, POINTS, Point, SIZE};

use super::{Color, GameId, IllegalMove, Move, Outcome, Position, symmetry};

/// Stones on the board before the first move that is free.
const OPENING_MOVES: usize = 3;

/// A Renju position with its side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Renju {
    board: Board,
    color: Color,
    /// Passes in a row up to now, 0–2; two end the game.
    passes: u8,
    /// The side that has a winning line.
    winner: Option<Color>,
}

impl Renju {
    /// A position from stones and the side to move, as if the last move was no pass. Stones may stand anywhere and
    /// in any number. If both sides have a winning line, the side not to move has won: it moved last.
    pub fn new(board: Board, color: Color) -> Renju {
        let winner = [color.opponent(), color].into_iter().find(|&side| board.has_won(side));
        Renju { board, color, passes: 0, winner }
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the last move was a pass, so that another one ends the game.
    pub fn last_was_pass(&self) -> bool {
        self.passes > 0
    }

    /// Whether a winning line, two passes or a full board has ended the game.
    pub fn is_over(&self) -> bool {
        self.winner.is_some() || self.passes >= 2 || self.board.is_full()
    }

    /// Whether the side to move may pass, the game going on: from the fourth move on.
    fn may_pass(&self) -> bool {
        self.board.stones() >= OPENING_MOVES
    }

    /// Whether the rule of the first three moves lets the next stone stand on `point`.
    fn opening_allows(&self, point: Point) -> bool {
        let stones = self.board.stones();
        stones >= OPENING_MOVES || point.distance_from_centre() <= stones
    }

    fn point_reason(&self, point: Point) -> Option<String> {
        if !self.board.is_empty(point) {
            return Some("the point is occupied".to_string());
        }
        if !self.opening_allows(point) {
            let number = self.board.stones() + 1;
            let area = ["h8", "g7 to i9", "f6 to j10"][number - 1];
            return Some(format!("move {number} must be in {area}"));
        }
        match self.color {
            Color::Black => forbidden::forbidden(&self.board, point).map(|reasons| format!("forbidden: {reasons}")),
            Color::White => None,
        }
    }

    fn pass_reason(&self) -> Option<&'static str> {
        (!self.may_pass()).then_some("none of the first three moves may be a pass")
    }

    fn illegal(mv: Move, reason: impl Into<String>) -> IllegalMove {
        IllegalMove { text: notation::move_text(mv), reason: reason.into() }
    }

    /// Two bits a point (1 own, 2 the other side's), in the order of the points of the image under symmetry `s`.
    fn packed(&self, s: usize) -> [u64; 8] {
        let mut words = [0u64; 8];
        for (value, side) in [(1, self.color), (2, self.color.opponent())] {
            for point in self.board.points_of(side) {
                let index = point.transformed(s).index();
                words[index / 32] |= value << (2 * (index % 32));
            }
        }
        words
    }
}

impl Position for Renju {
    const GAME: GameId = GameId::Renju;

    fn start() -> Renju {
        Renju { board: Board::empty(), color: Color::Black, passes: 0, winner: None }
    }

    fn side_to_move(&self) -> Color {
        self.color
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.is_over() {
            return Vec::new();
        }
        let black = self.color == Color::Black;
        let mut moves: Vec<Move> = self
            .board
            .empty_points()
            .filter(|&point| self.opening_allows(point) && !(black && forbidden::is_forbidden(&self.board, point)))
            .map(Point::to_move)
            .collect();
        if self.may_pass() {
            moves.push(Move::PASS);
        }
        moves
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(Self::illegal(mv, "the game is over"));
        }
        if mv == Move::PASS {
            if let Some(reason) = self.pass_reason() {
                return Err(Self::illegal(mv, reason));
            }
            self.passes += 1;
        } else {
            let point = Point::of_move(mv).ok_or_else(|| Self::illegal(mv, "it is not on the board"))?;
            if let Some(reason) = self.point_reason(point) {
                return Err(Self::illegal(mv, reason));
            }
            self.board.place(point, self.color);
            self.passes = 0;
            if self.board.wins_at(point, self.color) {
                self.winner = Some(self.color);
            }
        }
        self.color = self.color.opponent();
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then_some(match self.winner {
            Some(Color::Black) => Outcome(1),
            Some(Color::White) => Outcome(-1),
            None => Outcome(0),
        })
    }

    fn ply(&self) -> usize {
        self.board.stones()
    }

    /// The stones of the longest unbroken own line the move makes, five for any that wins; 0 for a pass.
    fn gain(&self, mv: Move) -> i32 {
        let Some(point) = Point::of_move(mv) else { return 0 };
        if self.board.wins_at(point, self.color) {
            return 5;
        }
        let longest = Direction::ALL.into_iter().map(|direction| self.board.run(point, direction, self.color)).max();
        longest.map_or(0, |length| length.min(4) as i32)
    }

    /// Seven words of points and one with the last point (bits 0–1), the side to move (bit 2: White), and the
    /// passes in a row (bits 3–4). The sides are not alike in Renju, so their colours belong to the form.
    fn canonical(&self) -> [u64; 8] {
        let mut least = (0..symmetry::COUNT).map(|s| self.packed(s)).min().expect("eight symmetries");
        least[7] |= (self.color as u64) << 2 | (self.passes as u64) << 3;
        least
    }

    fn move_text(mv: Move) -> String {
        notation::move_text(mv)
    }

    fn parse_move(text: &str) -> Option<Move> {
        notation::parse_move(text)
    }

    fn board_text(&self) -> String {
        notation::board_text(&self.board)
    }

    fn from_board_text(text: &str, side: Color) -> Result<Renju, String> {
        Ok(Renju::new(notation::parse_board(text)?, side))
    }
}

/// The position after these moves, all of which must be legal.
#[cfg(test)]
pub(crate) fn after(moves: &str) -> Renju {
    let mut position = Renju::start();
    for word in moves.split_whitespace() {
        position.play(Renju::parse_move(word).unwrap()).unwrap();
    }
    position
}
