//! Points (`h8`), boards (225 letters) as text.
//!
//! Columns are letters a–o from the left. Rows are numbers from the **bottom**, as the field writes them: h8 is the
//! centre, a1 the lower left corner, a15 the upper left. The judge counts rows from the top, so its (x, y) is row
//! 16 − x here; [`Point::from_one_based`] speaks the judge's numbers. Board text runs row by row from the top.

use super::board::Board;
use super::point::{POINTS, Point, SIZE};
use crate::game::{Color, Move};

/// `h8`, or `pass`; a number that is no point is written `#230`.
pub fn move_text(mv: Move) -> String {
    match Point::of_move(mv) {
        Some(point) => point_text(point),
        None if mv == Move::PASS => "pass".to_string(),
        None => format!("#{}", mv.0),
    }
}

/// Column letter and row number from the bottom.
pub fn point_text(point: Point) -> String {
    format!("{}{}", (b'a' + point.col() as u8) as char, SIZE - point.row())
}

/// The move written as a point, or as `pass`, `pa`, `ps` or `--`.
pub fn parse_move(text: &str) -> Option<Move> {
    let lower = text.trim().to_ascii_lowercase();
    if matches!(lower.as_str(), "pass" | "pa" | "ps" | "--") {
        return Some(Move::PASS);
    }
    parse_point(&lower).map(Point::to_move)
}

/// The point written as column letter and row number without leading zeros or sign.
pub fn parse_point(text: &str) -> Option<Point> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let col = letter.to_ascii_lowercase().checked_sub(b'a')? as usize;
    if !matches!(digits, [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']) {
        return None;
    }
    let number = digits.iter().fold(0, |number, digit| 10 * number + (digit - b'0') as usize);
    Point::new(SIZE.checked_sub(number)?, col)
}

/// 225 letters `B`, `W`, `.`, row by row from the top.
pub fn board_text(board: &Board) -> String {
    Point::all().map(|point| board.color_at(point).map_or('.', Color::letter)).collect()
}

/// A board from 225 letters (`B X *` black, `W O` white, `. - _` empty); white space is skipped.
pub fn parse_board(text: &str) -> Result<Board, String> {
    let cells: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    if cells.len() != POINTS {
        return Err(format!("expected {POINTS} board letters, found {}", cells.len()));
    }
    let mut board = Board::empty();
    for (point, letter) in Point::all().zip(cells) {
        match letter {
            'B' | 'b' | 'X' | 'x' | '*' => board.place(point, Color::Black),
            'W' | 'w' | 'O' | 'o' => board.place(point, Color::White),
            '.' | '-' | '_' => {}
            other => {
                let cell = point.index() + 1;
                return Err(format!("expected a board letter (B W . or X O -) at cell {cell}, found `{other}`"));
            }
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_bottom() {
        let one_based = |text| parse_point(text).map(Point::one_based);
        assert_eq!(one_based("h8"), Some((8, 8)));
        assert_eq!(one_based("a1"), Some((15, 1)));
        assert_eq!(one_based("A15"), Some((1, 1)));
        assert_eq!(one_based("o15"), Some((1, 15)));
        assert_eq!(one_based("i9"), Some((7, 9)));
    }

    #[test]
    fn moves_round_trip_and_others_are_refused() {
        for mv in Point::all().map(Point::to_move).chain([Move::PASS]) {
            assert_eq!(parse_move(&move_text(mv)), Some(mv));
        }
        assert_eq!(parse_move(" PASS "), Some(Move::PASS));
        for text in ["", "h", "8", "h0", "h16", "p8", "h08", "h+8", "h8 ", "h100", "8h", "hé", "ü8"] {
            assert_eq!(parse_point(text), None, "{text}");
        }
        assert_eq!(move_text(Move(230)), "#230");
    }

    #[test]
    fn boards_round_trip_and_errors_name_the_cell() {
        let mut text = ".".repeat(225);
        text.replace_range(0..1, "B");
        text.replace_range(224..225, "W");
        let board = parse_board(&text).unwrap();
        assert_eq!(board.color_at(parse_point("a15").unwrap()), Some(Color::Black));
        assert_eq!(board.color_at(parse_point("o1").unwrap()), Some(Color::White));
        assert_eq!(board_text(&board), text);
        assert!(parse_board(&text[1..]).unwrap_err().contains("225 board letters, found 224"));
        text.replace_range(2..3, "?");
        assert!(parse_board(&text).unwrap_err().contains("cell 3, found `?`"));
    }
}
