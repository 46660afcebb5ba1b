//! Baked bots from outside: Python against Rust, every dialect of a judge, every size, and the machines they may meet.
//!
//! Bots in C need gcc, those in Python python3; what else is used (pypy3, clang, valgrind, mingw-w64) is left out with a
//! message where it is missing. Tests that play whole games are ignored by default: `scripts/test.sh --full` runs them.

#[path = "baked/dialects.rs"]
mod dialects;
#[path = "baked/fuzz.rs"]
mod fuzz;
#[path = "baked/machines.rs"]
mod machines;
#[path = "baked/programs.rs"]
mod programs;
#[path = "baked/provenance.rs"]
mod provenance;
#[path = "baked/python.rs"]
mod python;
#[path = "baked/renju.rs"]
mod renju;
#[path = "baked/renju_ends.rs"]
mod renju_ends;
#[path = "baked/renju_protocol.rs"]
mod renju_protocol;
#[path = "baked/sanitizers.rs"]
mod sanitizers;
#[path = "baked/simulation.rs"]
mod simulation;
#[path = "baked/sizes.rs"]
mod sizes;
