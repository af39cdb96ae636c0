//! The whole model before and after, as figures with their ends.

use super::estimates::{OF_RATIOS, end, origins};
use crate::document::Unit::{Ratio, Text};
use crate::document::{Cell, Column, Table, column};
use onnxray_analyzer::projection::{Estimate, Origins, Projection, Totals};

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

/// In the order in which reports and the workbook show them.
pub(crate) static TOTAL_FIGURES: [TotalFigure; 14] = [
    TotalFigure {
        key: "total_latency_ms",
        name: "total latency (ms)",
        seed_name: "total latency(ms)",
        meaning: "one inference before: operators - concurrent + framework overhead",
        estimate: |totals| totals.total,
    },
    TotalFigure {
        key: "projected_total_latency_ms",
        name: "projected total latency (ms)",
        seed_name: "total aim to sparse latency(ms)",
        meaning: "one inference with the sparse operators",
        estimate: |totals| totals.projected_total,
    },
    TotalFigure {
        key: "sparse_support_latency_ms",
        name: "sparse support latency (ms)",
        seed_name: "sparse support latency(ms)",
        meaning: "all operators with sparse support, before",
        estimate: |totals| totals.support,
    },
    TotalFigure {
        key: "projected_sparse_support_latency_ms",
        name: "projected sparse support latency (ms)",
        seed_name: "aim to sparse support latency(ms)",
        meaning: "the same operators, after",
        estimate: |totals| totals.projected_support,
    },
    TotalFigure {
        key: "sparse_support_share",
        name: "sparse support share",
        seed_name: "sparse support latency ratio",
        meaning: "their share of the total, before",
        estimate: |totals| totals.support_ratio,
    },
    TotalFigure {
        key: "projected_sparse_support_share",
        name: "projected sparse support share",
        seed_name: "aim to sparse support latency ratio",
        meaning: "their share of the total, after",
        estimate: |totals| totals.projected_support_ratio,
    },
    TotalFigure {
        key: "speedup",
        name: "speedup",
        seed_name: "sparse improve",
        meaning: "total latency / projected total latency",
        estimate: |totals| totals.speedup,
    },
    TotalFigure {
        key: "items_per_second",
        name: "items per second",
        seed_name: "items per second",
        meaning: "batch size / total latency",
        estimate: |totals| totals.items_per_second,
    },
    TotalFigure {
        key: "projected_items_per_second",
        name: "projected items per second",
        seed_name: "aim to sparse items per second",
        meaning: "batch size / projected total latency",
        estimate: |totals| totals.projected_items_per_second,
    },
    TotalFigure {
        key: "operators_ms",
        name: "operators (ms)",
        seed_name: "operators (ms)",
        meaning: "exclusive time of all operators",
        estimate: |totals| totals.operators,
    },
    TotalFigure {
        key: "projected_operators_ms",
        name: "projected operators (ms)",
        seed_name: "aim to sparse operators (ms)",
        meaning: "the same, after",
        estimate: |totals| totals.projected_operators,
    },
    TotalFigure {
        key: "concurrent_ms",
        name: "concurrent (ms)",
        seed_name: "concurrent (ms)",
        meaning: "time of operators that ran beside others; taken off",
        estimate: |totals| totals.concurrent,
    },
    TotalFigure {
        key: "projected_concurrent_ms",
        name: "projected concurrent (ms)",
        seed_name: "aim to sparse concurrent (ms)",
        meaning: "as large a part of the operators' time as before",
        estimate: |totals| totals.projected_concurrent,
    },
    TotalFigure {
        key: "overhead_ms",
        name: "framework overhead (ms)",
        seed_name: "overhead (ms)",
        meaning: "wall time that no operator covers; stays as it is",
        estimate: |totals| totals.overhead,
    },
];

impl TotalFigure {
    /// Whether it is of the model after, and so rests on perf ratios.
    pub(crate) fn is_projected(&self) -> bool {
        self.key.starts_with("projected_") || self.key == "speedup"
    }
}

type Row = (&'static TotalFigure, Option<Estimate>, Origins);

const COLUMNS: [Column<Row>; 5] = [
    column("figure", "Figure", Text, "what is stated", |(figure, ..)| {
        Cell::label(figure.key, figure.name)
    }),
    column("value", "Value", Ratio, "its value", |row| end(row.1, |e| e.value)),
    column("low", "Low", Ratio, "low end", |row| end(row.1, |e| e.low)),
    column("high", "High", Ratio, "high end", |row| end(row.1, |e| e.high)),
    column("origin", "Origin", Text, OF_RATIOS, |row| origins(row.1.is_some(), row.2)),
];

pub(super) fn table(projection: &Projection) -> Table {
    let totals = &projection.totals;
    let concurrent = ["concurrent_ms", "projected_concurrent_ms"];
    let is_concurrent = totals.concurrent.is_some_and(|concurrent| concurrent.value > 0.0);
    let applies = |figure: &&TotalFigure| is_concurrent || !concurrent.contains(&figure.key);
    let row = |figure: &'static TotalFigure| -> Row {
        let origins = Some(projection.origins()).filter(|_| figure.is_projected());
        (figure, (figure.estimate)(totals), origins.unwrap_or_default())
    };
    let rows = TOTAL_FIGURES.iter().filter(applies).map(row);
    let table = Table::new("projection", "Total profiling", &COLUMNS, rows);
    match projection.spread.parts.is_some() || projection.spread.ratios {
        true => table,
        // The ends would say nothing.
        false => table.showing(&["figure", "value", "origin"]),
    }
}
