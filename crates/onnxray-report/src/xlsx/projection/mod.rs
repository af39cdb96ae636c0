//! The workbook of a projection: settings to edit, and every figure that follows
//! from them as a formula that carries the value the analyzer computed.
//!
//! Sheets name their rows and columns in headers, by which edited workbooks are
//! read again. Names from traces are written as strings: none becomes a formula.

mod headline;
mod inputs;
mod notes;
mod plan;
mod profiling;
mod ratios;
mod summary_type;

use super::places::Places;
use super::places::address::on;
use super::sheet::{SheetWriter, Styles, Written};
use crate::content::projection::{
    Model, ProjectionReport, group_levels, model_levels, operators_sheet, plan_figures, plan_sheet,
    ratios_sheet, totals_sheet, type_levels, types_rest, types_sheet,
};
use onnxray_analyzer::projection::Plan;
use onnxray_analyzer::workbook_words::sheet;
use rust_xlsxwriter::{Workbook, XlsxError};

type WriteSheet = fn(&mut SheetWriter, &Model, &Plan) -> Written;

/// # Errors
/// If a sheet has no room for the model.
pub(super) fn build(report: &ProjectionReport) -> Result<Workbook, XlsxError> {
    let model = &Model::new(report.summary, report.projection);
    let plan = report.plan;
    let ratios = ratios_sheet(model);
    let (operators, totals) = (operators_sheet(model), totals_sheet(model, plan));
    let (types, rest) = (types_sheet(model), types_rest(model));
    let levels = [model_levels(model), type_levels(model), group_levels(model)];
    let (figures, layers) = (plan_figures(plan), plan_sheet(model, plan));
    let mut places = Places::default();
    places.put(&ratios, sheet::RATIOS, (5, 0));
    // Below the headings of the whole model.
    places.put(&operators, sheet::OPERATORS, (1, 0));
    places.put(&totals, sheet::TOTALS, (2, 0));
    let below = places.put(&types, sheet::TYPES, (2, 0));
    places.put(&rest, sheet::TYPES, (below, 0));
    levels.iter().fold(2, |row, table| places.put(table, sheet::LEVELS, (row, 0)) + 2);
    // To the right of the bounds, so that the layers begin higher up.
    places.put(&figures, sheet::PLAN, (0, 3));
    places.put(&layers, sheet::PLAN, (11, 0));
    // Sheets in the order of the Neural Engine's parts: settings first, then what follows.
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let sheets: [(&str, WriteSheet); 7] = [
        (sheet::RATIOS, ratios::write),
        (sheet::OPERATORS, profiling::operators),
        (sheet::TOTALS, profiling::totals),
        (sheet::TYPES, profiling::types),
        (sheet::LEVELS, summary_type::write),
        (sheet::PLAN, plan::write),
        (sheet::NOTES, notes::write),
    ];
    for (name, write) in sheets {
        let mut writer = SheetWriter::new(&mut workbook, name, &styles, &places)?;
        writer.is_read = true;
        write(&mut writer, model, plan)?;
        writer.finish()?;
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

/// Defined names that formulas use, and their columns.
const NAMES: [(&str, &str); 9] = [
    ("ratio_keys", "ratios.key"),
    ("ratio_below", "ratios.below"),
    ("ratio_levels", "ratios.point_level"),
    ("ratio_values", "ratios.point_ratio"),
    ("ratio_lows", "ratios.point_low"),
    ("ratio_highs", "ratios.point_high"),
    ("ratio_origins", "ratios.point_origin"),
    ("type_numbers", "types.type_number"),
    ("type_targets", "types.level"),
];
