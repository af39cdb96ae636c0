//! The workbook of a tuning: sheets to sort and filter, with a chart of the changes.

use super::document::{Arrangement, SUMMARY, TableSheet, save};
use crate::content::tune::{TuneResult, tune_report};
use crate::error::ReportError;
use onnxray_failsafe::OutputFile;

const ARRANGEMENT: Arrangement = Arrangement {
    title: "onnxray: tuning",
    sheets: &[
        TableSheet {
            table: "tune_changes",
            name: "Changes",
            bars: &["ratio"],
            in_front: true,
            ..TableSheet::DEFAULT
        },
        TableSheet { table: "tune_combinations", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet { table: "causes", name: "Causes", filter: false, ..TableSheet::DEFAULT },
        TableSheet { table: "layers", name: "Layers", ..TableSheet::DEFAULT },
    ],
};

/// Writes what came of a tuning as a workbook with the sheets Summary, Changes, Causes, Layers and
/// Notes. An existing file is replaced once the new one is whole.
///
/// # Errors
/// If the file cannot be written, or if a sheet cannot hold the report.
pub fn write_tune<'a>(
    result: &TuneResult,
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    save(&tune_report(result, None), &ARRANGEMENT, None, file.into())
}
