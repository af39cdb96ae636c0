//! Figures of one iteration.

use onnxray_format::{Iteration, IterationKind, Nanoseconds, Step};

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

impl IterationSummary {
    /// An iteration of which nothing but its time is known, by the position of its launch and the
    /// number that this has in the recording.
    pub fn of_time(position: u32, launch: u32, iteration: Iteration) -> IterationSummary {
        let Iteration { index, kind, start, duration, step } = iteration;
        IterationSummary {
            position,
            launch,
            index,
            kind,
            start,
            latency: duration,
            operators: None,
            profiling: None,
            concurrent: None,
            devices_alone: None,
            overhead: None,
            step,
        }
    }
}
