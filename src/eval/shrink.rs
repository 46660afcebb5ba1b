//! Shrinking: what smaller forms of a weights file are made of, and what they lose.
//!
//! Fewer knots ([`resampled`]: those whose mixtures are nearest to the old ones at all plies), and what a [`Sample`] of
//! positions says: how often each weight is read, so that precision goes where it is used, and the validation loss of
//! a form on games held out. The search for the form that loses least under a budget is that of
//! `bake`, which knows what a form costs as program text. The result is a weights file whose
//! parent is the original, so that the arena measures what is submitted.

use std::borrow::Cow;
use std::collections::HashMap;

use super::weights::{Kind, Table, Weights};
use super::{FeatureModel, even_knots, mixture};

/// How a sum of weights, in units of the outcome, predicts an outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prediction {
    /// It is the outcome, within ± this.
    Within(f64),
    /// It is the logarithm of the odds of winning: the expected outcome is tanh(x/2).
    Odds,
}

/// Positions of games: half of the games to see which weights matter, half held out to measure forms by.
#[derive(Clone, Debug)]
pub struct Sample {
    prediction: Prediction,
    /// Instances a position.
    instances: usize,
    /// Where the table of each instance begins in a row of the weights.
    offsets: Vec<usize>,
    /// The tables of the weights.
    tables: Vec<Table>,
    seen: Vec<Group>,
    held_out: Vec<Group>,
}

/// The positions of one ply.
#[derive(Clone, Debug, Default)]
struct Group {
    /// Columns in a row of the weights, position by position.
    columns: Vec<u32>,
    /// The outcomes for the side to move.
    targets: Vec<f32>,
}

/// What a form loses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Held-out positions.
    pub positions: usize,
    /// The root of the mean squared error of predicted outcomes.
    pub rmse: f64,
    /// The mean absolute error of the same.
    pub mae: f64,
}

impl Sample {
    /// A sample without positions for `weights`, whose features are those of `model`; `None` if they are not.
    pub fn new<M: FeatureModel>(model: &M, weights: &Weights, prediction: Prediction) -> Option<Sample> {
        let layout = model.layout();
        let starts: Option<Vec<usize>> = layout
            .tables
            .iter()
            .map(|table| {
                let at =
                    weights.tables.iter().position(|stored| stored.name == table.name && stored.size == table.size);
                at.map(|at| weights.tables[..at].iter().map(|table| table.size).sum())
            })
            .collect();
        let starts = starts?;
        let groups = || vec![Group::default(); layout.plies];
        Some(Sample {
            prediction,
            instances: layout.instances.len(),
            offsets: layout.instances.iter().map(|&table| starts[table as usize]).collect(),
            tables: weights.tables.clone(),
            seen: groups(),
            held_out: groups(),
        })
    }

    /// Adds a position and the outcome for its side to move; beyond the last ply of the model it is left out.
    pub fn push<M: FeatureModel>(
        &mut self,
        model: &M,
        ply: usize,
        position: &M::Position,
        outcome: f32,
        held_out: bool,
    ) {
        let groups = if held_out { &mut self.held_out } else { &mut self.seen };
        let Some(group) = groups.get_mut(ply) else { return };
        let mut indices = vec![0; self.instances];
        model.indices(position, &mut indices);
        let columns = indices.iter().zip(&self.offsets).map(|(&index, offset)| *offset + index as usize);
        group.columns.extend(columns.map(|column| column as u32));
        group.targets.push(outcome);
    }

    /// Held-out positions.
    pub fn held_out(&self) -> usize {
        self.held_out.iter().map(|group| group.targets.len()).sum()
    }

    /// How much an evaluation of a seen position leans on each weight of a form with these knots on average, row by row.
    /// What no position reads counts as read `unseen` times in all.
    pub fn reads(&self, knots: &[u8], row: usize, unseen: f64) -> Vec<f32> {
        let positions: usize = self.seen.iter().map(|group| group.targets.len()).sum();
        let mut reads = vec![unseen as f32; knots.len() * row];
        for (ply, group) in self.seen.iter().enumerate() {
            for (knot, share) in shares(knots, ply) {
                let reads = &mut reads[knot * row..(knot + 1) * row];
                group.columns.iter().filter(|_| share > 0.0).for_each(|&column| reads[column as usize] += share as f32);
            }
        }
        let each = 1.0 / positions.max(1) as f32;
        reads.iter_mut().for_each(|reads| *reads *= each);
        reads
    }

