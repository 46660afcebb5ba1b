//! The champions inside the binary: what `champion` means where no `weights/` folder is in reach.

use anyhow::{Context, Result};

use crate::eval::weights::Weights;
use crate::game::GameId;

/// A game's champion when the program was built.
#[derive(Clone, Copy, Debug)]
pub struct Champion {
    /// The game's name.
    game: &'static str,
    /// The name of the weights file.
    name: &'static str,
    /// Its size in bytes.
    len: usize,
    /// Its bytes, compressed.
    packed: &'static [u8],
}

static CHAMPIONS: &[Champion] = include!(concat!(env!("OUT_DIR"), "/champions.rs"));

/// The champion of a game that came with the program.
pub fn built_in(game: GameId) -> Option<Champion> {
    CHAMPIONS.iter().find(|champion| champion.game == game.name()).copied()
}

impl Champion {
    /// The name of the weights file it was.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The bytes of that file.
    pub fn bytes(self) -> Result<Vec<u8>> {
        zstd::bulk::decompress(self.packed, self.len).with_context(|| format!("the built-in {}", self.name))
    }

    /// The weights.
    pub fn weights(self) -> Result<Weights> {
        Weights::from_bytes(&self.bytes()?).with_context(|| format!("the built-in {}", self.name))
    }
}
