//! A table of the report on a sheet.

use super::version::Version;
use crate::content::comparison::{BASELINE, VERSION};
use crate::document::{Cell, TableColumn, Unit};
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written};
use crate::xlsx::sheet::MOST_ROWS;
use rust_xlsxwriter::{Format, FormatAlign};

/// Rows of a sheet that stay free for totals and charts.
const SPARE_ROWS: usize = 100;

/// A table without the columns of what the sides are called, which the sheet is of.
pub(super) struct Placed<'a> {
    version: &'a Version<'a>,
    pub(super) title: &'static str,
    pub(super) columns: Vec<&'a TableColumn>,
    /// Headings of the columns that the sheet adds.
    more: Vec<&'static str>,
    pub(super) layout: Layout,
    /// Rows that are on the sheet, and rows that do not fit it.
    pub(super) rows: usize,
    pub(super) left_out: usize,
}

impl<'a> Placed<'a> {
    /// `more` are keys and headings of columns that the sheet adds on the right.
    pub(super) fn new(
        version: &'a Version,
        key: &str,
        (sheet, header): (&str, u32),
        more: &[(&'static str, &'static str)],
    ) -> Placed<'a> {
        let table = version.table(key);
        let columns = table.columns.iter();
        let columns = columns.filter(|column| ![BASELINE, VERSION].contains(&column.heading.key));
        let columns: Vec<&TableColumn> = columns.collect();
        let keys =
            columns.iter().map(|column| column.heading.key).chain(more.iter().map(|more| more.0));
        let rows = table.len().min(MOST_ROWS - header as usize - SPARE_ROWS);
        let layout = Layout::new(version.sheet(sheet), keys, header, rows);
        let left_out = table.len() - rows;
        let more = more.iter().map(|more| more.1).collect();
        Placed { version, title: table.title, columns, more, layout, rows, left_out }
    }

    /// What the report has in a cell.
    pub(super) fn cell(&self, key: &str, row: usize) -> &'a Cell {
        &self.columns[usize::from(self.layout.column(key))].cells[row]
    }

    /// Writes a cell as the report has it.
    pub(super) fn put(&self, page: &mut Page, key: &str, row: usize, format: &Format) -> Written {
        page.cell(self.layout.place(key, row), self.cell(key, row), format)
    }

    /// Writes a formula that comes to what the report has in a cell.
    pub(super) fn formula(
        &self,
        page: &mut Page,
        (key, row): (&str, usize),
        formula: String,
        format: &Format,
    ) -> Written {
        page.formula(self.layout.place(key, row), formula, self.cell(key, row), format)
    }

    /// What the numbers of a column add up to; words count for nothing.
    pub(super) fn sum(&self, key: &str) -> f64 {
        (0..self.rows).filter_map(|row| self.cell(key, row).as_number()).sum()
    }

    /// A heading, with the version's letter for B.
    pub(super) fn heading(&self, key: &str) -> String {
        self.version.named(self.columns[usize::from(self.layout.column(key))].heading.heading)
    }

    /// The row of headings.
    pub(super) fn header(&self, page: &mut Page) -> Written {
        let styles = page.styles;
        let text = text_format(&styles.header);
        page.header(self.layout.header(), 0, &[])?;
        for (number, column) in (0..).zip(&self.columns) {
            let format = match column.heading.unit {
                Unit::Text if number == 0 => &styles.header,
                Unit::Text => &text,
                _ => &styles.number_header,
            };
            let place = (self.layout.header(), number);
            page.text(place, &self.version.named(column.heading.heading), format)?;
        }
        page.number_header(self.layout.header(), self.columns.len() as u16, &self.more)
    }
}

/// A text's format apart from the numbers that may end where it begins.
pub(super) fn text_format(format: &Format) -> Format {
    format.clone().set_align(FormatAlign::Left).set_indent(1)
}
