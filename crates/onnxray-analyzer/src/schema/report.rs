//! The tables of reports and their columns.

use onnxray_import::figure;
use std::sync::LazyLock;

/// How the values of a report's column are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Text,
    /// A whole number, in full.
    Count,
    /// A large whole number, shortened on a terminal.
    Quantity,
    Milliseconds,
    /// A number to three decimals.
    Thousandths,
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

pub(super) const fn show(
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

/// The formats that can be read.
pub static FORMATS: TableSchema = TableSchema {
    key: "formats",
    title: "Formats",
    columns: &[
        show("format", "Format", Text, "name for --from"),
        show("producer", "Producer", Text, "what writes it"),
        show("files", "Files", Text, "which files are read, of which versions"),
        show("tells", "Tells", Text, "what the format can tell"),
    ],
};

/// Launches that were read.
pub static INPUTS: TableSchema = TableSchema {
    key: "inputs",
    title: "Inputs",
    columns: &[
        show("launch", "Launch", Count, "number of the launch"),
        show("format", "Format", Text, "format of its files"),
        show("files", "Files", Text, "the files that tell of it"),
        show("operators", "Operators", Count, "operators in its table"),
        show("iterations", "Iterations", Count, "iterations, warm-up and plain ones included"),
        show("executions", "Executions", Count, "executions of operators"),
        show("averages", "Averages", Count, "operators of which averages are stated instead"),
        show("threads", "Threads", Count, "threads and streams with executions"),
    ],
};
