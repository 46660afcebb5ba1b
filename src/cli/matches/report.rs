//! What a match says: live while it runs, to people and to scripts when it is over.

use std::collections::{BTreeMap, HashSet};
use std::io::{Write, stdout};

use anyhow::Result;
use serde::Serialize;

use super::record::PairLine;
use crate::arena::elo::Estimate;
use crate::arena::pairs::Tally;
use crate::arena::sprt::{Sprt, Verdict};
use crate::arena::stopped::stopped_estimate;
use crate::game::GameId;

/// What a match found, as scripts may read it.
#[derive(Clone, Debug, Serialize)]
pub struct Output {
    pub a: String,
    pub b: String,
    pub pairs: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub pentanomial: [u64; 5],
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
    pub nelo: Option<f64>,
    pub los: Option<f64>,
    pub llr: Option<f64>,
    pub verdict: Option<String>,
    pub elo_after_stopping: Option<f64>,
    pub mean_difference: Option<f64>,
    pub difference_error: Option<f64>,
    /// The mean differences that the bounds of the test stand for, and the log-likelihood ratio between them: a second
    /// opinion that decides nothing. Only in games that count points, and with a test.
    pub difference_bounds: Option<(f64, f64)>,
    pub difference_llr: Option<f64>,
    pub faults: u64,
    pub faults_a: u64,
    /// Faults by reason: of A, of B.
    pub fault_reasons: [BTreeMap<String, u64>; 2],
    pub repeated_games: u64,
    pub conditions: String,
    /// Whether games had cores of their own, or why not.
    pub cores: String,
    pub seconds: f64,
}

/// Everything counted so far.
#[derive(Default)]
pub struct Counts {
    pub tally: Tally,
    pub fault_reasons: [BTreeMap<String, u64>; 2],
    pub repeated_games: u64,
    /// What no table of results has yet.
    pub unrecorded: Tally,
    recorded: u64,
}

impl Counts {
    /// Counts of a match whose first `recorded` pairs stand in the table of results.
    pub fn beyond(recorded: u64) -> Counts {
        Counts { recorded, ..Counts::default() }
    }

    /// Counts a pair; `seen` holds the games so far.
    pub fn add(&mut self, line: &PairLine, seen: &mut HashSet<String>) {
        self.tally.add_counts(line.differences, line.faults);
        if line.pair >= self.recorded {
            self.unrecorded.add_counts(line.differences, line.faults);
        }
        self.repeated_games += line.games.iter().filter(|game| !seen.insert((*game).clone())).count() as u64;
        for fault in &line.fault_details {
            *self.fault_reasons[usize::from(fault.side == 'b')].entry(fault.reason.clone()).or_default() += 1;
        }
    }
}

/// The score, Elo ± error and LLR so far, in a line; with a test, how many pairs it may still take.
pub fn live(tally: &Tally, sprt: Option<&Sprt>) -> String {
    let estimate = tally.pentanomial.estimate();
    let [wins, draws, losses] = tally.games;
    let mut text = format!("+{wins} ={draws} -{losses}");
    match (estimate.elo, estimate.elo_error) {
        (Some(elo), Some(error)) => text += &format!("  Elo {elo:+.1} ± {error:.1}"),
        (Some(elo), None) => text += &format!("  Elo {elo:+.1} ± -"),
        _ => {}
    }
    if let Some((sprt, llr)) = sprt.and_then(|sprt| Some((sprt, sprt.llr(&tally.pentanomial)?))) {
        let (lower, upper) = (sprt.lower(), sprt.upper());
        text += &format!("  LLR {llr:+.2} ({lower:+.2} to {upper:+.2})");
        // At the pace of the pairs so far.
        let bound = if llr > 0.0 { upper } else { lower };
        let more = (bound / llr - 1.0) * tally.pentanomial.pairs() as f64;
        if more.is_finite() && more > 0.0 && more < 1e7 {
            text += &format!("  decided in some {} pairs", more.ceil());
        }
    }
    let faults = tally.faults[0] + tally.faults[1];
    if faults > 0 {
        text += &format!("  FAULTS {faults}");
    }
    text
}

