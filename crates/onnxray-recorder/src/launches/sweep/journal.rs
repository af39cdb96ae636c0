//! What of a sweep is done: a line for each round of a point, behind the plan.
//!
//! A process that is killed may have finished a round that no line tells of: whether it is
//! done, its files say.

use super::error::SweepError;
use super::plan::SweepPlan;
use crate::journal_file::{JournalFile, Lines, NotOpened};
use onnxray_format::printable;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Name of the file in the project's folder.
const FILE: &str = "onnxray.sweep.jsonl";
const FORMAT: &str = "onnxray sweep";
const VERSION: u32 = 1;

/// The journal of a sweep.
pub struct SweepJournal {
    folder: PathBuf,
    /// `None` if it is only looked at.
    file: Option<JournalFile>,
    plan: Option<SweepPlan>,
    done: BTreeSet<Done>,
    /// Why points failed that have not been run since.
    failed: BTreeMap<usize, String>,
    /// Lines that say nothing of the points.
    damaged: u64,
}

/// A round of a point that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) point: usize,
    pub(super) round: u32,
}

/// Why a round of a point failed.
#[derive(Serialize, Deserialize)]
struct Failed {
    point: usize,
    failed: String,
}

#[derive(Serialize, Deserialize)]
struct Header<Plan> {
    format: String,
    version: u32,
    plan: Plan,
}

impl SweepJournal {
    /// Opens the journal in a folder, which must exist; without one, it is empty.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be read or is none.
    pub fn open(folder: &Path) -> Result<SweepJournal, SweepError> {
        let (mut file, lines) = locked(folder)?;
        let failed = |source| SweepError::Journal { path: path(folder), source };
        let mut journal = SweepJournal::of(folder, &lines)?;
        file.end_at(lines.whole.len() as u64).map_err(failed)?;
        journal.file = Some(file);
        Ok(journal)
    }

    /// The same, whatever stands there, which stays until a sweep is begun.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be opened.
    pub fn anew(folder: &Path) -> Result<SweepJournal, SweepError> {
        let (file, _) = locked(folder)?;
        let mut journal = SweepJournal::of(folder, &Lines::default())?;
        journal.file = Some(file);
        Ok(journal)
    }

    /// Looks at the journal in a folder, also while a process adds to it; `None` without one.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is none.
    pub fn look(folder: &Path) -> Result<Option<SweepJournal>, SweepError> {
        let failed = |source| SweepError::Journal { path: path(folder), source };
        let lines = JournalFile::read(&path(folder)).map_err(failed)?;
        lines.map(|lines| SweepJournal::of(folder, &lines)).transpose()
    }

    fn of(folder: &Path, lines: &Lines) -> Result<SweepJournal, SweepError> {
        let is_begun = !lines.whole.is_empty();
        let mut lines = lines.iter();
        let first = is_begun.then(|| lines.next().unwrap_or_default());
        let plan = first.map(|first| header(folder, first)).transpose()?;
        // By point: rounds that it can have, whose launches have numbers of 32 bits.
        let points = plan.iter().flat_map(|plan| &plan.points);
        let most: Vec<u32> =
            points.map(|point| u32::MAX / point.spec.options.instances.max(1)).collect();
        let is_possible = |done: &Done| most.get(done.point).is_some_and(|&most| done.round < most);
        let (done, failed) = (BTreeSet::new(), BTreeMap::new());
        let folder = folder.to_path_buf();
        let mut journal = SweepJournal { folder, file: None, plan, done, failed, damaged: 0 };
        for line in lines {
            match (serde_json::from_slice(line), serde_json::from_slice(line)) {
                (Ok(done), _) if is_possible(&done) => journal.take(done),
                (_, Ok(Failed { point, failed })) if point < most.len() => {
                    journal.failed.insert(point, failed);
                }
                // Whether the round is done, its files say when the sweep goes on.
                _ => journal.damaged += 1,
            }
        }
        Ok(journal)
    }

    fn take(&mut self, done: Done) {
        self.failed.remove(&done.point);
        self.done.insert(done);
    }

    /// The sweep that it is of, if one was begun.
    pub fn plan(&self) -> Option<&SweepPlan> {
        self.plan.as_ref()
    }

    /// Lines that cannot be read, or are of no point.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes down what is to be done, in place of what stands there.
    pub(super) fn begin(&mut self, plan: SweepPlan) -> Result<(), SweepError> {
        if let Some(file) = &mut self.file {
            let cleared = file.end_at(0);
            cleared.map_err(|source| SweepError::Journal { path: path(&self.folder), source })?;
        }
        self.add_line(&Header { format: FORMAT.to_string(), version: VERSION, plan: &plan })?;
        self.plan = Some(plan);
        self.done.clear();
        self.failed.clear();
        self.damaged = 0;
        Ok(())
    }

    /// Writes down what is done.
    pub(super) fn add(&mut self, done: Done) -> Result<(), SweepError> {
        self.add_line(&done)?;
        self.take(done);
        Ok(())
    }

    /// Writes down why a point failed.
    pub(super) fn add_failure(&mut self, point: usize, reason: String) -> Result<(), SweepError> {
        self.add_line(&Failed { point, failed: reason.clone() })?;
        self.failed.insert(point, reason);
        Ok(())
    }

    pub(super) fn failure(&self, point: usize) -> Option<&str> {
        self.failed.get(&point).map(String::as_str)
    }

    fn add_line(&mut self, line: &impl Serialize) -> Result<(), SweepError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.add(line).map_err(|source| SweepError::Journal { path: path(&self.folder), source })
    }

    /// Forgets rounds that are done no more.
    pub(super) fn keep(&mut self, is_there: impl Fn(Done) -> bool) {
        self.done.retain(|&done| is_there(done));
    }

    pub(super) fn is_done(&self, done: Done) -> bool {
        self.done.contains(&done)
    }

    /// Rounds of a point that are done, in their order.
    pub(super) fn rounds(&self, point: usize) -> impl Iterator<Item = u32> {
        self.done.iter().filter(move |done| done.point == point).map(|done| done.round)
    }
}

impl Drop for SweepJournal {
    /// One that is of no sweep leaves nothing behind.
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            file.remove_empty();
        }
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

fn locked(folder: &Path) -> Result<(JournalFile, Lines), SweepError> {
    JournalFile::open(&path(folder)).map_err(|why| match why {
        NotOpened::Locked => SweepError::Running { folder: folder.to_path_buf() },
        NotOpened::Io(source) => SweepError::Journal { path: path(folder), source },
    })
}

fn header(folder: &Path, line: &[u8]) -> Result<SweepPlan, SweepError> {
    let damaged = |reason: String| SweepError::Damaged { path: path(folder), reason };
    let header: Header<SweepPlan> =
        serde_json::from_slice(line).map_err(|error| damaged(printable(&error.to_string())))?;
    match header.format == FORMAT && header.version == VERSION {
        true => header.plan.check().map(|()| header.plan).map_err(damaged),
        false => Err(damaged(format!(
            "expected \"{FORMAT}\", version {VERSION}, and it is \"{}\", version {}",
            printable(&header.format),
            header.version
        ))),
    }
}
