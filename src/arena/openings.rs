//! Openings: read from a file or made at random, and drawn without replacement.
//!
//! A pair plays one opening twice. Two players that choose the same moves in the same position would repeat a pair
//! exactly, so no opening is played again before all were used, and openings that differ only by a symmetry of the
//! board count once. Which opening a pair plays is a function of (seed, pair number), so an interrupted match goes
//! on where it stopped.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::{Color, IllegalMove, Move, Position};
use crate::rng::{Domain, RngExt, stream};

/// The stream of [`Domain::Openings`] that shuffles; the generator's attempts use the streams from 0.
const PERMUTATION_STREAM: u64 = u64::MAX;

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Opening<P> {
    /// Moves from the start position.
    Moves(Vec<Move>),
    /// A position of unknown history.
    Position(P),
}

impl<P: Position> Opening<P> {
    /// The position to play from, or the move of the opening that the rules forbid.
    pub fn position(&self) -> Result<P, IllegalMove> {
        match self {
            Opening::Position(position) => Ok(position.clone()),
            Opening::Moves(moves) => {
                let mut position = P::start();
                moves.iter().try_for_each(|&mv| position.play(mv))?;
                Ok(position)
            }
        }
    }

    /// One line of an opening file: moves without blanks, or board letters, a blank and the side to move.
    pub fn text(&self) -> String {
        match self {
            Opening::Moves(moves) => moves.iter().map(|&mv| P::move_text(mv)).collect(),
            Opening::Position(position) => {
                format!("{} {}", position.board_text(), position.side_to_move().letter())
            }
        }
    }
}

/// An opening file that cannot be used, or a wish for openings that cannot be met.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read the openings {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is no opening.
    #[error("{path}, line {line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was expected and what is there.
        reason: String,
    },
    /// Not one opening.
    #[error("{path}: no opening in it (expected lines of moves, or of board letters and the side to move)")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Random play did not meet enough distinct positions that were kept.
    #[error("only {found} of {wanted} distinct openings of {plies} plies after {attempts} attempts")]
    TooFew {
        /// How many were asked for.
        wanted: usize,
        /// How many were found.
        found: usize,
        /// Their length.
        plies: usize,
        /// Random games tried.
        attempts: u64,
    },
}

/// What an opening file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningFile<P> {
    /// The openings in file order, each leading to another position up to symmetry.
    pub openings: Vec<Opening<P>>,
    /// How many lines were left out because an earlier one leads to the same position up to symmetry.
    pub duplicates: usize,
}

/// Reads openings, one a line.
///
/// A line is a sequence of moves from the start (`f5d6c3`, blanks between moves allowed) or a position (board
/// letters, a blank, the side to move, and anything after a `;`, as in `.obf` files). Blank lines and lines that
/// begin with `#` or `%` are skipped. Every opening must be legal and leave a move to play.
pub fn read_openings<P: Position>(path: &Path) -> Result<OpeningFile<P>, OpeningError> {
    let bytes = fs::read(path).map_err(|source| OpeningError::Read { path: path.to_path_buf(), source })?;
    let mut file = OpeningFile { openings: Vec::new(), duplicates: 0 };
    let mut seen = HashSet::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let fail = |reason: String| OpeningError::Line { path: path.to_path_buf(), line: index + 1, reason };
        let line = std::str::from_utf8(line).map_err(|_| fail("expected text (UTF-8)".to_string()))?;
        let Some((opening, position)) = parse_line::<P>(line).map_err(fail)? else { continue };
        if seen.insert(position.canonical()) {
            file.openings.push(opening);
        } else {
            file.duplicates += 1;
        }
    }
    if file.openings.is_empty() {
        return Err(OpeningError::Empty { path: path.to_path_buf() });
    }
    Ok(file)
}

