//! Every table and column, declared once: name, unit and meaning.
//!
//! [`EVENTS`] and [`ITERATIONS`] are the data frames of a trace; the rest are the
//! tables of reports, the same in every format. Names of columns are stable.

use onnxray_import::figure;
use polars::prelude::{DataFrame, DataType};
use std::sync::LazyLock;

/// Names of the data frames' columns.
pub mod column {
    pub const LAUNCH: &str = "launch";
    pub const ITERATION: &str = "iteration";
    pub const INDEX: &str = "index";
    pub const KIND: &str = "kind";
    pub const OPERATOR: &str = "operator";
    pub const THREAD: &str = "thread";
    pub const START: &str = "start_ns";
    pub const DURATION: &str = "duration_ns";
    pub const EXCLUSIVE: &str = "exclusive_ns";
}

/// A column of a data frame.
pub struct FrameColumn {
    pub name: &'static str,
    pub data_type: DataType,
    pub meaning: &'static str,
}

const fn frame(name: &'static str, data_type: DataType, meaning: &'static str) -> FrameColumn {
    FrameColumn { name, data_type, meaning }
}

/// One row per execution of an operator.
pub const EVENTS: &[FrameColumn] = &[
    frame(column::LAUNCH, DataType::UInt32, "position of the launch in the trace, from 0"),
    frame(
        column::ITERATION,
        DataType::UInt32,
        "position of the iteration in its launch; the largest number if it lies in none",
    ),
    frame(column::OPERATOR, DataType::UInt32, "number of the operator in the trace"),
    frame(column::THREAD, DataType::UInt32, "number of the thread or stream in its launch"),
    frame(column::START, DataType::UInt64, "start on the launch's clock"),
    frame(column::DURATION, DataType::UInt64, "wall time, operators inside included"),
];

/// One row per iteration.
pub const ITERATIONS: &[FrameColumn] = &[
    frame(column::LAUNCH, DataType::UInt32, "position of the launch in the trace, from 0"),
    frame(column::ITERATION, DataType::UInt32, "position of the iteration in its launch"),
    frame(column::INDEX, DataType::UInt32, "number that the recorder gave it"),
    frame(column::KIND, DataType::UInt32, "0 measured, 1 warm-up, 2 plain"),
    frame(column::START, DataType::UInt64, "start on the launch's clock"),
    frame(column::DURATION, DataType::UInt64, "wall time"),
];

/// Whether a data frame has exactly these columns.
pub fn matches(frame: &DataFrame, columns: &[FrameColumn]) -> bool {
    let found = frame.columns().iter().map(|column| (column.name().as_str(), column.dtype()));
    found.eq(columns.iter().map(|column| (column.name, &column.data_type)))
}

/// A data frame with these columns and no rows.
pub fn empty(columns: &[FrameColumn]) -> DataFrame {
    DataFrame::empty_with_schema(&columns.iter().map(field).collect())
}

fn field(column: &FrameColumn) -> polars::prelude::Field {
    polars::prelude::Field::new(column.name.into(), column.data_type.clone())
}

/// How the values of a report's column are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Text,
    /// A whole number, in full.
    Count,
    /// A large whole number, shortened on a terminal.
    Quantity,
    Milliseconds,
    /// A share, shown in percent.
    Percent,
    Number,
}

/// A column of a report's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in JSON and CSV; ends in the unit, if there is one.
    pub key: &'static str,
    /// Heading in tables for people.
    pub heading: &'static str,
    pub shown: Shown,
    pub meaning: &'static str,
}

const fn show(
    key: &'static str,
    heading: &'static str,
    shown: Shown,
    meaning: &'static str,
) -> Column {
    Column { key, heading, shown, meaning }
}

/// A table of a report.
#[derive(Debug, PartialEq, Eq)]
pub struct TableSchema {
    pub key: &'static str,
    pub title: &'static str,
    pub columns: &'static [Column],
}

use Shown::{Count, Milliseconds, Number, Percent, Quantity, Text};

/// Facts of the run and figures of the model as names and values.
pub static MODEL: TableSchema = TableSchema {
    key: "model",
    title: "Model",
    columns: &[
        show("name", "Figure", Text, "what is stated"),
        show("value", "Value", Text, "its value"),
    ],
};

