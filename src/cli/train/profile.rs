//! Training profiles: what each generation plays, labels and fits, as readable TOML.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::lines::Lines;
use crate::eval::othello::PatternSetName;
use crate::game::GameId;

/// A training run, generation by generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The seed of the run; generation g plays under a seed made of this and g.
    pub seed: u64,
    /// Judged games the finished bot plays.
    pub judged_games: u64,
    /// The patterns of Othello: standard unless given, tens, edax or lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patterns: Option<PatternSetName>,
    /// How candidates are compared with the champion.
    pub gate: Gate,
    /// How the finished weights get ProbCut lines; without it they have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probcut: Option<Lines>,
    /// The generations; after the last the run ends.
    pub generation: Vec<Generation>,
}

/// The match a candidate has to win.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The most pairs.
    pub pairs: u64,
    /// Depth of a move's search.
    pub depth: u8,
}

/// One generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// How often this generation is repeated.
    #[serde(default = "one")]
    pub repeat: u32,
    /// Self-play games.
    pub games: u64,
    /// Depth of their moves; 0 plays at random.
    pub depth: u8,
    /// From how many empty squares they are solved; the game's usual number if not given.
    pub solve_empties: Option<u8>,
    /// Plies with weights of their own.
    pub knots: u8,
    /// How many generations' games, the latest first, the fit sees.
    pub window: usize,
    /// Passes of the fit.
    pub passes: u32,
    /// The share of the outcome in a position's target, in the first half of a game; the rest is the score it was
    /// recorded with.
    #[serde(default = "whole")]
    pub outcome_weight: f32,
    /// The share of what the next positions' searches say in that score (a λ-return).
    #[serde(default)]
    pub score_lambda: f32,
    /// The score at which a position counts half as much as a level one; all count alike without it.
    pub half_weight: Option<f32>,
    /// Deeper scores for part of the games.
    pub label: Option<Label>,
}

/// Which games are labelled, and how deep.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The share of the generation's shards that is labelled, at least one.
    pub share: f64,
    /// Depth of the search.
    pub depth: u8,
    /// From how many empty squares positions are solved.
    pub solve_empties: u8,
    /// Every n-th position of a game.
    pub every: u32,
}

fn one() -> u32 {
    1
}

fn whole() -> f32 {
    1.0
}

impl Profile {
    /// A game's profile of a name (`quick`, `standard`, `full`), or of a TOML file's path.
    pub fn load(game: GameId, word: &str) -> Result<Profile> {
        let text = match (game, word) {
            (GameId::Renju, "quick") => include_str!("renju-quick.toml").to_string(),
            (GameId::Renju, "standard") => include_str!("renju-standard.toml").to_string(),
            (GameId::Renju, "full") => include_str!("renju-full.toml").to_string(),
            (_, "quick") => include_str!("quick.toml").to_string(),
            (_, "standard") => include_str!("standard.toml").to_string(),
            // The wide patterns are for 8×8 alone.
            (GameId::Othello, "full") => format!("patterns = \"tens\"\n{}", include_str!("full.toml")),
            (_, "full") => include_str!("full.toml").to_string(),
            (_, path) => std::fs::read_to_string(Path::new(path))
                .with_context(|| format!("--profile: expected quick, standard, full or a TOML file, found `{path}`"))?,
        };
        Profile::parse(&text).with_context(|| format!("profile {word}"))
    }

    /// Parses a profile.
    pub fn parse(text: &str) -> Result<Profile> {
        let profile: Profile = toml::from_str(text)?;
        ensure!(!profile.generation.is_empty(), "expected at least one [[generation]]");
        for (number, generation) in profile.generation.iter().enumerate() {
            ensure!(
                generation.games > 0 && generation.window > 0 && generation.knots > 0 && generation.passes > 0,
                "generation {number}: games, window, knots and passes must be at least 1"
            );
            ensure!(
                (0.0..=1.0).contains(&generation.outcome_weight),
                "generation {number}: outcome_weight: expected a share from 0 to 1"
            );
            ensure!(
                (0.0..=1.0).contains(&generation.score_lambda),
                "generation {number}: score_lambda: expected a share from 0 to 1"
            );
            ensure!(
                generation.half_weight.is_none_or(|half| half > 0.0),
                "generation {number}: half_weight: expected more than 0"
            );
        }
        Ok(profile)
    }

    /// The number of generations.
    pub fn generations(&self) -> usize {
        self.generation.iter().map(|generation| generation.repeat as usize).sum()
    }

    /// Generation number `number`; beyond the last, the last.
    pub fn generation(&self, number: usize) -> &Generation {
        let mut left = number;
        for generation in &self.generation {
            if left < generation.repeat as usize {
                return generation;
            }
            left -= generation.repeat as usize;
        }
        self.generation.last().expect("a profile has a generation")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["quick", "standard", "full"];

    #[test]
    fn the_profiles_that_come_along_are_sound() {
        for (game, name) in [GameId::Othello, GameId::Renju].into_iter().flat_map(|game| NAMES.map(|name| (game, name)))
        {
            let profile = Profile::load(game, name).unwrap();
            assert!(profile.generations() >= 3, "{game} {name}");
            assert_eq!(profile.generation(0).depth, 0, "{game} {name} begins with nothing");
        }
        let edax = "seed=1\njudged_games=1\npatterns=\"edax\"\n[gate]\npairs=1\ndepth=1\n[[generation]]\ngames=1\ndepth=0\nknots=1\nwindow=1\npasses=1";
        let profile = Profile::parse(edax).unwrap();
        assert_eq!(profile.patterns, Some(PatternSetName::Edax));
        assert_eq!(Profile::parse(&toml::to_string(&profile).unwrap()).unwrap().patterns, Some(PatternSetName::Edax));
        assert!(
            format!("{:#}", Profile::parse(&edax.replace("edax", "edam")).unwrap_err())
                .contains("`standard`, `tens`, `edax`")
        );
        let full = Profile::load(GameId::Othello, "full").unwrap();
        assert_eq!(full.generations(), 24);
        assert_eq!(full.generation(23).depth, full.generation(500).depth);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text| format!("{:#}", Profile::parse(text).unwrap_err());
        assert!(error("seed = 1").contains("judged_games"));
        let unknown = "seed=1\njudged_games=1\ncolour=1\n[gate]\npairs=1\ndepth=1\n[[generation]]\ngames=1\ndepth=0\nknots=1\nwindow=1\npasses=1";
        assert!(error(unknown).contains("colour"));
        assert!(format!("{:#}", Profile::load(GameId::Renju, "slow").unwrap_err()).contains("quick, standard, full"));
    }
}
