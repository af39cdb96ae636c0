//! A model that is ready to run, in this process.

use super::timed::Timed;
use crate::engine::{Engine, Instrumentation, LoadedModel, Runner};
use crate::error::RecordError;
use crate::tensor::Tensor;
use crate::workload::{GenerationInputs, StepInputs, Workload};
use onnxray_format::{Nanoseconds, VectorRegisters};
use std::rc::Rc;

/// A model in an engine of this process.
pub(crate) struct Here {
    engine: Rc<dyn Engine>,
    runner: Box<dyn Runner>,
    _loaded: Box<dyn LoadedModel>,
}

impl Here {
    /// # Errors
    ///
    /// If the engine fails at planning the run.
    pub(crate) fn new(
        engine: Rc<dyn Engine>,
        loaded: Box<dyn LoadedModel>,
    ) -> Result<Here, RecordError> {
        // As a user's own program runs it: nothing is cleared, nothing is timed inside.
        let runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::None)?;
        Ok(Here { engine, runner, _loaded: loaded })
    }

    /// Runs once, and how long it took.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(crate) fn run(&mut self, work: &Workload) -> Result<Nanoseconds, RecordError> {
        self.steps(work, |_| Ok(()))
    }

    /// Runs once, and what it computes; of a generation, its last step.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(crate) fn outputs(&mut self, work: &Workload) -> Result<Vec<Tensor>, RecordError> {
        self.run(work)?;
        self.runner.outputs().map_err(|reason| RecordError::Run { reason })
    }

    /// Outputs for each of these inputs, and of each step of a generation, without those that the
    /// next step takes.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(super) fn outputs_of_each(
        &mut self,
        each: &[Workload],
    ) -> Result<Vec<Vec<Tensor>>, RecordError> {
        let mut all = Vec::new();
        for work in each {
            self.steps(work, |runner| {
                let mut outputs = runner.outputs()?;
                // Caches grow with each step: those of all would be in memory at once.
                for position in work.handed_on() {
                    if let Some(output) = outputs.get_mut(position) {
                        *output = Tensor::Sequence(Vec::new());
                    }
                }
                all.push(outputs);
                Ok(())
            })?;
        }
        Ok(all)
    }

    /// Runs once, and how long all steps took, without what is done after each.
    fn steps(
        &mut self,
        work: &Workload,
        mut after: impl FnMut(&mut dyn Runner) -> Result<(), String>,
    ) -> Result<Nanoseconds, RecordError> {
        let Here { engine, runner, .. } = self;
        let refused = |reason| RecordError::Run { reason };
        let mut step = |prepared: Result<(), String>, runner: &mut dyn Runner| {
            prepared.map_err(refused)?;
            let begin = engine.clock().now();
            runner.run().map_err(|failure| refused(failure.reason))?;
            let took = engine.clock().now() - begin;
            after(runner).map_err(refused).map(|()| took)
        };
        runner.clear();
        match work {
            Workload::Inference(inputs) => step(runner.prepare(inputs), &mut **runner),
            Workload::Generation(GenerationInputs { feeds, steps, .. }) => {
                let mut all = Nanoseconds(0);
                for StepInputs { inputs, .. } in steps {
                    all += step(runner.prepare_step(inputs, feeds), &mut **runner)?;
                }
                Ok(all)
            }
        }
    }

    /// First quartile of this many runs in nanoseconds, after one that does not count.
    ///
    /// # Errors
    ///
    /// The engine's reason.
    pub(super) fn turn(&mut self, inputs: &mut Timed, runs: u64) -> Result<f64, RecordError> {
        self.run(inputs.next())?;
        let mut latencies = Vec::new();
        for _ in 0..runs {
            // No time has a logarithm then.
            latencies.push(self.run(inputs.next())?.0.max(1) as f64);
        }
        // Beside other programs, half of the runs may be interrupted, and a median is of these: the
        // intervals of copies were three to ten times as wide (docs/studies/judging.md).
        latencies.sort_by(f64::total_cmp);
        Ok(latencies.get(latencies.len().saturating_sub(1) / 4).copied().unwrap_or(1.0))
    }
}
