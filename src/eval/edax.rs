//! Edax's evaluation file (`eval.dat`), written from weights of its features and read back.
//!
//! The layout, in the byte order of the machine that wrote it (the magic tells which): u32 `EDAX`, u32 `EVAL`, u32
//! version, release and build (3, 2, 5), f64 date, then for each of 61 plies 114,364 i16, 128 to a disc. A ply holds 12
//! features one after the other and a constant. A feature's index has the first of its squares as the highest digit
//! in base 3, 0 for a disc of the side to move, 1 for the opponent's, 2 for an empty square; of configurations that the
//! symmetry of the feature makes equal only the first in the order of the index is there.

use thiserror::Error;

use super::evaluator::{mix_row, stored_tables};
use super::othello::PatternSet;
use super::pattern::Pattern;
use super::weights::{Kind, Table, Weights};
use crate::game::GameId;
use crate::game::othello::notation::parse_move;

/// Plies, from an empty board's first move to a full board.
const PLIES: usize = 61;
/// Numbers a ply: the packed features and the constant.
const ROW: usize = 114_364;
/// Bytes before the numbers.
const HEADER: usize = 28;
/// Units of a disc.
const SCALE: u16 = 128;
/// `EDAX` and `EVAL` as numbers.
const MAGIC: [u32; 2] = [u32::from_be_bytes(*b"EDAX"), u32::from_be_bytes(*b"EVAL")];
/// Version, release, build: what Edax's own file of this layout says.
const EDITION: [u32; 3] = [3, 2, 5];

/// The features in file order: the squares of one placement each, the highest digit first.
const FEATURES: [(&str, &str); 12] = [
    ("corner 3x3", "a1 b1 a2 b2 c1 a3 c2 b3 c3"),
    ("two edges + X", "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1"),
    ("edge + 2X", "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"),
    ("corners + block", "a1 c1 d1 c2 d2 e2 f2 e1 f1 h1"),
    ("line 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("line 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("line 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal 7", "b1 c2 d3 e4 f5 g6 h7"),
    ("diagonal 6", "c1 d2 e3 f4 g5 h6"),
    ("diagonal 5", "d1 e2 f3 g4 h5"),
    ("diagonal 4", "d1 c2 b3 a4"),
];

/// Why weights and Edax's file do not go together.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum EdaxError {
    /// The weights have other features.
    #[error("Edax's file takes the features of the pattern set `edax` and no other (fit --patterns edax): {0}")]
    Features(String),
    /// The weights have other plies or another unit.
    #[error("Edax's file takes 8×8 Othello weights of 128 units a disc with 61 constants, found {0}")]
    Shape(String),
    /// The bytes are not such a file.
    #[error("not a whole evaluation file of Edax: offset {offset}: {problem}")]
    Damaged {
        /// Where.
        offset: usize,
        /// What was expected and what was found.
        problem: String,
    },
}

/// The pattern set of Edax's features, without mobilities.
pub fn pattern_set() -> PatternSet {
    let patterns = FEATURES.map(|(name, _)| name).into_iter().zip(shapes());
    let patterns = patterns.map(|(name, cells)| Pattern::new(name, &cells, 8)).collect();
    PatternSet::patterns_only::<8>(patterns).expect("46 placements fit the lanes")
}

/// Whether bytes begin as Edax's file does, in either byte order.
pub fn is_edax(bytes: &[u8]) -> bool {
    order_of(bytes).is_some()
}

/// The file for `weights`: their rows at every ply, mixed between the knots as at play.
///
/// # Errors
/// When the weights have other features, an unlike unit, or mobilities that count.
pub fn to_bytes(weights: &Weights) -> Result<Vec<u8>, EdaxError> {
    if weights.game != GameId::Othello || weights.scale != SCALE || weights.constants.len() != PLIES {
        let (game, scale, constants) = (weights.game, weights.scale, weights.constants.len());
        return Err(EdaxError::Shape(format!("{game}, {scale} units, {constants} constants")));
    }
    let columns = columns(&weights.tables)?;
    let strangers = unused(weights, &columns);
    if !strangers.is_empty() {
        return Err(EdaxError::Features(format!("it has no place for {}", strangers.join(", "))));
    }
    let mut out = Vec::with_capacity(HEADER + 2 * PLIES * ROW);
    out.extend(MAGIC.into_iter().chain(EDITION).flat_map(u32::to_le_bytes));
    // The date counts for nothing: the same weights give the same bytes.
    out.extend(0f64.to_le_bytes());
    for (ply, &constant) in weights.constants.iter().enumerate() {
        let row = mix_row(weights, ply);
        let values = columns.iter().map(|&column| row[column as usize]).chain([constant]);
        out.extend(values.flat_map(i16::to_le_bytes));
    }
    Ok(out)
}

