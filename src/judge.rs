//! The referee: two programs play a game by line protocol, under the limits and with the strictness of real judges.
//!
//! A program is a command; nothing of our engine is used here. [`referee`] plays the game, [`protocol`] says what the
//! lines of a judge look like, [`bot`] keeps the clocks, [`process`] starts and ends the processes, [`meter`] measures
//! them, [`verdict`] names how a game ended, [`log`] writes it down as contestants know it, and [`replay`] plays a log
//! again. Linux only: it needs `/proc`, subreapers and the clocks of other processes.

pub mod bot;
pub mod command;
pub mod contestant;
pub mod conversation;
pub mod gomocup;
pub mod gtp;
pub mod log;
pub mod meter;
pub mod nboard;
pub mod process;
pub mod protocol;
pub mod referee;
pub mod renju;
pub mod replay;
pub mod reversi;
pub mod settings;
pub mod spelling;
mod supervisor;
pub mod verdict;

use std::time::Duration;

pub use bot::Usage;
pub use command::{Command, CommandError};
pub use contestant::Program;
pub use protocol::{Protocol, Turn};
pub use referee::{Game, Match, Start};
pub use renju::RenjuJudge;
pub use reversi::Reversi;
pub use verdict::{Fault, Reason, Side, Verdict, Winner};

/// What a program may use in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Answer time, READY included where the judge counts it.
    pub total: Duration,
    /// CPU time of all processes of the program, from their start to their end.
    pub cpu: Duration,
    /// Resident memory of all processes in bytes.
    pub memory: u64,
    /// At least 1: on move, the program runs only 1/`slowdown` of the time, while the clocks stay real.
    pub slowdown: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            total: Duration::from_millis(5000),
            cpu: Duration::from_millis(5000),
            memory: 1024 << 20,
            slowdown: 1.0,
        }
    }
}

impl Limits {
    /// The fault of a program that has used this much, if it is too much.
    pub fn exceeded(&self, cpu: Duration, peak: u64) -> Option<Fault> {
        if cpu > self.cpu {
            let detail = format!("{} ms of CPU time, the limit is {} ms", cpu.as_millis(), self.cpu.as_millis());
            return Some(Fault::new(Reason::CpuTle, detail));
        }
        if peak > self.memory {
            let detail = format!("{} MiB resident, the limit is {} MiB", peak.div_ceil(1 << 20), self.memory >> 20);
            return Some(Fault::new(Reason::Memory, detail));
        }
        None
    }
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// A program that speaks the protocol.
    Program(Command),
    /// Our own player of random moves, without clocks.
    Random,
    /// Our own player that takes as much as it can, without clocks.
    Greedy,
}

impl Entrant {
    /// `random`, `greedy`, or a command line.
    ///
    /// # Errors
    /// When the command names no program that can be run.
    pub fn parse(text: &str) -> Result<Entrant, CommandError> {
        match text.trim() {
            "random" => Ok(Entrant::Random),
            "greedy" => Ok(Entrant::Greedy),
            text => Command::parse(text).map(Entrant::Program),
        }
    }

    /// The text it was parsed from.
    pub fn text(&self) -> &str {
        match self {
            Entrant::Program(command) => command.text(),
            Entrant::Random => "random",
            Entrant::Greedy => "greedy",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_passed_only_beyond_them() {
        let limits = Limits { cpu: Duration::from_millis(100), memory: 10 << 20, ..Limits::default() };
        assert_eq!(limits.exceeded(Duration::from_millis(100), 10 << 20), None);
        let cpu = limits.exceeded(Duration::from_millis(101), 11 << 20).unwrap();
        assert_eq!(cpu.reason, Reason::CpuTle);
        let memory = limits.exceeded(Duration::ZERO, (10 << 20) + 1).unwrap();
        assert_eq!(memory.reason, Reason::Memory);
        assert!(memory.detail.contains("11 MiB resident"), "{}", memory.detail);
    }
}
