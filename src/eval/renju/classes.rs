//! Line classes and point codes: what one stone would make on one line, and on all four together.
//!
//! A line through an empty point is cut where no own stone can stand: at a stone of the other side or at the edge, at
//! most five cells away (a black five needs the cell beyond it to tell it from an overline). What is left of one side
//! is one of 63 numbers, so a line is one of 63 × 63 windows, and each has a *class*, derived from the rules alone:
//!
//! ```text
//!  middle = the point, O own, X cut, _ empty            a stone there makes
//!  _ O O . O O _   five                                  FIVE
//!  _ _ O . O O _   four in a row, both ends open         OPEN_FOUR
//!  X O O . _ O _   one cell short of five                FOUR
//!  _ _ O . O _ _   one stone short of an open four       THREE (TIGHT_THREE where only one cell makes it)
//!  X O O . _ _ _   one stone short of a four             CLOSED_THREE
//!  _ _ . O _ _ _   one stone short of a three            TWO, by the number of cells that make it: 1, 2, more
//!  X O . _ _ _ _   one stone short of a closed three     CLOSED_TWO
//! ```
//!
//! Black's OVER is a line that forbids the point by itself: six or more, or two different fours. The classes of the
//! four lines, their order left aside, are the *point code*, one of 2,380. Article 9.3 is not in these tables: a point
//! with two black threes is only suspected ([`Codes::double_three`]) until [`crate::game::renju::forbidden`] has said.

use std::sync::LazyLock;

use crate::game::Color;

/// What is left of one side of a line: the cells before the cut, nearest first.
pub const SIDES: usize = 63;
/// Line classes.
pub const CLASSES: usize = 14;
/// Multisets of four line classes.
pub const CODES: usize = 2380;

/// No five can come of it.
pub const DEAD: u8 = 0;
/// Black only: overline, or two fours on the line.
pub const OVER: u8 = 1;
/// One stone short of [`CLOSED_TWO`].
pub const CLOSED_ONE: u8 = 2;
/// One stone short of a two.
pub const ONE: u8 = 3;
/// One stone short of [`CLOSED_THREE`].
pub const CLOSED_TWO: u8 = 4;
/// One cell makes a three of it; [`TWO`] + 1 and + 2 where two and more do.
pub const TWO: u8 = 5;
/// One stone short of a four that is not open.
pub const CLOSED_THREE: u8 = 8;
/// One cell makes an open four of it.
pub const TIGHT_THREE: u8 = 9;
/// Several cells make an open four of it.
pub const THREE: u8 = 10;
/// One cell makes a five of it.
pub const FOUR: u8 = 11;
/// Two cells make a five of it (for White also on two fours of one line).
pub const OPEN_FOUR: u8 = 12;
/// A winning five.
pub const FIVE: u8 = 13;

/// What a stone makes as far as search cares, from the classes of its four lines.
pub mod kind {
    /// Nothing that forces an answer.
    pub const QUIET: usize = 0;
    /// Forbidden to Black by overline or double four.
    pub const FORBIDDEN: usize = 1;
    /// An open three.
    pub const THREE: usize = 2;
    /// Two open threes: for Black only suspected of being forbidden.
    pub const DOUBLE_THREE: usize = 3;
    /// A four, and on no other line as much as a closed three: once it is stopped, another four has to come from
    /// elsewhere.
    pub const BARE_FOUR: usize = 4;
    /// A four and a closed three.
    pub const FOUR: usize = 5;
    /// A four and an open three.
    pub const FOUR_THREE: usize = 6;
    /// An open four, or two fours of White: five next, whatever the answer.
    pub const OPEN_FOUR: usize = 7;
    /// Five.
    pub const FIVE: usize = 8;
    /// The number of kinds.
    pub const COUNT: usize = 9;
}

/// The number of one side from its five cells' bits, nearest cell in bit 0.
#[inline]
pub fn side(own: u32, blocked: u32) -> usize {
    SIDE[((blocked & 31) << 5 | own & 31) as usize] as usize
}

const SIDE: [u8; 1024] = {
    let mut table = [0; 1024];
    let mut at = 0;
    while at < 1024 {
        let (own, blocked) = (at as u32 & 31, at as u32 >> 5);
        let cut = (blocked | 32).trailing_zeros();
        table[at] = ((1 << cut) - 1 + (own & ((1 << cut) - 1))) as u8;
        at += 1;
    }
    table
};

