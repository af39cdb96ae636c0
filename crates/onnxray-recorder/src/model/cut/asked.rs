//! Which blocks are asked for.

use onnxray_format::Nanoseconds;
use serde::{Deserialize, Serialize};

/// Blocks that are timed in place of operators.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// There are at most this many.
    pub most: u32,
    /// Blocks of a first look, by which those that take most time are cut further; none: where cuts
    /// are follows from an estimate of FLOPs and bytes.
    pub measured: Vec<MeasuredBlock>,
    /// Names of the nodes of each operator that the engine makes of several: a cut between them would
    /// make it another.
    pub fused: Vec<Vec<String>>,
    /// Names of the nodes behind which to cut, wherever else cuts would be; none: they are chosen.
    pub cuts: Vec<String>,
}

/// A block as it was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredBlock {
    /// Name of its last node.
    pub last: String,
    /// Time of the block.
    pub time: Nanoseconds,
}

/// What a first look at a model finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Its blocks; none if it was stopped.
    pub blocks: Vec<MeasuredBlock>,
    /// As in [`Blocks::fused`].
    pub fused: Vec<Vec<String>>,
}
