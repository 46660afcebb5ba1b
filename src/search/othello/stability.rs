//! Stable discs: discs that nothing can turn any more, which bound the final score early.
//!
//! Edges are looked up: a disc on an edge is stable if it keeps its colour whatever is placed on the edge from here
//! on, computed once for all 3^8 edges. Inside, a disc is stable if along each of its four lines the line is full
//! or a neighbour on it is a stable disc of the same colour. The count is a lower bound, as it must be for a cut-off.

use std::sync::LazyLock;

const EDGES: u64 = 0xff81_8181_8181_81ff;

/// Stable discs of `player` on an edge, by 256·player + opponent.
static EDGE: LazyLock<Box<[u8; 65536]>> = LazyLock::new(edge_table);

fn edge_table() -> Box<[u8; 65536]> {
    let mut table: Box<[u8; 65536]> = vec![0; 65536].try_into().expect("65,536 entries");
    // Fuller edges first: an edge depends only on edges with one disc more.
    for empties in 0..=8 {
        for occupied in 0..256usize {
            if occupied.count_zeros() - (usize::BITS - 8) != empties {
                continue;
            }
            for player in (0..256usize).filter(|player| player & !occupied == 0) {
                table[256 * player + (occupied ^ player)] =
                    stable_on_edge(&table[..], player as u8, (occupied ^ player) as u8);
            }
        }
    }
    table
}

fn stable_on_edge(table: &[u8], player: u8, opponent: u8) -> u8 {
    let mut stable = player;
    for square in 0..8 {
        let bit = 1u8 << square;
        if (player | opponent) & bit != 0 {
            continue;
        }
        let turned = edge_flips(player, opponent, square);
        stable &= table[256 * (player | bit | turned) as usize + (opponent & !turned) as usize];
        let turned = edge_flips(opponent, player, square);
        stable &= table[256 * (player & !turned) as usize + (opponent | bit | turned) as usize];
    }
    stable
}

/// The opponent discs turned along the edge alone by a disc of `player` on `square`.
fn edge_flips(player: u8, opponent: u8, square: i32) -> u8 {
    let mut turned = 0;
    for step in [-1, 1] {
        let mut run = 0;
        let mut at = square + step;
        while (0..8).contains(&at) && opponent >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && player >> at & 1 == 1 {
            turned |= run;
        }
    }
    turned
}

/// Column `shift` of a bitboard as a byte, row 1 in bit 0.
#[inline(always)]
fn column(mask: u64, shift: u32) -> u64 {
    ((mask >> shift) & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte spread over column `shift`.
#[inline(always)]
fn to_column(byte: u8, shift: u32) -> u64 {
    // Seven bits spread without carries; the eighth would collide with the first and goes by itself.
    let spread = (u64::from(byte) & 127).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101;
    (spread | (u64::from(byte) >> 7) << 56) << shift
}

fn stable_edges(player: u64, opponent: u64) -> u64 {
    let edge = &**EDGE;
    let at = |p: u64, o: u64| edge[(256 * (p & 255) + (o & 255)) as usize];
    u64::from(at(player, opponent))
        | u64::from(at(player >> 56, opponent >> 56)) << 56
        | to_column(at(column(player, 0), column(opponent, 0)), 0)
        | to_column(at(column(player, 7), column(opponent, 7)), 7)
}

/// The squares whose line in direction (horizontal, vertical, down-right, down-left) is full, for full edge
/// squares too.
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs;
    rows &= rows >> 1 | 0x8080_8080_8080_8080;
    rows &= rows >> 2 | 0xc0c0_c0c0_c0c0_c0c0;
    rows &= rows >> 4 | 0xf0f0_f0f0_f0f0_f0f0;
    let rows = (rows & 0x0101_0101_0101_0101).wrapping_mul(255);
    let mut columns = discs;
    columns &= columns.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    // A diagonal is full if no empty square reaches along it: spread the empty squares both ways.
    [rows, columns, !reach(!discs, 9), !reach(!discs, 7)]
}

/// All squares on a diagonal (`step` 9 down-right, 7 down-left) with one of `squares`.
fn reach(squares: u64, step: u32) -> u64 {
    // A step towards higher bits must not come in at the side it left: columns that cannot be entered.
    let (first, second, fourth) = match step {
        9 => (0xfefe_fefe_fefe_fefe, 0xfcfc_fcfc_fcfc_fcfc, 0xf0f0_f0f0_f0f0_f0f0),
        _ => (0x7f7f_7f7f_7f7f_7f7f, 0x3f3f_3f3f_3f3f_3f3f, 0x0f0f_0f0f_0f0f_0f0f_u64),
    };
    let mut up = squares;
    up |= (up << step) & first;
    up |= (up << (2 * step)) & second;
    up |= (up << (4 * step)) & fourth;
    let mut down = squares;
    down |= (down & first) >> step;
    down |= (down & second) >> (2 * step);
    down |= (down & fourth) >> (4 * step);
    up | down
}

/// The number of discs of `player` that can never be turned again (a lower bound), on the 8×8 board.
pub fn stable_count(player: u64, opponent: u64) -> i32 {
    let full = full_lines(player | opponent);
    let mut stable = stable_edges(player, opponent) | (full[0] & full[1] & full[2] & full[3] & player);
    let inner = player & !EDGES;
    loop {
        let h = stable >> 1 | stable << 1 | full[0];
        let v = stable >> 8 | stable << 8 | full[1];
        let d = stable >> 9 | stable << 9 | full[2];
        let a = stable >> 7 | stable << 7 | full[3];
        let next = stable | (inner & h & v & d & a);
        if next == stable {
            return stable.count_ones() as i32;
        }
        stable = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::game::othello::Othello;
    use crate::rng::{Domain, RngExt, stream};

    #[test]
    fn edges_known_by_hand() {
        let stable = |player: u8, opponent: u8| EDGE[256 * player as usize + opponent as usize];
        assert_eq!(stable(0b0000_0001, 0), 1, "a corner is stable");
        assert_eq!(stable(0b0000_0111, 0), 0b111, "and so is what it anchors");
        assert_eq!(stable(0b0011_1100, 0), 0, "an edge without corners is not");
        assert_eq!(stable(0b0101_0101, 0b1010_1010), 0b0101_0101, "a full edge is");
    }

    /// No disc that was called stable is ever lost in a random continuation.
    #[test]
    fn stable_discs_are_never_turned() {
        for game in 0..400 {
            let mut rng = stream(game, Domain::Test, 4);
            let mut position = Othello::<8>::start();
            let mut least = [0, 0];
            loop {
                let (black, white) = position.black_white();
                let now = [stable_count(black, white), stable_count(white, black)];
                assert!(now[0] <= black.count_ones() as i32 && now[1] <= white.count_ones() as i32);
                assert!(black.count_ones() as i32 >= least[0] && white.count_ones() as i32 >= least[1]);
                least = [least[0].max(now[0]), least[1].max(now[1])];
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.random_range(0..moves.len())]).unwrap();
            }
        }
    }

    #[test]
    fn a_full_board_is_all_stable() {
        assert_eq!(stable_count(!0 << 20, !(!0 << 20)), 44);
    }
}
