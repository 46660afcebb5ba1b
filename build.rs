//! Puts each game's champion into the binary: `weights/<game>/champion` names a file beside it, which is compressed
//! into `OUT_DIR`, where `champions.rs` lists what there is. Without `weights/` the list is empty.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Compression level of zstd: slow to compress, as quick to read as any.
const LEVEL: i32 = 19;

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the folder of the package"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the folder for what is built"));
    let folder = root.join("weights");
    println!("cargo::rerun-if-changed=build.rs");
    if folder.exists() {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    let mut list = String::from("&[\n");
    for game in games(&folder) {
        let Some((name, bytes)) = champion(&folder.join(&game)) else { continue };
        let packed = out.join(format!("{game}.zst"));
        let compressed = zstd::bulk::compress(&bytes, LEVEL).expect("memory for the compressor");
        fs::write(&packed, compressed).unwrap_or_else(|error| panic!("{}: {error}", packed.display()));
        let len = bytes.len();
        writeln!(
            list,
            "    Champion {{ game: {game:?}, name: {name:?}, len: {len}, packed: include_bytes!({packed:?}) }},"
        )
        .expect("a string takes everything");
    }
    list.push_str("]\n");
    let path = out.join("champions.rs");
    fs::write(&path, list).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The names of the folders in `weights/`, in order.
fn games(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// The name and bytes of a game's champion, if it has one.
fn champion(folder: &Path) -> Option<(String, Vec<u8>)> {
    let name = fs::read_to_string(folder.join("champion")).ok()?.trim().to_string();
    let path = folder.join(&name);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some((name, bytes))
}
