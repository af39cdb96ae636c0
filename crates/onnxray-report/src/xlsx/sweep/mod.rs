//! The workbook of a sweep: a threshold and a percentile to choose, and what follows from
//! them as formulas that carry what the analyzer computed.
//!
//! Names are written as strings, and formulas find points by their numbers.

mod context;
mod places;
mod points;
mod summary;

use super::document::{notes_sheet, write_table};
use super::page::{Numbers, Page, Written};
use super::places::Places;
use super::sheet::{Styles, name_sheet};
use crate::error::ReportError;
use crate::xlsx::whole::write_whole;
use context::Context;
use onnxray_analyzer::sweep::Sweep;
use onnxray_failsafe::OutputFile;
use rust_xlsxwriter::{Workbook, XlsxError};

const NOT_MEASURED: &str = "Not measured";

/// Writes a sweep as a workbook with the sheets Summary, Points, Not measured (if anything
/// was skipped) and Notes. An existing file is replaced once the new one is whole.
///
/// # Errors
/// If the file cannot be written, or a sheet has no room for the points.
pub fn write_sweep<'a>(sweep: &Sweep, file: impl Into<OutputFile<'a>>) -> Result<(), ReportError> {
    write_whole(file.into(), || build(&Context::new(sweep)))
}

type WriteSheet = fn(&mut Page, &Context) -> Written;

fn build(context: &Context) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let numbers = Numbers::new(&styles);
    let places = Places::default();
    let sheets: [(&str, WriteSheet); 2] =
        [(places::SUMMARY, summary::write), (places::POINTS, points::write)];
    for (name, write) in sheets {
        let mut page = Page::new(&mut workbook, name, (&styles, &numbers), &places)?;
        write(&mut page, context)?;
        page.finish()?;
    }
    if let Some(skipped) = context.document.table("skipped") {
        let sheet = workbook.add_worksheet();
        name_sheet(sheet, NOT_MEASURED)?;
        let layout = write_table(sheet, 0, NOT_MEASURED, skipped, &styles)?;
        sheet.set_column_width(layout.column("reason"), 80)?;
        sheet.set_freeze_panes(1, 1)?.set_repeat_rows(0, 0)?;
        sheet.autofilter(0, 0, layout.last_row(), layout.last_column())?;
    }
    notes_sheet(workbook.add_worksheet(), &context.document, &styles)?;
    Ok(workbook)
}
