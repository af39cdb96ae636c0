//! What a report of a tuning is made of.

use crate::content::study::verified::{Verified, VerifiedRatio};
use onnxray_analyzer::study::{Study, Tried, Tuning, cost};
use onnxray_format::{Objective, OutputDifference, RuntimeChange};

/// What came of a tuning, and of the recordings that verify it.
pub struct TuneResult {
    pub tuning: Tuning,
    /// How outputs with what is recommended differ from the base's on inputs that the search did
    /// not see, one by one; `None` if nothing was recommended, or there are no such inputs.
    pub held_out: Option<Vec<OutputDifference>>,
    /// The model as it is, and with the changes; `None` if nothing was recommended.
    pub verified: Option<Verified>,
    /// Name of the file that holds the model with them; `None` if none was written.
    pub written: Option<String>,
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

    /// The changes that are recommended; empty if nothing is.
    pub fn recommended_changes(&self) -> Vec<RuntimeChange> {
        self.recommended().map_or(Vec::new(), |best| self.tuning.run.named(&best.changes))
    }

    /// True if what was found is to compute in other numbers than the base: its outputs then have a
    /// loss.
    pub(super) fn has_loss(&self) -> bool {
        let best = self.tuning.best.as_ref();
        best.is_some_and(|best| self.tuning.run.is_of_precision(&best.changes))
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
        match self.has_loss() {
            true => {
                self.held_out.is_some()
                    && self.held_out_loss().is_none_or(|loss| loss > self.limit())
            }
            false => self.farthest().is_some_and(|far| far.relative > self.limit()),
        }
    }

    /// How far outputs may be off.
    pub(super) fn limit(&self) -> f64 {
        match self.has_loss() {
            true => self.tuning.options.max_precision_loss,
            false => self.tuning.limit,
        }
    }

    /// The largest loss on inputs held out; `None` if one is unknown, or if there are none.
    pub(super) fn held_out_loss(&self) -> Option<f64> {
        let losses: Option<Vec<f64>> = self.held_out.as_ref()?.iter().map(|own| own.loss).collect();
        losses?.into_iter().max_by(f64::total_cmp)
    }

    /// The largest difference on these inputs.
    pub(super) fn farthest(&self) -> Option<&OutputDifference> {
        let each = self.held_out.as_ref()?.iter();
        each.max_by(|a, b| a.relative.total_cmp(&b.relative))
    }
}
