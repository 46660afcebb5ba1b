//! Proof that a baked source is what it should be: it compiles without a warning, its golden lines are Rust's, and
//! the referee finds no fault in its games. `bake --verify` and the end of `train` share this.

mod renju;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::bench::{self, Profile};
use super::shrink::Shrinker;
use super::{Global, progress, write_file};
use crate::bake::{self, Language, Options};
use crate::dataset::obf;
use crate::eval::evaluator::Evaluator;
use crate::eval::weights::Weights;
use crate::game::othello::{Othello, simulation};
use crate::game::{GameId, Move};
use crate::judge::reversi::Dialect;
use crate::judge::spelling::Spelling;
use crate::judge::{Entrant, Game, Limits, Match, Protocol, Reversi, Side, Start, Winner};
use crate::play::random_openings;
use crate::rng::{Domain, RngExt, stream};
use crate::search::othello::lite::{self, Lite};
use crate::search::othello::{Engine, golden};

/// Positions of the golden comparison: opening, midgame, endgame, forced passes.
const POSITIONS: &str = include_str!("../search/othello/bench.obf");

/// The depth of the golden comparison, of the full profile and of `lite`.
const GOLDEN_DEPTH: u8 = 6;
const LITE_DEPTH: u8 = 4;

/// What runs Python bots, as far as it is there.
const INTERPRETERS: [&str; 2] = ["python3", "pypy3"];

/// The machine lacks the compiler or interpreter that a verification needs: nothing was found out about the source.
#[derive(Debug, thiserror::Error)]
#[error("no `{name}` on this machine: {} was written but not verified", .source_file.display())]
pub struct NoCompiler {
    /// The compiler or interpreter.
    name: &'static str,
    /// The source it should have compiled.
    source_file: PathBuf,
}

/// A compiled bot.
pub struct Compiled {
    /// The program.
    pub program: PathBuf,
    /// What the compiler said besides: warnings.
    pub warnings: String,
}

/// How judged games went for a bot.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Games played.
    pub games: u64,
    /// Games the bot won, drew and lost on the board.
    pub results: [u64; 3],
    /// Games it lost by a fault, with what happened.
    pub faults: Vec<String>,
    /// The longest wall time it took for a game, in milliseconds.
    pub most_wall_ms: f64,
    /// The longest CPU time, in milliseconds.
    pub most_cpu_ms: f64,
}

/// A finished bot.
pub struct Bot {
    /// The source file.
    pub path: PathBuf,
    /// How its games went.
    pub judged: Judged,
    /// What was made and checked, for people.
    pub lines: Vec<String>,
}

/// Makes the bot of a champion in `folder`: shrinks the weights until the file fits, bakes `main.cpp`, compiles it,
/// compares goldens and plays judged games.
pub fn forge(global: &Global, folder: &Path, champion: &Weights, games: u64, threads: usize) -> Result<Bot> {
    let options = Options::new(Language::Cpp, bench::signature_of(champion.game, Profile::Full)?);
    let weights = Shrinker::on_the_spot(global, champion).fitting(&options)?;
    let path = folder.join(Language::Cpp.file_name());
    let source = bake::bake(&weights, &options)?;
    write_file(&path, source.as_bytes())?;
    write_file(&folder.join("bot.wts"), &weights.to_bytes())?;
    let mut lines = Vec::new();
    if weights.id() != champion.id() {
        lines.push(format!("shrunk {} to {} ({} knots) for the bot", champion.id(), weights.id(), weights.knots.len()));
    }
    lines.push(format!("baked {} bytes of C++", source.len()));
    let verified = verify(global, &path, Language::Cpp, &weights, &options.spelling, Play { games, threads })?;
    lines.extend(verified.lines);
    Ok(Bot { path, judged: verified.judged, lines })
}

/// Judged games of a verification: how many, and on how many threads.
#[derive(Clone, Copy)]
pub struct Play {
    /// Games for each build of the source.
    pub games: u64,
    /// Threads at most.
    pub threads: usize,
}

/// What [`verify`] found.
pub struct Verified {
    /// How the games went.
    pub judged: Judged,
    /// What was checked, for people.
    pub lines: Vec<String>,
}

