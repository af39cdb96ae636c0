//! The workbook of a loss profile: sheets to sort and filter, with charts of the layers.

use super::document::{Arrangement, SUMMARY, TableSheet, save};
use crate::content::loss::loss_report;
use crate::error::ReportError;
use onnxray_analyzer::workbook_words::title;
use onnxray_failsafe::OutputFile;
use onnxray_format::LossProfile;

const ARRANGEMENT: Arrangement = Arrangement {
    title: title::LOSS,
    sheets: &[
        TableSheet { table: "loss_outputs", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet {
            table: "loss_layers",
            name: "Layers",
            frozen: 2,
            fold: true,
            bars: &["sensitivity"],
            ..TableSheet::DEFAULT
        },
        TableSheet {
            table: "loss_points",
            name: "Sparsities",
            frozen: 3,
            fold: true,
            in_front: true,
            ..TableSheet::DEFAULT
        },
    ],
};

/// Writes a loss profile as a workbook with the sheets Summary, Layers, Levels and Notes. An
/// existing file is replaced once the new one is whole.
///
/// # Errors
/// If the file cannot be written, or if a sheet cannot hold the report.
pub fn write_loss<'a>(
    profile: &LossProfile,
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    save(&loss_report(profile, None), &ARRANGEMENT, None, file.into())
}