/// What the figures of the model mean, where their names do not say it all.
pub const FIGURES: &[(&str, &str)] = &[
    ("iterations", "measured iterations of all launches"),
    (
        "warm-up iterations, flagged",
        "iterations that the recorder declared warm-up, of all launches",
    ),
    (
        "warm-up iterations, found per launch",
        "iterations before the latency settles; the largest of the launches",
    ),
    ("latency", "wall time of a measured iteration; percentiles are interpolated linearly"),
    ("throughput (items/s)", "batch size times measured iterations by their wall time"),
    ("operators, mean (ms)", "exclusive time of all operators in an iteration"),
    (
        "operators, whole trace (ms)",
        "exclusive time of all operators in a trace that does not tell of iterations",
    ),
    (
        "concurrent, mean (ms)",
        "exclusive time of operators beyond the time that they cover in their iteration",
    ),
    ("overhead, mean (ms)", "wall time of an iteration that no operator covers"),
    ("overhead of recording (%)", "median ratio of recorded to following plain latency, minus one"),
    (
        "FLOPs per iteration",
        "operations; a multiply-add counts two; operators with unknown FLOPs are not in it",
    ),
    (
        "bytes per iteration",
        "inputs, constants and outputs of operators; those with unknown bytes are not in it",
    ),
    ("GFLOP/s", "FLOPs by wall time"),
];

pub static LAUNCHES: TableSchema = TableSchema {
    key: "launches",
    title: "Launches",
    columns: &[
        show("launch", "Launch", Count, "number of the launch"),
        show("iterations", "Iterations", Count, "measured iterations"),
        show("warmup_flagged", "Warm-up", Count, "iterations that the recorder declared warm-up"),
        show(
            "warmup_found",
            "Found",
            Count,
            "iterations before the latency settles, as found in the data",
        ),
        show(
            "latency_median_ms",
            "Median ms",
            Milliseconds,
            "median latency of its measured iterations",
        ),
        show("latency_p10_ms", "p10 ms", Milliseconds, "10th percentile"),
        show("latency_p90_ms", "p90 ms", Milliseconds, "90th percentile"),
    ],
};

pub static ITERATION_ROWS: TableSchema = TableSchema {
    key: "iterations",
    title: "Iterations",
    columns: &[
        show("launch", "Launch", Count, "number of the launch"),
        show("iteration", "Iteration", Count, "number that the recorder gave it"),
        show("kind", "Kind", Text, "measured, warm-up, or plain (without instrumentation)"),
        show("start_ms", "Start ms", Milliseconds, "start on the launch's clock"),
        show("latency_ms", "Latency ms", Milliseconds, "wall time of the iteration"),
        show("operators_ms", "Operators ms", Milliseconds, "exclusive time of all its operators"),
        show("overhead_ms", "Overhead ms", Milliseconds, "wall time minus operators"),
    ],
};

pub static TYPES: TableSchema = TableSchema {
    key: "operator_types",
    title: "Operator types",
    columns: &[
        show(
            "type",
            "Type",
            Text,
            "ONNX op type; `overhead` is time outside of operators, `concurrent` time of operators side by side",
        ),
        show("operators", "Operators", Count, "operators of this type"),
        show("executions", "Runs", Number, "executions per iteration"),
        show("calls", "Calls", Count, "executions in all measured iterations, or in the trace"),
        show("total_ms", "Total ms", Milliseconds, "exclusive time of all of them"),
        show("time_ms", "Time ms", Milliseconds, "exclusive time per iteration, mean"),
        show("time_median_ms", "Median ms", Milliseconds, "exclusive time per iteration, median"),
        show(
            "share",
            "Share",
            Percent,
            "of the iterations' wall time; of all operators' if that is unknown",
        ),
        show("flops", "FLOPs", Quantity, "operations per iteration"),
        show(
            "flops_unknown",
            "FLOPs ?",
            Count,
            "operators whose FLOPs are unknown and not in the sum",
        ),
        show("gflops_per_second", "GFLOP/s", Number, "FLOPs by exclusive time"),
        show("bytes", "Bytes", Quantity, "bytes read and written per iteration"),
        show(
            "bytes_unknown",
            "Bytes ?",
            Count,
            "operators whose bytes are unknown and not in the sum",
        ),
    ],
};

