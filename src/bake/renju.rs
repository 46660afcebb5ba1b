//! The Renju bot: the regions of its template that depend on the weights.

use std::fmt::Write;

use super::{encode, list, template};
use crate::eval::renju::{Evaluator, LOGIT, RenjuWeightsError, completed};
use crate::eval::weights::Weights;

/// The regions of the template for `weights`.
///
/// # Errors
/// Weights that cannot evaluate Renju.
pub fn regions(weights: &Weights) -> Result<Vec<(&'static str, String)>, RenjuWeightsError> {
    Evaluator::new(weights)?;
    let weights = &*completed(weights);
    let sizes: Vec<usize> = weights.tables.iter().map(|table| table.size).collect();
    let bytes = encode::encode(&weights.values, &sizes);
    let mut text = format!("#define WEIGHTS_BYTES {}\n", bytes.len());
    text.push_str("static const char *const WEIGHTS_TEXT[] = {\n");
    text.push_str(&template::literals(&encode::to_text(&bytes)));
    text.push_str("};\n");
    Ok(vec![("knots", knots(weights)), ("weights", text)])
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