/// The cells of a side's number: own bits, and the distance of the cut (5 where there is none within reach).
const fn cells_of(side: usize) -> (u32, u32) {
    let cut = (side as u32 + 1).ilog2();
    (side as u32 + 1 - (1 << cut), cut)
}

/// Eleven cells, the middle in bit 5.
#[derive(Clone, Copy)]
struct Line {
    own: u32,
    free: u32,
    black: bool,
}

const MIDDLE: u32 = 5;

impl Line {
    fn new(left: usize, right: usize, black: bool) -> Line {
        let mut line = Line { own: 1 << MIDDLE, free: 0, black };
        for (side, step) in [(left, -1i32), (right, 1)] {
            let (own, cut) = cells_of(side);
            for distance in 1..=cut {
                let cell = 1 << (MIDDLE as i32 + step * distance as i32);
                if own >> (distance - 1) & 1 == 1 {
                    line.own |= cell;
                } else {
                    line.free |= cell;
                }
            }
        }
        line
    }

    fn with(self, cell: u32) -> Line {
        Line { own: self.own | 1 << cell, free: self.free & !(1 << cell), ..self }
    }

    /// The cells of the unbroken line through `cell`, as bits.
    fn run(self, cell: u32) -> u32 {
        let (mut low, mut high) = (cell, cell);
        while low > 0 && self.own >> (low - 1) & 1 == 1 {
            low -= 1;
        }
        while high < 10 && self.own >> (high + 1) & 1 == 1 {
            high += 1;
        }
        (2 << high) - (1 << low)
    }

    fn is_five(self, run: u32) -> bool {
        if self.black { run.count_ones() == 5 } else { run.count_ones() >= 5 }
    }

    /// The empty cells that a five through the middle can use.
    fn cells(self) -> impl Iterator<Item = u32> {
        (MIDDLE - 4..=MIDDLE + 4).filter(move |&cell| self.free >> cell & 1 == 1)
    }

    fn class(self) -> u8 {
        let run = self.run(MIDDLE);
        if self.is_five(run) {
            return FIVE;
        }
        if run.count_ones() > 5 {
            return OVER;
        }
        let mut fours = Vec::new();
        for cell in self.cells() {
            let run = self.with(cell).run(cell);
            if run >> MIDDLE & 1 == 1 && self.is_five(run) {
                fours.push(run & !(1 << cell));
            }
        }
        match fours.len() {
            0 => self.quiet_class(),
            1 => FOUR,
            _ if self.black && fours.iter().any(|stones| *stones != fours[0]) => OVER,
            _ => OPEN_FOUR,
        }
    }

    fn quiet_class(self) -> u8 {
        let mut count = [0; CLASSES];
        for cell in self.cells() {
            count[self.with(cell).class() as usize] += 1;
        }
        let some = |classes: std::ops::RangeInclusive<u8>| {
            count[*classes.start() as usize..=*classes.end() as usize].iter().sum::<usize>()
        };
        match (some(OPEN_FOUR..=OPEN_FOUR), some(TIGHT_THREE..=THREE)) {
            (1, _) => TIGHT_THREE,
            (2.., _) => THREE,
            _ if some(FOUR..=FOUR) > 0 => CLOSED_THREE,
            (_, threes @ 1..) => TWO + (threes.min(3) - 1) as u8,
            _ if some(CLOSED_THREE..=CLOSED_THREE) > 0 => CLOSED_TWO,
            _ if some(TWO..=TWO + 2) > 0 => ONE,
            _ if some(CLOSED_TWO..=CLOSED_TWO) > 0 => CLOSED_ONE,
            _ => DEAD,
        }
    }
}

/// The class of every window of a colour, at `SIDES·left + right`.
static CLASS_TABLES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    [true, false].map(|black| {
        let windows = (0..SIDES * SIDES).map(|window| Line::new(window / SIDES, window % SIDES, black).class());
        windows.collect()
    })
});

/// The class table of a colour.
pub fn class_table(color: Color) -> &'static [u8] {
    &CLASS_TABLES[color as usize]
}

/// The point codes: numbers of multisets, and what they mean.
pub struct Codes {
    /// The number of two classes of four bits each, their order left aside.
    pub pairs: [u8; 256],
    /// The code of two such numbers, at `PAIRS·first + second`.
    pub of_pairs: Vec<u16>,
    /// The kind of each code, by colour.
    pub kinds: [Vec<u8>; 2],
    /// Whether a black stone of this code makes two threes or more, so that article 9.3 has to decide.
    pub double_three: Vec<bool>,
    /// Whether a stone of this code makes one four and on the other lines nothing that goes with other stones.
    pub idle_four: Vec<bool>,
}

