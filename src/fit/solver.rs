//! The solver: Jacobi-preconditioned conjugate gradient on ridge-regularised weighted least squares.
//!
//! The unknowns are the weights of every knot and a constant per ply. The matrix is never formed: a row is a list of
//! indices, and one pass over the rows computes predictions and gathers the transposed product at once, while the
//! row's cache lines are still at hand. All rows of a unit of work share a ply, so the two knots around it are mixed
//! once into a dense vector and a row costs one read and one addition per feature instance, not two.
//!
//! The ridge adds λ·dⱼ·xⱼ² to the loss Σ w·(prediction − target)². With nⱼ the labels that read weight j, each
//! counted by its mixture share, dⱼ = 1 + [`SCARCE`]/nⱼ: λ pseudo-observations of 0 for a common weight and more for
//! a rare one, whose few labels come from few games and repeat each other. A weight read by fewer than
//! [`FEWEST`] labels stays 0. The constants carry no ridge.
//!
//! Unless told otherwise, weights share: see [`sharing`](super::sharing) for the unknowns behind them.
//!
//! Units are fixed stretches of rows; their sums are formed in `f32`, folded in `f64` and added in the order of
//! the units, dot products likewise by fixed chunks. So the result has the same bits for any number of threads.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::report::LossSums;
use super::samples::{Group, LANE, NO_COLUMN, Samples};
use super::sharing::Sharing;
use crate::eval::mixture;

/// A weight read by fewer labels than this stays 0.
pub const FEWEST: f64 = 3.0;
/// How fast the ridge grows as labels become few: at this many it is twice that of a common weight.
pub const SCARCE: f64 = 10.0;
/// The ridge of what weights share, as a share of that of their own unknowns.
pub const SHARED: f64 = 0.3;
/// Rows of a unit of work: enough to spread the cost of mixing and folding, few enough for sums in `f32`.
const UNIT_ROWS: usize = 1 << 18;
/// Unknowns of one task when vectors are combined, at most.
const VECTOR_CHUNK: usize = 1 << 14;
/// So many unknowns that stay 0 in a row are passed over when vectors are combined.
const VECTOR_GAP: usize = 64;

/// When to stop and how strongly to hold weights at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOptions {
    /// The ridge in pseudo-observations.
    pub lambda: f64,
    /// At most this many passes over the training rows, the one that computes the first gradient included.
    pub passes: usize,
    /// Stop when a pass lowers the regularised loss by less than this share of it.
    pub tolerance: f64,
    /// Whether weights share unknowns with their parts and their other knots; the ridge can then be stronger by far.
    pub sharing: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions { lambda: 300.0, passes: 60, tolerance: 1e-6, sharing: true }
    }
}

/// What the solver tells after each pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassReport {
    /// The passes made so far.
    pub pass: usize,
    /// The mean squared error over training labels of the present solution, in squared outcome units.
    pub training_mse: f64,
    /// The regularised loss that is being minimised: Σ w·error² + ridge, over the number of labels.
    pub objective: f64,
}

/// Where the solver stands between two passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Passes made.
    pub pass: usize,
    /// The solution.
    pub x: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// The preconditioned square of the residual.
    gamma: f64,
    /// The regularised loss, without the scatter of merged labels.
    objective: f64,
    /// The part of it that is ridge.
    held: f64,
}

/// One weight of the ply at hand and the pull its rows exert on it. They share a cache line on purpose.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Cell {
    value: f32,
    pull: f32,
}

/// The knots around a ply.
#[derive(Clone, Copy, Debug)]
struct Mix {
    below: usize,
    above: usize,
    share: f64,
}

impl Mix {
    fn at(knots: &[u8], ply: usize) -> Mix {
        let (below, above, share) = mixture(knots, ply);
        Mix { below, above, share: f64::from(share) / 256.0 }
    }

    /// How much of `knot` enters.
    fn share_of(&self, knot: usize) -> f64 {
        let below = if knot == self.below { 1.0 - self.share } else { 0.0 };
        let above = if knot == self.above { self.share } else { 0.0 };
        below + above
    }
}

