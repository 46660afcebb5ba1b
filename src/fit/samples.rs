//! Training samples: the labelled positions of recorded games as rows of feature indices, grouped by ply.
//!
//! Every game is replayed; a labelled position becomes one row of `u16` indices, one target and one weight. Equal
//! positions (up to a symmetry of the board) are merged into one row with their mean target and their number as
//! the weight, which leaves the least-squares solution as it was. Whole games go to training or to validation, by
//! a hash of their moves; validation positions are never merged, so that their loss is that of single labels.
//!
//! Once everything is read, the indices of each table are renumbered by falling number of occurrences. The weights
//! a pass touches most then share cache lines, and those no training position touches take no room at all.

use std::collections::HashMap;
use std::error::Error;
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use super::FitError;
use crate::dataset::{End, GameRecord, Ply};
use crate::eval::{FeatureModel, Layout, Part};
use crate::game::{Color, Move, Position};
use crate::rng::mix;

/// Rows are padded to a multiple of this many indices, so that the inner loops have no remainder.
pub const LANE: usize = 8;
/// Games held in memory at a time while they become rows.
const BATCH: usize = 8192;
/// Games one task replays.
const CHUNK: usize = 64;
/// The column of a compact weight that has no place in the file: a pad, or the slot of everything unseen.
pub const NO_COLUMN: u32 = u32::MAX;

/// Which positions become samples, and with what target.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleOptions {
    /// λ of the target λ·outcome + (1 − λ)·score, where a position has both: 0 … 1, in the first half of the plies. From
    /// there it rises to 1 at three quarters: near its end a game says more of a position than a shallow search. A
    /// score that is exact is the whole target by itself; one that is not stands alone only where there is no outcome
    /// label and λ < 1.
    pub outcome_weight: f32,
    /// λ of the λ-return that stands for the score of a position (R. Sutton 1988, "Learning to predict by the methods of
    /// temporal differences"): (1 − λ)·score + λ·(the same of the next position), up to the outcome or the next random
    /// move. 0 is the recorded score alone: 0 … 1. Later searches see further than the first, and their errors
    /// average out, while most of the luck of the rest of the game stays away.
    pub score_lambda: f32,
    /// A position whose score (its target, where nothing searched it) is so many units of the outcome counts half as much as
    /// a level one, one of twice that a fifth: 1/(1 + (score/this)²). Games are decided where they are level, and an
    /// error of discs in one that is long decided costs nothing. `None`: all count alike.
    pub half_weight: Option<f32>,
    /// Targets are clipped to ± this many units of the outcome.
    pub largest_outcome: f32,
    /// The share of games set aside for validation: 0 … 1.
    pub validation: f64,
    /// At most this many positions of one game enter, drawn by a hash of the game.
    pub max_positions_per_game: Option<usize>,
    /// Merge equal training positions.
    pub merge: bool,
    /// Whether the position at which an unfinished record ends is one of its positions: it is where that position
    /// was solved by counting, not where it was won by moves that are yet to be played.
    pub ends: bool,
}

impl SampleOptions {
    /// The usual choice for a game whose outcomes reach ± `largest_outcome`.
    pub fn new(largest_outcome: f32) -> SampleOptions {
        SampleOptions {
            outcome_weight: 1.0,
            score_lambda: 0.0,
            half_weight: None,
            largest_outcome,
            validation: 0.05,
            max_positions_per_game: None,
            merge: true,
            ends: true,
        }
    }
}

/// The rows of one ply.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The ply all rows share.
    pub ply: usize,
    /// `Samples::stride` renumbered indices a row, row after row.
    pub indices: Vec<u16>,
    /// The target of each row in units of the outcome, for the side to move.
    pub targets: Vec<f32>,
    /// The number of labels merged into each row, or the sum of what they count ([`SampleOptions::half_weight`]).
    pub weights: Vec<f32>,
    /// Σ over all labels of (label − mean label of its row)², as they count: the part of the squared loss no weights can remove.
    pub scatter: f64,
}

impl Group {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.targets.len()
    }
}

