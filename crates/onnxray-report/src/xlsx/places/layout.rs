//! Where the columns of a table lie on a sheet: formulas address cells by key, and
//! nobody counts columns.

use super::address::{cell, range};
use crate::document::Table;
use rust_xlsxwriter::XlsxError;
use std::collections::HashMap;
use std::ops::Range;

/// The columns of a table on a sheet, and its rows.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    sheet: String,
    /// First and last column with each key.
    columns: HashMap<String, (u16, u16)>,
    /// Leftmost column, and the first one right of the table.
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
    /// A table on a sheet, whose leftmost heading has this place.
    pub(crate) fn of(table: &Table, sheet: &str, (header, left): (u32, u16)) -> Layout {
        let mut columns: HashMap<String, (u16, u16)> = HashMap::new();
        for (number, column) in (left..).zip(&table.columns) {
            // Columns that share a key are side by side: the last one ends their range.
            let place = columns.entry(column.heading.key.to_string());
            place.or_insert((number, number)).1 = number;
        }
        let (width, row_keys) = (left + table.columns.len() as u16, table.row_keys.clone());
        let (sheet, rows) = (sheet.to_string(), table.len() as u32);
        Layout { sheet, columns, left, width, row_keys, header, rows }
    }

    /// The same for as many rows as a sheet of this many has room for, with one below them.
    pub(crate) fn cut(self, most: usize) -> Layout {
        // The row of headings, and one that counts the rows left out.
        let room = most as u32 - self.header - 2;
        Layout { rows: self.rows.min(room), ..self }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Leftmost column.
    pub(crate) fn left(&self) -> u16 {
        self.left
    }

    /// A table on the same sheet, as high up and to the right of this one.
    pub(crate) fn beside(&self, keys: &[&str], rows: usize) -> Layout {
        let left = self.width + 1;
        let places = (left..).zip(keys).map(|(place, key)| (key.to_string(), (place, place)));
        let (columns, width) = (places.collect(), left + keys.len() as u16);
        Layout { columns, left, width, row_keys: Vec::new(), rows: rows as u32, ..self.clone() }
    }

    /// The sheet that it is on.
    pub(crate) fn sheet(&self) -> &str {
        &self.sheet
    }

    /// Position of a column, the first with the key.
    pub(crate) fn place_of(&self, key: &str) -> Result<u16, XlsxError> {
        self.columns(key).map(|(first, _)| first)
    }

    /// First and last column with a key.
    pub(crate) fn columns(&self, key: &str) -> Result<(u16, u16), XlsxError> {
        let unknown = || XlsxError::ParameterError(format!("{}: no column {key}", self.sheet));
        self.columns.get(key).copied().ok_or_else(unknown)
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

    /// The sheet's row of a row of the table, both from 0 on.
    pub(crate) fn row(&self, row: usize) -> u32 {
        self.header + 1 + row as u32
    }

    /// The sheet's last row of the table; that below the headings if it has none.
    pub(crate) fn last_row(&self) -> u32 {
        self.header + self.rows.max(1)
    }

    /// `'Sheet'!$C$4:$C$9`: some rows of the table, for formulas of other sheets, as
    /// far as the sheet has them.
    pub(crate) fn rows_on(&self, key: &str, rows: Range<usize>) -> Result<String, XlsxError> {
        let column = self.place_of(key)?;
        // A chart needs a cell, even of no rows.
        let last = self.row(rows.end.max(1) - 1).min(self.last_row());
        Ok(range(&self.sheet, (self.row(rows.start).min(last), column), (last, column)))
    }

    /// `C4:C9`: all rows of a column, for totals above or below.
    pub(crate) fn span(&self, column: u16) -> String {
        format!("{}:{}", cell(self.row(0), column), cell(self.last_row(), column))
    }
}
