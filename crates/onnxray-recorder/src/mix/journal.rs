//! What was measured already, in the folder of the result, so that a mix that was killed goes
//! on: a line each, after a line that says which run it is.

use crate::experiment::{Entry, Journal, Plan, is_ratio};
use onnxray_format::layout::is_time;
use onnxray_format::{MixLaunch, MixLosses, MixRun, MixVariant};
use onnxray_text::shown;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The journal of a mix.
pub type MixJournal = Journal<MixRun>;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MixEntry {
    /// A launch was measured.
    Launch(MixLaunch),
    /// What was chosen is recorded with A or B, in turns.
    Recorded {
        /// Whether with B.
        with_b: bool,
        /// What was chosen: with another limit, it is something else.
        from_b: Vec<u32>,
        /// The times by which both recordings are called, that of A or B first.
        recordings: [String; 2],
    },
    /// What was chosen, and all of B, are compared with A on inputs that no launch saw.
    HeldOut {
        /// That of what was chosen first.
        held_out: Vec<MixLosses>,
    },
}

/// Key of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MixKey {
    /// A launch of this number.
    Launch(u32),
    /// Recordings, with B or with A.
    Recorded(bool),
    /// Losses on inputs that no launch saw.
    HeldOut,
}

impl Entry for MixEntry {
    type Key = MixKey;

    fn key(&self) -> Self::Key {
        match self {
            MixEntry::Launch(launch) => MixKey::Launch(launch.number),
            MixEntry::Recorded { with_b, .. } => MixKey::Recorded(*with_b),
            MixEntry::HeldOut { .. } => MixKey::HeldOut,
        }
    }
}

impl Plan for MixRun {
    const FORMAT: &'static str = "onnxray mix journal";
    const VERSION: u32 = 1;
    const MEMBER: &'static str = "run";
    const HINT: &'static str = "--restart begins a new one in its place";
    const ANEW: &'static str = "--restart";

    type Entry = MixEntry;

    fn journal(folder: &Path) -> PathBuf {
        folder.join("onnxray.mix.jsonl")
    }

    fn other(folder: &Path) -> String {
        format!("{}: another mix is measured in this folder", shown(folder))
    }

    /// Of changes that there are, with figures that a launch may have.
    fn has(&self, entry: &MixEntry) -> bool {
        let known = |from_b: &[u32]| {
            // Strictly ascending, as the search writes them: one mix has one key.
            from_b.is_sorted_by(|one, next| one < next)
                && from_b.last().is_none_or(|&last| (last as usize) < self.changes.len())
        };
        match entry {
            MixEntry::Launch(launch) => {
                let variant = |variant: &MixVariant| {
                    known(&variant.from_b)
                        && variant.ratio.is_none_or(is_ratio)
                        && variant.loss.is_none_or(|loss| loss >= 0.0)
                };
                launch.base_ns.is_none_or(|base| base > 0.0) && launch.variants.iter().all(variant)
            }
            MixEntry::Recorded { from_b, recordings, .. } => {
                known(from_b) && recordings.iter().all(|time| is_time(time))
            }
            MixEntry::HeldOut { held_out } => held_out
                .iter()
                .all(|own| known(&own.from_b) && own.losses.iter().all(|&loss| loss >= 0.0)),
        }
    }
}
