//! Perf ratios, and the whole model at each sparsity.

use super::estimates::origins;
use super::model::Case;
use crate::document::Unit::{Count, Milliseconds, Number, Quantity, Share, Text};
use crate::document::{Cell, Chart, ChartKind, Series, Table, columns};
use onnxray_analyzer::projection::{
    AppliedRow, Estimate, Level, Origins, ProjectedType, Projection, RatioOrigin,
};
use onnxray_analyzer::statistics::Summary;

/// A level, or nothing below the lowest level and for the baseline.
fn level(level: Option<f64>) -> Cell {
    level.map_or(Cell::None, Cell::number)
}

/// A point of a row of perf ratios.
pub(super) struct RatioPoint<'a> {
    row: &'a AppliedRow,
    level: Option<f64>,
    ratio: Estimate,
    origin: RatioOrigin,
}

impl<'a> RatioPoint<'a> {
    columns! {
        pub(super) fn columns: RatioPoint<'a>;

        /// outputs x inputs
        "weight_shape" "Weight shape" Text =
            |point| Cell::text(point.row.ratios.key.shape.to_string());
        /// operator type; all if blank
        "type" "Type" Text =
            |point| point.row.ratios.key.operator_type.clone().map_or(Cell::None, Cell::Text);
        /// element type of the weight; all if blank
        "data_type" "Data type" Text = |point| {
            let data_type = point.row.ratios.key.data_type;
            data_type.map_or(Cell::None, |data_type| Cell::text(data_type.name()))
        };
        /// zero blocks, outputs x inputs
        "block" "Block" Text = |point| Cell::text(point.row.ratios.key.block.to_string());
        /// sparsity; blank below the lowest
        "sparse_ratio" "Sparsity" Share = |point| level(point.level);
        /// dense latency / sparse latency
        "perf_ratio" "Perf ratio" Number = |point| Cell::number(point.ratio.value);
        /// the perf ratio
        ends END: Case in ["low" "Low", "high" "High"] Number = |point| END.cell(Some(point.ratio));
        /// operators that use it
        "operators" "Operators" Count = |point| Cell::Whole(point.row.operators);
        /// measured, given, or a default that was not measured
        "origin" "Origin" Text = |point| Cell::text(point.origin.to_string());
    }
}

pub(super) fn ratios(projection: &Projection) -> Table {
    let points = projection.rows.iter().flat_map(|row| {
        let ratio = Estimate::exact(row.ratios.others);
        let points = row.ratios.points.iter();
        let points = points.map(|point| RatioPoint {
            row,
            level: Some(point.level),
            ratio: point.ratio,
            origin: RatioOrigin::At(point.origin),
        });
        let origin = RatioOrigin::Below(row.ratios.origin_below());
        std::iter::once(RatioPoint { row, level: None, ratio, origin }).chain(points)
    });
    Table::new("perf_ratios", "Sparse ratio setting", &RatioPoint::columns(), points)
        .hiding(&["block", "low", "high"])
}

/// The whole model at a level.
pub(super) struct LevelRow {
    level: Option<f64>,
    total: Option<Estimate>,
    speedup: Option<f64>,
    items_per_second: Option<f64>,
    origins: Origins,
}

impl LevelRow {
    columns! {
        pub(super) fn columns: LevelRow;

        /// sparsity of all weights; blank for the model as it is
        "sparse_ratio" "Sparsity" Share = |row| level(row.level);
        /// total latency
        "latency_ms" "Latency ms" Milliseconds = |row| Case::Value.cell(row.total);
        /// the latency
        ends END: Case in ["latency_low_ms" "Low ms", "latency_high_ms" "High ms"] Milliseconds =
            |row| END.cell(row.total);
        /// total latency of the baseline / this one
        "speedup" "Speedup" Number = |row| Cell::number(row.speedup);
        /// batch size / latency
        "items_per_second" "Items/s" Number = |row| Cell::number(row.items_per_second);
        /// origin of its perf ratios; recorded without any
        "origin" "Origin" Text = |row| origins(row.total.is_some(), row.origins);
    }
}

pub(super) fn levels(projection: &Projection) -> Table {
    let value = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.value);
    let baseline = LevelRow {
        level: None,
        total: projection.totals.total,
        speedup: projection.totals.total.map(|_| 1.0),
        items_per_second: value(projection.totals.items_per_second),
        origins: Origins::default(),
    };
    let levels = projection.at_levels.iter().map(|level| LevelRow {
        level: Some(level.level),
        total: level.totals.projected_total,
        speedup: value(level.totals.speedup),
        items_per_second: value(level.totals.projected_items_per_second),
        origins: level.origins,
    });
    let rows = std::iter::once(baseline).chain(levels);
    Table::new("levels", "By sparsity", &LevelRow::columns(), rows)
}

pub(super) fn chart() -> Chart {
    Chart {
        title: "Latency of the whole model (ms)".to_string(),
        kind: ChartKind::Bars,
        table: "levels",
        categories: "sparse_ratio",
        series: vec![Series::of("latency_ms")],
        shows: "latency with all weights pruned to one sparsity",
    }
}

/// An operator type at a level.
pub(super) struct LevelType<'a> {
    level: Option<f64>,
    operator_type: &'a str,
    latency: Option<Estimate>,
    /// Of the model at the level.
    total: Option<Estimate>,
    /// Operations per iteration, whatever the level.
    flops: Option<f64>,
    origins: Origins,
}

impl<'a> LevelType<'a> {
    columns! {
        pub(super) fn columns: LevelType<'a>;

        /// sparsity of all weights; blank for the model as it is
        "sparse_ratio" "Sparsity" Share = |row| level(row.level);
        /// operator type
        "type" "Type" Text = |row| Cell::text(row.operator_type);
        /// latency of its operators
        "latency_ms" "Latency ms" Milliseconds = |row| Case::Value.cell(row.latency);
        /// the latency
        ends END: Case in ["latency_low_ms" "Low ms", "latency_high_ms" "High ms"] Milliseconds =
            |row| END.cell(row.latency);
        /// share of the model's latency at that sparsity
        "share" "Share" Share = |row| {
            let total = row.total.filter(|total| total.value > 0.0);
            Cell::number(row.latency.zip(total).map(|(latency, all)| latency.value / all.value))
        };
        /// operations per iteration, of dense weights
        "flops" "FLOPs" Quantity = |row| Cell::number(row.flops);
        /// origin of its perf ratios; recorded without any
        "origin" "Origin" Text = |row| origins(row.latency.is_some(), row.origins);
    }
}

pub(super) fn types(summary: &Summary, projection: &Projection) -> Table {
    let types = &projection.types;
    let row = |level: Option<&Level>, of_type| {
        let of_type: &ProjectedType = of_type;
        let known = summary.types.iter().find(|t| t.operator_type == of_type.operator_type);
        LevelType {
            level: level.map(|level| level.level),
            operator_type: &of_type.operator_type,
            latency: of_type.dense,
            total: match level {
                None => projection.totals.total,
                Some(level) => level.totals.projected_total,
            },
            flops: known.and_then(|known| known.flops.whole()),
            origins: Origins::default(),
        }
    };
    let baseline = types.iter().map(|of_type| row(None, of_type));
    let levels = projection.at_levels.iter().flat_map(|level| {
        let times = level.types.iter().zip(&level.type_origins);
        types.iter().zip(times).map(move |(of_type, (latency, origins))| LevelType {
            latency: *latency,
            origins: *origins,
            ..row(Some(level), of_type)
        })
    });
    let rows = baseline.chain(levels);
    Table::new("level_types", "By sparsity and type", &LevelType::columns(), rows)
}
