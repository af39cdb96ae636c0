//! Tables that polars queries: the events of a trace, and its figures, as data frames that are
//! built on demand.
//!
//! Figures are computed from typed columns, and no part of the program queries a frame
//! (`benches/tables.rs` measures why): these are for programs that use the crates. Every column is
//! declared once, with its name, its meaning and its values; what is unknown is null.

mod comparison;
mod events;
mod figures;

pub use comparison::{GROUPS, groups};
pub use events::{EVENTS, EventColumn, ITERATIONS, KERNELS, events, iterations, kernels};
pub use figures::{LAUNCHES, OPERATORS, TYPES, launches, operators, types};

use polars::prelude::{Column, DataFrame, PolarsResult};

/// A column of a table that has a row for each `Row`.
pub struct FrameColumn<Row: 'static> {
    /// Stable: queries rely on it.
    pub name: &'static str,
    /// What it holds, in words.
    pub meaning: &'static str,
    values: fn(&[Row]) -> Column,
}

/// Declares the columns of a table: the meaning is the doc comment.
macro_rules! frame_columns {
    ($(#[$attribute:meta])* $table:ident: $row:ty; $(#[doc = $meaning:literal] $name:literal = $value:expr;)*) => {
        $(#[$attribute])*
        pub const $table: &[$crate::frames::FrameColumn<$row>] = &[$($crate::frames::FrameColumn {
            name: $name,
            meaning: $meaning.trim_ascii(),
            values: |rows| {
                let value: fn(&$row) -> _ = $value;
                ::polars::prelude::Column::new($name.into(), rows.iter().map(value).collect::<Vec<_>>())
            },
        }),*];
    };
}
use frame_columns;

fn frame<Row>(columns: &[FrameColumn<Row>], rows: &[Row]) -> PolarsResult<DataFrame> {
    DataFrame::new_infer_height(columns.iter().map(|column| (column.values)(rows)).collect())
}
