//! Self-play: games of an engine against itself, each a function of (options, weights, seed, index).
//!
//! A game begins with random moves, so that training meets the lopsided positions search trees are full of; then
//! both sides search, with now and then another random move. It ends where the rules end it, or earlier at the first
//! position the search solves exactly: from there the outcome is known. Threads change nothing but the time it takes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::dataset::shard::{Resumed, ShardError, ShardHeader, ShardSet, ShardWriter, Tail, Torn, file_name, hex};
use crate::dataset::{End, GameRecord, Ply};
use crate::game::{Color, Move, Outcome, Position};
use crate::ordered::ordered;
use crate::rng::{Domain, RngExt, Stream, stream};
use crate::search::{Limits, Searcher};

/// How self-play games are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The seed of every random stream.
    pub seed: u64,
    /// Depth of the search that chooses moves. 0 is the player that knows nothing: it draws every move evenly, and
    /// the game's outcome is what such play is worth, so those moves do not count as random.
    pub depth: u8,
    /// Nodes after which a search stops (in addition to `depth`).
    #[serde(default = "no_limit", skip_serializing_if = "is_no_limit")]
    pub nodes: u64,
    /// Positions with at most this many empty squares are solved, and end the game.
    pub solve_empties: u8,
    /// Lengths of the random beginning.
    pub prefix: Vec<PrefixShare>,
    /// The share of random moves after the beginning, in thousandths.
    pub random_per_mille: u32,
    /// A beginning that the search sees further from even than this, in search units, is drawn again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<i32>,
    /// A game that has come so far (stones or discs placed) is given as a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<usize>,
}

/// So often a beginning is drawn again for being uneven.
const REDRAWS: u32 = 20;

fn no_limit() -> u64 {
    u64::MAX
}

fn is_no_limit(nodes: &u64) -> bool {
    *nodes == u64::MAX
}

/// One part of the mixture of random beginnings: lengths drawn evenly from `from..=to` plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefixShare {
    /// Weight of this part.
    pub weight: u32,
    /// Shortest length in plies.
    pub from: u32,
    /// Longest length in plies.
    pub to: u32,
}

impl Options {
    fn limits(&self) -> Limits<'static> {
        Limits { nodes: self.nodes, ..Limits::depth(self.depth) }.solving(self.solve_empties)
    }
}

/// Plays game number `index`. `units_per_outcome` is the engine's search units per unit of the outcome.
pub fn play_game<S: Searcher>(searcher: &mut S, options: &Options, index: u64, units_per_outcome: i32) -> GameRecord {
    let mut rng = stream(options.seed, Domain::SelfPlay, index);
    searcher.forget();
    let limits = options.limits();
    let (mut position, mut plies) = level_beginning(searcher, &mut rng, options);
    loop {
        if let Some(outcome) = position.outcome() {
            return GameRecord { index, plies, outcome, end: End::Finished };
        }
        if options.longest.is_some_and(|longest| position.ply() >= longest) {
            return GameRecord { index, plies, outcome: Outcome(0), end: End::Adjudicated };
        }
        let moves = searcher.explore(&position);
        let (mv, random, score) = if moves == [Move::PASS] {
            (Move::PASS, false, None)
        } else {
            let result = searcher.search(&position, &limits);
            if result.exact {
                let value = (result.score / units_per_outcome) as i16;
                let outcome = Outcome(if position.side_to_move() == Color::Black { value } else { -value });
                return GameRecord { index, plies, outcome, end: End::Solved };
            }
            let random = options.depth > 0 && rng.random_range(0..1000) < options.random_per_mille;
            let drawn = random || options.depth == 0;
            let mv = if drawn { moves[rng.random_range(0..moves.len())] } else { result.best };
            (mv, random, (options.depth > 0).then_some(result.score as i16))
        };
        plies.push(Ply { mv, score, random, exact: false });
        position.play(mv).expect("the engine's move is legal");
    }
}

/// Many games into shards.
pub struct Job<'a> {
    /// How the games are made.
    pub options: &'a Options,
    /// The hash of the weights that play.
    pub weights: [u8; 32],
    /// Games in all.
    pub games: u64,
    /// Games in a shard.
    pub shard_games: u64,
    /// The folder of the shards.
    pub out: &'a Path,
    /// Workers.
    pub threads: usize,
    /// Search units per unit of the outcome.
    pub units_per_outcome: i32,
}

/// What a job has made when it ends.
#[derive(Clone, Debug)]
pub struct Made {
    /// Games in the shards.
    pub games: u64,
    /// Their plies.
    pub positions: u64,
    /// The hash over the records, which does not depend on threads or interruptions.
    pub blake3: String,
    /// Whether all games of the job are there (false when it was told to stop).
    pub complete: bool,
    /// The tail that was cut from an interrupted shard.
    pub torn: Option<Torn>,
}

