//! Elo of many versions at once from all their pairs: Bradley–Terry by maximum likelihood, one version at 0.
//!
//! P(i beats j) = 1/(1+10^((r_j−r_i)/400)), a pair's points counting as shares of a win. The maximum exists only
//! where every version of a group made and lost points along some chain of opponents (L. R. Ford 1957); where one
//! side of such a divide won everything, each pairing across it counts one drawn game more, which keeps the
//! difference finite (N pairs all won read as a score of (N+¼)/(N+½)) and leaves every other pairing alone.
//! Errors by bootstrap over the pairs of each pairing.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::elo::{ELO_SCALE, PAIR_SCORES, Pentanomial};
use crate::rng::{Domain, Rng, stream};

/// All pairs two versions played against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The first version's name.
    pub a: String,
    /// The second version's name.
    pub b: String,
    /// Pair counts from the first version's point of view.
    pub counts: Pentanomial,
}

/// How errors are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// How often the pairs are drawn anew; 0 gives no errors, 1,000 good ones.
    pub resamples: u64,
    /// The seed of the draws.
    pub seed: u64,
}

/// One version's strength.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The version.
    pub name: String,
    /// How many pairs it played.
    pub pairs: u64,
    /// Elo against the anchor; `None` if no chain of matches leads to the anchor.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`; 0 for the anchor, `None` where resampling shows no spread
    /// (perfect scores, a single pair).
    pub error: Option<f64>,
    /// Whether `elo` rests on a divide where one side won everything: read it as "at least that far".
    pub one_sided: bool,
}

/// Ratings that cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// The anchor played nothing.
    #[error("the anchor `{0}` has no recorded match")]
    UnknownAnchor(String),
}

/// Rates every version named in `pairings`, the strongest first and those without a way to the anchor last.
///
/// Pairings of the same two versions add up, in either order; those of a version with itself say nothing and are
/// left out. The result depends neither on the order of the pairings nor on the number of threads.
pub fn rate(pairings: &[Pairing], anchor: &str, bootstrap: Bootstrap) -> Result<Vec<Rating>, RatingError> {
    let network = Network::new(pairings, anchor)?;
    let fitted = network.fit(&network.edges, None);
    let errors = network.errors(&fitted, bootstrap);
    let groups = groups(network.names.len(), &network.edges);
    let mut ratings: Vec<Rating> = (0..network.names.len())
        .map(|version| Rating {
            name: network.names[version].clone(),
            pairs: network.pairs_of(version),
            elo: network.reached[version].then(|| fitted[version] * ELO_SCALE / 2.0),
            error: errors[version],
            one_sided: network.reached[version] && groups[version] != groups[network.anchor],
        })
        .collect();
    ratings.sort_by(|a, b| {
        let key = |rating: &Rating| rating.elo.unwrap_or(f64::NEG_INFINITY);
        key(b).total_cmp(&key(a)).then_with(|| a.name.cmp(&b.name))
    });
    Ok(ratings)
}

/// The pairs between versions number `a` < `b`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    a: usize,
    b: usize,
    counts: Pentanomial,
}

/// All versions in the order of their names and who played whom.
struct Network {
    names: Vec<String>,
    edges: Vec<Edge>,
    anchor: usize,
    /// Whether a chain of matches leads from each version to the anchor.
    reached: Vec<bool>,
}

