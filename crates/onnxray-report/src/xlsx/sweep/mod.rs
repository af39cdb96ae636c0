//! The workbook of a sweep: a threshold and a percentile to choose, and what follows from
//! them as formulas that carry what the analyzer computed.
//!
//! Names are written as strings, and formulas find points by their numbers.

mod points;
mod shared;
mod summary;

use super::document::notes_sheet;
use super::places::Places;
use super::places::address::on;
use super::plain::write_plain;
use super::sheet::{SheetWriter, Styles};
use crate::content::sweep::{Goal, best_sheet, points_sheet, sweep_report};
use onnxray_analyzer::sweep::Sweep;
use rust_xlsxwriter::{Workbook, XlsxError};
use shared::{FIRST, HELPER, PERCENTILE, POINTS, SUMMARY, THRESHOLD};

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
    points::write(&mut writer, document)?;
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
