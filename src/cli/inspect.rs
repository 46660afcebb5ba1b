//! `inspect`: what a file is, and whether it is sound; exit code 1 when it is damaged, with the place.
//!
//! A file is told by its first bytes, or by its name when those are destroyed. Every kind has one function that reads
//! the file from end to end and fills in a [`Report`].

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::weights::{self, Place};
use super::{Answer, Global, print_json};
use crate::bake;
use crate::dataset::shard::{MAGIC, hex};
use crate::dataset::wthor::{WthorError, WthorReader};
use crate::dataset::{GameRecord, RecordError, ShardError, ShardSet, Tail};
use crate::eval::edax;
use crate::eval::weights::{Weights, short_id};
use crate::game::othello::Othello;
use crate::game::renju::Renju;
use crate::game::{Color, GameId};

#[derive(clap::Args)]
pub struct Arguments {
    /// A shard (or a folder of shards), a WTHOR file, a weights file (also a version's number or `champion`), Edax's
    /// evaluation file, a run's folder, or a baked source
    file: PathBuf,
}

/// What `inspect` finds.
#[derive(Serialize)]
struct Report {
    /// The kind of file: `games`, `wthor`, `weights`, `run`, `bot`.
    kind: &'static str,
    /// What names the contents; none when they are damaged.
    id: Option<String>,
    /// The game's name, if it can be read.
    game: Option<&'static str>,
    /// The size in bytes.
    bytes: u64,
    /// Whether everything in the file is as it should be.
    ok: bool,
    /// What is wrong and where.
    problem: Option<String>,
    /// What the header says, by name.
    #[serde(flatten)]
    header: Map<String, Value>,
    /// What the contents look like.
    details: Value,
}

/// The kinds of file that can be told apart.
enum Kind {
    Games,
    Wthor,
    Weights,
    Edax,
    Run,
    Bot,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let report = match place(global.game, arguments.file)? {
        Place::BuiltIn(champion) => inspect_weights(&champion.bytes()?, Weights::from_bytes)?,
        Place::File(path) => inspect_file(&path)?,
    };
    if global.json {
        print_json(&report)?;
    } else {
        print_text(&report)?;
    }
    Ok(if report.ok { Answer::Done } else { Answer::No })
}

/// A file that is there, or the version that its name means.
fn place(game: GameId, file: PathBuf) -> Result<Place> {
    match file.to_str() {
        Some(word) if !file.exists() && (word == "champion" || word.parse::<u32>().is_ok()) => {
            weights::locate(game, word)
        }
        _ => Ok(Place::File(file)),
    }
}

fn inspect_file(path: &Path) -> Result<Report> {
    match kind_of(path)? {
        Kind::Games => inspect_games(path),
        Kind::Wthor => inspect_wthor(path),
        Kind::Weights => {
            let bytes = fs::read(path).with_context(|| path.display().to_string())?;
            inspect_weights(&bytes, |_| Weights::read(path))
        }
        Kind::Edax => {
            let bytes = fs::read(path).with_context(|| path.display().to_string())?;
            inspect_weights(&bytes, edax::from_bytes)
        }
        Kind::Run => inspect_run(path),
        Kind::Bot => inspect_bot(path),
    }
}

fn kind_of(path: &Path) -> Result<Kind> {
    let cannot = || format!("cannot read {}", path.display());
    let extension = path.extension().and_then(|extension| extension.to_str());
    if fs::metadata(path).with_context(cannot)?.is_dir() {
        return Ok(if path.join("run.toml").exists() { Kind::Run } else { Kind::Games });
    }
    let mut start = Vec::new();
    File::open(path).with_context(cannot)?.take(8).read_to_end(&mut start).with_context(cannot)?;
    match extension {
        _ if start == MAGIC => Ok(Kind::Games),
        _ if edax::is_edax(&start) => Ok(Kind::Edax),
        Some("games" | "part") => Ok(Kind::Games),
        Some("wtb") => Ok(Kind::Wthor),
        Some("wts") => Ok(Kind::Weights),
        Some("c" | "cpp" | "py") => Ok(Kind::Bot),
        _ if start.starts_with(b"STONEWTS") => Ok(Kind::Weights),
        _ => bail!(
            "{}: expected a shard (.games), a WTHOR file (.wtb), a weights file (.wts), a baked source (.c, .cpp) or \
             the folder of a run",
            path.display()
        ),
    }
}

