//! The sheet *Points*: all that were measured.

use super::shared::insert_charts;
use crate::document::Document;
use crate::xlsx::sheet::{MOST_ROWS, SheetWriter, Written};
use crate::xlsx::table::{set_columns, write_headings, write_rows};
use rust_xlsxwriter::XlsxError;

/// One row a point.
///
/// # Errors
/// If the sheet has no room for the points.
pub(super) fn write(writer: &mut SheetWriter, document: &Document) -> Written {
    let (points, layout) = writer.places.get("points")?;
    // One row is for the headings.
    if points.len() >= MOST_ROWS {
        return Err(XlsxError::RowColumnLimitError);
    }
    let header = layout.header();
    set_columns(writer, (points, layout))?;
    write_headings(writer, (points, layout))?;
    writer.header(header, 0, &[])?;
    write_rows(writer, (points, layout))?;
    writer
        .sheet
        .set_freeze_panes(header + 1, layout.place_of("name")? + 1)?
        .set_repeat_rows(header, header)?;
    if !points.is_empty() {
        // From the model's number on, columns only serve formulas and charts.
        let shown = layout.place_of("model_number")? - 1;
        writer.sheet.autofilter(header, 0, layout.last_row(), shown)?;
        let below = insert_charts(writer, document, layout.last_row() + 2)?;
        // Names for charts and for command lines are not for paper.
        writer.sheet.set_print_area(0, 0, below, layout.place_of("label")? - 1)?;
    }
    Ok(())
}
