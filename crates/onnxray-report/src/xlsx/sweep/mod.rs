//! The workbook of a sweep: a threshold and a percentile to choose, and what follows from
//! them as formulas that carry what the analyzer computed.
//!
//! Names are written as strings, and formulas find points by their numbers.

mod summary;
mod tables;

use super::document::{notes_sheet, write_plain};
use super::page::{Page, Written};
use super::sheet::{MOST_ROWS, Styles};
use super::table::{set_columns, write_headings, write_rows};
use crate::content::sweep::{points_sheet, sweep_report};
use crate::error::ReportError;
use crate::xlsx::whole::write_whole;
use onnxray_analyzer::sweep::Sweep;
use onnxray_failsafe::OutputFile;
use rust_xlsxwriter::{Workbook, XlsxError};
use tables::{POINTS, SUMMARY, Tables};

const NOT_MEASURED: &str = "Not measured";

/// Writes a sweep as a workbook with the sheets Summary, Points, Not measured (if anything
/// was skipped) and Notes. An existing file is replaced once the new one is whole.
///
/// # Errors
/// If the file cannot be written, or a sheet has no room for the points.
pub fn write_sweep<'a>(sweep: &Sweep, file: impl Into<OutputFile<'a>>) -> Result<(), ReportError> {
    let (document, points) = (sweep_report(sweep), points_sheet(sweep));
    write_whole(file.into(), || build(&Tables::new(sweep, &document, &points)))
}

type WriteSheet = fn(&mut Page, &Tables) -> Written;

fn build(tables: &Tables) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let places = tables.places();
    let sheets: [(&str, WriteSheet); 2] = [(SUMMARY, summary::write), (POINTS, points)];
    for (name, write) in sheets {
        let mut page = Page::new(&mut workbook, name, &styles, &places)?;
        write(&mut page, tables)?;
        page.finish()?;
    }
    if let Some(skipped) = tables.document.table("skipped") {
        let mut page = Page::new(&mut workbook, NOT_MEASURED, &styles, &places)?;
        let layout = write_plain(&mut page, 0, NOT_MEASURED, skipped)?;
        page.sheet
            .set_column_width(layout.place_of("reason")?, 80)?
            .set_freeze_panes(1, 1)?
            .set_repeat_rows(0, 0)?
            .autofilter(0, 0, layout.last_row(), layout.last_column())?;
    }
    notes_sheet(&mut workbook, tables.document, &styles)?;
    Ok(workbook)
}

/// The sheet *Points*: all that were measured.
fn points(page: &mut Page, tables: &Tables) -> Written {
    let points = tables.points;
    if points.length >= MOST_ROWS {
        return Err(XlsxError::RowColumnLimitError);
    }
    let layout = page.places.of(points.key)?;
    let header = layout.header();
    set_columns(page, points)?;
    write_headings(page, points)?;
    page.header(header, 0, &[])?;
    write_rows(page, points)?;
    page.sheet
        .set_freeze_panes(header + 1, layout.place_of("name")? + 1)?
        .set_repeat_rows(header, header)?;
    if points.length > 0 {
        let shown = layout.place_of("model_number")? - 1;
        page.sheet.autofilter(header, 0, layout.last_row(), shown)?;
        tables.insert_charts(page, layout.last_row() + 2)?;
    }
    Ok(())
}