fn print_text(report: &Report) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let says = report.problem.as_deref().unwrap_or("no reason given");
    let ok = if report.ok { "yes".to_string() } else { format!("no: {says}") };
    print_line(&mut out, "kind", report.kind)?;
    print_line(&mut out, "id", report.id.as_deref().unwrap_or("-"))?;
    print_line(&mut out, "game", report.game.unwrap_or("-"))?;
    print_line(&mut out, "bytes", report.bytes)?;
    print_line(&mut out, "ok", ok)?;
    print_lines(&mut out, &report.header)?;
    if let Value::Object(details) = &report.details {
        print_lines(&mut out, details)?;
    }
    out.flush()
}

fn print_line(out: &mut impl Write, name: &str, value: impl std::fmt::Display) -> io::Result<()> {
    writeln!(out, "{name:<15} {value}")
}

/// One line per name, and one per element of an array; what is not known is left out.
fn print_lines(out: &mut impl Write, map: &Map<String, Value>) -> io::Result<()> {
    for (name, value) in map {
        match value {
            Value::Null => {}
            Value::Array(elements) => {
                elements.iter().try_for_each(|element| print_line(out, name, readable(element)))?;
            }
            Value::String(text) => print_line(out, name, text.trim_end().replace('\n', "; "))?,
            value => print_line(out, name, value)?,
        }
    }
    Ok(())
}

/// An element of a list on one line: the spread of a phase in words, anything else as it is.
fn readable(element: &Value) -> String {
    let Some(plies) = element["plies"].as_str() else { return element.to_string() };
    let spread = |name: &str| {
        let spread = &element[name];
        let number = |key: &str| spread[key].as_f64().unwrap_or_default();
        match spread["count"].as_u64() {
            None | Some(0) => format!("{name} -"),
            Some(count) => format!(
                "{name} {:.1} ± {:.1}, {} to {} ({count})",
                number("mean"),
                number("std"),
                number("min"),
                number("max")
            ),
        }
    };
    format!("plies {plies}: {}; {}", spread("outcome"), spread("score"))
}

impl Report {
    fn new(kind: &'static str, bytes: u64) -> Report {
        let header = Map::new();
        Report { kind, id: None, game: None, bytes, ok: false, problem: None, header, details: Value::Null }
    }
}

/// A weights file: what it says of itself, and how its values spread.
fn inspect_weights<E: std::error::Error>(bytes: &[u8], read: impl Fn(&[u8]) -> Result<Weights, E>) -> Result<Report> {
    let mut report = Report::new("weights", bytes.len() as u64);
    let weights = match read(bytes) {
        Ok(weights) => weights,
        Err(error) => {
            report.problem = Some(error.to_string());
            return Ok(report);
        }
    };
    report.id = Some(weights.id());
    report.game = Some(weights.game.name());
    report.ok = true;
    let tables: Vec<Value> =
        weights.tables.iter().map(|table| json!({"name": table.name, "weights": table.size})).collect();
    let nonzero = weights.values.iter().filter(|&&value| value != 0).count();
    let most = weights.values.iter().map(|value| value.unsigned_abs()).max();
    report.header.insert("hash".into(), hex(&weights.hash()).into());
    let parent = (weights.parent != [0; 32]).then(|| short_id(&weights.parent));
    report.header.insert("parent".into(), parent.into());
    report.header.insert("scale".into(), weights.scale.into());
    report.header.insert("knots".into(), json!(weights.knots).to_string().into());
    report.header.insert("plies".into(), weights.constants.len().into());
    report.header.insert("probcut_lines".into(), weights.probcut.len().into());
    report.details = json!({
        "tables": tables,
        "values": weights.values.len(),
        "values_not_zero": nonzero,
        "largest_value": most,
    });
    Ok(report)
}

/// A baked source: where it comes from, and whether a byte was changed since.
fn inspect_bot(path: &Path) -> Result<Report> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let mut report = Report::new("bot", bytes.len() as u64);
    let Some(origin) = bake::provenance(&String::from_utf8_lossy(&bytes)) else {
        report.problem = Some("its first lines do not name Stonesmith, weights, template and content".into());
        return Ok(report);
    };
    report.game = Some(origin.game.name());
    report.ok = origin.intact;
    report.problem = (!origin.intact).then(|| "it was altered after it was baked: the content's hash differs".into());
    report.header.insert("parent".into(), origin.parent.into());
    report.header.insert("this_template".into(), bake::is_known_template(&origin.template).into());
    report.header.insert("template".into(), origin.template.into());
    report.header.insert("bench".into(), origin.bench.into());
    report.id = Some(origin.weights);
    Ok(report)
}

