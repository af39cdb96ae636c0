//! Under which conditions a launch ran, by its own readings.
//!
//! Nothing is assumed: what the system does not tell is `None`. Only a launch that was
//! closed has conditions.

use crate::Nanoseconds;
use serde::{Deserialize, Serialize};

/// Readings of the machine while a launch ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conditions {
    /// Cores that the recorder bound the launch to; empty if it did not.
    pub pinned: Option<Vec<u32>>,
    /// Cores that its threads might run on, ascending.
    pub cores: Option<Vec<u32>>,
    /// Further hardware threads of these cores, on which it might not run.
    pub siblings: Option<Vec<u32>>,
    /// Whether cores run several hardware threads (simultaneous multithreading).
    pub smt: Option<bool>,
    /// Frequency governor of these cores at the start.
    pub governor: Option<String>,
    /// Frequency governor of these cores at the end.
    pub governor_at_end: Option<String>,
    /// Whether cores may exceed their nominal frequency.
    pub turbo: Option<bool>,
    /// CPU limit of the container.
    pub limit: Option<CpuLimit>,
    /// Bytes of memory that the container may use, where that is less than the machine has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// Readings of the machine, in the order of time.
    pub slices: Option<Slices>,
    /// Pages mapped without reading a disk, for threads of the launch.
    pub minor_faults: Option<Counts>,
    /// Pages read from a disk for them.
    pub major_faults: Option<Counts>,
    /// How often a thread of the launch gave its core away, to wait for something.
    pub voluntary_switches: Option<Counts>,
    /// How often a core was taken from a thread of the launch.
    pub involuntary_switches: Option<Counts>,
    /// 1 where the launching thread went on on another core.
    pub migrations: Option<Counts>,
    /// Time that threads of the launch were ready and had no core, in microseconds.
    pub waits_us: Option<Counts>,
}

/// CPU time that a container may use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CpuLimit {
    /// Cores' worth of time; `None` if there is no limit.
    pub cores: Option<f64>,
    /// Periods in which the limit was reached while the launch ran.
    pub throttled_periods: Option<u64>,
}

/// Columns of equal length: what happened from one reading to the next. A column that
/// could not be read throughout is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slices {
    /// When the first slice began, on the clock of the launch.
    pub start: Nanoseconds,
    /// When each slice ended, ascending.
    pub ends: Vec<Nanoseconds>,
    /// Time that others used on the cores that the launch might use, in milliseconds.
    pub others_ms: Option<Vec<u32>>,
    /// Time that others used on all further cores, in milliseconds.
    pub elsewhere_ms: Option<Vec<u32>>,
    /// Time that a hypervisor withheld from the cores that the launch might use, in
    /// milliseconds.
    pub steal_ms: Option<Vec<u32>>,
    /// Time that threads of the container were held back by its limit, in microseconds.
    pub throttled_us: Option<Vec<u64>>,
    /// Clock frequency of the launching thread's core at the end, in kilohertz.
    pub frequency_khz: Option<Vec<u32>>,
}

impl Slices {
    /// Begin and end of each slice.
    pub fn spans(&self) -> impl Iterator<Item = (Nanoseconds, Nanoseconds)> {
        let starts = std::iter::once(&self.start).chain(&self.ends);
        starts.copied().zip(self.ends.iter().copied())
    }
}

/// Counts per iteration, without the iterations in which the count is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Indices of instrumented iterations, ascending.
    pub iterations: Vec<u32>,
    /// Count of each of these iterations, never 0.
    pub counts: Vec<u32>,
}

impl Counts {
    /// Notes an iteration in which something happened.
    pub fn add(&mut self, iteration: u32, count: u64) {
        // Most iterations have none: a recording of 100,000 stays small.
        if count > 0 {
            self.iterations.push(iteration);
            self.counts.push(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }

    /// Count of an iteration; 0 if it is not listed.
    pub fn of(&self, iteration: u32) -> u32 {
        let place = self.iterations.binary_search(&iteration).ok();
        place.and_then(|place| self.counts.get(place)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_hold_what_happened_and_nothing_else() {
        let mut counts = Counts::default();
        for (iteration, count) in [(0, 0), (3, 2), (4, 0), (9, u64::MAX)] {
            counts.add(iteration, count);
        }
        assert_eq!(counts.iterations, [3, 9]);
        assert_eq!([0, 3, 4, 9, 10].map(|iteration| counts.of(iteration)), [0, 2, 0, u32::MAX, 0]);
    }

    #[test]
    fn slices_follow_each_other() {
        let slices = Slices {
            start: Nanoseconds(5),
            ends: [10, 30].map(Nanoseconds).to_vec(),
            ..Slices::default()
        };
        let spans: Vec<(u64, u64)> = slices.spans().map(|(from, to)| (from.0, to.0)).collect();
        assert_eq!(spans, [(5, 10), (10, 30)]);
        assert_eq!(Slices::default().spans().count(), 0);
    }
}
