//! A launch: the model as it is and changed, loaded side by side, and run in turns.
//!
//! ```text
//! round 1   base  v3 v1 v6 v2  base  v5 v4  base
//! round 2   base  v2 v4 v1 v5  base  v6 v3  base
//! ```
//!
//! Each turn of a variant is compared with the turns of the base before and behind it, a few
//! milliseconds away, so that what changes on the machine meanwhile falls on both alike. A turn
//! begins with a run that is not timed, which finds the caches as another variant left them.

use super::change::changed;
use super::outputs::difference;
use super::spec::{LaunchRequest, Survey};
use crate::engine::{Engine, EngineSpec, Engines, Instrumentation, LoadedModel, Model, Runner};
use crate::error::RecordError;
use crate::experiment::order;
use crate::launch::cpu;
use crate::launches::{Displacement, LaunchSpec};
use crate::memory;
use crate::model::graph::Graph;
use crate::tensor::Tensor;
use onnxray_format::{
    Nanoseconds, OutputDifference, RuntimeChange, TuneLaunch, TuneRun, TuneVariant, VectorRegisters,
};
use std::path::Path;
use std::rc::Rc;
use std::thread::available_parallelism;

/// Runs of a survey; the first one finds cold caches.
const RUNS: usize = 3;
/// Variants between two turns of the base.
const GROUP: usize = 4;
/// The timed runs of a turn take about this long.
const TURN: Nanoseconds = Nanoseconds(10_000_000);
/// But there are no more of them than this.
const LONGEST_TURN: u64 = 50;
/// So that a burst of other work in two of them does not move the median.
const FEWEST_ROUNDS: u32 = 5;
/// More of them say nothing that the next launch does not say better.
const MOST_ROUNDS: u32 = 200;

/// What is known of a model before anything is measured.
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
    let mut runner = model.loaded.runner(VectorRegisters::AsIs, Instrumentation::None)?;
    let mut latency = Nanoseconds(u64::MAX);
    for _ in 0..RUNS {
        latency = latency.min(run(&*model.engine, &mut *runner, &inputs)?);
    }
    let memory = memory::used().zip(before).map(|(now, before)| now.saturating_sub(before));
    let optimizers = model.engine.optimizers(&model.file, threads)?;
    let effective = optimizers.iter().filter(|optimizer| optimizer.is_effective).count();
    let run = TuneRun {
        model: model.file.name(),
        model_sha256: model.file.sha256(),
        external_sha256: model.file.external_sha256(),
        engine: model.engine.name().to_string(),
        engine_version: model.engine.version().to_string(),
        engine_options: model.engine.options(),
        threads,
        batch_size: model.bound.batch_size,
        dimensions: model.bound.dimensions.clone(),
        inputs: base.describe_inputs(),
        cpu: cpu(),
        cores: available_parallelism().map_or(1, |cores| cores.get() as u32),
        changes: Vec::new(),
        idle_optimizers: (optimizers.len() - effective) as u64,
    };
    let has_quantization = has_quantization(&model.file.graph);
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
) -> Result<TuneLaunch, RecordError> {
    let mut bench = Bench::open(engines, base, request)?;
    bench.compare_outputs()?;
    let rounds = bench.run(engines, request)?;
    Ok(TuneLaunch {
        stage: request.stage,
        number: request.number,
        base_ns: median(&bench.base_turns),
        rounds,
        variants: bench.variants.into_iter().map(Variant::result).collect(),
    })
}

/// The base and the variants of a launch, loaded.
struct Bench {
    output_names: Vec<String>,
    inputs: Vec<Tensor>,
    base: Side,
    /// Medians of its turns, in nanoseconds.
    base_turns: Vec<f64>,
    variants: Vec<Variant>,
    /// Timed runs of a turn.
    turn: u64,
}

/// A variant, and what is known of it.
struct Variant {
    changes: Vec<RuntimeChange>,
    /// Why it does not run, if it does not.
    side: Result<Side, String>,
    outputs: Option<OutputDifference>,
    /// Logarithms of latency / that of the base, of each round.
    ratios: Vec<f64>,
}

/// A configuration that is ready to run.
struct Side {
    engine: Rc<dyn Engine>,
    runner: Box<dyn Runner>,
    _loaded: Box<dyn LoadedModel>,
}

