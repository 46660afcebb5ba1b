//! The linear system of a fit as a file, so that any other solver can be held against ours.
//!
//! Little-endian, in this order: the eight bytes `STONEROW`; u64 rows, u64 columns (the unknowns), u64 entries;
//! u64 × (rows + 1): where each row's entries begin; u32 × entries: columns, one column several times in a row if
//! several instances read it; f32 × entries: mixing shares (1 for the constant); f32 × rows: targets; f32 × rows:
//! weights; f64 × columns: the ridge λ·dⱼ, infinite where the unknown is held at 0; f64 × columns: our solution.
//! What is minimised: Σ weight·(row·x − target)² + Σ ridge·x².

use std::io::{self, Write};

use super::samples::Samples;
use crate::eval::mixture;

/// Writes the system of the training rows.
pub fn write_system(out: &mut impl Write, samples: &Samples, knots: &[u8], ridge: &[f64], x: &[f64]) -> io::Result<()> {
    let (width, first_constant) = (samples.width(), knots.len() * samples.width());
    let instances = samples.layout.instances.len();
    let mixes: Vec<_> = samples.training.iter().map(|group| mixture(knots, group.ply)).collect();
    let entries_of = |share: i32| if share == 0 { instances + 1 } else { 2 * instances + 1 };
    let lengths = || samples.training.iter().zip(&mixes).map(|(group, mix)| (group.rows(), entries_of(mix.2)));
    let entries: usize = lengths().map(|(rows, length)| rows * length).sum();
    out.write_all(b"STONEROW")?;
    for number in [samples.training_rows(), x.len(), entries] {
        out.write_all(&(number as u64).to_le_bytes())?;
    }
    let mut start = 0u64;
    out.write_all(&start.to_le_bytes())?;
    for (rows, length) in lengths() {
        for _ in 0..rows {
            start += length as u64;
            out.write_all(&start.to_le_bytes())?;
        }
    }
    for (group, &(below, above, share)) in samples.training.iter().zip(&mixes) {
        for row in group.indices.chunks_exact(samples.stride) {
            for (base, &index) in samples.bases.iter().zip(row).take(instances) {
                let at = (base + u32::from(index)) as usize;
                out.write_all(&((below * width + at) as u32).to_le_bytes())?;
                if share != 0 {
                    out.write_all(&((above * width + at) as u32).to_le_bytes())?;
                }
            }
            out.write_all(&((first_constant + group.ply) as u32).to_le_bytes())?;
        }
    }
    for (group, &(_, _, share)) in samples.training.iter().zip(&mixes) {
        let share = share as f32 / 256.0;
        for _ in 0..group.rows() {
            for _ in 0..instances {
                out.write_all(&(1.0 - share).to_le_bytes())?;
                if share != 0.0 {
                    out.write_all(&share.to_le_bytes())?;
                }
            }
            out.write_all(&1f32.to_le_bytes())?;
        }
    }
    let targets = samples.training.iter().flat_map(|group| &group.targets);
    for number in targets.chain(samples.training.iter().flat_map(|group| &group.weights)) {
        out.write_all(&number.to_le_bytes())?;
    }
    for number in ridge.iter().chain(x) {
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}
