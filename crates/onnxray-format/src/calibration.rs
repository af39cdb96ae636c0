//! What profiling costs, as far as the recorder measured it beside the model.
//!
//! Chains of nodes that compute next to nothing ran plain and instrumented, in turns with the
//! model. The recording keeps what was measured; what that says of an operator is analysis.

use serde::{Deserialize, Serialize};

/// The chains of a launch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calibration {
    /// Why nothing is known; then there are no chains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Engine that ran the chains, if it ran them after another program had made the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub afterwards: Option<String>,
    /// Each of nodes of another kind.
    pub chains: Vec<CalibrationChain>,
}

/// A chain of nodes of one kind. Lists have one value for each pair of runs, plain and
/// instrumented.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CalibrationChain {
    /// Nodes that the engine executed in a row.
    pub nodes: u32,
    /// Tensors that a node takes and makes.
    pub tensors: f64,
    /// Dimensions of these tensors, added up.
    pub dimensions: f64,
    /// Wall time of an unprofiled run, in nanoseconds.
    pub plain_ns: Vec<u64>,
    /// Wall time of an instrumented run, in nanoseconds.
    pub profiled_ns: Vec<u64>,
    /// Mean of the times that its nodes took in it, in nanoseconds.
    pub node_ns: Vec<f64>,
}
