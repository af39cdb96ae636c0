//! The workbook of a projection: settings to edit, and every figure that follows
//! from them as a formula that carries the value the analyzer computed.
//!
//! Sheets name their rows and columns in headers, by which edited workbooks are
//! read again. Names from traces are written as strings: none becomes a formula.

mod groups;
mod levels;
mod lookup;
mod notes;
mod operators;
mod page;
mod plan;
mod ratios;
mod totals;
mod types;

use crate::error::AnalyzeError;
use crate::projection::{Plan, Projection, positions};
use crate::report::xlsx::sheet::Styles;
use crate::statistics::Summary;
use onnxray_failsafe::WholeFile;
use page::Numbers;
use rust_xlsxwriter::{Workbook, XlsxError};
use std::collections::HashMap;
use std::path::Path;

/// What all sheets are about.
pub struct Context<'a> {
    summary: &'a Summary,
    projection: &'a Projection,
    plan: &'a Plan,
    /// By operator: the position of its type.
    types: Vec<usize>,
    groups: Groups,
}

/// Operators that look up the same perf ratios.
struct Groups {
    /// By operator; `None` if no target can change it.
    of: Vec<Option<usize>>,
    /// By group: its first operator.
    first: Vec<usize>,
}

/// Writes a projection as a workbook. An existing file is replaced once the new
/// one is whole.
pub fn write_projection(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    path: &Path,
) -> Result<(), AnalyzeError> {
    let workbook_error = |source| AnalyzeError::Workbook { path: path.to_path_buf(), source };
    let io_error = |source| AnalyzeError::Io { path: path.to_path_buf(), source };
    let context = Context {
        summary,
        projection,
        plan,
        types: positions(summary),
        groups: groups(summary, projection),
    };
    let mut workbook = build(&context).map_err(workbook_error)?;
    let mut file = WholeFile::create(path).map_err(io_error)?;
    workbook.save_to_writer(&mut file).map_err(workbook_error)?;
    file.finish().map_err(io_error)
}

fn build(context: &Context) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let numbers = Numbers::new(&styles);
    ratios::write(&mut workbook, &styles, &numbers, context.projection)?;
    operators::write(&mut workbook, &styles, &numbers, context)?;
    totals::write(&mut workbook, &styles, &numbers, context)?;
    types::write(&mut workbook, &styles, &numbers, context)?;
    levels::write(&mut workbook, &styles, &numbers, context)?;
    plan::write(&mut workbook, &styles, &numbers, context)?;
    notes::write(&mut workbook, &styles, &numbers, context)?;
    ratios::RatioLayout::of(context.projection).define_names(&mut workbook)?;
    types::define_names(&mut workbook, context)?;
    Ok(workbook)
}

fn groups(summary: &Summary, projection: &Projection) -> Groups {
    let mut places: HashMap<(usize, usize), usize> = HashMap::new();
    let mut groups = Groups { of: vec![None; summary.operators.len()], first: Vec::new() };
    let types = positions(summary);
    for (number, operator) in projection.operators.iter().enumerate() {
        let Some(row) = operator.row else { continue };
        // Types that differ in case share a row of ratios.
        let group = *places.entry((row, types[number])).or_insert_with(|| {
            groups.first.push(number);
            groups.first.len() - 1
        });
        groups.of[number] = Some(group);
    }
    groups
}
