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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{End, Ply};
    use crate::eval::{FeatureModel, Layout};
    use crate::game::othello::Othello;
    use crate::game::{GameId, Move, Outcome};

    /// Each move reads the weight of its square and that of its parity.
    struct Squares(Layout);

    impl FeatureModel for Squares {
        type Position = Othello<6>;

        fn layout(&self) -> &Layout {
            &self.0
        }

        fn indices(&self, _: &Othello<6>, _: &mut [u16]) {}

        fn units_per_outcome(&self) -> i32 {
            1
        }
    }

    impl MoveModel for Squares {
        const COLUMNS: usize = 2;
        type Columns = [u16; 2];

        fn move_columns(&self, position: &Othello<6>, out: &mut Vec<(Move, [u16; 2])>) {
            out.extend(position.legal_moves().into_iter().map(|mv| (mv, [u16::from(mv.0), 64 + u16::from(mv.0 % 2)])));
        }
    }

    #[test]
    fn a_preference_is_learned_and_foretold() {
        // A player that likes odd squares, and among them low ones.
        let mut records = Vec::new();
        for index in 0..200 {
            let (mut position, mut plies) = (Othello::<6>::start(), Vec::new());
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                let random = (index + plies.len() as u64).is_multiple_of(3);
                let liked = moves.iter().copied().min_by_key(|mv| (mv.0 % 2 == 0, mv.0)).unwrap();
                let mv = if random { moves[(index as usize * 7) % moves.len()] } else { liked };
                plies.push(Ply { mv, score: Some(0), random, exact: false });
                position.play(mv).unwrap();
            }
            records.push(GameRecord { index, plies, outcome: Outcome(0), end: End::Adjudicated });
        }
        let layout = Layout { game: GameId::Othello6, tables: Vec::new(), instances: Vec::new(), plies: 40 };
        let learned = learn(records.into_iter(), &Squares(layout), vec![0.0; 66]);
        assert!(learned.positions > 1000);
        assert!(learned.values[65] > learned.values[64] + 1.0, "{:?}", &learned.values[64..]);
        assert!(learned.first > 0.9, "{}", learned.first);
    }
}
