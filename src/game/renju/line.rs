//! One line through one point: the window of five cells to either side, and what a black stone makes in it.
//!
//! Five cells to either side decide everything on a line: a five or a four through the point reaches four cells
//! away, and the cell beyond tells a five from an overline. The cells left and right of the point are read in base 3
//! (empty, own, blocked) into a table of all 59,049 windows, filled once from the definitions.

use std::sync::LazyLock;

use super::point::{Direction, POINTS, Point, SIZE};

/// Cells to either side of the point that a window holds.
pub const REACH: u32 = 5;

/// The number of lines on the board: rows, columns and both kinds of diagonals, the short ones included.
pub const LINES: usize = 2 * SIZE + 2 * (2 * SIZE - 1);

/// Where a point lies on a line: cell k of a line is bit k + 5 of the line's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line's number: rows 0–14, columns 15–29, diagonals 30–58, anti-diagonals 59–87.
    pub line: u8,
    /// The cell's number on the line, from 0.
    pub at: u8,
}

/// The places of every point on its four lines, by point and direction.
const PLACES: [[Place; 4]; POINTS] = places();

/// Bits of a line that are not cells of the board.
pub const EDGES: [u32; LINES] = edges();

/// The place of `point` on its line in `direction`.
#[inline]
pub fn place(point: Point, direction: Direction) -> Place {
    PLACES[point.index()][direction as usize]
}

/// The places of `point` on its four lines.
#[inline]
pub fn places_of(point: Point) -> &'static [Place; 4] {
    &PLACES[point.index()]
}

const fn places() -> [[Place; 4]; POINTS] {
    let mut places = [[Place { line: 0, at: 0 }; 4]; POINTS];
    let mut point = 0;
    while point < POINTS {
        let (row, col) = (point / SIZE, point % SIZE);
        let from_right = SIZE - 1 - col;
        places[point] = [
            Place { line: row as u8, at: col as u8 },
            Place { line: (SIZE + col) as u8, at: row as u8 },
            Place { line: (2 * SIZE + col + SIZE - 1 - row) as u8, at: if row < col { row } else { col } as u8 },
            Place { line: (4 * SIZE - 1 + row + col) as u8, at: if row < from_right { row } else { from_right } as u8 },
        ];
        point += 1;
    }
    places
}

const fn edges() -> [u32; LINES] {
    let mut edges = [!0u32; LINES];
    let mut point = 0;
    while point < POINTS {
        let mut direction = 0;
        while direction < 4 {
            let place = PLACES[point][direction];
            edges[place.line as usize] &= !(1 << (place.at as u32 + REACH));
            direction += 1;
        }
        point += 1;
    }
    edges
}

/// Eleven cells of a line with the point in the middle (bit 5): own stones, and cells that can never be own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    own: u32,
    blocked: u32,
}

impl Window {
    const CELLS: u32 = (1 << (2 * REACH + 1)) - 1;
    const MIDDLE: u32 = 1 << REACH;

    /// The window around cell `at` of a line with these bits; the cell itself counts as own.
    #[inline]
    pub fn new(own: u32, blocked: u32, at: u8) -> Window {
        Window { own: (own >> at) & Self::CELLS | Self::MIDDLE, blocked: (blocked >> at) & Self::CELLS & !Self::MIDDLE }
    }

    /// How many own stones stand in an unbroken line through the middle, the middle included.
    #[inline]
    pub fn run(self) -> u32 {
        (self.own >> REACH).trailing_ones() + (self.own << (32 - REACH)).leading_ones()
    }

    /// What a black stone in the middle makes on this line.
    #[inline]
    pub fn shape(self) -> Shape {
        SHAPES[self.key()]
    }

    #[inline]
    fn key(self) -> usize {
        let sides = |bits: u32| ((bits & 0x1f) | (bits >> 6 << 5)) as usize;
        TERNARY[sides(self.own)] as usize + 2 * TERNARY[sides(self.blocked)] as usize
    }

