//! What tables and charts show of latencies that are projected.

use crate::document::{Cell, Series};
use onnxray_analyzer::projection::Origins;

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
