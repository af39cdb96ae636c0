//! A report in every form in which it is delivered.

use super::comparison::ComparisonReport;
use super::projection::ProjectionReport;
use crate::document::{Document, Page, Table};
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

/// Name of the sheet of figures.
pub(crate) const SUMMARY: &str = "Summary";

/// Layout of a report in its workbook.
pub(crate) struct Arrangement {
    /// Heading above its figures.
    pub title: &'static str,
    /// The sheets of tables that do not have [`TableSheet::new`] with their title.
    pub sheets: &'static [TableSheet],
}

/// Layout of a table in its workbook.
#[derive(Clone, Copy)]
pub(crate) struct TableSheet {
    pub table: &'static str,
    /// Name of its sheet; on the sheet of figures, the table comes below them.
    pub name: &'static str,
    /// Columns on the left that stay in sight.
    pub frozen: u16,
    /// Headings have filters.
    pub filter: bool,
    /// Keys of columns with the total of the rows shown above them.
    pub totals: &'static [&'static str],
    /// Keys of columns with data bars.
    pub bars: &'static [&'static str],
    /// Columns that other formats leave out start folded.
    pub fold: bool,
    /// Its charts are on the sheet of figures.
    pub in_front: bool,
    /// Rows that are printed, with the charts beside them; `None` for all.
    pub printed: Option<u32>,
}

impl TableSheet {
    /// A sheet with filters.
    pub(crate) const fn new(table: &'static str, name: &'static str) -> TableSheet {
        TableSheet {
            table,
            name,
            frozen: 1,
            filter: true,
            totals: &[],
            bars: &[],
            fold: false,
            in_front: false,
            printed: None,
        }
    }

    /// A table below the figures.
    pub(crate) const fn on_summary(table: &'static str) -> TableSheet {
        TableSheet::new(table, SUMMARY)
    }
}

impl Arrangement {
    /// Of a report that has none of its own.
    pub(crate) const DEFAULT: Arrangement = Arrangement { title: "onnxray", sheets: &[] };

    /// The sheet of a table.
    pub(crate) fn sheet(&self, table: &Table) -> TableSheet {
        let sheet = self.sheets.iter().find(|sheet| sheet.table == table.key);
        sheet.copied().unwrap_or(TableSheet::new(table.key, table.title))
    }
}
