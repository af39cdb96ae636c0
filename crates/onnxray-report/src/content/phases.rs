//! The table of the phases of a generation.

use crate::document::{Cell, Column, Table, Unit, column};
use Unit::{Count, Milliseconds as Ms, Number, Text};
use onnxray_analyzer::statistics::{PhaseSummary, Summary};

pub(super) const PHASES: &[Column<PhaseSummary>] = &[
    column("phase", "Phase", Text, "prefill takes the prompt, decode a token each time", |phase| {
        Cell::text(phase.phase.name())
    }),
    column(
        "iterations",
        "Iterations",
        Count,
        "unprofiled ones, or profiled ones where there are none",
        |phase| Cell::Whole(phase.latency.count),
    ),
    column("tokens", "Tokens", Number, "tokens that an iteration takes, of each item", |phase| {
        Cell::Number(phase.tokens)
    }),
    column(
        "cached_from",
        "Cached from",
        Count,
        "fewest tokens in the cache before an iteration",
        |phase| Cell::Whole(u64::from(phase.cached[0])),
    ),
    column(
        "cached_to",
        "Cached to",
        Count,
        "most tokens in the cache before an iteration",
        |phase| Cell::Whole(u64::from(phase.cached[1])),
    ),
    column("latency_median_ms", "Median ms", Ms, "wall time of an iteration, median", |phase| {
        Cell::milliseconds(phase.latency.median)
    }),
    column("latency_median_low_ms", "Low ms", Ms, "low end of its 95 % interval", |phase| {
        Cell::number(phase.interval.map(|known| known.interval.low))
    }),
    column("latency_median_high_ms", "High ms", Ms, "high end of its 95 % interval", |phase| {
        Cell::number(phase.interval.map(|known| known.interval.high))
    }),
    column("latency_p90_ms", "p90 ms", Ms, "90th percentile", |phase| {
        Cell::milliseconds(phase.latency.p90)
    }),
    column(
        "tokens_per_second",
        "Tokens/s",
        Number,
        "batch size x tokens / their wall time",
        |phase| Cell::Number(phase.tokens_per_second),
    ),
    column(
        "tokens_per_second_low",
        "Tokens/s, low",
        Number,
        "low end of its 95 % interval",
        |phase| Cell::number(phase.tokens_interval.map(|interval| interval.low)),
    ),
    column(
        "tokens_per_second_high",
        "Tokens/s, high",
        Number,
        "high end of its 95 % interval",
        |phase| Cell::number(phase.tokens_interval.map(|interval| interval.high)),
    ),
];

/// The table of phases; `None` if iterations are whole inferences.
pub(crate) fn phases(summary: &Summary) -> Option<Table> {
    let is_generation = !summary.phases.is_empty();
    is_generation.then(|| Table::new("phases", "Phases", PHASES, &summary.phases))
}
