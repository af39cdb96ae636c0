//! The workbook of a recording: sheets to sort, filter and chart, for Excel and
//! LibreOffice.

use super::document::{Arrangement, SUMMARY, TableSheet, save};
use crate::content::first_screen::front;
use crate::content::profiles::with_profile;
use crate::content::recording::summary::recording_report;
use crate::error::ReportError;
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::statistics::Summary;
use onnxray_analyzer::workbook_words::title;
use onnxray_failsafe::OutputFile;

/// Types and operators on the first sheet.
const SHOWN: usize = 10;

const ARRANGEMENT: Arrangement = Arrangement {
    title: title::RECORDING,
    sheets: &[
        TableSheet { table: "profiles", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet { table: "phases", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet { table: "launches", name: SUMMARY, ..TableSheet::DEFAULT },
        TableSheet {
            table: "operator_types",
            name: "Layer types",
            filter: false,
            bars: &["share"],
            ..TableSheet::DEFAULT
        },
        TableSheet {
            table: "operators",
            name: "Layers",
            frozen: 2,
            fold: true,
            totals: &["total_ms", "time_ms", "share", "flops", "bytes"],
            bars: &["share", "time_ms"],
            ..TableSheet::DEFAULT
        },
        TableSheet {
            table: "resources",
            name: "Resources",
            frozen: 2,
            fold: true,
            ..TableSheet::DEFAULT
        },
        TableSheet {
            table: "iterations",
            name: "Iterations",
            frozen: 0,
            printed: Some(30),
            ..TableSheet::DEFAULT
        },
    ],
};

/// Writes the report of a recording as a workbook with the sheets Summary, Layer
/// types, Layers, Resources (if the trace has any), Iterations and Notes; of a profile of a
/// project, the profile is on the first one. An existing file is replaced once the new one is
/// whole.
///
/// # Errors
/// If the file cannot be written, or if a sheet cannot hold the report.
pub fn write_workbook<'a>(
    summary: &Summary,
    profile: Option<&Named>,
    file: impl Into<OutputFile<'a>>,
) -> Result<(), ReportError> {
    let report = recording_report(summary);
    let report = match profile {
        Some(named) => with_profile(report, named),
        None => report,
    };
    save(&report, &ARRANGEMENT, Some(front(summary, SHOWN)), file.into())
}
