//! What a report of a tuning is made of.

use crate::content::study::verified::Verified;
use onnxray_analyzer::study::{Tried, Tuning};
use onnxray_format::OutputDifference;

/// What came of a tuning, and of the recordings that verify it.
pub struct TuneResult {
    /// What was tried.
    pub tuning: Tuning,
    /// How outputs with what is recommended differ from the base's on inputs that the search did
    /// not see, one by one; `None` if nothing was recommended, or there are no such inputs.
    pub held_out: Option<Vec<OutputDifference>>,
    /// The model as it is, and with the changes; `None` if nothing was recommended.
    pub verified: Option<Verified>,
}

impl TuneResult {
    /// What is recommended: it was faster in the search, and in launches that the search did not
    /// see, and changes outputs by no more than is tolerated on inputs that it did not see.
    pub(super) fn recommended(&self) -> Option<&Tried> {
        let is_faster = self.verified.as_ref().is_some_and(|found| found.ratio().is_faster());
        self.tuning.best.as_ref().filter(|_| is_faster && !self.changes_outputs())
    }

    /// True if outputs differ by more than is tolerated on inputs held out.
    pub(super) fn changes_outputs(&self) -> bool {
        self.farthest().is_some_and(|far| far.relative > self.tuning.limit)
    }

    /// The largest difference on these inputs.
    pub(super) fn farthest(&self) -> Option<&OutputDifference> {
        let each = self.held_out.as_ref()?.iter();
        each.max_by(|a, b| a.relative.total_cmp(&b.relative))
    }
}
