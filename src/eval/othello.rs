//! Othello's features: pattern sets for any board size, the incremental indices, the features of a position.
//!
//! The index vector of a position is Σ over Black's discs of `digit[square]` + Σ over White's of 2·`digit[square]`,
//! where `digit[square]` holds 3^i for each instance that has the square as its cell i. For White to move the
//! digits 1 and 2 change places: 3·(Σ over all discs) − (Black's vector). So one vector and the sum over all discs
//! serve both sides, and a move changes them by a few vector additions (an idea of Othello engines since Logistello:
//! update what changed, never recompute).

pub mod sets;

use super::pattern::Pattern;
use super::{FeatureModel, Layout, Part, Table};
use crate::game::Position;
use crate::game::othello::{Board, Othello, board, moves};
pub use sets::{PatternSetName, standard_set};

/// The most feature instances of cell patterns: the width of the index vector.
pub const LANES: usize = 48;

/// Search units of one disc: scores in games and searches are in sixteenths of a disc.
pub const DISC: i32 = 16;

/// The size of a mobility table; larger counts read its last entry.
pub const MOBILITY_SIZE: usize = 32;

/// One number per instance, 0 beyond the last.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes(pub [u16; LANES]);

impl Lanes {
    /// All zero.
    pub const ZERO: Lanes = Lanes([0; LANES]);

    /// Lane by lane `self + other`.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes) {
        for i in 0..LANES {
            self.0[i] = self.0[i].wrapping_add(other.0[i]);
        }
    }

    /// Lane by lane `self − other`.
    #[inline(always)]
    pub fn sub(&mut self, other: &Lanes) {
        for i in 0..LANES {
            self.0[i] = self.0[i].wrapping_sub(other.0[i]);
        }
    }
}

/// The patterns of an evaluation and how squares enter their indices.
#[derive(Clone, Debug)]
pub struct PatternSet {
    /// The shapes, in file order.
    pub patterns: Vec<Pattern>,
    /// 3^i in every lane that has the square as its cell i.
    digits: Box<[Lanes; 64]>,
    /// The pattern of each instance.
    pub instances: Vec<u16>,
    /// Whether both mobilities are features as well.
    has_mobility: bool,
    layout: Layout,
}

/// The names of the mobilities' tables, which stand behind the patterns.
pub const MOBILITIES: [&str; 2] = ["mobility", "opponent mobility"];

impl PatternSet {
    /// A set of shapes for N×N, with the mobilities of both sides; `None` when the placements exceed [`LANES`].
    pub fn new<const N: usize>(patterns: Vec<Pattern>) -> Option<PatternSet> {
        PatternSet::with::<N>(patterns, true)
    }

    /// A set of shapes for N×N and nothing else; `None` when the placements exceed [`LANES`].
    pub fn patterns_only<const N: usize>(patterns: Vec<Pattern>) -> Option<PatternSet> {
        PatternSet::with::<N>(patterns, false)
    }

    fn with<const N: usize>(patterns: Vec<Pattern>, has_mobility: bool) -> Option<PatternSet> {
        let mut digits = Box::new([Lanes::ZERO; 64]);
        let mut instances = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            for placement in &pattern.placements {
                if instances.len() == LANES {
                    return None;
                }
                for (i, &cell) in placement.iter().enumerate() {
                    digits[cell as usize].0[instances.len()] = 3u16.pow(i as u32);
                }
                instances.push(number as u16);
            }
        }
        let mut tables: Vec<Table> =
            patterns.iter().map(|pattern| Table { name: pattern.name.clone(), size: pattern.size }).collect();
        let mut read = instances.clone();
        for name in MOBILITIES.into_iter().filter(|_| has_mobility) {
            read.push(tables.len() as u16);
            tables.push(Table { name: name.to_string(), size: MOBILITY_SIZE });
        }
        let layout = Layout { game: <Othello<N> as Position>::GAME, tables, instances: read, plies: N * N - 3 };
        Some(PatternSet { patterns, digits, instances, has_mobility, layout })
    }

    /// The tables and instances, the mobilities, if they are features, behind the patterns.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What a disc of value 1 on `square` adds to every lane.
    #[inline(always)]
    pub fn digits(&self, square: usize) -> &Lanes {
        &self.digits[square]
    }
}