    fn empty(self, cell: u32) -> bool {
        (self.own | self.blocked) >> cell & 1 == 0
    }

    fn is_own(self, cell: u32) -> bool {
        self.own >> cell & 1 == 1
    }

    /// The first and last cell of the unbroken line through `cell`, as if a stone stood there.
    fn run_with(self, cell: u32) -> (u32, u32) {
        let (mut low, mut high) = (cell, cell);
        while low > 0 && self.is_own(low - 1) {
            low -= 1;
        }
        while high < 2 * REACH && self.is_own(high + 1) {
            high += 1;
        }
        (low, high)
    }
}

/// What one stone makes on one line by the black rules, packed into sixteen bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Shape(u16);

impl Shape {
    const FIVE: u16 = 1;
    const OVERLINE: u16 = 2;
    const FOURS_SHIFT: u32 = 2;
    const CELLS_SHIFT: u32 = 4;
    /// The farthest cell that can turn a three into a straight four.
    const FAR: i32 = 3;

    /// Exactly five in a row.
    #[inline]
    pub fn is_five(self) -> bool {
        self.0 & Self::FIVE != 0
    }

    /// Six or more in a row.
    #[inline]
    pub fn is_overline(self) -> bool {
        self.0 & Self::OVERLINE != 0
    }

    /// Different fours with the stone, 0–2; a straight four is one.
    #[inline]
    pub fn fours(self) -> u32 {
        (self.0 >> Self::FOURS_SHIFT & 3) as u32
    }

    /// Whether another stone on the line makes a straight four with this one: a three, unless article 9.3 or a five
    /// elsewhere takes that cell away.
    #[inline]
    pub fn is_three(self) -> bool {
        self.0 >> Self::CELLS_SHIFT != 0
    }

    /// The cells that make the straight four, in steps along the line.
    #[inline]
    pub fn straight_four_cells(self) -> impl Iterator<Item = i32> {
        let mut cells = self.0 >> Self::CELLS_SHIFT;
        std::iter::from_fn(move || {
            (cells != 0).then(|| {
                let cell = cells.trailing_zeros() as i32;
                cells &= cells - 1;
                cell - Self::FAR
            })
        })
    }

    fn of(window: Window) -> Shape {
        let run = window.run();
        if run >= 5 {
            return Shape(if run == 5 { Self::FIVE } else { Self::OVERLINE });
        }
        let mut shape = fours(window) << Self::FOURS_SHIFT;
        for step in -Self::FAR..=Self::FAR {
            if makes_straight_four(window, (REACH as i32 + step) as u32) {
                shape |= 1 << (Self::CELLS_SHIFT as i32 + step + Self::FAR);
            }
        }
        Shape(shape)
    }
}

/// Sets of four stones with the middle that one more stone makes exactly five: `.XXXX.` has two such cells but
/// one set.
fn fours(window: Window) -> u16 {
    let mut sets: Vec<u32> = (1..2 * REACH)
        .filter(|&cell| window.empty(cell))
        .filter_map(|cell| {
            let (low, high) = window.run_with(cell);
            let five = high - low == 4 && (low..=high).contains(&REACH);
            five.then(|| (0b11111 << low) & !(1 << cell))
        })
        .collect();
    sets.sort_unstable();
    sets.dedup();
    sets.len() as u16
}

/// Whether a stone on `cell` makes four in a row with the middle that can become exactly five at both ends.
fn makes_straight_four(window: Window, cell: u32) -> bool {
    if !window.empty(cell) {
        return false;
    }
    let (low, high) = window.run_with(cell);
    high - low == 3
        && (low..=high).contains(&REACH)
        && window.empty(low - 1)
        && window.empty(high + 1)
        && !window.is_own(low - 2)
        && !window.is_own(high + 2)
}

/// The number whose base-3 digits are the bits of the index.
const TERNARY: [u16; 1024] = ternary();

