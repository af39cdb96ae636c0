//! Latency, throughput, what the latency is made of, and what profiling adds to it.

use super::shares::{interval_text, percent};
use crate::document::{Cell, Column, Figures, Unit, column};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{
    Distribution, Interval, LatencySummary, ProfilingCost, RecordingOverhead, Summary,
};
use onnxray_analyzer::{Milliseconds, Share};
use onnxray_format::Nanoseconds;

const PERCENTILE: &str = "percentile of wall times, interpolated linearly";
const WHOLE_TRACE: &str = "operators_total_ms";
const OF_LATENCY: [&str; 3] =
    ["latency_median_interval", "latency_median_low_ms", "latency_median_high_ms"];
const CONCURRENT: &str = "concurrent_mean_ms";
const LEFT_OUT: &str = "iterations_left_out";

/// The latency: the keys are the same whatever iterations they are of.
macro_rules! latency_columns {
    ($latency:literal, $of:literal) => {
        &[
            column(
                "latency_median_ms",
                concat!($latency, " median (ms)"),
                Ms,
                concat!("wall time of ", $of, ", median"),
                |summary| of_times(summary, |times| times.median),
            ),
            column(
                "latency_median_interval",
                concat!($latency, " median, 95 % interval"),
                Text,
                "how far the median may be off, and what that was taken over",
                |summary| match summary.model.latency() {
                    Some(latency) => interval_text(latency.times.median.0, latency.interval),
                    None => Cell::Unknown,
                },
            ),
            column(
                "latency_median_low_ms",
                concat!($latency, " median, low (ms)"),
                Ms,
                "low end of the 95 % interval",
                |summary| of_latency(summary, |latency| Some(latency.interval?.interval.low)),
            ),
            column(
                "latency_median_high_ms",
                concat!($latency, " median, high (ms)"),
                Ms,
                "high end of the 95 % interval",
                |summary| of_latency(summary, |latency| Some(latency.interval?.interval.high)),
            ),
            column("latency_p10_ms", concat!($latency, " p10 (ms)"), Ms, PERCENTILE, |summary| {
                of_times(summary, |times| times.p10)
            }),
            column("latency_p90_ms", concat!($latency, " p90 (ms)"), Ms, PERCENTILE, |summary| {
                of_times(summary, |times| times.p90)
            }),
            column("latency_p99_ms", concat!($latency, " p99 (ms)"), Ms, PERCENTILE, |summary| {
                of_times(summary, |times| times.p99)
            }),
            column(
                "latency_min_ms",
                concat!($latency, " min (ms)"),
                Ms,
                "wall time, smallest",
                |summary| of_times(summary, |times| times.min),
            ),
            column(
                "latency_max_ms",
                concat!($latency, " max (ms)"),
                Ms,
                "wall time, largest",
                |summary| of_times(summary, |times| times.max),
            ),
            column(
                "latency_mean_ms",
                concat!($latency, " mean (ms)"),
                Ms,
                "wall time, mean",
                |summary| of_times(summary, |times| times.mean),
            ),
        ]
    };
}

/// As a user's program runs the model.
pub(super) const LATENCY: &[Column<Summary>] =
    latency_columns!("latency", "an iteration without a profiler");
/// Where nothing else was measured.
pub(super) const PROFILED_LATENCY: &[Column<Summary>] =
    latency_columns!("profiled latency", "an iteration with the profiler at work");

/// The same of a single iteration, which has no percentiles.
macro_rules! latency_of_one {
    ($latency:literal, $of:literal) => {
        &[column(
            "latency_median_ms",
            concat!($latency, " (ms)"),
            Ms,
            concat!("wall time of ", $of),
            |summary| of_times(summary, |times| times.median),
        )]
    };
}

const LATENCY_OF_ONE: &[Column<Summary>] =
    latency_of_one!("latency", "the iteration without a profiler");
const PROFILED_LATENCY_OF_ONE: &[Column<Summary>] =
    latency_of_one!("profiled latency", "the iteration with the profiler at work");

pub(super) const THROUGHPUT: &[Column<Summary>] = &[
    column(
        "throughput_items_per_second",
        "throughput (items/s)",
        Number,
        "batch size / median latency",
        |summary| of_latency(summary, |latency| latency.items_per_second),
    ),
    column(
        "throughput_iterations_per_second",
        "throughput (iterations/s)",
        Number,
        "one / median latency",
        |summary| of_latency(summary, |latency| Some(latency.iterations_per_second)),
    ),
];

