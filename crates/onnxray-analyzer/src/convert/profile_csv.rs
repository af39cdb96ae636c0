//! The CSV with formulas that `record` writes, of any launches.

use super::{ConvertError, whole};
use crate::statistics::{Needs, Summary, examine};
use crate::trace::Trace;
use onnxray_format::profile_csv::{OperatorLatency, write_profile};
use onnxray_import::Launch;
use std::path::Path;

/// Writes the mean time of each operator over launches, with formulas that project it. An existing
/// file is kept unless it is one that this `replaces`.
///
/// # Errors
///
/// If the launches have no times, or if the file cannot be written.
pub fn profile_csv(
    launches: Vec<Launch>,
    output: &Path,
    replaces: bool,
) -> Result<(), ConvertError> {
    let trace = Trace::new(launches);
    profile_csv_of(&examine(&trace, Needs::Measured)?.summary, output, replaces)
}

/// [`profile_csv`] of launches whose statistics are known.
///
/// # Errors
///
/// If the file cannot be written.
pub fn profile_csv_of(
    summary: &Summary,
    output: &Path,
    replaces: bool,
) -> Result<(), ConvertError> {
    let rows: Vec<OperatorLatency> = summary
        .operators
        .iter()
        .map(|of| OperatorLatency {
            operator: &of.operator,
            milliseconds: of.mean.map(|mean| mean.0),
        })
        .collect();
    whole(output, replaces, |file| write_profile(file, &rows))
}
