//! Stonesmith trains board-game evaluations by self-play and forges them into single-file judge bots.
//!
//! The modules stand on floors, lowest first; a module uses only floors below it, and `tests/architecture.rs`
//! holds the table of what each may use. Two games live here (Othello on 4×4, 6×6 and 8×8; Renju on 15×15);
//! the pipeline (`play`, `selfplay`, `label`, `fit`, `arena`) knows neither by name: [`kit`] puts them together.
//!
//! Data goes round once a generation, and each arrow is a file, so any step can be killed and run again:
//! weights → selfplay → shards → label → shards → fit → candidate → gate → weights + ledger → bake → judge.

pub mod ordered;

pub mod rng;

pub mod game;

pub mod dataset;

pub mod eval;

pub mod search;

pub mod play;

pub mod selfplay;

pub mod label;

pub mod fit;

pub mod judge;

pub mod bake;

pub mod arena;

pub mod report;

pub mod kit;

pub mod cli;
