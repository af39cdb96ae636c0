//! The layers of a loss profile, and each of them at each level.

use crate::document::{Cell, Chart, ChartKind, End, Series, Table, Unit, columns};
use Unit::{Count, Number, Quantity, Ratio, Scientific, Share, Text};
use onnxray_analyzer::projection::{Estimate, sensitivity_interval};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::settings::measured_ratio;
use onnxray_format::{LossLayer, LossPoint, LossProfile, Measured};

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

/// Of the perf ratio of a point: nothing if it was not timed, unknown after one launch.
fn gain(point: Option<&LossPoint>, figure: impl Fn(Estimate) -> f64) -> Cell {
    match point.map(|point| point.times.as_slice()) {
        None | Some([]) => Cell::None,
        Some(times) => Cell::number(measured_ratio(times).map(figure)),
    }
}

/// An end of the interval of a sensitivity: nothing if it was not measured, or on a single input.
pub(super) fn end_of_loss(measured: Option<&Measured>, end: End) -> Cell {
    let loss = measured.and_then(sensitivity_interval);
    loss.map_or(Cell::None, |loss| Cell::Number(end.of((loss.low, loss.high))))
}

/// Microseconds of a dense layer, the mean over launches.
fn dense_time(point: Option<&LossPoint>) -> Cell {
    match point.map(|point| point.times.as_slice()) {
        None | Some([]) => Cell::None,
        Some(times) => {
            let sum: f64 = times.iter().map(|times| times.dense_ns).sum();
            Cell::Number(sum / times.len() as f64 / 1e3)
        }
    }
}

/// Columns of what pruning costs, which are empty where it was only timed.
const OF_LOSS: [&str; 4] = ["sensitivity", "divergence", "accuracy_change", "output"];
/// Columns that are empty where all losses are of a single input.
const OF_SCATTER: [&str; 2] = ["sensitivity_low", "sensitivity_high"];
/// Columns that are empty where nothing was timed.
const OF_TIME: [&str; 5] =
    ["perf_ratio", "perf_ratio_low", "perf_ratio_high", "dense_us", "multiplies_zeros"];

/// A layer, and its place among all.
pub(super) struct LayerRow<'a> {
    number: usize,
    layer: &'a LossLayer,
}

columns! {
    pub(super) fn columns<'a>: LayerRow<'a>;

    /// place in the order of the nodes, from 0
    "number" "#" Count = |row| Cell::Whole(row.number as u64);
    /// first ONNX node with the weight
    "name" "Layer" Text = |row| Cell::text(&row.layer.name);
    /// all nodes with the weight
    "nodes" "Nodes" Text = |row| Cell::text(row.layer.nodes.join(", "));
    /// type of the node
    "operator_type" "Type" Text = |row| Cell::text(&row.layer.operator_type);
    /// name of the constant
    "weight" "Weight" Text = |row| Cell::text(&row.layer.weight);
    /// outputs x inputs
    "weight_shape" "Weight shape" Text =
        |row| Cell::text(format!("{}x{}", row.layer.outputs, row.layer.inputs));
    /// type of its elements
    "data_type" "Data type" Text = |row| Cell::text(row.layer.data_type.to_string());
    /// elements of its weight
    "parameters" "Parameters" Quantity = |row| Cell::Whole(row.layer.parameters);
    /// highest sparsity, used by the next columns
    "level" "Sparsity" Share = |row| at_highest(row.layer, |point| Some(point.level));
    /// removed share of the weight's L1 norm
    "l1" "L1 removed" Share = |row| at_highest(row.layer, |point| point.l1);
    /// L2 norm of the removed weights / that of the weight
    "l2" "L2 removed" Share = |row| at_highest(row.layer, |point| point.l2);
    /// change of the loss with labels, else divergence
    "sensitivity" "Sensitivity" Scientific =
        |row| at_highest(row.layer, |point| point.measured.sensitivity());
    /// the 95 % CI of the sensitivity over inputs, or labels
    ends END: End in ["sensitivity_low" "Sensitivity low", "sensitivity_high" "Sensitivity high"]
        Scientific = |row| end_of_loss(highest(row.layer).map(|point| &point.measured), END);
    /// dense / pruned time with zeros skipped
    "perf_ratio" "Perf ratio" Ratio = |row| gain(highest(row.layer), |ratio| ratio.value);
    /// the 95 % CI of the perf ratio over launches
    ends END: End in ["perf_ratio_low" "Low", "perf_ratio_high" "High"] Ratio =
        |row| gain(highest(row.layer), |ratio| END.of((ratio.low, ratio.high)));
    /// time of its operators with the dense weight, in microseconds
    "dense_us" "Dense µs" Number = |row| dense_time(highest(row.layer));
    /// change of the accuracy, with labels
    "accuracy_change" "Accuracy change" Number = |row| {
        let change = highest(row.layer).and_then(|point| point.measured.accuracy_change);
        change.map_or(Cell::None, Cell::Number)
    };
    /// output that diverges most
    "output" "Output" Text = |row| {
        let output = highest(row.layer).and_then(|point| point.measured.output.clone());
        Cell::some_text(output.unwrap_or_default())
    };
    /// why it multiplies by its zeros
    "multiplies_zeros" "Why not faster" Text =
        |row| Cell::some_text(row.layer.multiplies_zeros.clone().unwrap_or_default());
    /// why it was not pruned or measured, or failed
    "why" "Why not" Text = |row| {
        let failed = highest(row.layer).and_then(|point| why(row.layer, point));
        // Said in the column before.
        let failed = failed.filter(|why| Some(why) != row.layer.multiplies_zeros.as_ref());
        Cell::some_text(row.layer.left_out.clone().or(failed).unwrap_or_default())
    };
}