/// What the latency is made of.
pub(super) const PARTS: &[Column<Summary>] = &[
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
        "framework overhead, mean (ms)",
        Ms,
        "time of an iteration that no operator covers, without what profiling costs if known",
        |summary| Cell::milliseconds(summary.model.overhead.map(|overhead| overhead.mean)),
    ),
    column(
        "overhead_low_ms",
        "framework overhead, low (ms)",
        Ms,
        "low end of the 95 % interval",
        |summary| overhead_end(summary, |ends| ends.low),
    ),
    column(
        "overhead_high_ms",
        "framework overhead, high (ms)",
        Ms,
        "high end of the 95 % interval",
        |summary| overhead_end(summary, |ends| ends.high),
    ),
    column(
        "typical_mean_ms",
        "typical iteration, mean (ms)",
        Ms,
        "operators - concurrent + framework overhead: wall time of profiled iterations that are not \
         left out, without what profiling costs if known",
        |summary| Cell::milliseconds(summary.model.whole),
    ),
    column(
        LEFT_OUT,
        "iterations left out of operators",
        Count,
        "profiled iterations that took far longer than the others of their launch, and as many of \
         the fastest, which means of operators are not of",
        |summary| {
            Cell::Whole(summary.model.stragglers.map_or(0, |stragglers| stragglers.left_out()))
        },
    ),
    column(
        "overhead_share_percent",
        "framework overhead (% of latency)",
        Number,
        "the mean, of what operators and it add up to",
        |summary| percent(summary.model.overhead.and_then(|overhead| overhead.share)),
    ),
];

/// What operators launched, where the trace tells of devices.
pub(super) const DEVICES: &[Column<Summary>] = &[
    column(
        DEVICE_MEAN,
        "devices, mean (ms)",
        Ms,
        "time of kernels, copies and sets on devices in an iteration, beside the host's",
        |summary| Cell::milliseconds(summary.model.device.and_then(|device| device.mean)),
    ),
    column(
        DEVICE_TOTAL,
        "devices, whole trace (ms)",
        Ms,
        "the same in a trace without iterations",
        |summary| Cell::milliseconds(summary.model.device.map(|device| device.total.into())),
    ),
    column(
        DEVICES_ALONE,
        "devices alone, mean (ms)",
        Ms,
        "time of an iteration in which devices are at work, and no operator of the host; part of a \
         typical iteration, and not of its overhead",
        |summary| Cell::milliseconds(mean(summary, summary.model.devices_alone)),
    ),
];
const DEVICE_MEAN: &str = "device_mean_ms";
const DEVICES_ALONE: &str = "devices_alone_mean_ms";
const DEVICE_TOTAL: &str = "device_total_ms";

/// What profiling adds, where iterations ran with and without it.
pub(super) const PROFILING: &[Column<Summary>] = &[
    column(
        "profiled_iterations",
        "profiled iterations",
        Count,
        "measured iterations with the profiler at work, which times of operators are of",
        |summary| Cell::whole(summary.model.profiled.map(|profiled| profiled.times.count)),
    ),
    column(
        "profiled_latency_median_ms",
        "profiled latency median (ms)",
        Ms,
        "wall time of an iteration with the profiler at work, median",
        |summary| Cell::milliseconds(summary.model.profiled.map(|profiled| profiled.times.median)),
    ),
    column(
        "profiled_latency_mean_ms",
        "profiled latency mean (ms)",
        Ms,
        "the same, mean",
        |summary| Cell::milliseconds(summary.model.profiled.map(|profiled| profiled.times.mean)),
    ),
    column(
        "recording_overhead_percent",
        "profiling overhead (%)",
        Number,
        "median ratio of interleaved profiled and unprofiled latencies, minus one; unknown if \
         the interval says that it is not measurable",
        |summary| overhead(summary, RecordingOverhead::measured),
    ),
    column(
        "recording_overhead_interval",
        "profiling overhead, 95 % interval",
        Text,
        "the same in words, with what it was taken over",
        |summary| match &summary.model.recording_overhead {
            Some(overhead) => Cell::text(overhead.text()),
            None => Cell::Unknown,
        },
    ),
    column(
        "recording_overhead_low_percent",
        "profiling overhead, low (%)",
        Number,
        "low end of the 95 % interval",
        |summary| overhead(summary, |known| known.interval.map(|ends| ends.low)),
    ),
    column(
        "recording_overhead_high_percent",
        "profiling overhead, high (%)",
        Number,
        "high end of the 95 % interval",
        |summary| overhead(summary, |known| known.interval.map(|ends| ends.high)),
    ),
];

