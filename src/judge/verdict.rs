//! What a judged game ends with: who won, why, and whose fault it was.
//!
//! Every loss that is not a loss on the board has one [`Reason`], named as contestants know it from their judges.
//! A fault of one side is a win of the other, whatever the board says.

use std::fmt;

use serde::Serialize;

/// One of the two programs of a match: the one given as `--first` or the one given as `--second`. This says nothing
/// about colours, which may change from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The program named first.
    First,
    /// The program named second.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for the first, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other program.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// `FIRST` or `SECOND`, as logs name the sides.
    pub fn label(self) -> &'static str {
        match self {
            Side::First => "FIRST",
            Side::Second => "SECOND",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

/// Why a game ended as it did. All but [`Reason::Ok`] are faults of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// The game was played to its end.
    Ok,
    /// The answer time ran out.
    Tle,
    /// The processes of the program used more CPU time than allowed, whoever was on move.
    CpuTle,
    /// The processes of the program held more memory than allowed.
    Memory,
    /// The program ended, was killed by a signal, or closed its input or output.
    Crash,
    /// A move the rules do not allow, or coordinates outside the board.
    Illegal,
    /// A pass where a pass is not allowed.
    IllegalPass,
    /// A move forbidden to Black in Renju.
    Forbidden,
    /// An answer that is not written as the protocol says.
    Format,
    /// Output without end: more than the referee is willing to read.
    Flood,
    /// More output than the one line asked for.
    ExtraOutput,
}

impl Reason {
    /// The name in logs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Ok => "OK",
            Reason::Tle => "TLE",
            Reason::CpuTle => "CPU_TLE",
            Reason::Memory => "MEMORY",
            Reason::Crash => "CRASH",
            Reason::Illegal => "ILLEGAL",
            Reason::IllegalPass => "ILLEGAL_PASS",
            Reason::Forbidden => "FORBIDDEN",
            Reason::Format => "FORMAT",
            Reason::Flood => "FLOOD",
            Reason::ExtraOutput => "EXTRA_OUTPUT",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A fault of a program, before it is known which side the program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind; never [`Reason::Ok`].
    pub reason: Reason,
    /// What happened, in words for the program's author.
    pub detail: String,
}

impl Fault {
    /// A fault with its description.
    pub fn new(reason: Reason, detail: impl Into<String>) -> Fault {
        Fault { reason, detail: detail.into() }
    }
}

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The program named first.
    First,
    /// The program named second.
    Second,
    /// Nobody.
    Draw,
}

impl From<Side> for Winner {
    fn from(side: Side) -> Winner {
        match side {
            Side::First => Winner::First,
            Side::Second => Winner::Second,
        }
    }
}

impl Winner {
    /// `first`, `second` or `draw`.
    pub fn name(self) -> &'static str {
        match self {
            Winner::First => "first",
            Winner::Second => "second",
            Winner::Draw => "draw",
        }
    }
}

/// The referee's decision on one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won.
    pub result: Winner,
    /// How.
    pub reason: Reason,
    /// In words: the score of a finished game, or what the faulty side did.
    pub detail: String,
    /// Whose fault it was; `None` for a game played to its end.
    pub faulty: Option<Side>,
}

impl Verdict {
    /// The game is lost by `side`'s fault.
    pub fn fault(side: Side, fault: Fault) -> Verdict {
        Verdict { result: side.other().into(), reason: fault.reason, detail: fault.detail, faulty: Some(side) }
    }
}

/// A bot's own text as it may stand in a message: printable, on one line, and short.
pub fn quoted(bytes: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(LONGEST).flat_map(|c| c.escape_debug()).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_the_other_sides_win() {
        let verdict = Verdict::fault(Side::Second, Fault::new(Reason::Tle, "late"));
        assert_eq!((verdict.result, verdict.faulty), (Winner::First, Some(Side::Second)));
    }

    #[test]
    fn json_names_are_those_of_logs() {
        for reason in [Reason::Ok, Reason::CpuTle, Reason::IllegalPass, Reason::ExtraOutput, Reason::Flood] {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
        }
        assert_eq!(serde_json::to_value(Side::First).unwrap(), "first");
        assert_eq!(serde_json::to_value(Winner::Draw).unwrap(), Winner::Draw.name());
    }

    #[test]
    fn quoted_text_stays_on_one_short_line() {
        assert_eq!(quoted(b"MOVE 3\t4"), "`MOVE 3\\t4`");
        assert!(quoted(&[b'x'; 5000]).chars().count() < 70);
        assert!(!quoted(b"a\nb\xff").contains('\n'));
    }
}
