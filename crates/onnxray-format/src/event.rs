//! What happened when: iterations and the executions of operators.

use crate::{Nanoseconds, Step};
use serde::{Deserialize, Serialize};

/// One execution of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Number of the operator in the launch's table.
    pub operator: u32,
    /// 0 on the thread that runs the iteration; others are counted from 1.
    pub worker: u32,
    /// On the clock of the launch.
    pub start: Nanoseconds,
    /// Operators inside of it included.
    pub duration: Nanoseconds,
}

impl Span {
    /// When it ended, on the clock of the launch.
    pub fn end(&self) -> Nanoseconds {
        self.start + self.duration
    }
}

/// One inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// From 0, counted separately for instrumented and unprofiled iterations.
    pub index: u32,
    /// Measured, warm-up or unprofiled.
    pub kind: IterationKind,
    /// On the clock of the launch.
    pub start: Nanoseconds,
    /// Wall time.
    pub duration: Nanoseconds,
    /// Step of a generation; `None` for a whole inference.
    pub step: Option<Step>,
}

impl Iteration {
    /// When it ended, on the clock of the launch.
    pub fn end(&self) -> Nanoseconds {
        self.start + self.duration
    }
}

/// How an iteration was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IterationKind {
    /// Instrumented, and counted in the statistics.
    Measured,
    /// Instrumented, and declared warm-up by whoever recorded.
    WarmUp,
    /// Without instrumentation: the yardstick for the recording's overhead.
    Unprofiled,
}

impl IterationKind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            IterationKind::Measured => "measured",
            IterationKind::WarmUp => "warm-up",
            IterationKind::Unprofiled => "plain",
        }
    }
}