/// The result of a match.
pub fn summary(
    names: [&str; 2],
    game: GameId,
    sprt: Option<&Sprt>,
    counts: &Counts,
    conditions: String,
    cores: String,
    seconds: f64,
) -> Output {
    let tally = &counts.tally;
    let Estimate { elo, elo_error, nelo, los, .. } = tally.pentanomial.estimate();
    let llr = sprt.and_then(|sprt| sprt.llr(&tally.pentanomial));
    let verdict = sprt.map(|sprt| sprt.verdict(llr));
    let stopped = sprt.filter(|_| verdict.is_some_and(|verdict| verdict != Verdict::Continue));
    // Where a game is only won or lost, its difference is the score again.
    let by_points = sprt.filter(|_| game != GameId::Renju);
    Output {
        a: names[0].to_string(),
        b: names[1].to_string(),
        pairs: tally.pentanomial.pairs(),
        wins: tally.games[0],
        draws: tally.games[1],
        losses: tally.games[2],
        pentanomial: tally.pentanomial.0,
        elo,
        elo_error,
        nelo,
        los,
        llr,
        verdict: verdict.map(|verdict| verdict.to_string()),
        elo_after_stopping: stopped.and_then(|sprt| stopped_estimate(sprt, &tally.pentanomial)?.elo),
        mean_difference: tally.differences.mean(),
        difference_error: tally.differences.error(),
        difference_bounds: by_points.and_then(|sprt| sprt.difference_hypotheses(&tally.differences)),
        difference_llr: by_points.and_then(|sprt| sprt.difference_llr(&tally.differences)),
        faults: tally.faults[0] + tally.faults[1],
        faults_a: tally.faults[0],
        fault_reasons: counts.fault_reasons.clone(),
        repeated_games: counts.repeated_games,
        conditions,
        cores,
        seconds,
    }
}

/// The report people read.
pub fn print(output: &Output, tally: &Tally) -> Result<()> {
    let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:+.2}"));
    let mut out = stdout().lock();
    writeln!(out, "{} against {}: {}, {}", output.a, output.b, output.conditions, output.cores)?;
    writeln!(
        out,
        "{} pairs, games +{} ={} -{}, pairs LL,LD,DD,WD,WW {}",
        output.pairs, output.wins, output.draws, output.losses, tally.pentanomial
    )?;
    writeln!(
        out,
        "Elo {} ± {}, nElo {}, LOS {}",
        number(output.elo),
        output.elo_error.map_or("-".to_string(), |error| format!("{error:.2}")),
        number(output.nelo),
        output.los.map_or("-".to_string(), |los| format!("{:.1} %", 100.0 * los))
    )?;
    writeln!(
        out,
        "mean difference of a pair {} ± {}",
        number(output.mean_difference),
        output.difference_error.map_or("-".to_string(), |error| format!("{error:.2}"))
    )?;
    if let Some(verdict) = &output.verdict {
        writeln!(out, "LLR {}: {verdict}", number(output.llr))?;
        if let Some((low, high)) = output.difference_bounds {
            let llr = number(output.difference_llr);
            writeln!(out, "LLR of the difference {llr} for {low:+.2} to {high:+.2} a pair (decides nothing)")?;
        }
        if output.elo_after_stopping.is_some() {
            writeln!(out, "Elo corrected for stopping {}", number(output.elo_after_stopping))?;
        }
    }
    for (name, reasons) in [&output.a, &output.b].into_iter().zip(&output.fault_reasons) {
        if !reasons.is_empty() {
            let words: Vec<String> = reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            writeln!(out, "FAULTS of {name}: {}", words.join(", "))?;
        }
    }
    if output.repeated_games > 0 {
        writeln!(out, "{} games repeat an earlier one move for move", output.repeated_games)?;
    }
    Ok(())
}
