//! `report`: a run, or the versions in `weights/`, as one self-contained page.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Global, gate, print_json, results, weights, write_file};
use crate::arena::ledger::LedgerRow;
use crate::arena::ratings::{Bootstrap, rate};
use crate::arena::table;
use crate::eval::weights::Weights;
use crate::game::othello::Othello;
use crate::game::renju::Renju;
use crate::game::{Color, GameId, Position};
use crate::play::parse_opening;
use crate::report::{Chart, Report, Series, TableProfile, ViewedGame};

#[derive(clap::Args)]
pub struct Arguments {
    /// The run's folder; without it the page shows the versions in weights/
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// The page
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What `eval --json` printed for versions on solved positions: their regrets as a curve
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// A match's folder (`match --out`) whose games are shown, instead of the run's last gate
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// How many games to show at most
    #[arg(long, default_value_t = 12, value_name = "N")]
    show: usize,
}

#[derive(Serialize)]
struct Output {
    out: String,
    bytes: usize,
    generations: usize,
    versions: usize,
    games: usize,
}

/// Generations whose loss by phase is drawn: more lines cannot be told apart.
const PHASE_LINES: usize = 6;

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let versions = match &arguments.run {
        Some(run) => {
            ensure!(run.is_dir(), "{}: no such run", run.display());
            run.join("weights")
        }
        None => weights::folder(global.game),
    };
    let champion = gate::champion(&versions)?;
    let game = match (&champion, &arguments.run) {
        (Some((_, weights)), _) => weights.game,
        (None, Some(run)) => game_of(run).unwrap_or(global.game),
        (None, None) => global.game,
    };
    let generations = match &arguments.run {
        Some(run) => Generation::all(run)?,
        None => Vec::new(),
    };
    ensure!(
        champion.is_some() || !generations.is_empty() || versions.join("ledger.tsv").exists(),
        "{}: nothing to report: no generation, no ledger, no champion",
        arguments.run.as_deref().unwrap_or(&versions).display()
    );
    let mut report = Report { title: title(game, arguments.run.as_deref()), ..Report::default() };
    report.facts = facts(arguments.run.as_deref(), champion.as_ref(), &generations);
    report.curves = curves(&generations);
    if let Some(path) = &arguments.eval {
        report.curves.extend(regrets(path)?);
    }
    report.ledger = table::read::<LedgerRow>(&versions.join("ledger.tsv"))?.rows;
    let pairings = results::pairings(global, game, &versions)?;
    if let Some(first) = pairings.first() {
        report.ladder = rate(&pairings, &first.b.clone(), Bootstrap { resamples: 1000, seed: 1 })?;
    }
    if let Some((_, weights)) = &champion {
        (report.knots, report.weights) = (weights.knots.clone(), profiles(weights));
    }
    let gates = generations.iter().rev().map(|generation| generation.folder.join("gate"));
    let played = arguments.games.clone().or_else(|| gates.into_iter().find(|gate| gate.join("pairs.jsonl").exists()));
    if let Some(folder) = played {
        report.games = match game {
            GameId::Othello => games::<Othello<8>>(&folder, arguments.show)?,
            GameId::Othello6 => games::<Othello<6>>(&folder, arguments.show)?,
            GameId::Othello4 => games::<Othello<4>>(&folder, arguments.show)?,
            GameId::Renju => games::<Renju>(&folder, arguments.show)?,
        };
    }
    let page = report.html();
    write_file(&arguments.out, page.as_bytes())?;
    let out = arguments.out.display().to_string();
    let (versions, games) = (report.ladder.len(), report.games.len());
    if global.json {
        print_json(&Output { out, bytes: page.len(), generations: generations.len(), versions, games })?;
    } else {
        writeln!(
            stdout(),
            "{out}: {} generations, {versions} rated versions, {games} games, {} bytes",
            generations.len(),
            page.len()
        )?;
    }
    Ok(Answer::Done)
}

fn title(game: GameId, run: Option<&Path>) -> String {
    let name = run.and_then(|run| run.file_name()).map(|name| name.to_string_lossy().into_owned());
    format!("Stonesmith: {game}, {}", name.map_or("published versions".to_string(), |name| format!("run {name}")))
}

