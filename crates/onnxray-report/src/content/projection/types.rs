//! Operator types before and after.

use super::estimates::{OF_RATIOS, before_and_after, end, origins};
use crate::document::Unit::{Count, Milliseconds, Number, Share, Text};
use crate::document::{Cell, Chart, ChartKind, Column, Table, column};
use onnxray_analyzer::projection::{Estimate, Origins, ProjectedType, Projection};

/// A type, or what else the total is made of.
pub(crate) struct TypeRow<'a> {
    pub(crate) name: &'a str,
    /// `None` if it is no type.
    pub(crate) of_type: Option<&'a ProjectedType>,
    pub(crate) dense: Option<Estimate>,
    pub(crate) projected: Option<Estimate>,
    pub(crate) origins: Origins,
    /// Total latency of the model, before.
    pub(crate) total: Option<f64>,
}

impl<'a> TypeRow<'a> {
    pub(crate) fn new(projection: &Projection, of_type: &'a ProjectedType) -> TypeRow<'a> {
        TypeRow {
            name: &of_type.operator_type,
            of_type: Some(of_type),
            dense: of_type.dense,
            projected: of_type.projected,
            origins: of_type.origins,
            total: projection.totals.total.map(|total| total.value),
        }
    }

    fn count(&self, pick: fn(&ProjectedType) -> u64) -> Cell {
        self.of_type.map_or(Cell::None, |of_type| Cell::Whole(pick(of_type)))
    }

    pub(crate) const COLUMNS: [Column<TypeRow<'a>>; 11] = [
        column("type", "Type", Text, "operator type", |row| Cell::text(row.name)),
        column("operators", "Operators", Count, "operators of this type", |row| {
            row.count(|of_type| of_type.operators)
        }),
        column(
            "settable",
            "Settable",
            Count,
            "operators whose latency a target can change",
            |row| row.count(|of_type| of_type.settable),
        ),
        column(
            "target",
            "Target",
            Share,
            "what operators without a target of their own aim at; blank if all have one",
            |row| match row.of_type.filter(|of_type| of_type.inheriting > 0) {
                Some(of_type) => Cell::number(of_type.target.level),
                None => Cell::None,
            },
        ),
        column("latency_ms", "Latency ms", Milliseconds, "as measured", |row| {
            end(row.dense, |dense| dense.value)
        }),
        column("share", "Share", Share, "of the total latency, before", |row| {
            let total = row.total.filter(|&total| total > 0.0);
            Cell::number(total.zip(row.dense).map(|(total, dense)| dense.value / total))
        }),
        column("projected_ms", "Projected ms", Milliseconds, "with the sparse operators", |row| {
            end(row.projected, |projected| projected.value)
        }),
        column("projected_low_ms", "Low ms", Milliseconds, "low end", |row| {
            end(row.projected, |projected| projected.low)
        }),
        column("projected_high_ms", "High ms", Milliseconds, "high end", |row| {
            end(row.projected, |projected| projected.high)
        }),
        column("speedup", "Speedup", Number, "before by after", |row| {
            let after = row.projected.filter(|after| after.value > 0.0);
            Cell::number(row.dense.zip(after).map(|(dense, after)| dense.value / after.value))
        }),
        column("origin", "Origin", Text, OF_RATIOS, |row| {
            origins(row.projected.is_some(), row.origins)
        }),
    ];
}

pub(super) fn table(projection: &Projection) -> Table {
    let rows = projection.types.iter().map(|of_type| TypeRow::new(projection, of_type));
    Table::new("projected_types", "Operator types", &TypeRow::COLUMNS, rows).hiding(&[
        "settable",
        "projected_low_ms",
        "projected_high_ms",
    ])
}

pub(crate) fn types_chart() -> Chart {
    Chart {
        title: "Latency by operator type (ms)".to_string(),
        kind: ChartKind::Bars,
        table: "projected_types",
        categories: "type",
        series: before_and_after(),
        shows: "which operator types take the time, and what sparse weights change about it",
    }
}
