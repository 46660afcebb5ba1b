//! What is kept of every version and every match: `ledger.tsv` and `results.tsv`.
//!
//! The ledger has one row a version: where it comes from, how it was made, and what its gate said. The results
//! have one row a match, and [`super::ratings`] is fitted to them. Both are append-only [`super::table`]s, and
//! both end in a column that shows whether the row is whole.

use std::fmt;
use std::str::FromStr;

use super::elo::{PairDifferences, Pentanomial};
use super::ratings::Pairing;
use super::table::{CellError, Cells, Row, decimal, optional, text};

/// What the gate did with a candidate, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Promoted: there was no champion to beat.
    First,
    /// Promoted: the test accepted H1.
    PromotedByTest,
    /// Promoted: undecided at the cap, with an Elo above 0.
    PromotedAtCap,
    /// Rejected: the test accepted H0.
    RejectedByTest,
    /// Rejected: undecided at the cap, with an Elo of 0 or below.
    RejectedAtCap,
    /// Rejected: a crash, a timeout or an illegal move.
    RejectedByFault,
}

impl Decision {
    /// Every decision. No text is the beginning of another, so a cut-off one is recognised.
    pub const ALL: [Decision; 6] = [
        Decision::First,
        Decision::PromotedByTest,
        Decision::PromotedAtCap,
        Decision::RejectedByTest,
        Decision::RejectedAtCap,
        Decision::RejectedByFault,
    ];

    /// Whether the candidate became champion.
    pub fn promoted(self) -> bool {
        matches!(self, Decision::First | Decision::PromotedByTest | Decision::PromotedAtCap)
    }

    fn text(self) -> &'static str {
        match self {
            Decision::First => "promoted: first",
            Decision::PromotedByTest => "promoted: H1",
            Decision::PromotedAtCap => "promoted: ahead at the cap",
            Decision::RejectedByTest => "rejected: H0",
            Decision::RejectedAtCap => "rejected: not ahead at the cap",
            Decision::RejectedByFault => "rejected: fault",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl FromStr for Decision {
    type Err = String;

    fn from_str(text: &str) -> Result<Decision, String> {
        Decision::ALL
            .into_iter()
            .find(|decision| decision.text() == text)
            .ok_or_else(|| format!("unknown decision `{text}`"))
    }
}

/// One version in `ledger.tsv`.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRow {
    /// The version's name.
    pub id: String,
    /// The version it was fitted from, if any.
    pub parent: Option<String>,
    /// When, as the caller writes dates.
    pub date: String,
    /// The games it was fitted on, in words.
    pub data: String,
    /// What was done differently from its parent, in words.
    pub change: String,
    /// Loss on held-out positions, in the fit's unit; kept to 5 decimals.
    pub validation_loss: Option<f64>,
    /// Whom the gate played against.
    pub opponent: Option<String>,
    /// The gate's pairs from this version's point of view.
    pub pentanomial: Option<Pentanomial>,
    /// Elo against the opponent, and the half width of its 95 % interval; kept to 2 decimals.
    pub elo: Option<f64>,
    /// See `elo`.
    pub elo_error: Option<f64>,
    /// The gate's LLR; kept to 4 decimals.
    pub llr: Option<f64>,
    /// What the gate did.
    pub verdict: Decision,
}

const COUNTS: &str = "five counts LL,LD,DD,WD,WW";

impl Row for LedgerRow {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "parent",
        "date",
        "data",
        "change",
        "validation_loss",
        "opponent",
        "pentanomial",
        "elo",
        "elo_error",
        "llr",
        "verdict",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            text(&self.id),
            optional(self.parent.as_deref(), text),
            text(&self.date),
            text(&self.data),
            text(&self.change),
            decimal(self.validation_loss, 5),
            optional(self.opponent.as_deref(), text),
            optional(self.pentanomial, |counts| counts.to_string()),
            decimal(self.elo, 2),
            decimal(self.elo_error, 2),
            decimal(self.llr, 4),
            self.verdict.to_string(),
        ]
    }

    fn from_cells(cells: &Cells<'_>) -> Result<LedgerRow, CellError> {
        Ok(LedgerRow {
            id: cells.text("id")?,
            parent: cells.optional_text("parent")?,
            date: cells.text("date")?,
            data: cells.text("data")?,
            change: cells.text("change")?,
            validation_loss: cells.optional_number("validation_loss")?,
            opponent: cells.optional_text("opponent")?,
            pentanomial: cells.optional("pentanomial", COUNTS)?,
            elo: cells.optional_number("elo")?,
            elo_error: cells.optional_number("elo_error")?,
            llr: cells.optional_number("llr")?,
            verdict: cells.value("verdict", "a gate's decision, such as `promoted: H1`")?,
        })
    }
}

