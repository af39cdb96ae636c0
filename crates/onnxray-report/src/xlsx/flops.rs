//! The workbook of a FLOPS profile: sheets to sort and filter.

use super::document::{Arrangement, SUMMARY, TableSheet, save};
use crate::content::flops::flops_workbook;
use crate::error::ReportError;
use onnxray_analyzer::projection::Plan;
use onnxray_analyzer::statistics::Summary;
use onnxray_analyzer::workbook_words::title;
use onnxray_failsafe::OutputFile;

const ARRANGEMENT: Arrangement = Arrangement {
    title: title::FLOPS,
    sheets: &[
        TableSheet {
            table: "operator_types",
            name: "Layer types",
            filter: false,
            bars: &["flops"],
            in_front: true,
            ..TableSheet::DEFAULT
        },
        TableSheet {
            table: "operators",
            name: "Layers",
            frozen: 2,
            fold: true,
            totals: &["flops", "bytes"],
            bars: &["flops"],
            ..TableSheet::DEFAULT
        },
        TableSheet { table: "plan", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet {
            table: "planned_layers",
            name: "Planned layers",
            frozen: 2,
            bars: &["level"],
            ..TableSheet::DEFAULT
        },
    ],
};

/// Writes the FLOPS profile of a model as a workbook with the sheets Summary, Layer types, Layers,
/// Planned layers and Notes. An existing file is replaced once the new one is whole.
///
/// # Errors
/// If the file cannot be written, or if a sheet cannot hold the report.
pub fn write_flops<'a>(
    profile: &Summary,
    plan: &Plan,
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    save(&flops_workbook(profile, plan), &ARRANGEMENT, None, file.into())
}