/// Plays the games of `job` that are not there yet. `make` builds a worker's engine; `progress` is told the games
/// and plies done so far; when `stop` becomes true the job ends with the game in hand, and can be run again.
pub fn run<S: Searcher>(
    job: &Job,
    make: impl Fn() -> S + Sync,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64, u64),
) -> Result<Made, ShardError> {
    let header = |shard: u64| job.header::<S::Position>(shard);
    let shard_path = |shard: u64| job.out.join(file_name(shard));
    let shards = job.games.div_ceil(job.shard_games);
    let (mut shard, mut done, mut positions, mut writer, mut torn) = (0, 0, 0, None, None);
    while shard < shards && writer.is_none() {
        match ShardWriter::resume(&shard_path(shard), &header(shard))? {
            Resumed::Finished(summary) => {
                done += summary.games;
                positions += summary.positions;
                shard += 1;
            }
            Resumed::Open(open) => {
                done += open.games();
                positions += open.positions();
                torn = open.torn().cloned();
                writer = Some(open);
            }
        }
    }
    progress(done, positions);
    let begin = done;
    let last_of = |shard: u64| ((shard + 1) * job.shard_games).min(job.games);
    let work = |searcher: &mut S, index: u64| play_game(searcher, job.options, index, job.units_per_outcome);
    let mut sink = |index: u64, record: GameRecord| {
        let mut open = match writer.take() {
            Some(open) => open,
            None => ShardWriter::create(&shard_path(shard), &header(shard))?,
        };
        open.push(&record)?;
        done += 1;
        positions += record.plies.len() as u64;
        if index + 1 == last_of(shard) {
            open.finish()?;
            shard += 1;
        } else {
            writer = Some(open);
        }
        progress(done, positions);
        Ok::<bool, ShardError>(!stop.load(Ordering::Relaxed))
    };
    ordered(begin..job.games, job.threads, make, work, &mut sink)?;
    // A journal that was complete but not finished when the process was killed.
    if let Some(open) = writer.take()
        && done == last_of(shard)
    {
        open.finish()?;
    }
    let complete = done == job.games;
    let blake3 = if complete {
        let files: Vec<PathBuf> = (0..shards).map(shard_path).collect();
        ShardSet::open(&files, Tail::Strict)?.content_hash()?.to_hex().to_string()
    } else {
        String::new()
    };
    Ok(Made { games: done, positions, blake3, complete, torn })
}

impl Job<'_> {
    /// The run's id depends on what decides its bytes and on nothing else.
    fn header<P: Position>(&self, shard: u64) -> ShardHeader {
        let weights = hex(&self.weights);
        let body = toml::to_string(self.options).expect("options are plain values");
        let options = format!("verb = \"selfplay\"\nweights = \"{weights}\"\n{body}");
        let run_id = *blake3::hash(format!("{}\n{options}", P::GAME).as_bytes()).as_bytes();
        ShardHeader {
            game: P::GAME,
            score_unit: self.units_per_outcome as u16,
            first_index: shard * self.shard_games,
            run_id,
            options,
        }
    }
}

/// A random beginning that the search sees as level as the options ask for, or the last one drawn.
fn level_beginning<S: Searcher>(searcher: &mut S, rng: &mut Stream, options: &Options) -> (S::Position, Vec<Ply>) {
    let mut drawn = random_beginning(searcher, rng, &options.prefix);
    let Some(level) = options.level else { return drawn };
    for _ in 0..REDRAWS {
        if searcher.search(&drawn.0, &options.limits()).score.abs() <= level {
            break;
        }
        drawn = random_beginning(searcher, rng, &options.prefix);
    }
    drawn
}

/// Random moves from the start; a beginning that ends the game is drawn again.
fn random_beginning<S: Searcher>(
    searcher: &mut S,
    rng: &mut Stream,
    prefix: &[PrefixShare],
) -> (S::Position, Vec<Ply>) {
    loop {
        let length = draw_length(rng, prefix);
        let mut position = S::Position::start();
        let mut plies = Vec::new();
        for _ in 0..length {
            let moves = searcher.explore(&position);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            plies.push(Ply { mv, score: None, random: true, exact: false });
            position.play(mv).expect("a generated move is legal");
        }
        if position.outcome().is_none() {
            return (position, plies);
        }
    }
}

fn draw_length(rng: &mut Stream, prefix: &[PrefixShare]) -> u32 {
    let total: u32 = prefix.iter().map(|share| share.weight).sum();
    if total == 0 {
        return 0;
    }
    let mut draw = rng.random_range(0..total);
    for share in prefix {
        if draw < share.weight {
            return rng.random_range(share.from..=share.to.max(share.from));
        }
        draw -= share.weight;
    }
    unreachable!("the draw is below the total weight")
}
