//! The workbook of a projection: settings to edit, and every figure that follows
//! from them as a formula that carries the value the analyzer computed.
//!
//! Sheets name their rows and columns in headers, by which edited workbooks are
//! read again. Names from traces are written as strings: none becomes a formula.

mod headline;
mod inputs;
mod levels;
mod notes;
mod plan;
mod profile;
mod ratios;
mod tables;

use super::address::on;
use super::page::{Page, Written};
use super::sheet::Styles;
use crate::content::projection::Model;
use crate::error::ReportError;
use crate::xlsx::whole::write_whole;
use onnxray_analyzer::projection::{Plan, Projection};
use onnxray_analyzer::statistics::Summary;
use onnxray_analyzer::workbook::sheet;
use onnxray_failsafe::OutputFile;
use rust_xlsxwriter::{Workbook, XlsxError};
use tables::Tables;

/// Writes a projection as a workbook. An existing file is replaced once the new
/// one is whole.
///
/// # Errors
/// If the file cannot be written, or a sheet has no room for the model.
pub fn write_projection<'a>(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    let model = Model::new(summary, projection);
    write_whole(file.into(), || build(&Tables::new(&model, plan)))
}

type WriteSheet = fn(&mut Page, &Tables) -> Written;

fn build(tables: &Tables) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let places = tables.places();
    let sheets: [(&str, WriteSheet); 7] = [
        (sheet::RATIOS, ratios::write),
        (sheet::OPERATORS, profile::operators),
        (sheet::TOTALS, profile::totals),
        (sheet::TYPES, profile::types),
        (sheet::LEVELS, levels::write),
        (sheet::PLAN, plan::write),
        (sheet::NOTES, notes::write),
    ];
    for (name, write) in sheets {
        let mut page = Page::new(&mut workbook, name, &styles, &places)?;
        page.is_read = true;
        write(&mut page, tables)?;
        page.finish()?;
    }
    for (name, place) in NAMES {
        workbook.define_name(name, &places.formula(&format!("=[!{place}]"), None)?)?;
    }
    let inputs = [("model_target", ratios::MODEL_TARGET), ("ratio_block", ratios::BLOCK)];
    for (name, (row, column)) in inputs {
        workbook.define_name(name, &format!("={}", on(sheet::RATIOS, row, column)))?;
    }
    Ok(workbook)
}

/// The names that formulas use, and what they stand for.
const NAMES: [(&str, &str); 9] = [
    ("ratio_keys", "ratios.key"),
    ("ratio_below", "ratios.below"),
    ("ratio_levels", "ratios.point_level"),
    ("ratio_values", "ratios.point_ratio"),
    ("ratio_lows", "ratios.point_low"),
    ("ratio_highs", "ratios.point_high"),
    ("ratio_origins", "ratios.point_origin"),
    ("type_numbers", "types.type_number"),
    ("type_targets", "types.target"),
];