/// A run's folder: what was asked and how far it has come.
fn inspect_run(path: &Path) -> Result<Report> {
    let file = path.join("run.toml");
    let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let mut report = Report::new("run", text.len() as u64);
    let run: toml::Table = match text.parse() {
        Ok(run) => run,
        Err(error) => {
            report.problem = Some(format!("{}: {error}", file.display()));
            return Ok(report);
        }
    };
    let name = run.get("game").and_then(toml::Value::as_str).unwrap_or_default();
    report.game = name.parse::<GameId>().ok().map(GameId::name);
    report.id = Some(hex(&blake3::hash(text.as_bytes()).as_bytes()[..4]));
    for key in ["commit", "dirty", "start", "end"] {
        if let Some(value) = run.get(key) {
            report.header.insert(key.into(), value.to_string().trim_matches('"').into());
        }
    }
    let mut generations = Vec::new();
    let folders = (0..).map(|number| path.join(format!("gen-{number:03}"))).take_while(|folder| folder.exists());
    for folder in folders {
        let result = fs::read(folder.join("result.json")).ok();
        let result = result.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        generations.push(result.unwrap_or_else(|| "under way".into()));
    }
    report.ok = report.game.is_some();
    report.problem = (!report.ok).then(|| format!("{}: expected a known game, found `{name}`", file.display()));
    report.details = json!({"generations": generations});
    Ok(report)
}

/// A shard, or all finished shards of a folder as one sequence of games.
fn inspect_games(path: &Path) -> Result<Report> {
    let bytes = if path.is_dir() { 0 } else { fs::metadata(path)?.len() };
    let mut report = Report::new("games", bytes);
    let shards = match ShardSet::open(&[path], Tail::Recover) {
        Ok(shards) => shards,
        Err(error @ (ShardError::Io { .. } | ShardError::NoShards { .. })) => return Err(error.into()),
        Err(error) => {
            report.problem = Some(error.to_string());
            return Ok(report);
        }
    };
    if path.is_dir() {
        report.bytes =
            shards.shards().iter().filter_map(|shard| fs::metadata(&shard.path).ok()).map(|it| it.len()).sum();
    }
    report.game = Some(shards.game().name());
    report.header = shard_header(&shards);
    let mut statistics = GameStatistics::default();
    for record in shards.records() {
        match record {
            Ok(record) => statistics.add(&record, shards.game()),
            Err(ShardError::Io { file, action, source }) => return Err(ShardError::Io { file, action, source }.into()),
            Err(error) => {
                report.problem = Some(error.to_string());
                break;
            }
        }
    }
    if report.problem.is_none() {
        report.problem = shards.torn().first().map(ToString::to_string);
    }
    if report.problem.is_none() {
        report.problem = statistics.first_illegal.as_ref().map(|error| format!("{}: {error}", path.display()));
        report.id = Some(shards.content_hash()?.to_hex().to_string());
    }
    report.ok = report.problem.is_none();
    report.details = statistics.details();
    Ok(report)
}

fn shard_header(shards: &ShardSet) -> Map<String, Value> {
    let first = &shards.shards()[0].header;
    let runs: Vec<String> = shards.run_ids().iter().map(|id| hex(id)).collect();
    let mut header = Map::new();
    header.insert("shards".into(), json!(shards.shards().len()));
    header.insert("games".into(), json!(shards.games()));
    header.insert("positions".into(), json!(shards.positions()));
    header.insert("first_index".into(), json!(first.first_index));
    header.insert("score_unit".into(), json!(first.score_unit));
    header.insert("run_id".into(), json!(runs[0]));
    if runs.len() > 1 {
        header.insert("run_ids".into(), json!(runs));
    }
    header.insert("options".into(), json!(first.options));
    header.insert("torn_offset".into(), json!(shards.torn().first().map(|torn| torn.offset)));
    header
}

fn inspect_wthor(path: &Path) -> Result<Report> {
    let bytes = fs::metadata(path)?.len();
    let mut report = Report::new("wthor", bytes);
    let reader = match WthorReader::open(path) {
        Ok(reader) => reader,
        Err(error @ WthorError::Io { .. }) => return Err(error.into()),
        Err(error) => {
            report.problem = Some(error.to_string());
            return Ok(report);
        }
    };
    report.game = Some(GameId::Othello.name());
    report.header.insert("games".into(), json!(reader.header().records));
    report.header.insert("year".into(), json!(reader.header().year));
    report.header.insert("solved_empties".into(), json!(reader.header().solved_empties));
    let mut statistics = GameStatistics::default();
    for game in reader {
        match game {
            Ok(game) => statistics.add(&game.record, GameId::Othello),
            Err(error @ WthorError::Io { .. }) => return Err(error.into()),
            Err(error) => {
                report.problem.get_or_insert(error.to_string());
            }
        }
    }
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    report.ok = report.problem.is_none();
    report.id = report.ok.then(|| hasher.finalize().to_hex().to_string());
    report.details = statistics.details();
    Ok(report)
}

/// Plies per phase in the statistics.
const PHASE_PLIES: usize = 10;
/// Plies that make an opening.
const OPENING_PLIES: usize = 10;

