//! What a report of a tuning is made of.

use crate::content::searches::VerifiedRatio;
use onnxray_analyzer::comparison::{Comparison, Recording};
use onnxray_analyzer::tune::{Tried, Tuning};

/// What came of a tuning, and of the recordings that verify it.
pub struct TuneResult {
    /// What was tried.
    pub tuning: Tuning,
    /// What the launches say that the search did not see; `None` if nothing was recommended.
    pub verified: Option<Verified>,
}

/// The recordings of the base and of what is recommended, taken in turns.
pub struct Verified {
    /// The model as it is.
    pub base: Recording,
    /// With the changes.
    pub tuned: Recording,
    /// The second next to the first.
    pub comparison: Comparison,
}

impl Verified {
    pub(super) fn latency(&self) -> VerifiedRatio {
        VerifiedRatio::of(&self.comparison)
    }
}

impl TuneResult {
    /// What is recommended: it was faster in the search, and in launches that the search did not
    /// see.
    pub fn recommended(&self) -> Option<&Tried> {
        let verified = self.verified.as_ref();
        let is_faster = verified.is_some_and(|verified| verified.latency().is_faster());
        self.tuning.best.as_ref().filter(|_| is_faster)
    }
}
