//! Players: whoever chooses a move in a position, whatever the game.
//!
//! [`Random`] and [`Greedy`] are the field's two yardsticks; they read nothing but the game's rules. Here too are the
//! openings a match starts from: random ones that differ by more than a symmetry, and ones written as move text.

pub mod duel;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::game::{Move, Position};
use crate::rng::{Domain, RngExt, Stream, stream};

/// Chooses moves.
pub trait Player<P: Position> {
    /// A legal move of `position`, which must not be over.
    fn choose(&mut self, position: &P) -> Move;
}

/// Plays every legal move with the same probability.
#[derive(Clone, Debug)]
pub struct Random {
    stream: Stream,
}

impl Random {
    /// The random player of game number `game` under `seed`.
    pub fn new(seed: u64, game: u64) -> Random {
        Random { stream: stream(seed, Domain::Player, game) }
    }
}

impl<P: Position> Player<P> for Random {
    fn choose(&mut self, position: &P) -> Move {
        let moves = position.legal_moves();
        moves[self.stream.random_range(0..moves.len())]
    }
}

/// Plays the move of the largest [`Position::gain`], the lowest move among equals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<P: Position> Player<P> for Greedy {
    fn choose(&mut self, position: &P) -> Move {
        let moves = position.legal_moves();
        // `max_by_key` keeps the last of equals, so the moves are walked from the highest down.
        *moves.iter().rev().max_by_key(|&&mv| position.gain(mv)).expect("a position to choose in is not over")
    }
}

/// The position after `moves` from the start.
///
/// # Panics
/// When a move is illegal: the openings made and parsed here are not.
pub fn position_after<P: Position>(moves: &[Move]) -> P {
    let mut position = P::start();
    for &mv in moves {
        position.play(mv).expect("an opening's moves are legal");
    }
    position
}

/// `count` random openings, each a legal sequence whose length is drawn from `plies` and whose last position is not
/// over. No two lead to positions that are equal up to symmetry. Opening `i` does not depend on `count`.
///
/// A game too small for so many openings of this length gets longer ones, and in the end fewer than asked for.
pub fn random_openings<P: Position>(seed: u64, count: usize, plies: RangeInclusive<usize>) -> Vec<Vec<Move>> {
    let (mut least, mut most) = (*plies.start(), *plies.end());
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    let mut misses = 0;
    for attempt in 0.. {
        if openings.len() == count || least > 60 {
            break;
        }
        let mut draws = stream(seed, Domain::Openings, attempt);
        let length = draws.random_range(least..=most);
        match random_sequence::<P>(&mut draws, length) {
            Some((moves, position)) if seen.insert((position.canonical(), position.side_to_move())) => {
                openings.push(moves);
                misses = 0;
            }
            _ => misses += 1,
        }
        if misses == 200 {
            (least, most, misses) = (least + 1, most + 1, 0);
        }
    }
    openings
}

fn random_sequence<P: Position>(draws: &mut Stream, length: usize) -> Option<(Vec<Move>, P)> {
    let mut position = P::start();
    let mut moves = Vec::with_capacity(length);
    for _ in 0..length {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let mv = legal[draws.random_range(0..legal.len())];
        position.play(mv).expect("a generated move is legal");
        moves.push(mv);
    }
    position.outcome().is_none().then_some((moves, position))
}

/// Parses an opening written as moves one after another (`f5d6c3`, `h8 i9`), blanks allowed anywhere between moves.
/// A pass that is forced may be left out. Errors name the move and what is wrong with it.
pub fn parse_opening<P: Position>(text: &str) -> Result<Vec<Move>, String> {
    let mut position = P::start();
    let mut moves = Vec::new();
    for (number, word) in move_words(text).enumerate() {
        let mv = P::parse_move(word).ok_or_else(|| format!("move {}: expected a move, found `{word}`", number + 1))?;
        if !mv.is_pass() && position.legal_moves() == [Move::PASS] {
            position.play(Move::PASS).map_err(|error| error.to_string())?;
            moves.push(Move::PASS);
        }
        position.play(mv).map_err(|error| format!("move {}: {error}", number + 1))?;
        moves.push(mv);
    }
    if position.outcome().is_some() {
        return Err("the game is over after these moves: nothing is left to play".to_string());
    }
    Ok(moves)
}

/// The moves as [`parse_opening`] reads them, without blanks.
pub fn opening_text<P: Position>(moves: &[Move]) -> String {
    moves.iter().map(|&mv| P::move_text(mv)).collect()
}