/// What a collection of games looks like.
#[derive(Default)]
struct GameStatistics {
    games: u64,
    positions: u64,
    random: u64,
    /// Hashes of whole games: 16 bytes a game instead of its moves.
    seen: HashSet<u128>,
    /// How many games begin alike.
    openings: HashMap<u128, u64>,
    illegal: u64,
    first_illegal: Option<RecordError>,
    /// Wins of Black, draws, wins of White.
    results: [u64; 3],
    phases: Vec<(Spread, Spread)>,
}

impl GameStatistics {
    fn add(&mut self, record: &GameRecord, game: GameId) {
        self.games += 1;
        self.positions += record.plies.len() as u64;
        self.random += record.plies.iter().filter(|ply| ply.random).count() as u64;
        let moves: Vec<u8> = record.plies.iter().map(|ply| ply.mv.0).collect();
        self.seen.insert(short_hash(&moves));
        *self.openings.entry(short_hash(&moves[..moves.len().min(OPENING_PLIES)])).or_default() += 1;
        self.results[match record.outcome.winner() {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        }] += 1;
        if let Err(error) = check(record, game) {
            self.illegal += 1;
            self.first_illegal.get_or_insert(error);
        }
        let labelled = record.first_labelled();
        for (number, ply) in record.plies.iter().enumerate() {
            let phase = number / PHASE_PLIES;
            if self.phases.len() <= phase {
                self.phases.resize_with(phase + 1, Default::default);
            }
            let (outcomes, scores) = &mut self.phases[phase];
            // A pass is a ply, so Black has the even plies.
            let mover = if number % 2 == 0 { Color::Black } else { Color::White };
            if number >= labelled {
                outcomes.add(record.outcome.for_color(mover));
            }
            ply.score.into_iter().for_each(|score| scores.add(score));
        }
    }

    /// The entropy of the openings in bits: its power of two is the number of equally common ones that is as diverse.
    fn opening_entropy(&self) -> f64 {
        let games = self.games.max(1) as f64;
        let mut counts: Vec<u64> = self.openings.values().copied().collect();
        // One order of summation: the same games, the same digits.
        counts.sort_unstable();
        counts.iter().map(|&count| count as f64 / games).map(|share| -share * share.log2()).sum::<f64>().max(0.0)
    }

    fn details(&self) -> Value {
        let phases: Vec<Value> = self
            .phases
            .iter()
            .enumerate()
            .map(|(phase, (outcomes, scores))| {
                let first = phase * PHASE_PLIES;
                json!({"plies": format!("{first}-{}", first + PHASE_PLIES - 1), "outcome": outcomes.to_json(), "score": scores.to_json()})
            })
            .collect();
        json!({
            "games_read": self.games,
            "positions_read": self.positions,
            "random_plies": self.random,
            "illegal_games": self.illegal,
            "duplicates": self.games - self.seen.len() as u64,
            "openings": self.openings.len(),
            "commonest_opening": self.openings.values().max().copied().unwrap_or(0),
            "opening_entropy_bits": self.opening_entropy(),
            "black_wins": self.results[0],
            "draws": self.results[1],
            "white_wins": self.results[2],
            "phases": phases,
        })
    }
}

/// Whether the record follows the rules of its game.
fn check(record: &GameRecord, game: GameId) -> Result<(), RecordError> {
    match game {
        GameId::Othello => record.replay::<Othello<8>>().map(drop),
        GameId::Othello6 => record.replay::<Othello<6>>().map(drop),
        GameId::Othello4 => record.replay::<Othello<4>>().map(drop),
        GameId::Renju => record.replay::<Renju>().map(drop),
    }
}

fn short_hash(bytes: &[u8]) -> u128 {
    u128::from_le_bytes(*blake3::hash(bytes).as_bytes().first_chunk().expect("a hash is longer"))
}

/// The spread of a number, from the mover's point of view.
struct Spread {
    count: u64,
    sum: i64,
    squares: u64,
    least: i16,
    most: i16,
}

impl Default for Spread {
    fn default() -> Spread {
        Spread { count: 0, sum: 0, squares: 0, least: i16::MAX, most: i16::MIN }
    }
}

impl Spread {
    fn add(&mut self, value: i16) {
        self.count += 1;
        self.sum += i64::from(value);
        self.squares += u64::from(value.unsigned_abs()).pow(2);
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn to_json(&self) -> Value {
        if self.count == 0 {
            return json!({"count": 0});
        }
        let count = self.count as f64;
        let mean = self.sum as f64 / count;
        let std = (self.squares as f64 / count - mean * mean).max(0.0).sqrt();
        json!({"count": self.count, "min": self.least, "max": self.most, "mean": mean, "std": std})
    }
}
