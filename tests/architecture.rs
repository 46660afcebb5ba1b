//! The floors of the house, enforced: which module may use which, and which may not know a game by name.
//!
//! The table below is the architecture's; a row lists what a module may use. The test reads `src/`, takes the
//! `crate::` paths of each file, and fails on an arrow the table does not list, on a module without a floor, and on
//! a game's name inside a game-blind module. The last tests plant such faults and expect them to be found.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every module with what it may use, lowest floor first.
const FLOORS: &[(&str, &[&str])] = &[
    // Work in index order for any number of threads: below everything, knows nothing.
    ("ordered", &[]),
    ("rng", &[]),
    ("game", &["rng"]),
    ("dataset", &["game", "rng"]),
    ("eval", &["game"]),
    ("search", &["game", "eval"]),
    ("play", &["game", "dataset", "search", "rng"]),
    ("selfplay", &["game", "dataset", "search", "play", "rng", "ordered"]),
    ("label", &["game", "dataset", "search", "play", "rng", "ordered"]),
    ("fit", &["game", "dataset", "eval", "rng"]),
    ("judge", &["game", "play"]),
    ("bake", &["game", "eval"]),
    ("arena", &["game", "play", "rng", "ordered"]),
    ("report", &["arena", "fit", "dataset"]),
    (
        "kit",
        &[
            "ordered", "rng", "game", "dataset", "eval", "search", "play", "selfplay", "label", "fit", "judge", "bake",
            "arena", "report",
        ],
    ),
    (
        "cli",
        &[
            "ordered", "rng", "game", "dataset", "eval", "search", "play", "selfplay", "label", "fit", "judge", "bake",
            "arena", "report", "kit",
        ],
    ),
];

/// Modules that may not name a game.
const GAME_BLIND: &[&str] = &["ordered", "rng", "play", "selfplay", "label", "fit", "arena"];

/// Words that name a game or its things.
const GAME_WORDS: &[&str] = &["othello", "reversi", "renju", "gomoku"];

/// A source file of the library: its path below `src/` and its text.
struct Source {
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<Source>) {
        let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, root, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { path: path.strip_prefix(root).unwrap().to_path_buf(), text });
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    walk(&root, &root, &mut found);
    found
}

/// The floor a file stands on: its first folder, or its own name.
fn module_of(path: &Path) -> String {
    let first = path.iter().next().unwrap().to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

/// The text before its tests: a test may use more than the code it tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap()
}

/// The modules named behind `crate::`, also inside braces.
fn uses(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in text.split("crate::").skip(1) {
        let word =
            |s: &str| s.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        if let Some(group) = part.strip_prefix('{') {
            let mut depth = 1;
            let mut start = 0;
            for (at, c) in group.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 || (depth == 1 && c == ',') {
                    names.push(word(&group[start..at]));
                    start = at + 1;
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            names.push(word(part));
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Everything wrong with the given files.
fn faults(sources: &[Source]) -> Vec<String> {
    let floors: BTreeMap<_, _> = FLOORS.iter().copied().collect();
    let mut faults = Vec::new();
    for Source { path, text } in sources {
        let module = module_of(path);
        if module == "lib" || module == "main" {
            continue;
        }
        let Some(allowed) = floors.get(module.as_str()) else {
            faults.push(format!("{}: module `{module}` has no floor", path.display()));
            continue;
        };
        for used in uses(code(text)) {
            if used != module && floors.contains_key(used.as_str()) && !allowed.contains(&used.as_str()) {
                faults.push(format!("{}: `{module}` may not use `{used}`", path.display()));
            }
        }
        if GAME_BLIND.contains(&module.as_str()) {
            let lower = code(text).to_lowercase();
            for (number, line) in lower.lines().enumerate() {
                let words = line.split(|c: char| !c.is_alphanumeric());
                for word in words {
                    if GAME_WORDS.iter().any(|game| word == *game || word == format!("{game}s")) {
                        faults.push(format!("{}:{}: a game-blind module says `{word}`", path.display(), number + 1));
                    }
                }
            }
        }
    }
    faults
}

#[test]
fn the_house_stands() {
    let sources = sources();
    assert!(sources.len() > 20, "the sources were found");
    let faults = faults(&sources);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_library_declares_its_modules_in_floor_order() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let declared: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let order: Vec<&str> = FLOORS.iter().map(|&(name, _)| name).filter(|name| declared.contains(name)).collect();
    assert_eq!(declared, order);
}

#[test]
fn every_file_says_what_it_is_for() {
    for Source { path, text } in sources() {
        let lines = text.lines().take_while(|line| line.starts_with("//!")).count();
        assert!(lines >= 1, "{} does not begin with //! lines", path.display());
        assert!(path.file_name().unwrap() != "mod.rs", "{}: foo.rs beside foo/, not mod.rs", path.display());
    }
}

fn planted(path: &str, text: &str) -> Vec<String> {
    faults(&[Source { path: PathBuf::from(path), text: text.to_string() }])
}

#[test]
fn planted_faults_are_found() {
    assert_eq!(planted("game/perft.rs", "use crate::search::Limits;").len(), 1);
    assert_eq!(planted("fit/solver.rs", "use crate::{rng, selfplay::Options};").len(), 1);
    assert_eq!(planted("arena/pairs.rs", "// as in Othello").len(), 1);
    assert_eq!(planted("selfplay.rs", "fn renju() {}").len(), 1);
    assert_eq!(planted("toolbox.rs", "fn f() {}").len(), 1);
    assert_eq!(planted("fit/solver.rs", "use crate::{eval::{Layout, Table}, rng};").len(), 0);
}
