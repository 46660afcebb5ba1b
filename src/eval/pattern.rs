//! Cell patterns: lists of squares read in base 3, their images under the symmetries of the board, and the
//! configurations that those symmetries make equal.
//!
//! The index of an instance is Σ digit(cell i)·3^i with digit 0 empty, 1 the side to move, 2 its opponent. A
//! symmetry of the board that maps a pattern's set of cells onto itself permutes its digits: configurations in one
//! orbit share a weight. The number of a shared weight is its rank among the orbits by least raw index.

use crate::game::symmetry;

/// The longest pattern: 3^10 configurations fit 16 bits.
pub const MAX_CELLS: usize = 10;

/// One pattern shape with all its placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// A name people can read.
    pub name: String,
    /// The cells of every placement, in the order of the digits; the first is the shape as it was given.
    pub placements: Vec<Vec<u8>>,
    /// The shared weight of each raw index.
    pub shared: Vec<u16>,
    /// The number of shared weights.
    pub size: usize,
}

impl Pattern {
    /// The pattern of `cells` (grid squares of a board `width` wide), placed in all distinct symmetric ways.
    pub fn new(name: &str, cells: &[u8], width: usize) -> Pattern {
        assert!(!cells.is_empty() && cells.len() <= MAX_CELLS, "1 to {MAX_CELLS} cells");
        let image = |s: usize| -> Vec<u8> {
            cells
                .iter()
                .map(|&cell| {
                    let (row, col) = symmetry::map(s, cell as usize / width, cell as usize % width, width);
                    (row * width + col) as u8
                })
                .collect()
        };
        let sorted = |mut cells: Vec<u8>| {
            cells.sort_unstable();
            cells
        };
        let mut placements: Vec<Vec<u8>> = Vec::new();
        let mut own_symmetries: Vec<Vec<usize>> = Vec::new();
        for placed in (0..symmetry::COUNT).map(image) {
            if sorted(placed.clone()) == sorted(cells.to_vec()) {
                let from = |cell: &u8| cells.iter().position(|c| c == cell).expect("the same cells");
                own_symmetries.push(placed.iter().map(from).collect());
            }
            if placements.iter().all(|known| sorted(known.clone()) != sorted(placed.clone())) {
                placements.push(placed);
            }
        }
        let (shared, size) = orbits(cells.len(), &own_symmetries);
        Pattern { name: name.to_string(), placements, shared, size }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.placements[0].len()
    }
}

/// The rank of each configuration's orbit under digit permutations, and the number of orbits.
fn orbits(cells: usize, permutations: &[Vec<usize>]) -> (Vec<u16>, usize) {
    let count = 3usize.pow(cells as u32);
    let powers: Vec<usize> = (0..cells).map(|i| 3usize.pow(i as u32)).collect();
    let mut ranks = vec![0u16; count];
    let mut size = 0;
    for index in 0..count {
        let least = permutations
            .iter()
            .map(|to| (0..cells).map(|i| index / powers[i] % 3 * powers[to[i]]).sum())
            .min()
            .unwrap_or(index);
        if least == index {
            ranks[index] = size as u16;
            size += 1;
        } else {
            ranks[index] = ranks[least];
        }
    }
    (ranks, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_published_ones() {
        // Configuration counts of Edax's features: corner 3×3 10,206; two edges from a corner with its X 29,889;
        // edge + 2 X 29,646; lines 3,321; diagonals.
        let size = |cells: &[u8]| {
            let pattern = Pattern::new("", cells, 8);
            (pattern.size, pattern.placements.len())
        };
        assert_eq!(size(&[0, 1, 2, 8, 9, 10, 16, 17, 18]), (10_206, 4));
        assert_eq!(size(&[9, 0, 1, 2, 3, 4, 5, 6, 7, 14]), (29_646, 4));
        assert_eq!(size(&[32, 24, 16, 8, 0, 9, 1, 2, 3, 4]), (29_889, 4));
        assert_eq!(size(&[8, 9, 10, 11, 12, 13, 14, 15]), (3_321, 4));
        assert_eq!(size(&[0, 9, 18, 27, 36, 45, 54, 63]), (3_321, 2));
        assert_eq!(size(&[3, 10, 17, 24]), (45, 4));
        assert_eq!(size(&[0, 1, 2, 3, 4, 8, 9, 10, 11, 12]), (59_049, 8));
    }
}
