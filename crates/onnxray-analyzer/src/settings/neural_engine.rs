//! The table of operators in profiles of the Neural Engine and our own, which have
//! perf ratios, operators and totals under each other on one sheet.
//!
//! The tables are read like those of other workbooks, but fields of some operators are shifted
//! to other columns than their own.

use super::findings::Kind;
use super::inputs::{Inputs, TargetCells};
use crate::spreadsheet::{At, Book, Cell, Value};
use crate::workbook_words::{begins, heading, is};
use onnxray_format::profile_csv::{OPERATOR_HEADER, OperatorColumns};

/// True for a table laid out as the Neural Engine's: in a CSV, or on one sheet with the ratios.
pub(crate) fn is_table(book: &Book, table: At) -> bool {
    let Some(sheet) = book.sheet(table) else { return false };
    let same = |(column, name): (u32, &&str)| {
        let text = sheet.cells.get((table.row, column)).and_then(Cell::text).unwrap_or_default();
        // As the Neural Engine misspells it.
        is(text, name) || is(&text.replace("pref", "perf"), name)
    };
    let totals = || sheet.find_begins(heading::TOTAL_LATENCY).next().is_some();
    let ratios = || sheet.find(heading::WEIGHT_SHAPE).any(|(row, _)| row < table.row);
    (0..).zip(OPERATOR_HEADER.iter()).all(same) && (ratios() || totals())
}

/// The rows of a table of operators.
pub(crate) fn rows(inputs: &mut Inputs, table: At) -> Vec<TargetCells> {
    let book = inputs.book;
    let Some(sheet) = book.sheet(table) else { return Vec::new() };
    let mut rows = Vec::new();
    for number in sheet.rows(table.row.saturating_add(1)) {
        let at = table.row(number);
        let last = sheet.row(number).map(|(column, _)| column).last().unwrap_or(0);
        let fields: Vec<String> =
            (0..=last.min(64)).map(|column| field(book, at.column(column))).collect();
        if fields.iter().any(|field| begins(field, heading::TOTAL_LATENCY)) {
            break;
        }
        match OperatorColumns::of(&fields) {
            Some(columns) => rows.push(TargetCells {
                target: at.column(columns.target() as u32),
                ratio: Some(at.column(columns.perf_ratio() as u32)),
                name: columns.name(&fields),
            }),
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
        (None, truth @ Value::Truth(_)) => truth.to_string(),
        (None, Value::Blank | Value::Date | Value::Error(_)) => String::new(),
    }
}
