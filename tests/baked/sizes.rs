//! Sizes: every tier seen at judges, in every language: what is baked fits, compiles, and has the goldens of its weights.

use std::path::Path;
use std::sync::OnceLock;

use stonesmith::bake::Language;
use stonesmith::eval::weights::Weights;
use stonesmith::kit;

use crate::programs::{assert_lines, bots, compile, interpreters, is_there, run, stonesmith};

const POSITIONS: &str = include_str!("../../src/search/othello/bench.obf");
/// 1 MiB, 512 KiB, CodinGame's 100,000 characters, 64 KiB.
const TIERS: [(&str, &str); 4] =
    [("--max-bytes", "1048576"), ("--max-bytes", "524288"), ("--max-chars", "100000"), ("--max-bytes", "65536")];

/// Shrinks the repository's champion to a limit, into `small.wts`, and bakes that; returns the source.
fn tier(folder: &Path, lang: &str, (flag, most): (&str, &str)) -> String {
    let path = |name: &str| folder.join(name).display().to_string();
    let (out, small) = (path(&format!("main.{lang}")), path("small.wts"));
    let export = ["-q", "export", &champion(), "--lang", lang, flag, most, "--data", games(), "--out", small.as_str()];
    let (code, _, errors) = stonesmith(&export);
    assert_eq!(code, Some(0), "{lang} {most}: {errors}");
    let (code, text, errors) = stonesmith(&["bake", &small, "--lang", lang, flag, most, "--out", &out]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(!text.contains("shrunk"), "{text}");
    let source = std::fs::read_to_string(&out).unwrap();
    let limit: usize = most.parse().unwrap();
    match flag {
        "--max-bytes" => assert!(source.is_ascii() && source.len() <= limit, "{} for {most}", source.len()),
        _ => assert!(source.encode_utf16().count() <= limit && !source.contains('\u{feff}')),
    }
    let weights = Weights::read(Path::new(&small)).unwrap();
    assert!(source[..400].contains(&format!("Weights {}", weights.id())), "the origin names the weights inside");
    source
}

/// A few games to shrink by, made once.
fn games() -> &'static str {
    static GAMES: OnceLock<(tempfile::TempDir, String)> = OnceLock::new();
    let made = GAMES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g").display().to_string();
        let play = ["-q", "selfplay", "--weights", &champion(), "--games", "600", "--depth", "1", "--out", &path];
        assert_eq!(stonesmith(&play).0, Some(0));
        (folder, path)
    });
    &made.1
}

fn champion() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/othello");
    let name = std::fs::read_to_string(folder.join("champion")).unwrap();
    folder.join(name.trim()).display().to_string()
}

/// The positions as lines, and the golden lines of the weights in `small.wts` by a profile at a depth.
fn expected(folder: &Path, profile: &str, depth: &str) -> (String, Vec<String>) {
    let path = |name: &str| folder.join(name).display().to_string();
    let lines: String =
        POSITIONS.lines().filter(|line| !line.starts_with('%')).map(|line| format!("{line}\n")).collect();
    std::fs::write(path("some.obf"), &lines).unwrap();
    let weights = path("small.wts");
    let (code, found, errors) = stonesmith(&[
        "bench",
        "--golden",
        &path("some.obf"),
        "--weights",
        &weights,
        "--depth",
        depth,
        "--profile",
        profile,
    ]);
    assert_eq!(code, Some(0), "{errors}");
    (lines, found.lines().map(str::to_string).collect())
}

#[test]
fn c_fits_every_tier() {
    for (number, limit) in TIERS.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let source = tier(folder.path(), "c", limit);
        assert_eq!(source.contains("/* ---- "), number < 2, "comments go below 300,000");
        assert_eq!(source.contains("_mm256"), number < 3, "the copy for AVX2 goes up to 80,000");
        let (input, expected) = expected(folder.path(), "full", "4");
        let program = folder.path().join("golden");
        let (compiler, standard) = [("gcc", "-std=c11"), ("g++", "-std=gnu++17")][number % 2];
        let file = folder.path().join("main.c");
        let language: &[&str] = if compiler == "g++" { &["-x", "c++"] } else { &[] };
        compile(compiler, &[&[standard, "-O1", "-DGOLDEN"], language].concat(), &file, &program);
        assert_lines(&expected, &run(&[program], &["4"], input.as_bytes()), &format!("{limit:?}"));
    }
}

#[test]
fn python_fits_every_tier() {
    if interpreters().is_empty() {
        return;
    }
    for (number, limit) in TIERS.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let source = tier(folder.path(), "py", limit);
        assert_eq!(source.contains("\n# ---- "), number < 2, "comments go below 300,000");
        let (input, expected) = expected(folder.path(), "lite", "2");
        for bot in bots(&source, Language::Python, folder.path()) {
            let found = run(&bot.command, &["--golden", "2"], input.as_bytes());
            assert_lines(&expected, &found, &format!("{} {limit:?}", bot.name));
        }
    }
}

