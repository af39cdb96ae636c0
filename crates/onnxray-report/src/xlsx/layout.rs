//! Where the columns of a table lie on a sheet: formulas address cells by key, and
//! nobody counts columns.

use super::page::{cell, cell_in_column, fixed, on, range};
use std::ops::Range;

/// The columns of a table on a sheet, and its rows.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    sheet: String,
    /// Keys of the columns, from the left, and the first column of each.
    keys: Vec<(String, u16)>,
    /// Number of columns.
    width: u16,
    /// Keys of the rows, where they have any.
    row_keys: Vec<&'static str>,
    /// Row of the headings, from 0 on.
    header: u32,
    /// Number of rows below the headings.
    rows: u32,
}

impl Layout {
    pub(crate) fn new(
        sheet: impl Into<String>,
        keys: impl IntoIterator<Item: Into<String>>,
        header: u32,
        rows: usize,
    ) -> Layout {
        Layout::spanning(sheet, keys.into_iter().map(|key| (key, 1)), header, rows)
    }

    /// A table in which a key may have several columns side by side: so many.
    pub(crate) fn spanning(
        sheet: impl Into<String>,
        spans: impl IntoIterator<Item = (impl Into<String>, u16)>,
        header: u32,
        rows: usize,
    ) -> Layout {
        let (mut keys, mut width) = (Vec::new(), 0);
        for (key, count) in spans {
            keys.push((key.into(), width));
            width += count;
        }
        let (sheet, row_keys) = (sheet.into(), Vec::new());
        Layout { sheet, keys, width, row_keys, header, rows: rows as u32 }
    }

    /// A table on the same sheet, as high up and to the right of this one.
    pub(crate) fn beside(&self, keys: &[&str], rows: usize) -> Layout {
        let gap = (String::new(), self.width + 1);
        let keys = keys.iter().map(|key| (key.to_string(), 1));
        Layout::spanning(&self.sheet, std::iter::once(gap).chain(keys), self.header, rows)
    }

    /// The same table, whose rows have keys.
    pub(crate) fn with_rows(mut self, keys: impl IntoIterator<Item = &'static str>) -> Layout {
        self.row_keys = keys.into_iter().collect();
        self.rows = self.row_keys.len() as u32;
        self
    }

    /// Position of a column, the first with the key.
    ///
    /// # Panics
    /// If the table has no such column, which is a mistake in the program and in no
    /// input.
    pub(crate) fn column(&self, key: &str) -> u16 {
        let column = self.keys.iter().find(|(known, _)| *known == key);
        column.unwrap_or_else(|| panic!("{}: no column {key}", self.sheet)).1
    }

    /// Row of the table with a key.
    ///
    /// # Panics
    /// If there is none, which is a mistake in the program and in no input.
    pub(crate) fn row_of(&self, key: &str) -> usize {
        let row = self.row_keys.iter().position(|known| *known == key);
        row.unwrap_or_else(|| panic!("{}: no row {key}", self.sheet))
    }

    /// Rightmost column.
    pub(crate) fn last_column(&self) -> u16 {
        self.width.saturating_sub(1)
    }

    pub(crate) fn header(&self) -> u32 {
        self.header
    }

    /// Number of rows below the headings.
    pub(crate) fn rows(&self) -> usize {
        self.rows as usize
    }

    /// The sheet's row of a row of the table, both from 0 on.
    pub(crate) fn row(&self, row: usize) -> u32 {
        self.header + 1 + row as u32
    }

    /// The sheet's last row of the table; that below the headings if it has none.
    pub(crate) fn last_row(&self) -> u32 {
        self.header + self.rows.max(1)
    }

    /// Row and column of a cell on the sheet, to write it.
    pub(crate) fn place(&self, key: &str, row: usize) -> (u32, u16) {
        (self.row(row), self.column(key))
    }

    /// `C7`: a cell, for formulas of the same row.
    pub(crate) fn at(&self, key: &str, row: usize) -> String {
        cell(self.row(row), self.column(key))
    }

    /// `$C7`, whose column stays when the formula is copied.
    pub(crate) fn at_in_column(&self, key: &str, row: usize) -> String {
        cell_in_column(self.row(row), self.column(key))
    }

    /// `'Sheet'!$C$7`: a cell, for formulas of other sheets.
    pub(crate) fn on(&self, key: &str, row: usize) -> String {
        on(&self.sheet, self.row(row), self.column(key))
    }

    /// `$C$4:$C$9`: all rows of a column, for formulas of the same sheet.
    pub(crate) fn rows_of(&self, key: &str) -> String {
        self.nth_rows_of(key, 0)
    }

    /// The same, of one of the columns of a key.
    pub(crate) fn nth_rows_of(&self, key: &str, position: u16) -> String {
        let column = self.column(key) + position;
        format!("{}:{}", fixed(self.row(0), column), fixed(self.last_row(), column))
    }

    /// `'Sheet'!$C$4:$C$9`: some rows of the table, for formulas of other sheets, as
    /// far as the sheet has them.
    pub(crate) fn range_of(&self, key: &str, rows: Range<usize>) -> String {
        let column = self.column(key);
        let last = self.row(rows.end.max(1) - 1).min(self.last_row());
        range(&self.sheet, (self.row(rows.start).min(last), column), (last, column))
    }

    /// `C4:C9`: all rows of one of the columns of a key, for totals above or below.
    pub(crate) fn nth_span(&self, key: &str, position: u16) -> String {
        let column = self.column(key) + position;
        format!("{}:{}", cell(self.row(0), column), cell(self.last_row(), column))
    }

    /// `'Sheet'!$C$3`: the heading of a column, for charts.
    pub(crate) fn heading(&self, key: &str) -> String {
        on(&self.sheet, self.header, self.column(key))
    }

    /// First and last column with a key.
    pub(crate) fn columns(&self, key: &str) -> (u16, u16) {
        let first = self.column(key);
        let next = self.keys.iter().map(|(_, column)| *column).find(|column| *column > first);
        (first, next.unwrap_or(self.width) - 1)
    }

    /// `'Sheet'!$C$3:$D$9`: all columns of a key with their headings, so that a row
    /// that is moved to the top stays inside.
    pub(crate) fn whole(&self, key: &str) -> String {
        let (first, last) = self.columns(key);
        range(&self.sheet, (self.header, first), (self.last_row(), last))
    }
}
