//! A look at the blocks of a model, before it is recorded: where it can be cut, what blocks take, and
//! what cuts change.

mod effects;

pub(super) use effects::effects;

use crate::cores;
use crate::engine::{Engines, Instrumentation, infer};
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::median::median_time;
use crate::model::cut::{Blocks, Look, MeasuredBlock, blocks, places};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::{bind_in, sized};
use crate::workload::Workload;
use crate::xray::{LOOKS, at_once};
use onnxray_format::{Nanoseconds, Operator};
use std::path::Path;

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
    Ok(Look { fused, ..measured(engines, &own)? })
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
    let blocks = rows.iter().filter_map(block).collect();
    Ok(Look { blocks, fused: asked.fused, ..Look::default() })
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

fn measured(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Look, RecordError> {
    let (model, workload) = spec.load(engines)?;
    let Workload::Inference(inputs) = &workload else { return Ok(Look::default()) };
    let rows = model.operators(inputs)?;
    let registers = spec.options.registers(&*model.engine);
    let mut runner = model.loaded.runner(registers, Instrumentation::Spans)?;
    let mut times: Vec<Vec<Nanoseconds>> = vec![Vec::new(); rows.len()];
    let mut spans = Vec::new();
    // The first one has fewer rounds, since the latency is not known.
    let mut iteration: Option<Nanoseconds> = None;
    for number in 0..LOOKS {
        runner.clear();
        runner.prepare(inputs).map_err(|reason| RecordError::Run { reason })?;
        let begun = model.engine.clock().now();
        runner.run().map_err(|failure| failure.describe(&rows))?;
        if number > 0 {
            let took = model.engine.clock().now() - begun;
            iteration = Some(iteration.map_or(took, |least| least.min(took)));
        }
        runner.take_spans(&mut spans);
        for span in &spans {
            if let Some(own) = times.get_mut(span.operator as usize) {
                own.push(span.duration);
            }
        }
    }
    let blocks = rows.iter().zip(&mut times);
    let block = |(row, times): (&Operator, &mut Vec<Nanoseconds>)| {
        Some(MeasuredBlock { last: row.nodes.last()?.clone(), time: median_time(times) })
    };
    let blocks = blocks.filter_map(block).collect();
    Ok(Look { blocks, iteration, at_once: at_once(&*model.engine, &model.file), ..Look::default() })
}
