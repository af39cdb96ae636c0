//! Something that happened while a recording was made, and what it cost.

use super::NoiseSource;
use crate::statistics::Interval;

/// Something that happened while a recording was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Interference {
    /// Kind of interference.
    pub source: NoiseSource,
    /// Steady-state iterations during which it happened.
    pub affected: usize,
    /// Steady-state iterations of which that is known.
    pub all: usize,
    /// Largest amount in an iteration, or the sum of its counts.
    pub amount: f64,
    /// For load: number of the launch's own cores; `None` if load was seen on others.
    pub cores: Option<usize>,
    /// Typical latency of the affected iterations / that of the others; `None` if there are
    /// too few of either.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio; `None` with too few of either.
    pub interval: Option<Interval>,
    /// Slowdown of the typical latency; `None` unless the interval shows that affected iterations
    /// are longer.
    pub moved: Option<f64>,
    /// True if the iterations that are not affected had some of it too, so that more than `moved`
    /// is its cost.
    pub everywhere: bool,
    /// Slowdown by stolen time, as the system counts it.
    pub stolen_slowdown: Option<f64>,
    /// For load: mean number of threads that were ready and had no core; `None` with one thread,
    /// whose waiting has a known cost.
    pub threads_waiting: Option<f64>,
}

impl Interference {
    /// Slowdown of the typical latency that is shown: the larger of both estimates.
    pub fn cost(&self) -> Option<f64> {
        match (self.moved, self.stolen_slowdown) {
            (Some(moved), Some(stolen)) => Some(moved.max(stolen)),
            (moved, stolen) => moved.or(stolen),
        }
    }

    /// True if `cost` is the least that it cost.
    pub fn is_at_least(&self) -> bool {
        self.everywhere && self.cost() == self.moved
    }

    /// The most of it, as a share of the cores that the launch might use.
    pub fn share_of_cores(&self) -> Option<f64> {
        self.cores.filter(|&cores| cores > 0).map(|cores| self.amount / cores as f64)
    }

    /// True if no iteration was without it, so that nothing can be compared.
    pub fn is_throughout(&self) -> bool {
        self.affected == self.all
    }
}
