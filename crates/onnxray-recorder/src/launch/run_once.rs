//! One run of what is run over and over.

use crate::engine::{RunFailure, Runner};
use crate::error::RecordError;
use crate::workload::{GenerationInputs, StepInputs, Workload};
use onnxray_format::Operator;

/// Runs what is run over and over once.
pub(crate) fn run_once(
    runner: &mut dyn Runner,
    workload: &Workload,
    operators: &[Operator],
) -> Result<(), RecordError> {
    let refused = |reason| RecordError::Run { reason };
    let failed = |failure: RunFailure| failure.describe(operators);
    match workload {
        Workload::Inference(inputs) => {
            runner.prepare(inputs).map_err(refused)?;
            runner.run().map_err(failed)
        }
        Workload::Generation(GenerationInputs { feeds, steps, .. }) => {
            runner.clear();
            steps.iter().try_for_each(|StepInputs { inputs, .. }| {
                runner.prepare_step(inputs, feeds).map_err(refused)?;
                runner.run().map_err(failed)
            })
        }
    }
}
