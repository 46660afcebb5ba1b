//! `train`: the loop. Self-play → label → fit → gate, generation after generation, then shrink, bake and judge.
//!
//! A run is a folder. Each step leaves a file when it is done, and a step whose file is there is not done again: so a
//! run that was killed goes on where it stood (within self-play, with the next game). `run.toml` freezes what was
//! asked; the champion and the ledger live in the run's `weights/` folder.

mod lines;
mod profile;

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use self::profile::{Generation, Profile};
use super::fit::{Plan, fit_data, forget};
use super::gate::{self, Notes};
use super::matches::{Conditions, parse_sprt};
use super::{Answer, Global, forge, label, print_json, progress, selfplay, weights, write_file};
use crate::dataset::shard::{ShardSet, Tail};
use crate::eval::weights::Weights;
use crate::game::GameId;
use crate::kit;
use crate::rng::mix;

#[derive(Default, clap::Args)]
pub struct Arguments {
    /// quick (minutes), standard (an hour or two), full (days), or a TOML file
    #[arg(long, value_name = "quick|standard|full|FILE.toml")]
    profile: Option<String>,
    /// The folder of the run [default: a new one in data/GAME/runs]
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Go on with a run: the one given, or the latest
    #[arg(long)]
    resume: bool,
    /// Stop after this many generations in all; a finished run may be given more
    #[arg(long, value_name = "N")]
    generations: Option<usize>,
    /// Begin no new generation after so many hours
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
    /// Put the champion of the run into weights/ as well
    #[arg(long)]
    publish: bool,
    /// Workers [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// `run.toml`: what a run is, frozen when it begins.
#[derive(Serialize, Deserialize)]
struct RunFile {
    game: String,
    command: Vec<String>,
    commit: String,
    dirty: bool,
    start: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    profile: Profile,
}

/// `generation.toml` in a generation's folder: who plays its games.
#[derive(Serialize, Deserialize)]
struct GenerationFile {
    plays: String,
    seed: u64,
}

/// `result.json` in a generation's folder: what came of it.
#[derive(Clone, Serialize, Deserialize)]
struct GenerationResult {
    candidate: String,
    validation_mae: Option<f64>,
    validation_rmse: Option<f64>,
    decision: String,
    promoted: bool,
    elo: Option<f64>,
    elo_error: Option<f64>,
    seconds: f64,
}

#[derive(Serialize)]
struct Output {
    run: String,
    bot: Option<String>,
    weights: String,
    generations: usize,
    seconds: f64,
    judged: u64,
    faults: u64,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let begin = Instant::now();
    ensure!(kit::zero_weights(global.game).is_some(), "there is nothing to train for {} yet", global.game);
    let folder = run_folder(global, &arguments)?;
    let mut file = open_run(global, &folder, &arguments)?;
    let threads = selfplay::threads(arguments.threads);
    let wanted = arguments.generations.unwrap_or_else(|| file.profile.generations().max(finished(&folder)));
    progress::say(global, format!("run {}", folder.display()));
    for number in 0..wanted {
        let hours = begin.elapsed().as_secs_f64() / 3600.0;
        if number >= finished(&folder) && arguments.hours.is_some_and(|limit| hours >= limit) {
            progress::say(global, format!("{hours:.2} hours have passed: no further generation"));
            break;
        }
        if !generation(global, &folder, &file.profile, number, threads)? {
            say_stopped(global, &folder);
            return Ok(Answer::Done);
        }
    }
    let generations = finished(&folder);
    let Some((name, champion)) = gate::champion(&folder.join("weights"))? else {
        bail!("{}: no generation was finished", folder.display());
    };
    let champion = match &file.profile.probcut {
        Some(wanted) => match lines::draw(global, &folder, wanted, &champion, file.profile.seed ^ LINES_SEED, threads)?
        {
            Some(champion) => champion,
            None => {
                say_stopped(global, &folder);
                return Ok(Answer::Done);
            }
        },
        None => champion,
    };
    // The small boards have no judge: there the weights are the result.
    let bot = match global.game {
        GameId::Othello | GameId::Renju => {
            Some(forge::forge(global, &folder, &champion, file.profile.judged_games, threads)?)
        }
        _ => None,
    };
    file.end = Some(now());
    write_run(&folder, &file)?;
    if arguments.publish {
        publish(global, &folder, &champion)?;
    }
    let output = Output {
        run: folder.display().to_string(),
        bot: bot.as_ref().map(|bot| bot.path.display().to_string()),
        weights: champion.id(),
        generations,
        seconds: begin.elapsed().as_secs_f64(),
        judged: bot.as_ref().map_or(0, |bot| bot.judged.games),
        faults: bot.as_ref().map_or(0, |bot| bot.judged.faults.len() as u64),
    };
    if global.json {
        print_json(&output)?;
    } else {
        summary(&folder, &name, &output, bot.as_ref())?;
    }
    Ok(if output.faults == 0 { Answer::Done } else { Answer::No })
}

/// Sets the games of ProbCut lines apart from those of generations.
const LINES_SEED: u64 = 0x11e5;

fn say_stopped(global: &Global, folder: &Path) {
    progress::say(global, format!("stopped; go on with `stonesmith train --run {} --resume`", folder.display()));
}

/// The folder of the run: given, the latest (`--resume`), or a new one.
fn run_folder(global: &Global, arguments: &Arguments) -> Result<PathBuf> {
    if let Some(folder) = &arguments.run {
        return Ok(folder.clone());
    }
    let runs = Path::new("data").join(global.game.name()).join("runs");
    let mut names: Vec<(SystemTime, PathBuf)> = Vec::new();
    if runs.exists() {
        for entry in fs::read_dir(&runs).with_context(|| runs.display().to_string())? {
            let path = entry?.path();
            if let Ok(modified) = fs::metadata(path.join("run.toml")).and_then(|data| data.modified()) {
                names.push((modified, path));
            }
        }
    }
    if arguments.resume {
        let latest = names.into_iter().max();
        return latest.map(|(_, path)| path).with_context(|| format!("{}: no run to resume", runs.display()));
    }
    let profile = arguments.profile.as_deref().unwrap_or("quick");
    let profile = Path::new(profile).file_stem().map_or("run".into(), |stem| stem.to_string_lossy().into_owned());
    let free = (1..).map(|number| runs.join(format!("{profile}-{number:03}"))).find(|path| !path.exists());
    Ok(free.expect("some number is free"))
}

/// Reads the run's frozen options, or freezes them now.
fn open_run(global: &Global, folder: &Path, arguments: &Arguments) -> Result<RunFile> {
    let path = folder.join("run.toml");
    if path.exists() {
        ensure!(arguments.resume, "{}: a run is there already; --resume goes on with it", folder.display());
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file: RunFile = toml::from_str(&text).with_context(|| path.display().to_string())?;
        ensure!(
            file.game == global.game.name(),
            "{}: a run of {}, expected {} (-g)",
            path.display(),
            file.game,
            global.game
        );
        if let Some(profile) = &arguments.profile {
            let same = toml::to_string(&Profile::load(global.game, profile)?)? == toml::to_string(&file.profile)?;
            ensure!(same, "{}: the run has another profile than {profile}", path.display());
        }
        return Ok(file);
    }
    selfplay::prepare_folder(folder, false)?;
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    let diff = git(&["diff", "HEAD"]).unwrap_or_default();
    if !diff.is_empty() {
        write_file(&folder.join("dirty.diff"), diff.as_bytes())?;
    }
    let file = RunFile {
        game: global.game.name().to_string(),
        command: std::env::args().collect(),
        commit: git(&["rev-parse", "HEAD"]).map_or("unknown".into(), |text| text.trim().to_string()),
        dirty: !diff.is_empty(),
        start: now(),
        end: None,
        profile: Profile::load(global.game, arguments.profile.as_deref().unwrap_or("quick"))?,
    };
    write_run(folder, &file)?;
    Ok(file)
}

fn write_run(folder: &Path, file: &RunFile) -> Result<()> {
    write_file(&folder.join("run.toml"), toml::to_string(file)?.as_bytes())
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

fn generation_folder(run: &Path, number: usize) -> PathBuf {
    run.join(format!("gen-{number:03}"))
}

/// How many generations have their result, from the first on.
fn finished(run: &Path) -> usize {
    (0..).take_while(|&number| generation_folder(run, number).join("result.json").exists()).count()
}

/// Runs what is missing of a generation; false when it was told to stop.
fn generation(global: &Global, run: &Path, profile: &Profile, number: usize, threads: usize) -> Result<bool> {
    let folder = generation_folder(run, number);
    if folder.join("result.json").exists() {
        return Ok(true);
    }
    let begin = Instant::now();
    let plan = profile.generation(number);
    let versions = run.join("weights");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let (name, weights) = player_of(global, &folder, &versions, profile.seed, number)?;
    let seed = generation_seed(profile.seed, number);
    progress::say(global, format!("generation {number}: {} games at depth {} by {name}", plan.games, plan.depth));

    let games = folder.join("games");
    fs::create_dir_all(&games)?;
    let options = crate::selfplay::Options {
        seed,
        depth: plan.depth,
        nodes: u64::MAX,
        solve_empties: plan.solve_empties.unwrap_or(kit::solve_empties(global.game)),
        prefix: kit::exploration(global.game),
        random_per_mille: 20,
        level: kit::level(global.game),
        longest: kit::longest(global.game),
    };
    let made = selfplay::play(global, &weights, &options, plan.games, SHARD_GAMES, &games, threads)?;
    if !made.complete {
        return Ok(false);
    }
    if let Some(label) = &plan.label
        && !label_part(global, &folder, &weights, label, threads)?
    {
        return Ok(false);
    }

    let candidate_path = folder.join("candidate.wts");
    let fit_path = folder.join("fit.json");
    if !candidate_path.exists() || !fit_path.exists() {
        let data = ShardSet::open(&window(run, number, plan), Tail::Strict)?;
        let plan = Plan {
            knots: plan.knots,
            patterns: profile.patterns.unwrap_or_default(),
            lambda: None,
            plain_ridge: false,
            validation: 0.05,
            passes: plan.passes,
            outcome_weight: plan.outcome_weight,
            score_lambda: plan.score_lambda,
            half_weight: plan.half_weight,
            threads,
        };
        let parent = (name != "zero").then_some(&weights);
        let checkpoint = folder.join("fit.checkpoint");
        let fitted = fit_data(global, &data, parent, &plan, &checkpoint)?;
        write_file(&fit_path, serde_json::to_string_pretty(&fitted.report)?.as_bytes())?;
        write_file(&candidate_path, &fitted.weights.to_bytes())?;
        forget(&checkpoint);
    }
    let candidate = Weights::read(&candidate_path)?;
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&fit_path)?).context("fit.json")?;
    let loss = |key: &str| report.get(key).and_then(|value| value.as_f64());

