//! Spreadsheets as their users left them: cells, with what was stored for their formulas.
//!
//! ```text
//! cells ◀ book ◀ csv, workbook (values ◀ archive)
//! ```
//!
//! Knows nothing of what the cells are for. No file makes it recurse, wait or hold
//! more than its bounds.

mod archive;
mod book;
mod cells;
mod csv;
mod values;
mod workbook;

pub(crate) use archive::Refusal;
pub(crate) use book::{At, Book, Sheet};
pub(crate) use cells::{Cell, Value};
pub(crate) use csv::read as read_csv;
pub(crate) use workbook::{MOST_CELLS, read as read_workbook};
