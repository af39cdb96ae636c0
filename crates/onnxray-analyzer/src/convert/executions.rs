//! Which executions a table of events has.

use onnxray_format::IterationKind;
use onnxray_import::{EventChunk, Launch};

/// Which executions are exported, by the iterations that they lie in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Executions {
    /// All, those outside of iterations as well.
    #[default]
    All,
    /// Of measured iterations; of a launch that tells no iterations, all, since statistics take all.
    Measured,
    /// Of warm-up iterations.
    WarmUp,
}

impl Executions {
    /// Each, with its name: that of the kind of iteration.
    pub const ALL: [(&'static str, Executions); 3] = [
        ("measured", Executions::Measured),
        ("warm-up", Executions::WarmUp),
        ("all", Executions::All),
    ];

    /// The events of a chunk of this launch that are exported, in order.
    pub(super) fn rows(self, launch: &Launch, chunk: &EventChunk) -> Vec<usize> {
        let kind = match self {
            Executions::Measured if launch.iterations.is_empty() => None,
            Executions::Measured => Some(IterationKind::Measured),
            Executions::WarmUp => Some(IterationKind::WarmUp),
            Executions::All => None,
        };
        let is_asked_for = |row: &usize| {
            let iteration = launch.iterations.get(chunk.iteration[*row] as usize);
            kind.is_none_or(|kind| iteration.is_some_and(|iteration| iteration.kind == kind))
        };
        (0..chunk.len()).filter(is_asked_for).collect()
    }
}
