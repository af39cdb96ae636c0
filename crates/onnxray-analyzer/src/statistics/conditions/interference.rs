//! Something that happened while a recording was made, and what it cost.

use super::NoiseSource;
use crate::statistics::Interval;

/// Something that happened while a recording was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Interference {
    /// What it is.
    pub source: NoiseSource,
    /// Steady-state iterations during which it happened, and all of which that is known.
    pub affected: usize,
    /// All of which it is known.
    pub all: usize,
    /// The most of it in a slice, or the sum of its counts.
    pub amount: f64,
    /// Of other programs: the cores that the launch might use; `None` where they ran on others.
    pub cores: Option<usize>,
    /// Typical latency of the affected iterations / that of the others; `None` if there are
    /// too few of either.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio; `None` with too few of either.
    pub interval: Option<Interval>,
    /// By what share the typical latency is longer than without it, if the interval says that
    /// the affected iterations are longer.
    pub moved: Option<f64>,
    /// By what share it is longer for time on the cores that was stolen, as counted by the system.
    pub stolen_slowdown: Option<f64>,
}

impl Interference {
    /// By what share it made the typical latency longer, as far as that is shown.
    pub fn cost(&self) -> Option<f64> {
        match (self.moved, self.stolen_slowdown) {
            (Some(moved), Some(stolen)) => Some(moved.max(stolen)),
            (moved, stolen) => moved.or(stolen),
        }
    }

    /// The most of it, as a share of the cores that the launch might use.
    pub fn share_of_cores(&self) -> Option<f64> {
        self.cores.filter(|&cores| cores > 0).map(|cores| self.amount / cores as f64)
    }

    /// Whether it was there throughout, so that nothing tells how it would be without.
    pub fn is_throughout(&self) -> bool {
        self.affected == self.all
    }
}