    let conditions = Conditions {
        pairs: Some(profile.gate.pairs),
        openings: None,
        nodes: None,
        depth: Some(profile.gate.depth),
        concurrency: Some(threads),
        hash_mb: 4,
        seed,
    };
    let notes = Notes {
        data: &format!("{} games, depth {}, window {}", plan.games, plan.depth, plan.window),
        change: &format!("generation {number}"),
        validation_loss: loss("validation_rmse"),
    };
    let gated = gate::gate(
        global,
        &versions,
        &candidate,
        &conditions,
        parse_sprt("0,10")?,
        &notes,
        Some(&folder.join("gate")),
    )?;
    if progress::stop_flag().load(std::sync::atomic::Ordering::Relaxed) {
        return Ok(false);
    }
    let result = GenerationResult {
        candidate: candidate.id(),
        validation_mae: loss("validation_mae"),
        validation_rmse: loss("validation_rmse"),
        decision: gated.decision.to_string(),
        promoted: gated.decision.promoted(),
        elo: gated.result.as_ref().and_then(|result| result.elo),
        elo_error: gated.result.as_ref().and_then(|result| result.elo_error),
        seconds: begin.elapsed().as_secs_f64(),
    };
    write_file(&folder.join("result.json"), serde_json::to_string_pretty(&result)?.as_bytes())?;
    progress::say(global, format!("generation {number}: {}", describe(&result)));
    Ok(true)
}

