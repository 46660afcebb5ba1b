//! The rule a second time, slowly: cell by cell from the definitions of the problem statement.
//!
//! It shares no code with [`super::forbidden`] and [`super::board`]: a plain array of cells, sets of stones, and
//! every four, straight four and three looked for by its own definition. Tests hold the fast rule against it, and
//! a program that prints a move can ask it once more before it does.

use std::collections::BTreeSet;

use super::forbidden::{Reason, Reasons};

/// The board as fifteen rows from the top of fifteen cells from the left.
pub type Cells = [[Cell; 15]; 15];

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cell {
    /// No stone.
    #[default]
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
}

/// Row and column, from 0.
type Spot = (i32, i32);
type Stones = BTreeSet<Spot>;

const DIRECTIONS: [Spot; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Cells from 225 letters as [`super::notation::board_text`] writes them.
pub fn cells(board_text: &str) -> Cells {
    let mut cells = Cells::default();
    for (cell, letter) in cells.iter_mut().flatten().zip(board_text.chars()) {
        *cell = match letter {
            'B' => Cell::Black,
            'W' => Cell::White,
            _ => Cell::Empty,
        };
    }
    cells
}

/// Why Black may not play on the empty cell (`row`, `col`), from 0; empty where the move is allowed.
pub fn reasons(cells: &Cells, row: usize, col: usize) -> Reasons {
    let spot = (row as i32, col as i32);
    let after = with_black(cells, spot);
    if makes_five(&after, spot) {
        return Reasons::default();
    }
    let mut reasons = Reasons::default();
    if DIRECTIONS.iter().any(|&direction| row_of(&after, spot, direction, Cell::Black).len() > 5) {
        reasons.insert(Reason::Overline);
    }
    let fours: BTreeSet<Stones> =
        DIRECTIONS.iter().flat_map(|&direction| fours(&after, spot, direction).into_keys()).collect();
    if fours.len() >= 2 {
        reasons.insert(Reason::DoubleFour);
    }
    let threes: BTreeSet<Stones> = DIRECTIONS.iter().flat_map(|&direction| threes(&after, spot, direction)).collect();
    if threes.len() >= 2 {
        reasons.insert(Reason::DoubleThree);
    }
    reasons
}

/// Whether a stone of `color` on the cell (`row`, `col`), from 0, makes a winning line: exactly five for Black,
/// five or more for White.
pub fn wins(cells: &Cells, row: usize, col: usize, color: Cell) -> bool {
    let spot = (row as i32, col as i32);
    DIRECTIONS.iter().any(|&direction| match row_of(cells, spot, direction, color).len() {
        5 => true,
        length => length > 5 && color == Cell::White,
    })
}

fn at(cells: &Cells, (row, col): Spot) -> Option<Cell> {
    if row < 0 || col < 0 {
        return None;
    }
    cells.get(row as usize)?.get(col as usize).copied()
}

fn with_black(cells: &Cells, spot: Spot) -> Cells {
    let mut after = *cells;
    after[spot.0 as usize][spot.1 as usize] = Cell::Black;
    after
}

fn step(spot: Spot, direction: Spot, steps: i32) -> Spot {
    (spot.0 + steps * direction.0, spot.1 + steps * direction.1)
}

/// The unbroken row of `color` through `spot`, which counts as a stone of `color`.
fn row_of(cells: &Cells, spot: Spot, direction: Spot, color: Cell) -> Stones {
    let side = |sign: i32| {
        (1..).map(move |k| step(spot, direction, sign * k)).take_while(|&next| at(cells, next) == Some(color))
    };
    side(-1).chain([spot]).chain(side(1)).collect()
}

fn makes_five(cells: &Cells, spot: Spot) -> bool {
    DIRECTIONS.iter().any(|&direction| row_of(cells, spot, direction, Cell::Black).len() == 5)
}

/// The fours of one line with the stone on `spot`, each with the cells that make it a five: any five cells of the
/// line with `spot` among them, four of them black and one empty, and no black stone beyond either end.
fn fours(cells: &Cells, spot: Spot, direction: Spot) -> std::collections::BTreeMap<Stones, Vec<Spot>> {
    let mut fours = std::collections::BTreeMap::<Stones, Vec<Spot>>::new();
    for start in -4..=0 {
        let beyond = [step(spot, direction, start - 1), step(spot, direction, start + 5)];
        if beyond.iter().any(|&end| at(cells, end) == Some(Cell::Black)) {
            continue;
        }
        let five = (start..start + 5).map(|k| step(spot, direction, k));
        let (stones, rest): (Stones, Stones) = five.partition(|&cell| at(cells, cell) == Some(Cell::Black));
        if stones.len() == 4 && rest.iter().all(|&cell| at(cells, cell) == Some(Cell::Empty)) {
            fours.entry(stones).or_default().extend(rest);
        }
    }
    fours
}

/// The threes of one line with the stone on `spot` that count by article 9.3: three stones that one more black
/// stone makes a straight four, where that stone makes no five and is itself allowed.
fn threes(cells: &Cells, spot: Spot, direction: Spot) -> BTreeSet<Stones> {
    let mut threes = BTreeSet::new();
    for added in (-3..=3).map(|k| step(spot, direction, k)) {
        if at(cells, added) != Some(Cell::Empty) {
            continue;
        }
        let after = with_black(cells, added);
        for (mut stones, fives) in fours(&after, spot, direction) {
            let straight = fives.len() == 2 && row_of(&after, spot, direction, Cell::Black) == stones;
            if straight && stones.remove(&added) && counts(cells, &after, added) {
                threes.insert(stones);
            }
        }
    }
    threes
}

fn counts(before: &Cells, after: &Cells, added: Spot) -> bool {
    !makes_five(after, added) && reasons(before, added.0 as usize, added.1 as usize).is_empty()
}
