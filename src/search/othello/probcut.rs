//! Multi-ProbCut: a node whose value a shallow search puts far enough outside the window is cut.
//!
//! The weights file carries fitted lines: at this ply a search of depth `deep` is worth a·(a search of depth
//! `shallow`) + b, with deviation σ. When the shallow value says that even a few σ would not bring the deep one back
//! into the window, the deep search is spared (M. Buro, "Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello", 1997). Lines whose `deep` is the number of empty squares stand for solves.

use super::{Engine, Limits};
use crate::eval::othello::Indices;
use crate::eval::weights::ProbCut;
use crate::game::othello::Board;

/// How many σ a cut must be away from the window, in 256ths, by level of selectivity.
pub const SIGMAS: [i32; Limits::FULL_WIDTH as usize] = [256, 358, 486, 666, 896];

/// The most lines that are tried at one node.
const LINES: usize = 2;

/// The lines of a weights file by ply and depth.
pub struct Cuts {
    lines: Vec<[Option<ProbCut>; LINES]>,
}

/// One past the largest depth or number of empty squares.
const DEPTHS: usize = 64;

impl Cuts {
    /// A line holds from its ply on, up to the next line of the same depths; one that reaches the end of the game
    /// (`last` stones placed) holds at its own ply, and there no other does.
    pub fn new(probcut: &[ProbCut], last: usize) -> Cuts {
        let mut lines = vec![[None; LINES]; DEPTHS * DEPTHS];
        for (at, slots) in lines.iter_mut().enumerate() {
            let (ply, deep) = (at / DEPTHS, at % DEPTHS);
            let holds = |line: &&ProbCut| {
                let (from, depth) = (line.ply as usize, line.deep as usize);
                let ends = from + depth == last;
                depth == deep && if ends { from == ply } else { from <= ply && ply + deep < last }
            };
            for line in probcut.iter().filter(holds) {
                // Lines come by ply: a later one of the same shallow depth replaces the earlier.
                let same = |slot: &&mut Option<ProbCut>| slot.is_none_or(|held| held.shallow == line.shallow);
                if let Some(slot) = slots.iter_mut().find(same) {
                    *slot = Some(*line);
                }
            }
        }
        Cuts { lines }
    }

    /// The lines for a search to `deep` at `ply`, the first of them first.
    pub fn lines(&self, ply: usize, deep: u8) -> [Option<ProbCut>; LINES] {
        self.lines[ply * DEPTHS + deep as usize]
    }

    /// Whether there is a line for a search to `deep` (or a solve of so many empty squares) at `ply`.
    pub fn foretell(&self, ply: usize, deep: u8) -> bool {
        self.lines[ply * DEPTHS + deep as usize][0].is_some()
    }
}

impl<const N: usize> Engine<N> {
    /// Whether the value of a search to `deep` is surely at least `beta` or surely at most `alpha` (search units, a
    /// window of width 1 or more around which the caller would search): then that bound.
    #[expect(clippy::too_many_arguments, reason = "a node is its position, its depth and its window")]
    pub(super) fn probcut(
        &mut self,
        board: Board,
        indices: &Indices,
        by_first: bool,
        deep: u32,
        sigmas: i32,
        alpha: i32,
        beta: i32,
        limits: &Limits,
    ) -> Option<i32> {
        let ply = ((board.player | board.opponent).count_ones() - 4) as usize;
        let lines = self.cuts.lines(ply, deep as u8);
        lines[0]?;
        let value = self.evaluator.evaluate(board, &indices.seen(by_first));
        for line in lines.into_iter().flatten() {
            let (slope, intercept) = (i32::from(line.slope), i32::from(line.intercept));
            let margin = (sigmas * i32::from(line.deviation)) >> 8;
            if value >= beta {
                let high = -floor_quotient(-(beta + margin - intercept) * 1024, slope);
                if high < super::INFINITE
                    && self.pvs(board, indices, by_first, line.shallow, high - 1, high, limits) >= high
                {
                    return Some(beta);
                }
            } else if value <= alpha {
                let low = floor_quotient((alpha - margin - intercept) * 1024, slope);
                if low > -super::INFINITE
                    && self.pvs(board, indices, by_first, line.shallow, low, low + 1, limits) <= low
                {
                    return Some(alpha);
                }
            }
            if self.stopped {
                return None;
            }
        }
        None
    }
}

/// ⌊value / divisor⌋ for a positive divisor and |value| < 8192·divisor; nothing negative is divided.
#[inline(always)]
pub(super) fn floor_quotient(value: i32, divisor: i32) -> i32 {
    (value + 8192 * divisor) / divisor - 8192
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_round_down_on_both_sides_of_zero() {
        for value in -5000..5000 {
            for divisor in [1, 7, 900, 1024] {
                assert_eq!(floor_quotient(value, divisor), value.div_euclid(divisor));
            }
        }
    }

    #[test]
    fn a_line_holds_up_to_the_next_of_its_depths() {
        let line = |ply, deep, shallow| ProbCut { ply, deep, shallow, slope: 1024, intercept: 0, deviation: 9 };
        let lines = [line(10, 6, 2), line(20, 6, 2), line(20, 6, 3), line(20, 8, 4), line(40, 20, 4)];
        let cuts = Cuts::new(&lines, 60);
        let at = |ply: usize, deep: usize| cuts.lines[ply * DEPTHS + deep];
        assert_eq!(at(9, 6), [None, None]);
        assert_eq!(at(19, 6), [Some(lines[0]), None]);
        assert_eq!(at(53, 6), [Some(lines[1]), Some(lines[2])]);
        assert_eq!(at(54, 6), [None, None], "a search to the end is no midgame search");
        assert_eq!([at(39, 20), at(40, 20), at(41, 20)], [[None, None], [Some(lines[4]), None], [None, None]]);
        assert_eq!(at(30, 8), [Some(lines[3]), None]);
        assert_eq!(at(30, 7), [None, None]);
    }
}
