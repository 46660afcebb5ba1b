//! The weights file (`*.wts`): a self-describing set of learned weights, named by its content.
//!
//! All numbers are little-endian. A file of one 2-cell pattern, one knot and two plies, byte by byte:
//!
//! ```
//! # use stonesmith::{eval::weights::{ProbCut, Table, Kind, Weights}, game::GameId};
//! let bytes: &[&[u8]] = &[
//!     b"STONEWTS",                  // magic
//!     &[1, 0],                      // format version
//!     &[2],                         // game: 0 othello, 1 othello6, 2 othello4, 3 renju
//!     &[128, 0],                    // scale: weight units per unit of the outcome (a disc; renju: ln of the odds)
//!     &[0; 32],                     // blake3 of the parent file, 0 without one
//!     &[1], &[5],                   // number of knots, their plies
//!     &[1, 0],                      // number of tables, then each:
//!     &[0],                         //   kind: 0 cells, 1 scalar, 2 point code
//!     &[2], b"ab",                  //   length of the name, the name
//!     &[2], &[18, 19],              //   number of cells, the cells (grid squares 8·row + column)
//!     &[6, 0, 0, 0],                //   weights per knot: the 9 configurations have 6 orbits
//!     &[2, 0],                      // number of plies with a constant, the constants
//!     &[1, 0], &[255, 255],
//!     &[10, 0], &[20, 0], &[30, 0], // the weights, knot by knot, table by table
//!     &[40, 0], &[50, 0], &[60, 0],
//!     &[1, 0],                      // number of ProbCut lines, then each:
//!     &[20, 10, 4],                 //   from this ply on, deep depth, shallow depth
//!     &[0, 4],                      //   slope a in 1024ths (i16)
//!     &[251, 255],                  //   intercept b in search units (i16)
//!     &[40, 0],                     //   deviation σ in search units (u16)
//! ];
//! let mut file = bytes.concat();
//! file.extend(blake3::hash(&file).as_bytes()); // blake3 of everything before
//! let weights = Weights::from_bytes(&file).unwrap();
//! assert_eq!(weights.game, GameId::Othello4);
//! assert_eq!(weights.tables, [Table { name: "ab".into(), kind: Kind::Cells(vec![18, 19]), size: 6 }]);
//! assert_eq!((weights.constants[1], weights.values[5]), (-1, 60));
//! assert_eq!(weights.probcut, [ProbCut { ply: 20, deep: 10, shallow: 4, slope: 1024, intercept: -5, deviation: 40 }]);
//! assert_eq!(weights.to_bytes(), file);
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::game::GameId;

const MAGIC: &[u8; 8] = b"STONEWTS";
const VERSION: u16 = 1;
/// More weights than any file of ours has: a bound for what a damaged length can make us allocate.
const MOST_VALUES: usize = 1 << 28;

/// A set of weights with everything needed to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The game it evaluates.
    pub game: GameId,
    /// Weight units per unit of the outcome; in Renju, of the logarithm of the odds of winning.
    pub scale: u16,
    /// The blake3 hash of the file it was fitted from, zero without one.
    pub parent: [u8; 32],
    /// The plies whose weights are stored, ascending.
    pub knots: Vec<u8>,
    /// The index spaces.
    pub tables: Vec<Table>,
    /// A constant per ply, in weight units.
    pub constants: Vec<i16>,
    /// The weights: knot by knot, table by table.
    pub values: Vec<i16>,
    /// The ProbCut lines, by ply, deep and shallow depth.
    pub probcut: Vec<ProbCut>,
}

/// One index space of a weights file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// A name people can read.
    pub name: String,
    /// How its index is computed.
    pub kind: Kind,
    /// Weights per knot.
    pub size: usize,
}

/// The kinds of index spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A list of cells read in base 3, placed in all symmetric ways.
    Cells(Vec<u8>),
    /// A small number the game computes, known by the table's name.
    Scalar,
    /// The classes of the lines through a point, combined.
    PointCode,
}

/// One fitted line of Multi-ProbCut: v_deep ≈ a·v_shallow + b with deviation σ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbCut {
    /// The line holds from this ply on, up to the next line of the same depths.
    pub ply: u8,
    /// The depth that is spared.
    pub deep: u8,
    /// The depth that is searched instead.
    pub shallow: u8,
    /// a in 1024ths.
    pub slope: i16,
    /// b in search units.
    pub intercept: i16,
    /// σ in search units.
    pub deviation: u16,
}

/// Why a weights file could not be read.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// The file system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bytes are not those of a whole weights file.
    #[error("{path}: offset {offset}: {problem}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the reader stood.
        offset: usize,
        /// What was expected and what was found.
        problem: String,
    },
}

impl Weights {
    /// The number of weights at one knot.
    pub fn row_len(&self) -> usize {
        self.tables.iter().map(|table| table.size).sum()
    }

    /// The weights of one knot.
    pub fn row(&self, knot: usize) -> &[i16] {
        let len = self.row_len();
        &self.values[knot * len..(knot + 1) * len]
    }

    /// The blake3 hash of the file's bytes: the version's full name.
    pub fn hash(&self) -> [u8; 32] {
        *blake3::hash(&self.to_bytes()).as_bytes()
    }

