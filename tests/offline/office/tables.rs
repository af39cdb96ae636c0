//! Workbooks compared: cell by cell where both are laid out alike, and by the
//! names of rows and columns where one was rearranged.

use super::edits::{OPERATORS, PLAN, TARGET, TYPES, find};
use super::{Cell, Rows, Sheets, address};
use serde_json::Value;
use std::collections::BTreeMap;

/// Tables with figures: sheet, and heading of the column that names the rows.
const TABLES: [(&str, &str); 8] = [
    (OPERATORS, "operator name"),
    ("Projected total", "Figure"),
    (TYPES, "operator type"),
    ("By sparsity", "whole model"),
    ("By sparsity", "operator type"),
    ("By sparsity", "weight shape"),
    (PLAN, "model"),
    (PLAN, "operator name"),
];

/// Columns that say where something else stands, or what the analyzer chose.
const PLACES: [&str; 5] = ["type number", "group", "setting row", "planned sparsity", "why"];

/// Every cell in which two versions of a workbook differ.
pub(crate) fn differences(ours: &Sheets, theirs: &Sheets) -> Vec<String> {
    let names = |sheets: &Sheets| sheets.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(ours), names(theirs));
    let mut differences = Vec::new();
    for (name, rows) in ours {
        let other = &theirs[name];
        for row in 0..rows.len().max(other.len()) {
            let width = |rows: &[Vec<_>]| rows.get(row).map_or(0, Vec::len);
            for column in 0..width(rows).max(width(other)) {
                let [mine, other] = [rows, other].map(|rows| {
                    rows.get(row).and_then(|row| row.get(column)).cloned().unwrap_or_default()
                });
                if !mine.agrees(&other) {
                    let place = address(row, column);
                    differences.push(format!("'{name}'!{place}: {mine:?} and {other:?}"));
                }
            }
        }
    }
    differences
}

pub(crate) fn assert_same(ours: &Sheets, theirs: &Sheets, what: &str) {
    fail_if_any(&differences(ours, theirs), what);
}

/// Compares the figures of a workbook that was edited, and maybe rearranged, with
/// those of one that was written afresh from its settings.
pub(crate) fn assert_same_figures(fresh: &Sheets, edited: &Sheets, what: &str) {
    let mut differences = Vec::new();
    let mut compared = 0;
    for (sheet, key) in TABLES {
        let found = table(&edited[sheet], key);
        for (name, expected) in table(&fresh[sheet], key) {
            let Some(row) = found.get(&name) else {
                differences.push(format!("'{sheet}': no row {name:?}"));
                continue;
            };
            // Levels that somebody added are there as well.
            let level = |heading: &&String| heading.parse::<f64>().is_ok();
            for heading in row.keys().filter(level) {
                if !expected.contains_key(heading) {
                    differences.push(format!("'{sheet}': no level {heading} in the fresh one"));
                }
            }
            for (column, (place, expected)) in expected {
                if PLACES.contains(&column.as_str()) {
                    continue;
                }
                let Some((there, cell)) = row.get(&column) else {
                    differences.push(format!("'{sheet}': no column {column:?}"));
                    continue;
                };
                compared += 1;
                if !expected.agrees(&target_of(&column, cell, &expected)) {
                    differences.push(format!(
                        "'{sheet}'!{there} ({column:?} of {name:?}): {cell:?}; in the fresh one, \
                         {place}: {expected:?}"
                    ));
                }
            }
        }
    }
    assert!(compared > 100, "{what}: only {compared} cells compared");
    fail_if_any(&differences, what);
}

/// Keys of the JSON's totals, and what the workbook calls them.
const TOTALS: [(&str, &str); 14] = [
    ("total_latency_ms", "total latency (ms)"),
    ("projected_total_latency_ms", "projected total latency (ms)"),
    ("sparse_support_latency_ms", "sparse support latency (ms)"),
    ("projected_sparse_support_latency_ms", "projected sparse support latency (ms)"),
    ("sparse_support_share", "sparse support share"),
    ("projected_sparse_support_share", "projected sparse support share"),
    ("speedup", "speedup"),
    ("items_per_second", "items per second"),
    ("projected_items_per_second", "projected items per second"),
    ("operators_ms", "operators (ms)"),
    ("projected_operators_ms", "projected operators (ms)"),
    ("concurrent_ms", "concurrent (ms)"),
    ("projected_concurrent_ms", "projected concurrent (ms)"),
    ("overhead_ms", "framework overhead (ms)"),
];

