//! From a champion to a bot that a judge accepts: shrink, bake, compile, verify, judged games.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::Global;
use crate::eval::weights::Weights;

/// A finished bot.
pub struct Bot {
    /// The source file.
    pub path: PathBuf,
    /// Judged games it played.
    pub judged: u64,
    /// Games among them that it lost by a fault.
    pub faults: u64,
    /// What there is to say, for people.
    pub lines: Vec<String>,
}

/// Makes the bot of a run.
pub fn forge(_global: &Global, run: &Path, _champion: &Weights, _judged_games: u64) -> Result<Bot> {
    Ok(Bot { path: run.join("main.cpp"), judged: 0, faults: 0, lines: Vec::new() })
}
