//! What a report is made of, before any format.

use crate::schema::{self, TableSchema};

/// Tables in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What matters most, in a sentence or a few.
    pub headline: Vec<String>,
    pub tables: Vec<Table>,
}

impl Report {
    /// Takes the notes out, as lines of kind and text.
    pub fn take_notes(&mut self) -> Vec<String> {
        let is_notes = |table: &Table| std::ptr::eq(table.schema, &schema::NOTES);
        let notes: Vec<Table> = self.tables.extract_if(.., |table| is_notes(table)).collect();
        let line = |row: &Vec<Cell>| match &row[..] {
            [Cell::Text(kind), Cell::Text(text)] => Some(format!("{kind}: {text}")),
            _ => None,
        };
        notes.iter().flat_map(|table| &table.rows).filter_map(line).collect()
    }
}

/// Rows under the columns of a schema, or some of them.
#[derive(Clone, Debug)]
pub struct Table {
    pub schema: &'static TableSchema,
    /// Positions in the schema of the columns that formats for people show;
    /// machine-readable ones show all.
    pub shown: Vec<usize>,
    pub rows: Vec<Vec<Cell>>,
    /// Rows left out, which the reader should know of.
    pub left_out: usize,
    /// Whether it is for those who want to know more, so that a page may fold it.
    pub folded: bool,
}

/// A value in the unit that its column names.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    Number(f64),
    Whole(u64),
    /// There is a value, but nobody knows it.
    Unknown,
    /// There is nothing to know: no weight, no parent.
    None,
}

impl Table {
    /// A table that shows all columns.
    pub fn new(schema: &'static TableSchema, rows: Vec<Vec<Cell>>) -> Table {
        debug_assert!(rows.iter().all(|row| row.len() == schema.columns.len()));
        Table {
            schema,
            shown: (0..schema.columns.len()).collect(),
            rows,
            left_out: 0,
            folded: false,
        }
    }

    /// The same table, showing only the columns with these keys to people.
    pub fn showing(mut self, keys: &[&str]) -> Table {
        self.shown.retain(|&column| keys.contains(&self.schema.columns[column].key));
        self
    }

    /// The same table, for those who want to know more.
    pub fn folded(mut self) -> Table {
        self.folded = true;
        self
    }

    /// Position of the column with a key.
    pub fn column(&self, key: &str) -> Option<usize> {
        self.schema.columns.iter().position(|column| column.key == key)
    }
}

impl Cell {
    pub fn text(value: impl Into<String>) -> Cell {
        Cell::Text(value.into())
    }

    /// A text, or nothing if it is empty.
    pub fn some_text(value: impl Into<String>) -> Cell {
        let value = value.into();
        if value.is_empty() { Cell::None } else { Cell::Text(value) }
    }

    pub fn number(value: Option<f64>) -> Cell {
        value.filter(|value| value.is_finite()).map_or(Cell::Unknown, Cell::Number)
    }

    pub fn whole(value: Option<u64>) -> Cell {
        value.map_or(Cell::Unknown, Cell::Whole)
    }
}
