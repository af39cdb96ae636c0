//! The tables of a projection and their columns.

use super::report::Shown::{Count, Milliseconds, Number, Percent, Quantity, Text, Thousandths};
use super::report::{TableSchema, show};

/// The whole model before and after, as figures with their ends.
pub static PROJECTION: TableSchema = TableSchema {
    key: "projection",
    title: "Total profiling",
    columns: &[
        show("figure", "Figure", Text, "what is stated"),
        show("value", "Value", Thousandths, "its value"),
        show("low", "Low", Thousandths, "low end"),
        show("high", "High", Thousandths, "high end"),
    ],
};

pub static PROJECTED_TYPES: TableSchema = TableSchema {
    key: "projected_types",
    title: "Layer types",
    columns: &[
        show("type", "Type", Text, "operator type"),
        show("operators", "Operators", Count, "operators of this type"),
        show("settable", "Settable", Count, "operators whose latency a target can change"),
        show(
            "target",
            "Target",
            Percent,
            "what operators without a target of their own aim at; blank if all have one",
        ),
        show("latency_ms", "Latency ms", Milliseconds, "before"),
        show("share", "Share", Percent, "of the total latency, before"),
        show("projected_ms", "Projected ms", Milliseconds, "after"),
        show("projected_low_ms", "Low ms", Milliseconds, "low end"),
        show("projected_high_ms", "High ms", Milliseconds, "high end"),
        show("improvement", "Improve", Number, "before by after"),
    ],
};

pub static PROJECTED_OPERATORS: TableSchema = TableSchema {
    key: "projected_operators",
    title: "Operator profiling",
    columns: &[
        show("number", "#", Count, "position in the order of execution"),
        show("name", "Operator", Text, "name of its ONNX node"),
        show("type", "Type", Text, "operator type"),
        show("weight_shape", "Weight shape", Text, "outputs x inputs"),
        show("data_type", "Data type", Text, "element type of the weight"),
        show("sparse_ratio", "Sparse ratio", Percent, "share of zero blocks of its weight"),
        show("sparse_support", "Sparse support", Text, "whether block-sparse kernels apply"),
        show("latency_ms", "Latency ms", Milliseconds, "before"),
        show("latency_low_ms", "Low ms", Milliseconds, "low end of a 95 % interval"),
        show("latency_high_ms", "High ms", Milliseconds, "high end"),
        show("target", "Target", Percent, "sparse ratio that it aims at"),
        show("perf_ratio", "Perf ratio", Number, "dense latency by sparse latency"),
        show("projected_ms", "Projected ms", Milliseconds, "latency by perf ratio"),
        show("projected_low_ms", "Projected low", Milliseconds, "low latency by high perf ratio"),
        show("projected_high_ms", "Projected high", Milliseconds, "high latency by low perf ratio"),
        show("projection", "Projection", Text, "whether it is projected, or why it is not"),
    ],
};

pub static RATIOS: TableSchema = TableSchema {
    key: "perf_ratios",
    title: "Sparse ratio setting",
    columns: &[
        show("weight_shape", "Weight shape", Text, "outputs x inputs"),
        show("type", "Type", Text, "operator type; all if blank"),
        show("data_type", "Data type", Text, "element type of the weight; all if blank"),
        show("block", "Block", Text, "blocks that are zero, outputs x inputs"),
        show(
            "sparse_ratio",
            "Sparse ratio",
            Percent,
            "share of zero blocks; blank below the lowest",
        ),
        show("perf_ratio", "Perf ratio", Number, "dense latency by sparse latency"),
        show("low", "Low", Number, "low end of a range"),
        show("high", "High", Number, "high end"),
        show("operators", "Operators", Count, "operators that look it up"),
        show("origin", "Origin", Text, "given, or a default that nobody measured"),
    ],
};

pub static LEVELS: TableSchema = TableSchema {
    key: "levels",
    title: "Summary type",
    columns: &[
        show(
            "sparse_ratio",
            "Pruned",
            Percent,
            "sparse ratio of all weights; blank for the baseline",
        ),
        show("latency_ms", "Latency ms", Milliseconds, "total latency"),
        show("latency_low_ms", "Low ms", Milliseconds, "low end"),
        show("latency_high_ms", "High ms", Milliseconds, "high end"),
        show("improvement", "Improve", Number, "total latency of the baseline by this"),
        show("items_per_second", "Items/s", Number, "batch size by latency"),
    ],
};

pub static LEVEL_TYPES: TableSchema = TableSchema {
    key: "level_types",
    title: "Summary type by layer type",
    columns: &[
        show(
            "sparse_ratio",
            "Pruned",
            Percent,
            "sparse ratio of all weights; blank for the baseline",
        ),
        show("type", "Type", Text, "operator type"),
        show("latency_ms", "Latency ms", Milliseconds, "latency of all its operators"),
        show("latency_low_ms", "Low ms", Milliseconds, "low end"),
        show("latency_high_ms", "High ms", Milliseconds, "high end"),
    ],
};

pub static PLAN: TableSchema = TableSchema {
    key: "plan",
    title: "Plan",
    columns: &[
        show("figure", "Figure", Text, "what is stated"),
        show("before", "Before", Number, "as it is"),
        show("planned", "Planned", Number, "with the plan"),
        show("low", "Low", Number, "low end of that"),
        show("high", "High", Number, "high end"),
        show("gain", "Gain", Number, "before by planned; for items per second planned by before"),
    ],
};

pub static PLANNED_LAYERS: TableSchema = TableSchema {
    key: "planned_layers",
    title: "Planned layers",
    columns: &[
        show("number", "#", Count, "position in the order of execution"),
        show("name", "Operator", Text, "name of its ONNX node"),
        show("weight_shape", "Weight shape", Text, "outputs x inputs"),
        show("parameters", "Parameters", Quantity, "elements of its weight, counted once"),
        show("level", "Level", Percent, "sparse ratio in the plan"),
        show("planned_level", "By budget", Percent, "where the budget put it"),
        show("why", "Why", Text, "planned, fixed, or why it is left dense"),
        show("latency_ms", "Latency ms", Milliseconds, "before"),
        show("perf_ratio", "Perf ratio", Number, "dense latency by sparse latency"),
        show("planned_ms", "Planned ms", Milliseconds, "latency by perf ratio"),
        show("planned_low_ms", "Low ms", Milliseconds, "low end"),
        show("planned_high_ms", "High ms", Milliseconds, "high end"),
        show("flops", "FLOPs", Quantity, "operations per iteration"),
        show("planned_flops", "Planned FLOPs", Quantity, "without those of zero weights"),
    ],
};
