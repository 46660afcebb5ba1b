//! Shrinking for the verbs that bake: the games whose positions measure forms of weights, and the form that fits.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};

use super::{Global, progress};
use crate::bake::budget::{Form, shrink};
use crate::bake::{self, Options};
use crate::dataset::GameRecord;
use crate::dataset::shard::{ShardSet, Tail};
use crate::eval::FeatureModel;
use crate::eval::evaluator::pattern_set;
use crate::eval::othello::OthelloFeatures;
use crate::eval::renju::RenjuFeatures;
use crate::eval::shrink::{Prediction, Sample};
use crate::eval::weights::Weights;
use crate::fit::samples::{game_hash, is_validation};
use crate::game::{GameId, Position};
use crate::kit;
use crate::ordered::ordered;
use crate::selfplay::{self, play_game};

/// The seed and depth of the games that are made on the spot, and how many there are.
const SEED: u64 = 1_000_003;
const DEPTH: u8 = 2;

/// Where the games come from that measure forms.
#[derive(Clone, Debug, clap::Args)]
pub struct Data {
    /// Games to measure smaller weights by: half of them to see which weights matter, half held out for the loss
    /// [default: some thousand games of the weights against themselves, made on the spot, always the same]
    #[arg(long, num_args = 1.., value_name = "DIR")]
    data: Vec<PathBuf>,
}

/// The weights as they are, or the form that fits a limit and loses least; positions are looked up once, when needed.
pub struct Shrinker<'a> {
    global: &'a Global,
    original: &'a Weights,
    data: &'a [PathBuf],
    sample: OnceLock<Sample>,
}

impl<'a> Shrinker<'a> {
    /// For `original`, with the games of `data` or with games made on the spot.
    pub fn new(global: &'a Global, original: &'a Weights, data: &'a Data) -> Shrinker<'a> {
        Shrinker { global, original, data: &data.data, sample: OnceLock::new() }
    }

    /// For `original`, with games made on the spot.
    pub fn on_the_spot(global: &'a Global, original: &'a Weights) -> Shrinker<'a> {
        Shrinker { global, original, data: &[], sample: OnceLock::new() }
    }

    /// The original weights if a source file of them keeps to the limit of `options`, else the form that fits and loses
    /// least.
    pub fn fitting(&self, options: &Options) -> Result<Weights> {
        if bake::size(self.original, options)? <= options.limit.most() {
            return Ok(self.original.clone());
        }
        Ok(self.form(options)?.weights)
    }

    /// As [`Shrinker::fitting`], with what the form loses.
    pub fn form(&self, options: &Options) -> Result<Form> {
        Ok(shrink(self.original, self.sample()?, options)?)
    }

    /// The positions that measure forms.
    pub fn sample(&self) -> Result<&Sample> {
        if let Some(sample) = self.sample.get() {
            return Ok(sample);
        }
        let weights = self.original;
        let sample = match weights.game {
            GameId::Othello => self.othello::<8>()?,
            GameId::Othello6 => self.othello::<6>()?,
            GameId::Othello4 => self.othello::<4>()?,
            GameId::Renju => self.gather(&RenjuFeatures::new(), Prediction::Odds)?,
        };
        Ok(self.sample.get_or_init(|| sample))
    }

    fn othello<const N: usize>(&self) -> Result<Sample> {
        let model = OthelloFeatures::<N>::new(pattern_set::<N>(self.original)?);
        self.gather(&model, Prediction::Within((N * N) as f64))
    }

    fn gather<M: FeatureModel>(&self, model: &M, prediction: Prediction) -> Result<Sample> {
        let sample = Sample::new(model, self.original, prediction);
        let mut sample = sample.context("the weights have other tables than the game's features")?;
        if self.data.is_empty() {
            let games = games_on_the_spot(self.global, self.original)?;
            games.iter().try_for_each(|record| add(&mut sample, model, record))?;
        } else {
            let set = ShardSet::open(self.data, Tail::Recover)?;
            let (found, expected) = (set.game(), self.original.game);
            let place = || self.data.first().map_or(Path::new("--data"), PathBuf::as_path).display();
            ensure!(found == expected, "{}: games of {found}, expected {expected}", place());
            for record in set.records() {
                add(&mut sample, model, &record?)?;
            }
            ensure!(sample.held_out() > 0, "{}: no labelled position in the half of the games held out", place());
        }
        Ok(sample)
    }
}

/// How many games are made on the spot: about as many positions in every game.
fn games(game: GameId) -> u64 {
    match game {
        GameId::Renju => 1000,
        _ => 5000,
    }
}

/// Games of the weights against themselves: a function of the weights alone.
fn games_on_the_spot(global: &Global, weights: &Weights) -> Result<Vec<GameRecord>> {
    let game = weights.game;
    let options = selfplay::Options {
        seed: SEED,
        depth: DEPTH,
        nodes: u64::MAX,
        solve_empties: kit::solve_empties(game),
        prefix: kit::exploration(game),
        random_per_mille: 20,
        level: kit::level(game),
        longest: kit::longest(game),
    };
    let count = games(game);
    let bar = progress::bar(global, "games to measure by", count);
    let mut records = Vec::new();
    kit::with_engines!(weights, |make, units| {
        let sink = |_, record| {
            records.push(record);
            bar.inc(1);
            Ok::<bool, anyhow::Error>(true)
        };
        let threads = super::selfplay::threads(None);
        ordered(0..count, threads, make, |searcher, index| play_game(searcher, &options, index, units), sink)?;
    });
    bar.finish_and_clear();
    Ok(records)
}

/// Adds the labelled positions of a game that can be judged as they stand.
fn add<M: FeatureModel>(sample: &mut Sample, model: &M, record: &GameRecord) -> Result<()> {
    let held_out = is_validation(game_hash(record), 0.5);
    let first = record.first_labelled();
    let mut position = M::Position::start();
    for (number, ply) in record.plies.iter().enumerate() {
        if number >= first && !ply.mv.is_pass() && model.is_quiet(&position) {
            let outcome = f32::from(record.outcome.for_color(position.side_to_move()));
            sample.push(model, position.ply(), &position, outcome, held_out);
        }
        let problem = |error| anyhow::anyhow!("game {}, ply {}: {error}", record.index, number + 1);
        position.play(ply.mv).map_err(problem)?;
    }
    Ok(())
}
