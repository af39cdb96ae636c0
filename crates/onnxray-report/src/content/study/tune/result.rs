//! What a report of a tuning is made of.

use crate::content::study::verified::{Verified, VerifiedRatio};
use onnxray_analyzer::study::{Tried, Tuning, cost};
use onnxray_format::{Objective, OutputDifference};

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
    /// What is recommended: it gains in the search, and in launches that the search did not see,
    /// changes outputs by no more than is tolerated on inputs that it did not see, and makes the
    /// latency worse by no more than it may.
    pub(super) fn recommended(&self) -> Option<&Tried> {
        let gains = self.verified(self.tuning.run.objective()).is_some_and(|own| own.is_faster());
        let is_admissible = gains && !self.changes_outputs() && !self.slows_down();
        self.tuning.best.as_ref().filter(|_| is_admissible)
    }

    /// What the launches say that verify what was found; `None` without them.
    pub(super) fn verified(&self, objective: Objective) -> Option<VerifiedRatio> {
        let verified = self.verified.as_ref()?;
        Some(match cost(&self.tuning.run, objective) {
            Some(cost) => verified.cost(cost),
            None => verified.ratio(),
        })
    }

    /// True if something else than the latency decides, and the latency is worse by more than it
    /// may be, or unknown.
    pub(super) fn slows_down(&self) -> bool {
        let Tuning { run, options, .. } = &self.tuning;
        let latency = self.verified(Objective::Latency);
        run.objective() != Objective::Latency
            && latency.is_some_and(|own| {
                own.ratio.is_none_or(|ratio| ratio > 1.0 + options.latency_limit)
            })
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
