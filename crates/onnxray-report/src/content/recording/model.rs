//! The figures of a model: the facts of its run, latency, throughput and cost.

use super::concurrency::{CONCURRENT_INSTANCES, RANKS};
use super::costs;
use super::latency::with_latency;
use super::placement::PLACEMENT;
use super::roofs::{REACHED, UNKNOWN};
use super::sparse::SPARSE;
use crate::content::shares::{partial, sizes};
use crate::document::{Cell, Figures, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Text};
use onnxray_analyzer::statistics::{PartialSum, Summary};
use onnxray_format::{Generation, Run};
use std::path::Path;

// Of engines that leave a choice, launches that did not run alone, decoders that generate.
const ENGINE_OPTIONS: &str = "engine_options";
const INSTANCES: &str = "instances";
const GENERATION: &str = "generation";

columns! {
    /// What the run's metadata state.
    pub(super) const FACTS: Run;

    /// model file
    "model" "model" Text = |run| Cell::stated(&run.model);
    /// name of the recording's configuration
    "profile" "profile" Text = |run| Cell::stated(&run.profile);
    /// items in one iteration
    "batch_size" "batch size" Count = |run| Cell::whole(run.batch_size);
    /// sizes of the model's free dimensions
    "dimensions" "dimensions" Text = dimensions;
    /// tokens of the prompt, and generated tokens
    GENERATION "generation" Text =
        |run| Cell::stated(run.generation.as_ref().map_or(String::new(), Generation::text));
    /// elements of the model's constants
    "parameters" "parameters" Count = |run| Cell::whole(run.parameters);
    /// threads of the engine
    "threads" "threads" Count = |run| Cell::whole(run.threads.map(u64::from));
    /// launches that ran side by side
    INSTANCES "instances" Count = |run| Cell::whole(run.instances.map(u64::from));
    /// instruction sets of the CPU
    "isa" "ISA" Text = |run| optional(&run.isa);
    /// state of their upper halves
    "vector_registers" "vector registers" Text =
        |run| optional(&run.vector_registers.map(|registers| registers.text().to_string()));
    /// processor
    "cpu" "CPU" Text = |run| optional(&run.cpu);
    /// machine
    "host" "host" Text = |run| optional(&run.host);
    /// name and version
    "operating_system" "operating system" Text = |run| optional(&run.operating_system);
    /// name and version
    "engine" "engine" Text =
        |run| Cell::stated(format!("{} {}", run.engine, run.engine_version).trim());
    /// options that affect speed
    ENGINE_OPTIONS "engine options" Text = |run| Cell::stated(run.engine_options_text());
    /// program that wrote the recording
    "recorded_by" "recorded by" Text = |run| Cell::stated(&run.producer);
    /// local time of its start
    "recorded_at" "recorded at" Text = |run| optional(&run.started_at);
    /// source of the model's inputs
    "inputs" "inputs" Text = |run| optional(&run.inputs);
    /// hash of the file
    "model_sha256" "model SHA-256" Text = |run| optional(&run.model_sha256);
    /// clock of all times
    "clock" "clock" Text = |run| optional(&run.clock);
    /// smallest observed step of the clock
    "clock_resolution_ns" "clock resolution (ns)" Count =
        |run| Cell::whole(run.clock_resolution.map(|time| time.0));
    /// time to load and optimize the model
    "load_time_ms" "load time (ms)" Ms =
        |run| Cell::number(run.load_time.map(|time| time.milliseconds()));
}

columns! {
    /// What was measured.
    pub(super) const MEASURED: Summary;

    /// launches read
    "launches" "launches" Count = |summary| Cell::Whole(summary.launches.len() as u64);
    /// iterations used for the latency
    "iterations" "iterations" Count =
        |summary| Cell::whole(summary.model.latency().map(|latency| latency.times.count));
    /// iterations declared warm-up, all launches
    "warmup_flagged" "warm-up iterations, flagged" Count = |summary| {
        let flagged = summary.launches.iter().map(|launch| launch.warmup_flagged).sum();
        Cell::whole(summary.model.profiled.map(|_| flagged))
    };
    /// iterations before the latency settles; largest over launches
    "warmup_found" "warm-up iterations, found per launch" Count = |summary| {
        let launches = summary.launches.iter();
        Cell::whole(launches.map(|launch| launch.warmup_found).max().flatten())
    };
}

/// What an iteration costs.
pub(super) struct Cost {
    flops: PartialSum,
    bytes: PartialSum,
}

