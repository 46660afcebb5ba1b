//! How a baked bot writes its answers: the words of a judge that differs from the known ones, and its coordinates.

use std::str::FromStr;

use thiserror::Error;

/// The words and numbers of a bot's answers, and the request it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The answer to READY.
    pub ready: Word,
    /// What stands before the coordinates; may be empty.
    pub verb: Word,
    /// The whole answer when there is no move; `None` for what the game's judges are known to take.
    pub pass: Option<Word>,
    /// The request for a move, besides `START` and this word. In upper case: requests are compared without case.
    pub turn: Word,
    /// The number of the first row and column: 0 or 1.
    pub index_base: u8,
    /// Whether the column comes before the row.
    pub column_first: bool,
}

impl Default for Spelling {
    fn default() -> Spelling {
        let word = |text: &str| Word(text.to_string());
        Spelling {
            ready: word("OK"),
            verb: word("MOVE"),
            pass: None,
            turn: word("TURN"),
            index_base: 1,
            column_first: false,
        }
    }
}

impl Spelling {
    /// The answer when there is no move, `usual` if none was asked for.
    pub(super) fn pass_or<'a>(&'a self, usual: &'a str) -> &'a str {
        self.pass.as_ref().map_or(usual, Word::as_str)
    }

    /// The verb with the blank that separates it, or nothing.
    pub(super) fn verb_and_blank(&self) -> String {
        if self.verb.0.is_empty() { String::new() } else { format!("{} ", self.verb.0) }
    }
}

/// A word that may stand in a string literal of any language: letters, digits, `+ - _ . :` and single blanks inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(String);

/// A text that is no [`Word`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected at most 30 letters, digits, `+ - _ . :` and blanks between them, found `{0}`")]
pub struct NoWord(String);

impl Word {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Word {
    type Err = NoWord;

    fn from_str(text: &str) -> Result<Word, NoWord> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "+-_.: ".contains(c);
        if text.len() > 30 || !text.chars().all(allowed) || text.trim() != text || text.contains("  ") {
            return Err(NoWord(text.chars().take(40).collect()));
        }
        Ok(Word(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_leave_their_literal() {
        for text in ["MOVE", "", "MOVE -1 -1", "put:", "a_b.c"] {
            assert_eq!(text.parse::<Word>().unwrap().as_str(), text);
        }
        for text in ["\"", "\\n", " PASS", "PASS\n", "a  b", "%d", "패스", "0123456789012345678901234567890"] {
            assert!(text.parse::<Word>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_empty_verb_leaves_no_blank() {
        let spelling = Spelling { verb: "".parse().unwrap(), ..Spelling::default() };
        assert_eq!((spelling.verb_and_blank(), Spelling::default().verb_and_blank()), (String::new(), "MOVE ".into()));
    }
}
