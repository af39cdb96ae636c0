//! Reads the cells of a CSV, formulas as they are written.

use super::book::{Book, Lines, Sheet};
use super::cells::{Cell, Formula, Value};
use crate::quantity::Decimals;
use crate::workbook_words::is;
use onnxray_import::csv_lines::Line;

/// The lines of a CSV as a book of one sheet. `separator` stood between their fields;
/// `headings` are those by which a line is known that names the columns below it.
pub(crate) fn read(lines: Vec<Line>, separator: char, headings: &[&str]) -> Book {
    let mut cells = Vec::new();
    let mut sheet_lines = Lines::default();
    for (row, line) in (0..).zip(lines) {
        sheet_lines.numbers.push(line.position.line);
        if line.fields.iter().any(|field| headings.iter().any(|heading| is(field, heading))) {
            sheet_lines.headers.push(row);
        }
        for (column, field) in (0..).zip(line.fields) {
            if field.is_empty() {
                continue;
            }
            let formula = field.strip_prefix('=').map(|formula| Formula::Own(formula.to_string()));
            // A CSV has no stored results of formulas.
            let value = if formula.is_some() { Value::Blank } else { Value::Text(field.into()) };
            cells.push(((row, column), Cell { value, formula }));
        }
    }
    let mut sheet = Sheet::new("", cells);
    sheet.lines = Some(sheet_lines);
    // Separated by semicolons where the comma is the decimal sign.
    if separator == ';' {
        sheet.decimals = Decimals::Comma;
    }
    let mut book = Book::default();
    book.add(sheet);
    book
}
