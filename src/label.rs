//! Labels: recorded games searched again, deeper, and solved exactly near the end.
//!
//! Game by game in index order, each a function of (options, weights, game): the moves stay, the scores change.
//! A position the search solves is marked exact; the outcome of the game is left as it was played.

pub mod pairs;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::dataset::pairs::PairsError;
use crate::dataset::shard::{Resumed, ShardError, ShardHeader, ShardReader, ShardSet, ShardWriter, Tail, hex};
use crate::dataset::{GameRecord, Ply};
use crate::game::{Move, Position};
use crate::ordered::ordered;
use crate::search::{Limits, Searcher};

/// How games are rescored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Depth of the search.
    pub depth: u8,
    /// Nodes after which a search stops (in addition to `depth`).
    pub nodes: u64,
    /// Positions with at most this many empty squares are solved exactly.
    pub solve_empties: u8,
    /// Of the positions after the last random move, every n-th is searched (1: all), beginning at a ply that
    /// differs from game to game.
    pub every: u32,
}

/// Searches the positions of `record` after its last random move. Scores of other positions are dropped, so that
/// every score in the result is of the depth the options say.
pub fn rescore<S: Searcher>(searcher: &mut S, options: &Options, record: &GameRecord) -> Result<GameRecord, String> {
    let limits = Limits { nodes: options.nodes, ..Limits::depth(options.depth) }.solving(options.solve_empties);
    searcher.forget();
    let first = record.first_labelled();
    let mut position = S::Position::start();
    let mut plies = Vec::with_capacity(record.plies.len());
    for (number, ply) in record.plies.iter().enumerate() {
        let chosen = number >= first && (number as u64 + record.index).is_multiple_of(u64::from(options.every.max(1)));
        let (mut score, mut exact) = (None, false);
        if chosen && ply.mv != Move::PASS {
            let result = searcher.search(&position, &limits);
            (score, exact) = (Some(result.score as i16), result.exact);
        }
        plies.push(Ply { score, exact, ..*ply });
        position.play(ply.mv).map_err(|error| format!("game {}, ply {}: {error}", record.index, number + 1))?;
    }
    Ok(GameRecord { plies, ..record.clone() })
}

/// Rescores whole folders of shards.
pub struct Job<'a> {
    /// How the games are rescored.
    pub options: &'a Options,
    /// The hash of the weights that search.
    pub weights: [u8; 32],
    /// The shards to read.
    pub data: &'a ShardSet,
    /// The folder of the new shards; they are named as those they come from.
    pub out: &'a Path,
    /// Workers.
    pub threads: usize,
    /// Search units per unit of the outcome.
    pub units_per_outcome: i32,
}

/// Why labelling ended early.
#[derive(Debug, Error)]
pub enum LabelError {
    /// A shard could not be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// ProbCut samples could not be read or written.
    #[error(transparent)]
    Pairs(#[from] PairsError),
    /// A record does not replay by the rules.
    #[error("{file}: {problem}")]
    Record {
        /// The shard.
        file: String,
        /// The game and what is wrong with it.
        problem: String,
    },
}

/// What a labelling job has made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Games in the new shards.
    pub games: u64,
    /// Their plies.
    pub positions: u64,
    /// The hash over the new records.
    pub blake3: String,
    /// Whether all games are there.
    pub complete: bool,
}

/// Rescores the games that are not there yet. `make` builds a worker's engine; `progress` is told the games and
/// plies done so far; when `stop` becomes true the job ends with the game in hand, and can be run again.
pub fn run<S: Searcher>(
    job: &Job,
    make: impl Fn() -> S + Sync,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64, u64),
) -> Result<Made, LabelError> {
    let (mut done, mut positions) = (0, 0);
    let mut outputs = Vec::new();
    for shard in job.data.shards() {
        let name = shard.path.file_name().expect("a shard is a file");
        let path = job.out.join(name);
        outputs.push(path.clone());
        let mut writer = match ShardWriter::resume(&path, &job.header(&shard.header))? {
            Resumed::Finished(summary) => {
                done += summary.games;
                positions += summary.positions;
                progress(done, positions);
                continue;
            }
            Resumed::Open(writer) => writer,
        };
        let records = ShardReader::open(&shard.path, Tail::Recover)?.collect::<Result<Vec<_>, _>>()?;
        let begin = writer.games();
        done += begin;
        positions += writer.positions();
        let work = |searcher: &mut S, at: u64| rescore(searcher, job.options, &records[at as usize]);
        let sink = |_: u64, rescored: Result<GameRecord, String>| {
            let record =
                rescored.map_err(|problem| LabelError::Record { file: shard.path.display().to_string(), problem })?;
            writer.push(&record)?;
            done += 1;
            positions += record.plies.len() as u64;
            progress(done, positions);
            Ok::<bool, LabelError>(!stop.load(Ordering::Relaxed))
        };
        ordered(begin..records.len() as u64, job.threads, &make, work, sink)?;
        if writer.games() < records.len() as u64 {
            return Ok(Made { games: done, positions, blake3: String::new(), complete: false });
        }
        writer.finish()?;
    }
    let blake3 = ShardSet::open(&outputs, Tail::Strict)?.content_hash()?.to_hex().to_string();
    Ok(Made { games: done, positions, blake3, complete: true })
}

impl Job<'_> {
    fn header(&self, source: &ShardHeader) -> ShardHeader {
        let body = toml::to_string(self.options).expect("options are plain values");
        let options = format!(
            "verb = \"label\"\nweights = \"{}\"\nsource = \"{}\"\n{body}",
            hex(&self.weights),
            hex(&source.run_id)
        );
        let run_id = *blake3::hash(format!("{}\n{options}", source.game).as_bytes()).as_bytes();
        ShardHeader { run_id, options, score_unit: self.units_per_outcome as u16, ..source.clone() }
    }
}
