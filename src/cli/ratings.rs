//! `ratings`: Elo of all versions from all recorded matches.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::{Answer, Global, print_json, progress, weights};
use crate::arena::ledger::ResultRow;
use crate::arena::ratings::{Bootstrap, Pairing, Rating, rate};
use crate::arena::table;

#[derive(clap::Args)]
pub struct Arguments {
    /// The version at 0 Elo [default: the first player of the first match]
    #[arg(long, value_name = "V")]
    anchor: Option<String>,
    /// The folder with results.tsv [default: the game's weights folder]
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
    let path = folder.join("results.tsv");
    ensure!(path.exists(), "{}: no recorded match; `stonesmith gate` records them", path.display());
    let results = table::read::<ResultRow>(&path)?;
    if let Some(torn) = &results.torn {
        progress::say(global, format!("{}: line {} is torn and left out", path.display(), torn.line));
    }
    let pairings: Vec<Pairing> = results.rows.iter().map(|row| named(&folder, Pairing::from(row))).collect();
    let first = pairings.first().with_context(|| format!("{}: no match in it", path.display()))?;
    let anchor = arguments.anchor.clone().unwrap_or_else(|| first.b.clone());
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

/// A version is one name: candidates are recorded by id, champions by file name, so ids take their file's name.
pub fn named(folder: &std::path::Path, pairing: Pairing) -> Pairing {
    let full = |name: String| -> String {
        let Ok(entries) = std::fs::read_dir(folder) else { return name };
        let suffix = format!("-{name}.wts");
        let mut files = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
        files.find(|file| file.to_string_lossy().ends_with(&suffix)).map_or(name, |file| file.to_string_lossy().into())
    };
    Pairing { a: full(pairing.a), b: full(pairing.b), ..pairing }
}