/// Compiles a baked source, compares its golden lines with Rust's, and plays judged games by a judge that spells as
/// `spelling` does. A source that does not compile or has other goldens is an error; faults in games are counted.
pub fn verify(
    global: &Global,
    source: &Path,
    language: Language,
    weights: &Weights,
    spelling: &bake::Spelling,
    play: Play,
) -> Result<Verified> {
    let folder = std::env::temp_dir().join(format!("stonesmith-verify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let verified = verify_in(global, &folder, source, language, weights, spelling, play);
    // What is left behind in a temporary folder is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    verified
}

fn verify_in(
    global: &Global,
    folder: &Path,
    source: &Path,
    language: Language,
    weights: &Weights,
    spelling: &bake::Spelling,
    play: Play,
) -> Result<Verified> {
    let dialect = judge_spelling(spelling);
    let mut lines = Vec::new();
    let mut judged = Judged::default();
    for build in builds(folder, source, language, &mut lines)? {
        let name = &build.name;
        let positions = compare_goldens(&build.golden, language, weights)?;
        lines.push(format!("{name}: {positions} golden lines equal to Rust's"));
        let played = match weights.game {
            GameId::Renju => renju::judge(global, &build.bot, &dialect, play)?,
            _ => judge(global, &build.bot, &dialect, play)?,
        };
        if played.games > 0 {
            let [won, drawn, lost] = played.results;
            lines.push(format!(
                "{name}: judged {} games, +{won} ={drawn} -{lost} against greedy and random, the rest against itself; \
                 at most {:.0} ms wall and {:.0} ms CPU a game; {} faults",
                played.games,
                played.most_wall_ms,
                played.most_cpu_ms,
                played.faults.len()
            ));
            lines.extend(played.faults.iter().map(|fault| format!("FAULT {fault}")));
        }
        judged.merge(played);
    }
    Ok(Verified { judged, lines })
}

/// How a judge spells for a bot of this spelling.
fn judge_spelling(spelling: &bake::Spelling) -> Spelling {
    Spelling {
        turn: spelling.turn.as_str().to_string(),
        ready: spelling.ready.as_str().to_string(),
        verb: spelling.verb.as_str().to_string(),
        pass: spelling.pass.as_ref().map(|pass| pass.as_str().to_string()),
        zero_based: spelling.index_base == 0,
        column_first: spelling.column_first,
        ..Spelling::default()
    }
}

/// A bot that can be run.
struct Build {
    /// What compiled or runs it.
    name: String,
    /// The command line that plays.
    bot: String,
    /// The program and arguments that print golden lines.
    golden: Vec<PathBuf>,
}

/// Compiles a source, or finds the interpreters for it.
fn builds(folder: &Path, source: &Path, language: Language, lines: &mut Vec<String>) -> Result<Vec<Build>> {
    if language == Language::Python {
        let there = interpreters(source)?;
        let build = |name: &'static str| Build {
            name: name.to_string(),
            bot: format!("{name} {}", shell_word(source)),
            golden: [name.into(), source.into(), "--golden".into(), LITE_DEPTH.to_string().into()].to_vec(),
        };
        lines.extend(INTERPRETERS.iter().filter(|name| !there.contains(name)).map(|name| format!("{name}: not here")));
        return Ok(there.into_iter().map(build).collect());
    }
    let bot = compile(source, language, &folder.join("bot"), &[])?;
    let golden = compile(source, language, &folder.join("golden"), &["GOLDEN"])?;
    let (name, flags) = compiler(language);
    let warnings = if bot.warnings.is_empty() { "no warning".to_string() } else { bot.warnings };
    lines.push(format!("{name} {}: {warnings}", flags.join(" ")));
    let golden = vec![golden.program, GOLDEN_DEPTH.to_string().into()];
    Ok(vec![Build { name: name.to_string(), bot: shell_word(&bot.program), golden }])
}

/// The interpreters for Python that are there, at least one.
fn interpreters(source: &Path) -> Result<Vec<&'static str>> {
    let is_there =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let there: Vec<&str> = INTERPRETERS.into_iter().filter(is_there).collect();
    if there.is_empty() {
        bail!(NoCompiler { name: INTERPRETERS[0], source_file: source.to_path_buf() });
    }
    Ok(there)
}

