//! A look at the blocks of a model, before it is recorded: where it can be cut, what blocks take, and
//! what cuts change.

use crate::cores;
use crate::engine::{Engines, Instrumentation, Model, Runner, infer};
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::model::cut::{Blocks, Cut, CutEffect, Halves, Look, MeasuredBlock, blocks, places};
use crate::model::file::OnnxFile;
use crate::model::graph::GraphInput;
use crate::model::sizes::dimensions::{BoundDimensions, bind_in, sized};
use crate::tensor::Tensor;
use crate::workload::Workload;
use crate::xray::{LOOKS, median, turn};
use onnxray_format::{Nanoseconds, Operator, VectorRegisters};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How long each block of a launch takes.
///
/// # Errors
///
/// If it cannot be loaded, or does not run.
pub(super) fn look(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Look, RecordError> {
    cores::bind(&spec.options.pin)?;
    let asked = asked(engines, spec);
    let fused = asked.fused.clone();
    let mut own = spec.clone();
    own.options.blocks = Some(asked);
    Ok(Look { blocks: measured(engines, &own)?, fused })
}

/// The blocks of a launch, whose times are 0: nothing that is before a cut is loaded.
///
/// # Errors
///
/// If the model cannot be read, or sizes of its inputs are missing.
pub(super) fn cuts(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Look, RecordError> {
    let asked = asked(engines, spec);
    let path = Path::new(&spec.model);
    let file = OnnxFile::read(path)?;
    let given = sized(&file.graph, &spec.dimensions_of_files())?;
    let bound = bind_in(path, &file.graph, &given)?;
    let tensors = infer(&file, &bound).unwrap_or_default();
    let cuts = places(&file.graph, &tensors, &asked);
    let rows = blocks(&file, &tensors, &cuts);
    let block = |row: &Operator| {
        Some(MeasuredBlock { last: row.nodes.last()?.clone(), time: Nanoseconds(0) })
    };
    Ok(Look { blocks: rows.iter().filter_map(block).collect(), fused: asked.fused })
}

/// The blocks that a launch is to have, with what is fused where cuts are chosen.
fn asked(engines: &dyn Engines, spec: &LaunchSpec) -> Blocks {
    let mut asked = spec.options.blocks.clone().unwrap_or_default();
    if asked.cuts.is_none() && asked.fused.is_empty() {
        asked.fused = fused(engines, spec);
    }
    asked
}

/// Names of the nodes of each operator that the engine makes of several; of a model that it does not
/// describe, none.
fn fused(engines: &dyn Engines, spec: &LaunchSpec) -> Vec<Vec<String>> {
    let mut whole = spec.clone();
    whole.options.blocks = None;
    let described = whole.load(engines).and_then(|(model, workload)| match &workload {
        Workload::Inference(inputs) => model.operators(inputs),
        Workload::Generation(_) => Ok(Vec::new()),
    });
    let nodes = described.unwrap_or_default().into_iter().map(|operator| operator.nodes);
    nodes.filter(|nodes| nodes.len() > 1).collect()
}

fn measured(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Vec<MeasuredBlock>, RecordError> {
    let (model, workload) = spec.load(engines)?;
    let Workload::Inference(inputs) = &workload else { return Ok(Vec::new()) };
    let rows = model.operators(inputs)?;
    let registers = spec.options.registers(&*model.engine);
    let mut runner = model.loaded.runner(registers, Instrumentation::Spans)?;
    let mut times: Vec<Vec<Nanoseconds>> = vec![Vec::new(); rows.len()];
    let mut spans = Vec::new();
    for _ in 0..LOOKS {
        runner.clear();
        runner.prepare(inputs).map_err(|reason| RecordError::Run { reason })?;
        runner.run().map_err(|failure| failure.describe(&rows))?;
        runner.take_spans(&mut spans);
        for span in &spans {
            if let Some(own) = times.get_mut(span.operator as usize) {
                own.push(span.duration);
            }
        }
    }
    let blocks = rows.iter().zip(&mut times);
    let block = |(row, times): (&Operator, &mut Vec<Nanoseconds>)| {
        Some(MeasuredBlock { last: row.nodes.last()?.clone(), time: median(times) })
    };
    Ok(blocks.filter_map(block).collect())
}

/// Rounds in which the sides of a cut and the whole take turns: the range of five is an interval of the
/// median at 94 %.
const ROUNDS: usize = 5;

/// What each cut of a launch changes; nothing of a cut that has no side behind it which runs alone.
/// One cut after the other is loaded, and nothing is begun after `limit`.
///
/// # Errors
///
/// If the whole cannot be loaded, or does not run.
pub(super) fn effects(
    engines: &dyn Engines,
    spec: &LaunchSpec,
    limit: Duration,
) -> Result<Vec<CutEffect>, RecordError> {
    cores::bind(&spec.options.pin)?;
    let asked = spec.options.blocks.clone().unwrap_or_default();
    let mut whole = spec.clone();
    whole.options.blocks = None;
    let (model, workload) = whole.load(engines)?;
    let (Workload::Inference(inputs), Some(halves)) = (&workload, Halves::of(&model.file)) else {
        return Ok(Vec::new());
    };
    let tensors = infer(&model.file, &model.bound).unwrap_or_default();
    let cuts = places(&model.file.graph, &tensors, &asked);
    let rows = blocks(&model.file, &tensors, &cuts);
    let begun = Instant::now();
    let mut found = Vec::new();
    for (cut, row) in cuts.iter().zip(&rows) {
        if begun.elapsed() > limit {
            break;
        }
        let Some(last) = row.nodes.last() else { continue };
        // A side that the engine refuses is unknown.
        if let Ok(Some((times, whole))) = effect(&model, &halves, cut, inputs) {
            let (median, range) = (times[ROUNDS / 2], (times[0], times[ROUNDS - 1]));
            found.push(CutEffect { last: last.clone(), median, range, whole });
        }
    }
    Ok(found)
}

/// How much longer both sides of a cut took than the whole, in order of size, and how long that took.
fn effect(
    model: &Model,
    halves: &Halves,
    cut: &Cut,
    inputs: &[Tensor],
) -> Result<Option<([i64; ROUNDS], Nanoseconds)>, String> {
    let Some(before) = halves.before(cut) else { return Ok(None) };
    let names = model.file.graph.inputs.iter().map(|input| input.name.clone());
    let mut values: Vec<(String, Tensor)> = names.zip(inputs.iter().cloned()).collect();
    let (mut before, inputs_before) = ready(model, before, &values)?;
    before.prepare(&inputs_before)?;
    before.run().map_err(|failure| failure.reason)?;
    values.extend(cut.tensors.iter().cloned().zip(before.outputs()?));
    let Some(behind) = halves.behind(cut, &values) else { return Ok(None) };
    let (mut behind, inputs_behind) = ready(model, behind, &values)?;
    let mut whole = model
        .loaded
        .runner(VectorRegisters::AsIs, Instrumentation::None)
        .map_err(|error| error.to_string())?;
    let mut took = Vec::new();
    let mut longer = [0; ROUNDS];
    for own in &mut longer {
        let time = |runner: &mut dyn Runner, inputs: &[Tensor]| {
            let times = turn(runner, inputs, model.engine.clock());
            times.map(|mut times| median(&mut times)).map_err(|failure| failure.reason)
        };
        let parts = [time(&mut *before, &inputs_before)?, time(&mut *behind, &inputs_behind)?];
        let whole = time(&mut *whole, inputs)?;
        took.push(whole);
        *own = (parts[0] + parts[1]).0 as i64 - whole.0 as i64;
    }
    longer.sort_unstable();
    Ok(Some((longer, median(&mut took))))
}

/// A side of a cut, ready to run, and its inputs among these values.
fn ready(
    model: &Model,
    bytes: Vec<u8>,
    values: &[(String, Tensor)],
) -> Result<(Box<dyn Runner>, Vec<Tensor>), String> {
    let text = |error: RecordError| error.to_string();
    let file = Rc::new(model.file.with(bytes).map_err(text)?);
    let value = |input: &GraphInput| {
        let value = values.iter().find(|(name, _)| *name == input.name);
        value.map(|(_, value)| value.clone()).ok_or("an input has no value")
    };
    let inputs: Vec<Tensor> = file.graph.inputs.iter().map(value).collect::<Result<_, _>>()?;
    let shape = |input: &Tensor| input.shape().iter().map(|&size| size as u64).collect();
    let shapes = inputs.iter().map(shape).collect();
    // What the file says of its tensors names dimensions of the whole.
    let bound = BoundDimensions { shapes, ..model.bound.clone() };
    let loaded = model.engine.load(&file, &bound, model.threads).map_err(text)?;
    let runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::None).map_err(text)?;
    Ok((runner, inputs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineSpec, InstalledEngines};
    use crate::model::input_values::inputs::InputFiles;
    use crate::model::sizes::dimensions::GivenDimensions;

    fn model(name: &str, sizes: &[(&str, u64)]) -> Model {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        let sizes = sizes.iter().map(|&(name, size)| (name.to_string(), size)).collect();
        let given = GivenDimensions { sizes, ..GivenDimensions::default() };
        Model::load_in(&InstalledEngines, &EngineSpec::Tract, &models.join(name), &given, 1)
            .unwrap()
    }

    fn run(runner: &mut dyn Runner, inputs: &[Tensor]) -> Vec<Tensor> {
        runner.prepare(inputs).unwrap();
        runner.run().unwrap();
        runner.outputs().unwrap()
    }

    fn floats(tensor: &Tensor) -> Vec<f32> {
        match tensor {
            Tensor::F32(array) => array.iter().copied().collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_sides_of_a_cut_compute_what_the_whole_does() {
        for (name, sizes) in [
            ("cnn.onnx", &[("batch", 1)][..]),
            ("encoder.onnx", &[("batch", 1), ("sequence", 8)]),
            ("lstm.onnx", &[("sequence", 6)]),
        ] {
            let model = model(name, sizes);
            let inputs = model.inputs(&InputFiles::default(), 1).unwrap();
            let registers = (VectorRegisters::AsIs, Instrumentation::None);
            let mut whole = model.loaded.runner(registers.0, registers.1).unwrap();
            let expected: Vec<f32> = floats(&run(&mut *whole, &inputs)[0]);
            let halves = Halves::of(&model.file).unwrap();
            let tensors = infer(&model.file, &model.bound).unwrap();
            let asked = Blocks { most: 5, ..Blocks::default() };
            let cuts = places(&model.file.graph, &tensors, &asked);
            assert!(!cuts.is_empty(), "{name}");
            for cut in cuts {
                let names = model.file.graph.inputs.iter().map(|input| input.name.clone());
                let mut values: Vec<_> = names.zip(inputs.iter().cloned()).collect();
                let before = halves.before(&cut).unwrap();
                let (mut before, own) = ready(&model, before, &values).unwrap();
                let across = run(&mut *before, &own);
                values.extend(cut.tensors.iter().cloned().zip(across));
                let behind = halves.behind(&cut, &values).unwrap();
                let (mut behind, own) = ready(&model, behind, &values).unwrap();
                let outputs = run(&mut *behind, &own);
                let found = floats(&outputs[0]);
                assert_eq!(found.len(), expected.len(), "{name}");
                let scale = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
                let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
                assert!(off.fold(0f32, f32::max) <= 1e-4 * scale, "{name}, {cut:?}");
                let (times, whole) = effect(&model, &halves, &cut, &inputs).unwrap().unwrap();
                assert!(times.is_sorted() && whole > Nanoseconds(0), "{name}: {times:?}");
            }
        }
    }

    #[test]
    fn a_cut_changes_something_if_all_rounds_say_so_and_if_it_is_large() {
        let of = |median: i64, range: (i64, i64)| CutEffect {
            last: "node".to_string(),
            median,
            range,
            whole: Nanoseconds(1_000),
        };
        assert!(of(60, (1, 90)).is_above(0.05));
        assert!(of(-60, (-90, -1)).is_above(0.05), "fewer fusions may be faster");
        assert!(!of(60, (-1, 90)).is_above(0.05) && !of(50, (1, 90)).is_above(0.05));
    }
}
