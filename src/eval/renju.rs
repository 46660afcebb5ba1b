//! Renju's evaluation: every empty point counts by what a stone of either side would make there.
//!
//! The windows of a point's four lines give classes, the classes a point code ([`classes`]), and the code reads a
//! learned weight: one table a colour, in two halves (that colour to move, the other to move), mixed between knots by
//! the number of stones. The sum is the logarithm of the odds that the side to move wins. [`lines`] keeps codes and
//! sums move by move. What threats are worth together is no sum: one more table is read at which kinds of points there
//! are for either side ([`lines::Lines::threats`]). (Point codes of line patterns and terms for threats are a known form
//! of Renju evaluation; the published engine Rapfi has one.) Two more tables hold what a move is worth in ordering, by
//! the codes of its point.

pub mod classes;
pub mod lines;

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

use self::classes::{CLASSES, CODES, POINT_CODES, kind};
use self::lines::{CodeWeights, Lines, THREATS, no_weights, packed};
use super::weights::{Kind, Weights};
use super::{FeatureModel, Layout, MoveModel, Table, even_knots, mixture};
use crate::game::renju::{POINTS, Renju};
use crate::game::{Color, GameId, Move, Position};

/// The most knots an evaluation may have at play.
pub const KNOTS: usize = 8;
/// Weight units of a natural logarithm of odds.
pub const SCALE: u16 = 1024;
/// Search units of the same.
pub const LOGIT: i32 = 512;
/// Parts of a weight unit in the sums of play, so that no rounding adds up.
pub const FRACTION: i32 = 16;
/// The largest evaluation.
pub const MOST: i32 = 12_000;
/// The value of a won game; one move later it is one less.
pub const WIN: i32 = 30_000;
/// Values beyond this are wins found by search, whatever the distance.
pub const SURE: i32 = 20_000;
/// Numbers of stones, each with a constant of its own.
pub const PLIES: usize = POINTS + 1;

/// The tables in file order: name and weights a knot.
pub const TABLES: [(&str, usize); 5] = [
    ("black points", 2 * CODES),
    ("white points", 2 * CODES),
    ("black moves", 2 * CODES),
    ("white moves", 2 * CODES),
    ("threats", THREATS),
];
/// The first of them, which the earliest versions had alone.
const FIRST_TABLES: usize = 4;
/// Where the tables of moves begin in a row of weights, and where they end.
const MOVES: std::ops::Range<usize> = 4 * CODES..8 * CODES;

/// The evenly spaced knots of a fit.
pub fn knots(count: usize) -> Vec<u8> {
    even_knots(count.min(KNOTS), 6, 54)
}

/// What one line is worth to a move before anything was learned: the further its class, the more.
const FIRST_WORTH: [i16; CLASSES] = [0, 0, 20, 40, 120, 200, 240, 280, 400, 700, 900, 1000, 5000, 8000];

/// The order of moves before anything was learned, by own codes and the other side's: own lines count a quarter more.
fn first_worths() -> [i16; 2 * CODES] {
    let mut worths = [0; 2 * CODES];
    for packed in 0..=u16::MAX {
        let classes = [0, 4, 8, 12].map(|shift| usize::from(packed >> shift & 15));
        if classes.iter().all(|&class| class < CLASSES) {
            let code = POINT_CODES.code(packed) as usize;
            let sum: i16 = classes.iter().map(|&class| FIRST_WORTH[class] / 2).sum();
            worths[code] = sum / 4 * 5;
            worths[CODES + code] = sum;
        }
    }
    worths
}

/// Weights that know nothing of who wins, and order moves by the rules' classes.
pub fn zero(knots: Vec<u8>) -> Weights {
    let table = |(name, size): (&str, usize)| super::weights::Table { name: name.into(), kind: Kind::PointCode, size };
    let tables: Vec<_> = TABLES.into_iter().map(table).collect();
    let points = TABLES[0].1 + TABLES[1].1;
    let row: Vec<i16> = [vec![0; points], first_worths().repeat(2), vec![0; THREATS]].concat();
    Weights {
        game: GameId::Renju,
        scale: SCALE,
        parent: [0; 32],
        tables,
        constants: vec![0; PLIES],
        values: row.repeat(knots.len()),
        knots,
        probcut: Vec::new(),
    }
}

/// Why weights cannot evaluate Renju.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RenjuWeightsError {
    /// They belong to another game.
    #[error("the weights are for {0}, expected renju")]
    OtherGame(GameId),
    /// They have other tables, constants, knots or another scale than this program reads.
    #[error("expected {expected}, found {found}")]
    Shape {
        /// What this program reads.
        expected: String,
        /// What the file has.
        found: String,
    },
}

