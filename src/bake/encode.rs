//! Weights as program text: an entropy coder for their values, and 13 bits in two printable characters.
//!
//! Values are coded by a range coder of the rANS kind (J. Duda 2009, "Asymmetric numeral systems"): 32-bit state,
//! 16-bit words, frequencies in 4,096ths, one static table per context. What is coded is the difference from the same
//! weight at the knot before, in steps of its table (the greatest common divisor of the table's values). The context
//! says how large that earlier weight was and how much the three weights before this one changed. Everything is
//! integers, so the bots decode to exactly the values of the file.
//!
//! Bytes: per context a count and the frequencies (one byte below 192, else two), per table the step (u16), the
//! state (u32), then the words in reading order, all little-endian.

/// Symbols: 0–15 are themselves; above, two bits behind the leading one are in the symbol and the rest is plain.
const ALPHABET: usize = 80;
/// Contexts of the first knot, which has nothing before it.
const FIRST_CONTEXTS: usize = 8;
/// All contexts: 8 classes of change, and 8 × 8 for later knots (one class of magnitude is spare).
const CONTEXTS: usize = 72;
const SCALE_BITS: u32 = 12;
const LOWEST: u32 = 1 << 16;

/// What is coded, in coding order: a symbol within its context, or bits as they are.
enum Piece {
    Symbol { context: u8, symbol: u8 },
    Bits { value: u32, count: u32 },
}

/// The bytes of weights stored knot by knot, in tables of these sizes.
pub fn encode(values: &[i16], sizes: &[usize]) -> Vec<u8> {
    let row: usize = sizes.iter().sum();
    let steps = steps(values, sizes);
    let pieces = pieces(values, sizes, row, &steps);
    let mut counts = vec![[0u64; ALPHABET]; CONTEXTS];
    for piece in &pieces {
        if let Piece::Symbol { context, symbol } = piece {
            counts[*context as usize][*symbol as usize] += 1;
        }
    }
    let frequencies: Vec<[u32; ALPHABET]> = counts.iter().map(normalised).collect();
    let mut out = Vec::new();
    for table in &frequencies {
        let used = table.iter().rposition(|&share| share > 0).map_or(0, |last| last + 1);
        out.push(used as u8);
        for &share in &table[..used] {
            if share < 192 {
                out.push(share as u8);
            } else {
                out.extend([(192 + (share >> 8)) as u8, (share & 255) as u8]);
            }
        }
    }
    out.extend(steps.iter().flat_map(|&step| (step as u16).to_le_bytes()));
    let (state, words) = code(&pieces, &frequencies);
    out.extend(state.to_le_bytes());
    out.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    out
}

/// What symbols cost in bits, the plain bits behind them included, in each context.
pub struct Prices(Vec<[f32; ALPHABET]>);

impl Prices {
    /// Those of the static tables that [`encode`] would make for `values` in these steps.
    pub fn of(values: &[i16], sizes: &[usize], steps: &[i32]) -> Prices {
        let mut counts = vec![[0u64; ALPHABET]; CONTEXTS];
        for piece in pieces(values, sizes, sizes.iter().sum(), steps) {
            if let Piece::Symbol { context, symbol } = piece {
                counts[context as usize][symbol as usize] += 1;
            }
        }
        let prices = counts.iter().map(|counts| {
            // Half a count more everywhere: what has not been seen is dear, not impossible.
            let total = counts.iter().sum::<u64>() as f32 + 0.5 * ALPHABET as f32;
            std::array::from_fn(|symbol| (total / (counts[symbol] as f32 + 0.5)).log2() + plain_bits(symbol) as f32)
        });
        Prices(prices.collect())
    }
}

/// The bits that follow a symbol plainly.
fn plain_bits(symbol: usize) -> usize {
    if symbol < 16 { 0 } else { (symbol - 16) / 4 + 2 }
}

