//! The eight symmetries of a square board.
//!
//! Symmetry number s transposes when bit 2 is set, then flips rows top to bottom when bit 1 is set, then flips
//! columns left to right when bit 0 is set. Both games and both sides of the feature tables use these numbers.

/// The number of symmetries of the square.
pub const COUNT: usize = 8;

/// Where symmetry `s` puts the cell (row, col) of a board of `size` rows, all counted from 0.
pub fn map(s: usize, row: usize, col: usize, size: usize) -> (usize, usize) {
    let (mut r, mut c) = if s & 4 != 0 { (col, row) } else { (row, col) };
    if s & 2 != 0 {
        r = size - 1 - r;
    }
    if s & 1 != 0 {
        c = size - 1 - c;
    }
    (r, c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_eight_images_of_a_general_cell_differ() {
        let images: HashSet<_> = (0..COUNT).map(|s| map(s, 1, 2, 8)).collect();
        assert_eq!(images.len(), 8);
        assert!(images.contains(&(1, 2)) && images.contains(&(6, 5)) && images.contains(&(2, 1)));
    }
}
