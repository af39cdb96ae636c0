//! The sheets of a workbook, or of a CSV, and their cells by position.

use super::cells::{Cell, Cells, Formula, Place, Value};
use crate::printable::quoted;
use crate::quantity::Decimals;
use crate::workbook_words::{begins, is};
use onnxray_text::printable;
use std::collections::{HashMap, HashSet};

/// The sheets of a file; a CSV has one.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) sheets: Vec<Sheet>,
    /// Names of the sheets in lower case: spreadsheets ignore it.
    names: HashSet<String>,
}

#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) name: String,
    pub(crate) cells: Cells,
    /// Formulas that several cells share, with the cell that they are written
    /// for, by their number.
    pub(crate) shared: HashMap<usize, (Place, String)>,
    /// `None` unless the book is a CSV.
    pub(crate) lines: Option<Lines>,
    pub(crate) decimals: Decimals,
}

/// Where the rows of a CSV are in its file.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Line of each row, from 1.
    pub(crate) numbers: Vec<u64>,
    /// Rows that name the columns below them, in order.
    pub(crate) headers: Vec<u32>,
}

/// A cell of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct At {
    pub(crate) sheet: usize,
    pub(crate) row: u32,
    pub(crate) column: u32,
}

impl At {
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
    /// Adds a sheet; false if there is one of its name, whatever the case.
    pub(crate) fn add(&mut self, sheet: Sheet) -> bool {
        let is_new = self.names.insert(sheet.name.to_lowercase());
        self.sheets.push(sheet);
        is_new
    }

    pub(crate) fn sheet(&self, at: At) -> Option<&Sheet> {
        self.sheets.get(at.sheet)
    }

    pub(crate) fn cell(&self, at: At) -> Option<&Cell> {
        self.sheet(at)?.cells.get((at.row, at.column))
    }

    /// Text that is written in a cell, not computed.
    pub(crate) fn text(&self, at: At) -> Option<&str> {
        self.cell(at)?.text()
    }

    /// The formula of a cell, as it is written for it or for the first that shares it.
    pub(crate) fn formula(&self, at: At) -> Option<&str> {
        match self.cell(at)?.formula.as_ref()? {
            Formula::Own(text) => Some(text),
            Formula::Shared(number) => {
                let shared = self.sheet(at)?.shared.get(number);
                Some(shared.map_or("", |(_, text)| text))
            }
        }
    }

    pub(crate) fn has_formula(&self, at: At) -> bool {
        self.formula(at).is_some()
    }

    /// True for a formula without a stored result.
    pub(crate) fn is_unknown(&self, at: At) -> bool {
        self.has_formula(at) && self.cell(at).is_some_and(|cell| cell.value == Value::Blank)
    }

    pub(crate) fn is_blank(&self, at: At) -> bool {
        self.cell(at).is_none_or(Cell::is_blank)
    }

    /// True for a formula that is nothing but a reference to the cell of its row in `column`.
    pub(crate) fn refers_to(&self, at: At, column: u32) -> bool {
        let Some(sheet) = self.sheet(at) else { return false };
        let is_cell = |text: &str, row| {
            let reference = reference(text, &sheet.name).map(|cell| cell.replace('$', ""));
            reference.is_some_and(|cell| cell.eq_ignore_ascii_case(&cell_name(row, column)))
        };
        match self.cell(at).and_then(|cell| cell.formula.as_ref()) {
            None => false,
            Some(Formula::Own(text)) => is_cell(text, at.row),
            // Down a column, a shared formula moves along unless a dollar sign keeps its row.
            Some(Formula::Shared(number)) => {
                sheet.shared.get(number).is_some_and(|((row, of), text)| {
                    let moves =
                        || !text.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('$');
                    *of == at.column && (*row == at.row || moves()) && is_cell(text, *row)
                })
            }
        }
    }

    /// Place of a cell for messages: `'Sparse ratio setting'!C7`, or in a CSV
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

/// The cell that a formula refers to if it is a reference within its sheet, as spreadsheets
/// write it: `$W$7`, `=W7`, `'Projected operators'!W7`, `of:=[.W7]`.
fn reference<'a>(formula: &'a str, sheet: &str) -> Option<&'a str> {
    let text = formula.trim();
    let text = text.strip_prefix("of:").unwrap_or(text);
    let text = text.strip_prefix('=').unwrap_or(text).trim();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    // Names of sheets may hold both characters; the last one ends the name.
    let Some((name, cell)) = text.rsplit_once(['!', '.']) else { return Some(text) };
    let name = name.strip_prefix('$').unwrap_or(name);
    let plain = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
    let name = plain.unwrap_or(name).replace("''", "'");
    (name.is_empty() || name.to_lowercase() == sheet.to_lowercase()).then_some(cell)
}

/// Address of a cell: `C7`.
pub(crate) fn cell_name(row: u32, column: u32) -> String {
    // Bijective base 26: AA follows Z, and there is no digit 0.
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
    fn a_reference_is_known_however_it_is_written() {
        let at = At { sheet: 0, row: 6, column: 13 };
        let refers = |formula: &str| {
            let cell =
                Cell { value: Value::Blank, formula: Some(Formula::Own(formula.to_string())) };
            let mut book = Book::default();
            book.add(Sheet::new("It's Ops", vec![((at.row, at.column), cell)]));
            book.refers_to(at, 22)
        };
        for formula in [
            "W7",
            "=W7",
            "$W7",
            "$W$7",
            " =w7",
            "'It''s Ops'!W7",
            "'it''s ops'!$W$7",
            "of:=[.W7]",
            "of:=[$'It''s Ops'.$W$7]",
        ] {
            assert!(refers(formula), "{formula}");
        }
        for formula in ["", "W8", "V7", "W7*1", "-W7", "Other!W7", "[1]Ops!W7", "W7:W7", "SUM(W7)"]
        {
            assert!(!refers(formula), "{formula}");
        }
    }

    #[test]
    fn shared_references_move_with_their_cells() {
        let refers = |formula: &str, row, column| {
            let cell = Cell { value: Value::Blank, formula: Some(Formula::Shared(3)) };
            let mut sheet = Sheet::new("Ops", vec![((row, column), cell)]);
            sheet.shared.insert(3, ((6, 13), formula.to_string()));
            let mut book = Book::default();
            book.add(sheet);
            book.refers_to(At { sheet: 0, row, column }, 22)
        };
        assert!(refers("W7", 6, 13) && refers("W7", 9, 13) && refers("$W7", 9, 13));
        assert!(refers("$W$7", 6, 13) && !refers("$W$7", 9, 13));
        assert!(!refers("W7", 6, 14) && !refers("W8", 6, 13));
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
