//! The workbook of a projection: settings to edit, and every figure that follows
//! from them as a formula that carries the value the analyzer computed.
//!
//! Sheets name their rows and columns in headers, by which edited workbooks are
//! read again. Names from traces are written as strings: none becomes a formula.

mod columns;
mod context;
mod groups;
mod headline;
mod inputs;
mod levels;
mod look;
mod lookup;
mod notes;
mod operators;
mod plan;
mod points;
mod ratios;
mod totals;
mod types;

use super::page::{Numbers, Page, Written};
use super::sheet::Styles;
use crate::error::ReportError;
use crate::xlsx::whole::write_whole;
use context::{Context, Groups, Sheets};
use onnxray_analyzer::projection::{Plan, Projection, positions};
use onnxray_analyzer::schema::workbook::sheet;
use onnxray_analyzer::statistics::Summary;
use onnxray_failsafe::OutputFile;
use rust_xlsxwriter::{Workbook, XlsxError};

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
    let types = positions(summary);
    let groups = Groups::new(projection, &types);
    let levels = ratios::levels(projection);
    let [level_model, level_types, level_groups] =
        levels::layouts(levels, projection.types.len(), groups.first.len());
    let sheets = Sheets {
        ratios: ratios::layout(projection),
        operators: operators::layout(summary.operators.len()),
        totals: totals::layout(),
        types: types::layout(projection.types.len()),
        level_model,
        level_types,
        level_groups,
        plan_model: plan::model_layout(),
        plan_layers: plan::layout(plan.layers.len()),
    };
    let context = Context { summary, projection, plan, types, groups, sheets };
    write_whole(file.into(), || build(&context))
}

type WriteSheet = fn(&mut Page, &Context) -> Written;

fn build(context: &Context) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let numbers = Numbers::new(&styles);
    let sheets: [(&str, WriteSheet); 7] = [
        (sheet::RATIOS, ratios::write),
        (sheet::OPERATORS, operators::write),
        (sheet::TOTALS, totals::write),
        (sheet::TYPES, types::write),
        (sheet::LEVELS, levels::write),
        (sheet::PLAN, plan::write),
        (sheet::NOTES, notes::write),
    ];
    for (name, write) in sheets {
        let mut page = Page::new(&mut workbook, name, &styles, &numbers)?;
        write(&mut page, context)?;
        page.finish()?;
    }
    ratios::define_names(&mut workbook, context)?;
    types::define_names(&mut workbook, context)?;
    Ok(workbook)
}