/// Multiples of each table's step near `targets`, one weight after the other in coding order: those with the least sum
/// of squared error times `reads` and `price` times bits. Without prices the nearest.
pub fn rounded(
    targets: &[f64],
    reads: &[f32],
    sizes: &[usize],
    steps: &[i32],
    price: f64,
    prices: Option<&Prices>,
) -> Vec<i16> {
    let row: usize = sizes.iter().sum();
    // Levels: values in steps, of this knot and the one before.
    let (mut before, mut now) = (vec![0; row], vec![0; row]);
    let mut values = Vec::with_capacity(targets.len());
    for knot in 0..targets.len() / row.max(1) {
        let mut at = 0;
        for (&size, &step) in sizes.iter().zip(steps) {
            let mut contexts = Contexts::default();
            let most = i32::from(i16::MAX) / step;
            for _ in 0..size {
                let target = targets[knot * row + at] / f64::from(step);
                let nearest = (target.round() as i32).clamp(-most, most);
                let old = before[at];
                let level = match prices {
                    None => nearest,
                    Some(prices) => {
                        let prices = &prices.0[contexts.next(knot > 0, old) as usize];
                        let weight = f64::from(reads[knot * row + at]) * f64::from(step * step);
                        let cost = |level: i32| {
                            let error = target - f64::from(level);
                            let symbol = split(folded(old, level)).0;
                            weight * error * error + price * f64::from(prices[symbol as usize])
                        };
                        // The first of equals: the nearest, one step less, as at the knot before, nothing.
                        let candidates = [nearest - nearest.signum(), old, 0];
                        let first = (cost(nearest), nearest);
                        let cheaper = |best: (f64, i32), level: i32| {
                            let cost = cost(level);
                            if cost < best.0 { (cost, level) } else { best }
                        };
                        candidates.into_iter().fold(first, cheaper).1
                    }
                };
                contexts.changed((level - old).abs());
                now[at] = level;
                values.push((level * step) as i16);
                at += 1;
            }
        }
        std::mem::swap(&mut before, &mut now);
    }
    values
}

/// The difference from an earlier level as a number from 0 on: towards and away from 0 in turn.
fn folded(old: i32, level: i32) -> u32 {
    let difference = if old < 0 { old - level } else { level - old };
    if difference < 0 { 2 * difference.unsigned_abs() - 1 } else { 2 * difference as u32 }
}

/// The greatest common divisor of each table's values over all knots, 1 where all are 0.
pub fn steps(values: &[i16], sizes: &[usize]) -> Vec<i32> {
    let row: usize = sizes.iter().sum();
    let mut start = 0;
    sizes
        .iter()
        .map(|&size| {
            let knots = values.chunks_exact(row.max(1));
            let step = knots.flat_map(|knot| &knot[start..start + size]).fold(0, |d, &v| gcd(d, i32::from(v).abs()));
            start += size;
            step.max(1)
        })
        .collect()
}

fn gcd(mut a: i32, mut b: i32) -> i32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn pieces(values: &[i16], sizes: &[usize], row: usize, steps: &[i32]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(values.len());
    let nothing = vec![0; row];
    for knot in 0..values.len() / row.max(1) {
        let now = &values[knot * row..(knot + 1) * row];
        let before = if knot > 0 { &values[(knot - 1) * row..knot * row] } else { &nothing[..] };
        let mut at = 0;
        for (&size, &step) in sizes.iter().zip(steps) {
            let mut contexts = Contexts::default();
            for _ in 0..size {
                let (value, old) = (i32::from(now[at]) / step, i32::from(before[at]) / step);
                let context = contexts.next(knot > 0, old);
                let folded = folded(old, value);
                let (symbol, count) = split(folded);
                pieces.push(Piece::Symbol { context, symbol });
                if count > 0 {
                    pieces.push(Piece::Bits { value: folded & ((1 << count) - 1), count });
                }
                contexts.changed((value - old).abs());
                at += 1;
            }
        }
    }
    pieces
}

/// The symbol of a folded difference and how many of its low bits follow plainly.
fn split(folded: u32) -> (u8, u32) {
    if folded < 16 {
        return (folded as u8, 0);
    }
    let rest = folded.ilog2() - 2;
    ((16 + 4 * (rest - 2) + (folded >> rest & 3)) as u8, rest)
}

/// The changes of the last three weights of the table in hand.
#[derive(Default)]
struct Contexts {
    last: [i32; 3],
}

impl Contexts {
    fn next(&self, later_knot: bool, old: i32) -> u8 {
        let change = change_class((2 * self.last[0] + self.last[1] + self.last[2]).min(510) / 2);
        if later_knot { (FIRST_CONTEXTS + 8 * size_class(old.abs()) + change) as u8 } else { change as u8 }
    }

    fn changed(&mut self, change: i32) {
        self.last = [change, self.last[0], self.last[1]];
    }
}

fn size_class(magnitude: i32) -> usize {
    match magnitude {
        0..=2 => magnitude as usize,
        3..=4 => 3,
        5..=8 => 4,
        9..=20 => 5,
        _ => 6,
    }
}

fn change_class(magnitude: i32) -> usize {
    match magnitude {
        0..=2 => magnitude as usize,
        3..=4 => 3,
        5..=8 => 4,
        9..=15 => 5,
        16..=39 => 6,
        _ => 7,
    }
}

