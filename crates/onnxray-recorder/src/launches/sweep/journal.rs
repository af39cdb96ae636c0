//! What of a sweep is done: a file that grows by a line with each round of a point.
//!
//! Its first line is the plan. A process that is killed leaves at most a last line that is
//! cut, which is dropped: whether that round is done, its traces tell.

use super::{SweepError, SweepPlan};
use onnxray_format::printable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
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

impl SweepJournal {
    /// Opens the journal in a folder, which must exist; without one, it is empty.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be read or is none.
    pub fn open(folder: &Path) -> Result<SweepJournal, SweepError> {
        let path = folder.join(FILE);
        let failed = |source| SweepError::Journal { path: path.clone(), source };
        let options = OpenOptions::new().read(true).write(true).create(true).clone();
        let mut file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(SweepError::Running { folder: folder.to_path_buf() });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        let plan = lines.next().map(|first| header(&path, first)).transpose()?;
        let points = plan.as_ref().map_or(0, |plan| plan.points.len());
        let done = lines.filter_map(|line| serde_json::from_str::<Done>(line).ok());
        let done = done.filter(|done| done.point < points).collect();
        Ok(SweepJournal { path, file, plan, done })
    }

    /// The sweep that it is of, if one was begun.
    pub fn plan(&self) -> Option<&SweepPlan> {
        self.plan.as_ref()
    }

    /// Forgets the sweep that it is of; recordings stay.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn clear(&mut self) -> Result<(), SweepError> {
        (self.plan, self.done) = (None, BTreeSet::new());
        let cleared = self.file.set_len(0).and_then(|()| self.file.rewind());
        cleared.map_err(|source| self.failed(source))
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
