//! What is judged, and what is known of it before anything is measured.

use crate::launches::LaunchSpec;
use crate::study::sensitivity::MeasureChoice;
use onnxray_format::JudgeRun;
use serde::{Deserialize, Serialize};

/// Two launches, and how their outputs are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeSpec {
    /// The baseline, whose inputs both take.
    pub a: LaunchSpec,
    /// The candidate.
    pub b: LaunchSpec,
    /// How outputs are compared.
    pub measure: MeasureChoice,
}

impl JudgeSpec {
    /// Whether one process can load both engines.
    pub fn fits_into_one_process(&self) -> bool {
        self.a.engine.fits_with(&self.b.engine)
    }

    /// Whether no input is from a file.
    pub(super) fn has_made_up_inputs(&self) -> bool {
        self.a.inputs.is_empty()
    }
}

/// Facts about both sides before anything is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeSurvey {
    /// Everything that figures will depend on, or why both cannot be compared.
    pub run: Result<JudgeRun, String>,
    /// Growth of resident memory with the larger side, in bytes; `None` where the system does not
    /// say.
    pub memory: Option<u64>,
}
