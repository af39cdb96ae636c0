//! The workbook of a mix: sheets to sort and filter, with a chart of the mixes that are worth
//! while.

use super::document::{Arrangement, SUMMARY, TableSheet, save};
use crate::content::mix::{MixResult, mix_report};
use crate::error::ReportError;
use onnxray_failsafe::OutputFile;

const ARRANGEMENT: Arrangement = Arrangement {
    title: "onnxray: mix",
    sheets: &[
        TableSheet { table: "mix_models", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet { table: "mix_changes", name: "Changes", fold: true, ..TableSheet::DEFAULT },
        TableSheet { table: "mix_front", name: "Front", ..TableSheet::DEFAULT },
        TableSheet { table: "mixes", name: "Mixes", ..TableSheet::DEFAULT },
        TableSheet { table: "causes", name: "Causes", filter: false, ..TableSheet::DEFAULT },
        TableSheet { table: "layers", name: "Layers", ..TableSheet::DEFAULT },
    ],
};

/// Writes what came of a mix as a workbook with the sheets Summary, Changes, Front, Mixes, Causes,
/// Layers and Notes. An existing file is replaced once the new one is whole.
///
/// # Errors
/// If the file cannot be written, or if a sheet cannot hold the report.
pub fn write_mix<'a>(
    result: &MixResult,
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    save(&mix_report(result, None), &ARRANGEMENT, None, file.into())
}
