//! The worth of moves in ordering, learned from the moves that searches chose.
//!
//! In every searched position the chosen move is one of several candidates, and each candidate reads a few weights.
//! The chance of a candidate is e^(its sum) over the sum of all candidates' (a conditional logit), and the weights
//! maximise the likelihood of the choices, by stochastic gradient steps of sizes as AdaGrad makes them (Duchi, Hazan
//! and Singer 2011). Positions are visited in the order of the records, so the result does not depend on threads.

use crate::dataset::GameRecord;
use crate::eval::MoveModel;
use crate::game::Position;

/// Step size of a weight's first step.
const RATE: f32 = 0.1;
/// The pull towards 0 at each visit.
const DECAY: f32 = 1e-4;
/// Positions that are kept to learn from.
const MOST_POSITIONS: usize = 250_000;
/// Rounds over them.
const ROUNDS: usize = 4;

/// What was learned and how well it foretells.
#[derive(Clone, Debug)]
pub struct Worths {
    /// A weight for each column of [`MoveModel::move_columns`], in natural logarithms; columns never read stay 0.
    pub values: Vec<f32>,
    /// Positions learned from.
    pub positions: usize,
    /// The share of them where the chosen move has the largest worth, in the last round.
    pub first: f64,
}

/// One choice: the columns of all candidates, [`MoveModel::COLUMNS`] each, the chosen one first.
struct Choice {
    begin: usize,
    end: usize,
}

/// Learns from the searched moves of `records`, which must replay by the rules, starting at `values`.
pub fn learn<M: MoveModel>(records: impl Iterator<Item = GameRecord>, model: &M, mut values: Vec<f32>) -> Worths {
    let (choices, columns) = gather(records, model);
    let mut squares = vec![1e-3f32; values.len()];
    let mut first = 0usize;
    let mut sums = Vec::new();
    for _ in 0..ROUNDS {
        first = 0;
        for choice in &choices {
            let candidates = columns[choice.begin..choice.end].chunks_exact(M::COLUMNS);
            sums.clear();
            sums.extend(candidates.clone().map(|columns| columns.iter().map(|&at| values[at as usize]).sum::<f32>()));
            let top = sums.iter().copied().fold(f32::MIN, f32::max);
            first += usize::from(sums[0] >= top);
            sums.iter_mut().for_each(|sum| *sum = libm::expf(*sum - top));
            let total: f32 = sums.iter().sum();
            for (number, (columns, share)) in candidates.zip(&sums).enumerate() {
                let pull = f32::from(number == 0) - share / total;
                for &at in columns {
                    let at = at as usize;
                    let gradient = pull - DECAY * values[at];
                    squares[at] += gradient * gradient;
                    values[at] += RATE * gradient / squares[at].sqrt();
                }
            }
        }
    }
    let positions = choices.len();
    Worths { values, positions, first: first as f64 / positions.max(1) as f64 }
}

fn gather<M: MoveModel>(records: impl Iterator<Item = GameRecord>, model: &M) -> (Vec<Choice>, Vec<u16>) {
    let (mut choices, mut all) = (Vec::new(), Vec::new());
    let mut candidates = Vec::new();
    for record in records {
        let mut position = M::Position::start();
        for ply in &record.plies {
            if ply.score.is_some() && !ply.random && choices.len() < MOST_POSITIONS {
                candidates.clear();
                model.move_columns(&position, &mut candidates);
                if let Some(chosen) = candidates.iter().position(|&(mv, _)| mv == ply.mv)
                    && candidates.len() > 1
                {
                    candidates.swap(0, chosen);
                    let begin = all.len();
                    candidates.iter().for_each(|(_, columns)| all.extend_from_slice(columns.as_ref()));
                    choices.push(Choice { begin, end: all.len() });
                }
            }
            if position.play(ply.mv).is_err() {
                break;
            }
        }
    }
    (choices, all)
}
