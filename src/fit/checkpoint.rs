//! Checkpoints: a fit that was killed goes on where it was, to the same bits.
//!
//! Private files, written by bincode and read by the same program alone: a blake3 hash of what is fitted and how, the
//! solver's state, and a hash over both. A file of another fit, of another version or damaged is no error: the fit
//! begins anew and overwrites it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::samples::Samples;
use super::solver::{SolverOptions, State};
use crate::dataset::whole_file::WholeFile;

/// A checkpoint is written when so much time has gone into passes since the last.
const EVERY: Duration = Duration::from_secs(20);
/// Changes when [`State`] or the solver does.
const VERSION: u32 = 3;

/// The file of one fit.
pub struct Checkpoint {
    path: PathBuf,
    key: [u8; 32],
    every: Duration,
    last: Instant,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    key: [u8; 32],
    state: State,
}

impl Checkpoint {
    /// The checkpoint at `path` of a fit of `samples` that starts from `x`.
    pub fn new(path: &Path, samples: &Samples, x: &[f64], knots: &[u8], options: &SolverOptions) -> Checkpoint {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&options.lambda.to_le_bytes()).update(&[u8::from(options.sharing)]).update(knots);
        for value in x {
            hasher.update(&value.to_le_bytes());
        }
        for group in &samples.training {
            hasher.update(&(group.ply as u64).to_le_bytes());
            for numbers in [&group.targets, &group.weights] {
                for number in numbers {
                    hasher.update(&number.to_le_bytes());
                }
            }
        }
        Checkpoint { path: path.into(), key: *hasher.finalize().as_bytes(), every: EVERY, last: Instant::now() }
    }

    /// The same checkpoint, written after every pass that ends so much after the last.
    pub fn every(self, every: Duration) -> Checkpoint {
        Checkpoint { every, ..self }
    }

    /// The state the file holds, if it is one of this fit.
    pub fn load(&self) -> Option<State> {
        let bytes = fs::read(&self.path).ok()?;
        let (body, hash) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if blake3::hash(body).as_bytes() != hash {
            return None;
        }
        let (stored, _): (Stored, _) = bincode::serde::decode_from_slice(body, bincode::config::standard()).ok()?;
        (stored.version == VERSION && stored.key == self.key).then_some(stored.state)
    }

    /// Writes the file if it is time to.
    ///
    /// # Errors
    /// When it cannot be written; the one before is still whole.
    pub fn save(&mut self, state: &State) -> io::Result<()> {
        if self.last.elapsed() < self.every {
            return Ok(());
        }
        self.last = Instant::now();
        let stored = Stored { version: VERSION, key: self.key, state: state.clone() };
        let mut bytes =
            bincode::serde::encode_to_vec(&stored, bincode::config::standard()).map_err(io::Error::other)?;
        bytes.extend_from_slice(blake3::hash(&bytes).as_bytes());
        let mut file = WholeFile::create(&self.path)?;
        file.write_all(&bytes)?;
        file.commit()
    }
}
