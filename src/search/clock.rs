//! The time plan of a whole game: how much of what is left the next move may use, and when to begin solving.
//!
//! A judge grants a sum of answer time and of CPU time for a game; whichever is scarcer counts. Openings cost little;
//! midgame moves share what is not kept for the solve; a solve begins as early as its expected nodes promise to end
//! within a share of what is left, and stops at a larger share, so a solve that does not end leaves enough for the
//! rest of the game. Pure functions of their arguments; the baked bots repeat them operation by operation.

/// What a bot plans to use of a judge's 5,000 ms.
pub const PLAN_MS: f64 = 4500.0;
/// The share of the plan kept for solving while there is midgame to play.
const SOLVE_KEEP: f64 = 0.24;
/// A solve begins when it should take at most this share of what is left.
const SOLVE_PROMISE: f64 = 0.7;
/// A solve stops at this share.
const SOLVE_MOST: f64 = 0.75;
/// Nodes a solve visits in the time of one of the midgame.
const SOLVE_SPEED: f64 = 7.0;

/// How fast solving goes on this machine, and how much harder than expected it has been in this game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Nodes a millisecond in solves.
    pub nodes_per_ms: f64,
    /// A factor on [`solve_nodes`], at first 1.
    pub difficulty: f64,
    /// Whether the speed is that of a solve.
    pub measured: bool,
}

impl Pace {
    /// The pace before anything was seen: a guess at the machine.
    pub fn new(nodes_per_ms: f64) -> Pace {
        Pace { nodes_per_ms, difficulty: 1.0, measured: false }
    }

    /// Until a solve has been seen, its speed follows from the midgame's: `nodes` in `ms`.
    pub fn seen_midgame(&mut self, nodes: f64, ms: f64) {
        if ms >= 20.0 && !self.measured {
            self.nodes_per_ms = SOLVE_SPEED * nodes / ms;
        }
    }

    /// Learns from a solve of `nodes` nodes at `empties` empty squares that took `ms`, and ended or was stopped.
    pub fn seen(&mut self, empties: u32, nodes: f64, ms: f64, ended: bool) {
        if ms >= 20.0 {
            self.nodes_per_ms = nodes / ms;
            self.measured = true;
        }
        let ratio = nodes / solve_nodes(empties);
        if !ended && 1.5 * ratio > self.difficulty {
            self.difficulty = 1.5 * ratio;
        }
    }

    /// The milliseconds a solve should take.
    pub fn solve_ms(&self, empties: u32) -> f64 {
        solve_nodes(empties) * self.difficulty / self.nodes_per_ms
    }
}

/// What the next move may use, in milliseconds from now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// From then on no new depth begins.
    pub soft_ms: f64,
    /// Then the search stops where it is.
    pub hard_ms: f64,
    /// Whether to solve; if not, to search the midgame.
    pub solve: bool,
}

/// The nodes that finding the winner of a position of an ordinary game takes.
pub fn solve_nodes(empties: u32) -> f64 {
    let mut nodes = 2e6;
    for _ in 20..empties {
        nodes *= 2.0;
    }
    for _ in empties..20 {
        nodes *= 0.5;
    }
    nodes
}

/// What a midgame move is worth: openings little, the middle most.
fn move_weight(empties: u32) -> f64 {
    match empties {
        55.. => 0.1,
        49..=54 => 0.5,
        _ => 1.0,
    }
}

