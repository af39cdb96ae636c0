//! Compared times of the whole or of a group of layers.

use super::{Basis, Detail, Group, LaunchesNeeded, Reason, Timing, Verdict};
use crate::statistics::Interval;
use crate::units::{Milliseconds, Share};

/// Times of both sides, and what changed.
#[derive(Clone, Debug)]
pub struct Compared {
    /// A, then B.
    pub sides: [Timing; 2],
    /// From A to B.
    pub change: Change,
    /// Units of the test. A group may fall back to launches where the whole has pairs of
    /// iterations.
    pub basis: Basis,
}

impl Compared {
    /// Factor by which the machine may have slowed the second side down. Where both were recorded
    /// one after the other and the whole is neither faster nor slower, up to all that the whole may
    /// differ by; otherwise 1 to 1.
    pub(crate) fn shift(&self) -> Interval {
        let is_apart = matches!(self.change.verdict, Some(Verdict::Faster | Verdict::Slower));
        match self.change.ratio_interval {
            // A whole that is faster or slower is itself the effect; dividing layers by it would
            // hide it.
            Some(Interval { low, high }) if !self.basis.is_in_turns() && !is_apart && low > 0.0 => {
                Interval { low: low.min(1.0), high: high.max(1.0) }
            }
            _ => Interval { low: 1.0, high: 1.0 },
        }
    }
}

/// A group of operators, compared.
#[derive(Clone, Debug)]
pub struct ComparedGroup {
    /// Name of the operator that takes most time.
    pub name: String,
    /// By side: the type that takes most time; blank without operators.
    pub main_types: [String; 2],
    /// By side: all of its types in the order of execution, such as `Add + Erf + Mul (2)`;
    /// conversions only where there is nothing else. Blank without operators.
    pub types: [String; 2],
    /// By side: the element type it computes in, or `unknown`; blank without operators.
    pub precisions: [String; 2],
    /// Its operators, and what they were matched by.
    pub group: Group,
    /// The sums of its operators' times.
    pub compared: Compared,
    /// Parameters that differ.
    pub details: Vec<Detail>,
}

/// Change from A to B; unknown figures are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Typical time of B - typical time of A.
    pub difference: Option<Milliseconds>,
    /// In milliseconds.
    pub difference_interval: Option<Interval>,
    /// Typical time of B / A: below 1 is faster.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio.
    pub ratio_interval: Option<Interval>,
    /// Before any adjustment.
    pub p: Option<f64>,
    /// After Benjamini and Hochberg over its family: patterns and layers in none, or members of
    /// patterns; the total is tested by itself.
    pub p_adjusted: Option<f64>,
    /// The smallest difference that this recording would have shown in four of five
    /// cases, of the time of A. `None` if it could show none.
    pub minimum_detectable_effect: Option<Share>,
    /// `None` if a side has no time.
    pub verdict: Option<Verdict>,
    /// Why it is inconclusive, where the interval does not show it.
    pub reason: Option<Reason>,
    /// Launches per side that would decide an inconclusive difference.
    pub launches_needed: Option<LaunchesNeeded>,
    /// Mean of B - mean of A. The differences of groups add up to the whole's.
    pub mean_difference: Option<Milliseconds>,
    /// Share of the mean difference of the whole; may be negative or above 1.
    pub contribution: Option<f64>,
}
