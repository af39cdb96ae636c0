//! The layers of a loss profile, and each of them at each level.

use crate::document::{Cell, Chart, ChartKind, Column, Series, Table, Unit, column};
use Unit::{Count, Number, Quantity, Scientific, Share, Text};
use onnxray_analyzer::quantity::percent;
use onnxray_format::{LossLayer, LossPoint, LossProfile};

/// The highest level of a layer.
pub(super) fn highest(layer: &LossLayer) -> Option<&LossPoint> {
    layer.points.last()
}

fn at_highest(layer: &LossLayer, figure: fn(&LossPoint) -> Option<f64>) -> Cell {
    match highest(layer) {
        Some(point) => Cell::number(figure(point)),
        None => Cell::None,
    }
}

/// A layer, and its place among all.
pub(super) struct LayerRow<'a> {
    number: usize,
    layer: &'a LossLayer,
}

const NUMBER: &str = "place in the order of the model's nodes, from 0 on";

pub(super) const fn columns<'a>() -> [Column<LayerRow<'a>>; 15] {
    [
        column("number", "#", Count, NUMBER, |row| Cell::Whole(row.number as u64)),
        column(
            "name",
            "Layer",
            Text,
            "name of its ONNX node, the first that has the weight",
            |LayerRow { layer, .. }| Cell::text(&layer.name),
        ),
        column(
            "nodes",
            "Nodes",
            Text,
            "all nodes that have the weight",
            |LayerRow { layer, .. }| Cell::text(layer.nodes.join(", ")),
        ),
        column("operator_type", "Type", Text, "type of the node", |LayerRow { layer, .. }| {
            Cell::text(&layer.operator_type)
        }),
        column("weight", "Weight", Text, "name of the constant", |LayerRow { layer, .. }| {
            Cell::text(&layer.weight)
        }),
        column(
            "weight_shape",
            "Weight shape",
            Text,
            "outputs x inputs",
            |LayerRow { layer, .. }| Cell::text(format!("{}x{}", layer.outputs, layer.inputs)),
        ),
        column(
            "data_type",
            "Data type",
            Text,
            "type of its elements",
            |LayerRow { layer, .. }| Cell::text(layer.data_type.to_string()),
        ),
        column(
            "parameters",
            "Parameters",
            Quantity,
            "elements of its weight",
            |LayerRow { layer, .. }| Cell::Whole(layer.parameters),
        ),
        column(
            "level",
            "Sparsity",
            Share,
            "the highest sparsity, which the next columns are at",
            |LayerRow { layer, .. }| at_highest(layer, |point| Some(point.level)),
        ),
        column(
            "l1",
            "L1 removed",
            Share,
            "of the weight's L1 norm",
            |LayerRow { layer, .. }| at_highest(layer, |point| point.l1),
        ),
        column(
            "l2",
            "L2 removed",
            Share,
            "L2 norm of the removed weights / that of the weight",
            |LayerRow { layer, .. }| at_highest(layer, |point| point.l2),
        ),
        column(
            "sensitivity",
            "Sensitivity",
            Scientific,
            "change of the loss with labels, else the divergence",
            |LayerRow { layer, .. }| at_highest(layer, |point| point.measured.sensitivity()),
        ),
        column(
            "accuracy_change",
            "Accuracy change",
            Number,
            "with labels",
            |LayerRow { layer, .. }| match highest(layer)
                .and_then(|point| point.measured.accuracy_change)
            {
                Some(change) => Cell::Number(change),
                None => Cell::None,
            },
        ),
        column(
            "output",
            "Output",
            Text,
            "the output that diverges most",
            |LayerRow { layer, .. }| {
                let output = highest(layer).and_then(|point| point.measured.output.clone());
                Cell::some_text(output.unwrap_or_default())
            },
        ),
        column(
            "why",
            "Why not",
            Text,
            "why it was not pruned, or its run failed",
            |LayerRow { layer, .. }| {
                let failed = highest(layer).and_then(|point| point.measured.failed.clone());
                Cell::some_text(layer.left_out.clone().or(failed).unwrap_or_default())
            },
        ),
    ]
}

/// The layers, in the order of the model.
pub(super) fn layers(profile: &LossProfile, most: Option<usize>) -> Table {
    let rows = profile.layers.iter().enumerate();
    let rows = rows.map(|(number, layer)| LayerRow { number, layer });
    Table::new("loss_layers", "Layers", &columns(), rows)
        .hiding(&["nodes", "weight", "data_type", "output"])
        .essential(&["name", "parameters", "sensitivity"])
        .shortened(most)
}

