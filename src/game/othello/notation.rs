//! Squares (`f5`), boards (64 letters) and move sequences (`f5d6c3…`) as text.
//!
//! Columns are letters from the left, rows numbers from the top. On a small board the letters and numbers count
//! its own columns and rows, so its corner is always `a1`.

use super::{Board, Othello};
use crate::game::{Color, Move};

/// The grid square of row and column (from 0) of the small board.
pub fn square<const N: usize>(row: usize, col: usize) -> usize {
    let offset = (8 - N) / 2;
    8 * (row + offset) + col + offset
}

/// Row and column (from 0) on the small board of a grid square that belongs to it.
pub fn row_col<const N: usize>(square: usize) -> (usize, usize) {
    let offset = (8 - N) / 2;
    (square / 8 - offset, square % 8 - offset)
}

/// `f5`, or `pass`.
pub fn move_text<const N: usize>(mv: Move) -> String {
    if mv == Move::PASS {
        return "pass".to_string();
    }
    if mv.0 >= 64 || Othello::<N>::SQUARES >> mv.0 & 1 == 0 {
        return format!("#{}", mv.0);
    }
    let (row, col) = row_col::<N>(mv.0 as usize);
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

/// The move written as a square, or as `pass`, `pa` or `--`.
pub fn parse_move<const N: usize>(text: &str) -> Option<Move> {
    let lower = text.trim().to_ascii_lowercase();
    if matches!(lower.as_str(), "pass" | "pa" | "ps" | "--") {
        return Some(Move::PASS);
    }
    let [col, row] = lower.as_bytes() else { return None };
    let (col, row) = (col.checked_sub(b'a')? as usize, row.checked_sub(b'1')? as usize);
    (row < N && col < N).then(|| Move(square::<N>(row, col) as u8))
}

/// N·N letters `B`, `W`, `.`, row by row from the top.
pub fn board_text<const N: usize>(position: &Othello<N>) -> String {
    let (black, white) = position.black_white();
    (0..N * N)
        .map(|cell| {
            let bit = square::<N>(cell / N, cell % N);
            match (black >> bit & 1, white >> bit & 1) {
                (1, _) => 'B',
                (_, 1) => 'W',
                _ => '.',
            }
        })
        .collect()
}

/// A position from N·N letters (`B X *` black, `W O` white, `. - _` empty) and the side to move.
pub fn from_board_text<const N: usize>(text: &str, side: Color) -> Result<Othello<N>, String> {
    let cells: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    if cells.len() != N * N {
        return Err(format!("expected {} board letters, found {}", N * N, cells.len()));
    }
    let (mut black, mut white) = (0u64, 0u64);
    for (cell, letter) in cells.into_iter().enumerate() {
        let bit = 1u64 << square::<N>(cell / N, cell % N);
        match letter {
            'B' | 'b' | 'X' | 'x' | '*' => black |= bit,
            'W' | 'w' | 'O' | 'o' => white |= bit,
            '.' | '-' | '_' => {}
            other => {
                return Err(format!("expected a board letter (X O - or B W .) at cell {}, found `{other}`", cell + 1));
            }
        }
    }
    let board = match side {
        Color::Black => Board { player: black, opponent: white },
        Color::White => Board { player: white, opponent: black },
    };
    Ok(Othello::new(board, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[test]
    fn squares_round_trip_on_every_size() {
        fn check<const N: usize>() {
            for row in 0..N {
                for col in 0..N {
                    let mv = Move(square::<N>(row, col) as u8);
                    assert_eq!(parse_move::<N>(&move_text::<N>(mv)), Some(mv));
                }
            }
            assert_eq!(parse_move::<N>("A1"), Some(Move(square::<N>(0, 0) as u8)));
            assert_eq!(parse_move::<N>("i1"), None);
            assert_eq!(parse_move::<N>("a9"), None);
            assert_eq!(parse_move::<N>("PASS"), Some(Move::PASS));
        }
        check::<4>();
        check::<6>();
        check::<8>();
        assert_eq!(parse_move::<8>("f5"), Some(Move(37)));
        assert_eq!(parse_move::<6>("g1"), None);
    }

    #[test]
    fn boards_round_trip_and_errors_name_the_cell() {
        let start = Othello::<8>::start();
        let text = board_text(&start);
        assert_eq!(&text[24..40], "...WB......BW...");
        assert_eq!(from_board_text::<8>(&text, Color::Black), Ok(start));
        assert!(from_board_text::<8>(&text[1..], Color::Black).unwrap_err().contains("64"));
        assert!(from_board_text::<4>("BW?BW...........", Color::Black).unwrap_err().contains("cell 3"));
    }
}
