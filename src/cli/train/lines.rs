//! The last step of a run before the bake: ProbCut lines for its champion, drawn from fresh games of its own.
//!
//! Lines belong to one weights version and change no evaluation, so generations do without them and the finished
//! weights get them. Games and samples stay in the run's folder, and an interrupted step goes on.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::cli::{Global, fit, label, progress, selfplay, write_file};
use crate::dataset::shard::{ShardSet, Tail};
use crate::eval::weights::Weights;
use crate::kit;
use crate::label::pairs::PairsOptions;

/// How many games are sampled, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lines {
    /// Games played for it.
    pub games: u64,
    /// Their depth.
    pub play_depth: u8,
    /// The deepest search of a sampled position.
    pub depth: u8,
    /// Every n-th position of a game.
    pub every: u32,
    /// Positions with at most this many empty squares are solved too.
    pub solve_empties: u8,
}

/// The champion with lines, also written into the run's folder; `None` when the work was told to stop.
pub fn draw(
    global: &Global,
    run: &Path,
    lines: &Lines,
    champion: &Weights,
    seed: u64,
    threads: usize,
) -> Result<Option<Weights>> {
    let folder = run.join(format!("lines-{}", champion.id()));
    let finished = folder.join("lines.wts");
    if finished.exists() {
        return Ok(Some(Weights::read(&finished)?));
    }
    let (games, pairs) = (folder.join("games"), folder.join("pairs"));
    for part in [&games, &pairs] {
        fs::create_dir_all(part).with_context(|| part.display().to_string())?;
    }
    progress::say(global, format!("ProbCut lines from {} games at depth {}", lines.games, lines.play_depth));
    let options = crate::selfplay::Options {
        seed,
        depth: lines.play_depth,
        nodes: u64::MAX,
        solve_empties: kit::solve_empties(global.game),
        prefix: kit::exploration(global.game),
        random_per_mille: 20,
        level: kit::level(global.game),
        longest: kit::longest(global.game),
    };
    let made = selfplay::play(global, champion, &options, lines.games, lines.games, &games, threads)?;
    if !made.complete {
        return Ok(None);
    }
    let data = ShardSet::open(&[&games], Tail::Strict)?;
    let options = PairsOptions { depth: lines.depth, solve_empties: lines.solve_empties, every: lines.every };
    if !label::pairs_of(global, champion, &options, &data, &pairs, threads)?.complete {
        return Ok(None);
    }
    let (samples, _) = label::read_pairs(&[&pairs])?;
    // A board so small that no search is deep has no use for lines.
    let fitted = fit::with_probcut(champion, &samples).unwrap_or_else(|_| champion.clone());
    write_file(&finished, &fitted.to_bytes())?;
    Ok(Some(fitted))
}
