//! What was measured already, in the folder of the result, so that a tuning that was killed goes
//! on: a line each, behind a line that says of which run.

use crate::experiment::{Entry, Journal, Plan};
use onnxray_format::{RuntimeChange, TuneLaunch, TuneRun, TuneStage, shown};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The journal of a tuning.
pub type TuneJournal = Journal<TuneRun>;

/// What a line of the journal says.
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
}

impl Entry for TuneEntry {
    /// A launch; `None` for the recordings.
    type Key = Option<(TuneStage, u32)>;

    fn key(&self) -> Self::Key {
        match self {
            TuneEntry::Launch(launch) => Some((launch.stage, launch.number)),
            TuneEntry::Recorded { .. } => None,
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
}
