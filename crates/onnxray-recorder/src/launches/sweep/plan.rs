//! What a sweep measures: the first line of its journal.

use crate::launches::spec::LaunchSpec;
use crate::record::Schedule;
use serde::{Deserialize, Serialize};

/// What a sweep measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    /// What was asked for, in the words of the caller: whether another sweep is the same.
    pub request: String,
    /// Of the order of points.
    pub seed: u64,
    /// In the order in which they are shown.
    pub points: Vec<PlannedPoint>,
    /// Configurations that are not measured.
    pub skipped: Vec<SkippedPoint>,
}

/// A configuration that is not measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedPoint {
    /// What a launch of it would be.
    pub spec: LaunchSpec,
    /// Why, in one line.
    pub reason: String,
}

/// A configuration of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedPoint {
    /// Unique in the sweep.
    pub name: String,
    /// A launch of it. Its folder is relative to that of the journal.
    pub spec: LaunchSpec,
    /// Iterations of a launch.
    pub schedule: Schedule,
    /// The cores of each instance; none where the system chooses.
    pub cores: Vec<Vec<u32>>,
    /// Name of its recording; a new sweep finds one.
    pub time: String,
}