const fn ternary() -> [u16; 1024] {
    let mut values = [0u16; 1024];
    let mut bits = 1;
    while bits < 1024 {
        values[bits] = 3 * values[bits >> 1] + (bits as u16 & 1);
        bits += 1;
    }
    values
}

/// The shapes of all windows, by key.
static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let mut shapes = vec![Shape::default(); 3usize.pow(2 * REACH)];
    let spread = |sides: u32| (sides & 0x1f) | (sides >> 5 << 6);
    for own in 0..1u32 << (2 * REACH) {
        let free = !own & 0x3ff;
        let mut blocked = free;
        loop {
            let window = Window { own: spread(own) | Window::MIDDLE, blocked: spread(blocked) };
            shapes[window.key()] = Shape::of(window);
            if blocked == 0 {
                break;
            }
            blocked = (blocked - 1) & free;
        }
    }
    shapes
});

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of eleven cells, `x` own, `.` empty, `#` blocked, the middle being the stone.
    fn shape(cells: &str) -> Shape {
        assert_eq!(cells.len(), 11);
        let bits =
            |letter| cells.chars().enumerate().filter(|&(_, c)| c == letter).fold(0, |bits, (i, _)| bits | 1 << i);
        Window::new(bits('x'), bits('#'), 0).shape()
    }

    #[test]
    fn lines_have_the_lengths_of_the_board() {
        let lengths: Vec<u32> = EDGES.iter().map(|edge| (!edge).count_ones()).collect();
        assert!(lengths[..30].iter().all(|&length| length == 15));
        for diagonals in [&lengths[30..59], &lengths[59..]] {
            assert_eq!(diagonals.iter().sum::<u32>(), 225);
            assert_eq!((diagonals[0], diagonals[14], diagonals[28]), (1, 15, 1));
        }
        // The cells of a line lie side by side from bit 5 up.
        assert!(EDGES.iter().zip(&lengths).all(|(edge, length)| !edge == ((1 << length) - 1) << REACH));
    }

    #[test]
    fn one_step_along_a_direction_is_the_next_cell_of_the_line() {
        for point in Point::all() {
            for direction in Direction::ALL {
                let here = place(point, direction);
                if EDGES[here.line as usize] >> (here.at as u32 + 1 + REACH) & 1 == 0 {
                    let next = place(point.along(direction, 1), direction);
                    assert_eq!(next, Place { line: here.line, at: here.at + 1 });
                }
            }
        }
    }

    #[test]
    fn five_and_overline() {
        assert!(shape("...xxxxx...").is_five());
        assert!(shape("#xxxxx#####").is_five());
        assert!(shape(".xxxxxx....").is_overline());
        assert!(shape("xxxxxxxxxxx").is_overline());
        assert!(!shape("x.xxxx.x...").is_five());
    }

    #[test]
    fn a_straight_four_is_one_four_and_two_sets_are_two() {
        assert_eq!(shape("...xxxx....").fours(), 1);
        assert_eq!(shape("...#xxxx.#.").fours(), 1);
        assert_eq!(shape(".x.xxx.x...").fours(), 2);
        assert_eq!(shape("..xx.xx.xx.").fours(), 2);
        assert_eq!(shape("..x.xxxx...").fours(), 1);
        // The only free end of the row makes six.
        assert_eq!(shape(".x.xxxx#...").fours(), 0);
    }

    #[test]
    fn a_three_names_its_straight_four_cells() {
        let cells = |text| shape(text).straight_four_cells().collect::<Vec<_>>();
        assert_eq!(cells("....xxx...."), [-2, 2]);
        assert_eq!(cells("..#.xxx...."), [2]);
        assert_eq!(cells("..#.xxx.#.."), [] as [i32; 0]);
        assert_eq!(cells("...x.xx...."), [-1]);
        assert_eq!(cells("..x..xxx..."), [3]);
        assert_eq!(cells("x...xxx...x"), [-2, 2]);
        assert_eq!(cells(".x..xxx..x."), [] as [i32; 0]);
    }
}
