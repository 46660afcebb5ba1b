//! ProbCut samples of recorded games: the same position searched to every depth, without forward cuts.
//!
//! What a shallow search says of a deep one is a property of one weights version; `fit --probcut` draws its lines
//! from these samples. Game by game in index order, each a function of (options, weights, game).

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::LabelError;
use crate::dataset::GameRecord;
use crate::dataset::pairs::{PairSample, PairsWriter, Resumed};
use crate::dataset::shard::{ShardReader, ShardSet, Tail, hex};
use crate::game::{Move, Position};
use crate::ordered::ordered;
use crate::search::{Limits, Searcher};

/// How positions are sampled and searched.
#[derive(Clone, Copy, Debug)]
pub struct PairsOptions {
    /// The deepest search.
    pub depth: u8,
    /// Positions with at most this many empty squares are solved as well.
    pub solve_empties: u8,
    /// Of the positions after the last random move, every n-th is taken, beginning at a ply that differs from game
    /// to game.
    pub every: u32,
}

/// The samples of one game.
pub fn sample_game<S: Searcher>(
    searcher: &mut S,
    options: &PairsOptions,
    record: &GameRecord,
) -> Result<Vec<PairSample>, String> {
    let mut position = S::Position::start();
    let mut samples = Vec::new();
    for (number, ply) in record.plies.iter().enumerate() {
        let chosen = number >= record.first_labelled()
            && (number as u64 + record.index).is_multiple_of(u64::from(options.every.max(1)))
            && ply.mv != Move::PASS;
        if chosen {
            searcher.forget();
            let mut scores = Vec::new();
            for depth in 1..=options.depth {
                let result = searcher.search(&position, &Limits::depth(depth).at_level(Limits::FULL_WIDTH));
                if result.depth < depth {
                    break;
                }
                scores.push(result.score as i16);
            }
            let limits = Limits::depth(1).at_level(Limits::FULL_WIDTH).solving(options.solve_empties);
            let solved = searcher.search(&position, &limits);
            if !scores.is_empty() {
                let exact = solved.exact.then_some(solved.score as i16);
                samples.push(PairSample { game: record.index, ply: position.ply() as u8, exact, scores });
            }
        }
        position.play(ply.mv).map_err(|error| format!("game {}, ply {}: {error}", record.index, number + 1))?;
    }
    Ok(samples)
}

/// Samples whole folders of shards.
pub struct PairsJob<'a> {
    /// How.
    pub options: &'a PairsOptions,
    /// The hash of the weights that search.
    pub weights: [u8; 32],
    /// The shards to read.
    pub data: &'a ShardSet,
    /// The folder of the samples; a file is named as the shard it comes from.
    pub out: &'a Path,
    /// Workers.
    pub threads: usize,
}

/// What a job has made.
#[derive(Clone, Copy, Debug)]
pub struct PairsMade {
    /// Games looked at.
    pub games: u64,
    /// Whether all games are there.
    pub complete: bool,
}

/// Samples the games that are not there yet, like [`super::run`].
pub fn run<S: Searcher>(
    job: &PairsJob,
    make: impl Fn() -> S + Sync,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Result<PairsMade, LabelError> {
    let mut games = 0;
    for shard in job.data.shards() {
        let name = Path::new(shard.path.file_name().expect("a shard is a file")).with_extension("pairs");
        let PairsOptions { depth, solve_empties, every } = *job.options;
        let title = format!(
            "# ProbCut samples: game ply exact scores by depth; weights {}, games {}, depth {depth}, solve-empties \
             {solve_empties}, every {every}",
            hex(&job.weights),
            hex(&shard.header.run_id),
        );
        let (mut writer, done) = match PairsWriter::resume(&job.out.join(name), &title)? {
            Resumed::Finished => {
                games += shard.games;
                progress(games);
                continue;
            }
            Resumed::Open(writer, done) => (writer, done),
        };
        let records = ShardReader::open(&shard.path, Tail::Recover)?.collect::<Result<Vec<_>, _>>()?;
        let begin = done.map_or(0, |last| records.iter().take_while(|record| record.index <= last).count() as u64);
        games += begin;
        let work = |searcher: &mut S, at: u64| sample_game(searcher, job.options, &records[at as usize]);
        let sink = |_: u64, samples: Result<Vec<PairSample>, String>| {
            let samples =
                samples.map_err(|problem| LabelError::Record { file: shard.path.display().to_string(), problem })?;
            writer.push(&samples)?;
            games += 1;
            progress(games);
            Ok::<bool, LabelError>(!stop.load(Ordering::Relaxed))
        };
        let taken = ordered(begin..records.len() as u64, job.threads, &make, work, sink)?;
        if begin + taken < records.len() as u64 {
            return Ok(PairsMade { games, complete: false });
        }
        writer.finish()?;
    }
    Ok(PairsMade { games, complete: true })
}
