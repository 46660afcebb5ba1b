//! Compiling, running and feeding bots.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use assert_cmd::cargo::CommandCargoExt;
use stonesmith::bake::{self, Language, Limit, Options, template};
use stonesmith::eval::weights::Weights;
use stonesmith::rng::{RngExt, Stream};

/// A bot as a command line.
#[derive(Clone, Debug)]
pub struct Bot {
    /// What it is called in messages.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<PathBuf>,
}

/// Whether a program can be started at all.
pub fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The interpreters that are there, by name and by the file that runs; what is missing is said once.
pub fn interpreters() -> &'static [(&'static str, PathBuf)] {
    static FOUND: OnceLock<Vec<(&str, PathBuf)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = Vec::new();
        for name in ["python3", "pypy3"] {
            // What stands in the path may be a script that looks for the interpreter, slowly.
            let said = Command::new(name).args(["-c", "import sys; print(sys.executable)"]).output();
            match said {
                Ok(said) if said.status.success() => {
                    found.push((name, String::from_utf8(said.stdout).unwrap().trim().into()));
                }
                _ => eprintln!("{name} is missing: its bots are not tested"),
            }
        }
        found
    })
}

/// Compiles without a single warning, or panics with what the compiler said.
pub fn compile(compiler: &str, flags: &[&str], source: &Path, program: &Path) {
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{compiler} {flags:?}:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// What a program prints for an input; it must end by itself with 0 and say nothing on stderr.
pub fn run(command: &[PathBuf], arguments: &[&str], input: &[u8]) -> String {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // A program that ends early closes its end of the pipe; that is its right.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{command:?}: {} {errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// The verb's exit code, stdout and stderr.
pub fn stonesmith(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("stonesmith").unwrap().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Bytes of any value but line ends, or a mixture of `letters`, which begin with no command.
pub fn noise(rng: &mut Stream, letters: &[u8]) -> Vec<u8> {
    let mut line: Vec<u8> = (0..rng.random_range(0..120)).map(|_| rng.random_range(0..=255u8)).collect();
    if rng.random_range(0..2) == 0 {
        line.iter_mut().for_each(|byte| *byte = letters[*byte as usize % letters.len()]);
    }
    line.retain(|&byte| byte != b'\n');
    line.insert(0, [b'?', b'~', b'Q', b'#'][rng.random_range(0..4)]);
    line.push(b'\n');
    line
}

/// A source without a limit on its size.
pub fn baked(weights: &Weights, language: Language) -> String {
    bake::bake(weights, &Options::new(language, 0).limited(Limit::Bytes(usize::MAX))).unwrap()
}

/// A source as bots: compiled by gcc, or for each interpreter there is. `folder` keeps the files.
pub fn bots(source: &str, language: Language, folder: &Path) -> Vec<Bot> {
    let path = folder.join(language.file_name());
    std::fs::write(&path, source).unwrap();
    if language == Language::Python {
        let bot =
            |(name, file): &(&str, PathBuf)| Bot { name: name.to_string(), command: vec![file.clone(), path.clone()] };
        return interpreters().iter().map(bot).collect();
    }
    let program = folder.join("bot");
    compile("gcc", &["-std=c11", "-O1"], &path, &program);
    vec![Bot { name: "gcc".into(), command: vec![program] }]
}

/// The templates as they stand, as bots.
pub fn template_bots() -> &'static [Bot] {
    static BOTS: OnceLock<(tempfile::TempDir, Vec<Bot>)> = OnceLock::new();
    let (_, bots) = BOTS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut found = bots(template::OTHELLO_C, Language::C, folder.path());
        found.extend(bots(template::OTHELLO_PY, Language::Python, folder.path()));
        (folder, found)
    });
    bots
}

/// The Othello templates with another plan for the time of a game, in milliseconds; with none they move at once.
pub fn bots_with_plan(folder: &Path, plan: &str) -> Vec<Bot> {
    let c = template::OTHELLO_C.replace("#define PLAN_MS 4500.0", &format!("#define PLAN_MS {plan}"));
    let python = template::OTHELLO_PY.replace("PLAN_MS = 4400.0", &format!("PLAN_MS = {plan}"));
    assert!(c != template::OTHELLO_C && python != template::OTHELLO_PY);
    let mut found = bots(&c, Language::C, folder);
    found.extend(bots(&python, Language::Python, folder));
    found
}

/// Compares golden lines one by one.
pub fn assert_lines(expected: &[String], found: &str, what: &str) {
    for (number, (line, other)) in expected.iter().zip(found.lines()).enumerate() {
        assert_eq!(line, other, "{what}, line {}", number + 1);
    }
    assert_eq!(expected.len(), found.lines().count(), "{what}");
}