/// How to spend on the move at `empties` empty squares what is left of a plan of `plan_ms`: `wall_ms` of answer
/// time, `cpu_ms` of CPU time.
pub fn budget(plan_ms: f64, wall_ms: f64, cpu_ms: f64, empties: u32, pace: &Pace) -> Budget {
    let left = wall_ms.min(cpu_ms);
    if left < 1.0 {
        return Budget { soft_ms: 0.0, hard_ms: 1.0, solve: empties <= 8 };
    }
    if pace.solve_ms(empties) <= SOLVE_PROMISE * left {
        return Budget { soft_ms: 0.1 * left, hard_ms: SOLVE_MOST * left, solve: true };
    }
    let keep = (SOLVE_KEEP * plan_ms).min(0.75 * left);
    let mut sum = 0.0;
    let mut later = empties as i32;
    while later > 0 {
        let solved = later < empties as i32 - 2 && pace.solve_ms(later as u32) <= SOLVE_PROMISE * keep;
        if solved {
            break;
        }
        sum += move_weight(later as u32);
        later -= 2;
    }
    let share = (left - keep) * move_weight(empties) / sum;
    Budget { soft_ms: 0.65 * share, hard_ms: (1.8 * share).min(0.4 * left), solve: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, RngExt, Stream, stream};

    const FAST: Pace = Pace { nodes_per_ms: 20_000.0, difficulty: 1.0, measured: false };

    #[test]
    fn the_plan_at_a_glance() {
        // What is left, empties, and what to expect: milliseconds of the hard limit from … to, solving or not.
        let table = [
            (4500.0, 60, 1.0, 50.0, false),
            (4400.0, 50, 40.0, 400.0, false),
            (3500.0, 36, 150.0, 800.0, false),
            (2200.0, 26, 50.0, 900.0, false),
            (2200.0, 22, 1300.0, 1700.0, true),
            (1500.0, 20, 500.0, 1200.0, true),
            (300.0, 22, 10.0, 120.0, false),
            (300.0, 16, 100.0, 240.0, true),
            (5.0, 30, 0.0, 2.0, false),
            (0.0, 30, 0.0, 1.0, false),
            (-100.0, 6, 0.0, 1.0, true),
        ];
        for (left, empties, least, most, solve) in table {
            let plan = budget(PLAN_MS, left, left + 50.0, empties, &FAST);
            assert_eq!(plan, budget(PLAN_MS, left + 50.0, left, empties, &FAST), "the scarcer clock counts");
            assert!(plan.solve == solve && plan.hard_ms >= least && plan.hard_ms <= most, "{left} {empties}: {plan:?}");
            assert!(plan.soft_ms <= plan.hard_ms);
        }
    }

    #[test]
    fn a_slower_machine_solves_later_and_a_failed_solve_is_not_tried_again_at_once() {
        let first_solve = |pace: &Pace| (8..40).rev().find(|&e| budget(PLAN_MS, 2200.0, 2200.0, e, pace).solve);
        let slow = Pace { nodes_per_ms: 5_000.0, ..FAST };
        assert!(first_solve(&slow) < first_solve(&FAST));
        let mut pace = FAST;
        pace.seen(22, 3e7, 1500.0, false);
        assert!(!budget(PLAN_MS, 700.0, 700.0, 20, &pace).solve);
        assert!(budget(PLAN_MS, 700.0, 700.0, 16, &pace).solve);
    }

    /// A game at a machine of this speed: what the bot uses in all, and how often a solve was stopped.
    fn game(rng: &mut Stream, speed: f64, first: u32) -> (f64, u32) {
        let mut used = 12.0;
        let mut stopped = 0;
        let mut pace = FAST;
        let mut empties = first;
        let mut exact = false;
        while empties > 0 {
            let plan = budget(PLAN_MS, PLAN_MS - used, PLAN_MS - used, empties, &pace);
            // A stall of the machine at any time, and the overshoot of a limit looked at every 4,096 nodes.
            let stall = if rng.random_range(0..20) == 0 { rng.random_range(0.0..5.0) } else { 0.0 };
            if plan.solve {
                let hardness = 2f64.powf(rng.random_range(-2.0..2.5));
                let nodes = if exact { 1e3 } else { solve_nodes(empties) * hardness };
                let need = nodes / (20_000.0 * speed);
                let ms = need.min(plan.hard_ms + 0.3 / speed);
                stopped += u32::from(need > ms);
                exact = need <= ms;
                pace.seen(empties, ms * 20_000.0 * speed, ms, exact);
                used += ms;
            } else {
                // Iterations grow by a factor; one begun before the soft limit may run into the hard one.
                let growth = rng.random_range(1.8..3.5);
                let (mut ms, mut next) = (0.0, rng.random_range(0.02..0.1) / speed);
                while ms < plan.soft_ms {
                    ms += next;
                    next *= growth;
                }
                let ms = ms.min(plan.hard_ms + 1.0 / speed);
                pace.seen_midgame(ms * rng.random_range(2_000.0..4_000.0) * speed, ms);
                used += ms;
            }
            used += stall;
            empties = empties.saturating_sub(2);
        }
        (used, stopped)
    }

    #[test]
    fn games_never_overrun_and_use_their_time() {
        for speed in [0.5, 1.0, 2.0] {
            let mut total = 0.0;
            for number in 0..1_000 {
                let mut rng = stream(number, Domain::Test, 30);
                let (used, _) = game(&mut rng, speed, 60 - (number % 2) as u32);
                assert!(used <= 4700.0, "speed {speed}, game {number}: {used} ms");
                assert!(used >= 2500.0, "speed {speed}, game {number}: {used} ms");
                total += used;
            }
            assert!(total / 1_000.0 > 3000.0, "speed {speed}: {} ms on average", total / 1_000.0);
        }
    }
}