/// A stretch of rows of one ply.
#[derive(Clone, Copy, Debug)]
struct Unit {
    group: usize,
    begin: usize,
    end: usize,
}

fn units_of(groups: &[Group]) -> Vec<Unit> {
    let mut units = Vec::new();
    for (group, rows) in groups.iter().map(Group::rows).enumerate() {
        let parts = rows.div_ceil(UNIT_ROWS);
        units.extend((0..parts).map(|i| Unit { group, begin: i * rows / parts, end: (i + 1) * rows / parts }));
    }
    units
}

/// The samples' public fields could be altered: what the unchecked reads rely on is checked once per problem.
fn check(samples: &Samples) {
    assert_eq!(samples.bases.len(), samples.stride, "a base for every index of a row");
    assert_eq!(samples.stride % LANE, 0, "rows of whole lanes");
    samples.training.par_iter().chain(&samples.validation).for_each(|group| {
        let rows = group.rows();
        assert!(group.indices.len() == rows * samples.stride && group.weights.len() == rows, "whole rows");
        let mut most = vec![0; samples.stride];
        for row in group.indices.chunks_exact(samples.stride) {
            most.iter_mut().zip(row).for_each(|(most, &index)| *most = index.max(*most));
        }
        let inside = |(&base, most): (&u32, u16)| (base as usize + most as usize) < samples.width();
        assert!(samples.bases.iter().zip(most).all(inside), "every index inside the columns");
    });
}

/// A fit to be solved: rows, knots, and the ridge of every unknown.
///
/// The weight of knot k and compact column c has number k·width + c; the constant of ply t follows behind all
/// knots at knots·width + t. The unknowns begin with these; [`Sharing`] says what follows.
pub struct Problem<'a> {
    samples: &'a Samples,
    knots: &'a [u8],
    width: usize,
    sharing: Sharing,
    units: Vec<Unit>,
    mixes: Vec<Mix>,
    /// The ridge λ·dⱼ of each unknown.
    ridge: Vec<f64>,
    /// 1 / (diagonal of the normal equations), 0 for an unknown that stays 0.
    inverse: Vec<f64>,
    /// Labels that read each unknown at any share.
    occurrences: Vec<f64>,
    /// Where the unknowns lie that do not stay 0.
    free: Vec<Range<usize>>,
    buffers: Vec<Vec<Cell>>,
}

/// Bytes the solver takes beside the samples, on `threads` threads.
pub fn solver_bytes(row_len: usize, knots: usize, plies: usize, threads: usize) -> u64 {
    // Parts are few beside the configurations of whole patterns; what knots have in common is one knot more.
    let columns = row_len * 5 / 4;
    let unknowns = (columns * (knots + 1) + plies) as u64;
    // The counters are gone when the passes begin, but not the passes' buffers while they count.
    let buffers = buffer_count(threads) * (row_len * size_of::<Cell>() + columns * size_of::<Count>());
    // Ridge, inverse diagonal, occurrences, solution, residual, direction and its product, and the weights.
    unknowns * 8 * 8 + buffers as u64
}

fn buffer_count(threads: usize) -> usize {
    4 * threads
}

