//! What a match leaves in its folder: `match.json` (who plays and how), `pairs.jsonl` (every pair with its moves,
//! appended as it ends), `results.json` (the result).
//!
//! A match that was killed goes on from the last whole line. One that is resumed with other players or conditions
//! would mix two matches: that is refused, with the entry that differs.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::cli::write_file;

/// One line of `pairs.jsonl`.
#[derive(Serialize, Deserialize)]
pub struct PairLine {
    pub pair: u64,
    pub opening: String,
    /// A's outcome with Black, then with White.
    pub differences: [i32; 2],
    /// Faults of A and of B.
    pub faults: [u64; 2],
    /// The moves of both games, with the opening's.
    pub games: [String; 2],
    /// What the faults were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fault_details: Vec<FaultLine>,
}

/// A game lost without being beaten.
#[derive(Clone, Serialize, Deserialize)]
pub struct FaultLine {
    /// 0 or 1: which game of the pair.
    pub game: usize,
    /// `a` or `b`.
    pub side: char,
    /// As the referee names it.
    pub reason: String,
    pub detail: String,
}

/// What must stay the same for a match to go on. The number of pairs and of games at once may change.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub game: String,
    pub a: String,
    pub b: String,
    pub conditions: String,
    pub seed: u64,
    /// The opening file's name, or that openings are generated.
    pub openings: String,
}

impl Identity {
    /// Everything but the players, in words: two matches of the same players that share it play the same pairs.
    pub fn how_played(&self) -> String {
        format!("{}, openings {}, seed {}", self.conditions, self.openings, self.seed)
    }

    /// Writes this identity into the folder, or compares it with the one that is there.
    ///
    /// # Errors
    /// When the folder belongs to another match.
    pub fn claim(&self, folder: &Path) -> Result<()> {
        let path = folder.join("match.json");
        if !path.exists() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            return write_file(&path, (serde_json::to_string_pretty(self)? + "\n").as_bytes());
        }
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let there: Identity = serde_json::from_str(&text).with_context(|| format!("{}: no match", path.display()))?;
        let seeds = (there.seed.to_string(), self.seed.to_string());
        for (key, there, here) in [
            ("game", &there.game, &self.game),
            ("a", &there.a, &self.a),
            ("b", &there.b, &self.b),
            ("conditions", &there.conditions, &self.conditions),
            ("seed", &seeds.0, &seeds.1),
            ("openings", &there.openings, &self.openings),
        ] {
            if there != here {
                bail!("{}: another match is in this folder: its {key} is `{there}`, not `{here}`", folder.display());
            }
        }
        Ok(())
    }
}

/// `pairs.jsonl`, appended pair by pair; a torn last line is cut on opening.
pub struct PairLog {
    file: File,
    path: PathBuf,
    /// The pairs that were there.
    pub known: Vec<PairLine>,
}

impl PairLog {
    /// Opens the log and reads what is in it.
    ///
    /// # Errors
    /// When a whole line is no pair, or the file cannot be used.
    pub fn open(path: &Path) -> Result<PairLog> {
        let name = || path.display().to_string();
        let mut known = Vec::new();
        let mut whole = 0;
        if path.exists() {
            let mut reader = BufReader::new(File::open(path).with_context(name)?);
            let mut line = String::new();
            while reader.read_line(&mut line).with_context(name)? > 0 {
                if !line.ends_with('\n') {
                    break;
                }
                let parsed = serde_json::from_str(&line);
                known.push(parsed.with_context(|| format!("{}:{}: not a pair", name(), known.len() + 1))?);
                whole += line.len() as u64;
                line.clear();
            }
            OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole)).with_context(name)?;
        }
        fs::create_dir_all(path.parent().expect("a file in a folder"))?;
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(name)?;
        Ok(PairLog { file, path: path.to_path_buf(), known })
    }

    /// Appends a pair, by one write.
    pub fn push(&mut self, line: &PairLine) -> Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        self.file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}