impl Network {
    fn new(pairings: &[Pairing], anchor: &str) -> Result<Network, RatingError> {
        let mut names: Vec<String> = pairings.iter().flat_map(|pairing| [&pairing.a, &pairing.b]).cloned().collect();
        names.sort();
        names.dedup();
        let number = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name));
        let anchor = number(anchor).map_err(|_| RatingError::UnknownAnchor(anchor.to_string()))?;
        let mut merged: BTreeMap<(usize, usize), Pentanomial> = BTreeMap::new();
        for pairing in pairings {
            let (a, b) = (number(&pairing.a).expect("listed"), number(&pairing.b).expect("listed"));
            let counts = if a < b { pairing.counts } else { pairing.counts.mirrored() };
            if a != b && !counts.is_empty() {
                *merged.entry((a.min(b), a.max(b))).or_default() += counts;
            }
        }
        let edges: Vec<Edge> = merged.into_iter().map(|((a, b), counts)| Edge { a, b, counts }).collect();
        let both_ways = edges.iter().flat_map(|edge| [(edge.a, edge.b), (edge.b, edge.a)]);
        let reached = reachable(&neighbours(names.len(), both_ways), anchor);
        Ok(Network { names, edges, anchor, reached })
    }

    fn pairs_of(&self, version: usize) -> u64 {
        self.edges
            .iter()
            .filter(|edge| edge.a == version || edge.b == version)
            .fold(0, |sum, edge| sum.saturating_add(edge.counts.pairs()))
    }

    /// The maximum-likelihood log-odds of every version the anchor is reached from, 0 for the others.
    fn fit(&self, edges: &[Edge], start: Option<&[f64]>) -> Vec<f64> {
        let groups = groups(self.names.len(), edges);
        let results: Vec<Tally> =
            edges.iter().filter(|edge| self.reached[edge.a]).map(|edge| Tally::new(edge, &groups)).collect();
        // The unknowns: every reached version but the anchor.
        let mut place = vec![None; self.names.len()];
        let free = (0..self.names.len()).filter(|&version| self.reached[version] && version != self.anchor);
        let unknowns: Vec<usize> = free.collect();
        for (i, &version) in unknowns.iter().enumerate() {
            place[version] = Some(i);
        }
        let mut ratings = start.map_or_else(|| vec![0.0; self.names.len()], <[f64]>::to_vec);
        let mut likelihood = log_likelihood(&results, &ratings);
        for _ in 0..200 {
            let Some(step) = newton_step(&results, &ratings, &place, unknowns.len()) else { break };
            let longest = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
            // A step of more than 2 leaves the region where the quadratic model means anything.
            let mut length = if longest > 2.0 { 2.0 / longest } else { 1.0 };
            loop {
                let mut moved = ratings.clone();
                for (&version, part) in unknowns.iter().zip(&step) {
                    moved[version] += length * part;
                }
                let value = log_likelihood(&results, &moved);
                if value >= likelihood - 1e-12 * likelihood.abs() {
                    ratings = moved;
                    likelihood = value;
                    break;
                }
                length *= 0.5;
                if length < 1e-9 {
                    return ratings;
                }
            }
            if longest < 1e-10 {
                break;
            }
        }
        ratings
    }

    /// Half the 95 % interval of each version over resampled pairs, in Elo.
    fn errors(&self, fitted: &[f64], bootstrap: Bootstrap) -> Vec<Option<f64>> {
        let samples: Vec<Vec<f64>> = (0..bootstrap.resamples)
            .into_par_iter()
            .map(|index| {
                let mut stream = stream(bootstrap.seed, Domain::Bootstrap, index);
                let drawn = |edge: &Edge| Edge { counts: resampled(&edge.counts, &mut stream), ..*edge };
                let edges: Vec<Edge> = self.edges.iter().map(drawn).collect();
                self.fit(&edges, Some(fitted))
            })
            .collect();
        let error = |version: usize| {
            if version == self.anchor {
                return Some(0.0);
            }
            if samples.is_empty() || !self.reached[version] {
                return None;
            }
            let mut values: Vec<f64> = samples.iter().map(|sample| sample[version]).collect();
            values.sort_by(f64::total_cmp);
            let quantile = |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
            let half = 0.5 * (quantile(0.975) - quantile(0.025)) * ELO_SCALE / 2.0;
            (half > 1e-6).then_some(half)
        };
        (0..self.names.len()).map(error).collect()
    }
}

/// A pairing as the likelihood sees it: `a` made `won` and lost `lost` pair points.
struct Tally {
    a: usize,
    b: usize,
    won: f64,
    lost: f64,
}