/// The layers, in the order of the model; where only the first are shown, those that cost most.
pub(super) fn layers(profile: &LossProfile, most: Option<usize>) -> Table {
    let rows = profile.layers.iter().enumerate();
    let mut rows: Vec<LayerRow> = rows.map(|(number, layer)| LayerRow { number, layer }).collect();
    if most.is_some() && !profile.times_only {
        // What is unknown comes last; stable, so that others stay in their order.
        let cost = |row: &LayerRow| {
            let known = highest(row.layer).and_then(|point| point.measured.sensitivity());
            known.filter(|cost| !cost.is_nan()).unwrap_or(f64::NEG_INFINITY)
        };
        rows.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    }
    let essential = if profile.times_only { "perf_ratio" } else { "sensitivity" };
    Table::new("loss_layers", "Layers", &columns(), rows)
        .hiding(&["nodes", "weight", "data_type", "output"])
        .hiding_unless(!profile.times_only, &OF_LOSS)
        .hiding_empty(&OF_SCATTER)
        .hiding_empty(&OF_TIME)
        .essential(&["name", "parameters", essential])
        .shortened(most)
}

pub(super) struct PointRow<'a> {
    number: usize,
    layer: &'a LossLayer,
    point: &'a LossPoint,
}

columns! {
    pub(super) fn points_columns<'a>: PointRow<'a>;

    /// share of blocks set to zero
    "level" "Sparsity" Share = |row| Cell::Number(row.point.level);
    /// place in the order of the nodes, from 0
    "number" "#" Count = |row| Cell::Whole(row.number as u64);
    /// name of its ONNX node
    "name" "Layer" Text = |row| Cell::text(&row.layer.name);
    /// name of the constant
    "weight" "Weight" Text = |row| Cell::text(&row.layer.weight);
    /// elements in these blocks
    "pruned" "Pruned" Count = |row| Cell::Whole(row.point.pruned);
    /// removed share of the weight's L1 norm
    "l1" "L1 removed" Share = |row| Cell::number(row.point.l1);
    /// L2 norm of the removed weights / that of the weight
    "l2" "L2 removed" Share = |row| Cell::number(row.point.l2);
    /// change of the loss with labels, else divergence
    "sensitivity" "Sensitivity" Scientific = |row| Cell::number(row.point.measured.sensitivity());
    /// the 95 % CI of the sensitivity over inputs, or labels
    ends END: End in ["sensitivity_low" "Sensitivity low", "sensitivity_high" "Sensitivity high"]
        Scientific = |row| end_of_loss(Some(&row.point.measured), END);
    /// the largest of all outputs
    "divergence" "Divergence" Scientific = |row| Cell::number(row.point.measured.divergence);
    /// that output
    "output" "Output" Text =
        |row| Cell::some_text(row.point.measured.output.clone().unwrap_or_default());
    /// dense / pruned time with zeros skipped
    "perf_ratio" "Perf ratio" Ratio = |row| gain(Some(row.point), |ratio| ratio.value);
    /// the 95 % CI of the perf ratio over launches
    ends END: End in ["perf_ratio_low" "Low", "perf_ratio_high" "High"] Ratio =
        |row| gain(Some(row.point), |ratio| END.of((ratio.low, ratio.high)));
    /// change of the accuracy, with labels
    "accuracy_change" "Accuracy change" Number =
        |row| row.point.measured.accuracy_change.map_or(Cell::None, Cell::Number);
    /// reason for missing figures
    "failed" "Why not" Text =
        |row| Cell::some_text(why(row.layer, row.point).unwrap_or_default());
}

