//! Whether two sides can be compared at all: both run once, with the same inputs.

use super::spec::{JudgeSpec, JudgeSurvey};
use crate::engine::{Engines, Model, setup};
use crate::error::RecordError;
use crate::launch::cpu;
use crate::launches::LaunchSpec;
use crate::memory;
use crate::study::opened::inputs_of;
use crate::study::rounds::Side;
use crate::study::sensitivity::Reference;
use crate::tensor::Tensor;
use onnxray_format::{JudgeRun, JudgeSide, SearchSetup};
use std::path::Path;
use std::rc::Rc;

/// # Errors
///
/// If a side cannot be loaded or run.
pub(super) fn survey(engines: &dyn Engines, spec: &JudgeSpec) -> Result<JudgeSurvey, RecordError> {
    let before = memory::used();
    let a = load(engines, &spec.a)?;
    let memory = memory::used().zip(before).map(|(now, before)| now.saturating_sub(before));
    let b = load(engines, &spec.b)?;
    if let Some(apart) = inputs_apart(&a, &b) {
        return Ok(JudgeSurvey { run: Err(apart), memory });
    }
    let [baseline, candidate] = [(&a, &spec.a), (&b, &spec.b)].map(|(model, spec)| JudgeSide {
        file: model.file.identity(),
        setup: setup(&*model.engine, &model.bound),
        threads: spec.options.threads,
    });
    let search = SearchSetup {
        threads: spec.a.options.threads,
        inputs: spec.a.describe_inputs(),
        loss_inputs: inputs_of(&a, &spec.a),
        cpu: cpu(),
    };
    let inputs = a.inputs(&spec.a.inputs, spec.a.seed)?;
    let file = Rc::clone(&a.file);
    let of_a = outputs(a, &spec.a, &inputs)?;
    let of_b = outputs(b, &spec.b, &inputs)?;
    let reference = Reference::of(&file, &[of_a], spec.measure)?;
    let compared = reference.distance(&[of_b]).map(|_| reference.outputs.clone());
    let run = compared.map(|outputs| JudgeRun {
        baseline,
        candidate,
        search,
        outputs,
        has_control: true,
    });
    Ok(JudgeSurvey { run, memory })
}

pub(super) fn load(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Model, RecordError> {
    let LaunchSpec { engine, model, dimensions, options, .. } = spec;
    Model::load_in(engines, engine, Path::new(model), dimensions, options.threads)
}

fn outputs(model: Model, spec: &LaunchSpec, inputs: &[Tensor]) -> Result<Vec<Tensor>, RecordError> {
    let Model { engine, file, loaded, .. } = model;
    Side::new(engine, loaded)?.outputs(inputs).map_err(|error| spec.explained(&file, error))
}

/// In what the inputs of two models differ, so that they cannot be given the same ones.
fn inputs_apart(a: &Model, b: &Model) -> Option<String> {
    let described = |model: &Model| -> Vec<(String, String)> {
        let inputs = model.file.graph.inputs.iter().zip(&model.bound.shapes);
        let described = |shape: &Vec<u64>| {
            let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
            if sizes.is_empty() { "scalar".to_string() } else { sizes.join("x") }
        };
        inputs
            .map(|(input, shape)| {
                (input.name.clone(), format!("{} {}", input.data_type, described(shape)))
            })
            .collect()
    };
    let [a, b] = [a, b].map(described);
    let apart = a.iter().zip(&b).find(|(a, b)| a != b);
    match apart {
        Some(((name, a), (other, b))) if name == other => {
            Some(format!("input {name}: {a} against {b}"))
        }
        Some(((name, _), (other, _))) => Some(format!("input {name} against input {other}")),
        None if a.len() != b.len() => Some(format!("{} inputs against {}", a.len(), b.len())),
        None => None,
    }
}