/// The codes, made once.
pub static POINT_CODES: LazyLock<Codes> = LazyLock::new(|| {
    let mut codes = Codes {
        pairs: pairs(),
        of_pairs: vec![0; PAIRS * PAIRS],
        kinds: [vec![0; CODES], vec![0; CODES]],
        double_three: vec![false; CODES],
        idle_four: vec![false; CODES],
    };
    let mut next = 0;
    let all = CLASSES as u8;
    for a in 0..all {
        for b in a..all {
            for c in b..all {
                for d in c..all {
                    codes.enter([a, b, c, d], next);
                    next += 1;
                }
            }
        }
    }
    assert_eq!(next, CODES);
    codes
});

/// Multisets of two values of four bits.
pub const PAIRS: usize = 136;

const fn pairs() -> [u8; 256] {
    let mut pairs = [0; 256];
    let (mut high, mut next) = (0, 0);
    while high < 16 {
        let mut low = 0;
        while low <= high {
            pairs[16 * high + low] = next;
            pairs[16 * low + high] = next;
            next += 1;
            low += 1;
        }
        high += 1;
    }
    pairs
}

impl Codes {
    /// The code of four classes of four bits each.
    #[inline(always)]
    pub fn code(&self, classes: u16) -> u16 {
        let pair = |byte: u16| self.pairs[byte as usize] as usize;
        self.of_pairs[PAIRS * pair(classes >> 8) + pair(classes & 255)]
    }

    fn enter(&mut self, classes: [u8; 4], code: usize) {
        let packed = |order: [usize; 4]| order.iter().fold(0, |bits, &line| bits << 4 | usize::from(classes[line]));
        for first in 0..4 {
            for second in (0..4).filter(|&line| line != first) {
                for third in (0..4).filter(|&line| line != first && line != second) {
                    let packed = packed([first, second, third, 6 - first - second - third]);
                    let (high, low) = (self.pairs[packed >> 8] as usize, self.pairs[packed & 255] as usize);
                    self.of_pairs[PAIRS * high + low] = code as u16;
                }
            }
        }
        let count = |from: u8, to: u8| classes.iter().filter(|class| (from..=to).contains(class)).count();
        self.kinds[Color::Black as usize][code] = kind_of(classes, true) as u8;
        self.kinds[Color::White as usize][code] = kind_of(classes, false) as u8;
        self.double_three[code] = count(TIGHT_THREE, THREE) >= 2;
        self.idle_four[code] = count(FOUR, FOUR) == 1 && count(DEAD, ONE) == 3 && count(OVER, OVER) == 0;
    }
}

