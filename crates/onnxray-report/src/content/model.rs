//! The figures of a model: the facts of its run, latency, throughput and cost.

use super::concurrency::{CONCURRENT_INSTANCES, RANKS};
use super::latency::with_latency;
use super::placement::PLACEMENT;
use super::shares::sizes;
use crate::document::{Cell, Column, Figures, Unit, column};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Text};
use onnxray_analyzer::statistics::{PartialSum, Summary};
use onnxray_format::{Generation, Run};
use std::path::Path;

// Of engines that leave a choice, launches that did not run alone, decoders that generate.
const ENGINE_OPTIONS: &str = "engine_options";
const INSTANCES: &str = "instances";
const GENERATION: &str = "generation";

/// What the run's metadata state.
pub(super) const FACTS: &[Column<Run>] = &[
    column("model", "model", Text, "file name of the model", |run| Cell::stated(&run.model)),
    column("profile", "profile", Text, "name of the recording's configuration", |run| {
        Cell::stated(&run.profile)
    }),
    column("batch_size", "batch size", Count, "items in one iteration", |run| {
        Cell::whole(run.batch_size)
    }),
    column("dimensions", "dimensions", Text, "sizes of the model's free dimensions", dimensions),
    column(
        GENERATION,
        "generation",
        Text,
        "tokens of the prompt, and of those that are generated behind it",
        |run| Cell::stated(run.generation.as_ref().map_or(String::new(), Generation::text)),
    ),
    column("parameters", "parameters", Count, "elements of the model's constants", |run| {
        Cell::whole(run.parameters)
    }),
    column("threads", "threads", Count, "threads that the engine may use", |run| {
        Cell::whole(run.threads.map(u64::from))
    }),
    column(INSTANCES, "instances", Count, "launches that ran side by side", |run| {
        Cell::whole(run.instances.map(u64::from))
    }),
    column("isa", "ISA", Text, "instruction sets that the CPU has", |run| optional(&run.isa)),
    column(
        "vector_registers",
        "vector registers",
        Text,
        "what becomes of their upper halves",
        |run| optional(&run.vector_registers.map(|registers| registers.text().to_string())),
    ),
    column("cpu", "CPU", Text, "name of the processor", |run| optional(&run.cpu)),
    column("host", "host", Text, "name of the machine", |run| optional(&run.host)),
    column("operating_system", "operating system", Text, "its name and version", |run| {
        optional(&run.operating_system)
    }),
    column("engine", "engine", Text, "what ran the model, and its version", |run| {
        Cell::stated(format!("{} {}", run.engine, run.engine_version).trim())
    }),
    column(
        ENGINE_OPTIONS,
        "engine options",
        Text,
        "its options that decide how fast a model runs",
        |run| Cell::stated(run.engine_options_text()),
    ),
    column("recorded_by", "recorded by", Text, "program that wrote the recording", |run| {
        Cell::stated(&run.producer)
    }),
    column("recorded_at", "recorded at", Text, "local time at which it began", |run| {
        optional(&run.started_at)
    }),
    column("inputs", "inputs", Text, "where the model's inputs came from", |run| {
        optional(&run.inputs)
    }),
    column("model_sha256", "model SHA-256", Text, "hash of the model file", |run| {
        optional(&run.model_sha256)
    }),
    column("clock", "clock", Text, "the clock that times were taken from", |run| {
        optional(&run.clock)
    }),
    column(
        "clock_resolution_ns",
        "clock resolution (ns)",
        Count,
        "smallest step that the clock was seen to make",
        |run| Cell::whole(run.clock_resolution.map(|time| time.0)),
    ),
    column("load_time_ms", "load time (ms)", Ms, "time to load and optimize the model", |run| {
        Cell::number(run.load_time.map(|time| time.milliseconds()))
    }),
];