fn parse_line<P: Position>(line: &str) -> Result<Option<(Opening<P>, P)>, String> {
    let line = line.split(';').next().unwrap_or_default().trim().trim_start_matches('\u{feff}');
    if line.is_empty() || line.starts_with(['#', '%']) {
        return Ok(None);
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    // Moves carry row numbers and boards do not; the longest word for a move without one is `pass`.
    let is_board = first.len() > 4 && !first.bytes().any(|byte| byte.is_ascii_digit());
    let (opening, position) = if is_board { parse_position::<P>(line)? } else { parse_moves::<P>(line)? };
    if position.legal_moves().is_empty() {
        return Err("the game is over after this opening".to_string());
    }
    Ok(Some((opening, position)))
}

fn parse_position<P: Position>(line: &str) -> Result<(Opening<P>, P), String> {
    let (board, side) =
        line.rsplit_once(char::is_whitespace).ok_or("expected board letters, a blank and the side to move")?;
    let side = match side {
        "X" | "x" | "B" | "b" | "*" => Color::Black,
        "O" | "o" | "W" | "w" => Color::White,
        other => return Err(format!("expected the side to move (X or B, O or W), found `{other}`")),
    };
    let position = P::from_board_text(board, side)?;
    Ok((Opening::Position(position.clone()), position))
}

fn parse_moves<P: Position>(line: &str) -> Result<(Opening<P>, P), String> {
    let mut position = P::start();
    let mut moves = Vec::new();
    for word in line.split_whitespace() {
        let mut rest = word;
        while !rest.is_empty() {
            let (mv, length) = longest_move::<P>(rest)
                .ok_or_else(|| format!("expected a move after {} moves, found `{rest}`", moves.len()))?;
            position.play(mv).map_err(|error| format!("move {}: {error}", moves.len() + 1))?;
            moves.push(mv);
            rest = &rest[length..];
        }
    }
    Ok((Opening::Moves(moves), position))
}

/// The longest move that `text` begins with (`h10` before `h1`), and its length in bytes.
fn longest_move<P: Position>(text: &str) -> Option<(Move, usize)> {
    (1..=4).rev().filter_map(|length| text.get(..length)).find_map(|word| Some((P::parse_move(word)?, word.len())))
}

/// Distinct random openings of `plies` plies from the start, in the order they were met.
///
/// Every attempt plays uniformly random moves (a pass only where nothing else is legal) from its own stream of
/// `seed`. A position met before, up to symmetry, is not asked about again; `keep` decides about a new one, by its
/// balance for instance, and sees each position once. Gives up after 10,000 attempts and 200 for each opening
/// wanted.
pub fn random_openings<P: Position>(
    seed: u64,
    plies: usize,
    wanted: usize,
    keep: impl FnMut(&P) -> bool,
) -> Result<Vec<Opening<P>>, OpeningError> {
    let (openings, attempts) = up_to(seed, plies, wanted, placing_moves, keep);
    if openings.len() < wanted {
        return Err(OpeningError::TooFew { wanted, found: openings.len(), plies, attempts });
    }
    Ok(openings)
}

/// As [`random_openings`], but as many as there are: fewer than `wanted` is an error only when there are none. Each
/// move is drawn from what `propose` lists, legal moves of the position ([`placing_moves`] where any will do). A
/// longer list begins with the shorter one of the same seed, so a match that is extended goes on with new openings.
pub fn random_openings_up_to<P: Position>(
    seed: u64,
    plies: usize,
    wanted: usize,
    propose: impl Fn(&P) -> Vec<Move>,
    keep: impl FnMut(&P) -> bool,
) -> Result<Vec<Opening<P>>, OpeningError> {
    let (openings, attempts) = up_to(seed, plies, wanted, propose, keep);
    if openings.is_empty() && wanted > 0 {
        return Err(OpeningError::TooFew { wanted, found: 0, plies, attempts });
    }
    Ok(openings)
}

/// The legal moves, without the pass where there is another.
pub fn placing_moves<P: Position>(position: &P) -> Vec<Move> {
    let mut legal = position.legal_moves();
    if legal.len() > 1 {
        legal.retain(|mv| !mv.is_pass());
    }
    legal
}

fn up_to<P: Position>(
    seed: u64,
    plies: usize,
    wanted: usize,
    propose: impl Fn(&P) -> Vec<Move>,
    mut keep: impl FnMut(&P) -> bool,
) -> (Vec<Opening<P>>, u64) {
    let attempts = 10_000 + 200 * wanted as u64;
    let mut openings = Vec::new();
    let mut seen = HashSet::new();
    for attempt in 0..attempts {
        if openings.len() == wanted {
            break;
        }
        let Some((moves, position)) = random_line(seed, attempt, plies, &propose) else { continue };
        if seen.insert(position.canonical()) && keep(&position) {
            openings.push(Opening::Moves(moves));
        }
    }
    (openings, attempts)
}

/// Random moves until `plies` discs or stones were placed; `None` if the game ended first.
fn random_line<P: Position>(
    seed: u64,
    attempt: u64,
    plies: usize,
    propose: impl Fn(&P) -> Vec<Move>,
) -> Option<(Vec<Move>, P)> {
    let mut stream = stream(seed, Domain::Openings, attempt);
    let mut position = P::start();
    let mut moves = Vec::new();
    while position.ply() < plies {
        let legal = propose(&position);
        if legal.is_empty() {
            return None;
        }
        let mv = legal[stream.random_range(0..legal.len())];
        position.play(mv).expect("a legal move");
        moves.push(mv);
    }
    (!position.legal_moves().is_empty()).then_some((moves, position))
}

/// The order in which the pairs of a match use its openings: one seeded permutation, again from its beginning when
/// all were used.
#[derive(Clone, Debug)]
pub struct Schedule<P> {
    openings: Vec<Opening<P>>,
    order: Vec<usize>,
}

/// The opening of one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn<'a, P> {
    /// What to play.
    pub opening: &'a Opening<P>,
    /// Its place in the list the schedule was made from.
    pub index: usize,
    /// How often all openings had been used before: 0 as long as nothing repeats.
    pub cycle: u64,
    /// Whether this is the first draw of a later cycle: the moment to announce that openings repeat.
    pub wrapped: bool,
}

