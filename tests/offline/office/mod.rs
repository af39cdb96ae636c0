//! LibreOffice and openpyxl: programs that change workbooks as users do, and the
//! values that stand in a workbook afterwards.

pub(crate) mod edits;
pub(crate) mod tables;

use crate::program::{Place, python};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// One workbook to open, change and save; the scripts describe the edits.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// File names within the place.
    pub open: String,
    pub edits: Vec<Value>,
    pub save: String,
}

impl Job {
    pub(crate) fn new(open: &str, edits: Vec<Value>, save: &str) -> Job {
        Job { open: open.to_string(), edits, save: save.to_string() }
    }
}

/// What stands in a cell, as a spreadsheet computes with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Cell {
    #[default]
    Empty,
    /// Truth values are 1 and 0.
    Number(f64),
    Text(String),
    Error(String),
}

impl Cell {
    /// Whether they hold the same, numbers to 1e-9 of the larger one, milliseconds
    /// below a thousandth to 1e-12.
    pub(crate) fn agrees(&self, other: &Cell) -> bool {
        match (self, other) {
            (Cell::Number(a), Cell::Number(b)) => {
                // A difference of figures is as exact as the figures are.
                (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3)
            }
            (Cell::Error(_), _) | (_, Cell::Error(_)) => false,
            _ => self == other,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Cell::Text(text) => text,
            _ => "",
        }
    }
}

/// The cells of a sheet, by row and column from 0.
pub(crate) type Rows = Vec<Vec<Cell>>;
/// By name.
pub(crate) type Sheets = BTreeMap<String, Rows>;

/// Has LibreOffice do the jobs, one after the other, and returns what it computes
/// in each.
pub(crate) fn libreoffice(place: &Place, jobs: &[Job]) -> Vec<Sheets> {
    // Not the interpreter of the other packages: LibreOffice comes with its own, or for the
    // system's.
    let python = std::env::var("ONNXRAY_OFFICE_PYTHON");
    let python = python.unwrap_or_else(|_| "/usr/bin/python3".to_string());
    run(place, &python, "spreadsheet.py", jobs);
    let cells = |job: &Job| {
        let text = std::fs::read(place.path(&values_of(job))).unwrap();
        let sheets: Vec<Value> = serde_json::from_slice(&text).unwrap();
        sheets.iter().map(sheet).collect()
    };
    jobs.iter().map(cells).collect()
}

/// Has openpyxl do the jobs; it computes nothing.
pub(crate) fn openpyxl(place: &Place, jobs: &[Job]) {
    run(place, &python(), "openpyxl_edit.py", jobs);
}

fn values_of(job: &Job) -> String {
    format!("{}.values.json", job.save)
}

fn run(place: &Place, python: &str, script: &str, jobs: &[Job]) {
    let list: Vec<Value> = jobs
        .iter()
        .map(|job| {
            json!({"open": job.open, "edits": job.edits, "save": job.save,
                   "cells": values_of(job)})
        })
        .collect();
    let list = place.write("jobs.json", json!(list).to_string().as_bytes());
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/offline/office").join(script);
    let mut command = Command::new(python);
    // LibreOffice reads and writes numbers as its user's country does.
    command.env("LC_ALL", "C.UTF-8");
    command.arg("-B").arg(script).arg(list).current_dir(place.path(""));
    let output = command.output().unwrap_or_else(|error| panic!("{python}: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn sheet(value: &Value) -> (String, Rows) {
    let rows = value["rows"].as_array().unwrap().iter();
    let rows = rows.map(|row| row.as_array().unwrap().iter().map(cell).collect()).collect();
    (value["name"].as_str().unwrap().to_string(), rows)
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::String(text) if text.is_empty() => Cell::Empty,
        Value::String(text) => Cell::Text(text.clone()),
        Value::Number(number) => Cell::Number(number.as_f64().unwrap()),
        Value::Object(error) => Cell::Error(error["error"].as_str().unwrap().to_string()),
        other => panic!("{other}"),
    }
}

/// The values as they stand in a file, computed by whoever wrote it.
pub(crate) fn written(file: &Path) -> Sheets {
    use calamine::{Data, Reader, Xlsx, open_workbook};
    let mut workbook: Xlsx<_> =
        open_workbook(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let cell = |value: &Data| match value {
        Data::Empty => Cell::Empty,
        Data::String(text) if text.is_empty() => Cell::Empty,
        Data::String(text) => Cell::Text(text.clone()),
        Data::Float(number) => Cell::Number(*number),
        Data::Int(number) => Cell::Number(*number as f64),
        Data::Bool(truth) => Cell::Number(f64::from(u8::from(*truth))),
        Data::Error(error) => Cell::Error(error.to_string()),
        other => panic!("{other:?} in {}", file.display()),
    };
    let names = workbook.sheet_names();
    let sheets = names.into_iter().map(|name| {
        let range = workbook.worksheet_range(&name).unwrap();
        let (top, left) = range.start().unwrap_or_default();
        let mut rows = vec![Vec::new(); top as usize];
        for row in range.rows() {
            let before = vec![Cell::Empty; left as usize];
            rows.push(before.into_iter().chain(row.iter().map(cell)).collect());
        }
        (name, rows)
    });
    sheets.collect()
}

/// The name of a place: `C7` for row 6 and column 2.
pub(crate) fn address(row: usize, column: usize) -> String {
    format!("{}{}", letters(column), row + 1)
}

pub(crate) fn letters(mut column: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.insert(0, char::from(b'A' + (column % 26) as u8));
        match (column / 26).checked_sub(1) {
            Some(rest) => column = rest,
            None => return letters.into_iter().collect(),
        }
    }
}
