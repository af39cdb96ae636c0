//! What was measured already, in the folder of the result, so that a tuning that was killed goes
//! on: a line each, after a line that says which run it is.

use crate::experiment::{Entry, Journal, Plan, is_ratio};
use onnxray_format::layout::is_time;
use onnxray_format::{
    OutputDifference, RuntimeChange, TuneLaunch, TuneRun, TuneStage, TuneVariant,
};
use onnxray_text::shown;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The journal of a tuning.
pub type TuneJournal = Journal<TuneRun>;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TuneEntry {
    /// A launch was measured.
    Launch(TuneLaunch),
    /// What was chosen is recorded with the base, in turns.
    Recorded {
        /// What was chosen: with another smallest gain, it is something else.
        changes: Vec<RuntimeChange>,
        /// The times by which both recordings are called, that of the base first.
        recordings: [String; 2],
    },
    /// Outputs with what was chosen are compared with the base's on inputs that no launch saw.
    HeldOut {
        /// What was chosen.
        changes: Vec<RuntimeChange>,
        /// Input by input.
        held_out: Vec<OutputDifference>,
    },
}

/// Key of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TuneKey {
    /// A launch of this number within a stage.
    Launch(TuneStage, u32),
    /// The recordings.
    Recorded,
    /// Outputs on inputs that no launch saw.
    HeldOut,
}

impl Entry for TuneEntry {
    type Key = TuneKey;

    fn key(&self) -> Self::Key {
        match self {
            TuneEntry::Launch(launch) => TuneKey::Launch(launch.stage, launch.number),
            TuneEntry::Recorded { .. } => TuneKey::Recorded,
            TuneEntry::HeldOut { .. } => TuneKey::HeldOut,
        }
    }
}

impl Plan for TuneRun {
    const FORMAT: &'static str = "onnxray tune journal";
    const VERSION: u32 = 1;
    const MEMBER: &'static str = "run";
    const HINT: &'static str = "--restart begins a new one in its place";
    const ANEW: &'static str = "--restart";

    type Entry = TuneEntry;

    fn journal(folder: &Path) -> PathBuf {
        folder.join("onnxray.tune.jsonl")
    }

    fn other(folder: &Path) -> String {
        format!("{}: another tuning runs in this folder", shown(folder))
    }

    /// Of changes that there are, with figures that a launch may have.
    fn has(&self, entry: &TuneEntry) -> bool {
        let known =
            |changes: &[RuntimeChange]| changes.iter().all(|own| self.changes.contains(own));
        // Infinity is a difference, too: see `OutputDifference`.
        let differs = |own: &OutputDifference| own.absolute >= 0.0 && own.relative >= 0.0;
        match entry {
            TuneEntry::Launch(launch) => {
                let variant = |variant: &TuneVariant| {
                    known(&variant.changes)
                        && variant.ratio.is_none_or(is_ratio)
                        && variant.outputs.as_ref().is_none_or(differs)
                };
                launch.base_ns.is_none_or(|base| base > 0.0) && launch.variants.iter().all(variant)
            }
            TuneEntry::Recorded { changes, recordings } => {
                known(changes) && recordings.iter().all(|time| is_time(time))
            }
            TuneEntry::HeldOut { changes, held_out } => {
                known(changes) && held_out.iter().all(differs)
            }
        }
    }
}