/// All samples of a fit.
#[derive(Clone, Debug)]
pub struct Samples {
    /// The tables and instances of the feature model.
    pub layout: Layout,
    /// Indices in a row: the instances, padded to a multiple of [`LANE`].
    pub stride: usize,
    /// The compact column at which each of the `stride` indices counts from 0.
    pub bases: Vec<u32>,
    /// For each compact column its column in a row of the weights file, or [`NO_COLUMN`].
    pub columns: Vec<u32>,
    /// The parts of the tables' patterns.
    pub parts: Vec<Part>,
    /// Rows to fit, by ascending ply, empty plies left out.
    pub training: Vec<Group>,
    /// Rows to judge by, likewise.
    pub validation: Vec<Group>,
    /// Games read.
    pub games: u64,
    /// Games among them that were set aside for validation.
    pub validation_games: u64,
}

/// Bytes one training position takes while samples are built: its indices, sum, count and merge key.
pub fn bytes_per_position(layout: &Layout) -> u64 {
    let indices = 2 * layout.instances.len().next_multiple_of(LANE) as u64;
    // A hash map entry of 16 bytes and a control byte at a load between 7/16 and 7/8; sum and count; target and weight.
    indices + 28 + 12 + 8
}

/// Bytes the games take that become rows at a time, with the rows they become, when there are `positions` in all.
pub fn bytes_in_flight(layout: &Layout, positions: u64) -> u64 {
    let indices = 2 * layout.instances.len().next_multiple_of(LANE) as u64;
    // The ply it comes from; its row, key, target, weight and number, in vectors that grow by doubling.
    let position = size_of::<Ply>() as u64 + 2 * (indices + 20);
    positions.min((BATCH * layout.plies) as u64) * position
}