fn kind_of(classes: [u8; 4], black: bool) -> usize {
    let count = |from: u8, to: u8| classes.iter().filter(|class| (from..=to).contains(class)).count();
    let (fours, threes) = (count(FOUR, OPEN_FOUR), count(TIGHT_THREE, THREE));
    match () {
        _ if count(FIVE, FIVE) > 0 => kind::FIVE,
        _ if black && (count(OVER, OVER) > 0 || fours >= 2) => kind::FORBIDDEN,
        _ if fours >= 2 || count(OPEN_FOUR, OPEN_FOUR) > 0 => kind::OPEN_FOUR,
        _ if fours == 1 && threes > 0 => kind::FOUR_THREE,
        _ if fours == 1 && count(CLOSED_THREE, CLOSED_THREE) > 0 => kind::FOUR,
        _ if fours == 1 => kind::BARE_FOUR,
        _ if threes >= 2 => kind::DOUBLE_THREE,
        _ if threes == 1 => kind::THREE,
        _ => kind::QUIET,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::renju::line::Window;

    /// The class of eleven cells, `O` own, `X` cut, `_` empty, the middle being the point.
    fn class(text: &str, color: Color) -> u8 {
        let letters: Vec<char> = text.chars().collect();
        assert_eq!(letters.len(), 11);
        let bits = |letter, cells: &mut dyn Iterator<Item = usize>| {
            cells.enumerate().filter(|&(_, cell)| letters[cell] == letter).fold(0, |bits, (i, _)| bits | 1 << i)
        };
        let left = side(bits('O', &mut (0..5).rev()), bits('X', &mut (0..5).rev()));
        let right = side(bits('O', &mut (6..11)), bits('X', &mut (6..11)));
        class_table(color)[SIDES * left + right]
    }

    #[test]
    fn classes_are_those_of_the_field() {
        use Color::{Black, White};
        for (text, black, white) in [
            ("___OO.OO___", FIVE, FIVE),
            ("__OOO.OO___", OVER, FIVE),
            ("____O.OO___", OPEN_FOUR, OPEN_FOUR),
            ("__XOO._O___", FOUR, FOUR),
            ("_O_OO.__X__", FOUR, FOUR),
            ("_O_OO._O___", OVER, OPEN_FOUR), // two fours on one line
            ("____O.O____", THREE, THREE),
            ("___X_.OO_X_", CLOSED_THREE, CLOSED_THREE),
            ("__X__.OO_X_", TIGHT_THREE, TIGHT_THREE),
            ("__XOO.___X_", CLOSED_THREE, CLOSED_THREE),
            ("____O._____", TWO + 2, TWO + 2),
            ("___XO._____", CLOSED_TWO, CLOSED_TWO),
            ("_____._____", ONE, ONE),
            ("____X.___X_", DEAD, DEAD),
            ("___X_.___X_", CLOSED_ONE, CLOSED_ONE),
            // Where a fifth stone would make six, Black has nothing.
            ("____X.____O", DEAD, CLOSED_ONE),
            ("____X.OOO_O", DEAD, FOUR),
        ] {
            let found = (class(text, Black), class(text, White));
            assert_eq!(found, (black, white), "{text}");
            let mirrored: String = text.chars().rev().collect();
            assert_eq!((class(&mirrored, Black), class(&mirrored, White)), (black, white), "{mirrored}");
        }
    }

    #[test]
    fn black_classes_agree_with_the_rules_of_the_game() {
        let table = class_table(Color::Black);
        for (window, &class) in table.iter().enumerate() {
            let line = Line::new(window / SIDES, window % SIDES, true);
            let shape = Window::new(line.own, !(line.own | line.free) & 0x7ff, 0).shape();
            assert_eq!(class == FIVE, shape.is_five());
            assert_eq!(class == OVER, shape.is_overline() || shape.fours() == 2);
            assert_eq!(class == FOUR || class == OPEN_FOUR, shape.fours() == 1);
            if shape.fours() == 0 {
                assert_eq!(class == THREE || class == TIGHT_THREE, shape.is_three(), "{:011b}", line.own);
            } else {
                assert!(!shape.is_three());
            }
        }
    }

    #[test]
    fn codes_do_not_depend_on_the_order_of_lines() {
        let codes = &*POINT_CODES;
        let code = |classes: [u8; 4]| codes.code(classes.iter().fold(0, |bits, &class| bits << 4 | u16::from(class)));
        assert_eq!(code([0; 4]), 0);
        assert_eq!(code([13; 4]) as usize, CODES - 1);
        assert_eq!(code([1, 5, 9, 3]), code([9, 3, 1, 5]));
        let distinct: std::collections::HashSet<u16> = codes.of_pairs.iter().copied().collect();
        assert_eq!(distinct.len(), CODES);
        let kinds = |classes: [u8; 4]| codes.kinds.each_ref().map(|kinds| kinds[code(classes) as usize] as usize);
        assert_eq!(kinds([FOUR, FOUR, 0, 0]), [kind::FORBIDDEN, kind::OPEN_FOUR]);
        assert_eq!(kinds([FOUR, THREE, 0, 0]), [kind::FOUR_THREE, kind::FOUR_THREE]);
        assert_eq!(kinds([FOUR, CLOSED_THREE, 0, 0]), [kind::FOUR, kind::FOUR]);
        assert_eq!(kinds([FOUR, TWO + 2, CLOSED_TWO, 0]), [kind::BARE_FOUR, kind::BARE_FOUR]);
        assert_eq!(kinds([FIVE, OVER, FOUR, FOUR]), [kind::FIVE, kind::FIVE]);
        assert_eq!(kinds([THREE, TIGHT_THREE, 0, 0]), [kind::DOUBLE_THREE, kind::DOUBLE_THREE]);
        assert!(codes.idle_four[code([FOUR, ONE, DEAD, CLOSED_ONE]) as usize]);
        assert!(!codes.idle_four[code([FOUR, CLOSED_TWO, DEAD, DEAD]) as usize]);
        assert!(!codes.idle_four[code([FOUR, FOUR, DEAD, DEAD]) as usize]);
        assert!(codes.double_three[code([THREE, TIGHT_THREE, 0, FOUR]) as usize]);
    }
}
