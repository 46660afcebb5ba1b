//! What the dialects of all judges have in common: line ends, the word for a turn, and how answers are written.
//!
//! A dialect is a list of words joined by commas. Those that concern one game's requests stand with its judge; these
//! hold for any. Coordinates are counted and ordered alike in answers and requests.

use super::verdict::{Fault, Reason, quoted};

/// How requests and answers are spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The request for a move.
    pub turn: String,
    /// `START` before that word.
    pub start: bool,
    /// Lines end with `\r\n`.
    pub crlf: bool,
    /// Requests come in small letters, boards as ever.
    pub lower: bool,
    /// An empty line and an unknown command come before every request, blanks round it, and a byte order mark first.
    pub noise: bool,
    /// The answer to READY.
    pub ready: String,
    /// What stands before the coordinates; may be empty.
    pub verb: String,
    /// The answer without a move, where it is not the judge's usual one.
    pub pass: Option<String>,
    /// The first row and column are 0.
    pub zero_based: bool,
    /// The column comes before the row.
    pub column_first: bool,
}

impl Default for Spelling {
    fn default() -> Spelling {
        Spelling {
            turn: "TURN".to_string(),
            start: false,
            crlf: false,
            lower: false,
            noise: false,
            ready: "OK".to_string(),
            verb: "MOVE".to_string(),
            pass: None,
            zero_based: false,
            column_first: false,
        }
    }
}

impl Spelling {
    /// The words and what they mean.
    pub const WORDS: [(&'static str, &'static str); 10] = [
        ("start", "START TURN instead of TURN"),
        ("crlf", "lines end with CR LF"),
        ("lower", "requests in small letters"),
        ("noise", "an empty line and an unknown command before every request, blanks round it"),
        ("turn=WORD", "another word for TURN"),
        ("ready=WORD", "READY is answered by this instead of OK"),
        ("verb=WORD", "this or nothing before the coordinates instead of MOVE"),
        ("pass=WORDS", "the answer without a move"),
        ("zero-based", "rows and columns count from 0"),
        ("column-first", "the column comes before the row"),
    ];

    /// Takes a word of a dialect; false where it is none of these.
    pub fn take(&mut self, word: &str) -> bool {
        match word.split_once('=') {
            Some(("turn", text)) => self.turn = text.to_string(),
            Some(("ready", text)) => self.ready = text.to_string(),
            Some(("verb", text)) => self.verb = text.to_string(),
            Some(("pass", text)) => self.pass = Some(text.to_string()),
            Some(_) => return false,
            None => match word {
                "start" => self.start = true,
                "crlf" => self.crlf = true,
                "lower" => self.lower = true,
                "noise" => self.noise = true,
                "zero-based" => self.zero_based = true,
                "column-first" => self.column_first = true,
                _ => return false,
            },
        }
        true
    }

    /// The words of this spelling, in the order of [`Spelling::WORDS`].
    pub fn words(&self) -> Vec<String> {
        let usual = Spelling::default();
        let flag = |set: bool, word: &str| set.then(|| word.to_string());
        let text = |own: &str, usual: &str, key: &str| (own != usual).then(|| format!("{key}={own}"));
        let words = [
            flag(self.start, "start"),
            flag(self.crlf, "crlf"),
            flag(self.lower, "lower"),
            flag(self.noise, "noise"),
            text(&self.turn, &usual.turn, "turn"),
            text(&self.ready, &usual.ready, "ready"),
            text(&self.verb, &usual.verb, "verb"),
            self.pass.as_ref().map(|pass| format!("pass={pass}")),
            flag(self.zero_based, "zero-based"),
            flag(self.column_first, "column-first"),
        ];
        words.into_iter().flatten().collect()
    }

    /// The words of a judge's own dialect and those of this one, joined; `standard` for none.
    pub fn joined(&self, own: Vec<&str>) -> String {
        let words: Vec<String> = own.into_iter().map(str::to_string).chain(self.words()).collect();
        if words.is_empty() { "standard".to_string() } else { words.join(",") }
    }

    /// The help of a dialect with its own words before these.
    pub fn summary(own: &[(&str, &str)]) -> String {
        let words = own.iter().chain(&Spelling::WORDS);
        words.map(|(word, meaning)| format!("{word}: {meaning}")).collect::<Vec<_>>().join("; ")
    }

    /// The error of a word that no dialect has.
    pub fn unknown(word: &str, own: &[(&str, &str)]) -> String {
        let words: Vec<&str> = own.iter().chain(&Spelling::WORDS).map(|(word, _)| *word).collect();
        format!("unknown dialect `{word}`: expected {}, joined by commas", words.join(", "))
    }

    /// The end of a line.
    pub fn end(&self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }

    /// The greeting: `READY` and what follows it.
    pub fn greeting(&self, seat: &str) -> String {
        let mark = if self.noise { "\u{feff}" } else { "" };
        format!("{mark}{}", self.line(&format!("READY{seat}"), ""))
    }

    /// The request for a move with what follows it.
    pub fn request(&self, rest: &str) -> String {
        let start = if self.start { "START " } else { "" };
        self.line(&format!("{start}{}", self.turn), rest)
    }

