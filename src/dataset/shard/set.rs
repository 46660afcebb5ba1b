//! Many shards as one sequence of records.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use super::{ShardError, ShardHeader, ShardReader, Tail, Torn, io_error};
use crate::dataset::GameRecord;
use crate::game::GameId;

/// One shard of a set: what its header and its frame heads say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The file.
    pub path: PathBuf,
    /// What it says of its run.
    pub header: ShardHeader,
    /// Its records.
    pub games: u64,
    /// Their plies.
    pub positions: u64,
}

/// Shards of one game in a fixed order: the folders and files as they were given, those of a folder by name.
#[derive(Clone, Debug)]
pub struct ShardSet {
    game: GameId,
    shards: Vec<Shard>,
    torn: Vec<Torn>,
    tail: Tail,
}

impl ShardSet {
    /// Opens every shard among `sources`: files, and folders with their finished shards (`*.games`). The heads of all
    /// frames are checked; all shards must be of the game of the first, and there must be one.
    pub fn open<P: AsRef<Path>>(sources: &[P], tail: Tail) -> Result<ShardSet, ShardError> {
        let mut files = Vec::new();
        for source in sources {
            let source = source.as_ref();
            if source.is_dir() {
                let found = shards_in(source)?;
                if found.is_empty() {
                    return Err(ShardError::NoShards { folder: source.to_path_buf() });
                }
                files.extend(found);
            } else {
                files.push(source.to_path_buf());
            }
        }
        let (mut shards, mut torn) = (Vec::<Shard>::new(), Vec::new());
        for path in files {
            let reader = match shards.first() {
                Some(first) => ShardReader::open_game(&path, tail, first.header.game)?,
                None => ShardReader::open(&path, tail)?,
            };
            torn.extend(reader.torn().cloned());
            let header = reader.header().clone();
            shards.push(Shard { path, header, games: reader.games(), positions: reader.positions() });
        }
        let game = shards.first().map(|first| first.header.game);
        let game = game.ok_or_else(|| ShardError::NoShards { folder: PathBuf::new() })?;
        Ok(ShardSet { game, shards, torn, tail })
    }

    /// The game of all shards.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// The shards in order.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// The tails that are missing, where they may be.
    pub fn torn(&self) -> &[Torn] {
        &self.torn
    }

    /// The number of records.
    pub fn games(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// The number of positions (plies).
    pub fn positions(&self) -> u64 {
        self.shards.iter().map(|shard| shard.positions).sum()
    }

    /// The runs the shards come from, each once, in order.
    pub fn run_ids(&self) -> Vec<[u8; 32]> {
        let mut ids = Vec::new();
        for shard in &self.shards {
            if !ids.contains(&shard.header.run_id) {
                ids.push(shard.header.run_id);
            }
        }
        ids
    }

    /// The records in order, one frame in memory at a time. The first error ends them.
    pub fn records(&self) -> Records<'_> {
        Records { shards: self.shards.iter(), tail: self.tail, current: None }
    }

    /// The BLAKE3 hash over the payloads of all shards in order. It does not depend on how the records are divided
    /// into shards and frames.
    pub fn content_hash(&self) -> Result<blake3::Hash, ShardError> {
        let mut hasher = blake3::Hasher::new();
        for shard in &self.shards {
            let mut reader = ShardReader::open(&shard.path, self.tail)?;
            while let Some((_, _, payload)) = reader.next_payload()? {
                hasher.update(&payload);
            }
        }
        Ok(hasher.finalize())
    }
}

/// The records of a [`ShardSet`] in order.
pub struct Records<'a> {
    shards: slice::Iter<'a, Shard>,
    tail: Tail,
    current: Option<ShardReader>,
}

impl Records<'_> {
    /// The shard of the record that came last.
    pub fn path(&self) -> Option<&Path> {
        self.current.as_ref().map(ShardReader::path)
    }
}

impl Iterator for Records<'_> {
    type Item = Result<GameRecord, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.current.as_mut().and_then(Iterator::next) {
                if next.is_err() {
                    self.shards = [].iter();
                }
                return Some(next);
            }
            match ShardReader::open(&self.shards.next()?.path, self.tail) {
                Ok(reader) => self.current = Some(reader),
                Err(error) => {
                    self.shards = [].iter();
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The finished shards of a folder by name.
fn shards_in(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
    let entries = fs::read_dir(folder).map_err(io_error(folder, "list"))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(io_error(folder, "list"))?.path();
        if path.extension().is_some_and(|extension| extension == "games") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
