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

/// Executions of operators as columns of equal length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorEvents {
    /// Numbers of operators, not positions in a list of them.
    pub operator: Vec<u32>,
    /// Position in the launch's list of iterations.
    pub iteration: Vec<u32>,
    pub start: Vec<Nanoseconds>,
    pub duration: Vec<Nanoseconds>,
}

impl OperatorEvents {
    pub fn len(&self) -> usize {
        self.operator.len()
    }

    pub fn is_empty(&self) -> bool {
        self.operator.is_empty()
    }

    pub fn push(&mut self, iteration: u32, span: Span) {
        self.operator.push(span.operator);
        self.iteration.push(iteration);
        self.start.push(span.start);
        self.duration.push(span.duration);
    }
}
