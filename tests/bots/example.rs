//! The programs of this folder, built as examples, for the tests that start them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The example beside this test's own executable; built now when only this test was asked for and it is missing or old.
pub fn example(name: &str) -> PathBuf {
    let own = env::current_exe().unwrap();
    let profile = own.parent().unwrap().parent().unwrap();
    let bot = profile.join("examples").join(name);
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/bots/{name}.rs"));
    if changed(&bot) < changed(&source) {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--example", name]).current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
    }
    bot
}
