//! What a report of a tuning is made of.

use onnxray_analyzer::comparison::{Comparison, Recording, Verdict};
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
    /// Ratio of the latencies without profiling or, where they are unknown, with it: with its
    /// interval and verdict.
    pub(super) fn latency(&self) -> (Option<f64>, Option<(f64, f64)>, Option<Verdict>) {
        let whole = self.comparison.plain.as_ref().unwrap_or(&self.comparison.total);
        let change = &whole.change;
        let interval = change.ratio_interval.map(|interval| (interval.low, interval.high));
        (change.ratio, interval, change.verdict)
    }
}

impl TuneResult {
    /// What is recommended: it was faster in the search, and in launches that the search did not
    /// see.
    pub fn recommended(&self) -> Option<&Tried> {
        let is_faster = self
            .verified
            .as_ref()
            .is_some_and(|verified| verified.latency().2 == Some(Verdict::Faster));
        self.tuning.best.as_ref().filter(|_| is_faster)
    }
}
