//! The table of patterns in a workbook: its sums are computed from the table of operators.

use super::{KEY, PER_EXECUTION};
use crate::content::recording::operators::{MEAN, PATTERN, SUMS, TOTAL};
use crate::document::{Block, Cell, Document, Table, quotient};
use std::collections::HashMap;

/// Rows of operators that all sums of a column look at: more take a spreadsheet longer than a
/// minute.
const MOST: usize = 20_000_000;

/// Computes patterns from operators, which are a table of the same workbook.
pub(in crate::content::recording) fn compute(document: &mut Document, operators_key: &str) {
    let Some(operators) = document.table(operators_key).cloned() else { return };
    for block in &mut document.blocks {
        match block {
            Block::Table(table) if table.key == KEY && table.len() * operators.len() <= MOST => {
                *table = live(table.clone(), &operators);
            }
            _ => {}
        }
    }
}

fn live(table: Table, operators: &Table) -> Table {
    let numbers = |table: &Table| -> Vec<Option<u64>> {
        let cells = table.column(PATTERN).map_or(&[][..], |column| &column.cells[..]);
        let number = |cell: &Cell| match cell {
            Cell::Whole(number) => Some(*number),
            _ => None,
        };
        cells.iter().map(number).collect()
    };
    let patterns = numbers(&table);
    let mut members: HashMap<u64, Vec<usize>> = HashMap::new();
    for (row, number) in numbers(operators).into_iter().enumerate() {
        members.entry(number.unwrap_or(u64::MAX)).or_default().push(row);
    }
    let table = SUMS.into_iter().fold(table, |table, key| {
        // A time too short to tell is a text, which no formula adds up.
        let is_number = |&row: &usize| operators.value(key, row).as_number().is_some();
        let are_numbers = |row: usize| {
            let members = patterns.get(row).copied().flatten().and_then(|one| members.get(&one));
            members.is_some_and(|members| members.iter().all(is_number))
        };
        // By number: a name has `*`, which conditions take for any text.
        let sum = format!("=SUMIF([!operators.{PATTERN}],[{PATTERN}],[!operators.{key}])");
        table.computing(key, |row| are_numbers(row).then(|| sum.clone()))
    });
    let (time, runs) = match table.column(MEAN).is_some_and(|means| means.sum() > 0.0) {
        true => (MEAN, "executions"),
        false => (TOTAL, "calls"),
    };
    let is_known = [time, runs].map(|key| {
        let cells = table.column(key).map_or(&[][..], |column| &column.cells[..]);
        cells.iter().map(|cell| cell.as_number().is_some()).collect::<Vec<bool>>()
    });
    let per_run = format!("={}", quotient(&format!("[{time}]"), &format!("[{runs}]")));
    table.computing(PER_EXECUTION, |row| {
        is_known.iter().all(|known| known.get(row) == Some(&true)).then(|| per_run.clone())
    })
}