/// One match in `results.tsv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// When, as the caller writes dates.
    pub date: String,
    /// The first player.
    pub a: String,
    /// The second player.
    pub b: String,
    /// How they played, such as `depth 4`.
    pub conditions: String,
    /// Pairs from the first player's point of view.
    pub pentanomial: Pentanomial,
    /// The same pairs' score differences; `pairs` equals the pentanomial's.
    pub differences: PairDifferences,
    /// Games that ended by a crash, a timeout or an illegal move of either player.
    pub faults: u64,
}

impl Row for ResultRow {
    const COLUMNS: &'static [&'static str] =
        &["date", "a", "b", "conditions", "pentanomial", "difference_sum", "difference_squares", "faults", "pairs"];

    fn cells(&self) -> Vec<String> {
        vec![
            text(&self.date),
            text(&self.a),
            text(&self.b),
            text(&self.conditions),
            self.pentanomial.to_string(),
            self.differences.sum.to_string(),
            self.differences.squares.to_string(),
            self.faults.to_string(),
            self.differences.pairs.to_string(),
        ]
    }

    fn from_cells(cells: &Cells<'_>) -> Result<ResultRow, CellError> {
        const WHOLE: &str = "a whole number";
        let pentanomial: Pentanomial = cells.value("pentanomial", COUNTS)?;
        let pairs: u64 = cells.value("pairs", WHOLE)?;
        if pairs != pentanomial.pairs() {
            return Err(cells.error("pairs", &format!("the sum of the pentanomial counts, {}", pentanomial.pairs())));
        }
        Ok(ResultRow {
            date: cells.text("date")?,
            a: cells.text("a")?,
            b: cells.text("b")?,
            conditions: cells.text("conditions")?,
            pentanomial,
            differences: PairDifferences {
                pairs,
                sum: cells.value("difference_sum", WHOLE)?,
                squares: cells.value("difference_squares", WHOLE)?,
            },
            faults: cells.value("faults", WHOLE)?,
        })
    }
}

impl From<&ResultRow> for Pairing {
    fn from(row: &ResultRow) -> Pairing {
        Pairing { a: row.a.clone(), b: row.b.clone(), counts: row.pentanomial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::table::{Table, TableError, append, read};
    use proptest::prelude::*;
    use std::fs;

    fn version(id: &str) -> LedgerRow {
        LedgerRow {
            id: id.to_string(),
            parent: Some("000-00000000".to_string()),
            date: "2030-01-02".to_string(),
            data: "100,000 games, depth 2".to_string(),
            change: "wider prefix".to_string(),
            validation_loss: Some(3.5),
            opponent: Some("000-00000000".to_string()),
            pentanomial: Some(Pentanomial([10, 25, 80, 40, 12])),
            elo: Some(19.79),
            elo_error: Some(25.17),
            llr: Some(0.664),
            verdict: Decision::PromotedAtCap,
        }
    }

    fn result() -> ResultRow {
        ResultRow {
            date: "2030-01-02".to_string(),
            a: "new".to_string(),
            b: "old".to_string(),
            conditions: "depth 4".to_string(),
            pentanomial: Pentanomial([10, 25, 80, 40, 12]),
            differences: PairDifferences { pairs: 167, sum: -12, squares: 4096 },
            faults: 0,
        }
    }

    #[test]
    fn rows_come_back_in_order_below_one_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.tsv");
        assert_eq!(read::<LedgerRow>(&path).unwrap(), Table { rows: vec![], torn: None });
        let bare = LedgerRow {
            parent: None,
            validation_loss: None,
            opponent: None,
            pentanomial: None,
            elo: None,
            elo_error: None,
            llr: None,
            verdict: Decision::First,
            ..version("000-00000000")
        };
        append(&path, &bare).unwrap();
        append(&path, &version("001-1234abcd")).unwrap();
        let table = read::<LedgerRow>(&path).unwrap();
        assert_eq!(table, Table { rows: vec![bare, version("001-1234abcd")], torn: None });
        let file = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = file.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("id\tparent\tdate"));
        assert!(lines[2].ends_with("10,25,80,40,12\t19.79\t25.17\t0.6640\tpromoted: ahead at the cap"));
    }

