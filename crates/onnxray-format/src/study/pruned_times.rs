//! How long layers take with pruned weights whose zeros are skipped, next to dense ones.

use serde::{Deserialize, Serialize};

/// How layers of a model were timed. All are pruned to the same level at once, as a sparse model
/// has them, and run in turns with the dense model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimedRun {
    /// Launches of which every level has times.
    pub launches: u32,
    /// Launches that were to be.
    pub planned_launches: u32,
    /// Threads that a kernel may use.
    pub threads: u32,
    /// The processor; `None` if the system does not say.
    pub cpu: Option<String>,
    /// Local time at which it ended, RFC 3339.
    pub at: Option<String>,
    /// By level: all operators that skip no zeros.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_pruned: Vec<NotPrunedTimes>,
    /// Why nothing can be timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// Why a launch failed, after which there was no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// How long all operators take that skip no zeros, beside layers that are pruned to a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotPrunedTimes {
    /// Level of all layers.
    pub level: f64,
    /// By launch.
    pub times: Vec<PrunedTimes>,
}

/// What a launch says of a model whose layers are pruned to a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedLevel {
    /// Its layers.
    pub layers: Vec<TimedLayer>,
    /// All operators that skip no zeros; `None` if there are none.
    #[serde(default)]
    pub not_pruned: Option<PrunedTimes>,
}

/// Times of the operators with a weight in a launch, with what packs their inputs, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrunedTimes {
    /// With the dense weight.
    pub dense_ns: f64,
    /// With the pruned one, whose zeros are skipped.
    pub sparse_ns: f64,
}

/// What a launch says of a layer at a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedLayer {
    /// The constant's name.
    pub weight: String,
    /// Its times; `None` if no operator has its weight as it is stored.
    pub times: Option<PrunedTimes>,
    /// Why it multiplies by its zeros; `None` if it skips them.
    pub multiplies_zeros: Option<String>,
}