impl<P: Position> Schedule<P> {
    /// Shuffles `openings` by `seed`; `None` if there are none.
    pub fn new(openings: Vec<Opening<P>>, seed: u64) -> Option<Schedule<P>> {
        let mut order: Vec<usize> = (0..openings.len()).collect();
        let mut stream = stream(seed, Domain::Openings, PERMUTATION_STREAM);
        for last in (1..order.len()).rev() {
            order.swap(last, stream.random_range(0..=last));
        }
        (!openings.is_empty()).then_some(Schedule { openings, order })
    }

    /// `openings` in the order they stand in, for a list that chance has made; `None` if there are none.
    pub fn in_order(openings: Vec<Opening<P>>) -> Option<Schedule<P>> {
        let order = (0..openings.len()).collect();
        (!openings.is_empty()).then_some(Schedule { openings, order })
    }

    /// How many openings there are before they repeat.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Never: a schedule has at least one opening.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// The opening of pair number `pair`, from 0.
    pub fn draw(&self, pair: u64) -> Drawn<'_, P> {
        let count = self.order.len() as u64;
        let (cycle, place) = (pair / count, pair % count);
        let index = self.order[place as usize];
        Drawn { opening: &self.openings[index], index, cycle, wrapped: cycle > 0 && place == 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;
    use std::io::Write;

    type Board = Othello<8>;

    fn read(text: &str) -> Result<OpeningFile<Board>, OpeningError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read_openings(file.path())
    }

    #[test]
    fn moves_and_positions_are_read() {
        let start = "---------------------------OX------XO---------------------------";
        let file = read(&format!(
            "# four plies\n\nf5d6c3d3\r\nf5 f6 E6 f4\n{start} X; f5:0 ; d3:0\nf5d6c3d3c4\n% a comment\n"
        ))
        .unwrap();
        assert_eq!(file.duplicates, 0);
        let plies: Vec<usize> = file.openings.iter().map(|opening| opening.position().unwrap().ply()).collect();
        assert_eq!(plies, [4, 4, 0, 5]);
        assert_eq!(file.openings[2].position().unwrap(), Board::start());
        assert_eq!(file.openings[1].text(), "f5f6e6f4");
        assert_eq!(read(&format!("{}\n", file.openings[2].text())).unwrap().openings, file.openings[2..3]);
    }

    #[test]
    fn symmetric_openings_count_once() {
        // The four first moves are one up to symmetry; of the three replies none equals another.
        let file = read("f5\nd3\nc4\ne6\nf5d6\nf5f4\nf5f6\nd3c5\n").unwrap();
        assert_eq!((file.openings.len(), file.duplicates), (4, 4));
    }

