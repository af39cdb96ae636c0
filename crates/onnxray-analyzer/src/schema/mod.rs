//! Every table and column, declared once: name, unit and meaning.
//!
//! [`EVENTS`], [`ITERATIONS`] and [`OPERATOR_COLUMNS`] are the data frames of a trace;
//! [`export`] has the tables that are written for other tools. Names of columns are stable.

pub mod export;

use polars::prelude::{DataFrame, DataType};

/// Names of the data frames' columns.
pub mod column {
    /// Which launch: its position in the trace; in exports its own number.
    pub const LAUNCH: &str = "launch";
    /// Which iteration: its position in the launch; in exports the producer's number.
    pub const ITERATION: &str = "iteration";
    /// Number that the recorder gave the iteration.
    pub const INDEX: &str = "index";
    /// Kind of the iteration: 0 measured, 1 warm-up, 2 plain; in exports a word.
    pub const KIND: &str = "kind";
    /// Number of the operator in the trace; in exports in its launch.
    pub const OPERATOR: &str = "operator";
    /// Number of the kernel that was executed.
    pub const KERNEL: &str = "kernel";
    /// Thread or stream: its number in the launch; in exports its name.
    pub const THREAD: &str = "thread";
    /// Nanoseconds on the launch's clock.
    pub const START: &str = "start_ns";
    /// Wall time in nanoseconds, that of operators inside included.
    pub const DURATION: &str = "duration_ns";
    /// Wall time in nanoseconds without operators inside.
    pub const EXCLUSIVE: &str = "exclusive_ns";
}

/// A column of a data frame.
pub struct FrameColumn {
    /// Stable: queries rely on it.
    pub name: &'static str,
    /// Type of its values.
    pub data_type: DataType,
    /// What it holds, in words.
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
    frame(column::KERNEL, DataType::UInt32, "number of its kernel that was executed"),
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

/// One row per operator, in the order of their numbers. What is unknown is null.
pub const OPERATOR_COLUMNS: &[FrameColumn] = &[
    frame(column::OPERATOR, DataType::UInt32, "number of the operator: its row"),
    frame("name", DataType::String, "unique in the trace"),
    frame("type", DataType::String, "ONNX op type, or the producer's own"),
    frame("kernel", DataType::String, "what the engine calls the implementation"),
    frame("parent", DataType::UInt32, "number of the operator in whose body it runs"),
    frame("input_shapes", DataType::String, "shapes of the tensors it reads: `1x64; 64x256`"),
    frame("output_shapes", DataType::String, "shapes of the tensors it writes"),
    frame("parameters", DataType::UInt64, "elements of the constants that it reads"),
    frame("flops", DataType::UInt64, "operations of one execution"),
    frame("bytes", DataType::UInt64, "bytes read and written in one execution"),
];

/// Whether a data frame has exactly these columns.
pub fn matches(frame: &DataFrame, columns: &[FrameColumn]) -> bool {
    let found = frame.columns().iter().map(|column| (column.name().as_str(), column.dtype()));
    found.eq(columns.iter().map(|column| (column.name, &column.data_type)))
}