/// A Renju evaluation ready to play. Cloning shares the tables.
#[derive(Clone)]
pub struct Evaluator {
    tables: Arc<Tables>,
}

struct Tables {
    /// The weights of each knot.
    rows: Vec<Vec<i16>>,
    knots: Vec<u8>,
    /// The worth of a move in ordering: by the mover, then own codes and the other side's.
    moves: [Vec<i16>; 2],
    constants: Vec<i32>,
    shift: u32,
}

impl Evaluator {
    /// Expands `weights`.
    ///
    /// # Errors
    /// Weights of another game or of another shape.
    pub fn new(weights: &Weights) -> Result<Evaluator, RenjuWeightsError> {
        check(weights)?;
        let weights = &completed(weights);
        let first = weights.row(0);
        let moves = [0, 1].map(|color| first[(4 + 2 * color) * CODES..(6 + 2 * color) * CODES].to_vec());
        let tables = Tables {
            rows: (0..weights.knots.len()).map(|knot| weights.row(knot).to_vec()).collect(),
            knots: weights.knots.clone(),
            moves,
            constants: weights.constants.iter().map(|&value| i32::from(value)).collect(),
            shift: (i32::from(weights.scale) / LOGIT).ilog2(),
        };
        Ok(Evaluator { tables: Arc::new(tables) })
    }

    /// The weights that [`Lines`] sums up in positions of about `ply` stones, in [`FRACTION`]ths of weight units: a
    /// search mixes them once, at its root.
    pub fn codes(&self, ply: usize) -> CodeWeights {
        let mixed = self.mixed(ply);
        let points = [0, 1].map(|color| {
            let at = |to_move: usize, code: usize| 2 * CODES * color + half(color, to_move) + code;
            (0..CODES).map(|code| packed(mixed(at(0, code)), mixed(at(1, code)))).collect()
        });
        CodeWeights { points, threats: (MOVES.end..MOVES.end + THREATS).map(mixed).collect() }
    }

    /// A weight of the row at `ply` stones.
    fn mixed(&self, ply: usize) -> impl Fn(usize) -> i32 {
        let (below, above, share) = mixture(&self.tables.knots, ply);
        let (below, above) = (&self.tables.rows[below], &self.tables.rows[above]);
        move |at| (i32::from(below[at]) * (256 - share) + i32::from(above[at]) * share + 8) >> 4
    }

    /// The value of a position of `ply` stones for the side to move (0 Black, 1 White), in search units. `weights` are
    /// those that `lines` sums up.
    #[inline(always)]
    pub fn evaluate(&self, lines: &Lines, weights: &CodeWeights, to_move: usize, ply: usize) -> i32 {
        let tables = &*self.tables;
        let sum = lines.sum(to_move) + weights.threats[lines.threats(to_move)];
        let value = ((sum + FRACTION / 2) >> FRACTION.ilog2()) + tables.constants[ply];
        ((value + (1 << tables.shift >> 1)) >> tables.shift).clamp(-MOST, MOST)
    }

    /// What a stone of `color` (0 Black, 1 White) on `point` is worth in ordering, in weight units.
    #[inline(always)]
    pub fn move_worth(&self, lines: &Lines, color: usize, point: usize) -> i32 {
        let table = &self.tables.moves[color];
        i32::from(table[lines.code(color, point)]) + i32::from(table[CODES + lines.code(1 - color, point)])
    }

    /// The value of a position from scratch, for the side to move.
    pub fn value(&self, position: &Renju) -> i32 {
        let stones = position.board().stones();
        let weights = self.codes(stones);
        let lines = Lines::from_scratch(position.board(), &weights);
        self.evaluate(&lines, &weights, position.side_to_move() as usize, stones)
    }
}

/// Where the half of a colour's table begins that holds with `to_move` to move.
#[inline(always)]
fn half(color: usize, to_move: usize) -> usize {
    if color == to_move { 0 } else { CODES }
}

