//! Perft for Othello: as [`crate::game::perft`], with the last ply counted in bulk from the move bitboard.

use super::{Board, Othello, board, moves};
use crate::game::perft::PassCounting;

/// The number of leaves `depth` plies below `position`.
pub fn perft<const N: usize>(position: &Othello<N>, depth: u32, passes: PassCounting) -> u64 {
    match depth {
        0 => 1,
        _ => below::<N>(position.board, depth, passes),
    }
}

fn below<const N: usize>(board: Board, depth: u32, passes: PassCounting) -> u64 {
    let mobility = moves::mobility(board.player, board.opponent) & Othello::<N>::SQUARES;
    if mobility == 0 {
        if moves::mobility(board.opponent, board.player) & Othello::<N>::SQUARES == 0 {
            return 1;
        }
        return match (passes, depth) {
            (PassCounting::PassIsPly, 1) => 1,
            (PassCounting::PassIsPly, _) => below::<N>(board.pass(), depth - 1, passes),
            (PassCounting::PassIsFree, _) => below::<N>(board.pass(), depth, passes),
        };
    }
    if depth == 1 {
        return u64::from(mobility.count_ones());
    }
    board::bits(mobility).map(|square| below::<N>(board.play(square), depth - 1, passes)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, perft::perft as generic};

    #[test]
    fn published_counts_in_both_modes() {
        // A. Bik 2009 (mode 1) and Egaroucid's documentation (mode 2).
        let text = include_str!("../../../tests/data/othello.perft");
        let mut checked = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let field: Vec<u64> = line.split_whitespace().map(|word| word.parse().expect("a count")).collect();
            if field[0] > 9 {
                continue;
            }
            let start = Othello::<8>::start();
            assert_eq!(perft(&start, field[0] as u32, PassCounting::PassIsPly), field[1], "mode 1, depth {}", field[0]);
            assert_eq!(
                perft(&start, field[0] as u32, PassCounting::PassIsFree),
                field[2],
                "mode 2, depth {}",
                field[0]
            );
            checked += 1;
        }
        assert_eq!(checked, 9);
    }

    #[test]
    fn the_generic_counter_agrees_on_every_size() {
        for passes in [PassCounting::PassIsPly, PassCounting::PassIsFree] {
            for depth in 0..=12 {
                let start = Othello::<4>::start();
                assert_eq!(perft(&start, depth, passes), generic(&start, depth, passes), "4×4 depth {depth}");
            }
            let start = Othello::<6>::start();
            assert_eq!(perft(&start, 7, passes), generic(&start, 7, passes));
            let start = Othello::<8>::start();
            assert_eq!(perft(&start, 6, passes), generic(&start, 6, passes));
        }
    }
}
