//! The pattern sets a fit can choose from, by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::PatternSet;
use crate::eval::pattern::Pattern;
use crate::eval::{Part, edax};
use crate::game::Position;
use crate::game::othello::{Othello, notation};

/// A pattern set by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PatternSetName {
    /// Corners, edges, lines and diagonals with both mobilities: 11 shapes in 46 placements on 8×8.
    #[default]
    Standard,
    /// Eleven shapes of ten squares each in 46 placements with both mobilities, 347,554 weights a knot: reads as many as
    /// `Standard` and knows more; 8×8 only.
    Tens,
    /// The features of Edax's evaluation file, 12 shapes in 46 placements without mobilities; 8×8 only.
    Edax,
    /// Straight lines of four squares with both mobilities, 595 weights a knot, for the smallest bots; 8×8 only.
    Lines,
}

/// Every set.
pub const ALL: [PatternSetName; 4] =
    [PatternSetName::Standard, PatternSetName::Tens, PatternSetName::Edax, PatternSetName::Lines];

/// Why a set cannot be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoPatternSet {
    /// No set has this name.
    #[error("expected the pattern set standard, tens, edax or lines, found `{0}`")]
    Unknown(String),
    /// The set is made for 8×8.
    #[error("the pattern set {name} is for 8×8, not for {size}×{size}")]
    OtherSize {
        /// The set.
        name: PatternSetName,
        /// The board asked for.
        size: usize,
    },
}

impl fmt::Display for PatternSetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PatternSetName::Standard => "standard",
            PatternSetName::Tens => "tens",
            PatternSetName::Edax => "edax",
            PatternSetName::Lines => "lines",
        })
    }
}

impl FromStr for PatternSetName {
    type Err = NoPatternSet;

    fn from_str(text: &str) -> Result<PatternSetName, NoPatternSet> {
        ALL.into_iter().find(|name| name.to_string() == text).ok_or_else(|| NoPatternSet::Unknown(text.to_string()))
    }
}

impl PatternSetName {
    /// The set for N×N.
    ///
    /// # Errors
    /// [`NoPatternSet::OtherSize`] for a set of 8×8 on another board.
    pub fn set<const N: usize>(self) -> Result<PatternSet, NoPatternSet> {
        match self {
            PatternSetName::Standard => Ok(standard_set::<N>()),
            name if N != 8 => Err(NoPatternSet::OtherSize { name, size: N }),
            PatternSetName::Tens => Ok(tens()),
            PatternSetName::Edax => Ok(edax::pattern_set()),
            PatternSetName::Lines => Ok(lines()),
        }
    }
}

/// The default pattern set of a board size: corners, edges, lines and diagonals (11 shapes in 46 placements on
/// 8×8, after the feature sets published for Logistello and Edax).
pub fn standard_set<const N: usize>() -> PatternSet {
    let at = |row: usize, col: usize| notation::square::<N>(row, col) as u8;
    let line = |row: usize| (0..N).map(|col| at(row, col)).collect::<Vec<u8>>();
    let diagonal = |length: usize| (0..length).map(|i| at(N - length + i, i)).collect::<Vec<u8>>();
    let block = |rows: usize, cols: usize| {
        (0..rows).flat_map(|row| (0..cols).map(move |col| at(row, col))).collect::<Vec<u8>>()
    };
    let mut shapes: Vec<(String, Vec<u8>)> = Vec::new();
    if N > 4 {
        let mut edge = vec![at(1, 1)];
        edge.extend(line(0));
        edge.push(at(1, N - 2));
        shapes.push(("corner 3x3".into(), block(3, 3)));
        shapes.push(("edge + 2X".into(), edge));
        shapes.push((format!("corner 2x{}", N.min(5)), block(2, N.min(5))));
    } else {
        shapes.push(("edge block".into(), block(2, 4)));
    }
    for row in 1..N / 2 {
        shapes.push((format!("line {}", row + 1), line(row)));
    }
    for length in (4..=N).rev() {
        shapes.push((format!("diagonal {length}"), diagonal(length)));
    }
    let patterns = shapes.iter().map(|(name, cells)| Pattern::new(name, cells, 8)).collect();
    PatternSet::new::<N>(patterns).expect("the standard sets fit the lanes")
}

/// The parts through which patterns on N×N share: corners of 2×2 to 2×4, the whole edge and its ends, the ends of the
/// second line and of the long diagonal, and what the shapes of [`PatternSetName::Tens`] widen: the corner of 3×3, the
/// second line, all diagonals. Each belongs to the first pattern that contains it.
pub fn parts<const N: usize>(patterns: &[Pattern]) -> Vec<Part> {
    let at = |row: usize, col: usize| notation::square::<N>(row, col) as u8;
    let block = |cols: usize| (0..2).flat_map(|row| (0..cols).map(move |col| at(row, col))).collect::<Vec<u8>>();
    let line = |row: usize, cells: usize| (0..cells).map(|col| at(row, col)).collect::<Vec<u8>>();
    let half_diagonal = (0..N / 2).map(|i| at(i, i)).collect();
    let mut shapes =
        vec![line(0, N), block(2), block(3), block(N / 2), line(0, N / 2), line(0, N / 2 + 1), line(1, N / 2)];
    shapes.push(half_diagonal);
    if N > 4 {
        shapes.push([block(3), line(2, 3)].concat());
        shapes.push(line(1, N));
        shapes.extend((4..=N).map(|length| (0..length).map(|i| at(N - length + i, i)).collect()));
    }
    shapes.iter().filter_map(|cells| part_of(patterns, &Pattern::new("", cells, 8))).collect()
}