    /// The loss of a form of the weights on the games held out; tables it lacks count 0.
    pub fn loss(&self, form: &Weights) -> Loss {
        let rows: Vec<Cow<[i16]>> = (0..form.knots.len()).map(|knot| self.row(form, knot)).collect();
        let (mut positions, mut squared, mut absolute) = (0, 0.0, 0.0);
        let unit = 1.0 / f64::from(form.scale);
        for (ply, group) in self.held_out.iter().enumerate() {
            let [low, high] = shares(&form.knots, ply);
            let (below, above) = (&rows[low.0], &rows[high.0]);
            let constant = f64::from(form.constants.get(ply).copied().unwrap_or(0));
            for (columns, &target) in group.columns.chunks_exact(self.instances).zip(&group.targets) {
                let sum = |row: &[i16]| columns.iter().map(|&column| i32::from(row[column as usize])).sum::<i32>();
                let value = match high.1 {
                    0.0 => f64::from(sum(below)),
                    share => low.1 * f64::from(sum(below)) + share * f64::from(sum(above)),
                };
                let value = (value + constant) * unit;
                let predicted = match self.prediction {
                    Prediction::Within(most) => value.clamp(-most, most),
                    Prediction::Odds => libm::tanh(value / 2.0),
                };
                let error = predicted - f64::from(target);
                positions += 1;
                squared += error * error;
                absolute += error.abs();
            }
        }
        let each = 1.0 / positions.max(1) as f64;
        Loss { positions, rmse: (squared * each).sqrt(), mae: absolute * each }
    }
}

impl Sample {
    /// A row of a form, with the columns of the weights the sample was made for.
    fn row<'a>(&self, form: &'a Weights, knot: usize) -> Cow<'a, [i16]> {
        if form.tables == self.tables {
            return Cow::Borrowed(form.row(knot));
        }
        let mut rest = form.row(knot);
        let mut stored: HashMap<&str, &[i16]> = HashMap::new();
        for table in &form.tables {
            let (values, behind) = rest.split_at(table.size);
            stored.insert(&table.name, values);
            rest = behind;
        }
        let row = self.tables.iter().flat_map(|table| match stored.get(table.name.as_str()) {
            Some(values) => values.to_vec(),
            None => vec![0; table.size],
        });
        Cow::Owned(row.collect())
    }
}

/// The plies of the knots of a form with `count` of them.
pub fn fewer_knots(weights: &Weights, count: usize) -> Vec<u8> {
    let (first, last) = (weights.knots[0], *weights.knots.last().expect("at least one knot"));
    match count {
        count if count >= weights.knots.len() => weights.knots.clone(),
        // A single knot stands in the middle: it has to serve all plies.
        1 => vec![first + (last - first) / 2],
        count => even_knots(count, first as usize, last as usize),
    }
}

/// The smallest form worth having: one knot, and of the patterns only the smallest.
pub fn least(weights: &Weights) -> Weights {
    let is_pattern = |table: &&Table| matches!(table.kind, Kind::Cells(_));
    let smallest = weights.tables.iter().filter(is_pattern).map(|table| table.size).min();
    // Of equally small ones the first.
    let smallest = weights.tables.iter().position(|table| is_pattern(&table) && Some(table.size) == smallest);
    let plies = fewer_knots(weights, 1);
    let row = resampled(weights, &plies).remove(0);
    let (mut tables, mut values, mut start) = (Vec::new(), Vec::new(), 0);
    for (number, table) in weights.tables.iter().enumerate() {
        if !is_pattern(&table) || Some(number) == smallest {
            values.extend(row[start..start + table.size].iter().map(|&value| round(value, 64)));
            tables.push(table.clone());
        }
        start += table.size;
    }
    Weights { parent: weights.hash(), values, knots: plies, tables, ..weights.clone() }
}

