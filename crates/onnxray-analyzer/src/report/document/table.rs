//! A table: columns of cells, each under its heading.

use super::cell::Cell;
use super::column::{Column, Heading};
use std::borrow::Borrow;

/// Columns of equal length.
#[derive(Clone, Debug)]
pub struct Table {
    /// Identifier in machine-readable formats.
    pub key: &'static str,
    /// What people read above it.
    pub title: &'static str,
    /// From left to right; keys are unique, and all have a cell for each row.
    pub columns: Vec<TableColumn>,
    /// Number of rows.
    length: usize,
    /// Rows that were left out, which the reader should know of.
    pub left_out: usize,
    /// Whether it is for those who want to know more, so that a page may fold it.
    pub folded: bool,
}

/// A column and its cells.
#[derive(Clone, Debug)]
pub struct TableColumn {
    /// Its name, unit and meaning.
    pub heading: Heading,
    /// A cell for each row.
    pub cells: Vec<Cell>,
    /// Whether formats for people show it; machine-readable ones show all.
    pub shown: bool,
}

impl Table {
    /// A table that shows all columns.
    pub fn new<Row>(
        key: &'static str,
        title: &'static str,
        columns: &[Column<Row>],
        rows: impl IntoIterator<Item: Borrow<Row>>,
    ) -> Table {
        let mut filled: Vec<TableColumn> = columns
            .iter()
            .map(|column| TableColumn { heading: column.heading(), cells: Vec::new(), shown: true })
            .collect();
        let mut length = 0;
        for row in rows {
            for (filled, column) in filled.iter_mut().zip(columns) {
                filled.cells.push((column.value)(row.borrow()));
            }
            length += 1;
        }
        Table { key, title, columns: filled, length, left_out: 0, folded: false }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The same table, showing only the columns with these keys to people.
    pub fn showing(mut self, keys: &[&str]) -> Table {
        for column in &mut self.columns {
            column.shown &= keys.contains(&column.heading.key);
        }
        self
    }

    /// The same table, not showing the columns with these keys to people.
    pub fn hiding(mut self, keys: &[&str]) -> Table {
        for column in &mut self.columns {
            column.shown &= !keys.contains(&column.heading.key);
        }
        self
    }

    /// The same table, for those who want to know more.
    pub fn folded(mut self) -> Table {
        self.folded = true;
        self
    }

    /// Keeps the first rows only, and counts the others.
    pub fn shortened(mut self, most: Option<usize>) -> Table {
        if let Some(most) = most.filter(|&most| most < self.length) {
            self.left_out += self.length - most;
            self.length = most;
            self.columns.iter_mut().for_each(|column| column.cells.truncate(most));
        }
        self
    }

    /// Adds a column whose heading or cells come from the data; it has a cell for
    /// each row.
    pub fn push_column(&mut self, heading: Heading, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.length, Cell::None);
        self.columns.push(TableColumn { heading, cells, shown: true });
    }

    /// The column with a key.
    pub fn column(&self, key: &str) -> Option<&TableColumn> {
        self.columns.iter().find(|column| column.heading.key == key)
    }

    /// The cell of a row under the column with a key.
    pub fn cell(&self, key: &str, row: usize) -> Option<&Cell> {
        self.column(key)?.cells.get(row)
    }

    /// The columns that people see.
    pub fn shown(&self) -> impl Iterator<Item = &TableColumn> {
        self.columns.iter().filter(|column| column.shown)
    }
}
