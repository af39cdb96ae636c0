//! Runs an optimized model, each time as if for the first time.

use crate::error::causes;
use onnxray_failsafe::catch_panic;
use std::sync::Arc;
use tract_linalg::multithread::Executor;
use tract_onnx::prelude::*;

/// A plan of the engine and a state that is ready to run it.
pub struct Runner {
    plan: Arc<TypedSimplePlan>,
    state: TypedSimpleState,
    /// Whether operators carry something from one run to the next. In ONNX they
    /// do not: a recurrence starts from its initial value in every inference.
    stateful: bool,
}

impl Runner {
    /// Plans `model` for kernels that use so many threads.
    pub fn new(model: TypedModel, threads: u32) -> TractResult<Runner> {
        let executor = match threads {
            0 | 1 => Executor::SingleThread,
            threads => Executor::multithread(threads as usize),
        };
        let options = RunOptions { executor: Some(executor), ..RunOptions::default() };
        let plan = TypedSimplePlan::new_with_options(model, &options)?;
        let state = plan.spawn()?;
        let stateful = state.op_states.iter().any(Option::is_some);
        Ok(Runner { plan, state, stateful })
    }

    /// Runs once. An error, or a panic of the engine, is returned as its reason.
    pub fn run(&mut self, inputs: TVec<TValue>) -> Result<TVec<TValue>, String> {
        guarded(|| self.state.run(inputs))
    }

    /// Forgets what the last run left behind. Separate from `run`, so that it
    /// is not measured as part of one.
    pub fn reset(&mut self) -> Result<(), String> {
        if self.stateful {
            self.state = guarded(|| self.plan.spawn())?;
        }
        Ok(())
    }
}

fn guarded<T>(work: impl FnOnce() -> TractResult<T>) -> Result<T, String> {
    catch_panic(work)?.map_err(|error| causes(&error))
}
