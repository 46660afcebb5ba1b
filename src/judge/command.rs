//! A program's command line: words split as a shell splits them, and the program found in the `PATH`.
//!
//! A command of plain words is run directly, so that the process measured is the bot and not a shell around it. Only
//! what needs a shell (variables, globs, redirections, several commands) is handed to `/bin/sh`.

use std::env;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a command cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// No words.
    #[error("the command is empty")]
    Empty,
    /// A quote is not closed, or a backslash ends the text.
    #[error("`{0}`: a quote is not closed")]
    Quote(String),
    /// A NUL character, which no program can be given.
    #[error("the command contains a NUL character")]
    Nul,
    /// No such program.
    #[error("`{0}`: no such program")]
    NotFound(String),
    /// A file that may not be executed.
    #[error("`{0}` is not an executable file")]
    NotExecutable(String),
}

/// A command ready to be run any number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    text: String,
    /// The file to execute.
    pub(super) program: CString,
    /// Its arguments, the name first.
    pub(super) arguments: Vec<CString>,
}

impl Command {
    /// Parses a command line and finds its program.
    pub fn parse(text: &str) -> Result<Command, CommandError> {
        let words = match split(text)? {
            Split::Words(words) => words,
            Split::Shell { replaceable } => {
                let script = if replaceable { format!("exec {text}") } else { text.to_string() };
                vec!["/bin/sh".to_string(), "-c".to_string(), script]
            }
        };
        let name = words.first().filter(|name| !name.is_empty()).ok_or(CommandError::Empty)?;
        let program = find(name)?;
        let nul = |_| CommandError::Nul;
        Ok(Command {
            text: text.trim().to_string(),
            program: CString::new(program.into_os_string().into_vec()).map_err(nul)?,
            arguments: words.into_iter().map(CString::new).collect::<Result<_, _>>().map_err(nul)?,
        })
    }

    /// The command as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What splitting a command line gives.
#[derive(Debug, PartialEq, Eq)]
enum Split {
    /// Plain words.
    Words(Vec<String>),
    /// Something only a shell understands; `replaceable` when it is one command, in whose place the shell can put
    /// itself with `exec`.
    Shell { replaceable: bool },
}

fn split(text: &str) -> Result<Split, CommandError> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let (mut shell, mut compound) = (false, false);
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or_else(|| CommandError::Quote(text.to_string()))? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or_else(|| CommandError::Quote(text.to_string()))? {
                        '"' => break,
                        '\\' if chars.peek().is_some_and(|next| matches!(next, '"' | '\\' | '$' | '`')) => {
                            word.extend(chars.next());
                        }
                        inner => {
                            shell |= matches!(inner, '$' | '`');
                            word.push(inner);
                        }
                    }
                }
            }
            '\\' => {
                let next = chars.next().ok_or_else(|| CommandError::Quote(text.to_string()))?;
                word.get_or_insert_default().push(next);
            }
            '|' | '&' | ';' | '(' | ')' | '\n' => (shell, compound) = (true, true),
            '<' | '>' | '$' | '`' | '*' | '?' | '[' => {
                shell = true;
                word.get_or_insert_default().push(c);
            }
            '~' | '#' if word.is_none() => {
                shell = true;
                word.get_or_insert_default().push(c);
            }
            // An assignment before the program's name.
            '=' if words.is_empty() && word.as_deref().is_some_and(is_variable) => (shell, compound) = (true, true),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if shell {
        let replaceable = !compound && words.first().is_some_and(|word| word != "exec" && word != "!" && word != "{");
        return Ok(Split::Shell { replaceable });
    }
    // Plain words are executed in place already.
    if words.len() > 1 && words[0] == "exec" {
        words.remove(0);
    }
    Ok(Split::Words(words))
}

fn is_variable(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn find(name: &str) -> Result<PathBuf, CommandError> {
    if name.contains('/') {
        let path = PathBuf::from(name);
        return match (path.exists(), is_executable(&path)) {
            (false, _) => Err(CommandError::NotFound(name.to_string())),
            (true, false) => Err(CommandError::NotExecutable(name.to_string())),
            (true, true) => Ok(path),
        };
    }
    let path = env::var_os("PATH").unwrap_or_else(|| OsStr::new("/usr/local/bin:/usr/bin:/bin").to_os_string());
    env::split_paths(&path)
        .map(|folder| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder }.join(name))
        .find(|file| is_executable(file))
        .ok_or_else(|| CommandError::NotFound(name.to_string()))
}

fn is_executable(path: &Path) -> bool {
    let Ok(text) = CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: `text` is a NUL-terminated string that outlives the call.
    path.is_file() && unsafe { libc::access(text.as_ptr(), libc::X_OK) } == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        match split(text).unwrap() {
            Split::Words(words) => words,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        assert_eq!(words("  ./bot  -d 3 "), ["./bot", "-d", "3"]);
        assert_eq!(
            words(r#"python3 "my bot.py" 'a "b" $c' x\ y --k=v "" "#),
            ["python3", "my bot.py", "a \"b\" $c", "x y", "--k=v", ""]
        );
        assert_eq!(words(r#"a "b\"c\d""#), ["a", r#"b"c\d"#]);
        assert_eq!(words("exec ./bot x"), ["./bot", "x"]);
    }

    #[test]
    fn a_shell_is_used_only_where_one_is_needed() {
        for text in ["$HOME/bot", "./bot < data", "./bot *.txt", "~/bot", "a \"$b\""] {
            assert_eq!(split(text).unwrap(), Split::Shell { replaceable: true }, "{text}");
        }
        for text in ["cd x && ./bot", "a | b", "A=1 ./bot", "(./bot)", "./bot & wait", "exec ./bot $x"] {
            assert_eq!(split(text).unwrap(), Split::Shell { replaceable: false }, "{text}");
        }
        assert_eq!(Command::parse("cat $HOME").unwrap().arguments[2].to_str(), Ok("exec cat $HOME"));
    }

    #[test]
    fn what_cannot_be_run_is_named() {
        assert_eq!(Command::parse(" "), Err(CommandError::Empty));
        assert_eq!(Command::parse("''"), Err(CommandError::Empty));
        assert!(matches!(Command::parse("./bot 'x"), Err(CommandError::Quote(_))));
        assert!(matches!(Command::parse("no-such-program-here -x"), Err(CommandError::NotFound(_))));
        assert!(matches!(Command::parse("./no/such/program"), Err(CommandError::NotFound(_))));
        assert!(matches!(Command::parse("/etc/passwd"), Err(CommandError::NotExecutable(_))));
        assert!(matches!(Command::parse("/"), Err(CommandError::NotExecutable(_))));
        assert_eq!(Command::parse("sh -c x").unwrap().program.to_str().map(|path| path.ends_with("/sh")), Ok(true));
    }
}
