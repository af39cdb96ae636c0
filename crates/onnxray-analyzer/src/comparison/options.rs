//! Options that tell differences from noise.

use super::Field;
use crate::units::Share;

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// Differences up to this share of the baseline's time do not matter.
    pub noise_threshold: Share,
    /// A difference counts if its p, adjusted for all groups, is at most this.
    pub alpha: f64,
    /// Configuration differences that are the point of the comparison.
    pub expected_differences: Vec<Field>,
    /// Seed of all random draws: the same seed gives the same figures.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            noise_threshold: Share(0.03),
            alpha: 0.05,
            expected_differences: Vec::new(),
            seed: 1,
        }
    }
}
