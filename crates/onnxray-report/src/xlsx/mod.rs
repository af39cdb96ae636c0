//! Reports as workbooks.

mod charts;
mod comparison;
mod document;
mod front;
mod notes;
mod places;
mod plain;
mod projection;
mod sheet;
mod sweep;
mod table;

pub use document::MOST_WORKBOOK_ROWS;
pub use rust_xlsxwriter::XlsxError;

use crate::content::report::{Sheets, Workbook};
use std::io::{Seek, Write};
use std::path::Path;

/// Writes a workbook. Rows of long tables wait in files without names in `folder`.
///
/// # Errors
/// If `out` or a file in `folder` cannot be written, or if a sheet has no room for a table.
pub fn write_workbook(
    workbook: &Workbook,
    folder: &Path,
    out: impl Write + Seek + Send,
) -> Result<(), XlsxError> {
    let mut built = match &workbook.0 {
        Sheets::Tables(tables) => document::build(tables, folder),
        Sheets::Comparison(report) => comparison::build(report),
        Sheets::Projection(report) => projection::build(report),
        Sheets::Sweep(sweep) => sweep::build(sweep),
    }?;
    built.save_to_writer(out)
}
