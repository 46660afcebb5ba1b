//! `engine`: our player behind the line protocols of other programs, for graphical boards, arenas and judges.
//!
//! Every protocol is a function from a stream of lines to a stream of answers; it holds the game's state, asks a
//! [`Think`] for moves, and reports what it cannot do in the protocol's own way. None of them ends by an error but
//! that of a closed stream.

mod gomocup;
mod gtp;
mod judge;
mod lines;
mod nboard;

use std::io::{self, BufRead, Write};

use anyhow::{Result, ensure};

use super::thinker::{Think, Thinker, Unthinking};
use super::{Answer, Global, weights};
use crate::eval::evaluator::Evaluator;
use crate::eval::othello::DISC;
use crate::eval::renju;
use crate::game::othello::Othello;
use crate::game::renju::Renju;
use crate::game::{GameId, Position};
use crate::kit;
use crate::play::duel::Simple;
use crate::search::Limits;
use crate::search::othello::Engine;
use crate::search::renju::Engine as RenjuEngine;

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Protocol {
    /// Go Text Protocol 2 (Othello and its small boards; moves as d3)
    Gtp,
    /// NBoard protocol 2 (Othello)
    Nboard,
    /// Gomocup, also called Piskvork (Renju)
    Gomocup,
    /// The judge's READY and TURN lines
    Judge,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// A weights file, a version's number, `champion`, `random` or `greedy`
    #[arg(long, default_value = "champion", value_name = "W")]
    weights: String,
    /// The language of the other side
    #[arg(long)]
    protocol: Protocol,
    /// Depth of a search where the protocol gives neither depth nor time, and the most where it does
    /// [default: 8, or no limit with time]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Nodes of a search
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Judge protocol: answer time of a whole game, in milliseconds
    #[arg(long, default_value_t = 5000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    game_ms: u64,
    /// Size of the transposition table
    #[arg(long, default_value_t = 16, value_name = "M", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash_mb: u64,
    /// The seed of the random player
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads of a search (Othello; a judge's CPU clock counts them all, so its protocol has one)
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// What a protocol needs to know besides the game.
struct Setting {
    protocol: Protocol,
    /// The name told to the other side.
    name: String,
    /// Answer time of a judged game in milliseconds.
    game_ms: f64,
    /// Depth of a search without time.
    depth: u8,
}

/// The depth where nothing is said.
const DEPTH: u8 = 8;

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let game_of = |protocol| match protocol {
        Protocol::Gtp | Protocol::Nboard => "Othello (-g othello, othello6 or othello4)",
        Protocol::Gomocup => "Renju (-g renju)",
        Protocol::Judge => "8×8 reversi and Renju (-g othello or renju)",
    };
    let fits = match arguments.protocol {
        Protocol::Gtp | Protocol::Nboard => global.game != GameId::Renju,
        Protocol::Gomocup => global.game == GameId::Renju,
        Protocol::Judge => matches!(global.game, GameId::Othello | GameId::Renju),
    };
    ensure!(fits, "--protocol: this protocol is for {}", game_of(arguments.protocol));
    let many = arguments.protocol != Protocol::Judge && global.game != GameId::Renju;
    ensure!(many || arguments.threads == 1, "--threads: this protocol is served by one thread");
    match global.game {
        GameId::Othello => start::<8>(global, &arguments),
        GameId::Othello6 => start::<6>(global, &arguments),
        GameId::Othello4 => start::<4>(global, &arguments),
        GameId::Renju => start_renju(global, &arguments),
    }
}

fn setting(arguments: &Arguments, version: &str) -> Setting {
    Setting {
        protocol: arguments.protocol,
        name: format!("Stonesmith {version}"),
        game_ms: arguments.game_ms as f64,
        depth: arguments.depth.unwrap_or(DEPTH),
    }
}

/// The player that needs no weights, if the word names one.
fn simple(arguments: &Arguments) -> Option<Unthinking> {
    let player = match arguments.weights.as_str() {
        "random" => Simple::random(arguments.seed),
        "greedy" => Simple::Greedy,
        _ => return None,
    };
    Some(Unthinking::new(player))
}

fn start<const N: usize>(global: &Global, arguments: &Arguments) -> Result<Answer>
where
    Othello<N>: Served,
{
    if let Some(mut player) = simple(arguments) {
        return serve::<Othello<N>>(&setting(arguments, &arguments.weights), &mut player);
    }
    let weights = weights::resolve_or_zero(global, &arguments.weights)?;
    let engine = Engine::with_megabytes(Evaluator::<N>::new(&weights)?, arguments.hash_mb as usize);
    let engine = engine.with_threads(arguments.threads.into())?;
    let limits = limits(global, arguments);
    let mut thinker = Thinker::new(engine, limits, DISC).deepening_to(arguments.depth.unwrap_or(60));
    serve::<Othello<N>>(&setting(arguments, &weights.id()), &mut thinker)
}

fn start_renju(global: &Global, arguments: &Arguments) -> Result<Answer> {
    if let Some(mut player) = simple(arguments) {
        return serve::<Renju>(&setting(arguments, &arguments.weights), &mut player);
    }
    let weights = weights::resolve_or_zero(global, &arguments.weights)?;
    let engine = RenjuEngine::with_megabytes(renju::Evaluator::new(&weights)?, arguments.hash_mb as usize);
    let limits = limits(global, arguments);
    let mut thinker = Thinker::new(engine, limits, renju::SURE).deepening_to(arguments.depth.unwrap_or(60));
    serve::<Renju>(&setting(arguments, &weights.id()), &mut thinker)
}

fn limits(global: &Global, arguments: &Arguments) -> Limits<'static> {
    let depth = arguments.depth.unwrap_or(if arguments.nodes.is_some() { 60 } else { DEPTH });
    let nodes = arguments.nodes.unwrap_or(u64::MAX);
    Limits { nodes, ..Limits::depth(depth) }.solving(kit::solve_empties(global.game))
}

fn serve<P: Served>(setting: &Setting, thinker: &mut dyn Think<P>) -> Result<Answer> {
    thinker.begin();
    P::serve(setting, thinker, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(Answer::Done)
}

/// A game whose protocols are known.
trait Served: Position {
    /// Answers the lines of `input` until it ends or the other side says so.
    fn serve(
        setting: &Setting,
        thinker: &mut dyn Think<Self>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> io::Result<()>;
}

impl<const N: usize> Served for Othello<N> {
    fn serve(
        setting: &Setting,
        thinker: &mut dyn Think<Self>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        match setting.protocol {
            Protocol::Gtp => gtp::serve::<N>(setting, thinker, input, output),
            Protocol::Nboard => nboard::serve::<N>(setting, thinker, input, output),
            Protocol::Judge => judge::serve_reversi::<N>(setting, thinker, input, output),
            Protocol::Gomocup => unreachable!("refused before"),
        }
    }
}

impl Served for Renju {
    fn serve(
        setting: &Setting,
        thinker: &mut dyn Think<Self>,
        input: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        match setting.protocol {
            Protocol::Gomocup => gomocup::serve(setting, thinker, input, output),
            Protocol::Judge => judge::serve_renju(setting, thinker, input, output),
            Protocol::Gtp | Protocol::Nboard => unreachable!("refused before"),
        }
    }
}