impl Samples {
    /// Replays the games and gathers their labelled positions. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// A record that cannot be read, an illegal move, an outcome the final board contradicts, or no training
    /// position at all.
    pub fn build<M, E>(
        records: impl Iterator<Item = Result<GameRecord, E>>,
        model: &M,
        options: &SampleOptions,
        mut progress: impl FnMut(u64),
    ) -> Result<Samples, FitError>
    where
        M: FeatureModel,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let layout = model.layout().clone();
        let stride = layout.instances.len().next_multiple_of(LANE);
        let mut collectors: Vec<Collector> = (0..2 * layout.plies)
            .map(|bucket| Collector { merge: options.merge && bucket < layout.plies, ..Collector::default() })
            .collect();
        let (mut games, mut validation_games) = (0, 0);
        let mut records = records.fuse();
        loop {
            let batch = (&mut records)
                .take(BATCH)
                .collect::<Result<Vec<GameRecord>, E>>()
                .map_err(|error| FitError::Read(error.into()))?;
            if batch.is_empty() {
                break;
            }
            let chunks = batch
                .par_chunks(CHUNK)
                .map(|games| Chunk::replay(games, model, options, stride))
                .collect::<Result<Vec<Chunk>, FitError>>()?;
            collectors.par_iter_mut().enumerate().for_each(|(bucket, collector)| {
                for chunk in &chunks {
                    collector.take(chunk, bucket, stride);
                }
            });
            games += batch.len() as u64;
            validation_games += chunks.iter().map(|chunk| chunk.validation_games).sum::<u64>();
            progress(games);
        }
        let mut groups: Vec<Group> = collectors
            .into_par_iter()
            .enumerate()
            .map(|(bucket, collector)| collector.finish(bucket % layout.plies))
            .collect();
        let occupied = |groups: Vec<Group>| groups.into_iter().filter(|group| group.rows() > 0).collect::<Vec<_>>();
        let validation = occupied(groups.split_off(layout.plies));
        let training = occupied(groups);
        if training.is_empty() {
            return Err(FitError::NoPositions { games });
        }
        let mut samples = Samples {
            layout,
            stride,
            bases: Vec::new(),
            columns: Vec::new(),
            parts: model.parts(),
            training,
            validation,
            games,
            validation_games,
        };
        samples.renumber();
        Ok(samples)
    }

    /// The number of training rows: distinct positions when equal ones are merged.
    pub fn training_rows(&self) -> usize {
        self.training.iter().map(Group::rows).sum()
    }

    /// The number of labels in the training rows.
    pub fn training_labels(&self) -> f64 {
        self.training.iter().flat_map(|group| &group.weights).map(|&weight| f64::from(weight)).sum()
    }

    /// The number of validation rows.
    pub fn validation_rows(&self) -> usize {
        self.validation.iter().map(Group::rows).sum()
    }

    /// Compact columns a ply has, pads included.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Counts what the training rows touch and gives each table's indices their rank by falling count; indices
    /// they never touch share one slot at the table's end.
    fn renumber(&mut self) {
        let (stride, instances) = (self.stride, self.layout.instances.len());
        let offsets = self.layout.offsets();
        let at: Vec<usize> = self.layout.instances.iter().map(|&table| offsets[table as usize]).collect();
        let counts = self
            .training
            .par_iter()
            .map(|group| {
                let mut counts = vec![0u32; self.layout.row_len()];
                for row in group.indices.chunks_exact(stride) {
                    for (offset, &index) in at.iter().zip(row) {
                        counts[offset + index as usize] += 1;
                    }
                }
                counts
            })
            .reduce_with(|mut sum, part| {
                sum.iter_mut().zip(&part).for_each(|(sum, part)| *sum += part);
                sum
            })
            .expect("training rows");

        let mut starts = Vec::new();
        let mut ranks = vec![0u16; self.layout.row_len()];
        self.columns.clear();
        for (table, &offset) in self.layout.tables.iter().zip(&offsets) {
            starts.push(self.columns.len() as u32);
            let counts = &counts[offset..offset + table.size];
            let mut seen: Vec<u32> = (0..table.size as u32).filter(|&index| counts[index as usize] > 0).collect();
            seen.sort_by_key(|&index| (std::cmp::Reverse(counts[index as usize]), index));
            // A table with all of 2^16 indices seen needs no slot for the others, so a rank always fits.
            ranks[offset..offset + table.size].fill(seen.len() as u16);
            for (rank, &index) in seen.iter().enumerate() {
                ranks[offset + index as usize] = rank as u16;
            }
            self.columns.extend(seen.iter().map(|&index| (offset + index as usize) as u32));
            self.columns.push(NO_COLUMN);
        }
        self.bases = self.layout.instances.iter().map(|&table| starts[table as usize]).collect();
        // Each pad has a column of its own: stores to one address would wait for each other.
        for _ in instances..stride {
            self.bases.push(self.columns.len() as u32);
            self.columns.push(NO_COLUMN);
        }
        self.training.par_iter_mut().chain(&mut self.validation).for_each(|group| {
            for row in group.indices.chunks_exact_mut(stride) {
                for (offset, index) in at.iter().zip(row) {
                    *index = ranks[offset + *index as usize];
                }
            }
        });
    }
}

/// The hash of a game that decides its side of the split: the same moves always fall on the same side.
pub fn game_hash(record: &GameRecord) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for ply in &record.plies {
        hasher.update(&[ply.mv.0]);
    }
    let hash = hasher.finalize();
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}

/// Whether the game with this hash is set aside when `share` of all games are.
pub fn is_validation(hash: u64, share: f64) -> bool {
    (hash as f64) < share * 2f64.powi(64)
}

/// The share of the outcome in the target of a position with so many discs placed, of a game of so many plies.
fn outcome_share(options: &SampleOptions, placed: usize, plies: usize) -> f32 {
    let late = (4.0 * placed as f32 / plies as f32 - 2.0).clamp(0.0, 1.0);
    options.outcome_weight + (1.0 - options.outcome_weight) * late
}

/// What the searches of a game say of the position before each of its plies, Black's point of view: the λ-returns of
/// [`SampleOptions::score_lambda`], `None` where nothing searched the position.
fn returns<M: FeatureModel>(record: &GameRecord, blacks: &[bool], model: &M, lambda: f32) -> Vec<Option<f32>> {
    let mut ahead = Some(f32::from(record.outcome.0));
    let mut returns = vec![None; record.plies.len()];
    for (at, ply) in record.plies.iter().enumerate().rev() {
        let score = ply.score.map(|score| if blacks[at] { 1.0 } else { -1.0 } * model.promised(score));
        if ply.random {
            ahead = None;
        }
        ahead = match (score, ahead) {
            (Some(score), Some(ahead)) if !ply.exact => Some((1.0 - lambda) * score + lambda * ahead),
            (Some(score), _) => Some(score),
            (None, ahead) => ahead,
        };
        returns[at] = ahead.filter(|_| score.is_some());
    }
    returns
}