pub(super) struct PointRow<'a> {
    number: usize,
    layer: &'a LossLayer,
    point: &'a LossPoint,
}

pub(super) const fn points_columns<'a>() -> [Column<PointRow<'a>>; 12] {
    [
        column("level", "Sparsity", Share, "share of the blocks that become zero", |row| {
            Cell::Number(row.point.level)
        }),
        column("number", "#", Count, NUMBER, |row| Cell::Whole(row.number as u64)),
        column("name", "Layer", Text, "name of its ONNX node", |row| Cell::text(&row.layer.name)),
        column("weight", "Weight", Text, "name of the constant", |row| {
            Cell::text(&row.layer.weight)
        }),
        column("pruned", "Pruned", Count, "elements of these blocks", |row| {
            Cell::Whole(row.point.pruned)
        }),
        column("l1", "L1 removed", Share, "of the weight's L1 norm", |row| {
            Cell::number(row.point.l1)
        }),
        column(
            "l2",
            "L2 removed",
            Share,
            "L2 norm of the removed weights / that of the weight",
            |row| Cell::number(row.point.l2),
        ),
        column(
            "sensitivity",
            "Sensitivity",
            Scientific,
            "change of the loss with labels, else the divergence",
            |row| Cell::number(row.point.measured.sensitivity()),
        ),
        column("divergence", "Divergence", Scientific, "the largest of all outputs", |row| {
            Cell::number(row.point.measured.divergence)
        }),
        column("output", "Output", Text, "the output that has it", |row| {
            Cell::some_text(row.point.measured.output.clone().unwrap_or_default())
        }),
        column("accuracy_change", "Accuracy change", Number, "with labels", |row| {
            row.point.measured.accuracy_change.map_or(Cell::None, Cell::Number)
        }),
        column("failed", "Failed", Text, "why there are no figures", |row| {
            Cell::some_text(row.point.measured.failed.clone().unwrap_or_default())
        }),
    ]
}

/// Levels from the lowest on, and the layers of each in the order of the model.
fn rows(profile: &LossProfile) -> Vec<(f64, Vec<PointRow<'_>>)> {
    let of = |&level: &f64| {
        let layers = profile.layers.iter().enumerate().filter_map(|(number, layer)| {
            let point = layer.points.iter().find(|point| point.level == level)?;
            Some(PointRow { number, layer, point })
        });
        (level, layers.collect())
    };
    profile.run.levels.iter().map(of).collect()
}

/// Each layer at each level.
pub(super) fn points(profile: &LossProfile) -> Table {
    let rows = rows(profile).into_iter().flat_map(|(_, rows)| rows);
    Table::new("loss_points", "Sparsities", &points_columns(), rows).hiding(&["weight", "output"])
}

/// Bars over the layers, a colour for each sparsity.
pub(super) fn charts(profile: &LossProfile) -> [Chart; 2] {
    let chart = |title: &str, kind, column: &'static str, shows: &'static str| {
        let mut start = 0;
        let series = rows(profile).into_iter().map(|(level, rows)| {
            let rows = start..start + rows.len();
            start = rows.end;
            Series { name: Some(format!("{} %", percent(level))), column, rows: Some(rows) }
        });
        Chart {
            title: title.to_string(),
            kind,
            table: "loss_points",
            // Names of many layers would leave no room for the bars.
            categories: "number",
            series: series.collect(),
            shows,
        }
    };
    [
        chart(
            "Sensitivity by layer",
            // From layer to layer it differs by powers of ten.
            ChartKind::LogarithmicColumns,
            "sensitivity",
            "what pruning each layer costs the model's outputs, a colour for each sparsity",
        ),
        chart(
            "L2 norm removed by layer",
            ChartKind::Columns,
            "l2",
            "how much of each layer's weight goes, a colour for each sparsity",
        ),
    ]
}

/// Bars of the layers' parameters.
pub(super) fn parameters_chart() -> Chart {
    Chart {
        title: "Parameters by layer".to_string(),
        kind: ChartKind::Bars,
        table: "loss_layers",
        categories: "name",
        series: vec![Series::of("parameters")],
        shows: "how many elements each layer's weight has",
    }
}
