//! How differences are told from noise.

use super::Field;
use super::power::{
    fewest_launches, fewest_launches_of_pairs, launches_enough, launches_enough_of_pairs,
};
use crate::units::Share;

/// What the user may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Differences up to this share of the baseline's time do not matter.
    pub noise_threshold: Share,
    /// A difference counts if its p, adjusted for all groups, is at most this.
    pub alpha: f64,
    /// Configuration differences that are the point of the comparison.
    pub expected_differences: Vec<Field>,
    /// Bootstrap resamples that intervals are taken from.
    pub resamples: usize,
    /// Of all random draws: the same seed gives the same figures.
    pub seed: u64,
}

impl Options {
    /// Launches of each side below which no difference is found, however large.
    pub fn fewest_launches(&self) -> usize {
        fewest_launches(self.alpha)
    }

    /// Launches of each side from which on a small layer is found if it alone changes.
    pub fn enough_launches(&self) -> usize {
        launches_enough(self.alpha)
    }

    /// The same of launches in which both sides take turns iteration by iteration: with
    /// fewer, blocks of iterations are compared.
    pub fn fewest_launches_of_pairs(&self) -> usize {
        fewest_launches_of_pairs()
    }

    /// Of such launches: from so many on, a change of 3 % of a layer of 2 % of the time
    /// is found if it alone changes.
    pub fn enough_launches_of_pairs(&self) -> usize {
        launches_enough_of_pairs(self.alpha)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            noise_threshold: Share(0.03),
            alpha: 0.05,
            expected_differences: Vec::new(),
            resamples: 1000,
            seed: 1,
        }
    }
}
