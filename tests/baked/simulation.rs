//! The answers to the Othello simulation: the same counts as `simulate`, whatever the language.

use std::path::PathBuf;

use stonesmith::bake::{self, Language, Limit};
use stonesmith::game::othello::simulation::simulate;

use crate::programs::{Bot, bots, compile, run, stonesmith};

const TWO_CASES: &str = "2\n6 2\n2 3 1\n2 2 2\n4 1\n1 2 1\n";

/// Every answer there is, readable and compact, C and C++ and each interpreter.
fn answers(folder: &std::path::Path) -> Vec<Bot> {
    let mut found = Vec::new();
    for (name, limit) in [("whole", 1 << 20), ("compact", 3100)] {
        for language in [Language::C, Language::Cpp, Language::Python] {
            let folder = folder.join(format!("{name}-{}", language.file_name()));
            std::fs::create_dir(&folder).unwrap();
            let source = bake::simulation(language, Limit::Bytes(limit), 1).unwrap();
            if language == Language::Cpp {
                let (file, program) = (folder.join("main.cpp"), folder.join("answer"));
                std::fs::write(&file, source).unwrap();
                compile("g++", &["-std=gnu++17", "-O2"], &file, &program);
                found.push(Bot { name: "g++".into(), command: vec![program] });
            } else {
                found.extend(bots(&source, language, &folder));
            }
        }
    }
    found
}

/// Cases with moves at random, of which most are left out.
pub fn random_cases() -> String {
    let mut state = 12345u64;
    let mut number = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 33) % most
    };
    let mut text = "60\n".to_string();
    for case in 0..60 {
        let (size, moves) = ([4, 6, 8][case % 3], number(150));
        text += &format!("{size} {moves}\n");
        for _ in 0..moves {
            text += &format!("{} {} {}\n", number(size), number(size), number(2));
        }
    }
    text
}

#[test]
fn answers_are_those_of_simulate() {
    let folder = tempfile::tempdir().unwrap();
    let random = random_cases();
    let expected = |input: &str| -> String {
        let lines = simulate(input, true).map_while(Result::ok);
        lines.map(|count| format!("#{} {} {}\n", count.case, count.black, count.white)).collect()
    };
    assert_eq!(expected(&random).lines().count(), 60);
    let windows = TWO_CASES.replace('\n', " \r\n\r\n");
    let inputs = [
        (TWO_CASES, "#1 3 3\n#2 4 1\n".to_string()),
        (&windows, "#1 3 3\n#2 4 1\n".into()),
        (&format!("\u{feff}{TWO_CASES}"), "#1 3 3\n#2 4 1\n".into()),
        (&random, expected(&random)),
        // No move, a colour twice, White first: by hand in the tests of the library.
        ("3\n4 0\n6 0\n8 0\n", "#1 2 2\n#2 2 2\n#3 2 2\n".into()),
        ("2\n4 2\n1 2 1\n4 3 1\n4 1\n1 3 2", "#1 6 0\n#2 1 4\n".into()),
        // Moves that turn nothing or fall on a disc are left out.
        ("1\n4 3\n1 2 1\n1 2 2\n4 1 1\n", "#1 4 1\n".into()),
        ("0\n", String::new()),
        ("", String::new()),
        // What ends early or makes no sense ends the answers.
        ("2\n6 2\n2 3 1\n2 2 2\n4 1\n", "#1 3 3\n".into()),
        ("2\n6 2\n2 3 1\n2 2 2\n9 1\n", "#1 3 3\n".into()),
        ("2\n6 2\n2 3 1\n2 2 2\n4 1\n1 2 7\n", "#1 3 3\n".into()),
        ("x\n", String::new()),
    ];
    for bot in answers(folder.path()) {
        for (input, expected) in &inputs {
            let found = run(&bot.command, &["an argument"], input.as_bytes());
            assert_eq!(&found, expected, "{} {:?}", bot.name, &input[..input.len().min(60)]);
        }
    }
}

#[test]
fn the_verb_needs_no_weights() {
    let folder = tempfile::tempdir().unwrap();
    for (lang, name) in [("c", "main.c"), ("cpp", "main.cpp"), ("py", "main.py")] {
        let out: PathBuf = folder.path().join(name);
        let out = out.to_str().unwrap();
        let (code, text, errors) =
            stonesmith(&["bake", "--judge", "simulation", "--lang", lang, "--out", out, "--verify"]);
        assert_eq!(code, Some(0), "{text}{errors}");
        assert!(text.contains("300 cases as `simulate`"), "{text}");
        assert_eq!(stonesmith(&["inspect", out]).0, Some(0));
    }
    let (code, _, errors) = stonesmith(&["bake", "--lang", "c", "--out", folder.path().join("x.c").to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("WEIGHTS"), "{errors}");
}
