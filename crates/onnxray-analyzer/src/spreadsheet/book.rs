//! The sheets of a workbook, or of a CSV, and their cells by position.

use super::cells::{Cell, Cells, Place};
use super::words::{begins, is};
use crate::printable::quoted;
use crate::quantity::Decimals;
use onnxray_format::printable;
use std::collections::HashMap;

/// The sheets of a file; a CSV has one.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) sheets: Vec<Sheet>,
    /// Position of each sheet, by its name in lower case.
    names: HashMap<String, usize>,
}

#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) cells: Cells,
    /// Formulas that several cells share, with the cell that they are written
    /// for, by their number.
    pub(crate) shared: HashMap<usize, (Place, String)>,
    /// If the sheet is a CSV.
    pub(crate) lines: Option<Lines>,
    pub(crate) decimals: Decimals,
}

/// Where the rows of a CSV stand.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Line of each row, from 1.
    pub(crate) numbers: Vec<u64>,
    /// Rows that name the columns below them, in order.
    pub(crate) headers: Vec<u32>,
}

/// A cell of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) sheet: usize,
    pub(crate) row: u32,
    pub(crate) column: u32,
}

impl At {
    /// Another cell of the same row.
    pub(crate) fn column(self, column: u32) -> At {
        At { column, ..self }
    }

    pub(crate) fn row(self, row: u32) -> At {
        At { row, ..self }
    }
}

impl Sheet {
    pub(crate) fn new(name: impl Into<String>, cells: Vec<(Place, Cell)>) -> Sheet {
        Sheet {
            name: name.into(),
            cells: Cells::new(cells),
            shared: HashMap::new(),
            lines: None,
            decimals: Decimals::Point,
        }
    }

    /// Cells of a row that hold something, from left to right.
    pub(crate) fn row(&self, row: u32) -> impl Iterator<Item = (u32, &Cell)> {
        let cells =
            self.cells.starting_at((row, 0)).iter().take_while(move |((of, _), _)| *of == row);
        cells.filter(|(_, cell)| !cell.is_blank()).map(|((_, column), cell)| (*column, cell))
    }

    /// Rows from one on in which there are cells, in order.
    pub(crate) fn rows(&self, first: u32) -> impl Iterator<Item = u32> {
        let rows = self
            .cells
            .starting_at((first, 0))
            .chunk_by(|((one, _), _), ((other, _), _)| one == other);
        rows.filter_map(|cells| cells.first()).map(|((row, _), _)| *row)
    }

    /// Cells whose text is `words`, whatever its case, spaces and underscores.
    pub(crate) fn find(&self, words: &str) -> impl Iterator<Item = Place> {
        let texts = self.cells.texts_like(words);
        texts.filter(move |(_, text)| is(text, words)).map(|(place, _)| place)
    }

    /// Cells whose text begins with `words`, as `find` compares them.
    pub(crate) fn find_begins(&self, words: &str) -> impl Iterator<Item = Place> {
        let texts = self.cells.texts_like(words);
        texts.filter(move |(_, text)| begins(text, words)).map(|(place, _)| place)
    }
}

impl Book {
    /// Adds a sheet. Whether there was none of its name, upper and lower case the
    /// same.
    pub(crate) fn add(&mut self, sheet: Sheet) -> bool {
        let place = self.sheets.len();
        let namesake = self.names.insert(sheet.name.to_lowercase(), place);
        self.sheets.push(sheet);
        namesake.is_none()
    }

    /// The position of the sheet that a formula names.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.names.get(&name.to_lowercase()).copied()
    }

    pub(crate) fn sheet(&self, at: At) -> Option<&Sheet> {
        self.sheets.get(at.sheet)
    }

    pub(crate) fn cell(&self, at: At) -> Option<&Cell> {
        self.sheet(at)?.cells.get((at.row, at.column))
    }

    pub(crate) fn is_blank(&self, at: At) -> bool {
        self.cell(at).is_none_or(Cell::is_blank)
    }

    /// What messages call a cell: `'Sparse ratio setting'!C7`, or in a CSV
    /// `line 7, column "others"`.
    pub(crate) fn place(&self, at: At) -> String {
        let Some(sheet) = self.sheet(at) else { return cell_name(at.row, at.column) };
        let Some(lines) = &sheet.lines else {
            let name = printable(&sheet.name).replace('\'', "''");
            return format!("'{name}'!{}", cell_name(at.row, at.column));
        };
        let line = lines.numbers.get(at.row as usize).copied().unwrap_or_default();
        let above = lines.headers.partition_point(|&header| header < at.row).checked_sub(1);
        let header = above.and_then(|above| lines.headers.get(above));
        let name = header.and_then(|&row| sheet.cells.get((row, at.column))?.text());
        match name.filter(|name| !name.is_empty()) {
            Some(name) => format!("line {line}, column {}", quoted(name)),
            None => format!("line {line}, field {}", at.column + 1),
        }
    }
}

/// What spreadsheets call a cell: `C7`.
pub(crate) fn cell_name(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    format!("{}{}", letters.iter().rev().collect::<String>(), u64::from(row) + 1)
}

#[cfg(test)]
mod tests {
    use super::super::cells::Value;
    use super::*;

    #[test]
    fn cells_have_the_names_that_spreadsheets_show() {
        for (row, column, name) in
            [(0, 0, "A1"), (6, 2, "C7"), (9, 25, "Z10"), (0, 26, "AA1"), (0, 16_383, "XFD1")]
        {
            assert_eq!(cell_name(row, column), name);
        }
        let mut book = Book::default();
        let headings = (0..).zip(["weight shape", "90%", "others"]);
        let cells = headings.map(|(column, text)| {
            ((1, column), Cell { value: Value::Text(text.into()), formula: None })
        });
        assert!(book.add(Sheet::new("It's\u{202e}", cells.collect())));
        let at = At { sheet: 0, row: 6, column: 2 };
        assert_eq!(book.place(at), "'It''s\\u{202e}'!C7");
        let sheet = &mut book.sheets[0];
        let numbers = (1..9).map(|row| row * 10).collect();
        sheet.lines = Some(Lines { numbers, headers: vec![1] });
        assert_eq!(book.place(at), "line 70, column \"others\"");
        assert_eq!(book.place(at.column(3)), "line 70, field 4");
    }

    #[test]
    fn rows_are_those_with_cells() {
        let number = Cell { value: Value::Number(1.0), formula: None };
        let space = Cell { value: Value::Text(" ".into()), formula: None };
        let numbers = [(2, 0), (2, 5), (7, 1), (u32::MAX, 0)].map(|place| (place, number.clone()));
        let sheet = Sheet::new("x", [&numbers[..], &[((2, 3), space)]].concat());
        assert_eq!(sheet.rows(0).collect::<Vec<_>>(), [2, 7, u32::MAX]);
        assert_eq!(sheet.rows(3).collect::<Vec<_>>(), [7, u32::MAX]);
        assert_eq!(sheet.row(2).map(|(column, _)| column).collect::<Vec<_>>(), [0, 5]);
    }
}
