//! Every table and column, declared once: name, unit and meaning.
//!
//! [`EVENTS`] and [`ITERATIONS`] are the data frames of a trace; [`report`]
//! and [`comparison`] have the tables of reports, the same in every
//! format, and [`export`] those that are written for other tools;
//! `workbook` has the words by which an edited workbook is read again. Names of
//! columns are stable.

pub mod comparison;
pub mod export;
pub mod report;
pub(crate) mod workbook;

pub use comparison::*;
pub use report::*;

use polars::prelude::{DataFrame, DataType};

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
