//! `export`: other or smaller forms of a weights file.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use super::bake::{Lang, Size, fitting};
use super::{Answer, Global, print_json, weights, write_file};
use crate::bake::{self, Options};
use crate::eval::edax;
use crate::eval::weights::{Kind, Weights, short_id};

#[derive(clap::Args)]
pub struct Arguments {
    /// The weights: a file, a version's number or `champion`
    weights: String,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    size: Size,
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
    /// The size of the source file baked from it, where a limit was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    baked: Option<usize>,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let original = weights::resolve(global, &arguments.weights)?;
    let options = match arguments.size.asked() {
        Some(limit) => Some(Options::new(arguments.lang.language(), arguments.lang.bench()?).limited(limit)),
        None => None,
    };
    let exported = match &options {
        Some(options) => fitting(&original, options)?,
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
    write_file(&arguments.out, &bytes)?;
    let output = Output {
        file: arguments.out,
        bytes: bytes.len(),
        weights: exported.id(),
        parent: (exported.parent != [0; 32]).then(|| short_id(&exported.parent)),
        knots: exported.knots.len(),
        baked: options.map(|options| bake::size(&exported, &options)).transpose()?,
    };
    if global.json {
        print_json(&output)?;
    } else {
        let from = if exported == original { String::new() } else { format!(" shrunk from {}", original.id()) };
        let baked = output.baked.map_or(String::new(), |size| format!(", baked {size} bytes"));
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
