//! Append-only tables: tab-separated text that a person reads and a program extends, one line a record.
//!
//! The first line names the columns. A record is appended under a file lock by one write and an fsync, so a crash
//! can only tear the last line: a torn line is reported by the reader and cut off by the next append, and nothing
//! before it is ever rewritten. `-` stands for nothing; tab, newline and backslash inside text are written `\t`,
//! `\n`, `\\`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A record that is one line of a table.
pub trait Row: Sized {
    /// The column names, in order.
    const COLUMNS: &'static [&'static str];

    /// The record's cells, one a column, as [`text`], [`optional`] and [`decimal`] write them.
    fn cells(&self) -> Vec<String>;

    /// The record written in `cells`. The last column must be one that no cut-off cell passes for, so that a torn
    /// line is recognised.
    fn from_cells(cells: &Cells<'_>) -> Result<Self, CellError>;
}

/// A cell that does not hold what its column should.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: expected {expected}, found `{found}`")]
pub struct CellError {
    /// The column's name.
    pub column: &'static str,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// A table that cannot be read or extended.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file system said no.
    #[error("{path}: {source}")]
    Io {
        /// The table.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is not a record; line 1 is the header.
    #[error("{path}, line {line}: {reason}")]
    Line {
        /// The table.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was expected and what is there.
        reason: String,
    },
    /// The record to append would not be read back as it is.
    #[error("{path}: the record cannot be written: {reason}")]
    Record {
        /// The table.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// The last line of a table whose writer was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is left of it.
    pub text: String,
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<R> {
    /// The records in the order they were appended.
    pub rows: Vec<R>,
    /// A last line cut short, which is no record.
    pub torn: Option<TornLine>,
}

/// Reads a table; a missing or empty file is an empty table.
pub fn read<R: Row>(path: &Path) -> Result<Table<R>, TableError> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Table { rows: Vec::new(), torn: None }),
        other => other.map_err(|source| TableError::Io { path: path.to_path_buf(), source })?,
    };
    // Without locks (some network file systems) a record being written can look torn: harmless for a reader.
    let _ = file.lock_shared();
    Ok(parse(path, &contents(path, &mut file)?)?.table)
}

/// Appends one record, creating the table with its header. Returns the torn last line it had to cut off, which
/// the caller should report.
pub fn append<R: Row>(path: &Path, row: &R) -> Result<Option<TornLine>, TableError> {
    let fail = |source| TableError::Io { path: path.to_path_buf(), source };
    let line = line_of(row).map_err(|reason| TableError::Record { path: path.to_path_buf(), reason })?;
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(fail)?;
    file.lock().map_err(fail)?;
    let bytes = contents(path, &mut file)?;
    let parsed = parse::<R>(path, &bytes)?;
    if parsed.table.torn.is_some() {
        file.set_len(parsed.sound as u64).map_err(fail)?;
    }
    let mut addition = String::new();
    if parsed.sound == 0 {
        addition = format!("{}\n", R::COLUMNS.join("\t"));
    } else if bytes[parsed.sound - 1] != b'\n' {
        addition.push('\n');
    }
    addition.push_str(&line);
    addition.push('\n');
    let written = file.write_all(addition.as_bytes()).and_then(|()| file.sync_all());
    if let Err(source) = written {
        // A full disk must not leave half a line behind; if even this fails, the next append cuts it off.
        let _ = file.set_len(parsed.sound as u64);
        return Err(fail(source));
    }
    if bytes.is_empty() {
        sync_folder(path).map_err(fail)?;
    }
    Ok(parsed.table.torn)
}

fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

fn contents(path: &Path, file: &mut File) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|source| TableError::Io { path: path.to_path_buf(), source })?;
    Ok(bytes)
}

fn line_of<R: Row>(row: &R) -> Result<String, String> {
    let cells = row.cells();
    let line = cells.join("\t");
    let borrowed: Vec<&str> = line.split('\t').collect();
    if borrowed.len() != R::COLUMNS.len() {
        return Err(format!("expected {} cells, found {}", R::COLUMNS.len(), borrowed.len()));
    }
    R::from_cells(&Cells { columns: R::COLUMNS, cells: &borrowed }).map_err(|error| error.to_string())?;
    Ok(line)
}

struct Parsed<R> {
    table: Table<R>,
    /// How many bytes hold whole lines.
    sound: usize,
}

