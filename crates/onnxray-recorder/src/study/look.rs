//! A look at the blocks of a model, before it is recorded: where it can be cut, and what blocks take.

use crate::cores;
use crate::engine::{Engines, Instrumentation, infer};
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::model::cut::{Blocks, Look, MeasuredBlock, blocks, places};
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::bind;
use crate::workload::Workload;
use crate::xray::{LOOKS, median};
use onnxray_format::{Nanoseconds, Operator};
use std::path::Path;

/// How long each block of a launch takes.
///
/// # Errors
///
/// If it cannot be loaded, or does not run.
pub(super) fn look(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Look, RecordError> {
    cores::bind(&spec.options.pin)?;
    let fused = fused(engines, spec);
    let mut own = spec.clone();
    own.options.blocks.iter_mut().for_each(|blocks| blocks.fused.clone_from(&fused));
    Ok(Look { blocks: measured(engines, &own)?, fused })
}

/// The blocks of a launch, whose times are 0: nothing that is before a cut is loaded.
///
/// # Errors
///
/// If the model cannot be read, or sizes of its inputs are missing.
pub(super) fn cuts(engines: &dyn Engines, spec: &LaunchSpec) -> Result<Look, RecordError> {
    let fused = fused(engines, spec);
    let file = OnnxFile::read(Path::new(&spec.model))?;
    let bound = bind(&file.graph, &spec.dimensions_of_files())?;
    let tensors = infer(&file, &bound).unwrap_or_default();
    let asked = spec.options.blocks.clone().unwrap_or_default();
    let cuts = places(&file.graph, &tensors, &Blocks { fused: fused.clone(), ..asked });
    let rows = blocks(&file, &tensors, &cuts);
    let block = |row: &Operator| {
        Some(MeasuredBlock { last: row.nodes.last()?.clone(), time: Nanoseconds(0) })
    };
    Ok(Look { blocks: rows.iter().filter_map(block).collect(), fused })
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