/// Cuts move text into words: `pass`, `pa`, `ps` and `--`, or one letter with the digits behind it.
fn move_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let lower = rest.get(..rest.len().min(4)).unwrap_or("").to_ascii_lowercase();
        let length = match ["pass", "pa", "ps", "--"].into_iter().find(|word| lower.starts_with(word)) {
            Some(word) => word.len(),
            None => {
                let behind = &rest[first.len_utf8()..];
                first.len_utf8() + behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len()
            }
        };
        let (word, tail) = rest.split_at(length);
        rest = tail.trim_start();
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;

    type Board = Othello<8>;

    #[test]
    fn greedy_takes_most_and_breaks_ties_downwards() {
        // All four first moves turn one disc; d3 is the lowest square.
        assert_eq!(Board::move_text(Greedy.choose(&Board::start())), "d3");
        // c1 turns b1 alone; h4 turns the row b4 to g4.
        let text = format!("BW......{}BWWWWWW.{}", ".".repeat(16), ".".repeat(32));
        let position = Board::from_board_text(&text, crate::game::Color::Black).unwrap();
        assert_eq!(Board::move_text(Greedy.choose(&position)), "h4");
    }

    #[test]
    fn random_repeats_with_its_seed_and_reaches_every_move() {
        let draw = |game| Board::move_text(Random::new(1, game).choose(&Board::start()));
        assert_eq!(draw(5), draw(5));
        let reached: HashSet<String> = (0..60).map(draw).collect();
        assert_eq!(reached.len(), 4);
    }

    #[test]
    fn random_openings_are_legal_unfinished_and_distinct_up_to_symmetry() {
        let openings = random_openings::<Board>(1, 300, 6..=10);
        assert_eq!(openings.len(), 300);
        let mut seen = HashSet::new();
        for moves in &openings {
            assert!((6..=10).contains(&moves.len()), "{}", moves.len());
            let position: Board = position_after(moves);
            assert!(position.outcome().is_none());
            assert!(seen.insert(position.canonical()));
        }
        assert_eq!(openings[..20], random_openings::<Board>(1, 20, 6..=10));
        assert_ne!(openings[..20], random_openings::<Board>(2, 20, 6..=10));
        // 4×4 has few positions: the openings grow longer instead of repeating, and the search for them ends.
        let small = random_openings::<Othello<4>>(1, 200, 1..=1);
        let distinct: HashSet<_> = small.iter().map(|moves| position_after::<Othello<4>>(moves).canonical()).collect();
        assert_eq!(distinct.len(), small.len());
    }

    #[test]
    fn openings_are_read_with_and_without_blanks_and_passes() {
        let plain = parse_opening::<Board>("f5d6c3d3c4").unwrap();
        assert_eq!(parse_opening::<Board>(" F5 d6 c3\td3c4 ").unwrap(), plain);
        assert_eq!(opening_text::<Board>(&plain), "f5d6c3d3c4");
        // A forced pass may be written or left out.
        let (moves, _) = (0..)
            .map(|seed| random_sequence::<Board>(&mut stream(seed, Domain::Test, 0), 55))
            .find_map(|found| found.filter(|(moves, _)| moves.contains(&Move::PASS)))
            .unwrap();
        let written = opening_text::<Board>(&moves);
        assert_eq!(parse_opening::<Board>(&written).unwrap(), moves);
        if moves.last() != Some(&Move::PASS) {
            assert_eq!(parse_opening::<Board>(&written.replace("pass", "")).unwrap(), moves);
        }
        assert_eq!(parse_opening::<Board>(&written.replace("pass", " -- ")).unwrap(), moves);
    }

    #[test]
    fn bad_openings_say_which_move_is_wrong() {
        let error = |text| parse_opening::<Board>(text).unwrap_err();
        assert!(error("f5a1").contains("move 2"), "{}", error("f5a1"));
        assert!(error("f5pass").contains("pass"), "{}", error("f5pass"));
        assert!(error("f5?").contains("move 2: expected a move, found `?`"), "{}", error("f5?"));
        assert!(error("ä1").contains("move 1"));
        // The shortest game there is: nine discs, all black.
        assert!(error("e6f4e3f6g5d6e7f5c5").contains("over"), "{}", error("e6f4e3f6g5d6e7f5c5"));
    }
}
