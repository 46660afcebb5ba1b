//! Othello at play time: weights expanded to one integer table per ply.
//!
//! The two knots around a ply are mixed once, with exact integer rounding, and shared weights are spread over the
//! raw indices, so an evaluation is one read per instance. The baked bots do the same sums in the same order.

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

use super::othello::{DISC, LANES, Lanes, MOBILITIES, MOBILITY_SIZE, PatternSet, mobility_index};
use super::pattern::{MAX_CELLS, Pattern};
use super::weights::{Kind, ProbCut, Table, Weights};
use super::{Layout, mixture};
use crate::game::othello::{Board, Othello};
use crate::game::{GameId, Position};

/// The largest value of an evaluation, just inside a certain win by all discs.
pub const MOST: i32 = 64 * DISC - 1;

/// Why weights cannot evaluate Othello.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum EvaluatorError {
    /// They belong to another game.
    #[error("the weights are for {found}, expected {expected}")]
    OtherGame {
        /// The game of the weights.
        found: GameId,
        /// The game wanted.
        expected: GameId,
    },
    /// Their tables are not Othello features this program knows.
    #[error("table `{table}`: {problem}")]
    Table {
        /// The table's name.
        table: String,
        /// What is wrong.
        problem: String,
    },
}

/// The pattern set a weights file describes.
pub fn pattern_set<const N: usize>(weights: &Weights) -> Result<PatternSet, EvaluatorError> {
    let expected = <Othello<N> as Position>::GAME;
    if weights.game != expected {
        return Err(EvaluatorError::OtherGame { found: weights.game, expected });
    }
    let bad = |table: &str, problem: String| EvaluatorError::Table { table: table.to_string(), problem };
    let mut patterns = Vec::new();
    for table in &weights.tables {
        let Kind::Cells(cells) = &table.kind else { continue };
        let on_board = |cell: &u8| *cell < 64 && Othello::<N>::SQUARES >> *cell & 1 == 1;
        if cells.is_empty() || cells.len() > MAX_CELLS || !cells.iter().all(on_board) {
            return Err(bad(&table.name, format!("expected 1 to {MAX_CELLS} squares of the board, found {cells:?}")));
        }
        let pattern = Pattern::new(&table.name, cells, 8);
        if pattern.size != table.size {
            return Err(bad(&table.name, format!("expected {} weights, found {}", pattern.size, table.size)));
        }
        patterns.push(pattern);
    }
    let make = if has_mobility(weights) { PatternSet::new::<N> } else { PatternSet::patterns_only::<N> };
    let set = make(patterns).ok_or_else(|| bad("patterns", format!("more than {LANES} placements in all")))?;
    let found: Vec<_> = weights.tables.iter().map(|table| (table.name.as_str(), table.size)).collect();
    let wanted: Vec<_> = set.layout().tables.iter().map(|table| (table.name.as_str(), table.size)).collect();
    if found != wanted || weights.constants.len() != set.layout().plies {
        return Err(bad("all", "expected patterns, both mobilities or none, and a constant per ply".to_string()));
    }
    Ok(set)
}

fn has_mobility(weights: &Weights) -> bool {
    weights.tables.iter().any(|table| MOBILITIES.contains(&table.name.as_str()))
}

/// The same evaluation with tables of mobilities, all 0 where the weights have none: what plays expects them.
pub fn with_mobilities(weights: &Weights) -> Cow<'_, Weights> {
    if has_mobility(weights) {
        return Cow::Borrowed(weights);
    }
    let table = |name: &str| Table { name: name.into(), kind: Kind::Scalar, size: MOBILITY_SIZE };
    let mut wider = weights.clone();
    wider.tables.extend(MOBILITIES.map(table));
    let nothing = [0; 2 * MOBILITY_SIZE];
    wider.values =
        (0..weights.knots.len()).flat_map(|knot| weights.row(knot).iter().chain(&nothing)).copied().collect();
    Cow::Owned(wider)
}

/// The weights file's description of a layout whose cell tables are `patterns`.
pub fn stored_tables(layout: &Layout, patterns: &[Pattern]) -> Vec<super::weights::Table> {
    layout
        .tables
        .iter()
        .enumerate()
        .map(|(number, table)| super::weights::Table {
            name: table.name.clone(),
            kind: patterns.get(number).map_or(Kind::Scalar, |pattern| Kind::Cells(pattern.placements[0].clone())),
            size: table.size,
        })
        .collect()
}

/// An Othello evaluation ready to play. Cloning shares the tables.
#[derive(Clone)]
pub struct Evaluator<const N: usize> {
    tables: Arc<Tables>,
}

