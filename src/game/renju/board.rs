//! The stones on the board, as bits of the lines they stand on.
//!
//! Every stone is kept on four lines (row, column, diagonal, anti-diagonal), so a window around a point is two
//! shifts, and placing or taking a stone touches four words. The board knows nothing of turns, passes or results.

use std::hash::{Hash, Hasher};

use super::line::{EDGES, LINES, REACH, Window, place, places_of};
use super::point::{Direction, POINTS, Point, SIZE};
use crate::game::Color;

/// Black and white stones on 15×15 points.
#[derive(Clone)]
pub struct Board {
    lines: [[u32; 2]; LINES],
    counts: [u8; 2],
}

impl Board {
    /// The board without stones.
    pub fn empty() -> Board {
        Board { lines: [[0; 2]; LINES], counts: [0; 2] }
    }

    /// The colour of the stone on `point`, if there is one.
    #[inline]
    pub fn color_at(&self, point: Point) -> Option<Color> {
        let bit = REACH + point.col() as u32;
        let [black, white] = self.lines[point.row()];
        match (black >> bit & 1, white >> bit & 1) {
            (0, 0) => None,
            (1, _) => Some(Color::Black),
            _ => Some(Color::White),
        }
    }

    /// Whether no stone stands on `point`.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        let [black, white] = self.lines[point.row()];
        (black | white) >> (REACH + point.col() as u32) & 1 == 0
    }

    /// Puts a stone on `point`, which must be empty.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        debug_assert!(self.is_empty(point), "{point:?} is occupied");
        self.toggle(point, color);
        self.counts[color as usize] += 1;
    }

    /// Takes the stone of `color` from `point`, where it must stand.
    #[inline]
    pub fn remove(&mut self, point: Point, color: Color) {
        debug_assert_eq!(self.color_at(point), Some(color));
        self.toggle(point, color);
        self.counts[color as usize] -= 1;
    }

    #[inline]
    fn toggle(&mut self, point: Point, color: Color) {
        for place in places_of(point) {
            self.lines[place.line as usize][color as usize] ^= 1 << (place.at as u32 + REACH);
        }
    }

    /// The number of stones of `color`.
    pub fn count(&self, color: Color) -> usize {
        self.counts[color as usize] as usize
    }

    /// The number of stones of both colours.
    pub fn stones(&self) -> usize {
        self.count(Color::Black) + self.count(Color::White)
    }

    /// Whether no empty point is left.
    pub fn is_full(&self) -> bool {
        self.stones() == POINTS
    }

    /// The empty points in ascending order.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..SIZE).flat_map(move |row| {
            let [black, white] = self.lines[row];
            row_points(row, !(black | white | EDGES[row]))
        })
    }

    /// The points where stones of `color` stand, in ascending order.
    pub fn points_of(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        (0..SIZE).flat_map(move |row| row_points(row, self.lines[row][color as usize]))
    }

    /// The window around `point` in `direction` as `color` sees it, with a stone of `color` on the point.
    #[inline]
    pub fn window(&self, point: Point, direction: Direction, color: Color) -> Window {
        let place = place(point, direction);
        let line = place.line as usize;
        let own = self.lines[line][color as usize];
        Window::new(own, self.lines[line][color.opponent() as usize] | EDGES[line], place.at)
    }

    /// How many stones a stone of `color` on `point` makes or has in an unbroken line in `direction`; beyond five
    /// cells to either side they are not counted.
    #[inline]
    pub fn run(&self, point: Point, direction: Direction, color: Color) -> u32 {
        self.window(point, direction, color).run()
    }

    /// Whether a stone of `color` on `point` makes or is part of a winning line: exactly five for Black, five or
    /// more for White.
    #[inline]
    pub fn wins_at(&self, point: Point, color: Color) -> bool {
        Direction::ALL.into_iter().any(|direction| match color {
            Color::Black => self.run(point, direction, color) == 5,
            Color::White => self.run(point, direction, color) >= 5,
        })
    }

    /// Whether `color` has a winning line anywhere on the board.
    pub fn has_won(&self, color: Color) -> bool {
        self.points_of(color).any(|point| self.wins_at(point, color))
    }

    /// The image under symmetry `s` of [`crate::game::symmetry`].
    pub fn transformed(&self, s: usize) -> Board {
        let mut image = Board::empty();
        for color in [Color::Black, Color::White] {
            for point in self.points_of(color) {
                image.place(point.transformed(s), color);
            }
        }
        image
    }

    /// The rows alone hold the whole board; the other lines repeat it.
    fn rows(&self) -> &[[u32; 2]] {
        &self.lines[..SIZE]
    }
}