    #[test]
    fn a_row_torn_anywhere_is_reported_and_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.tsv");
        append(&path, &result()).unwrap();
        append(&path, &result()).unwrap();
        let whole = fs::read(&path).unwrap();
        let second = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        for end in second + 1..whole.len() - 1 {
            fs::write(&path, &whole[..end]).unwrap();
            let table = read::<ResultRow>(&path).unwrap();
            assert_eq!(table.rows, [result()], "torn at {end}");
            assert_eq!(table.torn.as_ref().unwrap().line, 3);
            assert_eq!(append(&path, &result()).unwrap(), table.torn);
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        // Only the newline is missing, after an editor perhaps: the row is whole and stays.
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(append(&path, &result()).unwrap(), None);
        assert_eq!(read::<ResultRow>(&path).unwrap(), Table { rows: vec![result(); 3], torn: None });
    }

    #[test]
    fn a_torn_header_and_a_torn_ledger_row_are_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.tsv");
        append(&path, &version("1")).unwrap();
        let whole = fs::read(&path).unwrap();
        for end in 1..whole.len() - 1 {
            fs::write(&path, &whole[..end]).unwrap();
            let table = read::<LedgerRow>(&path).unwrap();
            assert!(table.rows.is_empty(), "torn at {end}");
            append(&path, &version("1")).unwrap();
            assert_eq!(read::<LedgerRow>(&path).unwrap().rows, [version("1")], "torn at {end}");
        }
    }

    #[test]
    fn errors_name_line_and_column_and_nothing_is_appended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.tsv");
        append(&path, &result()).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        for (bad, line, part) in [
            (good.replace("10,25,80,40,12", "10,25,80,40"), 2, "column pentanomial"),
            (good.replace("\t167\n", "\t168\n"), 2, "167"),
            (good.replace("depth 4\t", ""), 2, "9 cells"),
            (good.replace("depth 4", "-"), 2, "column conditions"),
            (good.replace("depth 4", "depth\\4"), 2, "column conditions"),
            (good.replace("date\t", "day\t"), 1, "expected the columns date"),
        ] {
            fs::write(&path, &bad).unwrap();
            for error in
                [read::<ResultRow>(&path).map(|_| ()).unwrap_err(), append(&path, &result()).map(|_| ()).unwrap_err()]
            {
                assert!(matches!(&error, TableError::Line { line: found, .. } if *found == line), "{error}");
                assert!(error.to_string().contains(part) && error.to_string().contains("results.tsv"), "{error}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), bad);
        }
        fs::write(&path, [good.as_bytes(), b"\xff\xfe\n"].concat()).unwrap();
        assert!(read::<ResultRow>(&path).unwrap_err().to_string().contains("line 3"));
    }

    #[test]
    fn a_record_that_would_not_be_read_back_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.tsv");
        let mut wrong = result();
        wrong.differences.pairs = 3;
        assert!(matches!(append(&path, &wrong), Err(TableError::Record { .. })));
        assert!(!path.exists());
    }

    #[test]
    fn many_writers_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.tsv");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| assert_eq!(append(&path, &result()).unwrap(), None)));
            }
        });
        assert_eq!(read::<ResultRow>(&path).unwrap().rows.len(), 40);
    }

    #[test]
    fn no_decision_is_the_beginning_of_another() {
        for one in Decision::ALL {
            assert_eq!(one.to_string().parse(), Ok(one));
            assert_eq!(one.promoted(), one.to_string().starts_with("promoted"));
            for other in Decision::ALL {
                assert!(one == other || !other.to_string().starts_with(&one.to_string()));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn any_text_survives(texts in prop::array::uniform3("[ -~\\t\\n\\r\\\\é–]{0,12}"), loss in prop::option::of(0u32..10_000_000)) {
            let [id, data, change] = texts;
            let loss = loss.map(|loss| f64::from(loss) / 1e5);
            let row = LedgerRow { data, change, validation_loss: loss, parent: Some("-".to_string()), ..version(&id) };
            let cells = row.cells();
            let line = cells.join("\t");
            prop_assert!(!line.contains(['\n', '\r']));
            let borrowed: Vec<&str> = line.split('\t').collect();
            prop_assert_eq!(borrowed.len(), LedgerRow::COLUMNS.len());
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("ledger.tsv");
            append(&path, &row).unwrap();
            prop_assert_eq!(read::<LedgerRow>(&path).unwrap().rows, vec![row]);
        }
    }
}
