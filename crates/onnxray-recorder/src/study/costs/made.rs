//! Inputs of a model that no engine loads for them.

use crate::engine::Engines;
use crate::launches::LaunchSpec;
use crate::model::file::OnnxFile;
use crate::model::input_values::inputs::{self, Made};
use crate::model::sizes::dimensions;
use crate::tensor::Tensor;
use crate::workload::Workload;
use std::path::Path;

/// A model's file and inputs.
pub(super) struct Unloaded {
    pub(super) file: OnnxFile,
    pub(super) workload: Workload,
    /// Whether there is nothing else that they might be: of several values that an input may have,
    /// a recording takes the first with which the model runs.
    pub(super) is_certain: bool,
}

/// The model's file and its inputs, those that it is recorded with if it runs on them. `None` where
/// only the loaded model tells which they are, and where something is wrong, which loading it says.
/// If it `may_guess`, the first of several values of an input will do.
pub(super) fn unloaded(
    engines: &dyn Engines,
    spec: &LaunchSpec,
    may_guess: bool,
) -> Option<Unloaded> {
    if spec.generation.is_some() {
        return None;
    }
    let file = OnnxFile::read(Path::new(&spec.model)).ok()?;
    file.check_data().ok()?;
    let given = dimensions::sized(&file.graph, &spec.dimensions_of_files()).ok()?;
    let bound = dimensions::bind(&file.graph, &given).ok()?;
    let tensors = engines.tensors(&spec.engine, &file, &bound)?;
    let choices = inputs::choices_of(&file.graph, &bound.shapes, &tensors, &spec.inputs);
    let is_certain = choices.values().all(|choices| choices.len() <= 1);
    if !is_certain && !may_guess {
        return None;
    }
    let made = Made { seed: spec.seed, choice: 0 };
    let inputs = inputs::inputs(&file.graph, &bound.shapes, &tensors, &spec.inputs, made).ok()?;
    let is_array = |input: &Tensor| !matches!(input, Tensor::Zeros(_) | Tensor::Sequence(_));
    // Engines differ in whether they take the others.
    inputs.iter().all(is_array).then_some(Unloaded {
        file,
        workload: Workload::Inference(inputs),
        is_certain,
    })
}
