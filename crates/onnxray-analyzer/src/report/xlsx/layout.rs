//! Where the columns of a table lie on a sheet: formulas address cells by key, and
//! nobody counts columns.

use super::page::{cell, cell_in_column, fixed, range};
use std::ops::Range;

/// The columns of a table on a sheet, and its rows.
#[derive(Clone, Debug)]
pub struct Layout {
    sheet: String,
    /// Keys of the columns, from the left.
    keys: Vec<&'static str>,
    /// Row of the headings, from 0 on.
    header: u32,
    /// Number of rows below the headings.
    rows: u32,
}

impl Layout {
    pub fn new(
        sheet: impl Into<String>,
        keys: impl IntoIterator<Item = &'static str>,
        header: u32,
        rows: usize,
    ) -> Layout {
        let keys = keys.into_iter().collect();
        Layout { sheet: sheet.into(), keys, header, rows: rows as u32 }
    }

    /// Position of a column.
    ///
    /// # Panics
    /// If the table has no such column, which is a mistake in the program and in no
    /// input.
    pub fn column(&self, key: &str) -> u16 {
        let column = self.keys.iter().position(|known| *known == key);
        column.unwrap_or_else(|| panic!("{}: no column {key}", self.sheet)) as u16
    }

    /// Rightmost column.
    pub fn last_column(&self) -> u16 {
        (self.keys.len() as u16).saturating_sub(1)
    }

    pub fn header(&self) -> u32 {
        self.header
    }

    /// The sheet's row of a row of the table, both from 0 on.
    pub fn row(&self, row: usize) -> u32 {
        self.header + 1 + row as u32
    }

    /// The sheet's last row of the table; that below the headings if it has none.
    pub fn last_row(&self) -> u32 {
        self.header + self.rows.max(1)
    }

    /// Row and column of a cell on the sheet, to write it.
    pub fn place(&self, key: &str, row: usize) -> (u32, u16) {
        (self.row(row), self.column(key))
    }

    /// `C7`: a cell, for formulas of the same row.
    pub fn at(&self, key: &str, row: usize) -> String {
        cell(self.row(row), self.column(key))
    }

    /// `$C7`, whose column stays when the formula is copied.
    pub fn at_in_column(&self, key: &str, row: usize) -> String {
        cell_in_column(self.row(row), self.column(key))
    }

    /// `$C$4:$C$9`: all rows of a column, for formulas of the same sheet.
    pub fn rows_of(&self, key: &str) -> String {
        let column = self.column(key);
        format!("{}:{}", fixed(self.row(0), column), fixed(self.last_row(), column))
    }

    /// `'Sheet'!$C$4:$C$9`: the same, for formulas of other sheets.
    pub fn range(&self, key: &str) -> String {
        self.range_of(key, 0..self.rows.max(1) as usize)
    }

    /// The same for some rows of the table, as far as the sheet has them.
    pub fn range_of(&self, key: &str, rows: Range<usize>) -> String {
        let column = self.column(key);
        let last = self.row(rows.end.max(1) - 1).min(self.last_row());
        range(&self.sheet, (self.row(rows.start).min(last), column), (last, column))
    }
}
