//! ProbCut samples: what shallow and deep searches say of the same positions (`*.pairs`).
//!
//! A text file, so that any statistics program reads it. The first line names what made it; then one line a position,
//! tab separated: the game's number, the ply (stones placed), the exact value or `-`, and the scores of searches of
//! depth 1, 2, …, all in the game's search units for the side to move. Lines come in the order of the games. While a
//! job runs the file ends in `.part`; only whole games count in it.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::whole_file::{beside, sync_folder};

/// The scores of one position by depth of search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairSample {
    /// The number of the game.
    pub game: u64,
    /// Stones placed.
    pub ply: u8,
    /// The exact value where it was solved.
    pub exact: Option<i16>,
    /// The score of a search of depth 1, 2, …
    pub scores: Vec<i16>,
}

/// Why samples could not be read or written.
#[derive(Debug, Error)]
pub enum PairsError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not a sample.
    #[error("{}, line {line}: expected game, ply, exact value or `-`, and scores, found {found:?}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The line.
        found: String,
    },
    /// The file was made by another job.
    #[error("{}: begun as {found:?}, expected {expected:?}", path.display())]
    OtherJob {
        /// The file.
        path: PathBuf,
        /// Its first line.
        found: String,
        /// The first line of the job at hand.
        expected: String,
    },
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> PairsError {
    let path = path.to_path_buf();
    move |source| PairsError::Io { path: path.clone(), source }
}

impl PairSample {
    fn line(&self) -> String {
        let exact = self.exact.map_or("-".to_string(), |exact| exact.to_string());
        let mut line = format!("{}\t{}\t{exact}", self.game, self.ply);
        for score in &self.scores {
            write!(line, "\t{score}").expect("a string takes everything");
        }
        line
    }

    fn parse(line: &str) -> Option<PairSample> {
        let mut fields = line.split('\t');
        let game = fields.next()?.parse().ok()?;
        let ply = fields.next()?.parse().ok()?;
        let exact = match fields.next()? {
            "-" => None,
            text => Some(text.parse().ok()?),
        };
        let scores = fields.map(str::parse).collect::<Result<Vec<i16>, _>>().ok()?;
        (!scores.is_empty()).then_some(PairSample { game, ply, exact, scores })
    }
}

/// Reads the samples of a finished file.
pub fn read(path: &Path) -> Result<Vec<PairSample>, PairsError> {
    let text = fs::read_to_string(path).map_err(io_error(path))?;
    text.lines()
        .enumerate()
        .skip(1)
        .map(|(number, line)| {
            PairSample::parse(line).ok_or_else(|| PairsError::Line {
                path: path.to_path_buf(),
                line: number + 1,
                found: line.chars().take(60).collect(),
            })
        })
        .collect()
}

/// A file of samples that is being written, game by game.
pub struct PairsWriter {
    path: PathBuf,
    part: PathBuf,
    file: File,
}

/// Where a job stands in one file.
pub enum Resumed {
    /// The file is finished.
    Finished,
    /// The writer, and the last game whose samples are on the disk.
    Open(PairsWriter, Option<u64>),
}

impl PairsWriter {
    /// Goes on with the file of the job whose first line is `title`, or begins it. The samples of the last game in an
    /// unfinished file are dropped: the game may have been cut short.
    pub fn resume(path: &Path, title: &str) -> Result<Resumed, PairsError> {
        let part = beside(path, ".part");
        let other = |at: &Path, found: &str| PairsError::OtherJob {
            path: at.to_path_buf(),
            found: found.to_string(),
            expected: title.to_string(),
        };
        if path.exists() {
            let text = fs::read_to_string(path).map_err(io_error(path))?;
            let first = text.lines().next().unwrap_or("");
            return if first == title { Ok(Resumed::Finished) } else { Err(other(path, first)) };
        }
        let old = match fs::read_to_string(&part) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(io_error(&part)(error)),
        };
        if let Some((first, _)) = old.split_once('\n')
            && first != title
        {
            return Err(other(&part, first));
        }
        let whole = old.rfind('\n').map_or("", |end| &old[..=end]);
        let samples: Vec<PairSample> = whole.lines().skip(1).map_while(PairSample::parse).collect();
        let last = samples.last().map(|sample| sample.game);
        let kept = samples.iter().filter(|sample| Some(sample.game) != last);
        let mut text = format!("{title}\n");
        let mut done = None;
        for sample in kept {
            text += &sample.line();
            text.push('\n');
            done = Some(sample.game);
        }
        fs::write(&part, text).map_err(io_error(&part))?;
        let file = OpenOptions::new().append(true).open(&part).map_err(io_error(&part))?;
        Ok(Resumed::Open(PairsWriter { path: path.to_path_buf(), part, file }, done))
    }

    /// Adds the samples of the next game.
    pub fn push(&mut self, samples: &[PairSample]) -> Result<(), PairsError> {
        let mut text = String::new();
        for sample in samples {
            text += &sample.line();
            text.push('\n');
        }
        self.file.write_all(text.as_bytes()).map_err(io_error(&self.part))
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), PairsError> {
        self.file.sync_all().map_err(io_error(&self.part))?;
        fs::rename(&self.part, &self.path).map_err(io_error(&self.path))?;
        sync_folder(&self.path).map_err(io_error(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(game: u64, ply: u8) -> PairSample {
        PairSample { game, ply, exact: (ply > 40).then_some(-32), scores: vec![5, -17, ply.into()] }
    }

    #[test]
    fn a_job_cut_short_goes_on_with_the_game_it_was_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("000000.pairs");
        let Resumed::Open(mut writer, None) = PairsWriter::resume(&path, "job").unwrap() else { panic!("new") };
        writer.push(&[sample(0, 10), sample(0, 50)]).unwrap();
        writer.push(&[sample(3, 20)]).unwrap();
        writer.file.write_all(b"3\t21\t").unwrap();
        drop(writer);
        assert!(!path.exists());
        assert!(matches!(PairsWriter::resume(&path, "another job"), Err(PairsError::OtherJob { .. })));
        let Resumed::Open(mut writer, Some(0)) = PairsWriter::resume(&path, "job").unwrap() else { panic!("open") };
        writer.push(&[sample(3, 20), sample(3, 21)]).unwrap();
        writer.finish().unwrap();
        assert!(matches!(PairsWriter::resume(&path, "job"), Ok(Resumed::Finished)));
        assert_eq!(read(&path).unwrap(), [sample(0, 10), sample(0, 50), sample(3, 20), sample(3, 21)]);
    }

    #[test]
    fn a_line_that_is_no_sample_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.pairs");
        fs::write(&path, "job\n0\t10\t-\t5\n0\t11\tx\t5\n").unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("line 3"), "{error}");
    }
}
