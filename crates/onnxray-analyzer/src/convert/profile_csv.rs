//! The CSV with formulas that `record` writes beside a trace, of any launch.

use super::{ConvertError, whole};
use crate::statistics::{Needs, examine};
use crate::trace::Trace;
use onnxray_failsafe::OutputFile;
use onnxray_format::profile_csv::{OperatorLatency, write_profile};
use onnxray_import::Launch;

/// Writes the mean time of each operator of one launch, with formulas that project it.
///
/// # Errors
///
/// If the launch has no times, or if the file cannot be written.
pub fn profile_csv<'a>(
    launch: Launch,
    output: impl Into<OutputFile<'a>>,
) -> Result<(), ConvertError> {
    let trace = Trace::new(vec![launch]);
    let summary = examine(&trace, Needs::Measured)?.summary;
    let rows: Vec<OperatorLatency> = summary
        .operators
        .iter()
        .map(|of| OperatorLatency {
            operator: &of.operator,
            milliseconds: of.mean.map(|mean| mean.0),
        })
        .collect();
    whole(output.into(), |file| write_profile(file, &rows))
}