/// The weights of a file: the pattern set `edax` with a knot at every ply.
///
/// # Errors
/// Bytes that are no such file, with the place.
pub fn from_bytes(bytes: &[u8]) -> Result<Weights, EdaxError> {
    let damaged = |offset, problem: String| EdaxError::Damaged { offset, problem };
    let order = order_of(bytes).ok_or_else(|| damaged(0, "expected it to begin with `EDAX` and `EVAL`".into()))?;
    let expected = HEADER + 2 * PLIES * ROW;
    if bytes.len() != expected {
        return Err(damaged(bytes.len().min(expected), format!("expected {expected} bytes, found {}", bytes.len())));
    }
    let set = pattern_set();
    let tables = stored_tables(set.layout(), &set.patterns);
    let columns = columns(&tables)?;
    let mut values = vec![0; PLIES * (ROW - 1)];
    let mut constants = Vec::with_capacity(PLIES);
    for (ply, row) in bytes[HEADER..].chunks_exact(2 * ROW).enumerate() {
        let number = |at: usize| order.i16([row[2 * at], row[2 * at + 1]]);
        for (at, &column) in columns.iter().enumerate() {
            values[ply * (ROW - 1) + column as usize] = number(at);
        }
        constants.push(number(ROW - 1));
    }
    Ok(Weights {
        game: GameId::Othello,
        scale: SCALE,
        parent: [0; 32],
        knots: (0..PLIES as u8).collect(),
        tables,
        constants,
        values,
        probcut: Vec::new(),
    })
}

/// The order of the bytes of a number.
#[derive(Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    fn i16(self, bytes: [u8; 2]) -> i16 {
        match self {
            ByteOrder::Little => i16::from_le_bytes(bytes),
            ByteOrder::Big => i16::from_be_bytes(bytes),
        }
    }
}

/// The byte order that the magic tells, or that it is none.
fn order_of(bytes: &[u8]) -> Option<ByteOrder> {
    let begins = |magic: [[u8; 4]; 2]| bytes.starts_with(&magic.concat());
    match () {
        _ if begins(MAGIC.map(u32::to_le_bytes)) => Some(ByteOrder::Little),
        _ if begins(MAGIC.map(u32::to_be_bytes)) => Some(ByteOrder::Big),
        _ => None,
    }
}

/// The squares of each feature, the highest digit first.
fn shapes() -> [Vec<u8>; 12] {
    FEATURES.map(|(_, squares)| squares.split(' ').map(|text| parse_move::<8>(text).expect("a square").0).collect())
}

/// For every number of a ply but the constant its column in a row of weights with these tables.
fn columns(tables: &[Table]) -> Result<Vec<u32>, EdaxError> {
    let mut columns = Vec::with_capacity(ROW - 1);
    let mut missing = Vec::new();
    for ((name, _), cells) in FEATURES.into_iter().zip(shapes()) {
        let mut start = 0;
        let found = tables.iter().find_map(|table| {
            let here = start;
            start += table.size;
            let Kind::Cells(shape) = &table.kind else { return None };
            let pattern = (shape.len() == cells.len()).then(|| Pattern::new(name, shape, 8))?;
            let placement =
                pattern.placements.iter().find(|placement| cells.iter().all(|cell| placement.contains(cell)));
            placement.cloned().map(|placement| (here, pattern, placement))
        });
        match found {
            Some((start, pattern, placement)) => {
                columns.extend(packed(&cells, &pattern, &placement).iter().map(|&shared| start as u32 + shared));
            }
            None => missing.push(name),
        }
    }
    if missing.is_empty() { Ok(columns) } else { Err(EdaxError::Features(format!("missing {}", missing.join(", ")))) }
}

