//! The settings file of known testing tools: `INPUT=`, `LOG=`, `EXEC1=` and `EXEC2=`, one a line.
//!
//! Keys are case-insensitive, a value may stand in quotes, `#` and `;` begin comments, section headings are skipped.
//! INPUT is the openings file, EXEC1 and EXEC2 the commands of the first and second program.

use thiserror::Error;

/// What a settings file says; what it does not mention, or leaves empty, is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The openings file.
    pub input: Option<String>,
    /// The log file.
    pub log: Option<String>,
    /// The first program's command.
    pub exec1: Option<String>,
    /// The second program's command.
    pub exec2: Option<String>,
    /// Keys that mean nothing here.
    pub unknown: Vec<String>,
}

/// A line that is no setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: expected KEY=VALUE, found `{text}`")]
pub struct SettingsError {
    /// From 1.
    pub line: usize,
    /// The line.
    pub text: String,
}

/// Reads a settings file.
///
/// # Errors
/// The first line that is neither a setting, a heading nor a comment.
pub fn parse(text: &str) -> Result<Settings, SettingsError> {
    let mut settings = Settings::default();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';', '[']) {
            continue;
        }
        let (key, value) =
            line.split_once('=').ok_or_else(|| SettingsError { line: index + 1, text: line.to_string() })?;
        let value = Some(unquoted(value.trim()).to_string()).filter(|value| !value.is_empty());
        match key.trim().to_ascii_uppercase().as_str() {
            "INPUT" => settings.input = value,
            "LOG" => settings.log = value,
            "EXEC1" => settings.exec1 = value,
            "EXEC2" => settings.exec2 = value,
            _ => settings.unknown.push(key.trim().to_string()),
        }
    }
    Ok(settings)
}

/// The value without the quotes round all of it. `"my bot" -x` is a command, not a quoted value.
fn unquoted(value: &str) -> &str {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote)))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_keys_are_read() {
        let text = "\u{feff}[match]\n# comment\nINPUT=openings.txt\n log = \"out log.txt\" \r\nEXEC1=python3 a.py -x=1\n\
                    exec2='./b'\nEXEC3=./c\n; end\n";
        let settings = parse(text).unwrap();
        assert_eq!(settings.input.as_deref(), Some("openings.txt"));
        assert_eq!(settings.log.as_deref(), Some("out log.txt"));
        assert_eq!(settings.exec1.as_deref(), Some("python3 a.py -x=1"));
        assert_eq!(settings.exec2.as_deref(), Some("./b"));
        assert_eq!(settings.unknown, ["EXEC3"]);
        assert_eq!(parse("LOG=\n").unwrap(), Settings::default());
        assert_eq!(parse("EXEC1=\"my bot\" \"x\"").unwrap().exec1.as_deref(), Some("\"my bot\" \"x\""));
    }

    #[test]
    fn a_line_without_a_key_is_named() {
        assert_eq!(parse("LOG=x\nhello\n").unwrap_err(), SettingsError { line: 2, text: "hello".to_string() });
    }
}