/// A part of the first pattern that contains `part` and is larger.
fn part_of(patterns: &[Pattern], part: &Pattern) -> Option<Part> {
    let inside = |pattern: &&Pattern| {
        let cells = &pattern.placements[0];
        pattern.cells() > part.cells() && part.placements.iter().any(|place| place.iter().all(|c| cells.contains(c)))
    };
    let table = patterns.iter().position(|pattern| inside(&pattern))?;
    let pattern = &patterns[table];
    let place_of = |cell: &u8| pattern.placements[0].iter().position(|c| c == cell);
    let places = part.placements.iter().filter_map(|place| place.iter().map(place_of).collect::<Option<Vec<_>>>());
    let maps = places
        .map(|place| {
            let mut map = vec![0; pattern.size];
            for (raw, &shared) in pattern.shared.iter().enumerate() {
                let digits = place.iter().rev().fold(0, |index, &cell| 3 * index + raw / 3usize.pow(cell as u32) % 3);
                map[shared as usize] = part.shared[digits];
            }
            map
        })
        .collect();
    Some(Part { table, size: part.size, maps })
}

/// The standard shapes widened to ten squares each, or exchanged for compact blocks of ten: found by fitting some sixty
/// such shapes, one exchanged at a time, to the same games (docs/learning.md).
fn tens() -> PatternSet {
    // Squares that a symmetry of the shape exchanges stand side by side, those it keeps in their place come last: shapes
    // of the same kind then have the same table of shared configurations, which a bot works out once.
    let shapes = [
        ("corner 3x3 + center", "b1 a2 c1 a3 c2 b3 a1 b2 c3 d4"),
        ("edge + 2X", "a1 h1 b1 g1 c1 f1 d1 e1 b2 g2"),
        ("corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
        ("line 2 + corners", "a2 h2 b2 g2 c2 f2 d2 e2 a1 h1"),
        ("edge block", "c1 f1 d1 e1 c2 f2 d2 e2 d3 e3"),
        ("inner block", "b4 g4 c4 f4 d4 e4 c3 f3 d3 e3"),
        ("diagonal 8 + corners", "a1 h8 b2 g7 c3 f6 d4 e5 a8 h1"),
        ("diagonal 7 + 2X", "g1 a7 f2 b6 e3 c5 g2 b7 d4 c3"),
        ("diagonals 6 and 5", "f1 a6 e2 b5 d3 c4 e1 a5 d2 b4"),
        ("kite", "e1 a5 d2 b4 c2 b3 d3 c4 b2 c3"),
        ("triangle", "b1 a2 c1 a3 d1 a4 c2 b3 a1 b2"),
    ];
    let square = |name: &str| <Othello<8>>::parse_move(name).expect("a square").0;
    let cells = |names: &str| names.split(' ').map(square).collect::<Vec<u8>>();
    let patterns = shapes.map(|(name, names)| Pattern::new(name, &cells(names), 8)).to_vec();
    PatternSet::new::<8>(patterns).expect("46 placements fit the lanes")
}

/// Lines of four squares (after W. Jaśkowski 2014, "Systematic n-tuple networks for Othello position evaluation", who
/// found many short straight tuples better than few long ones): the halves of all rows and columns, the outer halves
/// of the three longest diagonals, and the diagonals of four.
fn lines() -> PatternSet {
    let half = |row: u8| (0..4).map(|col| 8 * row + col).collect::<Vec<u8>>();
    let diagonal = |row: u8, col: u8| (0..4).map(|i| 8 * (row + i) + col + i).collect::<Vec<u8>>();
    let shapes = [
        ("half line 1", half(0)),
        ("half line 2", half(1)),
        ("half line 3", half(2)),
        ("half line 4", half(3)),
        ("half diagonal 8", diagonal(0, 0)),
        ("half diagonal 7", diagonal(1, 0)),
        ("diagonal 4", diagonal(4, 0)),
    ];
    let patterns = shapes.iter().map(|(name, cells)| Pattern::new(name, cells, 8)).collect();
    PatternSet::new::<8>(patterns).expect("48 placements fit the lanes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_refused() {
        for name in ALL {
            assert_eq!(name.to_string().parse(), Ok(name));
            assert!(name.set::<8>().is_ok());
        }
        assert_eq!("egaroucid".parse::<PatternSetName>(), Err(NoPatternSet::Unknown("egaroucid".into())));
        assert!(PatternSetName::Standard.set::<6>().is_ok());
        let refused = PatternSetName::Edax.set::<6>().err();
        assert_eq!(refused, Some(NoPatternSet::OtherSize { name: PatternSetName::Edax, size: 6 }));
    }

    #[test]
    fn the_sets_have_the_announced_sizes() {
        let size = |name: PatternSetName| {
            let set = name.set::<8>().unwrap();
            (set.patterns.len(), set.instances.len(), set.layout().row_len())
        };
        assert_eq!(size(PatternSetName::Lines), (7, 48, 595));
        // Edax's file has 114,364 numbers a ply, one of them the constant.
        assert_eq!(size(PatternSetName::Edax), (12, 46, 114_363));
        assert_eq!(size(PatternSetName::Standard).1, 46);
        assert_eq!(size(PatternSetName::Tens), (11, 46, 347_554));
    }

    #[test]
    fn lines_see_every_square() {
        let set = PatternSetName::Lines.set::<8>().unwrap();
        let seen =
            set.patterns.iter().flat_map(|pattern| pattern.placements.concat()).fold(0u64, |all, cell| all | 1 << cell);
        assert_eq!(seen, u64::MAX);
    }
}
