//! Which weights a word on the command line means.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Global;
use super::champions::{Champion, built_in};
use crate::eval::edax;
use crate::eval::weights::Weights;
use crate::game::GameId;
use crate::kit;

/// The folder of a game's weights versions.
pub fn folder(game: GameId) -> PathBuf {
    Path::new("weights").join(game.name())
}

/// Where the weights are that a word means.
pub enum Place {
    /// A file: one given by its path, or one in `weights/`.
    File(PathBuf),
    /// The champion that came with the program.
    BuiltIn(Champion),
}

/// The weights a word means: a path, a version's number, or `champion`.
pub fn resolve(global: &Global, word: &str) -> Result<Weights> {
    let (weights, name) = match locate(global.game, word)? {
        Place::File(path) => (read(&path)?, path.display().to_string()),
        Place::BuiltIn(champion) => (champion.weights()?, format!("the built-in {}", champion.name())),
    };
    if weights.game != global.game {
        bail!("{name}: weights for {}, expected {} (-g)", weights.game, global.game);
    }
    Ok(weights)
}

/// The weights in a file: a weights file, or Edax's evaluation file.
pub fn read(path: &Path) -> Result<Weights> {
    let mut start = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    if opened.is_ok() && edax::is_edax(&start) {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        return edax::from_bytes(&bytes).with_context(|| path.display().to_string());
    }
    Ok(Weights::read(path)?)
}

/// As [`resolve`], and `zero` means weights that know nothing.
pub fn resolve_or_zero(global: &Global, word: &str) -> Result<Weights> {
    if word == "zero" {
        return kit::zero_weights(global.game).with_context(|| format!("{} has no features yet", global.game));
    }
    resolve(global, word)
}

/// The weights of `word`; without one the champion, and where there is none, weights that know nothing.
pub fn resolve_or_champion(global: &Global, word: Option<&str>) -> Result<Weights> {
    let has_champion = || folder(global.game).join("champion").exists() || built_in(global.game).is_some();
    match word {
        Some(word) => resolve_or_zero(global, word),
        None if has_champion() => resolve(global, "champion"),
        None => resolve_or_zero(global, "zero"),
    }
}

/// Where the weights of a word are. What `weights/` holds goes first; where it has no such version, the champion
/// inside the program has its word and its number.
pub fn locate(game: GameId, word: &str) -> Result<Place> {
    if word == "champion" {
        let name = folder(game).join("champion");
        return match (fs::read_to_string(&name), built_in(game)) {
            (Ok(text), _) => Ok(Place::File(folder(game).join(text.trim()))),
            (Err(error), Some(champion)) if error.kind() == ErrorKind::NotFound => Ok(Place::BuiltIn(champion)),
            (Err(error), _) => Err(error).with_context(|| {
                format!("{}: no champion of {game} here; `stonesmith train --publish` makes one", name.display())
            }),
        };
    }
    let Ok(number) = word.parse::<u32>() else { return Ok(Place::File(PathBuf::from(word))) };
    match (numbered(&folder(game), number), built_in(game)) {
        (Ok(path), _) => Ok(Place::File(path)),
        (Err(NoVersion::None(_)), Some(champion)) if is_numbered(champion.name(), number) => {
            Ok(Place::BuiltIn(champion))
        }
        (Err(error), _) => Err(error.into()),
    }
}

/// Why a number names no version.
#[derive(Debug, thiserror::Error)]
enum NoVersion {
    #[error("{0}")]
    None(String),
    #[error("{0}: more than one version {1:03}")]
    Several(String, u32),
}

/// The file a word means where versions are those of `folder` alone.
pub fn locate_in(folder: &Path, word: &str) -> Result<PathBuf> {
    if word == "champion" {
        let name = folder.join("champion");
        let text = fs::read_to_string(&name).with_context(|| format!("{}: no champion here", name.display()))?;
        return Ok(folder.join(text.trim()));
    }
    let Ok(number) = word.parse::<u32>() else { return Ok(PathBuf::from(word)) };
    Ok(numbered(folder, number)?)
}

/// The version of a number in `folder`.
fn numbered(folder: &Path, number: u32) -> Result<PathBuf, NoVersion> {
    let entries = fs::read_dir(folder).map_err(|error| NoVersion::None(format!("{}: {error}", folder.display())))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.file_name().is_some_and(|name| is_numbered(&name.to_string_lossy(), number)))
        .collect();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(NoVersion::None(format!("{}: no version {number:03}", folder.display()))),
        _ => Err(NoVersion::Several(folder.display().to_string(), number)),
    }
}

/// Whether a file's name is that of a version of this number.
fn is_numbered(name: &str, number: u32) -> bool {
    name.starts_with(&format!("{number:03}-")) && name.ends_with(".wts")
}
