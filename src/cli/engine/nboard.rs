//! The NBoard protocol, version 2: the game comes as GGF, the answer to `go` is `=== d3/eval/time`.
//!
//! What is not understood is ignored, as the protocol asks; a game or move that makes no sense is told by a `status`
//! line and changes nothing. Evaluations are in discs for the side to move, times in seconds.

use std::io::{self, BufRead, Write};

use super::Setting;
use super::lines::next_line;
use crate::cli::thinker::{Allowance, Think, Thought};
use crate::game::othello::{Othello, notation};
use crate::game::{Color, Move, Position};
use crate::judge::nboard::{Ggf, parse_ggf};

/// Serves until `quit` or the end of the input.
pub fn serve<const N: usize>(
    setting: &Setting,
    thinker: &mut dyn Think<Othello<N>>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut game = Ggf { position: Othello::start(), minutes: None, used: [0.0; 2] };
    let mut depth = setting.depth;
    thinker.set_depth(depth);
    while let Some(line) = next_line(input)? {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "nboard" => writeln!(output, "set myname {}", setting.name)?,
            "set" => match rest.split_once(char::is_whitespace) {
                Some(("game", text)) => match parse_ggf::<Othello<N>>(text) {
                    Ok(next) => {
                        if next.position.ply() == 0 {
                            thinker.begin();
                        }
                        game = next;
                    }
                    Err(error) => writeln!(output, "status error: {error}")?,
                },
                Some(("depth", text)) => match text.trim().parse::<u8>() {
                    Ok(number) => {
                        depth = number.clamp(1, 60);
                        thinker.set_depth(depth);
                    }
                    Err(_) => writeln!(output, "status error: set depth needs a number")?,
                },
                _ => {}
            },
            "move" => {
                if let Err(error) = play(&mut game, rest) {
                    writeln!(output, "status error: {error}")?;
                }
            }
            "ping" => writeln!(output, "pong {rest}")?,
            "learn" => writeln!(output, "learned")?,
            "go" => go(&game, thinker, output)?,
            "hint" => {
                let count = rest.parse().unwrap_or(1usize).max(1);
                hint(&game.position, thinker, count, depth, output)?;
                thinker.set_depth(depth);
            }
            "quit" => break,
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

/// `d3/eval/time`: evaluation and time may be missing.
fn play<const N: usize>(game: &mut Ggf<Othello<N>>, text: &str) -> Result<(), String> {
    let mut parts = text.split('/');
    let word = parts.next().unwrap_or_default().trim();
    let mv = notation::parse_move::<N>(word).ok_or_else(|| format!("`{word}` is no move"))?;
    let side = game.position.side_to_move();
    game.position.play(mv).map_err(|error| error.to_string())?;
    let seconds = parts.nth(1).and_then(|text| text.trim().parse::<f64>().ok()).unwrap_or(0.0);
    game.used[usize::from(side == Color::White)] += seconds.max(0.0);
    Ok(())
}

fn text<const N: usize>(mv: Move) -> String {
    if mv.is_pass() { "PA".to_string() } else { notation::move_text::<N>(mv).to_ascii_uppercase() }
}

fn go<const N: usize>(
    game: &Ggf<Othello<N>>,
    thinker: &mut dyn Think<Othello<N>>,
    output: &mut dyn Write,
) -> io::Result<()> {
    if game.position.outcome().is_some() {
        return writeln!(output, "status error: the game is over");
    }
    writeln!(output, "status thinking")?;
    output.flush()?;
    let used = game.used[usize::from(game.position.side_to_move() == Color::White)];
    let allowance = game.minutes.map_or(Allowance::Fixed, |minutes| Allowance::Game((60.0 * minutes - used) * 1e3));
    let thought = thinker.think(&game.position, allowance);
    writeln!(output, "nodestats {} {:.3}", thought.nodes, thought.seconds)?;
    let score = thought.score.map_or(String::new(), |score| format!("{score:.2}"));
    writeln!(output, "=== {}/{score}/{:.3}", text::<N>(thought.mv), thought.seconds)?;
    writeln!(output, "status")
}

/// The `count` best moves by searches of the positions after them.
fn hint<const N: usize>(
    position: &Othello<N>,
    thinker: &mut dyn Think<Othello<N>>,
    count: usize,
    depth: u8,
    output: &mut dyn Write,
) -> io::Result<()> {
    thinker.set_depth(depth.saturating_sub(1).max(1));
    let mut found: Vec<(f64, Move, Thought)> = Vec::new();
    for mv in position.legal_moves() {
        let mut next = *position;
        next.play(mv).expect("a generated move is legal");
        let thought = match next.outcome() {
            Some(outcome) => Thought {
                mv: Move::PASS,
                score: Some(f64::from(outcome.for_color(next.side_to_move()))),
                exact: true,
                depth: 0,
                nodes: 1,
                seconds: 0.0,
            },
            None => thinker.think(&next, Allowance::Fixed),
        };
        found.push((-thought.score.unwrap_or(0.0), mv, thought));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (score, mv, thought) in found.into_iter().take(count) {
        let depth = if thought.exact { "100%".to_string() } else { (thought.depth + 1).to_string() };
        writeln!(output, "search {} {score:.2} 0 {depth}", text::<N>(mv))?;
    }
    Ok(())
}