fn toml_of(run: &Path) -> Option<toml::Table> {
    fs::read_to_string(run.join("run.toml")).ok()?.parse().ok()
}

fn game_of(run: &Path) -> Option<GameId> {
    toml_of(run)?.get("game")?.as_str()?.parse().ok()
}

fn facts(
    run: Option<&Path>,
    champion: Option<&(String, Weights)>,
    generations: &[Generation],
) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |what: &str, value: String| facts.push((what.to_string(), value));
    if let Some((name, _)) = champion {
        add("champion", name.clone());
    }
    if let Some(toml) = run.and_then(toml_of) {
        let words = toml
            .get("command")
            .and_then(|command| command.as_array())
            .map(|words| words.iter().skip(1).filter_map(|word| word.as_str()).collect::<Vec<_>>().join(" "));
        if let Some(words) = words {
            add("command", format!("stonesmith {words}"));
        }
        if let Some(commit) = toml.get("commit").and_then(|commit| commit.as_str()) {
            add("commit", commit.to_string());
        }
    }
    if !generations.is_empty() {
        let seconds: f64 = generations.iter().filter_map(|generation| generation.number("seconds")).sum();
        add("generations", format!("{} in {:.0} minutes", generations.len(), seconds / 60.0));
        let games: f64 = generations.iter().filter_map(|generation| generation.fit.get("games")?.as_f64()).sum();
        add("games fitted", format!("{games:.0}"));
    }
    facts
}

/// What a generation's folder says.
struct Generation {
    number: usize,
    folder: PathBuf,
    result: Value,
    fit: Value,
}

impl Generation {
    /// All finished generations of a run, in order.
    fn all(run: &Path) -> Result<Vec<Generation>> {
        let mut all = Vec::new();
        for number in 0.. {
            let folder = run.join(format!("gen-{number:03}"));
            if !folder.join("result.json").exists() {
                break;
            }
            let read = |name: &str| -> Result<Value> {
                let path = folder.join(name);
                let text = fs::read(&path).with_context(|| path.display().to_string())?;
                serde_json::from_slice(&text).with_context(|| format!("{}: not JSON", path.display()))
            };
            let fit = if folder.join("fit.json").exists() { read("fit.json")? } else { Value::Null };
            all.push(Generation { number, result: read("result.json")?, fit, folder });
        }
        Ok(all)
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.result.get(key)?.as_f64()
    }

    /// The middle of each phase and its validation loss, or the training loss where nothing was held out.
    fn phases(&self) -> Vec<(f64, f64)> {
        let phases = self.fit.get("phases").and_then(Value::as_array);
        let point = |phase: &Value| {
            let ply = |key: &str| phase.get(key)?.as_f64();
            let loss = |key: &str| phase.get(key)?.get("rmse")?.as_f64();
            Some(((ply("first_ply")? + ply("last_ply")?) / 2.0, loss("validation").or(loss("training"))?))
        };
        phases.into_iter().flatten().filter_map(point).collect()
    }
}

fn curves(generations: &[Generation]) -> Vec<Chart> {
    let over = |key: &str| -> Vec<(f64, f64)> {
        generations.iter().filter_map(|one| Some((one.number as f64, one.number(key)?))).collect()
    };
    let line = |name: &str, points: Vec<(f64, f64)>| Series { name: name.to_string(), points, errors: Vec::new() };
    let chart = |title: &str, x: &str, y: &str, series: Vec<Series>| Chart {
        title: title.to_string(),
        x: x.to_string(),
        y: y.to_string(),
        series,
    };
    let recent = &generations[generations.len().saturating_sub(PHASE_LINES)..];
    let by_phase = recent.iter().map(|one| line(&format!("generation {}", one.number), one.phases())).collect();
    let elo: Vec<&Generation> = generations.iter().filter(|one| one.number("elo").is_some()).collect();
    let elo = Series {
        name: "candidate".to_string(),
        points: elo.iter().filter_map(|one| Some((one.number as f64, one.number("elo")?))).collect(),
        errors: elo.iter().map(|one| one.number("elo_error").unwrap_or(f64::NAN)).collect(),
    };
    vec![
        chart(
            "Validation loss of each generation's own games",
            "generation",
            "error",
            vec![line("MAE", over("validation_mae")), line("RMSE", over("validation_rmse"))],
        ),
        chart("Validation RMSE by phase", "ply", "error", by_phase),
        chart("Elo against the champion at the gate", "generation", "Elo", vec![elo]),
    ]
}

