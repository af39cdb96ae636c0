//! The workbook of a sweep: a threshold and a percentile to choose, and what follows from
//! them as formulas that carry what the analyzer computed.
//!
//! Names are written as strings, and formulas find points by their numbers.

mod shared;
mod summary;

use super::document::notes_sheet;
use super::places::Places;
use super::places::address::on;
use super::plain::write_plain;
use super::sheet::{MOST_ROWS, SheetWriter, Styles, Written};
use super::table::{set_columns, write_headings, write_rows};
use crate::content::sweep::{Goal, best_sheet, points_sheet, sweep_report};
use crate::document::Document;
use onnxray_analyzer::sweep::Sweep;
use rust_xlsxwriter::{Workbook, XlsxError};
use shared::{FIRST, HELPER, PERCENTILE, POINTS, SUMMARY, THRESHOLD, insert_charts};

const NOT_MEASURED: &str = "Not measured";

/// The sheets Summary, Points, Not measured (if anything was skipped) and Notes.
///
/// # Errors
/// If a sheet has no room for the points.
pub(super) fn build(sweep: &Sweep) -> Result<Workbook, XlsxError> {
    let document = &sweep_report(sweep);
    let all = points_sheet(sweep);
    let best = Goal::ALL.map(|goal| best_sheet(sweep, goal, &all));
    let mut places = Places::default();
    places.name("threshold", on(SUMMARY, THRESHOLD, 1));
    places.name("limit", on(SUMMARY, THRESHOLD, HELPER));
    places.name("percentile", on(SUMMARY, PERCENTILE, HELPER));
    places.put(&all, POINTS, (0, 0));
    // A title above each table, and a blank row between them.
    best.iter().fold(FIRST, |title, table| places.put(table, SUMMARY, (title + 1, 0)) + 2);
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let mut writer = SheetWriter::new(&mut workbook, SUMMARY, &styles, &places)?;
    summary::write(&mut writer, sweep, document)?;
    writer.finish()?;
    let mut writer = SheetWriter::new(&mut workbook, POINTS, &styles, &places)?;
    points(&mut writer, document)?;
    writer.finish()?;
    if let Some(skipped) = document.table("skipped") {
        let mut writer = SheetWriter::new(&mut workbook, NOT_MEASURED, &styles, &places)?;
        let layout = write_plain(&mut writer, 0, NOT_MEASURED, skipped)?;
        writer
            .sheet
            .set_column_width(layout.place_of("reason")?, 80)?
            .set_freeze_panes(1, 1)?
            .set_repeat_rows(0, 0)?
            .autofilter(0, 0, layout.last_row(), layout.last_column())?;
    }
    notes_sheet(&mut workbook, document, &styles)?;
    Ok(workbook)
}

/// The sheet *Points*: all that were measured.
fn points(writer: &mut SheetWriter, document: &Document) -> Written {
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
