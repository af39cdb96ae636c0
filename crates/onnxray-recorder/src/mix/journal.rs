//! The journal of a mix.

use crate::experiment::{Journal, SearchEntry, SearchPlan};
use onnxray_format::{MixQuality, MixRun};

/// The journal of a mix.
pub type MixJournal = Journal<MixRun>;
/// A line of it.
pub type MixEntry = SearchEntry<u32, MixQuality, f64>;

impl SearchPlan for MixRun {
    const KIND: &'static str = "onnxray mix journal";
    const FILE: &'static str = "onnxray.mix.jsonl";
    const OTHER: &'static str = "another mix is measured in this folder";

    type Change = u32;
    type Quality = MixQuality;
    type Distance = f64;

    fn has_changes(&self, changes: &[u32]) -> bool {
        // Strictly ascending, as the search writes them: one mix has one key.
        changes.is_sorted_by(|one, next| one < next)
            && changes.last().is_none_or(|&last| (last as usize) < self.changes.len())
    }

    fn is_quality(quality: &MixQuality) -> bool {
        quality.loss.is_none_or(|loss| loss >= 0.0)
    }

    fn is_distance(&distance: &f64) -> bool {
        distance >= 0.0
    }
}
