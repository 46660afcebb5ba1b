//! `export`: other or smaller forms of a weights file.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use super::bake::{Lang, Size};
use super::shrink::{Data, Shrinker};
use super::{Answer, Global, print_json, weights, write_file};
use crate::bake::{self, Limit, Options};
use crate::eval::edax;
use crate::eval::weights::{Kind, Weights, short_id};

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights: a file, a version's number or `champion`
    weights: String,
    /// The file to write
    #[arg(long, required_unless_present = "curve")]
    out: Option<PathBuf>,
    #[command(flatten)]
    size: Size,
    /// Print what forms within ten limits lose, instead of writing one
    #[arg(long, conflicts_with_all = ["out", "max_bytes", "max_chars"])]
    curve: bool,
    /// Other limits for the curve: bytes, or characters with a `c` behind
    #[arg(long, value_name = "N,N…", value_delimiter = ',', requires = "curve", value_parser = parse_limit)]
    limits: Option<Vec<Limit>>,
    #[command(flatten)]
    measure: Data,
    /// The language of the source file whose size is meant
    #[arg(long, value_enum, default_value = "c")]
    lang: Lang,
    /// A weights file, everything in it as JSON, or Edax's evaluation file (of weights fitted with --patterns edax)
    #[arg(long, value_enum, default_value = "wts")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Wts,
    Json,
    Edax,
}

#[derive(Serialize)]
struct Output {
    file: PathBuf,
    bytes: usize,
    weights: String,
    parent: Option<String>,
    knots: usize,
    /// The size of the source file baked from it, in the unit of the limit, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    baked: Option<usize>,
}

/// The limits of the curve unless told otherwise: the tiers of known judges, and steps between them.
const CURVE: [Limit; 10] = [
    Limit::Bytes(65_536),
    Limit::Characters(100_000),
    Limit::Bytes(131_072),
    Limit::Bytes(163_840),
    Limit::Bytes(196_608),
    Limit::Bytes(262_144),
    Limit::Bytes(393_216),
    Limit::Bytes(524_288),
    Limit::Bytes(786_432),
    Limit::Bytes(1_048_576),
];

fn parse_limit(text: &str) -> Result<Limit, String> {
    let (number, limit): (&str, fn(usize) -> Limit) = match text.strip_suffix('c') {
        Some(number) => (number, Limit::Characters),
        None => (text, Limit::Bytes),
    };
    number.parse().map(limit).map_err(|_| format!("expected bytes (65536) or characters (100000c), found `{text}`"))
}

/// One point of the curve.
#[derive(Serialize)]
struct Point {
    limit: usize,
    unit: &'static str,
    /// The size of the baked source in that unit.
    baked: usize,
    weights: String,
    knots: usize,
    /// Weights that are not 0.
    kept: usize,
    positions: usize,
    validation_rmse: f64,
    validation_mae: f64,
}

/// The loss of the best form within each limit, as a table or as JSON lines.
fn curve(global: &Global, arguments: &Arguments, original: &Weights) -> Result<Answer> {
    let shrinker = Shrinker::new(global, original, &arguments.measure);
    let whole = shrinker.sample()?.loss(original);
    let options = Options::new(arguments.lang.language(), arguments.lang.bench(original.game)?);
    if !global.json {
        let (id, positions) = (original.id(), whole.positions);
        writeln!(stdout(), "{id}, {positions} held-out positions: RMSE {:.4}, MAE {:.4}", whole.rmse, whole.mae)?;
        writeln!(
            stdout(),
            "{:>10} {:<10} {:>8} {:>5} {:>8} {:>8}  weights",
            "limit",
            "",
            "baked",
            "knots",
            "RMSE",
            "MAE"
        )?;
    }
    for &limit in arguments.limits.as_deref().unwrap_or(&CURVE) {
        let form = shrinker.form(&options.clone().limited(limit))?;
        let point = Point {
            limit: limit.most(),
            unit: limit.unit(),
            baked: form.size,
            weights: form.weights.id(),
            knots: form.weights.knots.len(),
            kept: form.weights.values.iter().filter(|&&value| value != 0).count(),
            positions: form.loss.positions,
            validation_rmse: form.loss.rmse,
            validation_mae: form.loss.mae,
        };
        if global.json {
            print_json(&point)?;
        } else {
            writeln!(
                stdout(),
                "{:>10} {:<10} {:>8} {:>5} {:>8.4} {:>8.4}  {}",
                point.limit,
                point.unit,
                point.baked,
                point.knots,
                point.validation_rmse,
                point.validation_mae,
                point.weights
            )?;
        }
    }
    Ok(Answer::Done)
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let original = weights::resolve(global, &arguments.weights)?;
    if arguments.curve {
        return curve(global, &arguments, &original);
    }
    let out = arguments.out.clone().context("--out is needed")?;
    let options = match arguments.size.asked() {
        Some(limit) => {
            Some(Options::new(arguments.lang.language(), arguments.lang.bench(original.game)?).limited(limit))
        }
        None => None,
    };
    let exported = match &options {
        Some(options) => Shrinker::new(global, &original, &arguments.measure).fitting(options)?,
        None => original.clone(),
    };
    let bytes = match arguments.format {
        Format::Wts => exported.to_bytes(),
        Format::Json => {
            let mut bytes = serde_json::to_vec(&as_json(&exported))?;
            bytes.push(b'\n');
            bytes
        }
        Format::Edax => edax::to_bytes(&exported)?,
    };
    write_file(&out, &bytes)?;
    let output = Output {
        file: out,
        bytes: bytes.len(),
        weights: exported.id(),
        parent: (exported.parent != [0; 32]).then(|| short_id(&exported.parent)),
        knots: exported.knots.len(),
        baked: options.as_ref().map(|options| bake::size(&exported, options)).transpose()?,
    };
    if global.json {
        print_json(&output)?;
    } else {
        let from = if exported == original { String::new() } else { format!(" shrunk from {}", original.id()) };
        let unit = options.map_or("", |options| options.limit.unit());
        let baked = output.baked.map_or(String::new(), |size| format!(", baked {size} {unit}"));
        let (file, id, knots) = (output.file.display(), &output.weights, output.knots);
        writeln!(stdout(), "{file}: {} bytes, weights {id}{from}, {knots} knots{baked}", output.bytes)?;
    }
    Ok(Answer::Done)
}

/// Everything in a weights file. The values are one row a knot, table by table.
fn as_json(weights: &Weights) -> serde_json::Value {
    let tables: Vec<_> = weights
        .tables
        .iter()
        .map(|table| match &table.kind {
            Kind::Cells(cells) => json!({"name": table.name, "kind": "cells", "size": table.size, "cells": cells}),
            Kind::Scalar => json!({"name": table.name, "kind": "scalar", "size": table.size}),
            Kind::PointCode => json!({"name": table.name, "kind": "point code", "size": table.size}),
        })
        .collect();
    let rows: Vec<_> = (0..weights.knots.len()).map(|knot| weights.row(knot)).collect();
    let probcut: Vec<_> = weights
        .probcut
        .iter()
        .map(|line| {
            json!({"ply": line.ply, "deep": line.deep, "shallow": line.shallow, "slope": line.slope,
                "intercept": line.intercept, "deviation": line.deviation})
        })
        .collect();
    json!({
        "id": weights.id(),
        "game": weights.game.name(),
        "scale": weights.scale,
        "parent": (weights.parent != [0; 32]).then(|| short_id(&weights.parent)),
        "knots": weights.knots,
        "tables": tables,
        "constants": weights.constants,
        "values": rows,
        "probcut": probcut,
    })
}
