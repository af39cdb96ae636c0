//! What is known of one launch.

use crate::statistics::Distribution;
use onnxray_format::Nanoseconds;

/// One process that ran the model.
#[derive(Clone, Debug)]
pub struct LaunchSummary {
    /// Number that it has in the recording.
    pub launch: u32,
    /// Rank of the process in a distributed run; `None` without one.
    pub rank: Option<u32>,
    /// Its place among instances; `None` if it ran alone.
    pub instance: Option<Instance>,
    /// Unix time of its clock's zero, if it is known.
    pub clock_origin: Option<Nanoseconds>,
    /// Number of measured iterations.
    pub iterations: u64,
    /// Iterations that the recorder declared warm-up.
    pub warmup_flagged: u64,
    /// `None` if there are too few iterations to tell, or if it never settles.
    pub warmup_found: Option<u64>,
    /// `None` if no iteration was measured.
    pub latency: Option<Distribution>,
    /// `None` without unprofiled iterations.
    pub unprofiled: Option<Distribution>,
}

/// The place of a launch among those that ran side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// From 0; those of one round ran at the same time.
    pub round: u32,
    /// In its round, from 0.
    pub number: u32,
}
