//! Matches between versions and what they prove: openings, statistics, ratings and the ledger.
//!
//! The unit of every statistic is the pair: one opening played twice with colours swapped. [`elo`] turns pair
//! counts into Elo, [`sprt`] decides between two hypotheses while a match runs, [`stopped`] corrects the estimate
//! of a match that such a test ended, [`ratings`] fits all recorded matches at once. [`openings`] says what is
//! played, [`ledger`] keeps what came out, in the append-only files of [`table`]. No game is known here by name.

pub mod elo;
pub mod ledger;
pub mod openings;
pub mod pairs;
pub mod ratings;
pub mod sprt;
pub mod stopped;
pub mod table;
