//! Targets: of the model, of operator types and of operators.

use super::findings;
use super::gather::Named;
use super::inputs::{Inputs, Kind, MOST_TABLES, TargetCells, beside, column};
use super::neural_engine;
use crate::quantity::Quantity;
use crate::spreadsheet::At;
use crate::workbook_words::{from_cell, heading, is, sheet};

/// Reads all targets that the file has.
pub(crate) fn read(inputs: &mut Inputs) {
    read_model(inputs);
    read_types(inputs);
    read_operators(inputs);
}

/// The target beside its label, on any sheet.
fn read_model(inputs: &mut Inputs) {
    let book = inputs.book;
    let mut labels: Vec<At> = Vec::new();
    for (sheet, cells) in book.sheets.iter().enumerate() {
        let places = cells.find_begins(heading::MODEL_TARGET);
        labels.extend(places.map(|(row, column)| At { sheet, row, column }));
    }
    if labels.len() > MOST_TABLES {
        let what = format!("{} cells say \"{}\"", labels.len(), heading::MODEL_TARGET);
        return inputs.gather.problem("target", &what);
    }
    let mut first: Option<(f64, At)> = None;
    for label in labels {
        let at = beside(book, label);
        let Ok(target) = inputs.quantity(at, Quantity::SparseRatio) else { continue };
        let place = book.place(at);
        if target.is_none() {
            // The workbook's formulas take an empty cell as 0.
            inputs.gather.findings.note(findings::Kind::Single, || {
                format!("{place}: empty, so that operators without a target are left dense")
            });
        }
        let target = target.unwrap_or(0.0);
        match first {
            Some((earlier, other)) if earlier != target => {
                let what = format!("another target of all operators than in {}", book.place(other));
                inputs.problem(at, &what);
            }
            _ => first = Some((target, at)),
        }
        inputs.gather.given.targets.model = Some(target);
    }
}

fn read_types(inputs: &mut Inputs) {
    let book = inputs.book;
    let of_types = |at: At| {
        column(book, at, heading::OPERATOR_NAME).is_none()
            && column(book, at, heading::TARGET).is_some()
    };
    for table in
        tables(inputs, sheet::TYPES, heading::OPERATOR_TYPE, "targets of operator types", of_types)
    {
        let (Some(sheet), Some(target)) = (book.sheet(table), column(book, table, heading::TARGET))
        else {
            continue;
        };
        for row in sheet.rows(table.row.saturating_add(1)) {
            let (name, target) = (table.row(row), table.row(row).column(target));
            let Ok(Some(name)) = inputs.text(name) else { continue };
            if ends(&name) {
                break;
            }
            if is(&name, heading::TOTAL) {
                if !book.is_blank(target) {
                    inputs.gather.findings.note(findings::Kind::LeftOut, || {
                        format!("{}: a target of the total is left out", book.place(target))
                    });
                }
                continue;
            }
            if let Ok(Some(level)) = inputs.quantity(target, Quantity::SparseRatio) {
                let name = from_cell(&name);
                inputs.gather.level(Named::Type, &name, Some(level), book.place(target));
            }
        }
    }
}

/// True at the header of the next table.
fn ends(text: &str) -> bool {
    is(text, heading::OPERATOR_TYPE)
        || is(text, heading::OPERATOR_NAME)
        || is(text, heading::WEIGHT_SHAPE)
}

fn read_operators(inputs: &mut Inputs) {
    let book = inputs.book;
    let has_targets = |at: At| column(book, at, heading::TARGET).is_some();
    for table in tables(
        inputs,
        sheet::OPERATORS,
        heading::OPERATOR_NAME,
        "targets of operators",
        has_targets,
    ) {
        let rows = match neural_engine::is_table(book, table) {
            true => neural_engine::rows(inputs, table),
            false => rows(inputs, table),
        };
        let inherited = column(book, table, heading::INHERITED_TARGET);
        // Pasted as values, the workbook has no formulas: a filled cell then marks what can be set.
        let formulas = rows.iter().filter_map(|row| row.ratio).any(|at| book.has_formula(at));
        for row in rows {
            let settable = row.ratio.map(|ratio| match (formulas, inherited) {
                (true, _) => book.has_formula(ratio),
                // Nor has a model without prunable operators.
                (false, Some(column)) => !book.is_blank(row.target.column(column)),
                (false, None) => !book.is_blank(ratio),
            });
            read_operator(inputs, &row, settable, inherited);
        }
    }
}

/// The rows of a table, by its headings.
fn rows(inputs: &mut Inputs, table: At) -> Vec<TargetCells> {
    let book = inputs.book;
    let (Some(sheet), Some(target)) = (book.sheet(table), column(book, table, heading::TARGET))
    else {
        return Vec::new();
    };
    let ratio = ["perf ratio", "sparse kernel perf ratio", "sparse kernel pref ratio"];
    let ratio = ratio.iter().find_map(|words| column(book, table, words));
    let mut rows = Vec::new();
    for row in sheet.rows(table.row.saturating_add(1)) {
        let at = table.row(row);
        let target = at.column(target);
        match inputs.text(at) {
            Ok(Some(name)) if ends(&name) => break,
            Ok(Some(name)) => {
                rows.push(TargetCells {
                    name: from_cell(&name),
                    target,
                    ratio: ratio.map(|column| at.column(column)),
                });
            }
            Ok(None) => {
                if !book.has_formula(target) && !book.is_blank(target) {
                    inputs.problem(target, "a target in a row without an operator name");
                }
            }
            Err(_) => {}
        }
    }
    rows
}

/// The target of one operator; `settable` is `None` if unknown, as in a profile as CSV.
fn read_operator(
    inputs: &mut Inputs,
    row: &TargetCells,
    settable: Option<bool>,
    inherited: Option<u32>,
) {
    let book = inputs.book;
    let place = || book.place(row.target);
    if book.is_blank(row.target) {
        if settable == Some(true) {
            // The formulas take an empty cell as 0.
            inputs.gather.findings.note(findings::Kind::Emptied, || {
                format!("{}: empty, so that the operator is left dense", place())
            });
            inputs.gather.level(Named::Operator, &row.name, Some(0.0), place());
        }
        return;
    }
    if inherited.is_some_and(|column| book.refers_to(row.target, column)) {
        inputs.gather.level(Named::Operator, &row.name, None, place());
    } else if let Ok(Some(level)) = inputs.quantity(row.target, Quantity::SparseRatio) {
        inputs.gather.level(Named::Operator, &row.name, Some(level), place());
    }
}

/// Tables with certain headings; they may be missing, with a note.
fn tables(
    inputs: &mut Inputs,
    sheet: &str,
    words: &str,
    what: &str,
    is_table: impl Fn(At) -> bool,
) -> Vec<At> {
    let other = format!("\"{}\"", heading::TARGET);
    match (Kind { sheet, words, other: &other }).tables(inputs, is_table) {
        Ok(tables) => {
            // A single sheet is not a workbook of ours, and is not expected to have it.
            if tables.is_empty() && inputs.book.sheets.len() > 1 {
                inputs.gather.findings.note(findings::Kind::Single, || {
                    format!(
                        "no {what}: no sheet has the columns \"{words}\" and {other} \
                         (\"{sheet}\" should)"
                    )
                });
            }
            tables
        }
        Err(problem) => {
            inputs.gather.problem(what, &problem);
            Vec::new()
        }
    }
}
