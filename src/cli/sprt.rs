//! `sprt`: a calculator for match results from anywhere: LLR, bounds, Elo, nElo and LOS of given pair counts.

use std::io::{Write, stdout};

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::{Answer, Global, print_json};
use crate::arena::elo::{Estimate, Pentanomial};
use crate::arena::sprt::{Model, Sprt, Verdict, parse_bounds};
use crate::arena::stopped::{StoppedEstimate, stopped_estimate};

#[derive(clap::Args)]
pub struct Arguments {
    /// Pairs by score: LL,LD,DD+WL,WD,WW from the first player's point of view
    #[arg(long, value_name = "LL,LD,DD,WD,WW", allow_hyphen_values = true)]
    pentanomial: Pentanomial,
    /// The Elo of the two hypotheses
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", allow_hyphen_values = true)]
    bounds: String,
    /// What the hypotheses measure: normalized or logistic Elo
    #[arg(long, default_value = "normalized")]
    model: Model,
}

#[derive(Serialize)]
struct Output {
    llr: Option<f64>,
    lower: f64,
    upper: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    nelo: Option<f64>,
    los: Option<f64>,
    verdict: Verdict,
    model: Model,
    pairs: u64,
    corrected: Option<StoppedEstimate>,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let (elo0, elo1) = parse_bounds(&arguments.bounds).map_err(|error| anyhow!("--bounds: {error}"))?;
    let sprt = Sprt::new(elo0, elo1, arguments.model).map_err(|error| anyhow!("--bounds: {error}"))?;
    let counts = arguments.pentanomial;
    let llr = sprt.llr(&counts);
    let Estimate { elo, elo_low, elo_high, elo_error, nelo, los } = counts.estimate();
    let output = Output {
        llr,
        lower: sprt.lower(),
        upper: sprt.upper(),
        elo,
        elo_error,
        elo_low,
        elo_high,
        nelo,
        los,
        verdict: sprt.verdict(llr),
        model: sprt.model(),
        pairs: counts.pairs(),
        corrected: stopped_estimate(&sprt, &counts),
    };
    if global.json {
        print_json(&output)?;
    } else {
        print_text(&output, elo0, elo1)?;
    }
    Ok(Answer::Done)
}

fn print_text(output: &Output, elo0: f64, elo1: f64) -> Result<()> {
    let mut out = stdout().lock();
    let unit = if output.model == Model::Normalized { "nElo" } else { "Elo" };
    writeln!(
        out,
        "LLR   {} ({:.3}, {:.3}) for {unit} [{elo0}, {elo1}]: {}",
        number(output.llr, 4),
        output.lower,
        output.upper,
        match output.verdict {
            Verdict::H0 => "H0 accepted",
            Verdict::H1 => "H1 accepted",
            Verdict::Continue => "undecided",
        }
    )?;
    writeln!(
        out,
        "Elo   {} ± {} [{}, {}] after {} pairs",
        number(output.elo, 2),
        number(output.elo_error, 2),
        number(output.elo_low, 2),
        number(output.elo_high, 2),
        output.pairs
    )?;
    writeln!(out, "nElo  {}", number(output.nelo, 2))?;
    writeln!(out, "LOS   {}", number(output.los, 5))?;
    if let Some(corrected) = &output.corrected {
        writeln!(
            out,
            "If this test stopped the match: Elo {} [{}, {}], nElo {:.2} [{:.2}, {:.2}] (corrected for stopping)",
            number(corrected.elo, 2),
            number(corrected.elo_low, 2),
            number(corrected.elo_high, 2),
            corrected.nelo,
            corrected.nelo_low,
            corrected.nelo_high
        )?;
    }
    Ok(())
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_string(), |value| format!("{value:.decimals$}"))
}
