//! The 225 points of the board and the four directions of its lines.
//!
//! Point 15·row + column counts from the top left, row by row, so it is also the number of the move played there.
//! Rows and columns count from 0 inside; the judge counts both from 1 ([`Point::from_one_based`]), and the field
//! counts rows from the bottom ([`super::notation`]).

use crate::game::{Move, symmetry};

/// Rows and columns of the board.
pub const SIZE: usize = 15;

/// The number of points.
pub const POINTS: usize = SIZE * SIZE;

/// A point of the board, 0–224, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// The point in the middle, h8.
    pub const CENTRE: Point = Point((POINTS / 2) as u8);

    /// The point in `row` and `col`, both from 0, if it is on the board.
    #[inline]
    pub const fn new(row: usize, col: usize) -> Option<Point> {
        if row < SIZE && col < SIZE { Some(Point((SIZE * row + col) as u8)) } else { None }
    }

    /// The point of this number, if it is below 225.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < POINTS { Some(Point(index as u8)) } else { None }
    }

    /// The point the judge calls (`row`, `col`), both from 1 and rows from the top.
    pub fn from_one_based(row: i64, col: i64) -> Option<Point> {
        let from_zero = |n: i64| usize::try_from(n.checked_sub(1)?).ok();
        Point::new(from_zero(row)?, from_zero(col)?)
    }

    /// The judge's (row, column), both from 1 and rows from the top.
    pub const fn one_based(self) -> (usize, usize) {
        (self.row() + 1, self.col() + 1)
    }

    /// The point a move names; `None` for the pass and for numbers off the board.
    #[inline]
    pub const fn of_move(mv: Move) -> Option<Point> {
        Point::from_index(mv.0 as usize)
    }

    /// The move that puts a stone here.
    #[inline]
    pub const fn to_move(self) -> Move {
        Move(self.0)
    }

    /// The number of the point, 0–224.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, from 0 at the top.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize / SIZE
    }

    /// The column, from 0 at the left.
    #[inline]
    pub const fn col(self) -> usize {
        self.0 as usize % SIZE
    }

    /// All points in ascending order.
    pub fn all() -> impl DoubleEndedIterator<Item = Point> {
        (0..POINTS as u8).map(Point)
    }

    /// The point `steps` further along `direction` (back when negative), which must be on the board.
    #[inline]
    pub fn along(self, direction: Direction, steps: i32) -> Point {
        let index = self.0 as i32 + steps * direction.stride();
        debug_assert!((0..POINTS as i32).contains(&index), "{self:?} + {steps} {direction:?} leaves the board");
        Point(index as u8)
    }

    /// How far the point lies from the centre: the larger of the distances in rows and in columns.
    pub fn distance_from_centre(self) -> usize {
        self.row().abs_diff(SIZE / 2).max(self.col().abs_diff(SIZE / 2))
    }

    /// The image under symmetry `s` of [`symmetry`].
    pub fn transformed(self, s: usize) -> Point {
        let (row, col) = symmetry::map(s, self.row(), self.col(), SIZE);
        Point((SIZE * row + col) as u8)
    }
}

/// The directions in which stones stand in line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, from left to right.
    Row = 0,
    /// Along a column, from top to bottom.
    Column = 1,
    /// From the upper left to the lower right.
    Diagonal = 2,
    /// From the upper right to the lower left.
    AntiDiagonal = 3,
}

impl Direction {
    /// The four directions in the order of their numbers.
    pub const ALL: [Direction; 4] = [Direction::Row, Direction::Column, Direction::Diagonal, Direction::AntiDiagonal];

    /// How much a point's number grows with one step.
    #[inline]
    pub const fn stride(self) -> i32 {
        match self {
            Direction::Row => 1,
            Direction::Column => SIZE as i32,
            Direction::Diagonal => SIZE as i32 + 1,
            Direction::AntiDiagonal => SIZE as i32 - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judge_counts_from_one_and_the_top() {
        assert_eq!(Point::from_one_based(8, 8), Some(Point::CENTRE));
        assert_eq!(Point::from_one_based(1, 15).map(Point::index), Some(14));
        assert_eq!(Point::from_one_based(15, 1).map(Point::index), Some(210));
        for off in [(0, 1), (1, 0), (16, 1), (1, 16), (-1, -1), (i64::MIN, 3)] {
            assert_eq!(Point::from_one_based(off.0, off.1), None);
        }
        assert!(Point::all().all(|p| Point::from_one_based(p.one_based().0 as i64, p.one_based().1 as i64) == Some(p)));
    }

    #[test]
    fn moves_and_points_share_their_numbers() {
        assert_eq!(Point::of_move(Move::PASS), None);
        assert_eq!(Point::of_move(Move(225)), None);
        assert_eq!(Point::of_move(Move(224)).map(|p| p.one_based()), Some((15, 15)));
        assert_eq!(Point::CENTRE.to_move(), Move(112));
    }
}