pub static OPERATORS: TableSchema = TableSchema {
    key: "operators",
    title: "Operators",
    columns: &[
        show("number", "#", Count, "position in the order of execution"),
        show("name", "Operator", Text, "name of its ONNX node; `#` parts helpers of one node"),
        show("type", "Type", Text, "ONNX op type"),
        show("post_ops", "Post ops", Text, "ONNX op types fused behind it"),
        show("kernel", "Kernel", Text, "what the engine calls the implementation"),
        show("executions", "Runs", Number, "executions per iteration"),
        show("calls", "Calls", Count, "executions in all measured iterations, or in the trace"),
        show("total_ms", "Total ms", Milliseconds, "exclusive time of all of them"),
        show("time_ms", "Time ms", Milliseconds, "exclusive time per iteration, mean"),
        show("time_median_ms", "Median ms", Milliseconds, "exclusive time per iteration, median"),
        show("time_p10_ms", "p10 ms", Milliseconds, "10th percentile"),
        show("time_p90_ms", "p90 ms", Milliseconds, "90th percentile"),
        show("time_p99_ms", "p99 ms", Milliseconds, "99th percentile"),
        show("time_min_ms", "Min ms", Milliseconds, "smallest"),
        show("time_max_ms", "Max ms", Milliseconds, "largest"),
        show("iterations", "Iterations", Count, "measured iterations in which it ran"),
        show(
            "share",
            "Share",
            Percent,
            "of the iterations' wall time; of all operators' if that is unknown",
        ),
        show("flops", "FLOPs", Quantity, "operations per iteration"),
        show("gflops_per_second", "GFLOP/s", Number, "FLOPs by exclusive time"),
        show("bytes", "Bytes", Quantity, "bytes read and written per iteration"),
        show("parameters", "Parameters", Quantity, "elements of the constants it reads"),
        show("inputs", "Inputs", Text, "names of the tensors it reads"),
        show("input_types", "Input types", Text, "their element types"),
        show("input_shapes", "Input shapes", Text, "their shapes"),
        show("outputs", "Outputs", Text, "names of the tensors it writes"),
        show("output_types", "Output types", Text, "their element types"),
        show("output_shapes", "Output shapes", Text, "their shapes"),
        show("weight", "Weight", Text, "name of the constant matrix"),
        show("weight_shape", "Weight shape", Text, "outputs x inputs"),
        show("sparse_ratio_1x1", "Zero 1x1", Percent, "share of zero elements of the weight"),
        show(
            "sparse_ratio_4x1",
            "Zero 4x1",
            Percent,
            "share of zero blocks of 4 outputs x 1 input",
        ),
        show(
            "sparse_ratio_1x4",
            "Zero 1x4",
            Percent,
            "share of zero blocks of 1 output x 4 inputs",
        ),
        show(
            "sparse_ratio_1x16",
            "Zero 1x16",
            Percent,
            "share of zero blocks of 1 output x 16 inputs",
        ),
        show(
            "sparse_ratio_4x16",
            "Zero 4x16",
            Percent,
            "share of zero blocks of 4 outputs x 16 inputs",
        ),
        show("sparse_support", "Sparse support", Text, "whether block-sparse kernels apply"),
        show("nodes", "ONNX nodes", Text, "all ONNX nodes it computes"),
        show("parent", "Parent", Text, "the operator in whose body it runs"),
        show("attributes", "Attributes", Text, "attributes of its ONNX node"),
    ],
};

/// Figures of the executions beyond their times, by operator.
pub static RESOURCES: LazyLock<TableSchema> = LazyLock::new(|| {
    let mut columns = vec![
        show("number", "#", Count, "position in the order of execution"),
        show("name", "Operator", Text, "name of its ONNX node"),
    ];
    let figures = figure::ALL.iter();
    columns.extend(figures.map(|f| show(f.key, f.heading, Number, f.meaning)));
    // Made once, like the tables beside it.
    TableSchema { key: "resources", title: "Resources", columns: columns.leak() }
});

pub static NOTES: TableSchema = TableSchema {
    key: "notes",
    title: "Notes",
    columns: &[
        show("kind", "Kind", Text, "warning, note or definition"),
        show("text", "Text", Text, "what it says"),
    ],
};
