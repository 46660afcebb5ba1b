//! A run as one page: curves, ladder, weights per phase and a game viewer, in a single HTML file.
//!
//! Nothing is computed here and nothing is loaded from elsewhere: the numbers come in as a [`Report`], charts are
//! drawn as inline SVG ([`chart`]), the viewer is a script of a few lines with its games beside it ([`viewer`]).
//! The same report gives the same bytes.

pub mod chart;
pub mod page;
pub mod viewer;

pub use chart::{Chart, Series};
pub use viewer::ViewedGame;

use crate::arena::ledger::LedgerRow;
use crate::arena::ratings::Rating;

/// Everything a page shows. Empty parts are left out of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// Facts in a line each: what and its value.
    pub facts: Vec<(String, String)>,
    /// Losses, regrets and Elo over the generations.
    pub curves: Vec<Chart>,
    /// The versions by Elo, as rated from all recorded matches.
    pub ladder: Vec<Rating>,
    /// What the gate said of each version.
    pub ledger: Vec<LedgerRow>,
    /// The weights of the champion by phase.
    pub weights: Vec<TableProfile>,
    /// The plies of the phases, one for each number of a profile.
    pub knots: Vec<u8>,
    /// Games to look at.
    pub games: Vec<ViewedGame>,
}

/// How large the weights of one table are in each phase.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProfile {
    /// The table's name.
    pub name: String,
    /// Its weights in each phase.
    pub size: usize,
    /// The share of them that are not 0, by phase.
    pub used: Vec<f64>,
    /// The mean size of those that are not 0, in the unit of the outcome, by phase.
    pub mean: Vec<f64>,
}

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        page::html(self)
    }
}

/// Text as it may stand in HTML, attributes included.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("<a href='x'>&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;");
    }

    #[test]
    fn a_page_without_anything_is_a_page() {
        let page = Report { title: "a < b".to_string(), ..Report::default() }.html();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert!(page.contains("<title>a &lt; b</title>"));
        assert!(!page.contains("<h2>"));
    }

    #[test]
    fn every_part_is_shown_and_nothing_comes_from_elsewhere() {
        let series = Series { name: "MAE".to_string(), points: vec![(0.0, 3.0), (1.0, 2.0)], errors: vec![] };
        let report = Report {
            title: "run".to_string(),
            facts: vec![("champion".to_string(), "007".to_string())],
            curves: vec![Chart {
                title: "Loss".to_string(),
                x: "generation".to_string(),
                y: "discs".to_string(),
                series: vec![series],
            }],
            ladder: vec![Rating {
                name: "007-x.wts".to_string(),
                pairs: 20,
                elo: Some(12.5),
                error: Some(3.0),
                one_sided: false,
            }],
            weights: vec![TableProfile { name: "edge".to_string(), size: 9, used: vec![0.5], mean: vec![1.25] }],
            knots: vec![30],
            games: vec![ViewedGame {
                title: "game 1".to_string(),
                columns: 2,
                boards: vec!["B...".to_string(), "BW..".to_string()],
                moves: vec!["b1".to_string()],
            }],
            ..Report::default()
        };
        let page = report.html();
        for part in ["champion", "polyline", "007-x.wts", "edge", "game 1"] {
            assert!(page.contains(part), "{part}");
        }
        for foreign in ["http", "src=", "href=", "url(", "@import"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        assert_eq!(page, report.html());
    }
}
