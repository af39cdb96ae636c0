//! Runs an optimized model, each time as if for the first time.

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

    pub fn run(&mut self, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        self.state.run(inputs)
    }

    /// Forgets what the last run left behind. Separate from `run`, so that it
    /// is not measured as part of one.
    pub fn reset(&mut self) -> TractResult<()> {
        if self.stateful {
            self.state = self.plan.spawn()?;
        }
        Ok(())
    }
}