fn check(weights: &Weights) -> Result<(), RenjuWeightsError> {
    if weights.game != GameId::Renju {
        return Err(RenjuWeightsError::OtherGame(weights.game));
    }
    let shape = |expected: String, found: String| Err(RenjuWeightsError::Shape { expected, found });
    let found: Vec<(&str, usize)> = weights.tables.iter().map(|table| (table.name.as_str(), table.size)).collect();
    if found != TABLES && found != TABLES[..FIRST_TABLES] {
        return shape(format!("the tables {TABLES:?}"), format!("{found:?}"));
    }
    if weights.constants.len() != PLIES {
        return shape(format!("{PLIES} constants"), weights.constants.len().to_string());
    }
    if weights.knots.len() > KNOTS {
        return shape(format!("at most {KNOTS} knots"), weights.knots.len().to_string());
    }
    if !weights.scale.is_power_of_two() || !(LOGIT..=16_384).contains(&i32::from(weights.scale)) {
        return shape(format!("a scale of 2^n from {LOGIT} to 16384"), weights.scale.to_string());
    }
    Ok(())
}

/// The weights with the tables that the earliest versions lack, filled with 0.
pub fn completed(weights: &Weights) -> Cow<'_, Weights> {
    if weights.tables.len() == TABLES.len() {
        return Cow::Borrowed(weights);
    }
    let mut completed = zero(weights.knots.clone());
    let row = weights.row_len();
    for (knot, values) in completed.values.chunks_exact_mut(MOVES.end + THREATS).enumerate() {
        values[..row].copy_from_slice(weights.row(knot));
    }
    let Weights { game, scale, parent, constants, probcut, .. } = weights.clone();
    Cow::Owned(Weights { game, scale, parent, constants, probcut, ..completed })
}

/// Renju's feature model: the codes of all points for both colours; a point with a stone counts as a dead one;
/// and the threats.
pub struct RenjuFeatures {
    layout: Layout,
    none: CodeWeights,
}

impl RenjuFeatures {
    /// The features.
    pub fn new() -> RenjuFeatures {
        let tables = TABLES.into_iter().map(|(name, size)| Table { name: name.into(), size }).collect();
        let points = (0..2).flat_map(|color| [color; POINTS]);
        let instances = points.chain([FIRST_TABLES as u16]).collect();
        let layout = Layout { game: GameId::Renju, tables, instances, plies: PLIES };
        RenjuFeatures { layout, none: no_weights() }
    }
}

impl Default for RenjuFeatures {
    fn default() -> Self {
        RenjuFeatures::new()
    }
}

impl FeatureModel for RenjuFeatures {
    type Position = Renju;

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn indices(&self, position: &Renju, out: &mut [u16]) {
        let lines = Lines::from_scratch(position.board(), &self.none);
        let to_move = position.side_to_move() as usize;
        for color in 0..2 {
            for point in 0..POINTS {
                out[color * POINTS + point] = (half(color, to_move) + lines.code(color, point)) as u16;
            }
        }
        out[2 * POINTS] = lines.threats(to_move) as u16;
    }

    fn units_per_outcome(&self) -> i32 {
        SURE
    }

    /// Found wins promise the whole outcome, evaluations what their odds are worth.
    fn promised(&self, score: i16) -> f32 {
        match i32::from(score) {
            sure if sure.abs() >= SURE => sure.signum() as f32,
            score => (score as f32 / (2 * LOGIT) as f32).tanh(),
        }
    }

    /// No five to make or to stop, no open four to make.
    fn is_quiet(&self, position: &Renju) -> bool {
        let lines = Lines::from_scratch(position.board(), &self.none);
        let to_move = position.side_to_move() as usize;
        lines.set(0, kind::FIVE).is_empty()
            && lines.set(1, kind::FIVE).is_empty()
            && lines.set(to_move, kind::OPEN_FOUR).is_empty()
    }
}

impl MoveModel for RenjuFeatures {
    const COLUMNS: usize = 2;
    type Columns = [u16; 2];

    /// Columns count from 0 in Black's table of moves, then in White's.
    fn move_columns(&self, position: &Renju, out: &mut Vec<(Move, [u16; 2])>) {
        let lines = Lines::from_scratch(position.board(), &self.none);
        let me = position.side_to_move() as usize;
        let forced = (0..2).any(|color| !lines.set(color, kind::FIVE).is_empty());
        if forced || position.ply() < 3 {
            return;
        }
        for point in lines.choices(me).iter() {
            let column = |half: usize, color: usize| ((2 * me + half) * CODES + lines.code(color, point)) as u16;
            out.push((Move(point as u8), [column(0, me), column(1, 1 - me)]));
        }
    }
}

/// Puts learned worths, by the columns of [`MoveModel::move_columns`], into the tables of moves of all knots.
pub fn set_worths(weights: &mut Weights, worths: &[f32]) {
    let row = weights.row_len();
    for knot in weights.values.chunks_exact_mut(row) {
        for (value, &worth) in knot[MOVES].iter_mut().zip(worths) {
            *value = (worth * f32::from(SCALE)).round().clamp(-32_000.0, 32_000.0) as i16;
        }
    }
}

