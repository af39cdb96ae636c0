//! A launch: the model as it is and changed, loaded side by side, and run in turns.

use super::change::changed;
use super::outputs::difference;
use super::spec::{LaunchRequest, Survey};
use crate::engine::{EngineSpec, Engines, Model, setup};
use crate::error::RecordError;
use crate::experiment::order;
use crate::launch::cpu;
use crate::launches::LaunchSpec;
use crate::memory;
use crate::model::graph::Graph;
use crate::rounds::{Rounds, Side, loaded_in};
use crate::sensitivity::{loss_inputs, seeds_held_out, seeds_of_search};
use onnxray_format::{
    LossInputs, Nanoseconds, OutputDifference, RuntimeChange, SearchSetup, TuneQuality, TuneRun,
    TuneTrial, TuneVariant,
};
use std::path::Path;
use std::rc::Rc;
use std::thread::available_parallelism;

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
    let path = Path::new(&base.model);
    let model = Model::load_in(engines, &base.engine, path, &base.dimensions, threads)?;
    let inputs = model.inputs(&base.inputs, base.seed)?;
    let loss_inputs = inputs_of(&model, base);
    let Model { engine, file, bound, loaded, .. } = model;
    let mut side = Side::new(Rc::clone(&engine), loaded)?;
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
        changes: Vec::new(),
        idle_optimizers: (optimizers.len() - effective) as u64,
    };
    let has_quantization = has_quantization(&file.graph);
    Ok(Survey { run, optimizers, latency, memory, has_quantization })
}

fn has_quantization(graph: &Graph) -> bool {
    graph.nodes.iter().any(|node| node.operator_type == "DequantizeLinear")
}

/// Measures a launch.
///
/// # Errors
///
/// If the model does not load or run as it is.
pub(super) fn measure(
    engines: &dyn Engines,
    base: &LaunchSpec,
    request: &LaunchRequest,
) -> Result<TuneTrial, RecordError> {
    let path = Path::new(&base.model);
    let threads = base.options.threads;
    // Its file, its shapes and its inputs are those of all.
    let model = Model::load_in(engines, &base.engine, path, &base.dimensions, threads)?;
    let inputs = model.inputs(&base.inputs, base.seed)?;
    let seeds = seeds_of_search(inputs_of(&model, base), base.seed);
    let compared: Vec<_> =
        seeds.map(|seed| model.inputs(&base.inputs, seed)).collect::<Result<_, _>>()?;
    let Model { file, bound, loaded, .. } = model;
    // Base and variants are loaded in an order of their own, each elsewhere in memory.
    drop(loaded);
    let load = |engine: &EngineSpec, threads: u32| -> Result<Side, RecordError> {
        let engine = engines.start(engine, threads)?;
        let loaded = engine.load(&file, &bound, threads)?;
        Side::new(engine, loaded)
    };
    let variants = |place: usize| {
        let own = changed(base, &request.variants[place]);
        load(&own.engine, own.options.threads).map_err(|error| error.to_string())
    };
    let order = order(request.variants.len() + 1, seed(base.seed, request), 0);
    let (base, variants) = loaded_in(&order, || load(&base.engine, threads), variants)?;
    let mut rounds = Rounds::new(&inputs, base, variants);
    // Before any round, so that nothing of the comparison falls between two turns.
    let of_base = rounds.base_outputs(&compared)?;
    let outputs: Vec<Option<OutputDifference>> = (0..request.variants.len())
        .map(|variant| {
            let own = rounds.outputs(variant, &compared)?;
            let pairs = of_base.iter().zip(&own);
            let each = pairs.map(|(base, own)| difference(&file.graph.outputs, base, own));
            // What pays must hold on each of the inputs, so the worst one counts.
            each.max_by(|a, b| a.relative.total_cmp(&b.relative))
        })
        .collect();
    let measured = rounds.run(engines, request.time, seed(0, request))?;
    let variants = request.variants.iter().zip(measured.ratios).zip(outputs);
    let variant = |((changes, ratio), outputs): ((&Vec<_>, Result<_, _>), _)| {
        let failed = ratio.as_ref().err().cloned();
        TuneVariant {
            changes: changes.clone(),
            ratio: ratio.ok().flatten(),
            // Outputs may be known of a variant that failed later, in a round.
            quality: TuneQuality { outputs: Option::filter(outputs, |_| failed.is_none()) },
            failed,
        }
    };
    Ok(TuneTrial {
        stage: request.stage,
        number: request.number,
        base_ns: measured.base_ns,
        rounds: measured.rounds,
        variants: variants.map(variant).collect(),
    })
}

/// On how many inputs outputs are compared.
fn inputs_of(model: &Model, base: &LaunchSpec) -> LossInputs {
    loss_inputs(model.input_names().iter().any(|name| !base.inputs.contains_key(*name)))
}

/// Differences of outputs with these changes from the base's, on each input held out.
///
/// # Errors
///
/// If the model does not load or run as it is, or with the changes.
pub(super) fn held_out(
    engines: &dyn Engines,
    base: &LaunchSpec,
    changes: &[RuntimeChange],
) -> Result<Vec<OutputDifference>, RecordError> {
    let path = Path::new(&base.model);
    let model =
        Model::load_in(engines, &base.engine, path, &base.dimensions, base.options.threads)?;
    let seeds = seeds_held_out(inputs_of(&model, base), base.seed);
    let each: Vec<_> =
        seeds.map(|seed| model.inputs(&base.inputs, seed)).collect::<Result<_, _>>()?;
    let Model { engine, file, bound, loaded, .. } = model;
    let of_base = Side::new(engine, loaded)?.outputs_of_each(&each)?;
    let own = changed(base, changes);
    let engine = engines.start(&own.engine, own.options.threads)?;
    let loaded = engine.load(&file, &bound, own.options.threads)?;
    let outputs = Side::new(engine, loaded)?.outputs_of_each(&each)?;
    let pairs = of_base.iter().zip(&outputs);
    Ok(pairs.map(|(base, own)| difference(&file.graph.outputs, base, own)).collect())
}

/// A seed of its own for each launch.
fn seed(seed: u64, request: &LaunchRequest) -> u64 {
    // Stages have their own numbers from 0: the low byte keeps them apart.
    seed.wrapping_add(u64::from(request.number) << 8 | request.stage as u64)
}
