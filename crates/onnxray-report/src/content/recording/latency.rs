//! Latency, throughput, what the latency is made of, and what profiling adds to it.

use crate::content::shares::{interval_text, percent};
use crate::document::{Cell, End, Figures, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{
    Distribution, LatencySummary, ProfilingCost, RecordingOverhead, Summary,
};
use onnxray_analyzer::{Milliseconds, Share};
use onnxray_format::Nanoseconds;

const WHOLE_TRACE: &str = "operators_total_ms";
const OF_LATENCY: [&str; 3] =
    ["latency_median_interval", "latency_median_low_ms", "latency_median_high_ms"];
const OF_FRAMEWORK: [&str; 4] =
    ["overhead_mean_ms", "overhead_low_ms", "overhead_high_ms", "overhead_share_percent"];
const CONCURRENT: &str = "concurrent_mean_ms";
const LEFT_OUT: &str = "iterations_left_out";

type Pick = fn(Distribution) -> Milliseconds;

/// The latency: the keys are the same whatever iterations they are of.
macro_rules! latency_columns {
    ($list:ident, $of_one:ident, $latency:literal, $iteration:literal) => {
        columns! {
            pub(super) const $list: Summary;

            #[doc = "wall time of an"]
            #[doc = $iteration]
            #[doc = ", median"]
            "latency_median_ms" (concat!($latency, " median (ms)")) Ms =
                |summary| of_times(summary, |times| times.median);
            /// 95 % interval in words, and its units
            "latency_median_interval" (concat!($latency, " median, 95 % interval")) Text =
                |summary| match summary.model.latency() {
                    Some(latency) => interval_text(latency.times.median.0, latency.interval),
                    None => Cell::Unknown,
                };
            /// the 95 % interval
            ends END: End in [
                "latency_median_low_ms" (concat!($latency, " median, low (ms)")),
                "latency_median_high_ms" (concat!($latency, " median, high (ms)"))
            ] Ms = |summary| of_latency(summary, |known| Some(END.of(known.interval?.interval)));
            /// percentile of wall times, interpolated linearly
            for PICK: Pick in [
                "latency_p10_ms" (concat!($latency, " p10 (ms)")) = |times| times.p10,
                "latency_p90_ms" (concat!($latency, " p90 (ms)")) = |times| times.p90,
                "latency_p99_ms" (concat!($latency, " p99 (ms)")) = |times| times.p99,
            ] Ms = |summary| of_times(summary, PICK);
            /// wall time, smallest
            "latency_min_ms" (concat!($latency, " min (ms)")) Ms =
                |summary| of_times(summary, |times| times.min);
            /// wall time, largest
            "latency_max_ms" (concat!($latency, " max (ms)")) Ms =
                |summary| of_times(summary, |times| times.max);
            /// wall time, mean
            "latency_mean_ms" (concat!($latency, " mean (ms)")) Ms =
                |summary| of_times(summary, |times| times.mean);
        }

        columns! {
            /// The same of a single iteration, which has no percentiles.
            const $of_one: Summary;

            #[doc = "wall time of the"]
            #[doc = $iteration]
            "latency_median_ms" (concat!($latency, " (ms)")) Ms =
                |summary| of_times(summary, |times| times.median);
        }
    };
}

// As a user's program runs the model, and where nothing else was measured.
latency_columns!(LATENCY, LATENCY_OF_ONE, "latency", " iteration without a profiler");
latency_columns!(
    PROFILED_LATENCY,
    PROFILED_LATENCY_OF_ONE,
    "profiled latency",
    " iteration with the profiler at work"
);

columns! {
    pub(super) const THROUGHPUT: Summary;

    /// batch size / median latency
    "throughput_items_per_second" "throughput (items/s)" Number =
        |summary| of_latency(summary, |latency| latency.items_per_second);
    /// one / median latency
    "throughput_iterations_per_second" "throughput (iterations/s)" Number =
        |summary| of_latency(summary, |latency| Some(latency.iterations_per_second));
}

columns! {
    /// What the latency is made of.
    pub(super) const PARTS: Summary;

    /// exclusive time of all operators per iteration
    "operators_mean_ms" "operators, mean (ms)" Ms = |summary| {
        let mean = mean(summary, summary.model.operators);
        Cell::milliseconds(mean.or(summary.model.operators_mean))
    };
    /// exclusive time of all operators; traces without iterations
    WHOLE_TRACE "operators, whole trace (ms)" Ms =
        |summary| Cell::number(summary.model.operators.map(|total| total.milliseconds()));
    /// exclusive time of operators beyond the time they cover
    CONCURRENT "concurrent, mean (ms)" Ms =
        |summary| Cell::milliseconds(mean(summary, summary.model.concurrent));
    /// time per iteration outside operators, without profiling cost if known
    "overhead_mean_ms" "framework overhead, mean (ms)" Ms =
        |summary| Cell::milliseconds(summary.model.overhead.map(|overhead| overhead.mean));
    /// the 95 % interval
    ends END: End in [
        "overhead_low_ms" "framework overhead, low (ms)",
        "overhead_high_ms" "framework overhead, high (ms)",
    ] Ms = |summary| END.cell(summary.model.overhead.and_then(|overhead| overhead.interval));
    /// operators - concurrent + framework overhead: wall time of a typical profiled iteration,
    /// without profiling cost if known
    "typical_mean_ms" "typical iteration, mean (ms)" Ms =
        |summary| Cell::milliseconds(summary.model.whole);
    /// profiled iterations excluded from operator means: outliers of their launch, and as many of
    /// the fastest
    LEFT_OUT "iterations left out of operators" Count = |summary| {
        Cell::Whole(summary.model.stragglers.map_or(0, |stragglers| stragglers.left_out()))
    };
    /// mean / (operators + framework overhead)
    "overhead_share_percent" "framework overhead (% of latency)" Number =
        |summary| percent(summary.model.overhead.and_then(|overhead| overhead.share));
}

columns! {
    /// What operators launched, where the trace tells of devices.
    pub(super) const DEVICES: Summary;

    /// time of kernels, copies and sets on devices per iteration
    DEVICE_MEAN "devices, mean (ms)" Ms =
        |summary| Cell::milliseconds(summary.model.device.and_then(|device| device.mean));
    /// the same; traces without iterations
    DEVICE_TOTAL "devices, whole trace (ms)" Ms =
        |summary| Cell::milliseconds(summary.model.device.map(|device| device.total.into()));
    /// time per iteration in which devices work and no operator of the host does; not part of the
    /// overhead
    DEVICES_ALONE "devices alone, mean (ms)" Ms =
        |summary| Cell::milliseconds(mean(summary, summary.model.devices_alone));
}
const DEVICE_MEAN: &str = "device_mean_ms";
const DEVICES_ALONE: &str = "devices_alone_mean_ms";
const DEVICE_TOTAL: &str = "device_total_ms";

columns! {
    /// What profiling adds, where iterations ran with and without it.
    pub(super) const PROFILING: Summary;

    /// profiled iterations used for operator times
    "profiled_iterations" "profiled iterations" Count =
        |summary| Cell::whole(summary.model.profiled.map(|profiled| profiled.times.count));
    /// wall time of a profiled iteration, median
    "profiled_latency_median_ms" "profiled latency median (ms)" Ms =
        |summary| Cell::milliseconds(summary.model.profiled.map(|profiled| profiled.times.median));
    /// the same, mean
    "profiled_latency_mean_ms" "profiled latency mean (ms)" Ms =
        |summary| Cell::milliseconds(summary.model.profiled.map(|profiled| profiled.times.mean));
    /// median ratio of interleaved profiled and unprofiled latencies, minus one; unknown if not
    /// measurable
    "recording_overhead_percent" "profiling overhead (%)" Number =
        |summary| overhead(summary, RecordingOverhead::measured);
    /// the same in words, and its units
    "recording_overhead_interval" "profiling overhead, 95 % interval" Text =
        |summary| match &summary.model.recording_overhead {
            Some(overhead) => Cell::text(overhead.text()),
            None => Cell::Unknown,
        };
    /// the 95 % interval
    ends END: End in [
        "recording_overhead_low_percent" "profiling overhead, low (%)",
        "recording_overhead_high_percent" "profiling overhead, high (%)",
    ] Number = |summary| overhead(summary, |known| known.interval.map(|both| END.of(both)));
}

columns! {
    /// What an event costs, by the chains that ran beside the model.
    pub(super) const CALIBRATION: Summary;

    /// cost inside events (subtracted from operator times) and between them; or why unknown
    "profiling_cost" "profiling cost" Text = |summary| match &summary.model.profiling {
        Some(Ok(cost)) => Cell::text(cost.text()),
        Some(Err(reason)) => Cell::text(format!("unknown: {reason}")),
        None => Cell::Unknown,
    };
    /// mean over all events
    "profiling_inside_us" "profiling, inside an event (µs)" Number =
        |summary| cost(summary, |cost| cost.inside);
    /// possible error of that
    "profiling_reach_us" "profiling, inside an event, ± (µs)" Number =
        |summary| cost(summary, |cost| cost.reach);
    /// cost between events, in no operator's time
    "profiling_between_us" "profiling, between events (µs)" Number =
        |summary| cost(summary, |cost| cost.between);
}

/// Figures of the latency, of its parts and of profiling, behind those of the model.
pub(super) fn with_latency(figures: Figures, summary: &Summary) -> Figures {
    let model = &summary.model;
    let is_one = model.latency().is_some_and(|latency| latency.times.is_one());
    let latency = match (model.unprofiled.is_some(), is_one) {
        (true, false) => LATENCY,
        (true, true) => LATENCY_OF_ONE,
        (false, false) => PROFILED_LATENCY,
        (false, true) => PROFILED_LATENCY_OF_ONE,
    };
    let figures = figures.with(latency, summary).with(THROUGHPUT, summary);
    let mut figures = figures.with(PARTS, summary);
    if let Some(device) = model.device {
        // Devices are timed per iteration or over the whole trace: the other figure goes.
        let others: &[&str] = match device.mean {
            Some(_) => &[DEVICE_TOTAL],
            None => &[DEVICE_MEAN, DEVICES_ALONE],
        };
        figures = figures.with(DEVICES, summary).without(others);
    }
    if summary.run.blocks {
        // What the framework costs is in blocks.
        figures = figures.without(&OF_FRAMEWORK);
    }
    if model.unprofiled.is_some() {
        figures = figures.with(PROFILING, summary);
    }
    if model.profiling.is_some() {
        figures = figures.with(CALIBRATION, summary);
    }
    // Of what is unknown, there is no interval.
    if model.latency().is_none() {
        figures = figures.without(&OF_LATENCY);
    }
    // Averages and traces without iterations leave nothing out.
    if model.profiled.is_none() || summary.operators_timed_apart {
        figures = figures.without(&[LEFT_OUT]);
    }
    match (model.profiled, model.operators) {
        // Without iterations, the total of the trace is all there is.
        (None, Some(_)) => figures.without(&[CONCURRENT]),
        _ if has_concurrent(summary) => figures.without(&[WHOLE_TRACE]),
        _ => figures.without(&[WHOLE_TRACE, CONCURRENT]),
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

fn of_times(summary: &Summary, part: Pick) -> Cell {
    Cell::milliseconds(summary.model.latency().map(|latency| part(latency.times)))
}

/// A part of what an event costs, in microseconds.
fn cost(summary: &Summary, part: fn(&ProfilingCost) -> f64) -> Cell {
    Cell::number(summary.model.profiling_cost().map(|cost| part(cost) / 1e3))
}

fn overhead(summary: &Summary, part: fn(&RecordingOverhead) -> Option<f64>) -> Cell {
    percent(summary.model.recording_overhead.as_ref().and_then(part).map(Share))
}
