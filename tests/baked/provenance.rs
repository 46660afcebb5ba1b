//! What a baked file says of itself, and that every altered byte is noticed.

use stonesmith::bake::{self, Language, provenance, template_id};
use stonesmith::game::GameId;
use stonesmith::kit;

use crate::programs::{baked, stonesmith};

#[test]
fn origins_name_project_weights_template_bench_and_licence() {
    let weights = kit::template_weights();
    for language in [Language::C, Language::Cpp, Language::Python] {
        let source = baked(&weights, language);
        let head: String = source.lines().take(5).collect();
        let known = [
            weights.id(),
            template_id(GameId::Othello, language),
            "MIT OR Apache-2.0".into(),
            "Stonesmith".into(),
            "bench 0".into(),
        ];
        for word in known {
            assert!(head.contains(&word), "{head} has no {word}");
        }
        assert!(provenance(&source).is_some_and(|origin| origin.intact && origin.weights == weights.id()));
    }
}

/// Altered, added, missing bytes anywhere; the seal covers the whole file.
#[test]
fn every_altered_byte_is_noticed() {
    for language in [Language::C, Language::Python] {
        let source = baked(&kit::template_weights(), language).into_bytes();
        let intact = |bytes: &[u8]| provenance(&String::from_utf8_lossy(bytes)).is_some_and(|origin| origin.intact);
        assert!(intact(&source));
        let places = (0..400).chain((400..source.len()).step_by(61));
        for at in places {
            for bit in [0x01, 0x10, 0x80] {
                let mut altered = source.clone();
                altered[at] ^= bit;
                assert!(!intact(&altered), "{language:?}, byte {at}, bit {bit}");
            }
            let mut longer = source.clone();
            longer.insert(at, b' ');
            assert!(!intact(&longer), "{language:?}, a blank at {at}");
            assert!(!intact(&source[..at]), "{language:?}, cut at {at}");
        }
    }
}

#[test]
fn inspect_exits_1_on_an_altered_file() {
    let folder = tempfile::tempdir().unwrap();
    for language in [Language::Cpp, Language::Python] {
        let path = folder.path().join(language.file_name());
        let source = baked(&kit::template_weights(), language);
        std::fs::write(&path, &source).unwrap();
        let (code, text, _) = stonesmith(&["--json", "inspect", path.to_str().unwrap()]);
        assert_eq!(code, Some(0));
        assert!(text.contains("\"kind\":\"bot\"") && text.contains("\"ok\":true"), "{text}");
        for altered in
            [source.replace("alpha", "alphb"), source.replace('\n', "\r\n"), source.replacen("Weights", "weights", 1)]
        {
            std::fs::write(&path, altered).unwrap();
            assert_eq!(stonesmith(&["inspect", path.to_str().unwrap()]).0, Some(1));
        }
    }
    assert!(!bake::is_known_template("00000000"));
}