impl<'a> Problem<'a> {
    /// Counts occurrences and prepares ridge and preconditioner.
    pub fn new(samples: &'a Samples, knots: &'a [u8], options: &SolverOptions) -> Problem<'a> {
        check(samples);
        let width = samples.width();
        let make = if options.sharing { Sharing::new } else { Sharing::none };
        let sharing = make(samples, knots.len());
        let unknowns = sharing.unknowns();
        let units = units_of(&samples.training);
        let buffers = buffer_count(rayon::current_num_threads()).min(units.len());
        let mut problem = Problem {
            samples,
            knots,
            width,
            mixes: samples.training.iter().map(|group| Mix::at(knots, group.ply)).collect(),
            units,
            ridge: vec![0.0; unknowns],
            inverse: vec![0.0; unknowns],
            occurrences: vec![0.0; unknowns],
            free: Vec::new(),
            buffers: vec![vec![Cell::default(); width]; buffers],
            sharing,
        };
        problem.prepare(options.lambda);
        problem
    }

    /// The number of unknowns, those that stay 0 included.
    pub fn unknowns(&self) -> usize {
        self.ridge.len()
    }

    /// How its unknowns add up to weights.
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// The labels that read the weights of `knot`, by compact column.
    pub fn occurrences(&self, knot: usize) -> &[f64] {
        &self.occurrences[knot * self.width..(knot + 1) * self.width]
    }

    /// The ridge of each unknown; infinite where it is held at 0.
    pub fn ridge(&self) -> Vec<f64> {
        let pairs = self.ridge.iter().zip(&self.inverse);
        pairs.map(|(&ridge, &inverse)| if inverse > 0.0 { ridge } else { f64::INFINITY }).collect()
    }

    /// What measures solutions, predictions clipped to ± `largest` as they are at play.
    pub fn loss_meter(&self, largest: f32) -> LossMeter<'a> {
        LossMeter { samples: self.samples, knots: self.knots, largest, link: Link::Identity }
    }

    fn prepare(&mut self, lambda: f64) {
        let mut diagonal = vec![0.0; self.unknowns()];
        let mut shared = vec![0.0; self.unknowns()];
        let (knots, width, parts) = (self.knots.len(), self.width, self.sharing.parts());
        let (weights, columns) = (self.sharing.weights(), width + parts);
        let mut buffers = vec![vec![Count::default(); columns]; self.buffers.len()];
        for wave in self.units.chunks(buffers.len()) {
            let (samples, mixes, sharing) = (self.samples, &self.mixes, &self.sharing);
            buffers.par_iter_mut().zip(wave).for_each(|(counts, unit)| count_unit(counts, samples, sharing, unit));
            // What each knot's own unknowns, its parts, and what all knots have in common take of the wave.
            let gather = |sums: &mut [f64], take: &(dyn Fn(f64) -> f64 + Sync), part: fn(&Count) -> f32| {
                let (own, shared) = sums.split_at_mut(weights);
                let (of_parts, common) = shared.split_at_mut(knots * parts);
                let add_all = |first: usize, column: usize, sum: &mut [f64], take: &dyn Fn(&Unit) -> f64| {
                    for (unit, counts) in wave.iter().zip(&buffers) {
                        add(sum, &counts[first + column..], take(unit), part);
                    }
                };
                let share = |unit: &Unit, knot| take(mixes[unit.group].share_of(knot));
                fold(&mut own[..knots * width], width, |knot, column, sum| {
                    add_all(0, column, sum, &|unit| share(unit, knot));
                });
                fold(of_parts, parts, |knot, column, sum| add_all(width, column, sum, &|unit| share(unit, knot)));
                fold(common, columns, |_, column, sum| add_all(0, column, sum, &|_| 1.0));
            };
            gather(&mut diagonal, &|share| share * share, |count| count.squares);
            gather(&mut shared, &|share| share, |count| count.labels);
            gather(&mut self.occurrences, &|share| if share > 0.0 { 1.0 } else { 0.0 }, |count| count.labels);
        }
        let is_constant = |unknown: usize| (knots * width..weights).contains(&unknown);
        let has_column = |unknown: usize| {
            let place = if unknown < weights { unknown % width } else { unknown.wrapping_sub(weights + knots * parts) };
            self.samples.columns.get(place).is_none_or(|&column| column != NO_COLUMN)
        };
        for unknown in (0..self.unknowns()).filter(|&unknown| !is_constant(unknown)) {
            if self.occurrences[unknown] >= FEWEST && has_column(unknown) {
                let held = if unknown < weights { lambda } else { SHARED * lambda };
                self.ridge[unknown] = held * (1.0 + SCARCE / shared[unknown]);
                self.inverse[unknown] = 1.0 / (diagonal[unknown] + self.ridge[unknown]);
            }
        }
        for group in &self.samples.training {
            let labels: f64 = group.weights.iter().map(|&weight| f64::from(weight)).sum();
            self.occurrences[knots * width + group.ply] = labels;
            self.inverse[knots * width + group.ply] = 1.0 / labels;
        }
        self.free = free_stretches(&self.inverse);
    }

    /// One pass: predicts every row with the unknowns `x`, asks `pull` for the derivative of the row's loss (and the loss), and
    /// returns the gradient over all unknowns (in `gradient`) and the sum of the losses.
    fn pass<F>(&mut self, x: &[f64], gradient: &mut [f64], pull: F) -> f64
    where
        F: Fn(f32, f32, f32) -> (f32, f32) + Sync,
    {
        let (width, first_constant) = (self.width, self.knots.len() * self.width);
        let mut total = 0.0;
        let x = &*self.sharing.sum(x);
        gradient.fill(0.0);
        let buffers = self.buffers.len();
        for wave in self.units.chunks(buffers) {
            let (samples, mixes) = (self.samples, &self.mixes);
            let sums: Vec<Sums> = self
                .buffers
                .par_iter_mut()
                .zip(wave)
                .map(|(cells, unit)| {
                    let group = &samples.training[unit.group];
                    blend(cells, x, width, mixes[unit.group]);
                    let constant = x[first_constant + group.ply] as f32;
                    run_unit(cells, samples, group, unit, constant, &pull)
                })
                .collect();
            let done = &self.buffers[..wave.len()];
            fold(&mut gradient[..first_constant], width, |knot, column, sum| {
                for (unit, cells) in wave.iter().zip(done) {
                    add(sum, &cells[column..], mixes[unit.group].share_of(knot), |cell| cell.pull);
                }
            });
            for (unit, sums) in wave.iter().zip(sums) {
                gradient[first_constant + self.samples.training[unit.group].ply] += sums.pull;
                total += sums.loss;
            }
        }
        self.sharing.spread(gradient);
        total
    }

    /// Minimises from `x` on; `x` must be 0 wherever an unknown is held at 0 ([`Problem::hold`]). `watch` is told
    /// after every pass, with the solution as it stands, and stops the work by answering `false`.
    pub fn solve(
        &mut self,
        x: &mut [f64],
        options: &SolverOptions,
        mut watch: impl FnMut(&PassReport, &[f64]) -> bool,
    ) -> PassReport {
        let mut state = self.begin(x.to_vec());
        let last = self.go_on(&mut state, options, |pass, state| watch(pass, &state.x));
        x.copy_from_slice(&state.x);
        last
    }

    /// The first pass, from the unknowns `x` on.
    pub fn begin(&mut self, x: Vec<f64>) -> State {
        let mut residual = vec![0.0; x.len()];
        let loss = self.pass(&x, &mut residual, |prediction, target, weight| {
            let error = prediction - target;
            (weight * error, weight * error * error)
        });
        residual.iter_mut().zip(&self.inverse).filter(|(_, inverse)| **inverse == 0.0).for_each(|(r, _)| *r = 0.0);
        let read = [&x[..], &self.ridge, &self.inverse];
        let [held, gamma] = combine(&self.free, [&mut residual[..]], read, |[r], [x, ridge, inverse]| {
            *r = if inverse > 0.0 { -(*r + ridge * x) } else { 0.0 };
            [ridge * x * x, *r * *r * inverse]
        });
        let direction = residual.iter().zip(&self.inverse).map(|(r, inverse)| r * inverse).collect();
        State { pass: 1, x, residual, direction, gamma, objective: loss + held, held }
    }

    /// Goes on from `state`, the same whether it was just reached or comes from a checkpoint.
    pub fn go_on(
        &mut self,
        state: &mut State,
        options: &SolverOptions,
        mut watch: impl FnMut(&PassReport, &State) -> bool,
    ) -> PassReport {
        let labels = self.samples.training_labels();
        let scatter: f64 = self.samples.training.iter().map(|group| group.scatter).sum();
        let report = |state: &State| PassReport {
            pass: state.pass,
            training_mse: (state.objective - state.held + scatter).max(0.0) / labels,
            objective: (state.objective + scatter).max(0.0) / labels,
        };
        let mut product = vec![0.0; state.x.len()];
        while watch(&report(state), state) && state.pass < options.passes && state.gamma > 0.0 {
            self.pass(&state.direction, &mut product, |prediction, _, weight| (weight * prediction, 0.0));
            let read = [&state.direction[..], &self.ridge];
            let [curvature, _] = combine(&self.free, [&mut product[..]], read, |[product], [direction, ridge]| {
                *product += ridge * direction;
                [*product * direction, 0.0]
            });
            if curvature <= 0.0 {
                break;
            }
            let step = state.gamma / curvature;
            let read = [&product[..], &self.inverse];
            let [gamma, _] = combine(&self.free, [&mut state.residual[..]], read, |[r], [product, inverse]| {
                *r = if inverse > 0.0 { *r - step * product } else { 0.0 };
                [*r * *r * inverse, 0.0]
            });
            let gain = step * state.gamma;
            let beta = gamma / state.gamma;
            let changed = [&mut state.x[..], &mut state.direction[..]];
            let read = [&state.residual[..], &self.inverse, &self.ridge];
            let [held, _] = combine(&self.free, changed, read, |[x, p], [r, inverse, ridge]| {
                *x += step * *p;
                *p = inverse * r + beta * *p;
                [ridge * *x * *x, 0.0]
            });
            (state.held, state.gamma) = (held, gamma);
            state.objective -= gain;
            state.pass += 1;
            if gain < options.tolerance * (state.objective + scatter) {
                watch(&report(state), state);
                break;
            }
        }
        report(state)
    }

    /// Sets to 0 the unknowns that are held there.
    pub fn hold(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.inverse).filter(|(_, inverse)| **inverse == 0.0).for_each(|(x, _)| *x = 0.0);
    }
}