/// The lines of `eval --json` on solved positions, in their order.
fn regrets(path: &Path) -> Result<Vec<Chart>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut points = [Vec::new(), Vec::new()];
    for (index, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
        let place = || format!("{}:{}", path.display(), index + 1);
        let value: Value = serde_json::from_str(line).with_context(place)?;
        let number = |key: &str| value.get(key).and_then(Value::as_f64);
        let regret = number("mean_regret").with_context(|| format!("{}: no mean_regret", place()))?;
        points[0].push((index as f64 + 1.0, regret));
        points[1].extend(number("mae").map(|mae| (index as f64 + 1.0, mae)));
    }
    let [regret, mae] = points;
    let series = |name: &str, points| Series { name: name.to_string(), points, errors: Vec::new() };
    Ok(vec![Chart {
        title: "Regret on solved positions: what the move of the static evaluation costs".to_string(),
        x: "version".to_string(),
        y: "discs".to_string(),
        series: vec![series("mean regret", regret), series("MAE", mae)],
    }])
}

fn profiles(weights: &Weights) -> Vec<TableProfile> {
    let mut first = 0;
    let mut profiles = Vec::new();
    for table in &weights.tables {
        let mut profile =
            TableProfile { name: table.name.clone(), size: table.size, used: Vec::new(), mean: Vec::new() };
        for knot in 0..weights.knots.len() {
            let values = &weights.row(knot)[first..first + table.size];
            let used = values.iter().filter(|&&value| value != 0).count();
            let sum: f64 = values.iter().map(|&value| f64::from(value).abs()).sum();
            profile.used.push(used as f64 / table.size.max(1) as f64);
            profile.mean.push(sum / used.max(1) as f64 / f64::from(weights.scale));
        }
        first += table.size;
        profiles.push(profile);
    }
    profiles
}

/// The first games of a match's folder, board by board.
fn games<P: Position>(folder: &Path, most: usize) -> Result<Vec<ViewedGame>> {
    let path = folder.join("pairs.jsonl");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut games = Vec::new();
    // A torn last line is no pair.
    for (index, line) in text.split_inclusive('\n').filter(|line| line.ends_with('\n')).enumerate() {
        let place = || format!("{}:{}", path.display(), index + 1);
        let pair: Value = serde_json::from_str(line).with_context(place)?;
        for (number, black) in ["A", "B"].into_iter().enumerate() {
            if games.len() == most {
                return Ok(games);
            }
            let moves = pair["games"][number].as_str().with_context(place)?;
            let opening = pair["opening"].as_str().unwrap_or_default();
            let outcome = pair["differences"][number].as_i64().unwrap_or(0);
            let title = format!("pair {}, {black} is black: {outcome:+} for A", pair["pair"]);
            games.push(viewed::<P>(title, opening, moves).with_context(place)?);
        }
    }
    Ok(games)
}

/// A game from its moves; one that began in a position has it as its opening.
fn viewed<P: Position>(title: String, opening: &str, moves: &str) -> Result<ViewedGame> {
    let mut position = match opening.rsplit_once(' ') {
        Some((board, side)) if parse_opening::<P>(opening).is_err() => {
            let side = if side == "B" { Color::Black } else { Color::White };
            P::from_board_text(board, side).map_err(anyhow::Error::msg)?
        }
        _ => P::start(),
    };
    let mut boards = vec![position.board_text()];
    let mut words = Vec::new();
    for word in moves.split_whitespace() {
        let mv = P::parse_move(word).with_context(|| format!("`{word}` is no move"))?;
        position.play(mv)?;
        boards.push(position.board_text());
        words.push(word.to_string());
    }
    let columns = boards[0].chars().count().isqrt();
    Ok(ViewedGame { title, columns, boards, moves: words })
}
