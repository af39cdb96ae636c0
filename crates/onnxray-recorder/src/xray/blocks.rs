//! Which blocks are timed.

use crate::model::cut::MeasuredBlock;
use serde::{Deserialize, Serialize};

/// Blocks that are timed in place of operators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// There are at most this many.
    pub most: u32,
    /// Blocks of a first look, by which those that take most time are cut further; none: where cuts
    /// are follows from an estimate of FLOPs and bytes.
    pub measured: Vec<MeasuredBlock>,
}