struct Tables {
    set: PatternSet,
    /// Where each instance's table begins within one ply's weights.
    offsets: [u32; LANES],
    count: usize,
    /// Raw configurations of all patterns, then the two mobility tables.
    stride: usize,
    /// One row of `stride` weights per ply, in 1/128 disc.
    values: Vec<i16>,
    constants: Vec<i32>,
    /// Right shift from weight units to search units.
    shift: u32,
    probcut: Vec<ProbCut>,
}

impl<const N: usize> Evaluator<N> {
    /// Expands `weights`.
    pub fn new(weights: &Weights) -> Result<Self, EvaluatorError> {
        let weights = &*with_mobilities(weights);
        let set = pattern_set::<N>(weights)?;
        let shift = match (weights.scale as u32 / DISC as u32, weights.scale.is_power_of_two()) {
            (ratio, true) if ratio >= 1 => ratio.trailing_zeros(),
            _ => {
                let problem = format!("expected a scale of 2^n ≥ {DISC} units a disc, found {}", weights.scale);
                return Err(EvaluatorError::Table { table: "all".into(), problem });
            }
        };
        let mut starts = Vec::new();
        let mut stride = 0;
        for pattern in &set.patterns {
            starts.push(stride as u32);
            stride += pattern.shared.len();
        }
        let mut offsets = [0; LANES];
        for (lane, &pattern) in set.instances.iter().enumerate() {
            offsets[lane] = starts[pattern as usize];
        }
        let patterns_end = stride;
        stride += 2 * MOBILITY_SIZE;
        let plies = set.layout().plies;
        let mut values = vec![0i16; plies * stride];
        for (ply, row) in values.chunks_exact_mut(stride).enumerate() {
            let mixed = mix_row(weights, ply);
            let mut shared_start = 0;
            let mut raw_start = 0;
            for pattern in &set.patterns {
                for (raw, &shared) in pattern.shared.iter().enumerate() {
                    row[raw_start + raw] = mixed[shared_start + shared as usize];
                }
                shared_start += pattern.size;
                raw_start += pattern.shared.len();
            }
            row[patterns_end..].copy_from_slice(&mixed[shared_start..]);
        }
        let count = set.instances.len();
        let constants = weights.constants.iter().map(|&value| i32::from(value)).collect();
        let probcut = weights.probcut.clone();
        Ok(Evaluator { tables: Arc::new(Tables { set, offsets, count, stride, values, constants, shift, probcut }) })
    }

    /// The pattern set, for index updates.
    #[inline(always)]
    pub fn set(&self) -> &PatternSet {
        &self.tables.set
    }

    /// The ProbCut lines of the weights.
    pub fn probcut(&self) -> &[ProbCut] {
        &self.tables.probcut
    }

    /// The value of `board` for its side to move in search units, from the indices that side sees.
    #[inline(always)]
    pub fn evaluate(&self, board: Board, seen: &Lanes) -> i32 {
        let shift = self.tables.shift;
        ((self.sum_of(board, seen) + (1 << shift >> 1)) >> shift).clamp(-MOST, MOST)
    }

    /// The sum of the weights that `board` reads.
    #[inline(always)]
    fn sum_of(&self, board: Board, seen: &Lanes) -> i32 {
        let tables = &*self.tables;
        let ply = (board.player | board.opponent).count_ones() as usize - 4;
        let row = &tables.values[ply * tables.stride..(ply + 1) * tables.stride];
        let mut sum = tables.constants[ply];
        for lane in 0..tables.count {
            let index = (tables.offsets[lane] + u32::from(seen.0[lane])) as usize;
            debug_assert!(index < row.len());
            // SAFETY: a lane is below 3^cells of its pattern by construction (digits 0–2 per cell), so offset + lane
            // stays inside the row; debug builds check it.
            sum += i32::from(unsafe { *row.get_unchecked(index) });
        }
        let mobilities = &row[tables.stride - 2 * MOBILITY_SIZE..];
        sum += i32::from(mobilities[mobility_index::<N>(board.player, board.opponent)]);
        sum + i32::from(mobilities[MOBILITY_SIZE + mobility_index::<N>(board.opponent, board.player)])
    }

    /// The value of a position from scratch in weight units, neither rounded nor clamped.
    pub fn sum(&self, board: Board) -> i32 {
        self.sum_of(board, &super::othello::Indices::new(self.set(), board).seen(true))
    }

    /// The value of a position from scratch, in search units, for the side to move.
    pub fn value(&self, board: Board) -> i32 {
        let indices = super::othello::Indices::new(self.set(), board);
        self.evaluate(board, &indices.seen(true))
    }
}

