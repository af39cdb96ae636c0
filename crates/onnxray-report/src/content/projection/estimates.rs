//! What tables and charts show of latencies that are projected.

use crate::document::{Cell, Series};
use onnxray_analyzer::projection::Origins;

/// Origins of the perf ratios behind a figure, if the figure is known.
pub(super) fn origins(known: bool, origins: Origins) -> Cell {
    if known { Cell::text(origins.text()) } else { Cell::Unknown }
}

/// Series of a chart of latencies, before and projected.
pub(super) fn before_and_after() -> Vec<Series> {
    let series = [("before", "latency_ms"), ("projected", "projected_ms")];
    let series =
        series.map(|(name, column)| Series { name: Some(name.to_string()), column, rows: None });
    series.into()
}
