//! Journals of searches for variants that are faster: trials, then what was chosen next to the
//! base, on inputs and in launches that no trial saw.

use super::journal::Journal;
use super::plan::{Entry, Plan};
use onnxray_format::layout::is_stamp;
use onnxray_format::{HeldOut, Stage, Trial, Verification};
use onnxray_text::shown;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::slice;

/// Everything that the figures of a search depend on: the first line of its journal.
pub trait SearchPlan: Clone + Serialize + DeserializeOwned {
    /// Value of the member `format` in the first line.
    const KIND: &'static str;
    /// Name of the journal in the folder of the result.
    const FILE: &'static str;
    /// Message when another process holds the journal's lock.
    const OTHER: &'static str;

    /// What a variant is made of.
    type Change: Clone + PartialEq + Serialize + DeserializeOwned + Send + 'static;
    /// What a trial says of a variant's outputs.
    type Quality: Default + Serialize + DeserializeOwned + Send + 'static;
    /// Distance of a variant's outputs from the base's on one input.
    type Distance: Clone + Serialize + DeserializeOwned + Send + 'static;

    /// Whether there are such changes, written as the search writes them.
    fn has_changes(&self, changes: &[Self::Change]) -> bool;

    /// Whether a trial may say this.
    fn is_quality(quality: &Self::Quality) -> bool;

    /// Whether a run may say this.
    fn is_distance(distance: &Self::Distance) -> bool;
}

/// A line of the journal of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SearchEntry<Change, Quality, Distance> {
    /// A trial was measured.
    Trial(Trial<Change, Quality>),
    /// What was chosen is recorded with a base, in turns.
    Verified(Verification<Change>),
    /// One variant on inputs held out, as tunings of earlier versions wrote it.
    OneHeldOut(HeldOut<Change, Distance>),
    /// Variants are compared with the base on inputs held out.
    HeldOut {
        /// What was chosen first.
        held_out: Vec<HeldOut<Change, Distance>>,
    },
}

/// Key of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchKey {
    /// The trial of this number within a stage.
    Trial(Stage, u32),
    /// The recordings; whether with the second base.
    Verified(bool),
    /// Outputs on inputs held out.
    HeldOut,
}

impl<Change, Quality, Distance> Entry for SearchEntry<Change, Quality, Distance>
where
    SearchEntry<Change, Quality, Distance>: Serialize + DeserializeOwned,
{
    type Key = SearchKey;

    fn key(&self) -> SearchKey {
        match self {
            SearchEntry::Trial(trial) => SearchKey::Trial(trial.stage, trial.number),
            SearchEntry::Verified(verified) => SearchKey::Verified(verified.with_b),
            SearchEntry::OneHeldOut(_) | SearchEntry::HeldOut { .. } => SearchKey::HeldOut,
        }
    }
}

impl<S: SearchPlan> Plan for S {
    const FORMAT: &'static str = S::KIND;
    const VERSION: u32 = 1;
    const MEMBER: &'static str = "run";
    const HINT: &'static str = "--restart begins a new one in its place";
    const ANEW: &'static str = "--restart";

    type Entry = SearchEntry<S::Change, S::Quality, S::Distance>;

    fn journal(folder: &Path) -> PathBuf {
        folder.join(S::FILE)
    }

    fn other(folder: &Path) -> String {
        format!("{}: {}", shown(folder), S::OTHER)
    }

    /// Of changes that there are, with figures that a trial may have.
    fn has(&self, entry: &Self::Entry) -> bool {
        let is_held_out = |own: &HeldOut<S::Change, S::Distance>| {
            self.has_changes(&own.changes) && own.distances.iter().all(S::is_distance)
        };
        match entry {
            SearchEntry::Trial(trial) => {
                trial.base_ns.is_none_or(|base| base > 0.0)
                    && trial.variants.iter().all(|variant| {
                        self.has_changes(&variant.changes)
                            && variant.ratio.is_none_or(is_ratio)
                            && variant
                                .costs
                                .is_none_or(|costs| costs.all().into_iter().flatten().all(is_ratio))
                            && S::is_quality(&variant.quality)
                    })
            }
            SearchEntry::Verified(Verification { changes, recordings, .. }) => {
                self.has_changes(changes) && recordings.iter().all(|time| is_stamp(time))
            }
            SearchEntry::OneHeldOut(one) => is_held_out(one),
            SearchEntry::HeldOut { held_out } => held_out.iter().all(is_held_out),
        }
    }
}

/// Bounds of a ratio of two latencies or costs: what a journal states beyond was never measured.
fn is_ratio(ratio: f64) -> bool {
    (1e-9..=1e9).contains(&ratio)
}

impl<S: SearchPlan> Journal<S> {
    /// The trials that are known, in the order of stages and numbers.
    pub fn trials(&self) -> Vec<&Trial<S::Change, S::Quality>> {
        let trials = self.entries().filter_map(|entry| match entry {
            SearchEntry::Trial(trial) => Some(trial),
            _ => None,
        });
        trials.collect()
    }

    /// Distances of exactly these variants on inputs held out, if they are known.
    pub fn held_out(
        &self,
        variants: &[Vec<S::Change>],
    ) -> Option<&[HeldOut<S::Change, S::Distance>]> {
        let held_out = match self.known(&SearchKey::HeldOut)? {
            SearchEntry::OneHeldOut(one) => slice::from_ref(one),
            SearchEntry::HeldOut { held_out } => held_out,
            _ => return None,
        };
        held_out.iter().map(|own| &own.changes).eq(variants).then_some(held_out)
    }

    /// The times by which the recordings of this variant and its base are called, if there are.
    pub fn recordings(&self, with_b: bool, chosen: &[S::Change]) -> Option<&[String; 2]> {
        match self.known(&SearchKey::Verified(with_b))? {
            SearchEntry::Verified(own) if own.changes == chosen => Some(&own.recordings),
            _ => None,
        }
    }
}
