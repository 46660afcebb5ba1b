//! `convert`: game records between shards (`.games`), WTHOR (`.wtb`) and move text (`.txt`).
//!
//! Every game is replayed by the rules on its way; one that cannot be is listed on stderr by file and record and left
//! out. The output appears whole or not at all.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;

use super::{Answer, Global, print_json};
use crate::dataset::moves::{MoveTextError, MoveTextReader, game_text};
use crate::dataset::shard::{hex, write_shard};
use crate::dataset::whole_file::WholeFile;
use crate::dataset::wthor::{WthorError, WthorGame, WthorReader, WthorWriter, check_fits};
use crate::dataset::{GameRecord, ShardHeader, ShardSet, Tail};
use crate::game::othello::Othello;
use crate::game::renju::Renju;
use crate::game::{GameId, Position};

#[derive(clap::Args)]
pub struct Arguments {
    /// A file `.games`, `.wtb` or `.txt`, or a folder of shards
    input: PathBuf,
    /// The file to write: `.games`, `.wtb` or `.txt`
    output: PathBuf,
}

#[derive(Serialize)]
struct Output {
    games: u64,
    positions: u64,
    skipped: u64,
    bytes: u64,
    game: &'static str,
}

/// The forms of a collection of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Shards,
    Wthor,
    Text,
}

impl Form {
    fn of(path: &Path) -> Result<Form> {
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => Ok(Form::Shards),
            Some("games" | "part") => Ok(Form::Shards),
            Some("wtb") => Ok(Form::Wthor),
            Some("txt") => Ok(Form::Text),
            _ => bail!("{}: expected a file name that ends in .games, .wtb or .txt", path.display()),
        }
    }
}

/// A game, or why there is none: a message that names the file and the record, or an error that ends everything.
type Taken = Result<Result<GameRecord, String>>;

pub fn run(global: &Global, arguments: Arguments) -> Result<Answer> {
    let (input, output) = (&arguments.input, &arguments.output);
    let (from, to) = (Form::of(input)?, Form::of(output)?);
    if output.is_dir() || output.extension().is_some_and(|extension| extension == "part") {
        bail!("{}: expected the name of a file to write that ends in .games, .wtb or .txt", output.display());
    }
    let shards = match from {
        Form::Shards => Some(ShardSet::open(&[input], Tail::Recover)?),
        _ => None,
    };
    let game = match (&shards, from) {
        (Some(shards), _) => shards.game(),
        (None, Form::Wthor) if global.game != GameId::Othello => {
            bail!("{}: WTHOR holds games of othello, not of {}", input.display(), global.game)
        }
        _ => global.game,
    };
    if to == Form::Wthor && game != GameId::Othello {
        bail!("{}: WTHOR holds games of othello, not of {game}", output.display());
    }
    let job = Job { input, output, from, to, shards };
    let done = match game {
        GameId::Othello => job.run::<Othello<8>>()?,
        GameId::Othello6 => job.run::<Othello<6>>()?,
        GameId::Othello4 => job.run::<Othello<4>>()?,
        GameId::Renju => job.run::<Renju>()?,
    };
    if global.json {
        print_json(&done)?;
    } else {
        let Output { games, positions, skipped, bytes, .. } = done;
        let (name, game) = (output.display(), done.game);
        writeln!(
            io::stdout(),
            "{name}: {games} games of {game}, {positions} positions, {bytes} bytes; {skipped} skipped"
        )?;
    }
    Ok(Answer::Done)
}

struct Job<'a> {
    input: &'a Path,
    output: &'a Path,
    from: Form,
    to: Form,
    shards: Option<ShardSet>,
}