/// The worths in the tables of moves, as [`set_worths`] takes them.
pub fn worths(weights: &Weights) -> Vec<f32> {
    weights.row(0)[MOVES].iter().map(|&value| f32::from(value) / f32::from(SCALE)).collect()
}

/// The colour of number 0 or 1.
#[inline(always)]
pub fn color_of(number: usize) -> Color {
    if number == 0 { Color::Black } else { Color::White }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::renju::Board;
    use crate::game::symmetry;
    use crate::rng::{Domain, RngExt, stream};

    fn random_weights(seed: u64) -> Weights {
        let mut rng = stream(seed, Domain::Test, 42);
        let mut weights = zero(knots(3));
        weights.values.iter_mut().for_each(|value| *value = rng.random_range(-40..40));
        weights.constants.iter_mut().for_each(|value| *value = rng.random_range(-300..300));
        weights
    }

    /// A position after random moves near the middle.
    fn random_position(seed: u64, moves: usize) -> Renju {
        let mut rng = stream(seed, Domain::Test, 43);
        let mut position = Renju::start();
        while position.ply() < moves && position.outcome().is_none() {
            let legal = position.legal_moves();
            let mv = legal[rng.random_range(0..legal.len())];
            position.play(mv).unwrap();
        }
        position
    }

    #[test]
    fn play_time_value_is_the_sum_the_fit_sees() {
        let weights = random_weights(1);
        let evaluator = Evaluator::new(&weights).unwrap();
        let features = RenjuFeatures::new();
        let offsets = features.layout().offsets();
        let mut indices = vec![0; features.layout().instances.len()];
        for seed in 0..60 {
            let position = random_position(seed, (seed as usize * 3) % 90);
            features.indices(&position, &mut indices);
            let (below, above, share) = mixture(&weights.knots, position.ply());
            let mut sum = f64::from(weights.constants[position.ply()]);
            for (instance, &index) in indices.iter().enumerate() {
                let at = offsets[features.layout().instances[instance] as usize] + index as usize;
                let (a, b) = (f64::from(weights.row(below)[at]), f64::from(weights.row(above)[at]));
                sum += a + (b - a) * f64::from(share) / 256.0;
            }
            let expected = (sum / f64::from(SCALE) * f64::from(LOGIT)).clamp(-f64::from(MOST), f64::from(MOST));
            let found = f64::from(evaluator.value(&position));
            // Each of the 450 weights is rounded once, by half a part of a unit at most.
            let rounding = 0.5 * 450.0 / f64::from(FRACTION) / f64::from(SCALE) * f64::from(LOGIT);
            assert!((found - expected).abs() <= 1.0 + rounding, "{found} {expected}");
        }
    }

    #[test]
    fn symmetric_positions_have_one_value() {
        let evaluator = Evaluator::new(&random_weights(2)).unwrap();
        for seed in 0..20 {
            let position = random_position(100 + seed, 30);
            let value = evaluator.value(&position);
            for s in 0..symmetry::COUNT {
                let image = Renju::new(position.board().transformed(s), position.side_to_move());
                assert_eq!(evaluator.value(&image), value);
            }
        }
    }

    #[test]
    fn quiet_is_no_five_and_no_open_four_to_make() {
        let features = RenjuFeatures::new();
        let position = |moves: &str, color| {
            let mut board = Board::empty();
            for (number, word) in moves.split(' ').enumerate() {
                let stone = color_of(number % 2);
                board.place(crate::game::renju::Point::of_move(Renju::parse_move(word).unwrap()).unwrap(), stone);
            }
            Renju::new(board, color)
        };
        let three = "h8 a1 i8 c1 j8 e1";
        assert!(!features.is_quiet(&position(three, Color::Black)));
        assert!(features.is_quiet(&position(three, Color::White)));
        let four = "h8 a1 i8 c1 j8 e1 k8 a3";
        assert!(!features.is_quiet(&position(four, Color::White)));
    }

    #[test]
    fn weights_of_another_shape_are_refused() {
        let mut weights = zero(knots(2));
        weights.tables[0].name = "other".into();
        assert!(matches!(Evaluator::new(&weights), Err(RenjuWeightsError::Shape { .. })));
        weights.game = GameId::Othello;
        assert_eq!(Evaluator::new(&weights).err(), Some(RenjuWeightsError::OtherGame(GameId::Othello)));
        let sound = zero(knots(4));
        assert_eq!(Weights::from_bytes(&sound.to_bytes()).unwrap(), sound);
    }
}
