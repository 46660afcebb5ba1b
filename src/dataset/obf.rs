//! `.obf` files: positions with the exact or searched scores of their moves.
//!
//! One position a line: board letters, a blank, the side to move, then fields `; move:score`, scores from the point
//! of view of the side to move in the game's outcome unit. Blank lines, lines that begin with `%` or `#`, and the
//! pseudo-move `--` are skipped. The board size follows from the game asked for.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::{Color, Move, Position};

/// A position with what is known of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredPosition<P> {
    /// Board and side to move.
    pub position: P,
    /// Moves with their scores for the side to move.
    pub moves: Vec<(Move, i32)>,
    /// The board letters and the side to move as they stood in the file.
    pub text: String,
}

impl<P> ScoredPosition<P> {
    /// The best score among the moves.
    pub fn best_score(&self) -> Option<i32> {
        self.moves.iter().map(|&(_, score)| score).max()
    }
}

/// A line that is not a position.
#[derive(Debug, Error)]
#[error("{path}:{line}: {problem}")]
pub struct ObfError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What was expected and what was found.
    pub problem: String,
}

/// Parses the text of a file; `path` is named in errors.
pub fn parse<P: Position>(text: &str, path: &Path) -> Result<Vec<ScoredPosition<P>>, ObfError> {
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with(['%', '#']) {
            continue;
        }
        let position =
            parse_line(line).map_err(|problem| ObfError { path: path.to_path_buf(), line: number + 1, problem })?;
        positions.push(position);
    }
    Ok(positions)
}

/// Parses one line.
pub fn parse_line<P: Position>(line: &str) -> Result<ScoredPosition<P>, String> {
    let mut fields = line.split(';').map(str::trim);
    let head = fields.next().expect("split gives at least one field");
    let (board, side) =
        head.rsplit_once(char::is_whitespace).ok_or("expected board letters, a blank and the side to move")?;
    let color = side_to_move(side)?;
    let position = P::from_board_text(board, color)?;
    let legal = position.legal_moves();
    let mut moves = Vec::new();
    for field in fields.filter(|field| !field.is_empty()) {
        let (name, score) = field.split_once(':').ok_or_else(|| format!("expected `move:score`, found `{field}`"))?;
        if name.trim() == "--" {
            continue;
        }
        let mv = P::parse_move(name).ok_or_else(|| format!("`{name}` is not a move"))?;
        if !legal.contains(&mv) {
            return Err(format!("{} is not legal here", P::move_text(mv)));
        }
        let score = score.trim().parse().map_err(|_| format!("expected a score after `{name}:`, found `{score}`"))?;
        moves.push((mv, score));
    }
    Ok(ScoredPosition { position, moves, text: head.to_string() })
}

/// The side a word names: X, B, *, black or O, W, white.
pub fn side_to_move(word: &str) -> Result<Color, String> {
    match word.to_ascii_lowercase().as_str() {
        "x" | "b" | "*" | "black" => Ok(Color::Black),
        "o" | "w" | "white" => Ok(Color::White),
        _ => Err(format!("expected the side to move (X or O), found `{word}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;

    #[test]
    fn a_line_of_the_endgame_suite() {
        // FFO position 40, a published endgame problem.
        let text =
            "\n% FFO\nO--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; --:-127; C7:+36\n";
        let positions = parse::<Othello<8>>(text, Path::new("t")).unwrap();
        assert_eq!(positions.len(), 1);
        assert_eq!(positions[0].moves, [(Move(8), 38), (Move(50), 36)]);
        assert_eq!(positions[0].position.empties().count_ones(), 20);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, problem) in [
            ("\nXO X", "expected 64"),
            ("\n---", "side to move"),
            (&format!("\n{} Q;", Othello::<8>::start().board_text()), "side to move"),
            (&format!("\n{} X; A1:3", Othello::<8>::start().board_text()), "not legal"),
            (&format!("\n{} X; F5:x", Othello::<8>::start().board_text()), "expected a score"),
        ] {
            let error = parse::<Othello<8>>(text, Path::new("p.obf")).unwrap_err();
            assert!(error.to_string().starts_with("p.obf:2:") && error.to_string().contains(problem), "{error}");
        }
    }
}
