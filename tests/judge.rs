//! The referee from outside: programs that misbehave in every known way, its clocks, logs, replays and dialects.
//!
//! The bots are `tests/bots/badbot.rs`, built as an example. Limits are short so that the tests are quick; times are
//! compared with wide margins, because a test must not fail on a busy machine.

#[path = "judge/bots.rs"]
mod bots;
#[path = "judge/clocks.rs"]
mod clocks;
#[path = "judge/dialects.rs"]
mod dialects;
#[path = "bots/example.rs"]
mod example;
#[path = "judge/games.rs"]
mod games;
#[path = "judge/logs.rs"]
mod logs;
#[path = "judge/misconduct.rs"]
mod misconduct;
