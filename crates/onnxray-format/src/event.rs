//! What happened when: iterations and the executions of operators.

use crate::Nanoseconds;

/// One execution of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Number of the operator in the launch's table.
    pub operator: u32,
    pub start: Nanoseconds,
    pub duration: Nanoseconds,
}

impl Span {
    pub fn end(&self) -> Nanoseconds {
        self.start + self.duration
    }
}

/// One inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// From 0, counted separately for instrumented and plain iterations.
    pub index: u32,
    pub kind: IterationKind,
    pub start: Nanoseconds,
    pub duration: Nanoseconds,
}

impl Iteration {
    pub fn end(&self) -> Nanoseconds {
        self.start + self.duration
    }
}

/// How an iteration was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IterationKind {
    /// Instrumented, and counted in the statistics.
    Measured,
    /// Instrumented, and declared warm-up by whoever recorded.
    WarmUp,
    /// Without instrumentation: the yardstick for the recording's overhead.
    Plain,
}

impl IterationKind {
    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            IterationKind::Measured => "measured",
            IterationKind::WarmUp => "warm-up",
            IterationKind::Plain => "plain",
        }
    }
}
