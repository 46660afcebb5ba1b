//! What weights share: a weight is the sum of unknowns of its own, of its parts, and of all phases.
//!
//! A long pattern sees most of its configurations too seldom to learn them. Its weight at a knot is therefore fitted as
//! a sum: an unknown of its own, one that all knots have in common, and both again for every part (a smaller
//! pattern inside it) that the configuration shows. Each is held at 0 by the ridge, so a configuration that was seldom
//! seen takes the value of its parts and of its other phases. Positions still read one weight an instance: the
//! sums are formed once per pass, and a gradient by weights becomes one by unknowns in the same way.
//!
//! Sources of the idea: Edax's and Egaroucid's builders smooth neighbouring phases and configurations instead.

use std::borrow::Cow;

use rayon::prelude::*;

use super::samples::{NO_COLUMN, Samples};

/// How the unknowns of a fit add up to its weights.
///
/// Unknowns are numbered: the weights' own (knot·width + compact column), the constants of the plies, then, where
/// weights share, the parts of each knot (knot·parts + part), what columns have in common over all knots (width), and
/// what parts have (parts).
#[derive(Clone, Debug)]
pub struct Sharing {
    knots: usize,
    width: usize,
    plies: usize,
    /// Parts a knot has; 0 where nothing is shared.
    parts: usize,
    /// Whether weights of all knots share.
    common: bool,
    /// Where each column's entries of `ids` begin.
    starts: Vec<u32>,
    /// The parts of each column, one as often as it occurs.
    ids: Vec<u32>,
}

impl Sharing {
    /// Weights that share nothing.
    pub fn none(samples: &Samples, knots: usize) -> Sharing {
        let (width, plies) = (samples.width(), samples.layout.plies);
        Sharing { knots, width, plies, parts: 0, common: false, starts: vec![0; width + 1], ids: Vec::new() }
    }

    /// What the feature model of the samples says of parts, and all knots.
    pub fn new(samples: &Samples, knots: usize) -> Sharing {
        let offsets = samples.layout.offsets();
        let mut of_row: Vec<Vec<u32>> = vec![Vec::new(); samples.layout.row_len()];
        let mut parts = 0;
        for part in &samples.parts {
            for map in &part.maps {
                for (index, &at) in map.iter().enumerate() {
                    of_row[offsets[part.table] + index].push(parts + u32::from(at));
                }
            }
            parts += part.size as u32;
        }
        let (mut starts, mut ids) = (vec![0], Vec::new());
        for &column in &samples.columns {
            if column != NO_COLUMN {
                ids.extend(&of_row[column as usize]);
            }
            starts.push(ids.len() as u32);
        }
        Sharing { parts: parts as usize, common: true, starts, ids, ..Sharing::none(samples, knots) }
    }

    /// The number of weights and constants.
    pub fn weights(&self) -> usize {
        self.knots * self.width + self.plies
    }

    /// The number of unknowns.
    pub fn unknowns(&self) -> usize {
        let common = if self.common { self.width + self.parts } else { 0 };
        self.weights() + self.knots * self.parts + common
    }

    /// Parts a knot has.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The parts of a compact column.
    #[inline(always)]
    pub fn of(&self, column: usize) -> &[u32] {
        &self.ids[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// Unknowns that add up to `weights`: the mean over the knots in common, the rest their own.
    pub fn split(&self, weights: &[f64]) -> Vec<f64> {
        let mut unknowns = weights.to_vec();
        unknowns.resize(self.unknowns(), 0.0);
        if !self.common {
            return unknowns;
        }
        let (own, shared) = unknowns.split_at_mut(self.weights());
        let common = &mut shared[self.knots * self.parts..][..self.width];
        let rows = own[..self.knots * self.width].chunks_exact_mut(self.width);
        for row in weights[..self.knots * self.width].chunks_exact(self.width) {
            common.iter_mut().zip(row).for_each(|(common, weight)| *common += weight / self.knots as f64);
        }
        for row in rows {
            row.iter_mut().zip(&*common).for_each(|(own, common)| *own -= common);
        }
        unknowns
    }

    /// The weights that unknowns add up to, and the constants.
    pub fn sum<'a>(&self, unknowns: &'a [f64]) -> Cow<'a, [f64]> {
        let (own, shared) = unknowns.split_at(self.weights());
        if shared.is_empty() {
            return Cow::Borrowed(own);
        }
        let mut weights = own.to_vec();
        let (parts, common) = shared.split_at(self.knots * self.parts);
        let (common, common_parts) = common.split_at(self.width);
        weights[..self.knots * self.width].par_chunks_exact_mut(self.width).enumerate().for_each(|(knot, row)| {
            let parts = &parts[knot * self.parts..(knot + 1) * self.parts];
            let parts: Vec<f64> = parts.iter().zip(common_parts).map(|(own, common)| own + common).collect();
            for ((weight, common), column) in row.iter_mut().zip(common).zip(0..) {
                *weight += common;
                self.of(column).iter().for_each(|&id| *weight += parts[id as usize]);
            }
        });
        Cow::Owned(weights)
    }

    /// Turns sums by weights, at the head of `sums`, into sums by unknowns.
    pub fn spread(&self, sums: &mut [f64]) {
        let (own, shared) = sums.split_at_mut(self.weights());
        if shared.is_empty() {
            return;
        }
        shared.fill(0.0);
        let (parts, common) = shared.split_at_mut(self.knots * self.parts);
        let (common, common_parts) = common.split_at_mut(self.width);
        let rows = || own[..self.knots * self.width].chunks_exact(self.width);
        if self.parts > 0 {
            let tasks: Vec<_> = parts.chunks_exact_mut(self.parts).zip(rows()).collect();
            tasks.into_par_iter().for_each(|(parts, row)| {
                // A knot's plies read about half of the columns.
                for (column, sum) in row.iter().enumerate().filter(|(_, sum)| **sum != 0.0) {
                    self.of(column).iter().for_each(|&id| parts[id as usize] += sum);
                }
            });
            for row in parts.chunks_exact(self.parts) {
                common_parts.iter_mut().zip(row).for_each(|(common, part)| *common += part);
            }
        }
        for row in rows() {
            common.iter_mut().zip(row).for_each(|(common, sum)| *common += sum);
        }
    }
}