impl Tally {
    fn new(edge: &Edge, groups: &[usize]) -> Tally {
        let points = |counts: &Pentanomial| -> f64 {
            counts.0.iter().zip(PAIR_SCORES).map(|(&count, score)| count as f64 * score).sum()
        };
        // One drawn game is half a pair, half of it won.
        let drawn = if groups[edge.a] == groups[edge.b] { 0.0 } else { 0.25 };
        Tally { a: edge.a, b: edge.b, won: points(&edge.counts) + drawn, lost: points(&edge.counts.mirrored()) + drawn }
    }
}

fn log_likelihood(results: &[Tally], ratings: &[f64]) -> f64 {
    let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
    let term = |result: &Tally| {
        let lead = ratings[result.a] - ratings[result.b];
        -result.won * softplus(-lead) - result.lost * softplus(lead)
    };
    results.iter().map(term).sum()
}

/// Newton's step of the log-likelihood; `None` where nothing is left to solve.
fn newton_step(results: &[Tally], ratings: &[f64], place: &[Option<usize>], size: usize) -> Option<Vec<f64>> {
    let (mut gradient, mut curvature) = (vec![0.0; size], vec![0.0; size * size]);
    for result in results {
        let expected = 1.0 / (1.0 + (ratings[result.b] - ratings[result.a]).exp());
        let pairs = result.won + result.lost;
        let (pull, weight) = (result.won - pairs * expected, pairs * expected * (1.0 - expected));
        let (a, b) = (place[result.a], place[result.b]);
        if let Some(a) = a {
            gradient[a] += pull;
            curvature[a * size + a] += weight;
        }
        if let Some(b) = b {
            gradient[b] -= pull;
            curvature[b * size + b] += weight;
        }
        if let (Some(a), Some(b)) = (a, b) {
            curvature[a * size + b] -= weight;
            curvature[b * size + a] -= weight;
        }
    }
    (size > 0).then(|| cholesky_solve(&mut curvature, gradient, size))?
}

/// Solves the symmetric positive definite system in place; `None` if it is not definite.
fn cholesky_solve(matrix: &mut [f64], mut right: Vec<f64>, size: usize) -> Option<Vec<f64>> {
    for row in 0..size {
        for col in 0..=row {
            let dot: f64 = (0..col).map(|k| matrix[row * size + k] * matrix[col * size + k]).sum();
            let rest = matrix[row * size + col] - dot;
            if row == col {
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                matrix[row * size + row] = rest.sqrt();
            } else {
                matrix[row * size + col] = rest / matrix[col * size + col];
            }
        }
    }
    for row in 0..size {
        let dot: f64 = (0..row).map(|k| matrix[row * size + k] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let dot: f64 = (row + 1..size).map(|k| matrix[k * size + row] * right[k]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    Some(right)
}

/// As many pairs as in `counts`, drawn from them with replacement.
fn resampled(counts: &Pentanomial, stream: &mut impl Rng) -> Pentanomial {
    let pairs = counts.pairs();
    let mut bounds = counts.0;
    for i in 1..5 {
        bounds[i] += bounds[i - 1];
    }
    let mut drawn = [0; 5];
    for _ in 0..pairs {
        // The high half of a product is uniform below `pairs` up to 2^-64 of it.
        let pick = ((u128::from(stream.next_u64()) * u128::from(pairs)) >> 64) as u64;
        drawn[bounds.iter().position(|&bound| pick < bound).expect("below the last bound")] += 1;
    }
    Pentanomial(drawn)
}

fn neighbours(versions: usize, arrows: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); versions];
    for (from, to) in arrows {
        lists[from].push(to);
    }
    lists
}

fn reachable(neighbours: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; neighbours.len()];
    let mut open = vec![from];
    while let Some(version) = open.pop() {
        if !std::mem::replace(&mut reached[version], true) {
            open.extend(neighbours[version].iter().filter(|&&next| !reached[next]));
        }
    }
    reached
}