columns! {
    pub(super) const COSTS: Cost;

    /// operations (a multiply-add is two), without operators of unknown FLOPs
    "flops" "FLOPs per iteration" Quantity = |cost| partial(cost.flops);
    /// operators not in the sum, their FLOPs being unknown
    "flops_unknown" "operators with unknown FLOPs" Count = |cost| Cell::Whole(cost.flops.unknown);
    /// inputs, constants and outputs of operators, without operators of unknown bytes
    "bytes" "bytes per iteration" Quantity = |cost| partial(cost.bytes);
    /// operators not in the sum, their bytes being unknown
    "bytes_unknown" "operators with unknown bytes" Count = |cost| Cell::Whole(cost.bytes.unknown);
}

columns! {
    pub(super) const RATES: Summary;

    /// FLOPs / median latency
    "gflops_per_second" "GFLOP/s" Number = |summary| Cell::number(summary.model.gflops_per_second);
    /// Spearman's, over operators; 1 if more FLOPs always take more time
    RANK_CORRELATION "rank correlation of FLOPs and time" Number =
        |summary| Cell::number(summary.model.flops_correlation.map(|known| known.correlation));
}

const RANK_CORRELATION: &str = "flops_time_rank_correlation";

/// Facts and figures of a recording.
pub(crate) fn figures(summary: &Summary) -> Figures {
    let model = &summary.model;
    let mut figures = facts(&summary.run).with(MEASURED, summary);
    if !summary.providers.is_empty() {
        figures = figures.with(PLACEMENT, summary);
    }
    if summary.operators.iter().any(|one| one.operator.zero_blocks.is_some()) {
        figures = figures.with(SPARSE, summary);
    }
    figures = with_latency(figures, summary);
    if let Some(ranks) = &summary.ranks {
        figures = figures.with(RANKS, ranks);
    }
    if let Some(instances) = &summary.instances {
        figures = figures.with(CONCURRENT_INSTANCES, instances);
    }
    // Nothing known is not zero.
    let counted = if summary.is_unprofiled() { &[] } else { COSTS };
    let cost = Cost { flops: model.flops, bytes: model.bytes };
    let mut figures = figures.with(counted, &cost).with(RATES, summary);
    if let Some(roofs) = &summary.roofs {
        figures = figures.with(REACHED, roofs).applying(&[UNKNOWN]);
    }
    if let Some(costs) = &summary.costs {
        figures =
            figures.with(costs::COSTS, costs).applying(&[costs::UNKNOWN, costs::COLD, costs::IDLE]);
    }
    let figures = alive(figures, summary);
    match model.flops_correlation {
        Some(_) => figures,
        None => figures.without(&[RANK_CORRELATION]),
    }
}

/// Facts and costs of a model that was not run.
pub(crate) fn unmeasured_figures(profile: &Summary) -> Figures {
    let model = &profile.model;
    let cost = Cost { flops: model.flops, bytes: model.bytes };
    alive(facts(&profile.run).with(COSTS, &cost), profile)
}

/// With what is known of tensors, where the trace names them.
fn alive(figures: Figures, summary: &Summary) -> Figures {
    let figures = match summary.liveness {
        Some(_) => figures.with(costs::alive::ALIVE, summary),
        None => figures,
    };
    match costs::alive::most_allocated(summary) {
        Some(own) => figures.with(costs::alive::ALLOCATED, own),
        None => figures,
    }
}

fn facts(run: &Run) -> Figures {
    let mut facts = Figures::new("model", "Model", FACTS, run);
    // A profile of the model alone has no run to tell of.
    let is_run = !run.recording.is_empty() || !run.engine.is_empty();
    facts.figures.retain(|fact| {
        (is_run && ![ENGINE_OPTIONS, INSTANCES, GENERATION].contains(&fact.heading.key))
            || fact.value != Cell::Unknown
    });
    facts
}

fn optional(text: &Option<String>) -> Cell {
    text.clone().map_or(Cell::Unknown, Cell::Text)
}

fn dimensions(run: &Run) -> Cell {
    match (&run.dimensions[..], &run.model_sha256) {
        // Whose model is unknown may have dimensions.
        ([], None) => Cell::Unknown,
        (dimensions, _) => Cell::some_text(sizes(dimensions)),
    }
}

/// What the page of a recording of this name is called: its model, if that is known, and its
/// name, if that says anything else.
pub(crate) fn title(name: &str, summary: &Summary) -> String {
    let model = summary.run.model.as_str();
    let stem = Path::new(model).file_stem().unwrap_or_default();
    match name {
        name if model.is_empty() => name.to_string(),
        name if name.is_empty() || name == stem || name == model => model.to_string(),
        name => format!("{model} ({name})"),
    }
}
