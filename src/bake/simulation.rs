//! The Othello simulation's answer: a program of its own for each language, without weights.

use super::{BakeError, Language, Limit, TooLarge, seal, template};

/// What the answer does, for its origin.
const WHAT: &str = "the answer to the Othello simulation, baked by Stonesmith from its own template";

/// The source of the answer that keeps to `limit`. `bench` is the engine's node count, which names the program's
/// version. Comments and indentation go where the limit wants it.
///
/// # Errors
/// When the limit is below the size of the program.
pub fn simulation(language: Language, limit: Limit, bench: u64) -> Result<String, BakeError> {
    let text = match language {
        Language::C | Language::Cpp => template::SIMULATION_C,
        Language::Python => template::SIMULATION_PY,
    };
    let origin = language.comment(&[
        format!("{}: {WHAT}.", language.file_name()),
        format!(
            "Weights none, parent none, template {}, bench {bench}, content {}.",
            template::id(text),
            super::UNSEALED
        ),
        super::LICENCE.to_string(),
    ]);
    let whole = seal(&template::replace(text, "origin", &origin)?);
    if whole.len() <= limit.most() {
        return Ok(whole);
    }
    let compact = seal(&format!("{origin}{}", language.without_comments(text)));
    if compact.len() > limit.most() {
        return Err(TooLarge { size: compact.len(), limit, least: Some(compact.len()) }.into());
    }
    Ok(compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_stands_and_a_limit_is_kept() {
        for language in [Language::C, Language::Cpp, Language::Python] {
            let whole = simulation(language, Limit::Bytes(1 << 20), 7).unwrap();
            let origin = super::super::provenance(&whole).unwrap();
            assert!(origin.intact && origin.weights == "none" && origin.bench == "7", "{origin:?}");
            let small = simulation(language, Limit::Bytes(whole.len() - 1), 7).unwrap();
            assert!(small.len() < whole.len() && super::super::provenance(&small).unwrap().intact);
            let error = simulation(language, Limit::Characters(small.len() - 1), 7).unwrap_err().to_string();
            assert!(error.contains(&format!("{} characters", small.len() - 1)), "{error}");
            assert!(error.contains(&format!("at least {}", small.len())), "{error}");
        }
    }
}