/// Runs `each` over the elements of `changed` and `read` that lie in `stretches`, in parallel, and adds up the two numbers
/// it returns, stretch by stretch in order.
fn combine<const N: usize, const M: usize>(
    stretches: &[Range<usize>],
    mut changed: [&mut [f64]; N],
    read: [&[f64]; M],
    each: impl Fn([&mut f64; N], [f64; M]) -> [f64; 2] + Sync,
) -> [f64; 2] {
    let mut cut = 0;
    let mut tasks = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        tasks.push(changed.each_mut().map(|rest| {
            let (_, from) = std::mem::take(rest).split_at_mut(stretch.start - cut);
            let (part, behind) = from.split_at_mut(stretch.len());
            *rest = behind;
            part
        }));
        cut = stretch.end;
    }
    let sums: Vec<[f64; 2]> = tasks
        .into_par_iter()
        .zip(stretches)
        .map(|(mut changed, stretch)| {
            let read = read.map(|vector| &vector[stretch.clone()]);
            let mut sums = [0.0; 2];
            for i in 0..stretch.len() {
                let [a, b] = each(changed.each_mut().map(|part| &mut part[i]), read.map(|part| part[i]));
                sums[0] += a;
                sums[1] += b;
            }
            sums
        })
        .collect();
    sums.iter().fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d])
}