impl Bench {
    /// Loads the base and all variants in a random order, each elsewhere in memory than in
    /// other launches.
    fn open(
        engines: &dyn Engines,
        base: &LaunchSpec,
        request: &LaunchRequest,
    ) -> Result<Bench, RecordError> {
        let path = Path::new(&base.model);
        let threads = base.options.threads;
        // Its file, its shapes and its inputs are those of all.
        let model = Model::load_in(engines, &base.engine, path, &base.dimensions, threads)?;
        let inputs = model.inputs(&base.inputs, base.seed)?;
        let Model { file, bound, loaded, .. } = model;
        drop(loaded);
        let load = |engine: &EngineSpec, threads: u32| -> Result<Side, RecordError> {
            let engine = engines.start(engine, threads)?;
            let loaded = engine.load(&file, &bound, threads)?;
            let runner = loaded.runner(VectorRegisters::AsIs, Instrumentation::None)?;
            Ok(Side { engine, runner, _loaded: loaded })
        };
        let mut loaded_base = None;
        let mut variants: Vec<Option<Variant>> = request.variants.iter().map(|_| None).collect();
        let mut displacements = Vec::new();
        for place in order(variants.len() + 1, seed(base.seed, request), 0) {
            displacements.push(Displacement::random());
            let Some(changes) = request.variants.get(place) else {
                loaded_base = Some(load(&base.engine, threads)?);
                continue;
            };
            let own = changed(base, changes);
            let side = load(&own.engine, own.options.threads).map_err(|error| error.to_string());
            let changes = changes.clone();
            variants[place] = Some(Variant { changes, side, outputs: None, ratios: Vec::new() });
        }
        drop(displacements);
        let base = match loaded_base {
            Some(base) => base,
            None => load(&base.engine, threads)?,
        };
        Ok(Bench {
            output_names: file.graph.outputs.clone(),
            inputs,
            base,
            base_turns: Vec::new(),
            variants: variants.into_iter().flatten().collect(),
            turn: 1,
        })
    }

    /// Runs each once, compares outputs, and finds how long turns are.
    fn compare_outputs(&mut self) -> Result<(), RecordError> {
        let Bench { output_names, inputs, base, variants, .. } = self;
        base.run(inputs)?;
        let outputs = base.runner.outputs().map_err(|reason| RecordError::Run { reason })?;
        for variant in variants {
            let Ok(side) = &mut variant.side else { continue };
            let own = side.run(inputs).map_err(|error| error.to_string());
            match own.and_then(|_| side.runner.outputs()) {
                Ok(own) => variant.outputs = Some(difference(output_names, &outputs, &own)),
                Err(reason) => variant.side = Err(reason),
            }
        }
        let latency = base.run(inputs)?.min(base.run(inputs)?);
        self.turn = TURN.0.div_ceil(latency.0.max(1)).clamp(1, LONGEST_TURN);
        Ok(())
    }

    /// Round after round, until time is up; how many there were.
    fn run(&mut self, engines: &dyn Engines, request: &LaunchRequest) -> Result<u32, RecordError> {
        let clock = engines.clock();
        let begun = clock.now();
        let time = request.time.as_nanos();
        for round in 0..MOST_ROUNDS {
            if round >= FEWEST_ROUNDS && u128::from((clock.now() - begun).0) >= time {
                return Ok(round);
            }
            self.round(&order(self.variants.len(), seed(0, request), round))?;
        }
        Ok(MOST_ROUNDS)
    }

    fn round(&mut self, order: &[usize]) -> Result<(), RecordError> {
        let Bench { inputs, base, base_turns, variants, turn, .. } = self;
        let mut before = base.turn(inputs, *turn)?;
        base_turns.push(before);
        for group in order.chunks(GROUP) {
            let mut turns = Vec::new();
            for &number in group {
                let Ok(side) = &mut variants[number].side else { continue };
                match side.turn(inputs, *turn) {
                    Ok(latency) => turns.push((number, latency)),
                    Err(error) => variants[number].side = Err(error.to_string()),
                }
            }
            let behind = base.turn(inputs, *turn)?;
            base_turns.push(behind);
            for (number, latency) in turns {
                let of_base = (before.ln() + behind.ln()) / 2.0;
                variants[number].ratios.push(latency.ln() - of_base);
            }
            before = behind;
        }
        Ok(())
    }
}

impl Side {
    fn run(&mut self, inputs: &[Tensor]) -> Result<Nanoseconds, RecordError> {
        run(&*self.engine, &mut *self.runner, inputs)
    }

    /// Median of this many runs, in nanoseconds, behind one that does not count.
    fn turn(&mut self, inputs: &[Tensor], runs: u64) -> Result<f64, RecordError> {
        self.run(inputs)?;
        let mut latencies = Vec::new();
        for _ in 0..runs {
            // No time has a logarithm then.
            latencies.push(self.run(inputs)?.0.max(1) as f64);
        }
        Ok(median(&latencies).unwrap_or(1.0))
    }
}

impl Variant {
    fn result(self) -> TuneVariant {
        let failed = self.side.err();
        let ran = failed.is_none();
        TuneVariant {
            changes: self.changes,
            ratio: median(&self.ratios).map(f64::exp).filter(|_| ran),
            outputs: self.outputs.filter(|_| ran),
            failed,
        }
    }
}

/// One run, and how long it took.
fn run(
    engine: &dyn Engine,
    runner: &mut dyn Runner,
    inputs: &[Tensor],
) -> Result<Nanoseconds, RecordError> {
    runner.clear();
    runner.prepare(inputs).map_err(|reason| RecordError::Run { reason })?;
    let begin = engine.clock().now();
    runner.run().map_err(|failure| RecordError::Run { reason: failure.reason })?;
    Ok(engine.clock().now() - begin)
}

/// Another one for each launch.
fn seed(seed: u64, request: &LaunchRequest) -> u64 {
    seed.wrapping_add(u64::from(request.number) << 8 | request.stage as u64)
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}
