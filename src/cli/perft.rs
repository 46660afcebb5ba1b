//! `perft`: move sequences counted, from the start or from a given position.

use std::io::{Write, stdout};
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::Serialize;

use super::{Answer, Global, print_json};
use crate::dataset::obf::side_to_move;
use crate::game::othello::{Othello, perft::perft};
use crate::game::perft::{self as generic, PassCounting};
use crate::game::renju::Renju;
use crate::game::{GameId, Position};

#[derive(clap::Args)]
pub struct Arguments {
    /// How many plies
    depth: u32,
    /// 1: a pass is a ply; 2: a pass is free
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    mode: u8,
    /// Count from here: board letters row by row, a blank, the side to move (`X` or `O`, `B` or `W`)
    #[arg(long)]
    position: Option<String>,
}

#[derive(Serialize)]
struct Output {
    nodes: u64,
    seconds: f64,
}

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let passes = if arguments.mode == 1 { PassCounting::PassIsPly } else { PassCounting::PassIsFree };
    let begin = Instant::now();
    let nodes = match global.game {
        GameId::Othello => perft(&position::<Othello<8>>(&arguments)?, arguments.depth, passes),
        GameId::Othello6 => perft(&position::<Othello<6>>(&arguments)?, arguments.depth, passes),
        GameId::Othello4 => perft(&position::<Othello<4>>(&arguments)?, arguments.depth, passes),
        GameId::Renju => generic::perft(&position::<Renju>(&arguments)?, arguments.depth, passes),
    };
    let seconds = begin.elapsed().as_secs_f64();
    if global.json {
        print_json(&Output { nodes, seconds })?;
    } else {
        writeln!(stdout(), "perft({}) = {nodes} in {seconds:.3} s", arguments.depth)?;
    }
    Ok(Answer::Done)
}

fn position<P: Position>(arguments: &Arguments) -> Result<P> {
    let Some(text) = &arguments.position else { return Ok(P::start()) };
    let (board, side) = text
        .trim()
        .rsplit_once(' ')
        .ok_or_else(|| anyhow!("--position: expected board letters, a blank and the side to move"))?;
    let side = side_to_move(side).map_err(|error| anyhow!("--position: {error}"))?;
    P::from_board_text(board, side).map_err(|error| anyhow!("--position: {error}"))
}