/// The target of a position with `placed` discs placed, from the outcome of its game if that says anything of it and
/// from what searches say, both from one point of view; `None` without a label.
fn target(
    outcome: Option<f32>,
    searched: Option<(f32, bool)>,
    placed: usize,
    plies: usize,
    options: &SampleOptions,
) -> Option<f32> {
    let weight = outcome_share(options, placed, plies);
    let target = match (outcome, searched) {
        (_, Some((score, true))) => score,
        (Some(outcome), Some((score, false))) => weight * outcome + (1.0 - weight) * score,
        (Some(outcome), None) => outcome,
        (None, Some((score, false))) if weight < 1.0 => score,
        (None, _) => return None,
    };
    Some(target.clamp(-options.largest_outcome, options.largest_outcome))
}

/// What a position counts whose search said `score`, in units of the outcome.
fn weight(score: f32, options: &SampleOptions) -> f32 {
    options.half_weight.map_or(1.0, |half| 1.0 / (1.0 + (score / half).powi(2)))
}

/// The rows of a few games.
struct Chunk {
    /// Row numbers by bucket: plies of training games, then plies of validation games.
    buckets: Vec<Vec<u32>>,
    keys: Vec<u64>,
    targets: Vec<f32>,
    weights: Vec<f32>,
    indices: Vec<u16>,
    validation_games: u64,
}

impl Chunk {
    fn replay<M: FeatureModel>(
        games: &[GameRecord],
        model: &M,
        options: &SampleOptions,
        stride: usize,
    ) -> Result<Chunk, FitError> {
        let mut chunk = Chunk {
            buckets: vec![Vec::new(); 2 * model.layout().plies],
            keys: Vec::new(),
            targets: Vec::new(),
            weights: Vec::new(),
            indices: Vec::new(),
            validation_games: 0,
        };
        for record in games {
            let hash = game_hash(record);
            let validation = is_validation(hash, options.validation);
            chunk.validation_games += u64::from(validation);
            let mut labelled = labelled_positions(record, model, options)?;
            if let Some(most) = options.max_positions_per_game
                && labelled.len() > most
            {
                labelled.sort_by_key(|&(ply, ..)| mix(hash ^ ply as u64));
                labelled.truncate(most);
            }
            for (ply, position, target) in labelled {
                let score = record.plies.get(ply).and_then(|ply| ply.score).map(|score| model.promised(score));
                chunk.weights.push(weight(score.unwrap_or(target), options));
                chunk.push(record, ply, &position, target, validation, model, stride)?;
            }
        }
        Ok(chunk)
    }

    #[allow(clippy::too_many_arguments)]
    fn push<M: FeatureModel>(
        &mut self,
        record: &GameRecord,
        ply: usize,
        position: &M::Position,
        target: f32,
        validation: bool,
        model: &M,
        stride: usize,
    ) -> Result<(), FitError> {
        let layout = model.layout();
        let placed = position.ply();
        if placed >= layout.plies {
            let problem = format!("{placed} placed, and the feature model ends at {}", layout.plies - 1);
            return Err(FitError::game(record, ply, problem));
        }
        let begin = self.indices.len();
        self.indices.resize(begin + stride, 0);
        let row = &mut self.indices[begin..begin + layout.instances.len()];
        model.indices(position, row);
        // The solver reads without bounds checks: what it relies on is checked here, once and for all.
        for (&index, &table) in row.iter().zip(&layout.instances) {
            let table = &layout.tables[table as usize];
            assert!((index as usize) < table.size, "index {index} of table `{}` of {}", table.name, table.size);
        }
        self.buckets[placed + if validation { layout.plies } else { 0 }].push(self.keys.len() as u32);
        self.keys.push(position.canonical().iter().fold(0, |key, &word| mix(key ^ word)));
        self.targets.push(target);
        Ok(())
    }
}