/// The shared weights of a pattern in the order in which the file's index over `cells` first meets them.
fn packed(cells: &[u8], pattern: &Pattern, placement: &[u8]) -> Vec<u32> {
    let count = cells.len();
    // What digit number k of the file's index, counted from the highest, is worth in ours.
    let worth: Vec<usize> = cells
        .iter()
        .map(|cell| 3usize.pow(placement.iter().position(|own| own == cell).expect("the same squares") as u32))
        .collect();
    let mut seen = vec![false; pattern.size];
    let mut order = Vec::with_capacity(pattern.size);
    for index in 0..3usize.pow(count as u32) {
        let mut rest = index;
        let mut raw = 0;
        for worth in worth.iter().rev() {
            // Side to move, opponent, empty are 0, 1, 2 there and 1, 2, 0 here.
            raw += (rest % 3 + 1) % 3 * worth;
            rest /= 3;
        }
        let shared = pattern.shared[raw] as usize;
        if !std::mem::replace(&mut seen[shared], true) {
            order.push(shared as u32);
        }
    }
    order
}

/// The tables of `weights` that the file has no place for and that are not all 0.
fn unused(weights: &Weights, columns: &[u32]) -> Vec<String> {
    let mut start = 0;
    let mut names = Vec::new();
    let has_place = |start: usize| columns.contains(&(start as u32));
    for table in &weights.tables {
        let mut rows = (0..weights.knots.len()).map(|knot| &weights.row(knot)[start..start + table.size]);
        if !has_place(start) && rows.any(|row| row.iter().any(|&value| value != 0)) {
            names.push(table.name.clone());
        }
        start += table.size;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::evaluator::Evaluator;
    use crate::eval::othello::standard_set;
    use crate::game::othello::Othello;
    use crate::game::{Move, Position, symmetry};
    use crate::rng::{Domain, RngExt, stream};

    fn random_weights(set: &PatternSet, knots: &[u8]) -> Weights {
        let mut rng = stream(1, Domain::Test, 40);
        let count = set.layout().row_len() * knots.len();
        Weights {
            game: GameId::Othello,
            scale: SCALE,
            parent: [0; 32],
            tables: stored_tables(set.layout(), &set.patterns),
            constants: (0..PLIES).map(|_| rng.random_range(-3000..3000)).collect(),
            values: (0..count).map(|_| rng.random_range(-3000..3000)).collect(),
            knots: knots.to_vec(),
            probcut: Vec::new(),
        }
    }

    /// The file's sum for a position by the text of the layout alone: all placements of each feature by turning the
    /// board, indices in the file's digits, configurations packed by comparing an index with that of its mirror image.
    struct Reading<'a> {
        bytes: &'a [u8],
        features: Vec<Feature>,
    }

    struct Feature {
        placements: Vec<Vec<u8>>,
        packed: Vec<u32>,
    }

    /// The squares under a symmetry of the board, in the same order.
    fn image(cells: &[u8], s: usize) -> Vec<u8> {
        let at = |&cell: &u8| symmetry::map(s, cell as usize / 8, cell as usize % 8, 8);
        cells.iter().map(at).map(|(row, col)| (8 * row + col) as u8).collect()
    }

    fn same_squares(a: &[u8], b: &[u8]) -> bool {
        a.iter().all(|cell| b.contains(cell))
    }

    impl Feature {
        fn new(cells: &[u8]) -> Feature {
            let images: Vec<Vec<u8>> = (0..8).map(|s| image(cells, s)).collect();
            let mut placements: Vec<Vec<u8>> = Vec::new();
            for image in &images {
                if !placements.iter().any(|known| same_squares(known, image)) {
                    placements.push(image.clone());
                }
            }
            // The one mirror image of the feature on its own squares.
            let own = images.iter().find(|image| same_squares(image, cells) && *image != cells).expect("symmetric");
            let to: Vec<usize> = own.iter().map(|cell| cells.iter().position(|c| c == cell).unwrap()).collect();
            let worth = |k: usize| 3usize.pow((cells.len() - 1 - k) as u32);
            let mut packed: Vec<u32> = Vec::new();
            let mut next = 0;
            for index in 0..3usize.pow(cells.len() as u32) {
                let mirrored: usize = (0..cells.len()).map(|k| index / worth(k) % 3 * worth(to[k])).sum();
                packed.push(if mirrored < index { packed[mirrored] } else { next });
                next += u32::from(mirrored >= index);
            }
            Feature { placements, packed }
        }
    }

    impl Reading<'_> {
        fn new(bytes: &[u8]) -> Reading<'_> {
            Reading { bytes, features: shapes().iter().map(|cells| Feature::new(cells)).collect() }
        }

        fn sum(&self, position: &Othello<8>) -> i32 {
            let board = position.board();
            let ply = 60 - (!(board.player | board.opponent)).count_ones() as usize;
            let number = |at: usize| {
                let offset = 28 + 2 * (ply * 114_364 + at);
                i32::from(i16::from_le_bytes([self.bytes[offset], self.bytes[offset + 1]]))
            };
            let digit = |&cell: &u8| match (board.player >> cell & 1, board.opponent >> cell & 1) {
                (1, _) => 0,
                (_, 1) => 1,
                _ => 2,
            };
            let mut sum = number(114_363);
            let mut start = 0;
            for feature in &self.features {
                for placement in &feature.placements {
                    let index = placement.iter().map(digit).fold(0, |index, digit| 3 * index + digit);
                    sum += number(start + feature.packed[index] as usize);
                }
                start += *feature.packed.iter().max().unwrap() as usize + 1;
            }
            sum
        }
    }

    fn random_positions(count: usize) -> Vec<Othello<8>> {
        let mut positions = Vec::new();
        for game in 0.. {
            let mut rng = stream(game, Domain::Test, 41);
            let mut position = Othello::<8>::start();
            loop {
                positions.push(position);
                if positions.len() == count {
                    return positions;
                }
                let moves = position.legal_moves();
                let Some(&mv) = (!moves.is_empty()).then(|| &moves[rng.random_range(0..moves.len())]) else { break };
                assert!(mv == Move::PASS || (mv.0 as usize) < 64);
                position.play(mv).unwrap();
            }
        }
        unreachable!("there is always another game")
    }

    #[test]
    fn what_is_written_is_what_the_layout_says_and_reads_back_the_same_on_10000_positions() {
        let weights = random_weights(&pattern_set(), &[4, 20, 33, 48]);
        let bytes = to_bytes(&weights).unwrap();
        assert_eq!(bytes.len(), 28 + 61 * 114_364 * 2);
        assert_eq!(&bytes[..20], b"XADELAVE\x03\0\0\0\x02\0\0\0\x05\0\0\0");
        let back = from_bytes(&bytes).unwrap();
        assert_eq!(to_bytes(&back).unwrap(), bytes);
        let (ours, theirs) = (Evaluator::<8>::new(&weights).unwrap(), Evaluator::<8>::new(&back).unwrap());
        let reading = Reading::new(&bytes);
        for position in random_positions(10_000) {
            let sum = ours.sum(position.board());
            assert_eq!(theirs.sum(position.board()), sum, "read back, {position:?}");
            assert_eq!(reading.sum(&position), sum, "by the layout, {position:?}");
        }
    }

    #[test]
    fn the_other_byte_order_is_read_as_well() {
        let bytes = to_bytes(&random_weights(&pattern_set(), &[30])).unwrap();
        let mut turned = bytes.clone();
        turned[..20].chunks_exact_mut(4).for_each(<[u8]>::reverse);
        turned[20..28].reverse();
        turned[28..].chunks_exact_mut(2).for_each(<[u8]>::reverse);
        assert_eq!(from_bytes(&turned), from_bytes(&bytes));
    }

    #[test]
    fn other_features_are_refused_and_mobilities_of_zero_are_not() {
        let standard = random_weights(&standard_set::<8>(), &[30]);
        let message = to_bytes(&standard).unwrap_err().to_string();
        assert!(message.contains("pattern set `edax`") && message.contains("--patterns edax"), "{message}");
        assert!(message.contains("corners + block") && message.contains("two edges + X"), "{message}");
        let with = PatternSet::new::<8>(pattern_set().patterns).unwrap();
        let mut weights = random_weights(&with, &[30]);
        let message = to_bytes(&weights).unwrap_err().to_string();
        assert!(message.contains("no place for mobility, opponent mobility"), "{message}");
        let patterns = ROW - 1;
        weights.values[patterns..].fill(0);
        assert!(to_bytes(&weights).is_ok());
        weights.scale = 256;
        assert!(matches!(to_bytes(&weights), Err(EdaxError::Shape(_))));
    }

    #[test]
    fn damaged_files_are_refused_with_the_place() {
        let bytes = to_bytes(&random_weights(&pattern_set(), &[30])).unwrap();
        let offset = |bytes: &[u8]| match from_bytes(bytes) {
            Err(EdaxError::Damaged { offset, .. }) => offset,
            other => panic!("{other:?}"),
        };
        assert_eq!(offset(&bytes[..5000]), 5000);
        assert_eq!(offset(b"EVAL"), 0);
        assert_eq!(offset(&[bytes.clone(), vec![0]].concat()), bytes.len());
    }
}