fn row_points(row: usize, mut bits: u32) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let col = (bits.trailing_zeros() - REACH) as usize;
            bits &= bits - 1;
            Point::new(row, col).expect("a cell of a row is on the board")
        })
    })
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.rows() == other.rows()
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rows().hash(state);
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "Board")?;
        for row in 0..SIZE {
            let letter = |col| match self.color_at(Point::new(row, col).expect("on the board")) {
                Some(color) => color.letter(),
                None => '.',
            };
            writeln!(f, "{:2} {}", SIZE - row, (0..SIZE).map(letter).collect::<String>())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, RngExt, stream};

    fn point(row: usize, col: usize) -> Point {
        Point::new(row, col).unwrap()
    }

    #[test]
    fn placing_and_removing_agrees_with_a_plain_array() {
        let mut random = stream(1, Domain::Test, 0);
        let (mut board, mut cells) = (Board::empty(), [None; POINTS]);
        for _ in 0..2000 {
            let at = Point::from_index(random.random_range(0..POINTS)).unwrap();
            let color = if random.random_bool(0.5) { Color::Black } else { Color::White };
            match cells[at.index()] {
                Some(color) => board.remove(at, color),
                None => board.place(at, color),
            }
            cells[at.index()] = if cells[at.index()].is_none() { Some(color) } else { None };
            assert_eq!(board.stones(), cells.iter().flatten().count());
        }
        assert!(
            Point::all()
                .all(|p| board.color_at(p) == cells[p.index()] && board.is_empty(p) == cells[p.index()].is_none())
        );
        assert!(board.empty_points().eq(Point::all().filter(|p| cells[p.index()].is_none())));
        for color in [Color::Black, Color::White] {
            assert!(board.points_of(color).eq(Point::all().filter(|p| cells[p.index()] == Some(color))));
            // The windows read the cells from five before to five after on every line.
            for at in Point::all() {
                for direction in Direction::ALL {
                    let (dr, dc) = [(0, 1), (1, 0), (1, 1), (1, -1)][direction as usize];
                    let cell = |k: i32| {
                        let (row, col) = (at.row() as i32 + k * dr, at.col() as i32 + k * dc);
                        (row >= 0 && col >= 0).then(|| Point::new(row as usize, col as usize)).flatten()
                    };
                    let bits = |wanted: &dyn Fn(i32) -> bool| {
                        (-5..=5).filter(|&k| wanted(k)).fold(0u32, |bits, k| bits | 1 << (k + 5))
                    };
                    let own = bits(&|k| cell(k).is_some_and(|p| cells[p.index()] == Some(color)));
                    let blocked = bits(&|k| cell(k).is_none_or(|p| cells[p.index()] == Some(color.opponent())));
                    assert_eq!(board.window(at, direction, color), Window::new(own, blocked, 0));
                }
            }
        }
    }

    #[test]
    fn black_needs_exactly_five_and_white_at_least_five() {
        for length in 4..=7 {
            for color in [Color::Black, Color::White] {
                for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, usize::MAX)] {
                    let mut board = Board::empty();
                    for k in 0..length {
                        board.place(point(4 + k * dr, 9usize.wrapping_add(k.wrapping_mul(dc))), color);
                        if dc == 1 && 9 + k == 14 {
                            break;
                        }
                    }
                    let length = board.stones();
                    let won = if color == Color::Black { length == 5 } else { length >= 5 };
                    assert_eq!(board.has_won(color), won, "{length} {color:?} {board:?}");
                    assert!(!board.has_won(color.opponent()));
                }
            }
        }
    }

    #[test]
    fn equality_and_symmetry_follow_the_stones() {
        let mut board = Board::empty();
        board.place(point(2, 3), Color::Black);
        let image = board.transformed(4);
        assert_eq!(image.color_at(point(3, 2)), Some(Color::Black));
        assert_ne!(board, image);
        assert_eq!(image.transformed(4), board);
    }
}