/// The positions of a game that carry a label and a choice, with their place in the record and their target.
fn labelled_positions<M: FeatureModel>(
    record: &GameRecord,
    model: &M,
    options: &SampleOptions,
) -> Result<Vec<(usize, M::Position, f32)>, FitError> {
    let mut position = M::Position::start();
    let mut positions = Vec::with_capacity(record.plies.len() + 1);
    for (ply, played) in record.plies.iter().enumerate() {
        positions.push(position.clone());
        position.play(played.mv).map_err(|error| FitError::game(record, ply, error.to_string()))?;
    }
    positions.push(position.clone());
    let blacks: Vec<bool> = positions.iter().map(|position| position.side_to_move() == Color::Black).collect();
    let returns = returns(record, &blacks, model, options.score_lambda);
    let first = record.first_labelled();
    let mut labelled = Vec::with_capacity(positions.len());
    for (ply, position) in positions.into_iter().enumerate() {
        let sign = if blacks[ply] { 1.0 } else { -1.0 };
        let played = record.plies.get(ply);
        let outcome = (ply >= first).then(|| sign * f32::from(record.outcome.0));
        let searched = played.and_then(|played| returns[ply].map(|value| (sign * value, played.exact)));
        if (played.is_some() || options.ends)
            && let Some(target) = target(outcome, searched, position.ply(), model.layout().plies, options)
            && has_choice(&position, played.map(|played| played.mv))
            && model.is_quiet(&position)
        {
            labelled.push((ply, position, target));
        }
    }
    match (record.end, position.outcome()) {
        (End::Finished, None) => {
            Err(FitError::game(record, record.plies.len(), "recorded as finished, but the game goes on".into()))
        }
        (_, Some(found)) if found != record.outcome => Err(FitError::game(
            record,
            record.plies.len(),
            format!("outcome {} recorded, but the final board gives {}", record.outcome.0, found.0),
        )),
        _ => Ok(labelled),
    }
}

/// Whether the side to move has anything but a pass, given the move that was played if one was.
fn has_choice<P: Position>(position: &P, played: Option<Move>) -> bool {
    // Whoever placed a stone had that choice: the moves are generated only at passes and at a record's end.
    match played {
        Some(mv) if !mv.is_pass() => true,
        _ => position.legal_moves().first().is_some_and(|mv| !mv.is_pass()),
    }
}

/// Gathers the rows of one bucket, chunk by chunk.
#[derive(Default)]
struct Collector {
    merge: bool,
    row_of: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    indices: Vec<u16>,
    sums: Vec<f64>,
    counts: Vec<f32>,
    squares: f64,
}

impl Collector {
    fn take(&mut self, chunk: &Chunk, bucket: usize, stride: usize) {
        for &row in &chunk.buckets[bucket] {
            let row = row as usize;
            let target = f64::from(chunk.targets[row]);
            let weight = chunk.weights[row];
            self.squares += f64::from(weight) * target * target;
            let next = self.counts.len() as u32;
            let merged = if self.merge { *self.row_of.entry(chunk.keys[row]).or_insert(next) } else { next };
            if merged == next {
                self.indices.extend_from_slice(&chunk.indices[row * stride..(row + 1) * stride]);
                self.sums.push(f64::from(weight) * target);
                self.counts.push(weight);
            } else {
                self.sums[merged as usize] += f64::from(weight) * target;
                self.counts[merged as usize] += weight;
            }
        }
    }

    fn finish(self, ply: usize) -> Group {
        let explained: f64 = self.sums.iter().zip(&self.counts).map(|(sum, &count)| sum * sum / f64::from(count)).sum();
        Group {
            ply,
            indices: self.indices,
            targets: self.sums.iter().zip(&self.counts).map(|(sum, &count)| (sum / f64::from(count)) as f32).collect(),
            weights: self.counts.clone(),
            scatter: (self.squares - explained).max(0.0),
        }
    }
}

/// Keys are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
