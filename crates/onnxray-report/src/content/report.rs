//! A report in every form in which it is delivered.

use super::comparison::ComparisonReport;
use super::projection::ProjectionReport;
use crate::document::{Arrangement, Document, Page};
use onnxray_analyzer::sweep::Sweep;

/// What a command found, as tables to print, as a page and as a workbook. Reports that have tables
/// alone are functions that return a [`Document`].
pub trait Report {
    /// Part of it that is printed.
    type Selection;

    /// What the terminal, JSON, CSV and Markdown show.
    fn document(&self, selection: &Self::Selection) -> Document;

    /// Everything, for a browser.
    fn page(&self) -> Page;

    /// Everything, for a spreadsheet.
    fn workbook(&self) -> Workbook<'_>;
}

/// A report as a workbook, to be written.
pub struct Workbook<'a>(pub(crate) Sheets<'a>);

/// The sheets of a workbook.
pub(crate) enum Sheets<'a> {
    /// Figures, and a sheet for each table.
    Tables(Box<Tables>),
    /// With formulas of its own.
    Comparison(ComparisonReport<'a>),
    Projection(ProjectionReport<'a>),
    Sweep(&'a Sweep),
}

/// A document as a workbook.
pub(crate) struct Tables {
    pub document: Document,
    pub arrangement: &'static Arrangement,
    /// Above the figures.
    pub front: Option<Document>,
}

impl Workbook<'_> {
    /// Any document: figures on the first sheet, and each table on one of its own.
    pub fn of(document: Document) -> Workbook<'static> {
        Workbook::arranged(document, &Arrangement::DEFAULT)
    }

    pub(crate) fn arranged(
        document: Document,
        arrangement: &'static Arrangement,
    ) -> Workbook<'static> {
        Workbook(Sheets::Tables(Box::new(Tables { document, arrangement, front: None })))
    }
}