    #[test]
    fn errors_name_the_line() {
        let over = format!("{} X", "X".repeat(64));
        for (text, line, part) in [
            ("f5d6\nf5z9\n", 2, "`z9`"),
            ("f5d6\n\nf5f5\n", 3, "occupied"),
            ("a1\n", 1, "turns no disc"),
            ("---------------------------OX------XO--------------------------- Q", 1, "`Q`"),
            ("---------------------------OX------XO-------------------------- X", 1, "64"),
            ("---------------------------OX------XO---------------------------", 1, "side to move"),
            ("pass", 1, "without a legal move"),
            (over.as_str(), 1, "over"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(&format!("line {line}:")) && error.contains(part), "{text:?}: {error}");
        }
        assert!(matches!(read("# nothing\n"), Err(OpeningError::Empty { .. })));
        assert!(matches!(read_openings::<Board>(Path::new("no/such.obf")), Err(OpeningError::Read { .. })));
    }

    #[test]
    fn every_opening_is_drawn_once_before_any_is_drawn_again() {
        let openings = random_openings::<Board>(3, 6, 50, |_| true).unwrap();
        let schedule = Schedule::new(openings.clone(), 9).unwrap();
        for cycle in 0..3u64 {
            let drawn: Vec<_> = (50 * cycle..50 * cycle + 50).map(|pair| schedule.draw(pair)).collect();
            let indices: HashSet<usize> = drawn.iter().map(|drawn| drawn.index).collect();
            assert_eq!(indices.len(), 50);
            assert!(drawn.iter().all(|drawn| drawn.cycle == cycle && *drawn.opening == openings[drawn.index]));
            assert_eq!(drawn.iter().position(|drawn| drawn.wrapped), (cycle > 0).then_some(0));
            assert_eq!(drawn.iter().filter(|drawn| drawn.wrapped).count(), usize::from(cycle > 0));
        }
        let order = |seed| {
            let schedule = Schedule::new(openings.clone(), seed).unwrap();
            (0..50).map(|pair| schedule.draw(pair).index).collect::<Vec<_>>()
        };
        assert_eq!(order(9), order(9));
        assert_ne!(order(9), order(10));
        assert_ne!(order(9), (0..50).collect::<Vec<_>>());
        assert!(Schedule::<Board>::new(Vec::new(), 1).is_none());
    }

    #[test]
    fn random_openings_are_distinct_kept_and_repeatable() {
        let keep = |position: &Board| position.legal_moves().len() >= 8;
        let openings = random_openings::<Board>(1, 8, 100, keep).unwrap();
        let positions: Vec<Board> = openings.iter().map(|opening| opening.position().unwrap()).collect();
        assert!(positions.iter().all(|position| position.ply() == 8 && keep(position)));
        assert_eq!(positions.iter().map(Position::canonical).collect::<HashSet<_>>().len(), 100);
        assert_eq!(random_openings::<Board>(1, 8, 100, keep).unwrap(), openings);
        assert_ne!(random_openings::<Board>(2, 8, 100, keep).unwrap(), openings);
    }

    #[test]
    fn there_are_no_more_openings_than_positions() {
        // Up to symmetry the first move is one and the second one of three.
        assert_eq!(random_openings::<Board>(1, 1, 1, |_| true).unwrap().len(), 1);
        assert_eq!(random_openings::<Board>(1, 2, 3, |_| true).unwrap().len(), 3);
        let error = random_openings::<Board>(1, 2, 4, |_| true).unwrap_err();
        assert!(matches!(error, OpeningError::TooFew { wanted: 4, found: 3, .. }), "{error}");
        assert!(random_openings::<Board>(1, 61, 1, |_| true).is_err());
        // As many as there are is no error, and a longer list begins with the shorter one.
        let up_to = |plies, wanted| random_openings_up_to::<Board>(1, plies, wanted, placing_moves, |_| true).unwrap();
        assert_eq!(up_to(2, 10).len(), 3);
        assert_eq!(up_to(8, 30)[..20], up_to(8, 20));
        assert!(random_openings_up_to::<Board>(1, 8, 5, placing_moves, |_| false).is_err());
        let schedule = Schedule::in_order(up_to(8, 30)).unwrap();
        assert_eq!((0..31).map(|pair| schedule.draw(pair).index).collect::<Vec<_>>()[28..], [28, 29, 0]);
    }
}
