//! The clocks of a match, apart from the conditions that gates share: gates play at fixed depth or nodes.

use std::time::Duration;

/// Time instead of depth or nodes.
#[derive(Clone, Debug, clap::Args)]
pub struct Clocks {
    /// Play on time: so many milliseconds of answer time, and of CPU time, for each side in a game
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000), conflicts_with = "nodes")]
    pub game_ms: Option<u64>,
    /// The time of a move, for gomocup: programs in games without clocks
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub move_ms: u64,
}

impl Clocks {
    /// No clocks.
    pub const NONE: Clocks = Clocks { game_ms: None, move_ms: 1000 };

    /// A side's time in a game.
    pub fn game(&self) -> Option<Duration> {
        self.game_ms.map(Duration::from_millis)
    }
}
