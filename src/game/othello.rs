//! Othello (Reversi) on 4×4, 6×6 and 8×8: one implementation with the size as a parameter.
//!
//! Every board lives in the middle of the 8×8 grid, so d4, e4, d5 and e5 of the grid always hold the first four
//! discs, and the moves and flips of the full grid are those of the small board: its border squares are never
//! occupied, and a run of discs ends there as it does at an edge. Squares are grid squares 0–63, row by row from
//! the top left; [`Position::move_text`] and the parsers speak in the small board's own rows and columns.

pub mod board;
pub mod flips;
pub mod moves;
pub mod notation;
pub mod perft;
pub mod simulation;

pub use board::Board;

use super::{Color, GameId, IllegalMove, Move, Outcome, Position, symmetry};

/// An Othello position on N×N (4, 6 or 8) with its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello<const N: usize> {
    board: Board,
    color: Color,
}

impl<const N: usize> Othello<N> {
    /// The grid squares that belong to the board.
    pub const SQUARES: u64 = board::squares(N);

    /// A position from the discs of the side to move, its opponent's, and which colour moves.
    pub fn new(board: Board, color: Color) -> Self {
        Othello { board, color }
    }

    /// The discs, side to move first.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The empty squares of the board.
    pub fn empties(&self) -> u64 {
        Self::SQUARES & !(self.board.player | self.board.opponent)
    }

    /// The squares where the side to move may place a disc.
    pub fn mobility(&self) -> u64 {
        moves::mobility(self.board.player, self.board.opponent) & Self::SQUARES
    }

    /// Whether neither side can place a disc.
    pub fn is_over(&self) -> bool {
        self.mobility() == 0 && moves::mobility(self.board.opponent, self.board.player) & Self::SQUARES == 0
    }

    /// Black's discs, then White's.
    pub fn black_white(&self) -> (u64, u64) {
        match self.color {
            Color::Black => (self.board.player, self.board.opponent),
            Color::White => (self.board.opponent, self.board.player),
        }
    }

    fn illegal(&self, mv: Move, reason: &str) -> IllegalMove {
        IllegalMove { text: Self::move_text(mv), reason: reason.to_string() }
    }
}

/// The final disc difference for the side that owns `player`: empties go to the winner.
pub fn final_score<const N: usize>(player: u64, opponent: u64) -> i32 {
    let (p, o) = (player.count_ones() as i32, opponent.count_ones() as i32);
    let empties = (N * N) as i32 - p - o;
    match p.cmp(&o) {
        std::cmp::Ordering::Greater => p - o + empties,
        std::cmp::Ordering::Less => p - o - empties,
        std::cmp::Ordering::Equal => 0,
    }
}

impl<const N: usize> Position for Othello<N> {
    const GAME: GameId = match N {
        4 => GameId::Othello4,
        6 => GameId::Othello6,
        8 => GameId::Othello,
        _ => panic!("Othello is played on 4×4, 6×6 or 8×8"),
    };

    fn start() -> Self {
        // d5 and e4 are Black's, d4 and e5 White's, seen from the top left as in the reversi statement.
        Othello { board: Board { player: 1 << 28 | 1 << 35, opponent: 1 << 27 | 1 << 36 }, color: Color::Black }
    }

    fn side_to_move(&self) -> Color {
        self.color
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mobility = self.mobility();
        if mobility != 0 {
            return board::bits(mobility).map(|square| Move(square as u8)).collect();
        }
        if self.is_over() { Vec::new() } else { vec![Move::PASS] }
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mobility = self.mobility();
        if mv == Move::PASS {
            if mobility != 0 {
                return Err(self.illegal(mv, "a pass is allowed only without a legal move"));
            }
            if self.is_over() {
                return Err(self.illegal(mv, "the game is over"));
            }
            self.board = self.board.pass();
        } else {
            if mv.0 >= 64 || Self::SQUARES >> mv.0 & 1 == 0 {
                return Err(self.illegal(mv, "it is not on the board"));
            }
            if mobility >> mv.0 & 1 == 0 {
                let occupied = self.empties() >> mv.0 & 1 == 0;
                return Err(self.illegal(mv, if occupied { "the square is occupied" } else { "it turns no disc" }));
            }
            self.board = self.board.play(mv.0 as usize);
        }
        self.color = self.color.opponent();
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| {
            let (black, white) = self.black_white();
            Outcome(final_score::<N>(black, white) as i16)
        })
    }

    fn ply(&self) -> usize {
        (self.board.player | self.board.opponent).count_ones() as usize - 4
    }

    fn gain(&self, mv: Move) -> i32 {
        if mv == Move::PASS {
            return 0;
        }
        flips::flips(self.board.player, self.board.opponent, mv.0 as usize).count_ones() as i32
    }

    fn canonical(&self) -> [u64; 8] {
        let least = (0..symmetry::COUNT).map(|s| self.board.transformed(s)).min().expect("eight symmetries");
        [least.player, least.opponent, 0, 0, 0, 0, 0, 0]
    }

    fn move_text(mv: Move) -> String {
        notation::move_text::<N>(mv)
    }

    fn parse_move(text: &str) -> Option<Move> {
        notation::parse_move::<N>(text)
    }

    fn board_text(&self) -> String {
        notation::board_text::<N>(self)
    }

    fn from_board_text(text: &str, side: Color) -> Result<Self, String> {
        notation::from_board_text::<N>(text, side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_moves_are_those_of_the_statement() {
        let start = Othello::<8>::start();
        let moves: Vec<String> = start.legal_moves().into_iter().map(Othello::<8>::move_text).collect();
        // (3,4), (4,3), (5,6), (6,5) in the statement's row, column.
        assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
        for text in [
            Othello::<4>::start().legal_moves().into_iter().map(Othello::<4>::move_text).collect::<Vec<_>>(),
            Othello::<6>::start().legal_moves().into_iter().map(Othello::<6>::move_text).collect(),
        ] {
            assert_eq!(text.len(), 4);
        }
        assert!(Othello::<4>::start().legal_moves().iter().any(|&mv| Othello::<4>::move_text(mv) == "b1"));
    }

    #[test]
    fn an_illegal_move_changes_nothing_and_says_why() {
        let mut position = Othello::<8>::start();
        for (text, reason) in [("a1", "turns no disc"), ("d4", "occupied"), ("pass", "without a legal move")] {
            let before = position;
            let error = position.play(Othello::<8>::parse_move(text).unwrap()).unwrap_err();
            assert!(error.reason.contains(reason), "{error}");
            assert_eq!(position, before);
        }
    }

    #[test]
    fn empties_go_to_the_winner() {
        assert_eq!(final_score::<8>(0b111, 0b1000), 62);
        assert_eq!(final_score::<8>(0b1000, 0b111), -62);
        assert_eq!(final_score::<8>(0b11, 0b1100), 0);
        assert_eq!(final_score::<4>(0x7ff, 0x3800), 10);
    }
}