/// Games in a shard of a run.
const SHARD_GAMES: u64 = 10_000;

fn generation_seed(seed: u64, number: usize) -> u64 {
    // A seed people can type: 32 bits of a mix, so that neighbouring runs and generations share no games.
    mix(mix(seed) ^ number as u64) >> 32
}

/// Who plays the games of a generation: the champion when it began, frozen in the generation's folder.
fn player_of(global: &Global, folder: &Path, versions: &Path, seed: u64, number: usize) -> Result<(String, Weights)> {
    let path = folder.join("generation.toml");
    if path.exists() {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file: GenerationFile = toml::from_str(&text).with_context(|| path.display().to_string())?;
        if file.plays == "zero" {
            return Ok((file.plays, weights::resolve_or_zero(global, "zero")?));
        }
        let weights = Weights::read(&versions.join(&file.plays))?;
        return Ok((file.plays, weights));
    }
    let (name, weights) = match gate::champion(versions)? {
        Some(champion) => champion,
        None => ("zero".to_string(), weights::resolve_or_zero(global, "zero")?),
    };
    let file = GenerationFile { plays: name.clone(), seed: generation_seed(seed, number) };
    write_file(&path, toml::to_string(&file)?.as_bytes())?;
    Ok((name, weights))
}

/// The folders of games a fit sees: the latest generations, their labelled games besides.
fn window(run: &Path, number: usize, plan: &Generation) -> Vec<PathBuf> {
    let first = (number + 1).saturating_sub(plan.window);
    let folders = (first..=number).map(|number| generation_folder(run, number));
    folders.flat_map(|folder| [folder.join("games"), folder.join("labels")]).filter(|folder| folder.exists()).collect()
}

