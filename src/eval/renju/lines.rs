//! A Renju position as evaluation and search see it: classes, codes and kinds of all points, updated move by move.
//!
//! A stone changes the windows of at most forty points. Each change moves a point from one code to another: the sums
//! of weights, one for each side to move, follow by one subtraction and one addition of a word that holds both, the sets
//! of points by kind by two bits. What was overwritten goes to a journal, so taking a stone back only copies. Searches
//! that evaluate nothing leave the sums out. [`Lines::from_scratch`] is the same from nothing, and tests hold the two
//! against each other. An occupied point has code 0, that of a dead point.

use super::classes::{CODES, Codes, POINT_CODES, SIDES, class_table, kind};
use crate::game::Color;
use crate::game::renju::line::{EDGES, LINES, Place, REACH, place, places_of};
use crate::game::renju::{Board, Direction, POINTS, Point, SIZE};

/// Two sums, or the two weights of one point code: with Black to move in the low half, with White to move in the high
/// one. Packed words are added and subtracted whole.
pub type Packed = i64;

/// A word of two.
#[inline(always)]
pub fn packed(black: i32, white: i32) -> Packed {
    (i64::from(white) << 32) + i64::from(black)
}

/// A set of points: point p is bit p mod 64 of word p / 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Points(pub [u64; 4]);