/// Runs the answer to the simulation on games drawn at random and compares its lines with those of `simulate`.
pub fn verify_simulation(source: &Path, language: Language) -> Result<Verified> {
    let folder = std::env::temp_dir().join(format!("stonesmith-verify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let verified = verify_simulation_in(&folder, source, language);
    // What is left behind in a temporary folder is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    verified
}

fn verify_simulation_in(folder: &Path, source: &Path, language: Language) -> Result<Verified> {
    const CASES: u64 = 300;
    let input = random_cases(CASES);
    let mut expected = String::new();
    for count in simulation::simulate(&input, true) {
        let simulation::Count { case, black, white } = count?;
        expected += &format!("#{case} {black} {white}\n");
    }
    let mut lines = Vec::new();
    let commands = if language == Language::Python {
        interpreters(source)?.into_iter().map(|name| vec![PathBuf::from(name), source.to_path_buf()]).collect()
    } else {
        let built = compile(source, language, &folder.join("answer"), &[])?;
        let (name, flags) = compiler(language);
        let warnings = if built.warnings.is_empty() { "no warning" } else { &built.warnings };
        lines.push(format!("{name} {}: {warnings}", flags.join(" ")));
        vec![vec![built.program]]
    };
    for command in commands {
        let found = output_of(&command, input.clone())?;
        ensure!(found == expected, "{} does not answer as `simulate` does", command[0].display());
        lines.push(format!("{}: {CASES} cases as `simulate`", command[0].file_name().unwrap_or_default().display()));
    }
    Ok(Verified { judged: Judged::default(), lines })
}

/// Cases of the simulation on the three sizes: moves at random, of which most turn nothing and are left out.
fn random_cases(cases: u64) -> String {
    let mut text = format!("{cases}\n");
    for case in 0..cases {
        let mut rng = stream(case, Domain::Test, 50);
        let (size, moves) = ([4, 6, 8][case as usize % 3], rng.random_range(0..200));
        text += &format!("{size} {moves}\n");
        for _ in 0..moves {
            let mut number = |most: u32| rng.random_range(1..=most);
            text += &format!("{} {} {}\n", number(size), number(size), number(2));
        }
    }
    text
}

/// The compiler and flags the judges of a language use.
fn compiler(language: Language) -> (&'static str, &'static [&'static str]) {
    match language {
        Language::C => ("gcc", &["-O2", "-std=c2x", "-Wall", "-Wextra"]),
        Language::Cpp => ("g++", &["-O2", "-std=gnu++20", "-Wall", "-Wextra"]),
        Language::Python => ("python3", &[]),
    }
}

/// Compiles `source` to `program`, with `-D` for each of `defines`.
pub fn compile(source: &Path, language: Language, program: &Path, defines: &[&str]) -> Result<Compiled> {
    let (name, flags) = compiler(language);
    let output = Command::new(name)
        .args(flags)
        .args(defines.iter().map(|define| format!("-D{define}")))
        .arg(source)
        .arg("-o")
        .arg(program)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!(NoCompiler { name, source_file: source.to_path_buf() })
        }
        Err(error) => return Err(error).with_context(|| format!("cannot run {name}")),
    };
    let warnings = String::from_utf8_lossy(&output.stderr).trim().to_string();
    ensure!(output.status.success(), "{name} does not compile {}:\n{warnings}", source.display());
    Ok(Compiled { program: program.to_path_buf(), warnings })
}

/// Compares the golden lines that a command prints with those of the Rust engine; the number of positions.
fn compare_goldens(command: &[PathBuf], language: Language, weights: &Weights) -> Result<usize> {
    let (text, expected) = match (weights.game, language) {
        (GameId::Renju, Language::Python) => renju::lite_goldens(weights)?,
        (GameId::Renju, _) => renju::goldens(weights)?,
        (_, Language::Python) => lite_goldens(weights)?,
        _ => goldens(weights)?,
    };
    let found = output_of(command, text.to_string())?;
    let found: Vec<&str> = found.lines().collect();
    for (number, line) in expected.iter().enumerate() {
        let other = found.get(number).copied().unwrap_or("(nothing)");
        ensure!(line == other, "golden line {} differs:\n  Rust {line}\n  bot  {other}", number + 1);
    }
    ensure!(found.len() == expected.len(), "expected {} golden lines, found {}", expected.len(), found.len());
    Ok(expected.len())
}

/// The positions of the golden comparison as text, and Rust's lines for them.
fn goldens(weights: &Weights) -> Result<(&'static str, Vec<String>)> {
    let positions = obf::parse::<Othello<8>>(POSITIONS, Path::new("bench.obf"))?;
    let mut engine = Engine::<8>::new(Evaluator::new(weights)?, golden::TT_BITS);
    let lines = positions.iter().map(|scored| golden::line(&mut engine, &scored.position, GOLDEN_DEPTH));
    Ok((POSITIONS, lines.collect()))
}

/// The same for Python, whose bots have the profile `lite`.
fn lite_goldens(weights: &Weights) -> Result<(&'static str, Vec<String>)> {
    let positions = obf::parse::<Othello<8>>(POSITIONS, Path::new("bench.obf"))?;
    let mut engine = Lite::new(weights)?;
    let lines = positions.iter().map(|scored| lite::line(&mut engine, &scored.position, LITE_DEPTH));
    Ok((POSITIONS, lines.collect()))
}

/// What a command prints for an input.
fn output_of(command: &[PathBuf], input: String) -> Result<String> {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {}", command[0].display()))?;
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    writer.join().expect("the writer does not panic").context("it does not read its input")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Plays judged games at the judge's real limits.
fn judge(global: &Global, command: &str, spelling: &Spelling, play: Play) -> Result<Judged> {
    let openings = random_openings::<Othello<8>>(1, play.games.div_ceil(2) as usize, 6..=10);
    let protocol = Reversi { dialect: Dialect { spelling: spelling.clone(), ..Dialect::default() } };
    judge_games(global, command, protocol, Limits::default(), &openings, play)
}

/// Plays judged games of a bot, a third each against `greedy`, itself, and `random`, every opening with both colours.
/// Two games run at once where there are cores for it; a program never thinks in its opponent's turn, so they do not
/// disturb each other.
fn judge_games<R: Protocol + Clone + Sync>(
    global: &Global,
    command: &str,
    protocol: R,
    limits: Limits,
    openings: &[Vec<Move>],
    play: Play,
) -> Result<Judged> {
    let Play { games, threads } = play;
    ensure!(!openings.is_empty() || games == 0, "there are no openings to draw");
    let bot = Entrant::parse(command)?;
    let opponents = [Entrant::parse("greedy")?, bot.clone(), Entrant::parse("random")?];
    let bar = progress::bar(global, "judge", games);
    let mut judged = Judged::default();
    let play = |_: &mut (), index: u64| -> Result<(Game, bool)> {
        let opponent = &opponents[(index / 2 % 3) as usize];
        let itself = index / 2 % 3 == 1;
        let referee = Match { protocol: protocol.clone(), entrants: [bot.clone(), opponent.clone()], limits, seed: 1 };
        let start = Start {
            number: index + 1,
            black: if index % 2 == 1 { Side::Second } else { Side::First },
            opening: openings[(index / 2) as usize % openings.len()].clone(),
        };
        Ok((referee.play(&start)?, itself))
    };
    let sink = |_: u64, played: Result<(Game, bool)>| -> Result<bool> {
        let (game, itself) = played?;
        bar.inc(1);
        judged.add(&game, itself);
        Ok(true)
    };
    crate::ordered::ordered(0..games, threads.min(2), || (), play, sink)?;
    bar.finish_and_clear();
    Ok(judged)
}

impl Judged {
    fn merge(&mut self, other: Judged) {
        self.games += other.games;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        self.faults.extend(other.faults);
        self.most_wall_ms = self.most_wall_ms.max(other.most_wall_ms);
        self.most_cpu_ms = self.most_cpu_ms.max(other.most_cpu_ms);
    }

    fn add(&mut self, game: &Game, itself: bool) {
        self.games += 1;
        let sides = if itself { &game.usage[..] } else { &game.usage[..1] };
        for usage in sides {
            self.most_wall_ms = self.most_wall_ms.max(usage.wall.as_secs_f64() * 1e3);
            self.most_cpu_ms = self.most_cpu_ms.max(usage.cpu.as_secs_f64() * 1e3);
        }
        match game.verdict.faulty {
            Some(side) if itself || side == Side::First => {
                let verdict = &game.verdict;
                self.faults.push(format!("game {}: {} {}", game.start.number, verdict.reason, verdict.detail));
            }
            _ if itself => {}
            _ => {
                self.results[match game.verdict.result {
                    Winner::First => 0,
                    Winner::Draw => 1,
                    Winner::Second => 2,
                }] += 1;
            }
        }
    }
}

/// A path as one word of a command line.
fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains(|c: char| c.is_whitespace() || c == '\'' || c == '"' || c == '\\') {
        format!("'{}'", text.replace('\'', "'\\''"))
    } else {
        text
    }
}
