//! The figures of a model: the facts of its run, latency, throughput and cost.

use super::shares::{interval_text, percent, sizes};
use super::together::{RANKS, TOGETHER};
use crate::report::document::{Cell, Column, Figures, Unit, column};
use crate::statistics::{Distribution, FlopsProfile, PartialSum, RecordingOverhead, Summary};
use crate::units::{Milliseconds, Share};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Text};
use onnxray_format::{Generation, Nanoseconds, Run};

// Of engines that leave a choice, launches that did not run alone, decoders that generate.
const ENGINE_OPTIONS: &str = "engine_options";
const INSTANCES: &str = "instances";
const GENERATION: &str = "generation";

/// What the run's metadata state.
const FACTS: &[Column<Run>] = &[
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

/// What was measured, apart from costs.
const MEASURED: &[Column<Summary>] = &[
    column("launches", "launches", Count, "launches that were read", |summary| {
        Cell::Whole(summary.launches.len() as u64)
    }),
    column("iterations", "iterations", Count, "measured iterations of all launches", |summary| {
        Cell::whole(summary.model.latency.map(|latency| latency.count))
    }),
    column(
        "warmup_flagged",
        "warm-up iterations, flagged",
        Count,
        "iterations that the recorder declared warm-up, of all launches",
        |summary| {
            let flagged = summary.launches.iter().map(|launch| launch.warmup_flagged).sum();
            Cell::whole(summary.model.latency.map(|_| flagged))
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
    column(
        "latency_median_ms",
        "latency median (ms)",
        Ms,
        "wall time of a measured iteration, median",
        |summary| latency(summary, |latency| latency.median),
    ),
    column(
        "latency_median_interval",
        "latency median, 95 % interval",
        Text,
        "how far the median may be off, and what that was taken over",
        median_interval,
    ),
    column(
        "latency_median_low_ms",
        "latency median, low (ms)",
        Ms,
        "low end of the 95 % interval",
        |summary| Cell::number(summary.model.latency_interval.map(|known| known.interval.low)),
    ),
    column(
        "latency_median_high_ms",
        "latency median, high (ms)",
        Ms,
        "high end of the 95 % interval",
        |summary| Cell::number(summary.model.latency_interval.map(|known| known.interval.high)),
    ),
    column("latency_p10_ms", "latency p10 (ms)", Ms, PERCENTILE, |summary| {
        latency(summary, |latency| latency.p10)
    }),
    column("latency_p90_ms", "latency p90 (ms)", Ms, PERCENTILE, |summary| {
        latency(summary, |latency| latency.p90)
    }),
    column("latency_p99_ms", "latency p99 (ms)", Ms, PERCENTILE, |summary| {
        latency(summary, |latency| latency.p99)
    }),
    column("latency_min_ms", "latency min (ms)", Ms, "wall time, smallest", |summary| {
        latency(summary, |latency| latency.min)
    }),
    column("latency_max_ms", "latency max (ms)", Ms, "wall time, largest", |summary| {
        latency(summary, |latency| latency.max)
    }),
    column("latency_mean_ms", "latency mean (ms)", Ms, "wall time, mean", |summary| {
        latency(summary, |latency| latency.mean)
    }),
    column(
        "plain_latency_median_ms",
        "latency median, plain (ms)",
        Ms,
        "wall time of an iteration without instrumentation, median",
        |summary| Cell::number(summary.model.plain.map(|plain| plain.latency.median.0)),
    ),
    column(
        "plain_latency_median_interval",
        "latency median, plain, 95 % interval",
        Text,
        "how far it may be off, and what that was taken over",
        |summary| match summary.model.plain {
            Some(plain) => interval_text(plain.latency.median.0, plain.interval),
            None => Cell::Unknown,
        },
    ),
    column(
        "plain_throughput_items_per_second",
        "throughput, plain (items/s)",
        Number,
        "batch size times plain iterations by their wall time",
        |summary| Cell::number(summary.model.plain.and_then(|plain| plain.items_per_second)),
    ),
    column(
        "throughput_items_per_second",
        "throughput (items/s)",
        Number,
        "batch size times measured iterations by their wall time",
        |summary| Cell::number(summary.model.items_per_second),
    ),
    column(
        "throughput_iterations_per_second",
        "throughput (iterations/s)",
        Number,
        "measured iterations by their wall time",
        |summary| Cell::number(summary.model.iterations_per_second),
    ),
    column(
        "operators_mean_ms",
        "operators, mean (ms)",
        Ms,
        "exclusive time of all operators in an iteration",
        |summary| {
            let mean = mean(summary, summary.model.operators);
            Cell::milliseconds(mean.or(summary.model.operators_mean))
        },
    ),
    column(
        WHOLE_TRACE,
        "operators, whole trace (ms)",
        Ms,
        "exclusive time of all operators in a trace without iterations",
        |summary| Cell::number(summary.model.operators.map(|total| total.milliseconds())),
    ),
    column(
        CONCURRENT,
        "concurrent, mean (ms)",
        Ms,
        "exclusive time of operators beyond the time that they cover in their iteration",
        |summary| Cell::milliseconds(mean(summary, summary.model.concurrent)),
    ),
    column(
        "overhead_mean_ms",
        "overhead, mean (ms)",
        Ms,
        "wall time of an iteration that no operator covers",
        |summary| Cell::milliseconds(mean(summary, summary.model.overhead)),
    ),
    column(
        "overhead_share_percent",
        "overhead (% of latency)",
        Number,
        "overhead of all measured iterations by their wall time",
        |summary| percent(summary.model.overhead_share),
    ),
    column(
        "recording_overhead_percent",
        "overhead of recording (%)",
        Number,
        "typical ratio of recorded to plain latency, in turns, minus one; unknown if the \
         interval says that it is not measurable",
        |summary| overhead(summary, RecordingOverhead::measured),
    ),
    column(
        "recording_overhead_interval",
        "overhead of recording, 95 % interval",
        Text,
        "the same in words, with what it was taken over",
        |summary| match &summary.model.recording_overhead {
            Some(overhead) => Cell::text(overhead.text()),
            None => Cell::Unknown,
        },
    ),
    column(
        "recording_overhead_low_percent",
        "overhead of recording, low (%)",
        Number,
        "low end of the 95 % interval",
        |summary| overhead(summary, |known| known.interval.map(|ends| ends.low)),
    ),
    column(
        "recording_overhead_high_percent",
        "overhead of recording, high (%)",
        Number,
        "high end of the 95 % interval",
        |summary| overhead(summary, |known| known.interval.map(|ends| ends.high)),
    ),
];

const PERCENTILE: &str = "percentile of wall times, interpolated linearly";
const WHOLE_TRACE: &str = "operators_total_ms";
const OF_LATENCY: [&str; 3] =
    ["latency_median_interval", "latency_median_low_ms", "latency_median_high_ms"];
const OF_RECORDING: [&str; 3] = [
    "recording_overhead_interval",
    "recording_overhead_low_percent",
    "recording_overhead_high_percent",
];
const OF_PLAIN: [&str; 3] = [
    "plain_latency_median_ms",
    "plain_latency_median_interval",
    "plain_throughput_items_per_second",
];
const CONCURRENT: &str = "concurrent_mean_ms";

/// What an iteration costs.
struct Cost {
    flops: PartialSum,
    bytes: PartialSum,
}

const COSTS: &[Column<Cost>] = &[
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

const RATES: &[Column<Summary>] = &[
    column("gflops_per_second", "GFLOP/s", Number, "FLOPs by wall time", |summary| {
        Cell::number(summary.model.gflops_per_second)
    }),
    column(
        FORETOLD,
        "rank correlation of FLOPs and time",
        Number,
        "Spearman's, over operators; 1 if the one with more FLOPs always takes more time",
        |summary| Cell::number(summary.model.flops_foretell.map(|known| known.correlation)),
    ),
];

const FORETOLD: &str = "flops_time_rank_correlation";

/// Facts and figures of a recording.
pub(crate) fn figures(summary: &Summary) -> Figures {
    let model = &summary.model;
    let mut figures = facts(&summary.run).with(MEASURED, summary);
    if let Some(ranks) = &summary.ranks {
        figures = figures.with(RANKS, ranks);
    }
    if let Some(instances) = &summary.instances {
        figures = figures.with(TOGETHER, instances);
    }
    // Nothing known is not zero.
    let costs = if summary.is_plain() { &[] } else { COSTS };
    let cost = Cost { flops: model.flops, bytes: model.bytes };
    let figures = figures.with(costs, &cost).with(RATES, summary);
    // Of what is unknown, there is no interval.
    let without = |figures: Figures, known: bool, keys: &[&str]| match known {
        true => figures,
        false => keys.iter().fold(figures, |figures, key| figures.without(key)),
    };
    let figures = without(figures, model.latency.is_some(), &OF_LATENCY);
    let figures = without(figures, model.plain.is_some(), &OF_PLAIN);
    let figures = without(figures, model.flops_foretell.is_some(), &[FORETOLD]);
    let figures = without(figures, model.recording_overhead.is_some(), &OF_RECORDING);
    match (model.latency, model.operators) {
        (None, Some(_)) => figures.without(CONCURRENT),
        _ if has_concurrent(summary) => figures.without(WHOLE_TRACE),
        _ => figures.without(WHOLE_TRACE).without(CONCURRENT),
    }
}

/// Facts and costs of a model that was not run.
pub(crate) fn unmeasured_figures(profile: &FlopsProfile, run: &Run) -> Figures {
    facts(run).with(COSTS, &Cost { flops: profile.flops, bytes: profile.bytes })
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

/// A total as a time per measured iteration.
pub(crate) fn mean(summary: &Summary, total: Option<Nanoseconds>) -> Option<Milliseconds> {
    let latency = summary.model.latency?;
    Some(Milliseconds(total?.milliseconds() / latency.count as f64))
}

/// Whether operators ran side by side.
pub(crate) fn has_concurrent(summary: &Summary) -> bool {
    summary.model.concurrent.is_some_and(|concurrent| concurrent.0 > 0)
}

/// What is known of a sum; nothing known is not zero.
pub(crate) fn partial(sum: PartialSum) -> Cell {
    match sum {
        PartialSum { unknown: 1.., known: 0.0 } => Cell::Unknown,
        sum => Cell::Number(sum.known),
    }
}

fn latency(summary: &Summary, pick: fn(&Distribution) -> Milliseconds) -> Cell {
    Cell::milliseconds(summary.model.latency.as_ref().map(pick))
}

fn median_interval(summary: &Summary) -> Cell {
    let Some(latency) = summary.model.latency else { return Cell::Unknown };
    interval_text(latency.median.0, summary.model.latency_interval)
}

fn overhead(summary: &Summary, part: fn(&RecordingOverhead) -> Option<f64>) -> Cell {
    percent(summary.model.recording_overhead.as_ref().and_then(part).map(Share))
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

/// What a page of a recording is called: its model, if that is known.
pub(super) fn title(summary: &Summary) -> String {
    match summary.run.model.as_str() {
        "" => "recording".to_string(),
        model => model.to_string(),
    }
}