/// Labels the first shards of a generation; false when it was told to stop.
fn label_part(
    global: &Global,
    folder: &Path,
    weights: &Weights,
    plan: &profile::Label,
    threads: usize,
) -> Result<bool> {
    let all = ShardSet::open(&[folder.join("games")], Tail::Strict)?;
    let count = ((all.shards().len() as f64 * plan.share).ceil() as usize).clamp(1, all.shards().len());
    let files: Vec<PathBuf> = all.shards()[..count].iter().map(|shard| shard.path.clone()).collect();
    let data = ShardSet::open(&files, Tail::Strict)?;
    let options = crate::label::Options {
        depth: plan.depth,
        nodes: u64::MAX,
        solve_empties: plan.solve_empties,
        every: plan.every,
    };
    let out = folder.join("labels");
    fs::create_dir_all(&out)?;
    Ok(label::rescore(global, weights, &options, &data, &out, threads)?.complete)
}

fn describe(result: &GenerationResult) -> String {
    let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.2}"));
    format!(
        "{}, validation MAE {}, Elo {} ± {}: {} ({:.0} s)",
        result.candidate,
        number(result.validation_mae),
        number(result.elo),
        number(result.elo_error),
        result.decision,
        result.seconds
    )
}

/// Copies the champion into `weights/`, where it becomes the champion unless a gate said no there.
fn publish(global: &Global, run: &Path, champion: &Weights) -> Result<()> {
    let folder = weights::folder(global.game);
    let conditions = Conditions {
        pairs: Some(2000),
        openings: None,
        nodes: None,
        depth: Some(4),
        concurrency: None,
        hash_mb: 4,
        seed: 1,
    };
    let data = format!("run {}", run.file_name().map_or("".into(), |name| name.to_string_lossy()));
    let notes = Notes { data: &data, change: "published run", validation_loss: None };
    let gated = gate::gate(global, &folder, champion, &conditions, parse_sprt("0,10")?, &notes, None)?;
    progress::say(global, format!("{}: {}", folder.display(), gated.decision));
    Ok(())
}

fn summary(folder: &Path, name: &str, output: &Output, bot: Option<&forge::Bot>) -> Result<()> {
    let mut out = stdout().lock();
    for number in 0..output.generations {
        let text = fs::read(generation_folder(folder, number).join("result.json"))?;
        let result: GenerationResult = serde_json::from_slice(&text)?;
        writeln!(out, "generation {number}: {}", describe(&result))?;
    }
    writeln!(out, "champion {name} in {}", folder.join("weights").display())?;
    for line in bot.iter().flat_map(|bot| &bot.lines) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{:.0} s in all", output.seconds)?;
    writeln!(out)?;
    let more = format!("stonesmith train --run {} --resume --generations {}", folder.display(), output.generations + 2);
    match &output.bot {
        Some(path) => {
            writeln!(out, "bot: {path}")?;
            writeln!(out, "next: submit it, or train on: {more}")?;
        }
        None => writeln!(out, "next: train on: {more}")?,
    }
    Ok(())
}
