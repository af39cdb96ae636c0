//! Text that is not JSON: lines of CSV and of logs, and numbers as programs and spreadsheets
//! write them.

pub mod csv_lines;
pub(crate) mod line_prefix;
pub(crate) mod number;
