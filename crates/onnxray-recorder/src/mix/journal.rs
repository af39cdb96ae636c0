//! What was measured already, in the folder of the result, so that a mix that was killed goes
//! on: a line each, behind a line that says of which run.

use crate::experiment::{Entry, Journal, Plan};
use onnxray_format::{MixLaunch, MixRun, shown};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The journal of a mix.
pub type MixJournal = Journal<MixRun>;

/// What a line of the journal says.
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
}

impl Entry for MixEntry {
    /// The number of a launch; whether it is the recordings with B.
    type Key = Result<u32, bool>;

    fn key(&self) -> Self::Key {
        match self {
            MixEntry::Launch(launch) => Ok(launch.number),
            MixEntry::Recorded { with_b, .. } => Err(*with_b),
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
}