    /// The first eight hex digits of [`Weights::hash`]: the version's short name.
    pub fn id(&self) -> String {
        short_id(&self.hash())
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.values.len() * 2 + 1024);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.push(self.game as u8);
        out.extend(self.scale.to_le_bytes());
        out.extend(self.parent);
        out.push(self.knots.len() as u8);
        out.extend(&self.knots);
        out.extend((self.tables.len() as u16).to_le_bytes());
        for table in &self.tables {
            let (kind, cells): (u8, &[u8]) = match &table.kind {
                Kind::Cells(cells) => (0, cells),
                Kind::Scalar => (1, &[]),
                Kind::PointCode => (2, &[]),
            };
            out.push(kind);
            out.push(table.name.len() as u8);
            out.extend(table.name.as_bytes());
            out.push(cells.len() as u8);
            out.extend(cells);
            out.extend((table.size as u32).to_le_bytes());
        }
        out.extend((self.constants.len() as u16).to_le_bytes());
        out.extend(self.constants.iter().flat_map(|value| value.to_le_bytes()));
        out.extend(self.values.iter().flat_map(|value| value.to_le_bytes()));
        out.extend((self.probcut.len() as u16).to_le_bytes());
        for line in &self.probcut {
            out.extend([line.ply, line.deep, line.shallow]);
            out.extend(line.slope.to_le_bytes());
            out.extend(line.intercept.to_le_bytes());
            out.extend(line.deviation.to_le_bytes());
        }
        let hash = blake3::hash(&out);
        out.extend(hash.as_bytes());
        out
    }

    /// Reads the bytes of a file; an error carries an offset and no path.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let mut reader = Reader { bytes, offset: 0 };
        reader.weights().map_err(|problem| WeightsError::Damaged {
            path: PathBuf::from("(bytes)"),
            offset: reader.offset,
            problem,
        })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Weights, WeightsError> {
        let bytes = fs::read(path).map_err(|source| WeightsError::Io { path: path.to_path_buf(), source })?;
        Weights::from_bytes(&bytes).map_err(|error| match error {
            WeightsError::Damaged { offset, problem, .. } => {
                WeightsError::Damaged { path: path.to_path_buf(), offset, problem }
            }
            other => other,
        })
    }
}

/// The first eight hex digits of a hash.
pub fn short_id(hash: &[u8; 32]) -> String {
    hash[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], String> {
        let rest = &self.bytes[self.offset..];
        if rest.len() < count {
            return Err(format!("truncated: expected {count} bytes of {what}, found {}", rest.len()));
        }
        self.offset += count;
        Ok(&rest[..count])
    }

    fn byte(&mut self, what: &str) -> Result<u8, String> {
        Ok(self.take(1, what)?[0])
    }

    fn u16(&mut self, what: &str) -> Result<u16, String> {
        Ok(u16::from_le_bytes(self.take(2, what)?.try_into().expect("two bytes")))
    }

    fn i16s(&mut self, count: usize, what: &str) -> Result<Vec<i16>, String> {
        let bytes = self.take(2 * count, what)?;
        Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    fn weights(&mut self) -> Result<Weights, String> {
        if self.take(8, "magic")? != MAGIC {
            self.offset = 0;
            return Err("not a weights file: expected it to begin with `STONEWTS`".into());
        }
        let version = self.u16("format version")?;
        if version != VERSION {
            return Err(format!("format version {version}: this program reads version {VERSION}"));
        }
        // The hash is checked before anything else is believed.
        let body = self.bytes.len().checked_sub(32).ok_or("truncated: expected a closing hash of 32 bytes")?;
        if blake3::hash(&self.bytes[..body]).as_bytes() != &self.bytes[body..] {
            return Err("the closing hash does not match: the file is truncated or altered".into());
        }
        let game = self.byte("game")?;
        let game = GameId::from_byte(game).ok_or_else(|| format!("unknown game number {game}"))?;
        let scale = self.u16("scale")?;
        if scale == 0 {
            return Err("expected a scale of at least 1, found 0".into());
        }
        let parent = self.take(32, "parent hash")?.try_into().expect("32 bytes");
        let count = self.byte("knot count")? as usize;
        let knots = self.take(count, "knots")?.to_vec();
        if knots.is_empty() || knots.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(format!("expected ascending knots, found {knots:?}"));
        }
        let count = self.u16("table count")?;
        let tables = (0..count).map(|_| self.table()).collect::<Result<Vec<_>, String>>()?;
        let count = self.u16("constant count")? as usize;
        let constants = self.i16s(count, "constants")?;
        let total = tables.iter().map(|table| table.size).sum::<usize>() * knots.len();
        if total > MOST_VALUES {
            return Err(format!("{total} weights are more than any file may have"));
        }
        let values = self.i16s(total, "weights")?;
        let count = self.u16("ProbCut count")?;
        let probcut = (0..count).map(|_| self.probcut()).collect::<Result<Vec<_>, String>>()?;
        if self.offset != body {
            return Err(format!("{} bytes more than the header announces", body - self.offset));
        }
        Ok(Weights { game, scale, parent, knots, tables, constants, values, probcut })
    }

    fn table(&mut self) -> Result<Table, String> {
        let kind = self.byte("table kind")?;
        let len = self.byte("name length")? as usize;
        let name = String::from_utf8_lossy(self.take(len, "table name")?).into_owned();
        let len = self.byte("cell count")? as usize;
        let cells = self.take(len, "cells")?.to_vec();
        let size = u32::from_le_bytes(self.take(4, "table size")?.try_into().expect("four bytes")) as usize;
        let kind = match kind {
            0 => Kind::Cells(cells),
            1 => Kind::Scalar,
            2 => Kind::PointCode,
            other => return Err(format!("unknown table kind {other}")),
        };
        if size > MOST_VALUES {
            return Err(format!("a table of {size} weights is more than any file may have"));
        }
        Ok(Table { name, kind, size })
    }

    fn probcut(&mut self) -> Result<ProbCut, String> {
        let [ply, deep, shallow] = self.take(3, "a ProbCut line")?.try_into().expect("three bytes");
        let line = self.i16s(2, "a ProbCut line")?;
        let deviation = self.u16("a ProbCut line")?;
        Ok(ProbCut { ply, deep, shallow, slope: line[0], intercept: line[1], deviation })
    }
}