/// The weights of all tables at `ply`: the knots around it, mixed in 256ths and rounded to nearest.
pub fn mix_row(weights: &Weights, ply: usize) -> Vec<i16> {
    let (below, above, share) = mixture(&weights.knots, ply);
    if share == 0 {
        return weights.row(below).to_vec();
    }
    let pairs = weights.row(below).iter().zip(weights.row(above));
    pairs.map(|(&a, &b)| ((i32::from(a) * (256 - share) + i32::from(b) * share + 128) >> 8) as i16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::othello::{Indices, OthelloFeatures, standard_set};
    use crate::eval::{FeatureModel, even_knots};
    use crate::game::{Move, symmetry};
    use crate::rng::{Domain, RngExt, stream};

    /// Weights drawn at random: every mistake in an index shows.
    fn random_weights<const N: usize>(seed: u64) -> Weights {
        let set = standard_set::<N>();
        let mut rng = stream(seed, Domain::Test, 2);
        let knots = even_knots(4, 2, N * N - 10);
        let count = set.layout().row_len() * knots.len();
        Weights {
            game: <Othello<N> as Position>::GAME,
            scale: 128,
            parent: [0; 32],
            tables: stored_tables(set.layout(), &set.patterns),
            constants: (0..set.layout().plies).map(|_| rng.random_range(-300..300)).collect(),
            values: (0..count).map(|_| rng.random_range(-300..300)).collect(),
            knots,
            probcut: Vec::new(),
        }
    }

    /// Plays random games and hands every position to `check` with the indices kept move by move.
    fn random_games<const N: usize>(set: &PatternSet, games: u64, mut check: impl FnMut(Othello<N>, &Indices, bool)) {
        for game in 0..games {
            let mut rng = stream(game, Domain::Test, 3);
            let mut position = Othello::<N>::start();
            let mut indices = Indices::new(set, position.board());
            let mut by_first = true;
            loop {
                check(position, &indices, by_first);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.random_range(0..moves.len())];
                if mv != Move::PASS {
                    let board = position.board();
                    let square = mv.0 as usize;
                    let flipped = crate::game::othello::flips::flips(board.player, board.opponent, square);
                    indices = indices.after(set, square, flipped, by_first);
                }
                position.play(mv).unwrap();
                by_first = !by_first;
            }
        }
    }

    fn incremental_is_from_scratch<const N: usize>() {
        let weights = random_weights::<N>(1);
        let evaluator = Evaluator::<N>::new(&weights).unwrap();
        random_games::<N>(evaluator.set(), 40, |position, indices, by_first| {
            let seen = indices.seen(by_first);
            assert_eq!(seen, Indices::new(evaluator.set(), position.board()).seen(true));
            let value = evaluator.evaluate(position.board(), &seen);
            for s in 0..symmetry::COUNT {
                assert_eq!(evaluator.value(position.board().transformed(s)), value, "symmetry {s} of {position:?}");
            }
        });
    }

    #[test]
    fn incremental_is_from_scratch_and_symmetric_on_every_size() {
        incremental_is_from_scratch::<4>();
        incremental_is_from_scratch::<6>();
        incremental_is_from_scratch::<8>();
    }

    #[test]
    fn play_time_value_is_the_sum_the_fit_sees() {
        let weights = random_weights::<8>(2);
        let evaluator = Evaluator::<8>::new(&weights).unwrap();
        let features = OthelloFeatures::<8>::new(standard_set::<8>());
        let offsets = features.layout().offsets();
        let mut indices = vec![0; features.layout().instances.len()];
        random_games::<8>(evaluator.set(), 20, |position, _, _| {
            features.indices(&position, &mut indices);
            let (below, above, share) = mixture(&weights.knots, position.ply());
            let mut sum = f64::from(weights.constants[position.ply()]);
            for (instance, &index) in indices.iter().enumerate() {
                let at = offsets[features.layout().instances[instance] as usize] + index as usize;
                let (a, b) = (f64::from(weights.row(below)[at]), f64::from(weights.row(above)[at]));
                sum += a + (b - a) * f64::from(share) / 256.0;
            }
            let expected = (sum / 128.0 * f64::from(DISC)).clamp(-f64::from(MOST), f64::from(MOST));
            let found = f64::from(evaluator.value(position.board()));
            // Each instance rounds by at most half a unit of 1/128 disc.
            assert!((found - expected).abs() <= 0.5 + 24.0 / 8.0, "{found} {expected}");
        });
    }

    #[test]
    fn weights_of_another_game_are_refused() {
        let error = Evaluator::<8>::new(&random_weights::<6>(1)).err().unwrap();
        assert_eq!(error, EvaluatorError::OtherGame { found: GameId::Othello6, expected: GameId::Othello });
    }

    #[test]
    fn every_altered_or_missing_byte_is_noticed() {
        let mut weights = random_weights::<4>(1);
        weights.values.truncate(weights.row_len());
        weights.knots.truncate(1);
        let bytes = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&bytes).unwrap(), weights);
        for at in (0..bytes.len()).step_by(97).chain([0, 8, 9, 10, bytes.len() - 1]) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Weights::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Weights::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}
