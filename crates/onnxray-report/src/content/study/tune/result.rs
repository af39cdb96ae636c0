//! What a report of a tuning is made of.

use crate::content::study::verified::{Told, VerifiedRatio};
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::study::{Study, Tried, Tuning, cost};
use onnxray_format::{Objective, OutputDifference, RuntimeChange};

/// What is known of a latency that may be worse by no more than a limit, where something else decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LatencyLimit {
    /// Its estimate is within the limit, or there is none.
    Kept,
    /// Its estimate is beyond the limit, and its interval is not.
    Undecided,
    /// It is beyond the limit, or unknown.
    Exceeded,
}

impl LatencyLimit {
    /// Of a latency / that of the base, which may be `highest`.
    fn of(latency: &VerifiedRatio, highest: f64) -> LatencyLimit {
        match (latency.ratio, latency.interval) {
            (Some(ratio), _) if ratio <= highest => LatencyLimit::Kept,
            (Some(_), Some((low, _))) if low <= highest => LatencyLimit::Undecided,
            _ => LatencyLimit::Exceeded,
        }
    }
}

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
        self.gaining(LatencyLimit::Kept)
    }

    /// What would be recommended if its latency were known well enough.
    pub(super) fn undecided(&self) -> Option<&Tried> {
        self.gaining(LatencyLimit::Undecided)
    }

    fn gaining(&self, latency: LatencyLimit) -> Option<&Tried> {
        let gains = self.verified(self.tuning.run.objective()).is_some_and(|own| own.is_faster());
        let is_so = gains && !self.changes_outputs() && self.latency() == latency;
        self.tuning.best.as_ref().filter(|_| is_so)
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

    /// Whether the latency stays within its limit, by the launches that verify it.
    pub(super) fn latency(&self) -> LatencyLimit {
        let Tuning { run, options, .. } = &self.tuning;
        let highest = 1.0 + options.latency_limit;
        if run.objective() == Objective::Latency {
            return LatencyLimit::Kept;
        }
        let verified = self.verified(Objective::Latency);
        verified.map_or(LatencyLimit::Kept, |own| LatencyLimit::of(&own, highest))
    }

    /// The ratio of what was found in the search, if that of the launches that verify it is another
    /// one for sure.
    pub(super) fn search_disagrees(&self) -> Option<(f64, VerifiedRatio)> {
        let effect = self.tuning.best.as_ref()?.effect?;
        let verified = self.verified(self.tuning.run.objective())?;
        let (low, high) = verified.interval?;
        let is_apart = effect.interval.1 < low || high < effect.interval.0;
        is_apart.then_some((effect.ratio, verified))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_exceeds_its_limit_if_its_interval_does() {
        let of = |ratio, interval| {
            LatencyLimit::of(&VerifiedRatio { ratio, interval, verdict: None }, 1.05)
        };
        assert_eq!(of(Some(1.05), Some((0.5, 2.0))), LatencyLimit::Kept);
        assert_eq!(of(Some(1.44), Some((0.87, 2.37))), LatencyLimit::Undecided);
        assert_eq!(of(Some(1.44), Some((1.06, 2.0))), LatencyLimit::Exceeded);
        assert_eq!([of(Some(1.44), None), of(None, None)], [LatencyLimit::Exceeded; 2]);
    }
}