/// The stretches, of at most [`VECTOR_CHUNK`], that hold every unknown with a positive `inverse`, and few others.
fn free_stretches(inverse: &[f64]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (at, _) in inverse.iter().enumerate().filter(|(_, inverse)| **inverse > 0.0) {
        match stretches.last_mut() {
            Some(last) if at < last.end + VECTOR_GAP && at < last.start + VECTOR_CHUNK => last.end = at + 1,
            _ => stretches.push(at..at + 1),
        }
    }
    stretches
}

/// Calls `fill(knot, first column, sums)` for fixed stretches of every knot's row, in parallel.
fn fold(sums: &mut [f64], width: usize, fill: impl Fn(usize, usize, &mut [f64]) + Sync) {
    if sums.is_empty() {
        return;
    }
    let mut stretches = Vec::new();
    for (knot, row) in sums.chunks_exact_mut(width).enumerate() {
        for (number, stretch) in row.chunks_mut(VECTOR_CHUNK).enumerate() {
            stretches.push((knot, number * VECTOR_CHUNK, stretch));
        }
    }
    stretches.into_par_iter().for_each(|(knot, column, stretch)| fill(knot, column, stretch));
}

#[inline(always)]
fn add<T>(sums: &mut [f64], gathered: &[T], share: f64, part: impl Fn(&T) -> f32) {
    if share > 0.0 {
        sums.iter_mut().zip(gathered).for_each(|(sum, of)| *sum += share * f64::from(part(of)));
    }
}