fn parse<R: Row>(path: &Path, bytes: &[u8]) -> Result<Parsed<R>, TableError> {
    let mut parsed = Parsed { table: Table { rows: Vec::new(), torn: None }, sound: 0 };
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        let whole = line.ends_with(b"\n");
        match parse_line::<R>(number, line) {
            Ok(row) => parsed.table.rows.extend(row),
            // Only an interrupted write leaves a line without its end.
            Err(_) if !whole => {
                let text = String::from_utf8_lossy(line).into_owned();
                parsed.table.torn = Some(TornLine { line: number, text });
                break;
            }
            Err(reason) => return Err(TableError::Line { path: path.to_path_buf(), line: number, reason }),
        }
        parsed.sound += line.len();
    }
    Ok(parsed)
}

/// The record of a line; `None` for the header and for blank lines.
fn parse_line<R: Row>(number: usize, line: &[u8]) -> Result<Option<R>, String> {
    let line = std::str::from_utf8(line).map_err(|_| "expected text (UTF-8)".to_string())?;
    let line = line.trim_end_matches(['\n', '\r']);
    let cells: Vec<&str> = line.split('\t').collect();
    if number == 1 {
        let expected = || format!("expected the columns {}, found `{line}`", R::COLUMNS.join(", "));
        return if cells == R::COLUMNS { Ok(None) } else { Err(expected()) };
    }
    if line.trim().is_empty() {
        return Ok(None);
    }
    if cells.len() != R::COLUMNS.len() {
        return Err(format!("expected {} cells separated by tabs, found {}", R::COLUMNS.len(), cells.len()));
    }
    R::from_cells(&Cells { columns: R::COLUMNS, cells: &cells }).map(Some).map_err(|error| error.to_string())
}

/// The cells of one line, by column name.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    columns: &'static [&'static str],
    cells: &'a [&'a str],
}

impl Cells<'_> {
    /// Text that must be there.
    pub fn text(&self, column: &'static str) -> Result<String, CellError> {
        self.optional_text(column)?.ok_or_else(|| self.error(column, "text"))
    }

    /// Text, or `None` for `-`.
    pub fn optional_text(&self, column: &'static str) -> Result<Option<String>, CellError> {
        match self.raw(column) {
            "-" => Ok(None),
            raw => unescaped(raw).map(Some).ok_or_else(|| self.error(column, "text with \\t, \\n, \\r, \\\\ or \\-")),
        }
    }

    /// Anything that parses.
    pub fn value<T: std::str::FromStr>(&self, column: &'static str, expected: &str) -> Result<T, CellError> {
        self.raw(column).parse().map_err(|_| self.error(column, expected))
    }

    /// Anything that parses, or `None` for `-`.
    pub fn optional<T: std::str::FromStr>(&self, column: &'static str, expected: &str) -> Result<Option<T>, CellError> {
        if self.raw(column) == "-" { Ok(None) } else { self.value(column, expected).map(Some) }
    }

    /// A finite number, or `None` for `-`.
    pub fn optional_number(&self, column: &'static str) -> Result<Option<f64>, CellError> {
        let number: Option<f64> = self.optional(column, "a number or -")?;
        if number.is_some_and(|number| !number.is_finite()) {
            return Err(self.error(column, "a finite number or -"));
        }
        Ok(number)
    }

    /// The error of a cell that holds something else than `expected`.
    pub fn error(&self, column: &'static str, expected: &str) -> CellError {
        CellError { column, expected: expected.to_string(), found: self.raw(column).to_string() }
    }

    fn raw(&self, column: &'static str) -> &str {
        let place = self.columns.iter().position(|&name| name == column).expect("a column of this table");
        self.cells[place]
    }
}

/// A text cell.
pub fn text(value: &str) -> String {
    if value == "-" {
        return "\\-".to_string();
    }
    let mut cell = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '\\' => cell.push_str("\\\\"),
            '\t' => cell.push_str("\\t"),
            '\n' => cell.push_str("\\n"),
            '\r' => cell.push_str("\\r"),
            other => cell.push(other),
        }
    }
    cell
}

/// A cell that may be empty, which `-` says.
pub fn optional<T>(value: Option<T>, cell: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_string(), cell)
}

/// A number rounded to `decimals`; one that is not finite is nothing.
pub fn decimal(value: Option<f64>, decimals: usize) -> String {
    optional(value.filter(|value| value.is_finite()), |value| format!("{value:.decimals$}"))
}

fn unescaped(cell: &str) -> Option<String> {
    let mut value = String::with_capacity(cell.len());
    let mut letters = cell.chars();
    while let Some(letter) = letters.next() {
        value.push(match letter {
            '\\' => match letters.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                '-' => '-',
                _ => return None,
            },
            other => other,
        });
    }
    Some(value)
}
