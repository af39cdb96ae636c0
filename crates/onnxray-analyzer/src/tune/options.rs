//! How much has to be gained, and how sure that has to be.

/// Thresholds of a tuning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuneOptions {
    /// Changes of the latency up to this share of the base's do not matter.
    pub smallest_gain: f64,
    /// Outputs may differ by this share of the largest value of the base's output.
    pub tolerance: f64,
}

impl Default for TuneOptions {
    fn default() -> TuneOptions {
        TuneOptions { smallest_gain: 0.005, tolerance: 1e-3 }
    }
}

pub(super) const CONFIDENCE: f64 = 0.95;
/// Share of the changes found to make a difference that may be false.
pub(super) const FALSE_DISCOVERIES: f64 = 0.05;
/// Launches of every change, after which those that cannot gain anything are left.
pub(super) const FIRST_LAUNCHES: usize = 5;
/// Launches of those that may gain something.
pub(super) const LAUNCHES: usize = 10;
pub(super) const COMBINED_LAUNCHES: usize = 5;
/// Combinations that leave out one change are tried for no more changes than this.
pub(super) const MOST_LEFT_OUT: usize = 8;