/// Mixes the weights of a ply and clears the pulls.
fn blend(cells: &mut [Cell], x: &[f64], width: usize, mix: Mix) {
    let below = &x[mix.below * width..(mix.below + 1) * width];
    let above = &x[mix.above * width..(mix.above + 1) * width];
    for ((cell, a), b) in cells.iter_mut().zip(below).zip(above) {
        *cell = Cell { value: (a + (b - a) * mix.share) as f32, pull: 0.0 };
    }
}

/// What a unit adds to the constant of its ply and to the loss.
struct Sums {
    pull: f64,
    loss: f64,
}

/// Predicts the rows of a unit and scatters their pulls, two rows at a time: the second prediction does not wait for
/// the first one's stores.
fn run_unit<F>(cells: &mut [Cell], samples: &Samples, group: &Group, unit: &Unit, constant: f32, mut pull: F) -> Sums
where
    F: FnMut(f32, f32, f32) -> (f32, f32),
{
    let stride = samples.stride;
    let (bases, _) = samples.bases.as_chunks::<LANE>();
    let mut places = [vec![[0u32; LANE]; bases.len()], vec![[0u32; LANE]; bases.len()]];
    let mut sums = Sums { pull: 0.0, loss: 0.0 };
    for begin in (unit.begin..unit.end).step_by(2) {
        let rows = begin..(begin + 2).min(unit.end);
        let mut predictions = [constant; 2];
        for ((row, places), prediction) in rows.clone().zip(&mut places).zip(&mut predictions) {
            *prediction += predict(cells, bases, &group.indices[row * stride..(row + 1) * stride], places);
        }
        for ((row, places), prediction) in rows.zip(&places).zip(predictions) {
            let (force, loss) = pull(prediction, group.targets[row], group.weights[row]);
            sums.pull += f64::from(force);
            sums.loss += f64::from(loss);
            for &at in places.as_flattened() {
                // SAFETY: as in `predict`, which computed these places.
                unsafe { cells.get_unchecked_mut(at as usize) }.pull += force;
            }
        }
    }
    sums
}

