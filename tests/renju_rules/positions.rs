//! Made-up Renju positions in which threes, fours and nested threes are common.

use stonesmith::game::Color;
use stonesmith::game::renju::{Board, POINTS, Point};
use stonesmith::rng::{RngExt, Stream};

/// Colours in turn, each stone within two cells of an earlier one, as in a game.
pub fn clustered(random: &mut Stream) -> Board {
    let mut board = Board::empty();
    board.place(Point::CENTRE, Color::Black);
    let stones = random.random_range(8..70);
    let mut color = Color::White;
    while board.stones() < stones {
        let near: Vec<Point> =
            board.empty_points().filter(|&p| Point::all().any(|q| distance(p, q) <= 2 && !board.is_empty(q))).collect();
        board.place(near[random.random_range(0..near.len())], color);
        // A pass now and then, so that the counts differ.
        if random.random_bool(0.9) {
            color = color.opponent();
        }
    }
    board
}

/// A small box with many black and few white stones, the rest empty.
pub fn box_of_stones(random: &mut Stream) -> Board {
    let mut board = Board::empty();
    let size = random.random_range(5..=8);
    let (top, left) = (random.random_range(0..=15 - size), random.random_range(0..=15 - size));
    for row in top..top + size {
        for col in left..left + size {
            let color = match random.random_range(0..12) {
                0..4 => Color::Black,
                4 => Color::White,
                _ => continue,
            };
            board.place(Point::new(row, col).unwrap(), color);
        }
    }
    board
}

/// Stones anywhere, at a density drawn anew for each position.
pub fn scattered(random: &mut Stream) -> Board {
    let (black, white) = (0.05 + 0.3 * random.random::<f64>(), 0.25 * random.random::<f64>());
    let mut board = Board::empty();
    for point in Point::all() {
        let draw: f64 = random.random();
        if draw < black {
            board.place(point, Color::Black);
        } else if draw < black + white {
            board.place(point, Color::White);
        }
    }
    board
}

/// The board with one to five points changed, mostly near stones.
pub fn mutated(board: &Board, random: &mut Stream) -> Board {
    let mut board = board.clone();
    for _ in 0..random.random_range(1..=5) {
        let point = Point::from_index(random.random_range(0..POINTS)).unwrap();
        match board.color_at(point) {
            Some(color) => board.remove(point, color),
            None => board.place(point, if random.random_bool(0.7) { Color::Black } else { Color::White }),
        }
    }
    board
}

fn distance(p: Point, q: Point) -> usize {
    p.row().abs_diff(q.row()).max(p.col().abs_diff(q.col()))
}