    /// A line of `command` and `rest`, which keeps its letters.
    pub fn line(&self, command: &str, rest: &str) -> String {
        let command = if self.lower { command.to_lowercase() } else { command.to_string() };
        let end = self.end();
        if self.noise {
            format!("{end}NOTE of no meaning{end} {command}{rest} {end}")
        } else {
            format!("{command}{rest}{end}")
        }
    }

    /// Checks the answer to the greeting.
    ///
    /// # Errors
    /// A FORMAT fault.
    pub fn check_ready(&self, line: &str) -> Result<(), Fault> {
        if line == self.ready {
            return Ok(());
        }
        let (found, expected) = (quoted(line.as_bytes()), &self.ready);
        Err(Fault::new(Reason::Format, format!("READY was answered by {found} instead of `{expected}`")))
    }

    /// Whether an answer is the pass, whose usual spellings are given.
    pub fn is_pass(&self, line: &str, usual: &[&str]) -> bool {
        self.pass.as_deref().map_or_else(|| usual.contains(&line), |pass| pass == line)
    }

    /// Row and column, from 1, of an answer with a move: single blanks, and nothing else.
    ///
    /// # Errors
    /// A FORMAT fault that says what was expected.
    pub fn read(&self, line: &str) -> Result<(i64, i64), Fault> {
        let numbers = match self.verb.as_str() {
            "" => Some(line),
            verb => line.strip_prefix(verb).and_then(|rest| rest.strip_prefix(' ')),
        };
        let pair = numbers.and_then(|text| text.split_once(' ')).and_then(|(a, b)| Some((integer(a)?, integer(b)?)));
        let (first, second) = pair.ok_or_else(|| {
            let letters = if self.column_first { "c r" } else { "r c" };
            let expected = format!("{} {letters}", self.verb);
            let blanks = if line.trim() != line { " (mind the blanks)" } else { "" };
            let pass = self.pass.as_deref().unwrap_or("PASS");
            let found = quoted(line.as_bytes());
            let detail = format!("expected `{}` or `{pass}`, found {found}{blanks}", expected.trim());
            Fault::new(Reason::Format, detail)
        })?;
        let (row, col) = if self.column_first { (second, first) } else { (first, second) };
        let base = i64::from(self.zero_based);
        Ok((row.saturating_add(base), col.saturating_add(base)))
    }

    /// A row and column, from 1, as they are written.
    pub fn coordinates(&self, (row, col): (usize, usize)) -> String {
        let base = usize::from(self.zero_based);
        let (row, col) = (row - base, col - base);
        if self.column_first { format!("{col} {row}") } else { format!("{row} {col}") }
    }
}

/// An integer as a program prints one: digits, a minus sign at most before them.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let padded = digits.len() > 1 && digits.starts_with('0');
    // A number too large for the type is a number all the same, and outside every board.
    (plain && !padded).then(|| text.parse().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling(text: &str) -> Spelling {
        let mut spelling = Spelling::default();
        text.split(',').for_each(|word| assert!(spelling.take(word), "{word}"));
        spelling
    }

    #[test]
    fn answers_are_read_as_they_are_spelled() {
        assert_eq!(Spelling::default().read("MOVE 3 4"), Ok((3, 4)));
        assert_eq!(spelling("zero-based,column-first").read("MOVE 3 4"), Ok((5, 4)));
        assert_eq!(spelling("verb=PUT:").read("PUT: 3 4"), Ok((3, 4)));
        assert_eq!(spelling("verb=").read("3 4"), Ok((3, 4)));
        assert_eq!(spelling("zero-based").read("MOVE 99999999999999999999 0"), Ok((i64::MAX, 1)));
        for (text, line) in [("verb=", " 3 4"), ("verb=", "MOVE 3 4"), ("verb=PUT", "PUT3 4"), ("zero-based", "MOVE 3")]
        {
            assert_eq!(spelling(text).read(line).unwrap_err().reason, Reason::Format, "{text}: {line}");
        }
        let detail = spelling("verb=PUT,pass=NONE,column-first").read("MOVE 3 4").unwrap_err().detail;
        assert_eq!(detail, "expected `PUT c r` or `NONE`, found `MOVE 3 4`");
        assert!(
            spelling("pass=-1 -1").is_pass("-1 -1", &["PASS"]) && !spelling("pass=-1 -1").is_pass("PASS", &["PASS"])
        );
    }

    #[test]
    fn requests_are_written_as_they_are_spelled() {
        assert_eq!(Spelling::default().request(" 1 .BW"), "TURN 1 .BW\n");
        assert_eq!(spelling("start,lower,crlf").request(" 1 .BW"), "start turn 1 .BW\r\n");
        assert_eq!(spelling("turn=GO").request(""), "GO\n");
        assert_eq!(spelling("noise").request(" 1"), "\nNOTE of no meaning\n TURN 1 \n");
        assert!(spelling("noise,lower").greeting(" FIRST").starts_with('\u{feff}'));
        assert_eq!(spelling("zero-based,column-first").coordinates((8, 1)), "0 7");
    }

    #[test]
    fn words_round_trip() {
        let text = "start,crlf,lower,noise,turn=GO,ready=HI,verb=,pass=NO MOVE,zero-based,column-first";
        assert_eq!(spelling(text).words().join(","), text);
        assert!(!Spelling::default().take("verbs=x") && !Spelling::default().take("klingon"));
    }
}
