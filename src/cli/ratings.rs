//! `ratings`: Elo of all versions from all recorded matches.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::{Answer, Global, print_json, results, weights};
use crate::arena::ratings::{Bootstrap, Rating, rate};

#[derive(clap::Args)]
pub struct Arguments {
    /// The version at 0 Elo: its number, its file's name or `champion` [default: the second player of the first match]
    #[arg(long, value_name = "V")]
    anchor: Option<String>,
    /// The versions' folder, such as a run's, with its results.tsv [default: the game's own, with data/GAME/results.tsv]
    #[arg(long, value_name = "DIR")]
    versions: Option<PathBuf>,
    /// How often pairs are drawn anew for the errors
    #[arg(long, default_value_t = 1000)]
    resamples: u64,
    /// The seed of those draws
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Output<'a> {
    anchor: &'a str,
    matches: usize,
    ratings: &'a [Rating],
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let folder = arguments.versions.clone().unwrap_or_else(|| weights::folder(global.game));
    let path = results::path(global.game, &folder);
    ensure!(path.exists(), "{}: no recorded match; `stonesmith match` and `gate` record them", path.display());
    let pairings = results::pairings(global, global.game, &folder)?;
    let first = pairings.first().with_context(|| format!("{}: no match in it", path.display()))?;
    let anchor = match &arguments.anchor {
        Some(word) => named(&folder, word)?,
        None => first.b.clone(),
    };
    let bootstrap = Bootstrap { resamples: arguments.resamples, seed: arguments.seed };
    let ratings = rate(&pairings, &anchor, bootstrap)?;
    if global.json {
        print_json(&Output { anchor: &anchor, matches: pairings.len(), ratings: &ratings })?;
        return Ok(Answer::Done);
    }
    let mut out = stdout().lock();
    writeln!(out, "{:<24} {:>8} {:>8} {:>8}", "version", "Elo", "±", "pairs")?;
    for rating in &ratings {
        let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.0}"));
        let mark = if rating.one_sided { " at least" } else { "" };
        writeln!(
            out,
            "{:<24} {:>8} {:>8} {:>8}{mark}",
            rating.name,
            number(rating.elo),
            number(rating.error),
            rating.pairs
        )?;
    }
    Ok(Answer::Done)
}

/// The file name of the version a word means in this folder; any other word is a name itself.
fn named(folder: &Path, word: &str) -> Result<String> {
    let means_file = word == "champion" || word.parse::<u32>().is_ok();
    if !means_file {
        return Ok(results::full_name(folder, word.to_string()));
    }
    let file = weights::locate_in(folder, word)?;
    Ok(file.file_name().map_or(word.to_string(), |name| name.to_string_lossy().into_owned()))
}