/// What an event costs, by the chains that ran beside the model.
pub(super) const CALIBRATION: &[Column<Summary>] = &[
    column(
        "profiling_cost",
        "profiling cost",
        Text,
        "what profiling adds inside an event, taken out of the times of operators, and between \
         events; or why that is unknown",
        |summary| match &summary.model.profiling {
            Some(Ok(cost)) => Cell::text(cost.text()),
            Some(Err(reason)) => Cell::text(format!("unknown: {reason}")),
            None => Cell::Unknown,
        },
    ),
    column(
        "profiling_inside_us",
        "profiling, inside an event (µs)",
        Number,
        "mean over all events",
        |summary| cost(summary, |cost| cost.inside),
    ),
    column(
        "profiling_reach_us",
        "profiling, inside an event, ± (µs)",
        Number,
        "by how much that may be off",
        |summary| cost(summary, |cost| cost.reach),
    ),
    column(
        "profiling_between_us",
        "profiling, between events (µs)",
        Number,
        "what lies behind an event and is time of no operator",
        |summary| cost(summary, |cost| cost.between),
    ),
];

/// Figures of the latency, of its parts and of profiling, behind those of the model.
pub(super) fn with_latency(figures: Figures, summary: &Summary) -> Figures {
    let model = &summary.model;
    let is_one = model.latency().is_some_and(|latency| latency.times.is_one());
    let latency = match (model.plain.is_some(), is_one) {
        (true, false) => LATENCY,
        (true, true) => LATENCY_OF_ONE,
        (false, false) => PROFILED_LATENCY,
        (false, true) => PROFILED_LATENCY_OF_ONE,
    };
    let figures = figures.with(latency, summary).with(THROUGHPUT, summary);
    let mut figures = figures.with(PARTS, summary);
    if let Some(device) = model.device {
        let others: &[&str] = match device.mean {
            Some(_) => &[DEVICE_TOTAL],
            None => &[DEVICE_MEAN, DEVICES_ALONE],
        };
        figures = figures.with(DEVICES, summary);
        figures = others.iter().fold(figures, |figures, key| figures.without(key));
    }
    if model.plain.is_some() {
        figures = figures.with(PROFILING, summary);
    }
    if model.profiling.is_some() {
        figures = figures.with(CALIBRATION, summary);
    }
    // Of what is unknown, there is no interval.
    if model.latency().is_none() {
        figures = OF_LATENCY.iter().fold(figures, |figures, key| figures.without(key));
    }
    // Averages and traces without iterations leave nothing out.
    if model.profiled.is_none() || summary.operators_timed_apart {
        figures = figures.without(LEFT_OUT);
    }
    match (model.profiled, model.operators) {
        (None, Some(_)) => figures.without(CONCURRENT),
        _ if has_concurrent(summary) => figures.without(WHOLE_TRACE),
        _ => figures.without(WHOLE_TRACE).without(CONCURRENT),
    }
}

/// A total as a time per measured iteration.
pub(crate) fn mean(summary: &Summary, total: Option<Nanoseconds>) -> Option<Milliseconds> {
    let iterations = summary.model.typical_iterations()?;
    Some(Milliseconds(total?.milliseconds() / iterations as f64))
}

/// Whether operators ran side by side.
pub(crate) fn has_concurrent(summary: &Summary) -> bool {
    summary.model.concurrent.is_some_and(|concurrent| concurrent.0 > 0)
}

fn of_latency(summary: &Summary, part: fn(LatencySummary) -> Option<f64>) -> Cell {
    Cell::number(summary.model.latency().and_then(part))
}

fn of_times(summary: &Summary, part: fn(Distribution) -> Milliseconds) -> Cell {
    Cell::milliseconds(summary.model.latency().map(|latency| part(latency.times)))
}

fn overhead_end(summary: &Summary, end: fn(Interval) -> f64) -> Cell {
    Cell::number(summary.model.overhead.and_then(|overhead| overhead.interval).map(end))
}

/// A part of what an event costs, in microseconds.
fn cost(summary: &Summary, part: fn(&ProfilingCost) -> f64) -> Cell {
    Cell::number(summary.model.profiling_cost().map(|cost| part(cost) / 1e3))
}

fn overhead(summary: &Summary, part: fn(&RecordingOverhead) -> Option<f64>) -> Cell {
    percent(summary.model.recording_overhead.as_ref().and_then(part).map(Share))
}