/// A table of the program's JSON: its name, the field that names a row, and which
/// table of the workbook it is, with the columns of both.
type Printed = (&'static str, &'static str, usize, &'static [(&'static str, &'static str)]);

const PRINTED: [Printed; 3] = [
    (
        "projected_operators",
        "name",
        0,
        &[
            ("target", TARGET),
            ("perf_ratio", "perf ratio"),
            ("latency_ms", "operator latency (ms)"),
            ("projected_ms", "projected latency (ms)"),
            ("projected_low_ms", "projected latency, low (ms)"),
            ("projected_high_ms", "projected latency, high (ms)"),
            ("projection", "projection"),
            ("origin", "origin of the perf ratio"),
        ],
    ),
    ("projection", "figure", 1, &[("value", "Value"), ("low", "Low"), ("high", "High")]),
    (
        "projected_types",
        "type",
        2,
        &[
            ("share", "share"),
            ("latency_ms", "latency (ms)"),
            ("projected_ms", "projected latency (ms)"),
            ("projected_low_ms", "low (ms)"),
            ("projected_high_ms", "high (ms)"),
            ("speedup", "speedup"),
        ],
    ),
];

/// Compares what the program prints as JSON with the figures of a workbook.
pub(crate) fn assert_printed(printed: &Value, sheets: &Sheets, what: &str) {
    let mut differences = Vec::new();
    for (list, named, number, fields) in PRINTED {
        let (sheet, key) = TABLES[number];
        let found = table(&sheets[sheet], key);
        let rows = printed[list].as_array().unwrap_or_else(|| panic!("no {list}"));
        assert!(!rows.is_empty(), "{list}");
        for row in rows {
            let key = row[named].as_str().unwrap();
            let label = TOTALS.iter().find(|(total, _)| list == "projection" && *total == key);
            let name = &in_cell(label.map_or(key, |(_, label)| label));
            let Some(cells) = found.get(&(name.to_string(), 0)) else {
                differences.push(format!("'{sheet}': no row {name:?}"));
                continue;
            };
            for (field, heading) in fields {
                compare(&row[*field], &cells[*heading], (sheet, heading, name), &mut differences);
            }
        }
    }
    let (sheet, key) = TABLES[3];
    let found = table(&sheets[sheet], key);
    for level in printed["levels"].as_array().expect("levels") {
        let heading = level["sparse_ratio"].as_f64();
        let heading = heading.map_or("Baseline ms".to_string(), |level| format!("{level:.9}"));
        for (field, name) in [
            ("latency_ms", "total latency (ms)"),
            ("latency_low_ms", "low"),
            ("latency_high_ms", "high"),
            ("speedup", "speedup"),
            ("items_per_second", "items per second"),
        ] {
            let cell = &found[&(name.to_string(), 0)][&heading];
            compare(&level[field], cell, (sheet, &heading, name), &mut differences);
        }
    }
    fail_if_any(&differences, what);
}

/// A name as its cell has it: white space around it is seen.
fn in_cell(name: &str) -> String {
    let trimmed = name.trim_matches(' ');
    let (before, behind) = name.split_once(trimmed).unwrap();
    let [before, behind] = [before, behind].map(|space| space.replace(' ', "\\u{20}"));
    format!("{before}{trimmed}{behind}")
}

/// A cell; but 0 for a target that was emptied, where there is one at all, and the number that
/// a user typed as text.
fn target_of(heading: &str, cell: &Cell, expected: &Cell) -> Cell {
    match (heading, cell, expected) {
        (TARGET, Cell::Empty, Cell::Number(_)) => Cell::Number(0.0),
        (TARGET | "override", Cell::Text(text), Cell::Number(_)) => {
            let text = text.trim().trim_end_matches("(settable)").trim_end().replace(',', ".");
            let number = |text: &str| text.trim_end().parse::<f64>().unwrap();
            Cell::Number(match text.strip_suffix('%') {
                Some(percent) => number(percent) / 100.0,
                None => number(&text),
            })
        }
        _ => cell.clone(),
    }
}

fn compare(
    printed: &Value,
    (place, cell): &(String, Cell),
    (sheet, heading, name): (&str, &str, &str),
    differences: &mut Vec<String>,
) {
    let same = match printed {
        Value::Number(number) => {
            let number = Cell::Number(number.as_f64().unwrap());
            number.agrees(&target_of(heading, cell, &number))
        }
        Value::String(text) => cell.text() == text,
        // What is unknown is not printed.
        Value::Null => *cell == Cell::Empty || cell.text() == "–",
        other => panic!("{other}"),
    };
    if !same {
        differences.push(format!(
            "'{sheet}'!{place} ({heading:?} of {name:?}): {cell:?}; printed is {printed}"
        ));
    }
}

fn fail_if_any(differences: &[String], what: &str) {
    let shown = differences[..differences.len().min(20)].join("\n");
    assert!(differences.is_empty(), "{what}: {} cells differ\n{shown}", differences.len());
}

/// A row's name, and how many of that name stand above it.
type RowName = (String, usize);
/// By heading: place and content.
type Cells = BTreeMap<String, (String, Cell)>;

/// The rows below a heading, up to the first that has no name, by name.
fn table(rows: &Rows, key: &str) -> BTreeMap<RowName, Cells> {
    let (header, named) = find(rows, key);
    let headings = rows[header].iter().enumerate().filter_map(|(column, cell)| match cell {
        Cell::Empty | Cell::Error(_) => None,
        Cell::Text(text) => Some((column, text.clone())),
        // Levels as they were typed, whatever became of their last digits.
        Cell::Number(level) => Some((column, format!("{level:.9}"))),
    });
    let headings: Vec<(usize, String)> = headings.collect();
    let mut named_so_far: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    let mut blanks = 0;
    for (number, row) in rows.iter().enumerate().skip(header + 1) {
        let name = match row.get(named) {
            Some(Cell::Text(name)) => name.clone(),
            // A row of the user's own.
            _ if blanks == 0 => {
                blanks += 1;
                continue;
            }
            _ => break,
        };
        blanks = 0;
        let count = named_so_far.entry(name.clone()).or_default();
        let cells = headings.iter().map(|(column, heading)| {
            let cell = row.get(*column).cloned().unwrap_or_default();
            (heading.clone(), (address(number, *column), cell))
        });
        found.insert((name, *count), cells.collect());
        *count += 1;
    }
    found
}
