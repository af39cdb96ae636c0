//! A model of a project.

use super::profile::other_dimensions;
use super::unknown::Unknown;
use crate::statistics::{PartialSum, Summary};
use onnxray_format::Dimension;
use serde::{Deserialize, Serialize};

/// A model of a project, and its FLOPS profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProjectModel {
    /// Name of its file.
    pub name: String,
    /// SHA-256 of its file, in hexadecimal.
    pub sha256: Option<String>,
    /// Elements of its parameters.
    pub parameters: Option<u64>,
    /// Theoretical cost.
    pub flops: ModelFlops,
    /// Further members of its file.
    #[serde(skip)]
    pub unknown: Unknown,
}

/// Operations of one iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFlops {
    /// For a batch of this size.
    pub batch_size: Option<u64>,
    /// For these sizes of the other free dimensions.
    pub dimensions: Vec<Dimension>,
    /// Multiplications and additions.
    #[serde(flatten)]
    pub operations: PartialSum,
}

impl ProjectModel {
    /// The model of a recording.
    pub fn of(summary: &Summary) -> ProjectModel {
        let run = &summary.run;
        ProjectModel {
            name: run.model.clone(),
            sha256: run.model_sha256.clone(),
            parameters: run.parameters,
            flops: ModelFlops {
                batch_size: run.batch_size,
                dimensions: other_dimensions(&run.dimensions, run.batch_size),
                operations: summary.model.flops,
            },
            unknown: Unknown::default(),
        }
    }

    /// True if its figures are possible.
    ///
    /// # Errors
    ///
    /// Which is not, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        let known = self.flops.operations.known;
        match known.is_finite() && known >= 0.0 {
            true => Ok(()),
            false => Err(format!("`flops.known` is {known}")),
        }
    }
}
