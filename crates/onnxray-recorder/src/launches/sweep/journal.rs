//! What of a sweep is done: a file that grows by a line with each round of a point.
//!
//! Its first line is the plan. A process that is killed leaves at most a last line that is
//! cut, which is dropped: whether that round is done, its traces tell.

use super::{SweepError, SweepPlan};
use onnxray_format::printable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Name of the file in the project's folder.
const FILE: &str = "onnxray.sweep.jsonl";
const FORMAT: &str = "onnxray sweep";
const VERSION: u32 = 1;

/// The journal of a sweep, which no other process may write meanwhile.
pub struct SweepJournal {
    path: PathBuf,
    /// Its lock ends with it.
    file: File,
    plan: Option<SweepPlan>,
    done: BTreeSet<Done>,
}

/// A round of a point that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) point: usize,
    pub(super) round: u32,
}

#[derive(Serialize, Deserialize)]
struct Header<Plan> {
    format: String,
    version: u32,
    plan: Plan,
}

impl Drop for SweepJournal {
    /// One that is of no sweep leaves nothing behind.
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|about| about.len() == 0) {
            let _ = fs::remove_file(&self.path); // an empty one is in nobody's way
        }
    }
}

impl SweepJournal {
    /// Whether there is one in a folder.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).exists()
    }

    /// Opens the journal in a folder, which must exist; without one, it is empty.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be read or is none.
    pub fn open(folder: &Path) -> Result<SweepJournal, SweepError> {
        let mut journal = SweepJournal::locked(folder)?;
        let bytes = journal.read().map_err(|source| journal.failed(source))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        if let Some(first) = lines.next() {
            journal.plan = Some(header(&journal.path, first)?);
        }
        let points = journal.plan.as_ref().map_or(0, |plan| plan.points.len());
        let done = lines.filter_map(|line| serde_json::from_str::<Done>(line).ok());
        journal.done = done.filter(|done| done.point < points).collect();
        Ok(journal)
    }

    /// The same, and forgets the sweep that it is of, whatever stands there. Recordings stay.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be written.
    pub fn anew(folder: &Path) -> Result<SweepJournal, SweepError> {
        let journal = SweepJournal::locked(folder)?;
        journal.file.set_len(0).map_err(|source| journal.failed(source))?;
        Ok(journal)
    }

    fn locked(folder: &Path) -> Result<SweepJournal, SweepError> {
        let path = folder.join(FILE);
        let failed = |source| SweepError::Journal { path: path.clone(), source };
        let options = OpenOptions::new().read(true).write(true).create(true).clone();
        let file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(SweepJournal { path, file, plan: None, done: BTreeSet::new() }),
            Err(TryLockError::WouldBlock) => {
                Err(SweepError::Running { folder: folder.to_path_buf() })
            }
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// Its whole lines; what a killed process left of one is cut off.
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            self.file.set_len(whole as u64)?;
            self.file.seek(SeekFrom::End(0))?;
            bytes.truncate(whole);
        }
        Ok(bytes)
    }

    /// The sweep that it is of, if one was begun.
    pub fn plan(&self) -> Option<&SweepPlan> {
        self.plan.as_ref()
    }

    /// Writes down what is to be done.
    pub(super) fn begin(&mut self, plan: SweepPlan) -> Result<(), SweepError> {
        let header = Header { format: FORMAT.to_string(), version: VERSION, plan: &plan };
        self.write(&header)?;
        self.plan = Some(plan);
        Ok(())
    }

    /// Writes down what is done.
    pub(super) fn add(&mut self, done: Done) -> Result<(), SweepError> {
        self.write(&done)?;
        self.done.insert(done);
        Ok(())
    }

    pub(super) fn is_done(&self, done: Done) -> bool {
        self.done.contains(&done)
    }

    /// Rounds of a point that are done, in their order.
    pub(super) fn rounds(&self, point: usize) -> impl Iterator<Item = u32> {
        self.done.iter().filter(move |done| done.point == point).map(|done| done.round)
    }

    /// In one piece, which is there or not.
    fn write(&mut self, line: &impl Serialize) -> Result<(), SweepError> {
        let written = serde_json::to_string(line).map_err(io::Error::from).and_then(|line| {
            let start = self.file.stream_position()?;
            let written = self.file.write_all(format!("{line}\n").as_bytes());
            // A full disk may take a part of it.
            written.inspect_err(|_| {
                let _ = self.file.set_len(start);
                let _ = self.file.seek(SeekFrom::Start(start));
            })
        });
        written.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> SweepError {
        SweepError::Journal { path: self.path.clone(), source }
    }
}

fn header(path: &Path, line: &str) -> Result<SweepPlan, SweepError> {
    let damaged = |reason: String| SweepError::Damaged { path: path.to_path_buf(), reason };
    let header: Header<SweepPlan> =
        serde_json::from_str(line).map_err(|error| damaged(printable(&error.to_string())))?;
    match header.format == FORMAT && header.version == VERSION {
        true => Ok(header.plan),
        false => Err(damaged(format!(
            "expected \"{FORMAT}\", version {VERSION}, and it is \"{}\", version {}",
            printable(&header.format),
            header.version
        ))),
    }
}
