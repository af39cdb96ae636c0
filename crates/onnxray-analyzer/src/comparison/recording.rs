//! A recording to be compared, and how it is tested.

use crate::statistics::{Summary, Timeline};
use onnxray_format::Operator;

/// A recording as comparisons take it.
pub struct Recording {
    /// Name in reports.
    pub label: String,
    /// Times and facts of its operators.
    pub summary: Summary,
    /// `None` if it does not tell of single iterations.
    pub timeline: Option<Timeline>,
}

impl Recording {
    /// Smallest step of its clock, in nanoseconds.
    pub(super) fn tick(&self) -> Option<f64> {
        self.summary.run.clock_resolution.map(|resolution| resolution.0 as f64)
    }

    /// Smallest step of the times of operators, in nanoseconds.
    pub(super) fn operator_tick(&self) -> Option<f64> {
        self.summary.run.operator_resolution().map(|resolution| resolution.0 as f64)
    }
}

/// An operator's type, or the word for one that nobody knows.
pub(super) fn type_name(operator: &Operator) -> &str {
    match operator.operator_type.as_str() {
        "" => "unknown",
        name => name,
    }
}