/// Frequencies that sum to 4,096, none 0 where something was counted.
fn normalised(counts: &[u64; ALPHABET]) -> [u32; ALPHABET] {
    let total: u64 = counts.iter().sum();
    let mut shares = [0; ALPHABET];
    if total == 0 {
        return shares;
    }
    for (share, &count) in shares.iter_mut().zip(counts) {
        if count > 0 {
            *share = ((count << SCALE_BITS) / total).max(1) as u32;
        }
    }
    // What rounding left over or took goes where it changes the ratio least: to the most frequent symbol.
    loop {
        let sum: u32 = shares.iter().sum();
        let largest = (0..ALPHABET).max_by_key(|&symbol| (shares[symbol], ALPHABET - symbol)).expect("not empty");
        match sum.cmp(&(1 << SCALE_BITS)) {
            std::cmp::Ordering::Equal => return shares,
            std::cmp::Ordering::Less => shares[largest] += (1 << SCALE_BITS) - sum,
            std::cmp::Ordering::Greater => shares[largest] -= 1,
        }
    }
}

/// The final state and the words in writing order (the reverse of reading order).
fn code(pieces: &[Piece], frequencies: &[[u32; ALPHABET]]) -> (u32, Vec<u16>) {
    let mut words = Vec::new();
    let mut state = LOWEST;
    let mut spill = |state: &mut u32, limit: u64| {
        if u64::from(*state) >= limit {
            words.push(*state as u16);
            *state >>= 16;
        }
    };
    for piece in pieces.iter().rev() {
        match *piece {
            Piece::Symbol { context, symbol } => {
                let table = &frequencies[context as usize];
                let share = table[symbol as usize];
                let start: u32 = table[..symbol as usize].iter().sum();
                spill(&mut state, u64::from(share) << (32 - SCALE_BITS));
                state = (state / share) << SCALE_BITS | (state % share + start);
            }
            Piece::Bits { value, count } => {
                spill(&mut state, 1 << (32 - count));
                state = state << count | value;
            }
        }
    }
    (state, words)
}

/// Values back from the bytes of [`encode`]: what a bot does at start-up. `None` when they are not such bytes.
pub fn decode(bytes: &[u8], sizes: &[usize], knots: usize) -> Option<Vec<i16>> {
    let mut reader = bytes.iter().copied();
    let mut tables = Vec::with_capacity(CONTEXTS);
    for _ in 0..CONTEXTS {
        let used = reader.next()?;
        let mut symbols = Vec::new();
        for symbol in 0..used {
            let share = u16::from(reader.next()?);
            let share = if share < 192 { share } else { (share - 192) << 8 | u16::from(reader.next()?) };
            let start = symbols.len() as u32;
            symbols.extend(std::iter::repeat_n((symbol, u32::from(share), start), share as usize));
        }
        tables.push(symbols);
    }
    let mut word = || Some(u16::from_le_bytes([reader.next()?, reader.next()?]));
    let steps: Vec<i32> = sizes.iter().map(|_| word().map(i32::from)).collect::<Option<_>>()?;
    let mut state = u32::from(word()?) | u32::from(word()?) << 16;
    let row: usize = sizes.iter().sum();
    let mut values: Vec<i16> = Vec::with_capacity(row * knots);
    for knot in 0..knots {
        for (&size, &step) in sizes.iter().zip(&steps) {
            let mut contexts = Contexts::default();
            for _ in 0..size {
                let old = if knot > 0 { i32::from(values[values.len() - row]) / step } else { 0 };
                let table = &tables[contexts.next(knot > 0, old) as usize];
                let slot = state & ((1 << SCALE_BITS) - 1);
                let &(symbol, share, start) = table.get(slot as usize)?;
                state = share * (state >> SCALE_BITS) + slot - start;
                if state < LOWEST {
                    state = state << 16 | u32::from(word()?);
                }
                let mut folded = u32::from(symbol);
                if folded >= 16 {
                    let rest = (folded - 16) / 4 + 2;
                    folded = (4 + (folded & 3)) << rest | (state & ((1 << rest) - 1));
                    state >>= rest;
                    if state < LOWEST {
                        state = state << 16 | u32::from(word()?);
                    }
                }
                let difference = if folded & 1 == 1 { -(folded.div_ceil(2) as i32) } else { (folded / 2) as i32 };
                let value = if old < 0 { old - difference } else { old + difference };
                values.push((value * step) as i16);
                contexts.changed(difference.abs());
            }
        }
    }
    Some(values)
}

