//! Whether two sides can be compared at all: both run once, with the same inputs.

use super::spec::{JudgeSpec, JudgeSurvey};
use crate::engine::Model;
use crate::error::RecordError;
use crate::launch::cpu;
use crate::launches::LaunchSpec;
use crate::memory;
use crate::model::file::sha256;
use crate::study::opened::inputs_of;
use crate::study::sensitivity::Reference;
use crate::study::trial::Machine;
use crate::study::turns::{Described, Handed, Side};
use crate::workload::Workload;
use onnxray_format::{JudgeRun, JudgeSide, SearchSetup};
use onnxray_text::shown;
use std::path::Path;
use std::rc::Rc;

/// # Errors
///
/// If a side cannot be loaded or run.
pub(super) fn survey(machine: Machine, spec: &JudgeSpec) -> Result<JudgeSurvey, RecordError> {
    let before = memory::used();
    let [in_a, in_b] = [("A", &spec.a), ("B", &spec.b)].map(|(name, own)| of_side(name, own));
    let a = spec.a.load_model(machine.engines).map_err(&in_a)?;
    let memory = memory::used().zip(before).map(|(now, before)| now.saturating_sub(before));
    let work = [a.workload(&spec.a.inputs, spec.a.seed).map_err(&in_a)?];
    let (b, mut side_b) = candidate(machine, spec, &work).map_err(&in_b)?;
    let described = Described::of(&a, &spec.a);
    if let Some(apart) = inputs_apart(&described.inputs, &b.inputs) {
        return Ok(JudgeSurvey { run: Err(apart), memory });
    }
    let search = SearchSetup {
        threads: spec.a.options.threads,
        inputs: spec.a.describe_inputs(),
        loss_inputs: inputs_of(&a, &spec.a),
        cpu: cpu(),
    };
    let generation = a.generation.as_ref().map(|plan| plan.generation.clone());
    let file = Rc::clone(&a.file);
    let Model { engine, loaded, .. } = a;
    let mut side_a = Side::new(engine, loaded)?;
    let outputs = |side: &mut Side, launch: &LaunchSpec| {
        side.outputs_of_each(&work).map_err(|error| launch.explained(&file, error))
    };
    let of_a = outputs(&mut side_a, &spec.a).map_err(in_a)?;
    drop(side_a);
    let of_b = outputs(&mut side_b, &spec.b).map_err(in_b)?;
    let reference = Reference::of(&file, &of_a, spec.measure)?;
    let compared = reference.distance(&of_b).map(|_| {
        let mut outputs = reference.outputs.clone();
        for position in work[0].handed_on() {
            if let Some(output) = outputs.get_mut(position) {
                output.reason = "the next step takes it".to_string();
            }
        }
        outputs
    });
    let run = compared.map(|outputs| JudgeRun {
        baseline: JudgeSide { library_sha256: library(&spec.a), ..described.side },
        candidate: JudgeSide { library_sha256: library(&spec.b), ..b.side },
        search,
        generation,
        outputs,
        has_control: true,
    });
    Ok(JudgeSurvey { run, memory })
}

/// SHA-256 of the library that runs a side, if there is one.
fn library(spec: &LaunchSpec) -> Option<String> {
    sha256(&spec.engine.library()?).ok()
}

/// Says of which side an error is, unless it names a file.
fn of_side<'a>(
    name: &'static str,
    spec: &'a LaunchSpec,
) -> impl Fn(RecordError) -> RecordError + 'a {
    use RecordError::{Apart, InputFile, NotOnnx, OtherFile, ReadFile, UnknownDimension};
    move |error| match error {
        ReadFile { .. } | OtherFile { .. } | NotOnnx { .. } | InputFile { .. } => error,
        error @ UnknownDimension { .. } => Apart { reason: format!("{name}: {error}") },
        error => Apart { reason: format!("{name}, {}: {error}", shown(Path::new(&spec.model))) },
    }
}

/// B, loaded here, or in a process of its own if both do not fit into one.
fn candidate(
    machine: Machine,
    spec: &JudgeSpec,
    work: &[Workload],
) -> Result<(Described, Side), RecordError> {
    if !spec.fits_into_one_process() {
        let handed = Handed::new(work, false, machine.command)?;
        let (apart, described) = handed.load(&spec.b)?;
        return Ok((described, Side::Apart(apart)));
    }
    let b = spec.b.load_model(machine.engines)?;
    let described = Described::of(&b, &spec.b);
    Ok((described, Side::new(b.engine, b.loaded)?))
}

/// In what the inputs of two models differ, so that they cannot be given the same ones.
fn inputs_apart(a: &[(String, String)], b: &[(String, String)]) -> Option<String> {
    let apart = a.iter().zip(b).find(|(a, b)| a != b);
    match apart {
        Some(((name, a), (other, b))) if name == other => {
            Some(format!("input {name}: {a} against {b}"))
        }
        Some(((name, _), (other, _))) => Some(format!("input {name} against input {other}")),
        None if a.len() != b.len() => Some(format!("{} inputs against {}", a.len(), b.len())),
        None => None,
    }
}
