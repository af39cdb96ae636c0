//! The whole model before and after, as figures with their ends.

use super::end;
use crate::projection::{Estimate, Projection, Totals};
use crate::report::document::Unit::{Ratio, Text};
use crate::report::document::{Cell, Column, Table, column};

/// A figure of the whole model.
pub(crate) struct TotalFigure {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub(crate) key: &'static str,
    /// What tables call it.
    pub(crate) name: &'static str,
    /// What the Neural Engine's profile and the workbook call it.
    pub(crate) seed_name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) estimate: fn(&Totals) -> Option<Estimate>,
}

const fn figure(
    key: &'static str,
    name: &'static str,
    seed_name: &'static str,
    meaning: &'static str,
    estimate: fn(&Totals) -> Option<Estimate>,
) -> TotalFigure {
    TotalFigure { key, name, seed_name, meaning, estimate }
}

/// In the order in which reports and the workbook show them.
pub(crate) static TOTAL_FIGURES: [TotalFigure; 14] = [
    figure(
        "total_latency_ms",
        "total latency (ms)",
        "total latency(ms)",
        "one inference before: operators - concurrent + overhead",
        |totals| Some(totals.total),
    ),
    figure(
        "projected_total_latency_ms",
        "projected total latency (ms)",
        "total aim to sparse latency(ms)",
        "one inference with the sparse operators",
        |totals| Some(totals.projected_total),
    ),
    figure(
        "sparse_support_latency_ms",
        "sparse support latency (ms)",
        "sparse support latency(ms)",
        "all operators with sparse support, before",
        |totals| Some(totals.support),
    ),
    figure(
        "projected_sparse_support_latency_ms",
        "projected sparse support latency (ms)",
        "aim to sparse support latency(ms)",
        "the same operators, after",
        |totals| Some(totals.projected_support),
    ),
    figure(
        "sparse_support_share",
        "sparse support share",
        "sparse support latency ratio",
        "their share of the total, before",
        |totals| totals.support_ratio,
    ),
    figure(
        "projected_sparse_support_share",
        "projected sparse support share",
        "aim to sparse support latency ratio",
        "their share of the total, after",
        |totals| totals.projected_support_ratio,
    ),
    figure(
        "speedup",
        "speedup",
        "sparse improve",
        "total latency / projected total latency",
        |totals| totals.speedup,
    ),
    figure(
        "items_per_second",
        "items per second",
        "items per second",
        "batch size / total latency",
        |totals| totals.items_per_second,
    ),
    figure(
        "projected_items_per_second",
        "projected items per second",
        "aim to sparse items per second",
        "batch size / projected total latency",
        |totals| totals.projected_items_per_second,
    ),
    figure(
        "operators_ms",
        "operators (ms)",
        "operators (ms)",
        "exclusive time of all operators",
        |totals| Some(totals.operators),
    ),
    figure(
        "projected_operators_ms",
        "projected operators (ms)",
        "aim to sparse operators (ms)",
        "the same, after",
        |totals| Some(totals.projected_operators),
    ),
    figure(
        "concurrent_ms",
        "concurrent (ms)",
        "concurrent (ms)",
        "time of operators that ran beside others; taken off",
        |totals| Some(totals.concurrent),
    ),
    figure(
        "projected_concurrent_ms",
        "projected concurrent (ms)",
        "aim to sparse concurrent (ms)",
        "as large a part of the operators' time as before",
        |totals| Some(totals.projected_concurrent),
    ),
    figure(
        "overhead_ms",
        "overhead (ms)",
        "overhead (ms)",
        "wall time that no operator covers; stays as it is",
        |totals| totals.overhead,
    ),
];

type Row = (&'static TotalFigure, Option<Estimate>);

const COLUMNS: [Column<Row>; 4] = [
    column("figure", "Figure", Text, "what is stated", |(figure, _)| Cell::Label {
        key: figure.key,
        text: figure.name,
    }),
    column("value", "Value", Ratio, "its value", |row| end(row.1, |e| e.value)),
    column("low", "Low", Ratio, "low end", |row| end(row.1, |e| e.low)),
    column("high", "High", Ratio, "high end", |row| end(row.1, |e| e.high)),
];

pub(super) fn table(projection: &Projection) -> Table {
    let totals = &projection.totals;
    let concurrent = ["concurrent_ms", "projected_concurrent_ms"];
    let applies =
        |figure: &&TotalFigure| totals.concurrent.value > 0.0 || !concurrent.contains(&figure.key);
    let rows =
        TOTAL_FIGURES.iter().filter(applies).map(|figure| (figure, (figure.estimate)(totals)));
    let table = Table::new("projection", "Total profiling", &COLUMNS, rows);
    match projection.spread.parts.is_some() || projection.spread.ratios {
        true => table,
        // The ends would say nothing.
        false => table.showing(&["figure", "value"]),
    }
}
