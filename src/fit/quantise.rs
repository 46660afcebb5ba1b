//! From the solver's unknowns to the integers of a weights file, and back.
//!
//! A value is rounded to the nearest unit (1 / `scale` of the game's outcome unit); what does not fit `i16`
//! saturates and is counted. A ply without training rows takes the constant of the nearest ply of its parity that
//! has some: neighbours of equal parity have the same side to make the last move.

use super::samples::{NO_COLUMN, Samples};
use crate::eval::mixture;
use crate::eval::weights::Weights;

/// Rounded weights and how many of them hit the end of the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantised {
    /// The weights, without ProbCut lines: those belong to the search of one version.
    pub weights: Weights,
    /// Values beyond ± 32,767 units.
    pub saturated: usize,
}

/// Rounds the solution `x` of a fit at the knots of `template`, whose game, scale and tables the result takes.
/// `parent` is the hash the result names as its parent.
pub fn quantise(samples: &Samples, x: &[f64], template: &Weights, parent: [u8; 32]) -> Quantised {
    let (width, row_len, plies) = (samples.width(), template.row_len(), samples.layout.plies);
    let mut saturated = 0;
    let mut round = |value: f64| {
        let units = (value * f64::from(template.scale)).round();
        saturated += usize::from(units.abs() > f64::from(i16::MAX));
        units.clamp(-f64::from(i16::MAX), f64::from(i16::MAX)) as i16
    };
    let mut values = vec![0; row_len * template.knots.len()];
    for (row, compact) in values.chunks_exact_mut(row_len).zip(x.chunks_exact(width)) {
        for (&column, &value) in samples.columns.iter().zip(compact).filter(|(column, _)| **column != NO_COLUMN) {
            row[column as usize] = round(value);
        }
    }
    let constants = &x[width * template.knots.len()..];
    let constants = (0..plies).map(|ply| round(constants[nearest_fitted(samples, ply)])).collect();
    let weights = Weights { parent, constants, values, probcut: Vec::new(), ..template.clone() };
    Quantised { weights, saturated }
}

/// The ply with training rows whose constant serves `ply`: itself, or the nearest of its parity (the later of two),
/// or the nearest at all.
fn nearest_fitted(samples: &Samples, ply: usize) -> usize {
    let rank = |fitted: usize| (fitted % 2 != ply % 2, fitted.abs_diff(ply), fitted < ply);
    let fitted = samples.training.iter().map(|group| group.ply);
    fitted.min_by_key(|&fitted| rank(fitted)).unwrap_or(ply)
}

/// The unknowns of a fit at `template`'s knots that equal `source`: tables of the same name, kind and size are
/// taken over, mixed where the knots differ; everything else is 0. Not yet held at 0 where a problem holds it.
pub fn unknowns_of(samples: &Samples, template: &Weights, source: &Weights) -> Vec<f64> {
    let width = samples.width();
    let mut x = vec![0.0; width * template.knots.len() + samples.layout.plies];
    let scale = f64::from(source.scale);
    let from = source_columns(template, source);
    for (&knot, compact) in template.knots.iter().zip(x.chunks_exact_mut(width)) {
        let (below, above, share) = mixture(&source.knots, knot as usize);
        let (below, above, share) = (source.row(below), source.row(above), f64::from(share) / 256.0);
        for (value, &column) in compact.iter_mut().zip(&samples.columns) {
            if let Some(at) = from.get(column as usize).copied().flatten() {
                let (a, b) = (f64::from(below[at]), f64::from(above[at]));
                *value = (a + (b - a) * share) / scale;
            }
        }
    }
    let constants = x[width * template.knots.len()..].iter_mut().zip(&source.constants);
    constants.for_each(|(x, &constant)| *x = f64::from(constant) / scale);
    x
}

/// For each column of `template`'s rows the column of `source`'s with the same meaning.
fn source_columns(template: &Weights, source: &Weights) -> Vec<Option<usize>> {
    let mut columns = Vec::with_capacity(template.row_len());
    for table in &template.tables {
        let number = source.tables.iter().position(|other| other == table && source.game == template.game);
        let start = number.map(|number| source.tables[..number].iter().map(|table| table.size).sum::<usize>());
        columns.extend((0..table.size).map(|index| start.map(|start| start + index)));
    }
    columns
}