impl Job<'_> {
    fn run<P: Position>(&self) -> Result<Output> {
        let (mut games, mut positions, mut skipped) = (0, 0, 0);
        let mut source = self.source::<P>()?;
        // What goes on to the output: the games, and an error at the end if there was none.
        let mut records = std::iter::from_fn(|| {
            loop {
                let taken = match source.next() {
                    Some(Ok(taken)) => taken.and_then(|record| self.fits(record)),
                    Some(Err(error)) => return Some(Err(error)),
                    None if games > 0 => return None,
                    None => return Some(Err(anyhow!("{}: no game that can be read", self.input.display()))),
                };
                match taken {
                    Ok(record) => {
                        games += 1;
                        positions += record.plies.len() as u64;
                        return Some(Ok(record));
                    }
                    Err(message) => {
                        skipped += 1;
                        let _ = writeln!(io::stderr(), "skipped: {message}");
                    }
                }
            }
        });
        match self.to {
            Form::Shards => self.write_shard::<P>(&mut records)?,
            Form::Wthor => self.write_wthor(&mut records)?,
            Form::Text => self.write_text::<P>(&mut records)?,
        }
        let bytes = std::fs::metadata(self.output)?.len();
        Ok(Output { games, positions, skipped, bytes, game: P::GAME.name() })
    }

    /// The record, if the form of the output can hold it.
    fn fits(&self, record: GameRecord) -> Result<GameRecord, String> {
        match self.to {
            Form::Wthor => check_fits(&record)
                .map_err(|reason| format!("{}: game {}: {reason}", self.input.display(), record.index))
                .map(|()| record),
            Form::Shards | Form::Text => Ok(record),
        }
    }

    /// The games of the input.
    fn source<P: Position>(&self) -> Result<Box<dyn Iterator<Item = Taken> + '_>> {
        match (&self.shards, self.from) {
            (Some(shards), _) => {
                for torn in shards.torn() {
                    let _ = writeln!(io::stderr(), "warning: {torn}");
                }
                let mut records = shards.records();
                Ok(Box::new(std::iter::from_fn(move || {
                    let record = match records.next()? {
                        Ok(record) => record,
                        Err(error) => return Some(Err(error.into())),
                    };
                    let path = records.path().unwrap_or(self.input).display().to_string();
                    let checked = record.replay::<P>().map_err(|error| format!("{path}: {error}"));
                    Some(Ok(checked.map(|_| record)))
                })))
            }
            (None, Form::Wthor) => Ok(Box::new(WthorReader::open(self.input)?.map(take_wthor))),
            (None, _) => {
                let input = File::open(self.input).with_context(|| format!("cannot open {}", self.input.display()))?;
                let games = MoveTextReader::<_, P>::new(BufReader::new(input), self.input);
                Ok(Box::new(games.map(|game| match game {
                    Err(error @ MoveTextError::Io { .. }) => Err(error.into()),
                    game => Ok(game.map_err(|error| error.to_string())),
                })))
            }
        }
    }

    fn write_shard<P: Position>(&self, records: &mut dyn Iterator<Item = Result<GameRecord>>) -> Result<()> {
        let header = self.header(P::GAME)?;
        write_shard(self.output, &header, records).map(drop)
    }

    /// The header of a shard made from the input: that of its run if it comes from one, otherwise a run id that is the
    /// hash of what was read.
    fn header(&self, game: GameId) -> Result<ShardHeader> {
        let Some(shards) = &self.shards else {
            let run_id = *hash_file(self.input)?.as_bytes();
            let options = format!("source = \"{}\"\n", if self.from == Form::Wthor { "wthor" } else { "move text" });
            return Ok(ShardHeader { game, score_unit: 1, first_index: 0, run_id, options });
        };
        let first = &shards.shards()[0].header;
        if let Some(other) = shards.shards().iter().find(|shard| shard.header.score_unit != first.score_unit) {
            let (unit, expected) = (other.header.score_unit, first.score_unit);
            bail!("{}: scores of unit {unit}, expected {expected} as in the first shard", other.path.display());
        }
        let runs = shards.run_ids();
        if runs.len() == 1 {
            return Ok(first.clone());
        }
        let options: String = runs.iter().map(|run| format!("run = \"{}\"\n", hex(run))).collect();
        let run_id = *blake3::hash(options.as_bytes()).as_bytes();
        Ok(ShardHeader { game, score_unit: first.score_unit, first_index: 0, run_id, options })
    }

    fn write_text<P: Position>(&self, records: &mut dyn Iterator<Item = Result<GameRecord>>) -> Result<()> {
        let mut out = self.create()?;
        for record in records {
            let text = game_text::<P>(&record?)?;
            writeln!(out, "{text}").with_context(|| self.writing())?;
        }
        out.commit().with_context(|| self.writing())
    }

    fn write_wthor(&self, records: &mut dyn Iterator<Item = Result<GameRecord>>) -> Result<()> {
        let mut out = WthorWriter::new(self.create()?).with_context(|| self.writing())?;
        for record in records {
            out.push(&record?).with_context(|| self.writing())?;
        }
        out.finish().and_then(WholeFile::commit).with_context(|| self.writing())
    }

    fn create(&self) -> Result<WholeFile> {
        WholeFile::create(self.output).with_context(|| self.writing())
    }

    fn writing(&self) -> String {
        format!("cannot write {}", self.output.display())
    }
}

fn take_wthor(game: Result<WthorGame, WthorError>) -> Taken {
    match game {
        Err(error @ WthorError::Io { .. }) => Err(error.into()),
        Err(error) => Ok(Err(error.to_string())),
        Ok(game) => {
            if !game.score_agrees() {
                let (number, discs) = (game.record.index + 1, game.black_discs);
                let board = (game.record.outcome.0 + 64) / 2;
                let message = format!("record {number}: Black's discs are given as {discs}, the board says {board}");
                let _ = writeln!(io::stderr(), "warning: {message}");
            }
            Ok(Ok(game.record))
        }
    }
}

fn hash_file(path: &Path) -> Result<blake3::Hash> {
    let reading = || format!("cannot read {}", path.display());
    let mut input = File::open(path).with_context(reading)?;
    let (mut hasher, mut chunk) = (blake3::Hasher::new(), vec![0; 1 << 16]);
    loop {
        match input.read(&mut chunk).with_context(reading)? {
            0 => return Ok(hasher.finalize()),
            count => hasher.update(&chunk[..count]),
        };
    }
}
