//! A sensitivity profile that was measured together with a recording.

use super::headline;
use onnxray_format::LossProfile;
use onnxray_text::printable;

/// A sensitivity profile beside a recording, for the recording's report.
#[derive(Clone, Debug)]
pub struct MeasuredSensitivity<'a> {
    pub profile: &'a LossProfile,
    pub file: String,
    /// The command that plans with both.
    pub next: String,
}

impl MeasuredSensitivity<'_> {
    /// What it found, where it is, and the command that takes it.
    pub(in crate::content) fn sentences(&self) -> Vec<String> {
        let found = headline(self.profile).join(" ");
        let separator = if found.is_empty() { "" } else { " " };
        vec![
            format!("Sensitivity: {found}{separator}Profile: {}", printable(&self.file)),
            format!("Plan with both: {}", self.next),
        ]
    }
}