/// The 91 characters: printable ASCII without the blank, `"`, `?` (trigraphs) and `\`.
fn alphabet() -> Vec<u8> {
    (33..127).filter(|letter| !br#""?\"#.contains(letter)).collect()
}

/// Bytes as characters, 13 bits in two of them, low bits first.
pub fn to_text(bytes: &[u8]) -> String {
    let alphabet = alphabet();
    let mut text = String::with_capacity(bytes.len() * 16 / 13 + 2);
    let (mut held, mut count) = (0u32, 0);
    let mut pair = |held: u32| {
        text.push(alphabet[(held & 8191) as usize / 91] as char);
        text.push(alphabet[(held & 8191) as usize % 91] as char);
    };
    for &byte in bytes {
        held |= u32::from(byte) << count;
        count += 8;
        if count >= 13 {
            pair(held);
            held >>= 13;
            count -= 13;
        }
    }
    if count > 0 {
        pair(held);
    }
    text
}

/// The first of the 32,768 characters of dense text: ideographs and syllables, in one UTF-16 unit each.
const FIRST_DENSE: u32 = 0x3400;

/// Bytes as characters, 15 bits in each, low bits first, as many characters as make up `whole` ones.
pub fn to_dense_text(bytes: &[u8], whole: usize) -> String {
    let count = (8 * bytes.len()).div_ceil(15).next_multiple_of(whole);
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or(0));
    let letter = |number: usize| {
        let (at, shift) = (15 * number / 8, 15 * number % 8);
        let bits = (byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16) >> shift & 0x7fff;
        char::from_u32(FIRST_DENSE + bits).expect("no surrogate is below U+D800")
    };
    (0..count).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, RngExt, stream};

    fn round_trip(values: &[i16], sizes: &[usize]) -> usize {
        let knots = values.len() / sizes.iter().sum::<usize>();
        let bytes = encode(values, sizes);
        assert_eq!(decode(&bytes, sizes, knots).as_deref(), Some(values));
        bytes.len()
    }

    #[test]
    fn every_kind_of_values_comes_back() {
        let mut rng = stream(1, Domain::Test, 20);
        let sizes = [300, 1, 45];
        round_trip(&vec![0; 346 * 3], &sizes);
        round_trip(&[i16::MIN, i16::MAX, 0, -1, 1, i16::MIN], &[3]);
        for magnitude in [1, 3, 40, 3000, 32767] {
            let values: Vec<i16> = (0..346 * 4).map(|_| rng.random_range(-magnitude..=magnitude)).collect();
            round_trip(&values, &sizes);
            let coarse: Vec<i16> = values.iter().map(|value| value / 8 * 8).collect();
            round_trip(&coarse, &sizes);
        }
    }

    #[test]
    fn what_repeats_costs_little() {
        let mut rng = stream(2, Domain::Test, 21);
        let knot: Vec<i16> = (0..20_000).map(|_| rng.random_range(-300..=300)).collect();
        let once = round_trip(&knot, &[20_000]);
        let four = round_trip(&knot.repeat(4), &[20_000]);
        // 601 equally likely values need 9.23 bits each; knots equal to the one before hardly anything.
        let entropy = 20_000.0 * 601f64.log2() / 8.0;
        assert!((once as f64) < entropy * 1.02 && (once as f64) > entropy, "{once} bytes, entropy {entropy}");
        assert!(four < once + once / 50, "{four} bytes after {once}");
    }

    #[test]
    fn dense_text_holds_fifteen_bits_in_a_character() {
        let bytes: Vec<u8> = (0..150).map(|i| (i * 37 % 256) as u8).collect();
        let text = to_dense_text(&bytes, 1);
        assert_eq!((text.chars().count(), text.encode_utf16().count(), text.len()), (80, 80, 240));
        assert_eq!(to_dense_text(&bytes[..2], 8).chars().count(), 8);
        // 0x8001 has its lowest bit in the first character and its highest in the second.
        assert_eq!(to_dense_text(&[1, 0x80], 1), "\u{3401}\u{3401}");
        assert_eq!(to_dense_text(&[0xff; 15], 1), "\u{b3ff}".repeat(8));
    }

    #[test]
    fn text_is_printable_and_holds_thirteen_bits_in_two_characters() {
        let bytes: Vec<u8> = (0..1300).map(|i| (i * 37 % 256) as u8).collect();
        let text = to_text(&bytes);
        assert_eq!(text.len(), 1600);
        assert!(text.bytes().all(|b| b.is_ascii_graphic() && !br#""?\"#.contains(&b)));
        assert_eq!(to_text(&[0xff, 0x1f]).len(), 4);
        // 8191 = 90·91 + 1 in the first pair, then three bits of nothing.
        assert_eq!(to_text(&[0xff, 0x1f]), "~#!!");
    }
}
