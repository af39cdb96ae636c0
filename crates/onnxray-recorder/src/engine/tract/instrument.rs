//! What is done around each evaluation of an operator: it is timed, and the vector
//! registers are cleared.

use crate::clock::now;
use onnxray_format::{Span, VectorRegisters};
use std::cell::{Cell, RefCell};
use tract_onnx::prelude::*;

thread_local! {
    /// Executions on this thread since the spans were last taken.
    static SPANS: RefCell<Vec<Span>> = const { RefCell::new(Vec::new()) };
    /// The operator that is being evaluated; after a failure, the one that failed.
    static CURRENT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The operator in which this thread's last evaluation failed. Spans that were recorded
/// until then are dropped.
pub(super) fn failed_operator() -> Option<u32> {
    SPANS.with_borrow_mut(Vec::clear);
    CURRENT.take()
}

/// Moves the spans of this thread into `spans`, in order of their ends.
pub(super) fn take_spans(spans: &mut Vec<Span>) {
    SPANS.with_borrow_mut(|recorded| {
        spans.clear();
        spans.append(recorded);
    });
}

/// Timing and clearing around each evaluation of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Around {
    /// The number under which each leaves a span, if it does.
    pub(super) span: Option<u32>,
    pub(super) registers: VectorRegisters,
}

impl Around {
    pub(super) fn evaluate(
        self,
        evaluate: impl FnOnce() -> TractResult<TVec<TValue>>,
    ) -> TractResult<TVec<TValue>> {
        let Some(operator) = self.span else { return self.clear_after(evaluate) };
        let outer = CURRENT.replace(Some(operator));
        // Read last, right before the work: what precedes it is profiling, not the operator.
        let start = now();
        // On failure or panic `CURRENT` stays at the innermost operator.
        let result = self.clear_after(evaluate)?;
        let span = Span { operator, worker: 0, start, duration: now() - start };
        CURRENT.set(outer);
        SPANS.with_borrow_mut(|spans| spans.push(span));
        Ok(result)
    }

    /// Inside of the span: the kernel that left something in the registers is what should
    /// have ended with this instruction, and the clock is read with clear ones.
    fn clear_after<T>(self, evaluate: impl FnOnce() -> T) -> T {
        let result = evaluate();
        if self.registers == VectorRegisters::Cleared {
            onnxray_native::registers::clear();
        }
        result
    }
}