/// The sum of a row's values; `places` keeps where they stand.
#[inline(always)]
fn predict(cells: &[Cell], bases: &[[u32; LANE]], row: &[u16], places: &mut [[u32; LANE]]) -> f32 {
    let mut sums = [0f32; LANE / 2];
    for ((places, bases), indices) in places.iter_mut().zip(bases).zip(row.as_chunks::<LANE>().0) {
        for ((place, base), &index) in places.iter_mut().zip(bases).zip(indices) {
            *place = base + u32::from(index);
        }
        for half in places.chunks_exact(LANE / 2) {
            for (sum, &place) in sums.iter_mut().zip(half) {
                debug_assert!((place as usize) < cells.len());
                // SAFETY: `check` made sure when the problem was set up that base + index is below the width for
                // every row, and the width is the length of `cells`.
                *sum += unsafe { cells.get_unchecked(place as usize) }.value;
            }
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// What the rows of a unit say of one unknown.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// The labels that read it, each once.
    labels: f32,
    /// Its entry of the diagonal of the normal equations: Σ w·m², where a row reads it m times.
    squares: f32,
    /// The last row that read it, counted from 1, and how often it did.
    row: u32,
    times: u32,
}

impl Count {
    /// Row `row`, of so many labels, reads the unknown once (more).
    #[inline(always)]
    fn read(&mut self, row: u32, labels: f32) {
        let again = self.row == row;
        let times = if again { self.times } else { 0 };
        self.labels += if again { 0.0 } else { labels };
        // m² is the sum of the first m odd numbers.
        self.squares += labels * (2 * times + 1) as f32;
        (self.row, self.times) = (row, times + 1);
    }
}

/// Counts for each compact column, and then for each part.
fn count_unit(counts: &mut [Count], samples: &Samples, sharing: &Sharing, unit: &Unit) {
    let (group, stride) = (&samples.training[unit.group], samples.stride);
    counts.fill(Count::default());
    let (own, of_parts) = counts.split_at_mut(samples.width());
    let rows = group.indices[unit.begin * stride..unit.end * stride].chunks_exact(stride);
    for (number, (row, &labels)) in (1..).zip(rows.zip(&group.weights[unit.begin..unit.end])) {
        for (&base, &index) in samples.bases.iter().zip(row) {
            let column = base as usize + index as usize;
            own[column].read(number, labels);
            if !of_parts.is_empty() {
                sharing.of(column).iter().for_each(|&part| of_parts[part as usize].read(number, labels));
            }
        }
    }
}

/// How a sum of weights becomes a prediction of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It is one.
    Identity,
    /// It is the logarithm of the odds of winning: the expected outcome is 2σ(x) − 1 = tanh(x/2).
    Logistic,
}

/// Measures solutions of a problem on its training and validation rows.
#[derive(Clone, Copy)]
pub struct LossMeter<'a> {
    samples: &'a Samples,
    knots: &'a [u8],
    largest: f32,
    link: Link,
}

impl<'a> LossMeter<'a> {
    /// A meter of solutions at these knots.
    pub fn new(samples: &'a Samples, knots: &'a [u8], largest: f32, link: Link) -> LossMeter<'a> {
        LossMeter { samples, knots, largest, link }
    }

    /// The sum of weights of each row of a group.
    pub fn sums(&self, group: &Group, x: &[f64]) -> Vec<f32> {
        let mut sums = Vec::with_capacity(group.rows());
        self.visit(group, x, |sum, _, _| sums.push(sum));
        sums
    }

    /// The loss of each training group under the unknowns `x`.
    pub fn training(&self, x: &[f64]) -> Vec<LossSums> {
        self.samples.training.par_iter().map(|group| self.group(group, x)).collect()
    }

    /// The loss of each validation group under the unknowns `x`.
    pub fn validation(&self, x: &[f64]) -> Vec<LossSums> {
        self.samples.validation.par_iter().map(|group| self.group(group, x)).collect()
    }

    /// Labels merged into one row count with their scatter.
    fn group(&self, group: &Group, x: &[f64]) -> LossSums {
        let mut sums = LossSums { squared: group.scatter, ..LossSums::default() };
        self.visit(group, x, |sum, target, weight| {
            let prediction = match self.link {
                Link::Identity => sum,
                Link::Logistic => libm::tanhf(sum / 2.0),
            };
            let error = f64::from((prediction.clamp(-self.largest, self.largest) - target).abs());
            sums.labels += f64::from(weight);
            sums.absolute += f64::from(weight) * error;
            sums.squared += f64::from(weight) * error * error;
        });
        sums
    }

    /// Shows every row of a group in order: its sum of weights, its target, its weight.
    fn visit(&self, group: &Group, x: &[f64], mut see: impl FnMut(f32, f32, f32)) {
        let width = self.samples.width();
        let mut cells = vec![Cell::default(); width];
        blend(&mut cells, x, width, Mix::at(self.knots, group.ply));
        let constant = x[self.knots.len() * width + group.ply] as f32;
        let unit = Unit { group: 0, begin: 0, end: group.rows() };
        run_unit(&mut cells, self.samples, group, &unit, constant, |sum, target, weight| {
            see(sum, target, weight);
            (0.0, 0.0)
        });
    }
}
