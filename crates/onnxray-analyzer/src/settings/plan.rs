//! The plan: its bounds beside their labels, and levels that are fixed.

use super::findings;
use super::gather::Named;
use super::inputs::{Bad, Inputs, Kind, beside, column};
use super::point;
use crate::quantity::Quantity;
use crate::spreadsheet::At;
use crate::workbook_words::{from_cell, heading, sheet};

/// Reads what the file says about the plan.
pub(crate) fn read(inputs: &mut Inputs) {
    let book = inputs.book;
    let other = format!("\"{}\"", heading::OVERRIDE);
    let kind = Kind { sheet: sheet::PLAN, words: heading::OPERATOR_NAME, other: &other };
    let is_table = |at| column(book, at, heading::OVERRIDE).is_some();
    let tables = match kind.tables(inputs, is_table) {
        Ok(tables) => tables,
        Err(what) => return inputs.gather.problem("plan", &what),
    };
    let Some(first) = tables.first() else {
        if inputs.book.sheets.len() < 2 {
            return; // no workbook of ours, and not expected to have one
        }
        inputs.gather.findings.note(findings::Kind::Single, || {
            format!(
                "no plan: no sheet has the columns \"{}\" and \"{}\" (\"{}\" should)",
                heading::OPERATOR_NAME,
                heading::OVERRIDE,
                sheet::PLAN
            )
        });
        return;
    };
    // A problem was noted down, and the rest is still looked at.
    let _ = read_bounds(inputs, *first);
    for table in tables {
        read_overrides(inputs, table);
    }
}

fn read_bounds(inputs: &mut Inputs, table: At) -> Result<(), Bad> {
    let level = |inputs: &mut Inputs, words: &str| match label(inputs, table, words) {
        Some(at) => Ok(inputs.quantity(at, Quantity::SparseRatio)?.map(|level| (level, at))),
        None => Ok(None),
    };
    let truth = |inputs: &mut Inputs, words: &str| match label(inputs, table, words) {
        Some(at) => inputs.truth(at),
        None => Ok(None),
    };
    let budget = level(inputs, "budget");
    let minimum = level(inputs, heading::MINIMUM);
    let maximum = level(inputs, heading::MAXIMUM);
    let balance = match label(inputs, table, "balance") {
        Some(at) => inputs.quantity(at, Quantity::Share),
        None => Ok(None),
    };
    let max_loss = match label(inputs, table, heading::MAX_LOSS) {
        Some(at) => inputs.quantity(at, Quantity::Loss),
        None => Ok(None),
    };
    let first = truth(inputs, heading::PRUNE_FIRST);
    let grouped = truth(inputs, heading::PRUNE_GROUPED);
    let value = |bound: Option<(f64, At)>| bound.map(|(level, _)| level);
    let plan = &mut inputs.gather.given.plan;
    plan.budget = value(budget?);
    plan.minimum = value(minimum?);
    plan.maximum = value(maximum?);
    plan.balance = balance?;
    plan.max_loss = max_loss?;
    plan.first = first?;
    plan.grouped = grouped?;
    let at = minimum?.map(|(_, at)| at);
    match (point::check_bounds(plan), at) {
        (Err(what), Some(at)) => Err(inputs.problem(at, &what)),
        _ => Ok(()),
    }
}

/// The cell beside a label above the table.
fn label(inputs: &Inputs, table: At, words: &str) -> Option<At> {
    let mut labels = inputs.book.sheet(table)?.find_begins(words);
    let (row, column) = labels.next().filter(|(row, _)| *row < table.row)?;
    Some(beside(inputs.book, At { row, column, ..table }))
}

fn read_overrides(inputs: &mut Inputs, table: At) {
    let book = inputs.book;
    let (Some(sheet), Some(fixed)) = (book.sheet(table), column(book, table, heading::OVERRIDE))
    else {
        return;
    };
    for row in sheet.rows(table.row.saturating_add(1)) {
        let (name, fixed) = (table.row(row), table.row(row).column(fixed));
        let Ok(level) = inputs.quantity(fixed, Quantity::SparseRatio) else { continue };
        match (inputs.text(name), level) {
            (Ok(Some(name)), Some(level)) => {
                let name = from_cell(&name);
                inputs.gather.level(Named::Override, &name, Some(level), book.place(fixed));
            }
            (Ok(None), Some(_)) => {
                inputs.problem(fixed, "an override in a row without an operator name");
            }
            _ => {}
        }
    }
}
