//! Which weights a word on the command line means.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Global;
use crate::eval::weights::Weights;
use crate::game::GameId;
use crate::kit;

/// The folder of a game's weights versions.
pub fn folder(game: GameId) -> PathBuf {
    Path::new("weights").join(game.name())
}

/// The weights a word means: a path, a version's number, or `champion`.
pub fn resolve(global: &Global, word: &str) -> Result<Weights> {
    let path = locate(global.game, word)?;
    let weights = Weights::read(&path)?;
    if weights.game != global.game {
        bail!("{}: weights for {}, expected {} (-g)", path.display(), weights.game, global.game);
    }
    Ok(weights)
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
    match word {
        Some(word) => resolve_or_zero(global, word),
        None if folder(global.game).join("champion").exists() => resolve(global, "champion"),
        None => resolve_or_zero(global, "zero"),
    }
}

/// The file a word means.
pub fn locate(game: GameId, word: &str) -> Result<PathBuf> {
    locate_in(&folder(game), word)
}

/// The file a word means where versions are those of `folder`.
pub fn locate_in(folder: &Path, word: &str) -> Result<PathBuf> {
    if word == "champion" {
        let name = folder.join("champion");
        let text = fs::read_to_string(&name)
            .with_context(|| format!("{}: no champion here; `stonesmith train --publish` makes one", name.display()))?;
        return Ok(folder.join(text.trim()));
    }
    if let Ok(number) = word.parse::<u32>() {
        let prefix = format!("{number:03}-");
        let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
        let mut found: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
            .filter(|path| path.extension().is_some_and(|extension| extension == "wts"))
            .collect();
        found.sort();
        return match found.len() {
            1 => Ok(found.remove(0)),
            0 => bail!("{}: no version {number:03}", folder.display()),
            _ => bail!("{}: more than one version {number:03}", folder.display()),
        };
    }
    Ok(PathBuf::from(word))
}
