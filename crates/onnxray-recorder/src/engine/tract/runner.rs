//! Runs an optimized model, each time as if for the first time.

use super::causes::Cause;
use super::instrument::{failed_operator, take_spans};
use super::tensors::{from_tract, into_tract};
use crate::engine::{RunFailure, Runner};
use crate::tensor::Tensor;
use onnxray_failsafe::catch_panic;
use onnxray_format::Span;
use std::sync::Arc;
use tract_linalg::multithread::Executor;
use tract_onnx::prelude::{
    RunOptions, TValue, TVec, TractResult, TypedModel, TypedSimplePlan, TypedSimpleState,
};

/// A plan of tract and a state that is ready to run it.
pub(super) struct TractRunner {
    plan: Arc<TypedSimplePlan>,
    state: TypedSimpleState,
    /// Whether operators carry something from one run to the next. In ONNX they
    /// do not: a recurrence starts from its initial value in every inference.
    stateful: bool,
    inputs: TVec<TValue>,
    outputs: TVec<TValue>,
    /// Whether the spans of the last run were not taken yet.
    has_spans: bool,
}

impl TractRunner {
    /// Plans `model` for kernels that use this many threads.
    pub(super) fn new(model: TypedModel, threads: u32) -> TractResult<TractRunner> {
        let executor = match threads {
            0 | 1 => Executor::SingleThread,
            threads => Executor::multithread(threads as usize),
        };
        let options = RunOptions { executor: Some(executor), ..RunOptions::default() };
        let plan = TypedSimplePlan::new_with_options(model, &options)?;
        let state = plan.spawn()?;
        let stateful = state.op_states.iter().any(Option::is_some);
        Ok(TractRunner {
            plan,
            state,
            stateful,
            inputs: TVec::new(),
            outputs: TVec::new(),
            has_spans: false,
        })
    }
}

impl Runner for TractRunner {
    fn clear(&mut self) {
        self.outputs.clear();
    }

    fn prepare(&mut self, inputs: &[Tensor]) -> Result<(), String> {
        self.clear();
        let inputs = guarded(|| inputs.iter().map(into_tract).collect());
        self.inputs = inputs.map_err(|cause| cause.to_string())?;
        if self.stateful {
            let state = guarded(|| self.plan.spawn());
            self.state = state.map_err(|cause| cause.to_string())?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), RunFailure> {
        // Given away, so that the first operator may compute in their place.
        let inputs = std::mem::take(&mut self.inputs);
        match guarded(|| self.state.run(inputs)) {
            Ok(outputs) => {
                self.outputs = outputs;
                self.has_spans = true;
                Ok(())
            }
            Err(cause) => {
                let operator = failed_operator();
                let reason = match operator {
                    // The operator is named already.
                    Some(_) => cause.reason,
                    None => cause.to_string(),
                };
                Err(RunFailure { operator, reason })
            }
        }
    }

    fn take_spans(&mut self, spans: &mut Vec<Span>) -> bool {
        take_spans(spans);
        std::mem::take(&mut self.has_spans)
    }

    fn release_spans(&mut self) -> Result<(), String> {
        Ok(()) // nothing is kept
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, String> {
        self.outputs
            .iter()
            .map(|output| from_tract(output))
            .collect::<TractResult<_>>()
            .map_err(|error| Cause::from(&error).to_string())
    }
}

fn guarded<T>(work: impl FnOnce() -> TractResult<T>) -> Result<T, Cause> {
    let done = catch_panic(work).map_err(|panic| Cause::of_panic(&panic))?;
    done.map_err(|error| Cause::from(&error))
}
