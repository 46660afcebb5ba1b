//! `gate`: a candidate against the champion; the ledger gets a row, and a winner takes its place.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use super::matches::{self, Conditions, Output, Player};
use super::results::{Record, append};
use super::{Answer, Global, print_json, weights, write_file};
use crate::arena::ledger::{Decision, LedgerRow};
use crate::arena::pairs::Tally;
use crate::arena::sprt::{Sprt, Verdict};
use crate::eval::weights::{Weights, short_id};

#[derive(clap::Args)]
pub struct Arguments {
    /// The candidate's weights file
    candidate: PathBuf,
    #[command(flatten)]
    conditions: Conditions,
    /// Bounds of the test in normalized Elo
    #[arg(long, value_name = "nelo0,nelo1", default_value = "0,10", allow_hyphen_values = true)]
    sprt: String,
    /// Depth 6 and up to 5000 pairs, instead of depth 4 and 2000
    #[arg(long)]
    strict: bool,
    /// What changed, for the ledger
    #[arg(long, default_value = "")]
    note: String,
    /// The data behind it, for the ledger
    #[arg(long, default_value = "")]
    data: String,
}

#[derive(Serialize)]
struct Report {
    decision: String,
    promoted: bool,
    version: Option<String>,
    #[serde(rename = "match")]
    result: Option<Output>,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let mut conditions = arguments.conditions;
    if arguments.strict {
        conditions.pairs = conditions.pairs.or(Some(5000));
        conditions.depth = conditions.depth.or(Some(6));
    }
    let candidate = weights::resolve(global, &arguments.candidate.to_string_lossy())?;
    let sprt = matches::parse_sprt(&arguments.sprt)?;
    let folder = weights::folder(global.game);
    let notes = Notes { data: &arguments.data, change: &arguments.note, validation_loss: None };
    let gated = gate(global, &folder, &candidate, &conditions, sprt, &notes, None)?;
    if global.json {
        let Gated { decision, version, result, .. } = gated;
        print_json(&Report { decision: decision.to_string(), promoted: decision.promoted(), version, result })?;
    } else {
        if let (Some(result), Some(tally)) = (&gated.result, &gated.tally) {
            matches::print(result, tally)?;
        }
        match &gated.version {
            Some(version) => writeln!(stdout(), "{}: {version} is champion", gated.decision)?,
            None => writeln!(stdout(), "{}", gated.decision)?,
        }
    }
    Ok(if gated.decision.promoted() { Answer::Done } else { Answer::No })
}

/// What the ledger is told beside the match.
pub struct Notes<'a> {
    pub data: &'a str,
    pub change: &'a str,
    pub validation_loss: Option<f64>,
}

/// How a gate went.
pub struct Gated {
    pub decision: Decision,
    /// The new champion's file name, if it was promoted.
    pub version: Option<String>,
    pub result: Option<Output>,
    pub tally: Option<Tally>,
}

/// Plays the candidate against the champion in `folder` (there `NNN-<id>.wts`, `champion` and `ledger.tsv`), records
/// the result and promotes or rejects. Without a champion the candidate is the first.
pub fn gate(
    global: &Global,
    folder: &Path,
    candidate: &Weights,
    conditions: &Conditions,
    sprt: Sprt,
    notes: &Notes,
    out: Option<&Path>,
) -> Result<Gated> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let champion = champion(folder)?;
    let (decision, result, tally) = match &champion {
        None => (Decision::First, None, None),
        Some((name, weights)) => {
            let players = (Player::Weights(Box::new(candidate.clone())), Player::Weights(Box::new(weights.clone())));
            let conditions = Conditions { pairs: conditions.pairs.or(Some(2000)), ..conditions.clone() };
            let id = candidate.id();
            let sides = ((id.as_str(), &players.0), (name.as_str(), &players.1));
            let record = Record::new(candidate.game, folder, [&id, name]);
            let (tally, result) = matches::play(global, sides.0, sides.1, &conditions, Some(sprt), out, record)?;
            let decision = decide(&sprt, &tally);
            (decision, Some(result), Some(tally))
        }
    };
    let row = LedgerRow {
        id: candidate.id(),
        parent: (candidate.parent != [0; 32]).then(|| short_id(&candidate.parent)),
        date: today(),
        data: notes.data.to_string(),
        change: notes.change.to_string(),
        validation_loss: notes.validation_loss,
        opponent: champion.as_ref().map(|(name, _)| name.clone()),
        pentanomial: tally.as_ref().map(|tally| tally.pentanomial),
        elo: result.as_ref().and_then(|result| result.elo),
        elo_error: result.as_ref().and_then(|result| result.elo_error),
        llr: result.as_ref().and_then(|result| result.llr),
        verdict: decision,
    };
    append(global, &folder.join("ledger.tsv"), &row)?;
    let version = if decision.promoted() { Some(promote(folder, candidate)?) } else { None };
    Ok(Gated { decision, version, result, tally })
}

