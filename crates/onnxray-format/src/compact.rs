//! Compact recordings: launches without the executions of operators. Members `compact` and
//! `launches` of a trace, beside `averages`, which are of the operators over all launches.

use crate::{Conditions, Iteration, IterationKind, Nanoseconds, Phase, Run, Step};
use serde::{Deserialize, Serialize};

/// What operators and framework overhead of typical iterations add up to: means per iteration, in
/// nanoseconds. `None` means unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Compact {
    /// Phase of a generation that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// The whole.
    pub mean_ns: Option<f64>,
    /// Time that no operator covers.
    pub overhead_ns: Option<f64>,
    /// Time of operators minus the time that they cover.
    pub concurrent_ns: Option<f64>,
    /// Whether the profiling cost is taken out of these and of the averages.
    pub is_calibrated: bool,
}

/// A launch after the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FurtherLaunch {
    /// Its metadata.
    pub run: Run,
    /// State of the machine, without what was counted by iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// Of all kinds, in the order of their starts.
    pub iterations: Vec<PackedIteration>,
}

/// An iteration in a line: `["measured", 0, start, duration]`, times in nanoseconds, and the step
/// of a generation behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PackedIteration {
    /// A step of a generation.
    Step(IterationKind, u32, Nanoseconds, Nanoseconds, Step),
    /// A whole inference.
    Whole(IterationKind, u32, Nanoseconds, Nanoseconds),
}

impl From<&Iteration> for PackedIteration {
    fn from(&Iteration { index, kind, start, duration, step }: &Iteration) -> PackedIteration {
        match step {
            Some(step) => PackedIteration::Step(kind, index, start, duration, step),
            None => PackedIteration::Whole(kind, index, start, duration),
        }
    }
}

impl From<PackedIteration> for Iteration {
    fn from(packed: PackedIteration) -> Iteration {
        let (kind, index, start, duration, step) = match packed {
            PackedIteration::Step(kind, index, start, duration, step) => {
                (kind, index, start, duration, Some(step))
            }
            PackedIteration::Whole(kind, index, start, duration) => {
                (kind, index, start, duration, None)
            }
        };
        Iteration { index, kind, start, duration, step }
    }
}
