//! The CSV with formulas that `record` writes beside a trace, of any launch.

use super::{ConvertError, whole};
use crate::statistics::{Needs, examine};
use crate::trace::Trace;
use onnxray_format::profile_csv::{OperatorLatency, write_profile};
use onnxray_import::Launch;
use std::path::Path;

/// Writes the mean time of each operator of one launch, with formulas that project it. An existing
/// file is kept unless it is one that this `replaces`.
///
/// # Errors
///
/// If the launch has no times, or if the file cannot be written.
pub fn profile_csv(launch: Launch, output: &Path, replaces: bool) -> Result<(), ConvertError> {
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
    whole(output, replaces, |file| write_profile(file, &rows))
}