/// The rows of knots at `plies` whose mixtures are nearest, in least squares over all plies between the old knots, to
/// those of the old.
pub fn resampled(weights: &Weights, plies: &[u8]) -> Vec<Vec<f64>> {
    let rows = || (0..weights.knots.len()).map(|knot| weights.row(knot));
    if plies == weights.knots {
        return rows().map(|row| row.iter().map(|&value| f64::from(value)).collect()).collect();
    }
    // Normal equations: the new knots' shares in every ply against themselves, and against the old knots' shares.
    let (new, old) = (plies.len(), weights.knots.len());
    let mut equations = vec![vec![0.0; new + old]; new];
    for ply in usize::from(weights.knots[0])..=weights.knots[old - 1].into() {
        for (knot, share) in shares(plies, ply) {
            for (other, by) in shares(plies, ply) {
                equations[knot][other] += share * by;
            }
            for (other, by) in shares(&weights.knots, ply) {
                equations[knot][new + other] += share * by;
            }
        }
    }
    for pivot in 0..new {
        let scale = equations[pivot][pivot];
        equations[pivot].iter_mut().for_each(|value| *value /= scale);
        let row = equations[pivot].clone();
        for (other, equation) in equations.iter_mut().enumerate().filter(|(other, _)| *other != pivot) {
            debug_assert_ne!(other, pivot);
            let times = equation[pivot];
            equation.iter_mut().zip(&row).for_each(|(value, by)| *value -= times * by);
        }
    }
    let mixed = |shares: &[f64]| {
        let mut sum = vec![0.0; weights.row_len()];
        for (row, share) in rows().zip(shares) {
            sum.iter_mut().zip(row).for_each(|(sum, &value)| *sum += share * f64::from(value));
        }
        sum
    };
    equations.iter().map(|equation| mixed(&equation[new..])).collect()
}

/// The knots around a ply and their shares.
fn shares(knots: &[u8], ply: usize) -> [(usize, f64); 2] {
    let (below, above, share) = mixture(knots, ply);
    let share = f64::from(share) / 256.0;
    [(below, 1.0 - share), (above, share)]
}