/// The strongly connected group of each version, where an arrow goes from whoever made a point to whom it was made
/// against (Kosaraju's two passes).
fn groups(versions: usize, edges: &[Edge]) -> Vec<usize> {
    let made_points = |edge: &Edge| {
        let (first, second) = (edge.counts.0[1..].iter().any(|&n| n > 0), edge.counts.0[..4].iter().any(|&n| n > 0));
        [first.then_some((edge.a, edge.b)), second.then_some((edge.b, edge.a))].into_iter().flatten()
    };
    let forward = neighbours(versions, edges.iter().flat_map(made_points));
    let backward = neighbours(versions, edges.iter().flat_map(made_points).map(|(from, to)| (to, from)));
    let mut finished = Vec::with_capacity(versions);
    let mut seen = vec![false; versions];
    for version in 0..versions {
        // Depth first without recursion: a version is pushed again below its neighbours to be finished after them.
        let mut open = vec![(version, false)];
        while let Some((version, done)) = open.pop() {
            if done {
                finished.push(version);
            } else if !std::mem::replace(&mut seen[version], true) {
                open.push((version, true));
                open.extend(forward[version].iter().filter(|&&next| !seen[next]).map(|&next| (next, false)));
            }
        }
    }
    let mut group = vec![usize::MAX; versions];
    for &root in finished.iter().rev() {
        let mut open = vec![root];
        while let Some(version) = open.pop() {
            if group[version] == usize::MAX {
                group[version] = root;
                open.extend(backward[version].iter().filter(|&&next| group[next] == usize::MAX));
            }
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_ERRORS: Bootstrap = Bootstrap { resamples: 0, seed: 1 };

    fn pairing(a: &str, b: &str, counts: [u64; 5]) -> Pairing {
        Pairing { a: a.to_string(), b: b.to_string(), counts: Pentanomial(counts) }
    }

    fn elo(ratings: &[Rating], name: &str) -> f64 {
        ratings.iter().find(|rating| rating.name == name).and_then(|rating| rating.elo).expect("a rating")
    }

    fn of_score(score: f64) -> f64 {
        -400.0 * (1.0 / score - 1.0).log10()
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let counts = [10, 25, 80, 40, 12];
        let ratings = rate(&[pairing("b", "a", counts)], "a", Bootstrap { resamples: 2000, seed: 1 }).unwrap();
        close(elo(&ratings, "b"), of_score((25.0 * 0.25 + 40.0 + 30.0 + 12.0) / 167.0));
        assert_eq!(ratings[0].name, "b");
        assert_eq!((ratings[0].pairs, ratings[1].pairs), (167, 167));
        assert_eq!((ratings[1].elo, ratings[1].error), (Some(0.0), Some(0.0)));
        // The bootstrap's interval is that of the normal approximation: ±25.17 Elo.
        let error = ratings[0].error.unwrap();
        assert!((error - 25.166).abs() < 1.5, "{error}");
        let reversed = rate(&[pairing("b", "a", counts)], "b", NO_ERRORS).unwrap();
        close(elo(&reversed, "a"), -elo(&ratings, "b"));
    }

    #[test]
    fn a_chain_adds_up() {
        // a scores 3/4 against b, b scores 5/8 against c.
        let ratings = rate(
            &[pairing("a", "b", [0, 10, 10, 10, 30]), pairing("c", "b", [10, 20, 20, 10, 0])],
            "a",
            Bootstrap { resamples: 50, seed: 1 },
        )
        .unwrap();
        close(elo(&ratings, "b"), -of_score(0.75));
        close(elo(&ratings, "c"), -of_score(0.75) - of_score(0.625));
        // Errors grow along the chain.
        let error = |name: &str| ratings.iter().find(|rating| rating.name == name).unwrap().error.unwrap();
        assert!(error("c") > error("b") && error("b") > 0.0);
    }

    #[test]
    fn consistent_odds_are_fitted_exactly() {
        // Odds 2 and 3 along the chain and 6 across: scores 2/3, 3/4, 6/7, with different weights.
        let ratings = rate(
            &[
                pairing("a", "b", [100, 0, 0, 0, 200]),
                pairing("b", "c", [10, 0, 0, 0, 30]),
                pairing("c", "a", [600, 0, 0, 0, 100]),
            ],
            "c",
            NO_ERRORS,
        )
        .unwrap();
        close(elo(&ratings, "b"), 400.0 * 3f64.log10());
        close(elo(&ratings, "a"), 400.0 * 6f64.log10());
        assert_eq!(ratings.iter().map(|rating| rating.name.as_str()).collect::<String>(), "abc");
    }

    #[test]
    fn a_circle_of_equal_wins_is_level() {
        let counts = [10, 10, 20, 30, 10];
        let circle = [pairing("a", "b", counts), pairing("b", "c", counts), pairing("c", "a", counts)];
        for rating in rate(&circle, "b", NO_ERRORS).unwrap() {
            assert!(rating.elo.unwrap().abs() < 1e-6);
            assert!(!rating.one_sided);
        }
    }

    #[test]
    fn versions_without_a_way_to_the_anchor_have_no_rating() {
        let ratings = rate(
            &[
                pairing("a", "b", [1, 2, 3, 4, 5]),
                pairing("x", "y", [1, 2, 3, 4, 5]),
                pairing("z", "a", [0; 5]),
                pairing("b", "b", [5, 0, 0, 0, 5]),
            ],
            "a",
            Bootstrap { resamples: 20, seed: 1 },
        )
        .unwrap();
        let names: Vec<&str> = ratings.iter().map(|rating| rating.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "x", "y", "z"]);
        for rating in &ratings[2..] {
            assert_eq!((rating.elo, rating.error, rating.one_sided), (None, None, false));
        }
        assert_eq!((ratings[1].pairs, ratings[2].pairs, ratings[4].pairs), (15, 15, 0));
        let unknown = rate(&[pairing("a", "b", [1; 5])], "c", NO_ERRORS);
        assert_eq!(unknown, Err(RatingError::UnknownAnchor("c".to_string())));
    }

    #[test]
    fn a_perfect_score_is_finite_and_marked() {
        let ratings = rate(
            &[pairing("b", "a", [0, 0, 0, 0, 40]), pairing("c", "b", [10, 0, 0, 0, 30])],
            "a",
            Bootstrap { resamples: 50, seed: 1 },
        )
        .unwrap();
        close(elo(&ratings, "b"), of_score(40.25 / 40.5));
        // The pairing inside a group is untouched by the drawn game.
        close(elo(&ratings, "c") - elo(&ratings, "b"), of_score(0.75));
        let marks: Vec<bool> = ratings.iter().map(|rating| rating.one_sided).collect();
        assert_eq!(marks, [true, true, false]);
        assert_eq!(ratings.iter().find(|rating| rating.name == "b").unwrap().error, None);
    }

    #[test]
    fn a_perfect_score_inside_a_circle_needs_no_help() {
        // a beats b always, but b beats c and c beats a: the likelihood has a maximum, 2-0, 2-0, 2-0 → level.
        let counts = [0, 0, 0, 0, 2];
        let circle = [pairing("a", "b", counts), pairing("b", "c", counts), pairing("c", "a", counts)];
        assert!(rate(&circle, "a", NO_ERRORS).unwrap().iter().all(|rating| rating.elo.unwrap().abs() < 1e-6));
    }

    #[test]
    fn a_long_one_sided_ladder_stays_finite() {
        let ladder: Vec<Pairing> = (0..40)
            .map(|step| pairing(&format!("{:02}", step + 1), &format!("{step:02}"), [0, 0, 0, 0, 1000]))
            .collect();
        let ratings = rate(&ladder, "00", NO_ERRORS).unwrap();
        close(elo(&ratings, "40"), 40.0 * of_score(1000.25 / 1000.5));
    }

    #[test]
    fn the_order_of_the_records_does_not_matter() {
        let mut pairings =
            vec![pairing("a", "b", [5, 9, 9, 4, 1]), pairing("b", "c", [2, 3, 4, 5, 6]), pairing("b", "a", [1; 5])];
        let options = Bootstrap { resamples: 30, seed: 4 };
        let ratings = rate(&pairings, "a", options).unwrap();
        pairings.reverse();
        assert_eq!(rate(&pairings, "a", options).unwrap(), ratings);
        assert_ne!(rate(&pairings, "a", Bootstrap { seed: 5, ..options }).unwrap(), ratings);
    }
}
