//! Perf ratios, and the whole model at each sparse ratio.

use super::estimates::{OF_RATIOS, end, origins};
use crate::document::Unit::{Count, Milliseconds, Number, Quantity, Share, Text};
use crate::document::{Cell, Chart, ChartKind, Column, Series, Table, column};
use onnxray_analyzer::projection::{
    AppliedRow, Estimate, Level, Origins, ProjectedType, Projection, RatioOrigin,
};
use onnxray_analyzer::statistics::Summary;

const OF_ALL_WEIGHTS: &str = "sparse ratio of all weights; blank for the baseline";

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
    pub(super) const COLUMNS: [Column<RatioPoint<'a>>; 10] = [
        column("weight_shape", "Weight shape", Text, "outputs x inputs", |point| {
            Cell::text(point.row.ratios.key.shape.to_string())
        }),
        column("type", "Type", Text, "operator type; all if blank", |point| {
            point.row.ratios.key.operator_type.clone().map_or(Cell::None, Cell::Text)
        }),
        column(
            "data_type",
            "Data type",
            Text,
            "element type of the weight; all if blank",
            |point| {
                let data_type = point.row.ratios.key.data_type;
                data_type.map_or(Cell::None, |data_type| Cell::text(data_type.name()))
            },
        ),
        column("block", "Block", Text, "blocks that are zero, outputs x inputs", |point| {
            Cell::text(point.row.ratios.key.block.to_string())
        }),
        column(
            "sparse_ratio",
            "Sparse ratio",
            Share,
            "share of zero blocks; blank below the lowest",
            |point| level(point.level),
        ),
        column("perf_ratio", "Perf ratio", Number, "dense latency / sparse latency", |point| {
            Cell::number(point.ratio.value)
        }),
        column("low", "Low", Number, "low end of a range", |point| Cell::number(point.ratio.low)),
        column("high", "High", Number, "high end", |point| Cell::number(point.ratio.high)),
        column("operators", "Operators", Count, "operators that look it up", |point| {
            Cell::Whole(point.row.operators)
        }),
        column("origin", "Origin", Text, "given, or a default that nobody measured", |point| {
            Cell::text(point.origin.to_string())
        }),
    ];
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
    Table::new("perf_ratios", "Sparse ratio setting", &RatioPoint::COLUMNS, points)
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
    pub(super) const COLUMNS: [Column<LevelRow>; 7] = [
        column("sparse_ratio", "Pruned", Share, OF_ALL_WEIGHTS, |row| level(row.level)),
        column("latency_ms", "Latency ms", Milliseconds, "total latency", |row| {
            end(row.total, |total| total.value)
        }),
        column("latency_low_ms", "Low ms", Milliseconds, "low end", |row| {
            end(row.total, |total| total.low)
        }),
        column("latency_high_ms", "High ms", Milliseconds, "high end", |row| {
            end(row.total, |total| total.high)
        }),
        column("speedup", "Speedup", Number, "total latency of the baseline / this one", |row| {
            Cell::number(row.speedup)
        }),
        column("items_per_second", "Items/s", Number, "batch size / latency", |row| {
            Cell::number(row.items_per_second)
        }),
        column("origin", "Origin", Text, OF_RATIOS, |row| {
            origins(row.total.is_some(), row.origins)
        }),
    ];
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
    Table::new("levels", "Summary type", &LevelRow::COLUMNS, rows)
}

pub(super) fn chart() -> Chart {
    Chart {
        title: "Latency of the whole model (ms)".to_string(),
        kind: ChartKind::Bars,
        table: "levels",
        categories: "sparse_ratio",
        series: vec![Series::of("latency_ms")],
        shows: "what pruning all weights to one sparse ratio would bring",
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
    pub(super) const COLUMNS: [Column<LevelType<'a>>; 8] = [
        column("sparse_ratio", "Pruned", Share, OF_ALL_WEIGHTS, |row| level(row.level)),
        column("type", "Type", Text, "operator type", |row| Cell::text(row.operator_type)),
        column("latency_ms", "Latency ms", Milliseconds, "latency of all its operators", |row| {
            end(row.latency, |latency| latency.value)
        }),
        column("latency_low_ms", "Low ms", Milliseconds, "low end", |row| {
            end(row.latency, |latency| latency.low)
        }),
        column("latency_high_ms", "High ms", Milliseconds, "high end", |row| {
            end(row.latency, |latency| latency.high)
        }),
        column("share", "Share", Share, "of the model's latency at that sparsity", |row| {
            let total = row.total.filter(|total| total.value > 0.0);
            Cell::number(row.latency.zip(total).map(|(latency, all)| latency.value / all.value))
        }),
        column("flops", "FLOPs", Quantity, "operations per iteration, of dense weights", |row| {
            Cell::number(row.flops)
        }),
        column("origin", "Origin", Text, OF_RATIOS, |row| {
            origins(row.latency.is_some(), row.origins)
        }),
    ];
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
    Table::new("level_types", "Summary type by operator type", &LevelType::COLUMNS, rows)
}
