//! What a mix has to be worth, and how often it is measured.

use onnxray_format::{LossMeasure, LossOutput, MixRun};

/// What a user decides about a mix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MixOptions {
    /// Differences of the latency up to this share do not matter.
    pub smallest_gain: f64,
    /// Outputs may be this far from A's, in the measure of the output; `None` for as far as B's
    /// are.
    pub max_loss: Option<f64>,
}

impl Default for MixOptions {
    fn default() -> MixOptions {
        MixOptions { smallest_gain: 0.005, max_loss: None }
    }
}

/// Launches of every mix that is tried.
pub(super) const FIRST_LAUNCHES: usize = 2;
/// Launches of a mix before the search goes on from it: those behind the first decide.
pub(super) const SURE_LAUNCHES: usize = 5;
/// Improvements after which the search ends in any case.
pub(super) const MOST_STEPS: usize = 12;
/// More changes than this are tried in groups first.
pub(super) const MOST_SINGLE: usize = 40;
/// Up to this many changes, three that lie one behind the other are tried at once as well.
pub(super) const MOST_IN_THREES: usize = 12;
/// Groups whose changes are tried singly as well, at each step.
pub(super) const MOST_SPLIT: usize = 6;
/// A loss that rounding alone may come to: in nats, and as relative L2.
const ROUNDING: [f64; 2] = [1e-9, 1e-6];

/// Rounding loss in the measure of the run's outputs; the larger one if they have both.
pub(super) fn rounding(run: &MixRun) -> f64 {
    let is_relative = |output: &LossOutput| output.measure == Some(LossMeasure::RelativeL2);
    ROUNDING[usize::from(run.outputs.iter().any(is_relative))]
}
