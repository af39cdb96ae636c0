//! The journal of a tuning.

use crate::experiment::{Journal, SearchEntry, SearchPlan};
use onnxray_format::{OutputDifference, RuntimeChange, TuneQuality, TuneRun};

/// The journal of a tuning.
pub type TuneJournal = Journal<TuneRun>;
/// A line of it.
pub type TuneEntry = SearchEntry<RuntimeChange, TuneQuality, OutputDifference>;

impl SearchPlan for TuneRun {
    const KIND: &'static str = "onnxray tune journal";
    const FILE: &'static str = "onnxray.tune.jsonl";
    const OTHER: &'static str = "another tuning runs in this folder";

    type Change = RuntimeChange;
    type Quality = TuneQuality;
    type Distance = OutputDifference;

    fn has_changes(&self, changes: &[RuntimeChange]) -> bool {
        changes.iter().all(|own| self.changes.contains(own))
    }

    fn is_quality(quality: &TuneQuality) -> bool {
        quality.outputs.as_ref().is_none_or(Self::is_distance)
    }

    fn is_distance(own: &OutputDifference) -> bool {
        // Infinity is a difference, too: see `OutputDifference`.
        own.absolute >= 0.0 && own.relative >= 0.0
    }
}
