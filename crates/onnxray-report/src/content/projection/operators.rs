//! Operators before and after.

use super::estimates::{OF_RATIOS, before_and_after, end};
use crate::document::Unit::{Count, Milliseconds, Number, Share, Text};
use crate::document::{Cell, Chart, ChartKind, Column, Table, column};
use onnxray_analyzer::projection::{Estimate, Origins, Outcome, ProjectedOperator, Projection};
use onnxray_analyzer::statistics::Summary;
use onnxray_format::{Operator, Weight};

/// An operator of a model that was projected.
pub(crate) struct OperatorRow<'a> {
    pub(crate) operator: &'a Operator,
    pub(crate) projected: &'a ProjectedOperator,
    pub(crate) projection: &'a Projection,
}

impl<'a> OperatorRow<'a> {
    /// By the position in the summary.
    pub(crate) fn new(summary: &'a Summary, projection: &'a Projection, number: usize) -> Self {
        let operator = &summary.operators[number].operator;
        OperatorRow { operator, projected: &projection.operators[number], projection }
    }

    /// What is said of its weight, if it has one.
    fn weight(&self, cell: impl Fn(&Weight) -> Cell) -> Cell {
        self.operator.weight.as_ref().map_or(Cell::None, cell)
    }

    /// An end of its latency.
    fn interval(&self, pick: fn(Estimate) -> f64) -> Cell {
        end(self.projected.dense.filter(|_| self.projection.spread.parts.is_some()), pick)
    }

    pub(crate) const COLUMNS: [Column<OperatorRow<'a>>; 17] = [
        column("number", "#", Count, "position in the order of execution", |row| {
            Cell::Whole(u64::from(row.operator.number))
        }),
        column("name", "Operator", Text, "name of its ONNX node", |row| {
            Cell::text(&row.operator.name)
        }),
        column("type", "Type", Text, "operator type", |row| {
            Cell::text(&row.operator.operator_type)
        }),
        column("weight_shape", "Weight shape", Text, "outputs x inputs", |row| {
            row.weight(|weight| Cell::text(weight.matrix_shape()))
        }),
        column("data_type", "Data type", Text, "element type of the weight", |row| {
            row.weight(|weight| Cell::text(weight.data_type.name()))
        }),
        column(
            "sparse_ratio",
            "Sparse ratio",
            Share,
            "share of zero blocks of its weight",
            |row| row.weight(|weight| Cell::number(weight.sparse_ratio(row.projection.block))),
        ),
        column(
            "sparse_support",
            "Sparse support",
            Text,
            "whether block-sparse kernels apply",
            |row| match (row.projected.outcome, row.operator.sparse_support) {
                (Outcome::WeightUnknown, false) => Cell::Unknown,
                (_, true) => Cell::text("yes"),
                (_, false) => Cell::text("no"),
            },
        ),
        column("latency_ms", "Latency ms", Milliseconds, "as measured", |row| {
            end(row.projected.dense, |dense| dense.value)
        }),
        column("latency_low_ms", "Low ms", Milliseconds, "low end of a 95 % interval", |row| {
            row.interval(|dense| dense.low)
        }),
        column("latency_high_ms", "High ms", Milliseconds, "high end", |row| {
            row.interval(|dense| dense.high)
        }),
        column("target", "Target", Share, "sparse ratio that it aims at", |row| {
            row.projected.target.map_or(Cell::None, |target| Cell::number(target.level))
        }),
        column("perf_ratio", "Perf ratio", Number, "dense latency by sparse latency", |row| {
            end(row.projected.ratio, |ratio| ratio.value)
        }),
        column("projected_ms", "Projected ms", Milliseconds, "latency by perf ratio", |row| {
            end(row.projected.projected, |projected| projected.value)
        }),
        column(
            "projected_low_ms",
            "Projected low",
            Milliseconds,
            "low latency by high perf ratio",
            |row| end(row.projected.projected, |projected| projected.low),
        ),
        column(
            "projected_high_ms",
            "Projected high",
            Milliseconds,
            "high latency by low perf ratio",
            |row| end(row.projected.projected, |projected| projected.high),
        ),
        column(
            "projection",
            "Projection",
            Text,
            "whether it is projected, or why it is not",
            |row| Cell::text(row.projected.outcome.text()),
        ),
        column("origin", "Origin", Text, OF_RATIOS, |row| {
            match (row.projected.ratio, row.projected.origin) {
                (None, _) => Cell::Unknown,
                (Some(_), None) => Cell::text(Origins::default().text()),
                (Some(_), Some(origin)) => Cell::text(origin.to_string()),
            }
        }),
    ];
}

pub(super) fn table(summary: &Summary, projection: &Projection, most: Option<usize>) -> Table {
    let mut order: Vec<usize> = (0..projection.operators.len()).collect();
    if most.is_some() {
        // A choice shows what takes most time; all of them stand as executed.
        let latency = |number: usize| projection.operators[number].dense.map_or(-1.0, |d| d.value);
        order.sort_by(|&a, &b| latency(b).total_cmp(&latency(a)));
    }
    let rows = order.into_iter().map(|number| OperatorRow::new(summary, projection, number));
    Table::new("projected_operators", "Operator profiling", &OperatorRow::COLUMNS, rows)
        .hiding(&[
            "data_type",
            "sparse_support",
            "latency_low_ms",
            "latency_high_ms",
            "projected_low_ms",
            "projected_high_ms",
        ])
        .shortened(most)
}

/// All operators, before and after.
pub(crate) fn operators_chart() -> Chart {
    Chart {
        title: "Latency of each operator (ms), in order of execution".to_string(),
        kind: ChartKind::Line,
        table: "projected_operators",
        categories: "name",
        series: before_and_after(),
        shows: "where in the model the time goes, and where sparse weights would save some",
    }
}
