//! Forbidden points: where Black may not play (overline, double four, double three with article 9.3).
//!
//! A move that makes exactly five is never forbidden. A three counts towards a double three only if one of the cells
//! that make it a straight four is neither an overline, nor a double four, nor a double three that is itself
//! forbidden, nor makes a five elsewhere. That cell is judged with the simulated stones all on the board, so each
//! level of the recursion has one stone more and it ends. Most points are dismissed by four table reads; the
//! recursion runs only where two lines look like threes.

use std::fmt;

use super::board::Board;
use super::line::Shape;
use super::point::{Direction, Point};
use crate::game::Color;

/// One reason why a point is forbidden to Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Reason {
    /// Six or more in a row.
    Overline = 0,
    /// Two different fours, on one line or on two.
    DoubleFour = 1,
    /// Two or more threes that count by article 9.3.
    DoubleThree = 2,
}

impl Reason {
    /// All reasons, in the order in which they are listed.
    pub const ALL: [Reason; 3] = [Reason::Overline, Reason::DoubleFour, Reason::DoubleThree];

    /// The reason as files spell it: `overline`, `double_four`, `double_three`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Overline => "overline",
            Reason::DoubleFour => "double_four",
            Reason::DoubleThree => "double_three",
        }
    }
}

/// The reasons why a point is forbidden: at least one where [`forbidden`] answers at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Reasons(u8);

impl Reasons {
    /// Adds a reason.
    pub fn insert(&mut self, reason: Reason) {
        self.0 |= 1 << reason as u8;
    }

    /// Whether `reason` is among them.
    pub fn contains(self, reason: Reason) -> bool {
        self.0 >> reason as u8 & 1 == 1
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The reasons in the order of [`Reason::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        Reason::ALL.into_iter().filter(move |&reason| self.contains(reason))
    }
}

impl FromIterator<Reason> for Reasons {
    fn from_iter<I: IntoIterator<Item = Reason>>(reasons: I) -> Reasons {
        let mut set = Reasons::default();
        reasons.into_iter().for_each(|reason| set.insert(reason));
        set
    }
}

impl fmt::Display for Reasons {
    /// In words: `double four, double three`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.iter().enumerate() {
            write!(f, "{}{}", if i > 0 { ", " } else { "" }, reason.name().replace('_', " "))?;
        }
        Ok(())
    }
}

/// Why a black stone on the empty `point` is forbidden, with all reasons; `None` where it is allowed.
///
/// Whose turn it is and whether a five is there to make elsewhere does not matter.
pub fn forbidden(board: &Board, point: Point) -> Option<Reasons> {
    debug_assert!(board.is_empty(point), "{point:?} is occupied");
    let made = Made::by_black(board, point);
    if made.five() {
        return None;
    }
    let mut reasons = Reasons::default();
    if made.overline() {
        reasons.insert(Reason::Overline);
    }
    if made.fours() >= 2 {
        reasons.insert(Reason::DoubleFour);
    }
    if made.threes() >= 2 && double_three(&mut board.clone(), point, &made) {
        reasons.insert(Reason::DoubleThree);
    }
    (!reasons.is_empty()).then_some(reasons)
}

/// Whether a black stone on the empty `point` is forbidden, without looking for more than one reason.
pub fn is_forbidden(board: &Board, point: Point) -> bool {
    debug_assert!(board.is_empty(point), "{point:?} is occupied");
    let made = Made::by_black(board, point);
    if made.five() {
        return false;
    }
    made.overline() || made.fours() >= 2 || made.threes() >= 2 && double_three(&mut board.clone(), point, &made)
}

/// All forbidden points with their reasons, in ascending order.
pub fn forbidden_points(board: &Board) -> Vec<(Point, Reasons)> {
    board.empty_points().filter_map(|point| forbidden(board, point).map(|reasons| (point, reasons))).collect()
}

/// What one black stone makes on its four lines.
struct Made([Shape; 4]);

impl Made {
    #[inline]
    fn by_black(board: &Board, point: Point) -> Made {
        Made(Direction::ALL.map(|direction| board.window(point, direction, Color::Black).shape()))
    }

    #[inline]
    fn five(&self) -> bool {
        self.0.iter().any(|shape| shape.is_five())
    }

    #[inline]
    fn overline(&self) -> bool {
        self.0.iter().any(|shape| shape.is_overline())
    }

    #[inline]
    fn fours(&self) -> u32 {
        self.0.iter().map(|shape| shape.fours()).sum()
    }

    /// Lines that look like a three, before article 9.3. One line never holds two: a three needs both ends of its
    /// straight four open, which leaves no room for the stones of another.
    #[inline]
    fn threes(&self) -> usize {
        self.0.iter().filter(|shape| shape.is_three()).count()
    }
}

/// Whether at least two of the threes made on `point` count. The board comes back as it was.
fn double_three(board: &mut Board, point: Point, made: &Made) -> bool {
    board.place(point, Color::Black);
    let (mut counting, mut left) = (0, made.threes());
    for (direction, shape) in Direction::ALL.into_iter().zip(made.0) {
        if counting >= 2 || counting + left < 2 {
            break;
        }
        if shape.is_three() {
            left -= 1;
            if shape.straight_four_cells().any(|step| stands(board, point.along(direction, step))) {
                counting += 1;
            }
        }
    }
    board.remove(point, Color::Black);
    counting >= 2
}

/// Whether the straight four made on `cell` may be made: it is not forbidden and makes no five.
fn stands(board: &mut Board, cell: Point) -> bool {
    let made = Made::by_black(board, cell);
    !(made.five() || made.overline() || made.fours() >= 2 || made.threes() >= 2 && double_three(board, cell, &made))
}