/// What a finished match says of its candidate A: by the test, else by the score at the cap; a fault of the candidate
/// rejects it whatever it won, for a champion must not lose games by itself.
fn decide(sprt: &Sprt, tally: &Tally) -> Decision {
    let ahead = tally.pentanomial.score().is_some_and(|score| score > 0.5);
    match sprt.verdict(sprt.llr(&tally.pentanomial)) {
        _ if tally.faults[0] > 0 => Decision::RejectedByFault,
        Verdict::H1 => Decision::PromotedByTest,
        Verdict::H0 => Decision::RejectedByTest,
        Verdict::Continue if ahead => Decision::PromotedAtCap,
        Verdict::Continue => Decision::RejectedAtCap,
    }
}

/// The champion of a folder of versions: its file name and weights.
pub fn champion(folder: &Path) -> Result<Option<(String, Weights)>> {
    let path = folder.join("champion");
    if !path.exists() {
        return Ok(None);
    }
    let name = fs::read_to_string(&path).with_context(|| path.display().to_string())?.trim().to_string();
    let weights = Weights::read(&folder.join(&name))?;
    Ok(Some((name, weights)))
}

/// Puts a version into its folder under the next number and makes it champion; a version that is there already keeps
/// its number.
pub fn promote(folder: &Path, weights: &Weights) -> Result<String> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let id = weights.id();
    let mut next = 1;
    let mut known = None;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let Some((number, rest)) = name.split_once('-') else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        next = next.max(number + 1);
        if rest == format!("{id}.wts") {
            known = Some(name);
        }
    }
    let name = match known {
        Some(name) => name,
        None => {
            let name = format!("{next:03}-{id}.wts");
            write_file(&folder.join(&name), &weights.to_bytes())?;
            name
        }
    };
    write_file(&folder.join("champion"), format!("{name}\n").as_bytes())?;
    Ok(name)
}

/// Today's date, UTC.
pub fn today() -> String {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    date(seconds)
}

/// The civil date of a number of seconds since 1970 (Howard Hinnant's days-to-civil arithmetic).
fn date(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::elo::Pentanomial;

    #[test]
    fn any_fault_of_the_candidate_rejects_it() {
        let sprt = matches::parse_sprt("0,10").unwrap();
        let decision = |counts: [u64; 5], faults: [u64; 2]| {
            decide(&sprt, &Tally { pentanomial: Pentanomial(counts), faults, ..Tally::default() })
        };
        // Published LLRs of these counts: +2.947, +0.664 and −6.09; the bounds are at ±2.944.
        assert_eq!(decision([0, 86, 860, 128, 0], [0, 0]), Decision::PromotedByTest);
        assert_eq!(decision([10, 25, 80, 40, 12], [0, 0]), Decision::PromotedAtCap);
        assert_eq!(decision([12, 40, 80, 25, 10], [0, 0]), Decision::RejectedAtCap);
        assert_eq!(decision([0, 0, 50, 0, 0], [0, 0]), Decision::RejectedAtCap);
        assert_eq!(decision([144, 3, 1, 0, 0], [0, 0]), Decision::RejectedByTest);
        for counts in [[0, 86, 860, 128, 0], [10, 25, 80, 40, 12], [0, 0, 0, 0, 500]] {
            assert_eq!(decision(counts, [1, 0]), Decision::RejectedByFault);
        }
        // The champion's own fault is not the candidate's.
        assert_eq!(decision([0, 86, 860, 128, 0], [0, 3]), Decision::PromotedByTest);
    }

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_795_910_400), "2026-11-29");
    }
}