/// Below the least size the error says that size, and that size is possible.
#[test]
fn below_the_least_size_the_error_says_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("w.wts"), kit::bench_weights(5, 900).to_bytes()).unwrap();
    for lang in ["c", "py"] {
        let out = path(&format!("main.{lang}"));
        let weights = path("w.wts");
        let bake = |most: &str| {
            stonesmith(&["-q", "bake", &weights, "--lang", lang, "--out", &out, "--max-bytes", most, "--data", games()])
        };
        let (code, _, errors) = bake("10000");
        assert_eq!(code, Some(2), "{errors}");
        assert!(!Path::new(&out).exists());
        let least = errors.trim().rsplit(' ').next().unwrap().to_string();
        assert!(errors.contains("10000 bytes") && least.parse::<usize>().is_ok(), "{errors}");
        let (code, text, errors) = bake(&least);
        assert_eq!(code, Some(0), "{errors}");
        assert!(text.contains("shrunk from"), "{text}");
        assert!(std::fs::metadata(&out).unwrap().len() <= least.parse::<u64>().unwrap());
    }
}

/// The curve: a line a limit, each within it, and less lost in more characters; games can be given.
#[test]
fn the_curve_falls() {
    let (code, text, errors) = stonesmith(&[
        "-q",
        "--json",
        "export",
        &champion(),
        "--curve",
        "--lang",
        "cpp",
        "--limits",
        "60000,70000c,90000c,600000",
        "--data",
        games(),
    ]);
    assert_eq!(code, Some(0), "{errors}");
    let points: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(points.len(), 4);
    let number = |point: &serde_json::Value, key: &str| point[key].as_f64().unwrap();
    assert!(points.iter().all(|point| number(point, "baked") <= number(point, "limit")), "{text}");
    // Held-out games of another kind than the weights were fitted on let a few hundredths of a disc go either way.
    let losses: Vec<f64> = points.iter().map(|point| number(point, "validation_rmse")).collect();
    assert!(losses.windows(2).all(|pair| pair[1] < pair[0] + 0.05), "{losses:?}");
    assert!(losses[3] < losses[0] - 0.1, "{losses:?}");
    assert_eq!((&points[0]["unit"], &points[1]["unit"]), (&"bytes".into(), &"characters".into()));
    assert_eq!(stonesmith(&["export", &champion(), "--curve", "--limits", "10k"]).0, Some(2));
    assert_eq!(stonesmith(&["export", &champion()]).0, Some(2));
}

/// What is baked is what `export` writes for the same limit, so that a match can measure it.
#[test]
fn export_writes_the_weights_that_bake_puts_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("w.wts"), kit::bench_weights(5, 900).to_bytes()).unwrap();
    let (code, report, errors) =
        stonesmith(&["--json", "export", &path("w.wts"), "--out", &path("s.wts"), "--max-bytes", "250000"]);
    assert_eq!(code, Some(0), "{errors}");
    let small = Weights::read(Path::new(&path("s.wts"))).unwrap();
    assert_eq!(small.parent, kit::bench_weights(5, 900).hash());
    assert!(report.contains(&small.id()), "{report}");
    let (code, text, errors) =
        stonesmith(&["bake", &path("w.wts"), "--lang", "c", "--out", &path("main.c"), "--max-bytes", "250000"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(text.contains(&format!("weights {}", small.id())), "{text}");
    // Weights that fit are baked as they are.
    let (code, text, _) =
        stonesmith(&["bake", &path("s.wts"), "--lang", "c", "--out", &path("again.c"), "--max-bytes", "250000"]);
    assert_eq!(code, Some(0));
    assert!(!text.contains("shrunk"), "{text}");
    assert_eq!(std::fs::read(path("main.c")).unwrap(), std::fs::read(path("again.c")).unwrap());
}

/// Renju's bots at the tiers that they do not fit as they are: compiled, goldens of the weights inside, judged games.
#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn renju_plays_judged_games_at_every_tier() {
    for (flag, most) in &TIERS[1..] {
        for lang in ["c", "cpp", "py"] {
            if lang == "py" && !is_there("python3") {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join(format!("main.{lang}"));
            let name = out.to_str().unwrap();
            let bake = ["-q", "bake", "-g", "renju", "champion", "--lang", lang, flag, most, "--verify", "--out", name];
            let (code, text, errors) = stonesmith(&bake);
            assert_eq!(code, Some(0), "{lang} {most}: {text}{errors}");
            assert!(text.contains("golden lines equal") && text.contains("0 faults"), "{text}");
            let source = std::fs::read_to_string(&out).unwrap();
            let size = if *flag == "--max-bytes" { source.len() } else { source.encode_utf16().count() };
            assert!(size <= most.parse().unwrap(), "{lang}: {size} for {most}");
        }
    }
}

/// Judged games at every tier.
#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn every_tier_plays_judged_games() {
    for limit in TIERS {
        for lang in ["c", "cpp", "py"] {
            if lang == "py" && !is_there("python3") {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join(format!("main.{lang}"));
            let (code, text, errors) = stonesmith(&[
                "-q",
                "bake",
                &champion(),
                "--lang",
                lang,
                limit.0,
                limit.1,
                "--verify",
                "--out",
                out.to_str().unwrap(),
            ]);
            assert_eq!(code, Some(0), "{lang} {limit:?}: {text}{errors}");
            assert!(text.contains("golden lines equal") && text.contains("0 faults"), "{text}");
        }
    }
}
