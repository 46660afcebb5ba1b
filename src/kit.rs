//! The composition root: what belongs to which game. No logic, only who goes with whom.

use crate::eval::evaluator::stored_tables;
use crate::eval::othello::{MOBILITY_SIZE, PatternSet, standard_set};
use crate::eval::pattern::Pattern;
use crate::eval::weights::{Kind, Table, Weights};
use crate::eval::{Layout, even_knots};
use crate::game::othello::Othello;
use crate::game::{GameId, Position};
use crate::rng::{Domain, RngExt, stream};

/// Weight units per disc in every Othello weights file.
pub const OTHELLO_SCALE: u16 = 128;

/// The knots of a fit with `count` of them on N×N: from the fourth disc placed to twelve empties.
pub fn othello_knots<const N: usize>(count: usize) -> Vec<u8> {
    let last = (N * N - 4usize).saturating_sub(if N == 8 { 12 } else { 4 });
    even_knots(count, 4.min(last), last)
}

/// Weights of a pattern set that know nothing: every value is 0.
pub fn othello_zero<const N: usize>(set: &PatternSet, knots: Vec<u8>) -> Weights {
    let layout: &Layout = set.layout();
    Weights {
        game: <Othello<N> as Position>::GAME,
        scale: OTHELLO_SCALE,
        parent: [0; 32],
        tables: stored_tables(layout, &set.patterns),
        constants: vec![0; layout.plies],
        values: vec![0; layout.row_len() * knots.len()],
        knots,
        probcut: Vec::new(),
    }
}

/// Zero weights of a game's standard features: where learning starts from.
pub fn zero_weights(game: GameId) -> Option<Weights> {
    match game {
        GameId::Othello => Some(othello_zero::<8>(&standard_set::<8>(), othello_knots::<8>(2))),
        GameId::Othello6 => Some(othello_zero::<6>(&standard_set::<6>(), othello_knots::<6>(2))),
        GameId::Othello4 => Some(othello_zero::<4>(&standard_set::<4>(), othello_knots::<4>(2))),
        GameId::Renju => None,
    }
}

/// The fixed weights of the bench and of golden lines without a weights file: the standard patterns on three knots
/// with small pseudo-random values of at most `magnitude`, corners and mobility that make sense. They depend on the
/// arguments alone, so node counts compare from one version of the program to the next.
pub fn bench_weights(seed: u64, magnitude: i16) -> Weights {
    let mut weights = othello_zero::<8>(&standard_set::<8>(), vec![8, 25, 48]);
    let mut rng = stream(seed, Domain::Test, 100);
    for value in &mut weights.values {
        *value = rng.random_range(-magnitude..=magnitude);
    }
    for constant in &mut weights.constants {
        *constant = rng.random_range(-64..=64);
    }
    set_basics(&mut weights);
    weights
}

/// The weights a template carries as it stands: corners and mobility, on one knot.
pub fn template_weights() -> Weights {
    let corner = Pattern::new("corner 2x2", &[0, 1, 8, 9], 8);
    let set = PatternSet::new::<8>(vec![corner]).expect("four placements");
    let mut weights = othello_zero::<8>(&set, vec![30]);
    set_basics(&mut weights);
    weights
}

/// Adds to every weight of patterns that begin at the corner what the corner is worth, and sets the mobilities.
fn set_basics(weights: &mut Weights) {
    let unit = OTHELLO_SCALE as i16;
    let row = weights.row_len();
    let first_is_corner = |table: &Table| matches!(&table.kind, Kind::Cells(cells) if cells[0] == 0 && cells.len() < 10);
    let pattern = first_is_corner(&weights.tables[0]).then(|| match &weights.tables[0].kind {
        Kind::Cells(cells) => Pattern::new("", cells, 8),
        _ => unreachable!("only cells have a first cell"),
    });
    for knot in weights.values.chunks_exact_mut(row) {
        if let Some(pattern) = &pattern {
            let mut done = vec![false; pattern.size];
            for (raw, &shared) in pattern.shared.iter().enumerate() {
                if !std::mem::replace(&mut done[shared as usize], true) {
                    knot[shared as usize] += [0, 6 * unit, -6 * unit][raw % 3];
                }
            }
        }
        let (own, other) = knot[row - 2 * MOBILITY_SIZE..].split_at_mut(MOBILITY_SIZE);
        for count in 0..MOBILITY_SIZE as i16 {
            own[count as usize] = count.min(16) * unit / 2;
            other[count as usize] = -(count.min(16) * unit / 2);
        }
    }
}
