//! What a sweep measures, and what its journal says of each point.
//!
//! A process that is killed may have finished a round without a line about it: whether it is
//! done, its files say.

use crate::launches::LaunchSpec;
use crate::record::Schedule;
use crate::study::{Entry, Plan};
use onnxray_format::layout::is_stamp;
use onnxray_text::{printable, shown};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// The plan of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    /// The request in the caller's words, which tells whether another sweep is the same.
    pub request: String,
    /// Seed of the order of points.
    pub seed: u64,
    /// In the order of display.
    pub points: Vec<PlannedPoint>,
    /// Configurations that are not measured.
    pub skipped: Vec<SkippedPoint>,
}

/// A configuration that is not measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedPoint {
    /// The launch that is not run.
    pub spec: LaunchSpec,
    /// Why, in one line.
    pub reason: String,
}

/// A configuration of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedPoint {
    /// Unique in the sweep.
    pub name: String,
    /// Its launch, with a folder relative to the journal's.
    pub spec: LaunchSpec,
    /// Iterations of a launch.
    pub schedule: Schedule,
    /// The cores of each instance; none where the system chooses.
    pub cores: Vec<Vec<u32>>,
    /// Name of its recording; a new sweep finds one.
    pub time: String,
}

/// A line of the journal about a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SweepEntry {
    /// A round of it is done.
    Done {
        /// Its number in the plan.
        point: usize,
        /// Number of the round, from 0.
        round: u32,
    },
    /// It failed, and has not been run since.
    Failed {
        /// Its number in the plan.
        point: usize,
        /// Why, in one line.
        failed: String,
    },
}

impl Entry for SweepEntry {
    /// A point, and its round if that is done.
    type Key = (usize, Option<u32>);

    fn key(&self) -> Self::Key {
        match *self {
            SweepEntry::Done { point, round } => (point, Some(round)),
            SweepEntry::Failed { point, .. } => (point, None),
        }
    }

    fn outdates(&self) -> Option<Self::Key> {
        match *self {
            SweepEntry::Done { point, .. } => Some((point, None)),
            SweepEntry::Failed { .. } => None,
        }
    }
}

impl Plan for SweepPlan {
    const FORMAT: &'static str = "onnxray sweep";
    const VERSION: u32 = 1;
    const MEMBER: &'static str = "plan";
    const HINT: &'static str = "--restart begins a new one in its place";
    const ANEW: &'static str = "--restart";

    type Entry = SweepEntry;

    fn journal(folder: &Path) -> PathBuf {
        folder.join("onnxray.sweep.jsonl")
    }

    fn other(folder: &Path) -> String {
        format!("{}: another sweep runs in this folder", shown(folder))
    }

    /// Its files are in its own folder.
    fn check(&self) -> Result<(), String> {
        let mut names = HashSet::new();
        for PlannedPoint { name, spec, cores, time, .. } in &self.points {
            let shown = printable(name);
            let mut parts = Path::new(&spec.options.folder).components();
            // A journal may come from elsewhere: it must not make this program write outside.
            if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
                return Err(format!("the folder of `{shown}` is not in that of the sweep"));
            }
            if !is_stamp(time) {
                return Err(format!("the time of `{shown}` is none"));
            }
            if cores.len() != spec.options.instances as usize {
                return Err(format!("the cores of `{shown}` are not those of its instances"));
            }
            if !names.insert(name) {
                return Err(format!("there are two `{shown}`"));
            }
        }
        Ok(())
    }

    /// Launches have numbers of 32 bits.
    fn has(&self, entry: &SweepEntry) -> bool {
        let (point, round) = entry.key();
        self.points.get(point).is_some_and(|point| {
            // `files_of` multiplies both, up to one beyond the round: it must not overflow.
            let rounds = u32::MAX / point.spec.options.instances.max(1);
            round.is_none_or(|round| round < rounds)
        })
    }
}
