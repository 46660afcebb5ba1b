//! The results of matches between versions: one append-only `results.tsv`, which `ratings` and `report` read.
//!
//! That of a game's own versions lies in `data/<game>/`, for only gates and publishing write into `weights/`; that of
//! a run lies beside its versions. Games at a fixed depth come out alike whenever they are played, so a match is known
//! by its players, conditions, openings and seed, and each of its pairs is recorded once, however often the match is
//! played, resumed or extended.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::gate::today;
use super::weights::{self, Place};
use super::{Global, progress};
use crate::arena::ledger::ResultRow;
use crate::arena::pairs::Tally;
use crate::arena::ratings::Pairing;
use crate::arena::table;
use crate::game::GameId;

/// The table of the versions in a folder.
pub fn path(game: GameId, versions: &Path) -> PathBuf {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let own = whole(versions) == whole(&weights::folder(game));
    let folder = if own { Path::new("data").join(game.name()) } else { versions.to_path_buf() };
    folder.join("results.tsv")
}

/// All recorded matches of the versions in a folder, which are called by their files' names.
pub fn pairings(global: &Global, game: GameId, versions: &Path) -> Result<Vec<Pairing>> {
    let path = path(game, versions);
    let results = table::read::<ResultRow>(&path)?;
    if let Some(torn) = &results.torn {
        progress::say(global, format!("{}: line {} is torn and left out", path.display(), torn.line));
    }
    let named = |row: &ResultRow| {
        let Pairing { a, b, counts } = Pairing::from(row);
        Pairing { a: full_name(versions, a), b: full_name(versions, b), counts }
    };
    Ok(results.rows.iter().map(named).collect())
}

/// The file name of a version that is known by its id or its name; the word itself where there is no such file.
pub fn full_name(versions: &Path, word: String) -> String {
    let Ok(entries) = fs::read_dir(versions) else { return word };
    let end = format!("-{}.wts", id_of(&word));
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    names.into_iter().find(|name| name.ends_with(&end)).unwrap_or(word)
}

/// The id in `NNN-<id>.wts`; any other word is one itself.
fn id_of(name: &str) -> &str {
    name.strip_suffix(".wts").and_then(|stem| stem.split_once('-')).map_or(name, |(_, id)| id)
}

/// Where the result of a match between two versions goes.
pub struct Record {
    path: PathBuf,
    a: String,
    b: String,
}

impl Record {
    /// The record of a match between two versions of a folder, named as they are to stand in it.
    pub fn new(game: GameId, versions: &Path, [a, b]: [&str; 2]) -> Record {
        Record { path: path(game, versions), a: a.to_string(), b: b.to_string() }
    }

    /// The record of a match between these words, with the ids of what they mean; `None` unless both are versions
    /// of one folder.
    pub fn between(game: GameId, words: [&str; 2], ids: [&str; 2]) -> Option<Record> {
        let (folder, a) = version(game, words[0], ids[0])?;
        let (other, b) = version(game, words[1], ids[1])?;
        (folder.canonicalize().ok()? == other.canonicalize().ok()?).then(|| Record::new(game, &folder, [&a, &b]))
    }

    /// How many pairs of the match played in this way are recorded.
    pub fn pairs(&self, played: &str) -> Result<u64> {
        let rows = table::read::<ResultRow>(&self.path)?.rows;
        let same = |row: &&ResultRow| {
            id_of(&row.a) == id_of(&self.a) && id_of(&row.b) == id_of(&self.b) && row.conditions == played
        };
        Ok(rows.iter().filter(same).map(|row| row.pentanomial.pairs()).sum())
    }

    /// Records pairs beyond those; without any, nothing.
    pub fn append(&self, global: &Global, played: &str, more: &Tally) -> Result<()> {
        let name = self.path.display();
        if more.pentanomial.is_empty() {
            progress::say(global, format!("{name}: these pairs are recorded already; --seed plays others"));
            return Ok(());
        }
        let row = ResultRow {
            date: today(),
            a: self.a.clone(),
            b: self.b.clone(),
            conditions: played.to_string(),
            pentanomial: more.pentanomial,
            differences: more.differences,
            faults: more.faults[0] + more.faults[1],
        };
        let folder = self.path.parent().expect("a file in a folder");
        fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", folder.display()))?;
        append(global, &self.path, &row)?;
        progress::say(global, format!("{} pairs recorded in {name}", row.pentanomial.pairs()));
        Ok(())
    }
}

/// The folder and the name of a version: a file `NNN-<id>.wts`, or a copy of one in the game's own folder.
fn version(game: GameId, word: &str, id: &str) -> Option<(PathBuf, String)> {
    // The champion inside the program has no folder whose results these could be.
    let Ok(Place::File(file)) = weights::locate(game, word) else { return None };
    let name = file.file_name()?.to_string_lossy().into_owned();
    let end = format!("-{id}.wts");
    if name.strip_suffix(&end).is_some_and(|number| number.parse::<u32>().is_ok()) {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return Some((folder.to_path_buf(), name));
    }
    let folder = weights::folder(game);
    let known = full_name(&folder, id.to_string());
    known.ends_with(&end).then_some((folder, known))
}

/// Appends a row to one of the tables, and says so where a torn line had to be cut off.
pub fn append<R: table::Row>(global: &Global, path: &Path, row: &R) -> Result<()> {
    if let Some(torn) = table::append(path, row)? {
        progress::say(global, format!("{}: line {} was torn and is set aside", path.display(), torn.line));
    }
    Ok(())
}
