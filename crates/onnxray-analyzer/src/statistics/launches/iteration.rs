//! Figures of one iteration.

use onnxray_format::{IterationKind, Nanoseconds, Step};

/// One inference.
#[derive(Clone, Debug)]
pub struct IterationSummary {
    /// Position of its launch in the trace.
    pub position: u32,
    /// Number that its launch has in the recording.
    pub launch: u32,
    /// Number that the recorder gave it.
    pub index: u32,
    /// Measured, warm-up or unprofiled.
    pub kind: IterationKind,
    /// On the clock of its launch.
    pub start: Nanoseconds,
    /// Wall time.
    pub latency: Nanoseconds,
    /// `None` for an unprofiled iteration, whose operators were not recorded.
    pub operators: Option<Nanoseconds>,
    /// Profiling cost inside their events, taken out of `operators`; `None` if unknown.
    pub profiling: Option<Nanoseconds>,
    /// `operators` minus the time that they cover.
    pub concurrent: Option<Nanoseconds>,
    /// Wall time in which devices are at work and no operator of the host.
    pub devices_alone: Option<Nanoseconds>,
    /// Wall time that neither operators nor devices cover.
    pub overhead: Option<Nanoseconds>,
    /// Its step of a generation; `None` for a whole inference.
    pub step: Option<Step>,
}