/// The index vectors of a position, updated move by move.
///
/// `first` counts the discs of one side (the side to move at the start of a search) as 1 and the others as 2;
/// `discs3` is three times the sum over all discs, so `discs3 − first` is the vector seen from the second side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    first: Lanes,
    discs3: Lanes,
}

impl Indices {
    /// From scratch, with the side to move as the first side.
    pub fn new(set: &PatternSet, board: Board) -> Indices {
        let (mut player, mut opponent) = (Lanes::ZERO, Lanes::ZERO);
        board::bits(board.player).for_each(|square| player.add(set.digits(square)));
        board::bits(board.opponent).for_each(|square| opponent.add(set.digits(square)));
        let (mut first, mut discs3) = (player, Lanes::ZERO);
        for _ in 0..2 {
            first.add(&opponent);
        }
        for _ in 0..3 {
            discs3.add(&player);
            discs3.add(&opponent);
        }
        Indices { first, discs3 }
    }

    /// After a disc on `square` that turned `flipped`, placed by the first side if `by_first`.
    #[inline(always)]
    pub fn after(&self, set: &PatternSet, square: usize, flipped: u64, by_first: bool) -> Indices {
        let mut next = *self;
        let digit = set.digits(square);
        next.first.add(digit);
        next.discs3.add(digit);
        next.discs3.add(digit);
        next.discs3.add(digit);
        let mut rest = flipped;
        if by_first {
            while rest != 0 {
                next.first.sub(set.digits(rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        } else {
            next.first.add(digit);
            while rest != 0 {
                next.first.add(set.digits(rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        }
        next
    }

    /// The indices from the point of view of the first side, or of the second.
    #[inline(always)]
    pub fn seen(&self, by_first: bool) -> Lanes {
        if by_first {
            self.first
        } else {
            let mut lanes = self.discs3;
            lanes.sub(&self.first);
            lanes
        }
    }
}

/// Othello's feature model: a pattern set, with the mobility of both sides if that belongs to it.
pub struct OthelloFeatures<const N: usize> {
    set: PatternSet,
}

impl<const N: usize> OthelloFeatures<N> {
    /// The features of `set`.
    pub fn new(set: PatternSet) -> Self {
        OthelloFeatures { set }
    }

    /// The pattern set.
    pub fn set(&self) -> &PatternSet {
        &self.set
    }
}

/// The number of legal moves as an index.
#[inline(always)]
pub fn mobility_index<const N: usize>(player: u64, opponent: u64) -> usize {
    let count = (moves::mobility(player, opponent) & Othello::<N>::SQUARES).count_ones() as usize;
    count.min(MOBILITY_SIZE - 1)
}

impl<const N: usize> FeatureModel for OthelloFeatures<N> {
    type Position = Othello<N>;

    fn layout(&self) -> &Layout {
        &self.set.layout
    }

    fn parts(&self) -> Vec<Part> {
        sets::parts::<N>(&self.set.patterns)
    }

    fn indices(&self, position: &Othello<N>, out: &mut [u16]) {
        let board = position.board();
        let seen = Indices::new(&self.set, board).seen(true);
        for (lane, &pattern) in self.set.instances.iter().enumerate() {
            out[lane] = self.set.patterns[pattern as usize].shared[seen.0[lane] as usize];
        }
        if !self.set.has_mobility {
            return;
        }
        let count = self.set.instances.len();
        out[count] = mobility_index::<N>(board.player, board.opponent) as u16;
        out[count + 1] = mobility_index::<N>(board.opponent, board.player) as u16;
    }

    fn units_per_outcome(&self) -> i32 {
        DISC
    }
}