impl Points {
    /// Adds or removes a point.
    #[inline(always)]
    fn toggle(&mut self, point: usize) {
        self.0[point >> 6] ^= 1 << (point & 63);
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether `point` is one.
    #[inline(always)]
    pub fn has(&self, point: usize) -> bool {
        self.0[point >> 6] >> (point & 63) & 1 == 1
    }

    /// Both sets together.
    #[inline(always)]
    pub fn or(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// What is in both sets.
    #[inline(always)]
    pub fn and(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// What is not in the other set.
    #[inline(always)]
    pub fn without(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The points in ascending order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut words = self.0;
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < 4 && words[at] == 0 {
                at += 1;
            }
            (at < 4).then(|| {
                let point = 64 * at + words[at].trailing_zeros() as usize;
                words[at] &= words[at] - 1;
                point
            })
        })
    }
}

/// One overwritten value.
#[derive(Clone, Copy)]
struct Change {
    point: u8,
    color: u8,
    classes: u16,
    code: u16,
}

/// What a move overwrote besides points.
#[derive(Clone, Copy)]
struct Mark {
    changes: usize,
    sums: Packed,
}

/// What [`Lines::threats`] may be.
pub const THREATS: usize = 1 << 12;

/// The weights of a position's parts.
#[derive(Clone)]
pub struct CodeWeights {
    /// Those that [`Lines`] sums up: for Black's codes, then for White's.
    pub points: [Vec<Packed>; 2],
    /// By [`Lines::threats`].
    pub threats: Vec<i32>,
}

/// All points of a position with what a stone of either side makes there.
#[derive(Clone)]
pub struct Lines {
    board: Board,
    /// The stones of each line by colour, as in [`Board`].
    stones: [[u32; LINES]; 2],
    /// The same in two bits a cell: 1 a stone of this colour, 2 where none can stand.
    cells: [[u64; LINES]; 2],
    /// Four classes of four bits, by colour and point; 0 where a stone stands.
    classes: [[u16; POINTS]; 2],
    /// The codes of these classes.
    codes: [[u16; POINTS]; 2],
    sets: [[Points; kind::COUNT]; 2],
    sums: Packed,
    journal: Vec<Change>,
    marks: Vec<Mark>,
    tables: Tables,
}

/// What the rules say of windows and codes.
#[derive(Clone, Copy)]
struct Tables {
    classes: [&'static [u8]; 2],
    codes: &'static Codes,
}

impl Lines {
    /// The state of a board under these weights.
    pub fn from_scratch(board: &Board, weights: &CodeWeights) -> Lines {
        let mut lines = Lines {
            board: board.clone(),
            stones: [[0; LINES]; 2],
            cells: [EDGES.map(edge_cells); 2],
            classes: [[0; POINTS]; 2],
            codes: [[0; POINTS]; 2],
            sets: Default::default(),
            sums: 0,
            journal: Vec::with_capacity(2048),
            marks: Vec::with_capacity(64),
            tables: Tables { classes: [class_table(Color::Black), class_table(Color::White)], codes: &POINT_CODES },
        };
        for color in [Color::Black, Color::White] {
            for point in board.points_of(color) {
                for place in places_of(point) {
                    lines.toggle(*place, color as usize);
                }
            }
        }
        for point in Point::all() {
            for (color, weights) in weights.points.iter().enumerate() {
                if board.is_empty(point) {
                    let classes = Direction::ALL.map(|direction| lines.class_at(point, direction, color));
                    lines.classes[color][point.index()] =
                        classes.iter().rev().fold(0, |bits, &class| bits << 4 | u16::from(class));
                    lines.codes[color][point.index()] = lines.tables.codes.code(lines.classes[color][point.index()]);
                    lines.sets[color][lines.kind(color, point.index())].toggle(point.index());
                }
                lines.sums += weights[lines.code(color, point.index())];
            }
        }
        lines
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The point code of a stone of `color` (0 Black, 1 White) on `point`.
    #[inline(always)]
    pub fn code(&self, color: usize, point: usize) -> usize {
        self.codes[color][point] as usize
    }

    #[inline(always)]
    fn kind(&self, color: usize, point: usize) -> usize {
        self.tables.codes.kinds[color][self.code(color, point)] as usize
    }

    /// The empty points where a stone of `color` (0 Black, 1 White) is of `kind`.
    #[inline(always)]
    pub fn set(&self, color: usize, kind: usize) -> &Points {
        &self.sets[color][kind]
    }

    /// The sum of weights with Black (0) or White (1) to move.
    #[inline(always)]
    pub fn sum(&self, to_move: usize) -> i32 {
        let black = self.sums as i32;
        if to_move == 0 { black } else { ((self.sums - i64::from(black)) >> 32) as i32 }
    }

    /// Puts or takes a stone on a line.
    #[inline(always)]
    fn toggle(&mut self, place: Place, color: usize) {
        let (line, bit) = (place.line as usize, u32::from(place.at) + REACH);
        self.stones[color][line] ^= 1 << bit;
        self.cells[color][line] ^= 1 << (2 * bit);
        self.cells[1 - color][line] ^= 2 << (2 * bit);
    }

    fn class_at(&self, point: Point, direction: Direction, color: usize) -> u8 {
        let place = place(point, direction);
        let window = window(self.cells[color][place.line as usize], u32::from(place.at));
        self.tables.classes[color][window]
    }

    /// Puts a stone of `color` (0 Black, 1 White) on the empty `point`.
    #[inline(always)]
    pub fn place(&mut self, point: usize, color: usize, weights: &CodeWeights) {
        self.put::<true>(point, color, weights);
    }

    /// The same without the sums, which are wrong until the stone is taken back.
    #[inline(always)]
    pub fn place_unsummed(&mut self, point: usize, color: usize) {
        const NONE: CodeWeights = CodeWeights { points: [Vec::new(), Vec::new()], threats: Vec::new() };
        self.put::<false>(point, color, &NONE);
    }

    fn put<const SUMMED: bool>(&mut self, point: usize, color: usize, weights: &CodeWeights) {
        let at = Point::from_index(point).expect("a point of the board");
        self.marks.push(Mark { changes: self.journal.len(), sums: self.sums });
        self.board.place(at, if color == 0 { Color::Black } else { Color::White });
        for side in 0..2 {
            self.change::<SUMMED>(point, side, 0, true, weights);
        }
        for direction in Direction::ALL {
            let place = place(at, direction);
            self.toggle(place, color);
            for sign in [-1, 1] {
                self.update_side::<SUMMED>(point as i32, place, direction, sign, weights);
            }
        }
    }

    /// Updates the windows that reach the new stone from one side of it.
    #[inline(always)]
    fn update_side<const SUMMED: bool>(
        &mut self,
        point: i32,
        place: Place,
        direction: Direction,
        sign: i32,
        weights: &CodeWeights,
    ) {
        let line = place.line as usize;
        let cells = [self.cells[0][line], self.cells[1][line]];
        let (shift, stride) = (4 * direction as usize, sign * direction.stride());
        // A window does not reach beyond the first cell that its colour cannot use.
        let mut reaches = [true, true];
        for step in 1..=5 {
            let at = i32::from(place.at) + sign * step;
            let here = cells.map(|cells| cells >> (2 * (at + REACH as i32)) & 3);
            if here != [0, 0] {
                reaches = [reaches[0] & (here[0] == 1), reaches[1] & (here[1] == 1)];
                if !reaches[0] && !reaches[1] {
                    break;
                }
                continue;
            }
            let next = (point + step * stride) as usize;
            for color in 0..2 {
                if reaches[color] {
                    let class = u16::from(self.tables.classes[color][window(cells[color], at as u32)]);
                    let old = self.classes[color][next];
                    if old >> shift & 15 != class {
                        self.change::<SUMMED>(next, color, old & !(15 << shift) | class << shift, false, weights);
                    }
                }
            }
        }
    }

    /// Gives a point other classes; `stone`: because a stone now stands there.
    #[inline(always)]
    fn change<const SUMMED: bool>(
        &mut self,
        point: usize,
        color: usize,
        classes: u16,
        stone: bool,
        weights: &CodeWeights,
    ) {
        let codes = self.tables.codes;
        let (old, from) = (self.classes[color][point], self.codes[color][point]);
        self.journal.push(Change { point: point as u8, color: color as u8, classes: old, code: from });
        let to = codes.code(classes);
        self.classes[color][point] = classes;
        self.codes[color][point] = to;
        let (from, to) = (from as usize, to as usize);
        if SUMMED {
            self.sums += weights.points[color][to] - weights.points[color][from];
        }
        let (before, after) = (codes.kinds[color][from] as usize, codes.kinds[color][to] as usize);
        if stone {
            self.sets[color][before].toggle(point);
        } else if before != after {
            self.sets[color][before].toggle(point);
            self.sets[color][after].toggle(point);
        }
    }

    /// Takes back the last stone, which stands on `point` and is of `color` (0 Black, 1 White).
    pub fn take_back(&mut self, point: usize, color: usize) {
        let at = Point::from_index(point).expect("a point of the board");
        self.board.remove(at, if color == 0 { Color::Black } else { Color::White });
        for place in places_of(at) {
            self.toggle(*place, color);
        }
        let mark = self.marks.pop().expect("a stone was placed");
        self.sums = mark.sums;
        while self.journal.len() > mark.changes {
            let Change { point: changed, color, classes, code } = self.journal.pop().expect("longer than the mark");
            let (changed, color) = (changed as usize, color as usize);
            let kinds = &self.tables.codes.kinds[color];
            let (now, then) = (kinds[self.codes[color][changed] as usize], kinds[code as usize]);
            self.classes[color][changed] = classes;
            self.codes[color][changed] = code;
            if changed == point {
                self.sets[color][then as usize].toggle(changed);
            } else if now != then {
                self.sets[color][now as usize].toggle(changed);
                self.sets[color][then as usize].toggle(changed);
            }
        }
    }

    /// Which threats there are with `me` to move: whose move it is, whether the other side has an open four to make, and
    /// for each kind from a three to a four with a three whether there are such points of `me`, and of the other side.
    #[inline(always)]
    pub fn threats(&self, me: usize) -> usize {
        let has = |color: usize, kind: usize| usize::from(!self.sets[color][kind].is_empty());
        let first = 2 * me + has(1 - me, kind::OPEN_FOUR);
        (kind::THREE..=kind::FOUR_THREE).fold(first, |bits, kind| 4 * bits + 2 * has(me, kind) + has(1 - me, kind))
    }

    /// Whether the side that is not to move would make an open four.
    #[inline(always)]
    pub fn threatened(&self, me: usize) -> bool {
        !self.sets[1 - me][kind::OPEN_FOUR].is_empty()
    }

    /// The points worth playing for `me` where `me` has no five to make. A five of the other side is stopped on its
    /// cell; an open four on a cell of its line where the other side would make a four, or by own fours; else what lies
    /// near the stones counts, but for idle fours. Points forbidden to Black are among them.
    pub fn choices(&self, me: usize) -> Points {
        let (own, other) = (&self.sets[me], &self.sets[1 - me]);
        if !other[kind::FIVE].is_empty() {
            return other[kind::FIVE];
        }
        let some = if self.threatened(me) {
            let fours = |sets: &[Points; kind::COUNT]| {
                sets[kind::FOUR].or(&sets[kind::BARE_FOUR]).or(&sets[kind::FOUR_THREE]).or(&sets[kind::OPEN_FOUR])
            };
            fours(own).or(&fours(other)).or(&other[kind::FORBIDDEN])
        } else {
            self.near_stones()
        };
        some.without(&self.idle_fours(me))
    }

    /// Fours of `me` that would only be stopped: of no use on their other lines, and in nobody's way.
    #[inline(always)]
    pub fn idle_fours(&self, me: usize) -> Points {
        let bare = self.sets[me][kind::BARE_FOUR];
        if bare.is_empty() {
            return bare;
        }
        let mut idle = bare.and(&self.sets[1 - me][kind::QUIET]);
        for point in idle.iter() {
            if !self.tables.codes.idle_four[self.code(me, point)] {
                idle.toggle(point);
            }
        }
        idle
    }

    /// The empty points at most two steps from a stone along a line.
    pub fn near_stones(&self) -> Points {
        const ROW: u32 = (1 << SIZE) - 1;
        let rows: [u32; SIZE] = std::array::from_fn(|row| (self.stones[0][row] | self.stones[1][row]) >> REACH & ROW);
        let mut near = Points::default();
        for row in 0..SIZE {
            let at = |r: usize| if r < SIZE { rows[r] } else { 0 };
            let (one, two) = (at(row.wrapping_sub(1)) | at(row + 1), at(row.wrapping_sub(2)) | at(row + 2));
            let here = rows[row];
            let mut found = one | two;
            found |= here << 1 | here >> 1 | here << 2 | here >> 2;
            found |= one << 1 | one >> 1 | two << 2 | two >> 2;
            found &= ROW & !here;
            let start = row * SIZE;
            near.0[start >> 6] |= u64::from(found) << (start & 63);
            if start & 63 > 64 - SIZE {
                near.0[(start >> 6) + 1] |= u64::from(found) >> (64 - (start & 63));
            }
        }
        near
    }
}

/// The number of the window around cell `at` of a line of two bits a cell.
#[inline(always)]
fn window(cells: u64, at: u32) -> usize {
    let (before, after) = (cells >> (2 * at) & 1023, cells >> (2 * at + 2 * REACH + 2) & 1023);
    BEFORE[before as usize] as usize + AFTER[after as usize] as usize
}

/// The number of a window's side from its five cells, nearest first, two bits each.
const AFTER: [u8; 1024] = {
    let mut table = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        // A leading one over the own bits of the cells before the cut.
        let (mut side, mut cell) = (1, 5);
        while cell > 0 {
            cell -= 1;
            side = if bits >> (2 * cell + 1) & 1 == 1 { 1 } else { 2 * side + (bits >> (2 * cell) & 1) };
        }
        table[bits] = (side - 1) as u8;
        bits += 1;
    }
    table
};

/// The same for the side before the point, nearest last, times [`SIDES`].
const BEFORE: [u16; 1024] = {
    let mut table = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let (mut mirrored, mut cell) = (0, 0);
        while cell < 5 {
            mirrored |= (bits >> (2 * cell) & 3) << (8 - 2 * cell);
            cell += 1;
        }
        table[mirrored] = SIDES as u16 * AFTER[bits] as u16;
        bits += 1;
    }
    table
};

/// Cells off the board as cells where no stone can stand.
fn edge_cells(edges: u32) -> u64 {
    (0..32).filter(|bit| edges >> bit & 1 == 1).fold(0, |cells, bit| cells | 2 << (2 * bit))
}

/// Weights of 0 for every code.
pub fn no_weights() -> CodeWeights {
    CodeWeights { points: [vec![0; CODES], vec![0; CODES]], threats: vec![0; THREATS] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, RngExt, stream};

    fn random_weights(seed: u64) -> CodeWeights {
        let mut rng = stream(seed, Domain::Test, 40);
        let mut weights = no_weights();
        let mut draw = || rng.random_range(-500..500);
        weights.points.iter_mut().flatten().for_each(|weight| *weight = packed(draw(), draw()));
        weights
    }

    fn assert_same(kept: &Lines, weights: &CodeWeights) {
        let fresh = Lines::from_scratch(&kept.board, weights);
        assert_eq!(kept.classes, fresh.classes);
        assert_eq!(kept.codes, fresh.codes);
        assert_eq!(kept.stones, fresh.stones);
        assert_eq!(kept.cells, fresh.cells);
        assert_eq!(kept.sets, fresh.sets);
        assert_eq!(kept.sums, fresh.sums);
    }

    #[test]
    fn move_by_move_is_from_scratch_and_taking_back_restores() {
        let weights = random_weights(1);
        for game in 0..12 {
            let mut rng = stream(game, Domain::Test, 41);
            let mut lines = Lines::from_scratch(&Board::empty(), &weights);
            let mut played = Vec::new();
            // Dense boards as well: every third game goes on until 200 stones stand.
            let most = if game % 3 == 0 { 200 } else { 60 };
            while played.len() < most {
                let near = lines.near_stones();
                let choice: Vec<usize> = (0..POINTS)
                    .filter(|&point| lines.board.is_empty(Point::from_index(point).unwrap()))
                    .filter(|&point| played.is_empty() || near.has(point) || game % 2 == 0)
                    .collect();
                let point = choice[rng.random_range(0..choice.len())];
                let color = rng.random_range(0..2);
                lines.place(point, color, &weights);
                played.push((point, color));
                if played.len() % 7 == 0 {
                    assert_same(&lines, &weights);
                    for _ in 0..rng.random_range(0..4) {
                        let (point, color) = played.pop().unwrap();
                        lines.take_back(point, color);
                    }
                    assert_same(&lines, &weights);
                }
            }
            while let Some((point, color)) = played.pop() {
                lines.take_back(point, color);
            }
            assert_same(&lines, &weights);
            assert_eq!(lines.board, Board::empty());
        }
    }

    #[test]
    fn threats_name_whose_they_are_and_who_is_to_move() {
        let mut lines = Lines::from_scratch(&Board::empty(), &no_weights());
        let at = |row: usize, col: usize| row * SIZE + col;
        let bits = |lines: &Lines, me: usize| format!("{:012b}", lines.threats(me));
        assert_eq!((bits(&lines, 0), bits(&lines, 1)), ("0".repeat(12), format!("1{}", "0".repeat(11))));
        // From the top: mover, the other's open four, then own and the other's three, double three, bare four, four,
        // four with three. Black's half-open three has two bare fours to make.
        (0..3).for_each(|col| lines.place(at(12, col), 0, &no_weights()));
        assert_eq!((&bits(&lines, 0)[6..], &bits(&lines, 1)[6..]), ("100000", "010000"));
        assert_eq!((&bits(&lines, 0)[..2], &bits(&lines, 1)[..2]), ("00", "10"));
        // An open three of White threatens an open four, and makes fours at a distance.
        (5..8).for_each(|col| lines.place(at(7, col), 1, &no_weights()));
        assert_eq!((&bits(&lines, 0)[6..], &bits(&lines, 1)[6..]), ("110000", "110000"));
        assert_eq!((&bits(&lines, 0)[..2], &bits(&lines, 1)[..2]), ("01", "10"));
    }

    #[test]
    fn points_near_stones_are_the_star_of_two_steps() {
        let mut lines = Lines::from_scratch(&Board::empty(), &no_weights());
        for stone in [0, 112, 224, 14, 200] {
            lines.place(stone, 0, &no_weights());
        }
        let near = lines.near_stones();
        for point in Point::all() {
            let by_definition = lines.board.is_empty(point)
                && lines.board.points_of(Color::Black).any(|stone| {
                    let (dr, dc) = (stone.row().abs_diff(point.row()), stone.col().abs_diff(point.col()));
                    dr.max(dc) <= 2 && (dr == 0 || dc == 0 || dr == dc)
                });
            assert_eq!(near.has(point.index()), by_definition, "{point:?}");
        }
        assert_eq!(near.iter().count() as u32, near.count());
    }
}
