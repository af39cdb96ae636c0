//! Where the columns of a table lie on a sheet: formulas address cells by key, and
//! nobody counts columns.

use super::address::{cell, on, range};
use crate::document::SheetTable;
use rust_xlsxwriter::XlsxError;
use std::ops::Range;

/// The columns of a table on a sheet, and its rows.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    sheet: String,
    /// Keys of the columns, from the left, and the first column of each.
    keys: Vec<(String, u16)>,
    /// Leftmost column, and the first one that is none of them.
    left: u16,
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
        Layout { sheet, keys, left: 0, width, row_keys, header, rows: rows as u32 }
    }

    /// A table on a sheet, whose leftmost heading has this place.
    pub(crate) fn of(table: &SheetTable, sheet: &str, (header, left): (u32, u16)) -> Layout {
        let mut keys: Vec<(String, u16)> = Vec::new();
        for (number, column) in (left..).zip(&table.columns) {
            if keys.last().is_none_or(|(key, _)| key != column.key) {
                keys.push((column.key.to_string(), number));
            }
        }
        let (width, row_keys) = (left + table.columns.len() as u16, table.row_keys.clone());
        let (sheet, rows) = (sheet.to_string(), table.length as u32);
        Layout { sheet, keys, left, width, row_keys, header, rows }
    }

    /// Leftmost column.
    pub(crate) fn left(&self) -> u16 {
        self.left
    }

    /// A table on the same sheet, as high up and to the right of this one.
    pub(crate) fn beside(&self, keys: &[&str], rows: usize) -> Layout {
        let gap = (String::new(), self.width + 1);
        let keys = keys.iter().map(|key| (key.to_string(), 1));
        Layout::spanning(&self.sheet, std::iter::once(gap).chain(keys), self.header, rows)
    }

    /// The sheet that it is on.
    pub(crate) fn sheet(&self) -> &str {
        &self.sheet
    }

    /// Position of a column, the first with the key.
    pub(crate) fn place_of(&self, key: &str) -> Result<u16, XlsxError> {
        let column = self.keys.iter().find(|(known, _)| *known == key);
        let unknown = || XlsxError::ParameterError(format!("{}: no column {key}", self.sheet));
        column.map(|(_, column)| *column).ok_or_else(unknown)
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

    /// Row of the table with a key, or with a number.
    pub(crate) fn row_of(&self, key: &str) -> Result<usize, XlsxError> {
        let row = self.row_keys.iter().position(|known| *known == key);
        let row = row.or_else(|| key.parse().ok());
        row.ok_or_else(|| XlsxError::ParameterError(format!("{}: no row {key}", self.sheet)))
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

    /// `'Sheet'!$C$7`: a cell, for formulas of other sheets.
    pub(crate) fn on(&self, key: &str, row: usize) -> String {
        on(&self.sheet, self.row(row), self.column(key))
    }

    /// `'Sheet'!$C$4:$C$9`: some rows of the table, for formulas of other sheets, as
    /// far as the sheet has them.
    pub(crate) fn range_of(&self, key: &str, rows: Range<usize>) -> String {
        let column = self.column(key);
        let last = self.row(rows.end.max(1) - 1).min(self.last_row());
        range(&self.sheet, (self.row(rows.start).min(last), column), (last, column))
    }

    /// The same, of a table that has a place.
    pub(crate) fn rows_on(&self, key: &str, rows: Range<usize>) -> Result<String, XlsxError> {
        self.place_of(key)?;
        Ok(self.range_of(key, rows))
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
    pub(crate) fn columns(&self, key: &str) -> Result<(u16, u16), XlsxError> {
        let first = self.place_of(key)?;
        let next = self.keys.iter().map(|(_, column)| *column).find(|column| *column > first);
        Ok((first, next.unwrap_or(self.width) - 1))
    }
}
