//! Beginnings of Renju that give both sides a game: where to draw moves from, and which positions are even.
//!
//! The game is Black's from the empty board, so a match between versions starts from positions that a count of open
//! lines calls even. The count knows no search: a five-cell window that only one side has stones in is worth more
//! the more there are, and the side to move has a little more. Positions with a three that wins are refused.

use super::{Board, Direction, Point, Renju};
use crate::game::{Color, Move, Position};

/// Stones of a balanced opening: the three of the rule, and three more.
pub const PLIES: usize = 6;
/// The count of an even position, in the unit of one window of two stones.
const EVEN: i32 = 4;
/// What moving next is worth in that unit.
const TEMPO: i32 = 4;
/// The worth of a window by its stones.
const WORTH: [i32; 6] = [0, 0, 1, 4, 100, 1000];

/// The legal moves that touch the fight: within two points of a stone, in the area of the first moves while those
/// are made. Never the pass.
pub fn moves_nearby(position: &Renju) -> Vec<Move> {
    let board = position.board();
    let near = |point: Point| {
        board.stones() == 0
            || [Color::Black, Color::White].iter().any(|&color| {
                board
                    .points_of(color)
                    .any(|stone| stone.row().abs_diff(point.row()) <= 2 && stone.col().abs_diff(point.col()) <= 2)
            })
    };
    position.legal_moves().into_iter().filter(|&mv| Point::of_move(mv).is_some_and(near)).collect()
}

/// Whether neither side has more than the other, by the count of open windows, and neither has a three.
pub fn is_even(position: &Renju) -> bool {
    let board = position.board();
    let (mut balance, mut threes) = (0, false);
    for (window_black, window_white) in windows(board) {
        balance += match (window_black, window_white) {
            (own, 0) => WORTH[own],
            (0, other) => -WORTH[other],
            _ => 0,
        };
        threes |= (window_black >= 3 && window_white == 0) || (window_white >= 3 && window_black == 0);
    }
    balance += if position.side_to_move() == Color::Black { TEMPO } else { -TEMPO };
    !threes && balance.abs() <= EVEN
}

/// Black's and White's stones in every five cells in a row.
fn windows(board: &Board) -> impl Iterator<Item = (usize, usize)> + '_ {
    let starts = Point::all().flat_map(|start| Direction::ALL.map(|direction| (start, direction)));
    starts.filter_map(|(start, direction)| {
        let (down, right) = step(direction);
        let mut counts = [0, 0];
        for steps in 0..5 {
            let row = usize::try_from(start.row() as i32 + steps * down).ok()?;
            let col = usize::try_from(start.col() as i32 + steps * right).ok()?;
            match board.color_at(Point::new(row, col)?) {
                Some(Color::Black) => counts[0] += 1,
                Some(Color::White) => counts[1] += 1,
                None => {}
            }
        }
        Some((counts[0], counts[1]))
    })
}

/// Rows and columns that one step along the direction goes.
fn step(direction: Direction) -> (i32, i32) {
    match direction {
        Direction::Row => (0, 1),
        Direction::Column => (1, 0),
        Direction::Diagonal => (1, 1),
        Direction::AntiDiagonal => (1, -1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::after;
    use super::*;

    #[test]
    fn a_board_has_572_windows() {
        // 15 lines of 11 windows both ways, and twice the diagonals of 5 to 15 cells: 2·(11² ) of them.
        assert_eq!(windows(&Board::empty()).count(), 2 * 15 * 11 + 2 * 11 * 11);
        assert_eq!(windows(&Board::empty()).filter(|&counts| counts != (0, 0)).count(), 0);
        // The centre is part of five windows in each of four directions.
        let centre = after("h8");
        assert_eq!(windows(centre.board()).filter(|&counts| counts == (1, 0)).count(), 20);
    }

    #[test]
    fn threes_and_idle_stones_are_not_even() {
        // White's stones stand at the rim and see nothing: Black has an open three, then only an open two.
        assert!(!is_even(&after("h8 g8 j8 a1 i8 o15")));
        assert!(!is_even(&after("h8 g7 i9 a1 j10 o1")));
    }

    #[test]
    fn the_count_knows_no_direction() {
        for moves in ["h8 g7 i9 h6 g8 j7", "h8 h9 j8 g10 i7 f8", "h8 g8 g6 i9 j9 h6"] {
            let position = after(moves);
            for s in 0..8 {
                let image = Renju::new(position.board().transformed(s), position.side_to_move());
                assert_eq!(is_even(&image), is_even(&position), "{moves} {s}");
            }
        }
    }

    #[test]
    fn moves_stay_near_the_stones() {
        assert_eq!(moves_nearby(&Renju::start()), [Point::CENTRE.to_move()]);
        assert_eq!(moves_nearby(&after("h8")).len(), 8);
        let moves = moves_nearby(&after("h8 g7 i9"));
        assert!(!moves.contains(&Move::PASS));
        let corner = Renju::parse_move("a1").unwrap();
        assert!(!moves.contains(&corner) && moves.contains(&Renju::parse_move("h7").unwrap()));
    }
}
