//! The Renju bot in C and C++: the regions of its template that a bake fills.

use std::fmt::Write;

use super::{BakeError, Options, list, spelling, table_bits, text_of};
use crate::eval::renju::{Evaluator, LOGIT, completed};
use crate::eval::weights::Weights;

/// The bits of the transposition table unless told otherwise: 24 MiB.
const TABLE_BITS: u32 = 20;
/// What the program takes besides, in MiB.
const PROGRAM_MB: usize = 32;

/// The regions of the template for `weights`.
///
/// # Errors
/// Weights that cannot evaluate Renju.
pub(super) fn regions(weights: &Weights, options: &Options) -> Result<Vec<(&'static str, String)>, BakeError> {
    Evaluator::new(weights)?;
    let weights = &*completed(weights);
    // Without a word of its own the bot passes as its opponent does.
    let spelling = spelling(&options.spelling, options.spelling.pass_or(""));
    let memory = format!("#define TT_BITS {}\n", table_bits(options.memory_mb, PROGRAM_MB, TABLE_BITS)?);
    Ok(vec![
        ("spelling", spelling),
        ("memory", memory),
        ("knots", knots(weights)),
        ("weights", text_of(weights, options)),
    ])
}

fn knots(weights: &Weights) -> String {
    let shift = (i32::from(weights.scale) / LOGIT).ilog2();
    let mut text = format!("#define KNOTS {}\n#define SCALE_SHIFT {shift}\n", weights.knots.len());
    let _ = writeln!(text, "static const uint8_t KNOT_PLIES[] = {{{}}};", list(&weights.knots));
    text.push_str("static const int16_t CONSTANTS[226] = {\n");
    for chunk in weights.constants.chunks(16) {
        let _ = writeln!(text, "    {},", list(chunk));
    }
    text.push_str("};\n");
    text
}