/// What was measured.
pub(super) const MEASURED: &[Column<Summary>] = &[
    column("launches", "launches", Count, "launches that were read", |summary| {
        Cell::Whole(summary.launches.len() as u64)
    }),
    column("iterations", "iterations", Count, "those that the latency is of", |summary| {
        Cell::whole(summary.model.latency().map(|latency| latency.times.count))
    }),
    column(
        "warmup_flagged",
        "warm-up iterations, flagged",
        Count,
        "iterations that the recorder declared warm-up, of all launches",
        |summary| {
            let flagged = summary.launches.iter().map(|launch| launch.warmup_flagged).sum();
            Cell::whole(summary.model.profiled.map(|_| flagged))
        },
    ),
    column(
        "warmup_found",
        "warm-up iterations, found per launch",
        Count,
        "iterations before the latency settles; the largest of the launches",
        |summary| {
            let launches = summary.launches.iter();
            Cell::whole(launches.map(|launch| launch.warmup_found).max().flatten())
        },
    ),
];

/// What an iteration costs.
pub(super) struct Cost {
    flops: PartialSum,
    bytes: PartialSum,
}

pub(super) const COSTS: &[Column<Cost>] = &[
    column(
        "flops",
        "FLOPs per iteration",
        Quantity,
        "operations; a multiply-add counts two; operators with unknown FLOPs are not in it",
        |cost| partial(cost.flops),
    ),
    column(
        "flops_unknown",
        "operators with unknown FLOPs",
        Count,
        "operators whose FLOPs are unknown and not in the sum",
        |cost| Cell::Whole(cost.flops.unknown),
    ),
    column(
        "bytes",
        "bytes per iteration",
        Quantity,
        "inputs, constants and outputs of operators; those with unknown bytes are not in it",
        |cost| partial(cost.bytes),
    ),
    column(
        "bytes_unknown",
        "operators with unknown bytes",
        Count,
        "operators whose bytes are unknown and not in the sum",
        |cost| Cell::Whole(cost.bytes.unknown),
    ),
];

pub(super) const RATES: &[Column<Summary>] = &[
    column("gflops_per_second", "GFLOP/s", Number, "FLOPs / median latency", |summary| {
        Cell::number(summary.model.gflops_per_second)
    }),
    column(
        RANK_CORRELATION,
        "rank correlation of FLOPs and time",
        Number,
        "Spearman's, over operators; 1 if the one with more FLOPs always takes more time",
        |summary| Cell::number(summary.model.flops_correlation.map(|known| known.correlation)),
    ),
];

const RANK_CORRELATION: &str = "flops_time_rank_correlation";

/// Facts and figures of a recording.
pub(crate) fn figures(summary: &Summary) -> Figures {
    let model = &summary.model;
    let mut figures = facts(&summary.run).with(MEASURED, summary);
    if !summary.providers.is_empty() {
        figures = figures.with(PLACEMENT, summary);
    }
    figures = with_latency(figures, summary);
    if let Some(ranks) = &summary.ranks {
        figures = figures.with(RANKS, ranks);
    }
    if let Some(instances) = &summary.instances {
        figures = figures.with(CONCURRENT_INSTANCES, instances);
    }
    // Nothing known is not zero.
    let costs = if summary.is_plain() { &[] } else { COSTS };
    let cost = Cost { flops: model.flops, bytes: model.bytes };
    let figures = figures.with(costs, &cost).with(RATES, summary);
    match model.flops_correlation {
        Some(_) => figures,
        None => figures.without(RANK_CORRELATION),
    }
}

/// Facts and costs of a model that was not run.
pub(crate) fn unmeasured_figures(profile: &Summary) -> Figures {
    let model = &profile.model;
    facts(&profile.run).with(COSTS, &Cost { flops: model.flops, bytes: model.bytes })
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

/// What is known of a sum; nothing known is not zero.
pub(crate) fn partial(sum: PartialSum) -> Cell {
    match sum {
        PartialSum { unknown: 1.., known: 0.0 } => Cell::Unknown,
        sum => Cell::Number(sum.known),
    }
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
pub(super) fn title(name: &str, summary: &Summary) -> String {
    let model = summary.run.model.as_str();
    let stem = Path::new(model).file_stem().unwrap_or_default();
    match name {
        name if model.is_empty() => name.to_string(),
        name if name.is_empty() || name == stem || name == model => model.to_string(),
        name => format!("{model} ({name})"),
    }
}