/// The nearest multiple of `step`, halves towards zero.
pub fn round(value: f64, step: i16) -> i16 {
    let steps = (value.abs() / f64::from(step) - 0.5).ceil().max(0.0);
    // The largest multiple that fits, where the nearest does not.
    let most = f64::from(i16::MAX / step);
    (steps.min(most) * f64::from(step)).copysign(value) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Layout, othello};
    use crate::game::othello::Othello;
    use crate::game::{GameId, Position};

    fn weights() -> Weights {
        let table = Table { name: "scalar".into(), kind: Kind::Scalar, size: 4 };
        Weights {
            game: GameId::Othello,
            scale: 128,
            parent: [0; 32],
            knots: vec![10, 20, 30],
            tables: vec![table],
            constants: vec![7; 61],
            values: vec![0, 100, -100, 9, 10, 120, -120, 11, 20, 140, -140, 13],
            probcut: Vec::new(),
        }
    }

    #[test]
    fn values_round_to_the_nearest_step_halves_to_zero() {
        for value in [-32_000, -8, -1, 0, 7, 8, 9, 31_999] {
            let rounded = round(f64::from(value), 16);
            assert!((i32::from(rounded) - value).abs() <= 8 && rounded % 16 == 0);
            assert_eq!(round(f64::from(-value), 16), -rounded);
        }
    }

    #[test]
    fn knots_are_resampled_by_least_squares() {
        // Shares are 256ths.
        let near = |found: Vec<Vec<f64>>, expected: &[[f64; 4]]| {
            let pairs = found.concat().into_iter().zip(expected.concat());
            assert!(pairs.clone().all(|(found, expected)| (found - expected).abs() < 0.01), "{found:?}");
            assert_eq!(found.concat().len(), expected.concat().len());
        };
        let even = weights();
        let ends = [[0.0, 100.0, -100.0, 9.0], [20.0, 140.0, -140.0, 13.0]];
        near(resampled(&even, &fewer_knots(&even, 2)), &ends);
        near(resampled(&even, &fewer_knots(&even, 1)), &[[10.0, 120.0, -120.0, 11.0]]);
        // One weight that jumps from 0 to 90 between two of three knots: the best line over plies 0, 1, 2 of the values
        // 0, 0, 90 is 30 + 45·(ply - 1), the best constant 30.
        let mut jump = weights();
        (jump.knots, jump.values) = (vec![0, 1, 2], [[0; 4], [0; 4], [90; 4]].concat());
        near(resampled(&jump, &fewer_knots(&jump, 2)), &[[-15.0; 4], [75.0; 4]]);
        near(resampled(&jump, &fewer_knots(&jump, 1)), &[[30.0; 4]]);
    }

    #[test]
    fn the_least_form_keeps_the_smallest_pattern_and_what_is_no_pattern() {
        let mut weights = weights();
        let cells =
            |name: &str, cells: &[u8], size| Table { name: name.into(), kind: Kind::Cells(cells.to_vec()), size };
        weights.tables = vec![cells("large", &[0, 1], 2), cells("small", &[0], 1), weights.tables[0].clone()];
        weights.tables[2].size = 1;
        let least = least(&weights);
        assert_eq!(least.tables, weights.tables[1..]);
        assert_eq!((least.values, least.knots), (vec![-128, 0], vec![20]));
        assert_eq!((least.parent, least.constants), (weights.hash(), weights.constants.clone()));
    }

    /// Reads the number of discs of the side to move, and the number of its opponent's.
    struct Discs(Layout);

    impl FeatureModel for Discs {
        type Position = Othello<8>;

        fn layout(&self) -> &Layout {
            &self.0
        }

        fn indices(&self, position: &Othello<8>, out: &mut [u16]) {
            let board = position.board();
            out[0] = (board.player.count_ones() as u16).min(3);
            out[1] = (board.opponent.count_ones() as u16).min(3);
        }

        fn units_per_outcome(&self) -> i32 {
            othello::DISC
        }
    }

    #[test]
    fn reads_and_losses_are_those_of_the_positions() {
        let table = super::super::Table { name: "scalar".into(), size: 4 };
        let layout = Layout { game: GameId::Othello, tables: vec![table], instances: vec![0, 0], plies: 61 };
        let model = Discs(layout);
        let mut sample = Sample::new(&model, &weights(), Prediction::Within(64.0)).unwrap();
        // The start has 2 discs a side: weight 2 is read twice. Ply 15 lies half-way between the knots 10 and 20.
        let start = Othello::<8>::start();
        sample.push(&model, 15, &start, 1.0, false);
        let reads = sample.reads(&[10, 20, 30], 4, 0.0);
        assert_eq!(reads, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let floor = sample.reads(&[10], 4, 0.5);
        assert_eq!(floor, [0.5, 0.5, 2.5, 0.5]);
        // -100 and -120 in the middle are -110, twice, and the constant 7: -213/128 discs.
        sample.push(&model, 15, &start, 1.0, true);
        sample.push(&model, 15, &start, 0.0, true);
        let loss = sample.loss(&weights());
        let (a, b) = (213.0 / 128.0 + 1.0, 213.0 / 128.0f64);
        assert!((loss.rmse - ((a * a + b * b) / 2.0).sqrt()).abs() < 1e-12 && (loss.mae - (a + b) / 2.0).abs() < 1e-12);
        assert_eq!((loss.positions, sample.held_out()), (2, 2));
        // A form without the table predicts the constant.
        let bare = Weights { tables: Vec::new(), values: Vec::new(), ..weights() };
        let (a, b) = (7.0 / 128.0 - 1.0, 7.0 / 128.0f64);
        assert!((sample.loss(&bare).rmse - ((a * a + b * b) / 2.0).sqrt()).abs() < 1e-12);
        let mut other = weights();
        other.tables[0].size = 3;
        assert!(Sample::new(&model, &other, Prediction::Odds).is_none());
    }
}
