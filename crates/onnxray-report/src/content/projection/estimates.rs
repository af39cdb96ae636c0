//! What tables and charts show of latencies that are projected.

use crate::document::{Cell, Series};
use onnxray_analyzer::projection::{Estimate, Origins};

/// A part of an estimate; unknown if there is none.
pub(super) fn end(estimate: Option<Estimate>, pick: fn(Estimate) -> f64) -> Cell {
    Cell::number(estimate.map(pick))
}

/// What a column of origins tells.
pub(super) const OF_RATIOS: &str =
    "where the perf ratios come from that it rests on: measured if there are none";

/// Where the perf ratios come from that a figure rests on, if that is known.
pub(super) fn origins(known: bool, origins: Origins) -> Cell {
    if known { Cell::text(origins.text()) } else { Cell::Unknown }
}

/// What charts draw of a table of latencies.
pub(super) fn before_and_after() -> Vec<Series> {
    let series = [("before", "latency_ms"), ("projected", "projected_ms")];
    let series =
        series.map(|(name, column)| Series { name: Some(name.to_string()), column, rows: None });
    series.into()
}