/// Why there are no figures, if there are none and should be.
fn why(layer: &LossLayer, LossPoint { measured, times, .. }: &LossPoint) -> Option<String> {
    // One with times alone was asked for them alone, or losses came before.
    let is_open = measured.not_measured && times.is_empty();
    // Of a layer that no operator computes as it is stored, there never will be any.
    let reason = layer.multiplies_zeros.clone();
    let open = is_open.then(|| reason.unwrap_or_else(|| "not measured yet".to_string()));
    measured.failed.clone().or(open)
}

/// Levels from the lowest on, and the layers of each in the order of the model.
fn rows(profile: &LossProfile) -> Vec<(f64, Vec<PointRow<'_>>)> {
    let of = |&level: &f64| {
        let layers = profile.layers.iter().enumerate().filter_map(|(number, layer)| {
            // Exact: points have the levels of the run.
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
    let table = Table::new("loss_points", "Sparsities", &points_columns(), rows);
    // Without labels, the sensitivity is the divergence.
    let has_labels = profile.run.data.labels_sha256.is_some();
    table
        .hiding(&["weight", "output"])
        .hiding_unless(has_labels, &["divergence"])
        .hiding_unless(!profile.times_only, &OF_LOSS)
        .hiding_empty(&OF_SCATTER)
        .hiding_empty(&OF_TIME)
}

/// Dots over the layers, a colour for each sparsity: their order is not a course.
pub(super) fn charts(profile: &LossProfile) -> Vec<Chart> {
    let chart = |title: &str, kind, column: &'static str, shows: &'static str| {
        let mut start = 0;
        let series = rows(profile).into_iter().map(|(level, rows)| {
            // Rows of a level follow each other in the table: see `rows`.
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
    let losses = || {
        chart(
            "Sensitivity by layer",
            // From layer to layer it differs by powers of ten.
            ChartKind::LogarithmicDots,
            "sensitivity",
            "what pruning each layer costs the model's outputs, a colour for each sparsity",
        )
    };
    let times = || {
        chart(
            "Perf ratio by layer",
            ChartKind::Dots,
            "perf_ratio",
            "how much faster pruning makes each layer, a colour for each sparsity",
        )
    };
    let removed = chart(
        "L2 norm removed by layer",
        ChartKind::Dots,
        "l2",
        "how much of each layer's weight goes, a colour for each sparsity",
    );
    let is_timed = profile.layers.iter().flat_map(|layer| &layer.points).any(is_timed);
    let losses = (!profile.times_only).then(losses);
    losses.into_iter().chain(is_timed.then(times)).chain([removed]).collect()
}

fn is_timed(point: &LossPoint) -> bool {
    !point.times.is_empty()
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
