//! Learned evaluation: patterns, phases, the weights file and each game's evaluator.
//!
//! One feature model serves both games. A *table* is an index space; a *feature instance* reads one table at an
//! index that the position determines. The value of a position is the sum over its instances, plus a constant for
//! its ply; each table has one set of weights per *knot* (a ply), and a ply between two knots mixes them linearly.
//! Everything above this floor sees (instance, index, ply) and never a board: that is the trait [`FeatureModel`].

pub mod edax;
pub mod evaluator;
pub mod othello;
pub mod pattern;
pub mod renju;
pub mod shrink;
pub mod weights;

use crate::game::{GameId, Move, Position};

/// The shape of an evaluation as the fit and the weights file see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The game whose positions are evaluated.
    pub game: GameId,
    /// The index spaces.
    pub tables: Vec<Table>,
    /// The table each feature instance reads, in the order of [`FeatureModel::indices`].
    pub instances: Vec<u16>,
    /// The number of plies (0 … plies − 1) with a constant of their own.
    pub plies: usize,
}

/// One index space: `size` weights per knot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// A name people can read.
    pub name: String,
    /// The number of distinct weights (configurations that a symmetry makes equal count once).
    pub size: usize,
}

impl Layout {
    /// Where each table's weights begin in a row of [`Layout::row_len`] weights.
    pub fn offsets(&self) -> Vec<usize> {
        self.tables
            .iter()
            .scan(0, |next, table| {
                let here = *next;
                *next += table.size;
                Some(here)
            })
            .collect()
    }

    /// The number of weights at one knot.
    pub fn row_len(&self) -> usize {
        self.tables.iter().map(|table| table.size).sum()
    }
}

/// A smaller pattern inside a table's: configurations that show it alike have something in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The table it is part of.
    pub table: usize,
    /// The number of its own configurations.
    pub size: usize,
    /// Each place it has in the table's pattern: its configuration there, for every index of the table.
    pub maps: Vec<Vec<u16>>,
}

/// What a game supplies so that its positions can be fitted: the features of a position.
pub trait FeatureModel: Send + Sync {
    /// The positions it reads.
    type Position: Position;

    /// The tables and instances.
    fn layout(&self) -> &Layout;

    /// The parts of the tables' patterns through which a fit ties rare configurations to common ones.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// Writes the index of each instance (`layout().instances.len()` of them), from the side to move's point of
    /// view; each is below the size of its table.
    fn indices(&self, position: &Self::Position, out: &mut [u16]);

    /// The search units of one unit of the game's outcome (a disc, a point).
    fn units_per_outcome(&self) -> i32;

    /// The outcome that a recorded score promises the side to move, in units of the outcome.
    fn promised(&self, score: i16) -> f32 {
        f32::from(score) / self.units_per_outcome() as f32
    }

    /// Whether a position can be judged as it stands; one that is decided by the next moves teaches nothing.
    fn is_quiet(&self, _position: &Self::Position) -> bool {
        true
    }
}

/// What a game supplies so that the order of its moves can be learned.
pub trait MoveModel: FeatureModel {
    /// Weights that the worth of one move sums up.
    const COLUMNS: usize;

    /// The columns of one move.
    type Columns: AsRef<[u16]>;

    /// The moves that a search would choose from, with the columns each reads; none where there is no choice.
    fn move_columns(&self, position: &Self::Position, out: &mut Vec<(Move, Self::Columns)>);
}

/// Evenly spaced knots from `first` to `last` ply, both included.
pub fn even_knots(count: usize, first: usize, last: usize) -> Vec<u8> {
    assert!(count >= 1 && first <= last, "at least one knot, in ascending order");
    if count == 1 || first == last {
        return vec![first as u8];
    }
    let mut knots: Vec<u8> =
        (0..count).map(|k| (first + (k * (last - first) + (count - 1) / 2) / (count - 1)) as u8).collect();
    knots.dedup();
    knots
}

/// The two knots around `ply` and the share of the second in 256ths: plies outside the knots use the nearest.
pub fn mixture(knots: &[u8], ply: usize) -> (usize, usize, i32) {
    let ply = ply as i32;
    let last = knots.len() - 1;
    if ply <= i32::from(knots[0]) {
        return (0, 0, 0);
    }
    if ply >= i32::from(knots[last]) {
        return (last, last, 0);
    }
    let above = knots.iter().position(|&knot| i32::from(knot) > ply).expect("a knot above");
    let (a, b) = (i32::from(knots[above - 1]), i32::from(knots[above]));
    (above - 1, above, ((ply - a) * 256 + (b - a) / 2) / (b - a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_between_knots_mix_linearly() {
        let knots = even_knots(5, 8, 48);
        assert_eq!(knots, [8, 18, 28, 38, 48]);
        assert_eq!(mixture(&knots, 0), (0, 0, 0));
        assert_eq!(mixture(&knots, 8), (0, 0, 0));
        assert_eq!(mixture(&knots, 13), (0, 1, 128));
        assert_eq!(mixture(&knots, 18), (1, 2, 0));
        assert_eq!(mixture(&knots, 47), (3, 4, 230));
        assert_eq!(mixture(&knots, 60), (4, 4, 0));
    }
}
