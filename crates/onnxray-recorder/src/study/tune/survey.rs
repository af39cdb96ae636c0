//! Facts about a model as it is, before anything is measured.

use super::accuracy::QuantizedProducts;
use crate::engine::{Engines, Model, Optimizer, setup};
use crate::error::RecordError;
use crate::launch::cpu;
use crate::launches::LaunchSpec;
use crate::memory;
use crate::model::graph::Graph;
use crate::study::opened::inputs_of;
use crate::study::turns::Here;
use onnxray_format::{Nanoseconds, Objective, SearchSetup, TuneRun};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::thread::available_parallelism;

/// Facts about a model before anything is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// Everything that figures will depend on; without changes, which are not known here.
    pub run: TuneRun,
    /// The engine's graph optimizers, as they worked on this model.
    pub optimizers: Vec<Optimizer>,
    /// The shortest of a few runs.
    pub latency: Nanoseconds,
    /// Growth of resident memory in bytes; `None` where the system does not say.
    pub memory: Option<u64>,
    /// Whether the graph quantizes and dequantizes tensors.
    pub has_quantization: bool,
    /// Products with weights of a few bits.
    pub quantized: QuantizedProducts,
}

/// Runs of a survey; the first one finds cold caches.
const RUNS: usize = 3;

/// Facts about the model as it is, before anything is measured.
///
/// # Errors
///
/// If it cannot be loaded or run.
pub(super) fn survey(engines: &dyn Engines, base: &LaunchSpec) -> Result<Survey, RecordError> {
    let before = memory::used();
    let threads = base.options.threads;
    let model = base.load_model(engines)?;
    let inputs = model.workload(&base.inputs, base.seed)?;
    let loss_inputs = inputs_of(&model, base);
    let Model { engine, file, bound, loaded, .. } = model;
    let mut side = Here::new(Rc::clone(&engine), loaded)?;
    let mut latency = Nanoseconds(u64::MAX);
    for _ in 0..RUNS {
        let run = side.run(&inputs);
        latency = latency.min(run.map_err(|error| base.explained(&file, error))?);
    }
    // After the runs, in which an engine takes what it needs for them.
    let memory = memory::used().zip(before).map(|(now, before)| now.saturating_sub(before));
    let optimizers = engine.optimizers(&file, threads)?;
    let effective = optimizers.iter().filter(|optimizer| optimizer.is_effective).count();
    let run = TuneRun {
        file: file.identity(),
        setup: setup(&*engine, &bound),
        search: SearchSetup { threads, inputs: base.describe_inputs(), loss_inputs, cpu: cpu() },
        cores: available_parallelism().map_or(1, |cores| cores.get() as u32),
        // What is tried, and what for, is not of the model.
        changes: Vec::new(),
        objectives: vec![Objective::Latency],
        rate: None,
        idle_optimizers: (optimizers.len() - effective) as u64,
    };
    let has_quantization = has_quantization(&file.graph);
    let quantized = QuantizedProducts::of(&file.graph);
    Ok(Survey { run, optimizers, latency, memory, has_quantization, quantized })
}

fn has_quantization(graph: &Graph) -> bool {
    graph.nodes.iter().any(|node| node.operator_type == "DequantizeLinear")
}
