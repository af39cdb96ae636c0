//! Profiles of the Neural Engine and our own: one sheet with perf ratios,
//! operators and totals under each other, as CSV or saved as a workbook.
//!
//! The tables are read like those of other workbooks. What is special is that
//! the fields of some operators stand in other columns than their own.

use super::findings::Kind;
use super::grid::{At, Book, Cell, Formula, Lines, Sheet, Value, begins, is};
use super::inputs::Inputs;
use super::number::Decimals;
use super::operation::Scalar;
use super::targets::Row;
use crate::schema::workbook::heading;
use onnxray_format::profile_csv::OPERATOR_HEADER;
use onnxray_import::formats::neural_engine::{row, sheet};

/// Columns by which the tables of a CSV are known.
pub const KEYS: [&str; 2] = [heading::WEIGHT_SHAPE, heading::OPERATOR_NAME];

/// Columns of the target and of its perf ratio, counted from the weight shape.
const TARGET: u32 = 4;
const RATIO: u32 = 5;

/// Reads a CSV; `separator` stands between its fields.
pub fn csv(text: &str, separator: char) -> Book {
    let mut cells = Vec::new();
    let mut lines = Lines::default();
    for (row, line) in (0..).zip(sheet::lines(text, separator)) {
        lines.numbers.push(line.position.line);
        if line.fields.iter().any(|field| KEYS.iter().any(|key| is(field, key))) {
            lines.headers.push(row);
        }
        for (column, field) in (0..).zip(line.fields) {
            if field.is_empty() {
                continue;
            }
            let formula = field.strip_prefix('=').map(|formula| Formula::Own(formula.to_string()));
            let value = if formula.is_some() { Value::Blank } else { Value::Text(field.into()) };
            cells.push(((row, column), Cell { value, formula }));
        }
    }
    let mut found = Sheet::new("", cells);
    found.lines = Some(lines);
    if separator == ';' {
        found.decimals = Decimals::Comma;
    }
    let mut book = Book::default();
    book.add(found);
    book
}

/// Whether a table of operators is laid out as the Neural Engine's, which stands
/// on one sheet with the table of ratios or in a CSV.
pub fn is_table(book: &Book, table: At) -> bool {
    let Some(sheet) = book.sheet(table) else { return false };
    let same = |(column, name): (u32, &&str)| {
        let text = sheet.cells.get((table.row, column)).and_then(Cell::text).unwrap_or_default();
        is(text, name) || is(&text.replace("perf", "pref"), name)
    };
    let totals = || sheet.find_begins("total latency").next().is_some();
    let ratios = || sheet.find(heading::WEIGHT_SHAPE).any(|(row, _)| row < table.row);
    (0..).zip(OPERATOR_HEADER.iter()).all(same) && (ratios() || totals())
}

/// The rows of a table of operators.
pub fn rows(inputs: &mut Inputs, table: At) -> Vec<Row> {
    let book = inputs.book;
    let Some(sheet) = book.sheet(table) else { return Vec::new() };
    let mut rows = Vec::new();
    for number in sheet.rows(table.row.saturating_add(1)) {
        let at = table.row(number);
        let last = sheet.row(number).map(|(column, _)| column).last().unwrap_or(0);
        let fields: Vec<String> =
            (0..=last.min(64)).map(|column| field(book, at.column(column))).collect();
        if fields.iter().any(|field| begins(field, "total latency")) {
            break;
        }
        match row::row(&fields) {
            Some(row) => {
                let weight = row.weight_column as u32;
                rows.push(Row {
                    name: row.name,
                    target: at.column(weight + TARGET),
                    ratio: Some(at.column(weight + RATIO)),
                });
            }
            None if fields.iter().all(|field| field.trim().is_empty()) => {}
            None => {
                let place = book.place(at.column(0));
                inputs.gather.findings.note(Kind::LeftOut, || {
                    format!("{place}: no row of operators by its types of tensors; it is left out")
                });
            }
        }
    }
    rows
}

/// A cell as the CSV has it.
fn field(book: &Book, at: At) -> String {
    let Some(cell) = book.cell(at) else { return String::new() };
    match (&cell.formula, &cell.value) {
        (Some(_), _) => "=".to_string(),
        (None, Value::Number(number)) => number.to_string(),
        (None, Value::Text(text)) => text.trim().to_string(),
        (None, Value::Truth(truth)) => Scalar::Truth(*truth).to_string(),
        (None, Value::Blank | Value::Date | Value::Error(_)) => String::new(),
    }
}
