//! The page around the charts: head, style, and the tables of ladder, ledger and weights.

use std::fmt::Write;

use super::{Report, TableProfile, escaped, viewer};
use crate::arena::ledger::LedgerRow;
use crate::arena::ratings::Rating;

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
svg { width: 100%; max-width: 46rem; } svg text { font-size: 11px; fill: #444; }
svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
svg .grid { stroke: #ddd; } svg polyline { fill: none; stroke-width: 1.6; }
.wide { overflow-x: auto; }
#board { display: grid; width: 22rem; background: #2e7d4f; border: 1px solid #1c4f31; }
#board i { aspect-ratio: 1; border: 1px solid #256a42; display: block; position: relative; }
#board i.B::after, #board i.W::after { content: ''; position: absolute; inset: 10%; border-radius: 50%; background: #111; }
#board i.W::after { background: #f6f6f6; }
#board i.last { box-shadow: inset 0 0 0 2px #e69f00; }
#ply { width: 16rem; vertical-align: middle; }
";

/// The whole page.
pub fn html(report: &Report) -> String {
    let title = escaped(&report.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if !report.facts.is_empty() {
        page += "<table>\n";
        for (what, value) in &report.facts {
            let _ = writeln!(page, "<tr><td>{}</td><td class=\"text\">{}</td></tr>", escaped(what), escaped(value));
        }
        page += "</table>\n";
    }
    let charts: Vec<(&str, String)> = report
        .curves
        .iter()
        .map(|chart| (chart.title.as_str(), chart.svg()))
        .filter(|(_, svg)| !svg.is_empty())
        .collect();
    if !charts.is_empty() {
        page += "<h2>Curves</h2>\n";
        for (title, svg) in charts {
            let _ = write!(page, "<h3>{}</h3>\n{svg}", escaped(title));
        }
    }
    if !report.ladder.is_empty() {
        page += &ladder(&report.ladder);
    }
    if !report.ledger.is_empty() {
        page += &ledger(&report.ledger);
    }
    if !report.weights.is_empty() {
        page += &weights(&report.knots, &report.weights);
    }
    if !report.games.is_empty() {
        page += "<h2>Games</h2>\n";
        page += &viewer::element(&report.games);
    }
    page + "</body>\n</html>\n"
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.decimals$}"))
}

/// The versions with a bar from the lowest to their Elo.
fn ladder(ratings: &[Rating]) -> String {
    let mut ranked: Vec<&Rating> = ratings.iter().collect();
    ranked.sort_by(|a, b| b.elo.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.elo.unwrap_or(f64::NEG_INFINITY)));
    let elos = || ratings.iter().filter_map(|rating| rating.elo);
    let (low, high) = (elos().fold(f64::INFINITY, f64::min), elos().fold(f64::NEG_INFINITY, f64::max));
    let mut text =
        "<h2>Ladder</h2>\n<p>Elo of all versions from all recorded matches, with 95 % intervals.</p>\n<table>\n\
                    <tr><th>version</th><th>Elo</th><th>±</th><th>pairs</th><th></th></tr>\n"
            .to_string();
    for rating in ranked {
        let width = rating.elo.filter(|_| high > low).map_or(0.0, |elo| 200.0 * (elo - low) / (high - low));
        let mark = if rating.one_sided { " at least" } else { "" };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}{mark}</td><td>{}</td><td>{}</td><td class=\"text\"><svg viewBox=\"0 0 200 10\" \
             style=\"width:200px\"><rect width=\"{width:.1}\" height=\"10\" fill=\"#0072b2\"/></svg></td></tr>",
            escaped(&rating.name),
            number(rating.elo, 0),
            number(rating.error, 0),
            rating.pairs
        );
    }
    text + "</table>\n"
}

fn ledger(rows: &[LedgerRow]) -> String {
    let mut text = "<h2>Ledger</h2>\n<div class=\"wide\"><table>\n<tr><th>version</th><th class=\"text\">parent</th>\
                    <th class=\"text\">date</th><th class=\"text\">data</th><th class=\"text\">change</th><th>loss</th>\
                    <th class=\"text\">against</th><th>LL,LD,DD,WD,WW</th><th>Elo</th><th>±</th><th>LLR</th>\
                    <th class=\"text\">gate</th></tr>\n"
        .to_string();
    for row in rows {
        let cell = |text: &str| format!("<td class=\"text\">{}</td>", escaped(text));
        let _ = writeln!(
            text,
            "<tr><td>{}</td>{}{}{}{}<td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>",
            escaped(&row.id),
            cell(row.parent.as_deref().unwrap_or("-")),
            cell(&row.date),
            cell(&row.data),
            cell(&row.change),
            number(row.validation_loss, 3),
            cell(row.opponent.as_deref().unwrap_or("-")),
            row.pentanomial.map_or("-".to_string(), |counts| counts.to_string()),
            number(row.elo, 1),
            number(row.elo_error, 1),
            number(row.llr, 2),
            cell(&row.verdict.to_string())
        );
    }
    text + "</table></div>\n"
}

/// A table's mean weight by phase, the darker the larger; in small the share of weights in use.
fn weights(knots: &[u8], tables: &[TableProfile]) -> String {
    let mut text = "<h2>Weights by phase</h2>\n<p>The mean size of a table's weights that are not 0, in units of the \
                    outcome, and in brackets the share of them.</p>\n<div class=\"wide\"><table>\n<tr><th>table</th>\
                    <th>weights</th>"
        .to_string();
    for knot in knots {
        let _ = write!(text, "<th>ply {knot}</th>");
    }
    text += "</tr>\n";
    let most = tables.iter().flat_map(|table| table.mean.iter().copied()).fold(0.0, f64::max);
    for table in tables {
        let _ = write!(text, "<tr><td>{}</td><td>{}</td>", escaped(&table.name), table.size);
        for (mean, used) in table.mean.iter().zip(&table.used) {
            let shade = if most > 0.0 { 0.55 * mean / most } else { 0.0 };
            let percent = 100.0 * used;
            let _ = write!(
                text,
                "<td style=\"background:rgba(0,114,178,{shade:.2})\">{mean:.2} <small>({percent:.0} %)</small></td>"
            );
        }
        text += "</tr>\n";
    }
    text + "</table></div>\n"
}
