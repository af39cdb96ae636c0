//! Many configurations, measured in turns: a round runs one launch of each, in an order of
//! its own, so that a slow minute does not fall on one of them alone.
//!
//! A sweep can be resumed wherever it was killed. What is done is in its journal; of what is
//! not, the traces tell: a round of which all are whole counts, any other is run again.

mod error;
mod journal;
mod order;
mod plan;

pub use error::SweepError;
pub use journal::SweepJournal;
pub use plan::{PlannedPoint, SkippedPoint, SweepPlan};

use super::folders::Folders;
use super::instances::{Instances, Rounds};
use crate::clock::file_time;
use crate::error::RecordError;
use crate::record::Length;
use journal::Done;
use onnxray_format::completed_iterations;
use onnxray_format::layout;
use order::order;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Who is told how a sweep goes, and decides how far.
pub trait SweepCompany {
    /// Whether a round of a point is to be run.
    fn wants(&mut self, point: usize, round: u32) -> bool;

    /// How far a round of a point is, from 0 to 1.
    fn progress(&mut self, point: usize, round: u32, share: f64);

    /// A round of a point came to its end, and left these traces.
    ///
    /// # Errors
    ///
    /// Why it does not count, in one line: then the point has failed.
    fn finished(&mut self, point: usize, traces: Vec<PathBuf>) -> Result<(), String>;

    /// A round of a point failed; no other one of it is run. `said` is what its processes wrote
    /// to standard error. Why it failed, in one line.
    fn failed(&mut self, point: usize, ended: &Rounds, said: &str) -> String;
}

/// A sweep that was begun.
pub struct Sweep {
    journal: SweepJournal,
    plan: SweepPlan,
    /// Of each point.
    recordings: Vec<Instances>,
    /// Those that hold nothing in the end are removed.
    _folders: Option<Folders>,
}

impl Sweep {
    /// Begins a sweep.
    ///
    /// # Errors
    ///
    /// If a folder cannot be made or read, or the journal cannot be written.
    pub fn begin(mut journal: SweepJournal, mut plan: SweepPlan) -> Result<Sweep, SweepError> {
        let folders = prepare(&journal, &plan)?;
        let mut reserved = Vec::new();
        for point in &mut plan.points {
            let folder = journal.folder().join(&point.spec.options.folder);
            let run = |source| SweepError::Run { name: point.name.clone(), source };
            let time = layout::reserve(&folder, file_time, |_| true).map_err(run)?;
            point.time = time.time().to_string();
            reserved.push(time);
        }
        journal.begin(plan.clone())?;
        // From now on, the journal says whose they are.
        drop(reserved);
        Ok(Sweep { _folders: Some(folders), ..Sweep::of(journal, plan) })
    }

    /// Goes on with a sweep as far as its journal tells that it is done. What is run is what
    /// `plan` says: that of the journal, with launches as they are asked for now.
    ///
    /// # Errors
    ///
    /// If a folder cannot be made.
    pub fn resume(journal: SweepJournal, plan: SweepPlan) -> Result<Sweep, SweepError> {
        let folders = prepare(&journal, &plan)?;
        Ok(Sweep { _folders: Some(folders), ..Sweep::of(journal, plan) })
    }

    /// The sweep that a journal is of, to be looked at; `None` if it is empty.
    pub fn look(journal: SweepJournal) -> Option<Sweep> {
        let plan = journal.plan()?.clone();
        Some(Sweep::of(journal, plan))
    }

    fn of(mut journal: SweepJournal, plan: SweepPlan) -> Sweep {
        let recording = |point: &PlannedPoint| {
            let PlannedPoint { mut spec, schedule, cores, time, .. } = point.clone();
            spec.options.folder = journal.folder().join(&spec.options.folder).into();
            Instances::named(spec, schedule, cores, time)
        };
        let recordings: Vec<Instances> = plan.points.iter().map(recording).collect();
        // Who removed a trace has its round measured again.
        let is_there = |Done { point, round }| {
            traces(&recordings[point], round).iter().all(|trace: &PathBuf| trace.exists())
        };
        journal.keep(is_there);
        Sweep { recordings, journal, plan, _folders: None }
    }

    /// Lines of its journal that cannot be read: rounds may be missing for it.
    pub fn damaged(&self) -> u64 {
        self.journal.damaged()
    }

    /// What it measures.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// Why a point failed when it was run last, if it did.
    pub fn failure(&self, point: usize) -> Option<&str> {
        self.journal.failure(point)
    }

    /// The traces of each round of a point that is done.
    pub fn traces(&self, point: usize) -> Vec<Vec<PathBuf>> {
        let of_round = |round| traces(&self.recordings[point], round);
        self.journal.rounds(point).map(of_round).collect()
    }

    /// Runs round after round in processes that `command` makes, until no point wants another
    /// one, or `stop`. Whether `stop` ended it.
    ///
    /// # Errors
    ///
    /// If a process cannot be started, or if the journal cannot be written.
    pub fn run(
        &mut self,
        command: impl Fn() -> Command,
        stop: &AtomicBool,
        company: &mut impl SweepCompany,
    ) -> Result<bool, SweepError> {
        let mut failed = vec![false; self.plan.points.len()];
        for round in 0.. {
            let mut is_last = true;
            for point in order(failed.len(), self.plan.seed, round) {
                let done = Done { point, round };
                if self.journal.is_done(done) {
                    is_last = false;
                    continue;
                }
                if failed[point] || !company.wants(point, round) {
                    continue;
                }
                is_last = false;
                if !self.is_whole(done) {
                    let (ended, said) = self.run_point(done, &command, stop, company)?;
                    if ended.interrupted {
                        self.discard(done);
                        return Ok(true);
                    }
                    if !ended.failed.is_empty() {
                        failed[point] = true;
                        self.discard(done);
                        let reason = company.failed(point, &ended, &said);
                        self.journal.add_failure(point, reason)?;
                        continue;
                    }
                }
                match company.finished(point, traces(&self.recordings[point], round)) {
                    Ok(()) => self.journal.add(done)?,
                    Err(reason) => {
                        failed[point] = true;
                        self.discard(done);
                        self.journal.add_failure(point, reason)?;
                    }
                }
            }
            if is_last {
                break;
            }
        }
        Ok(false)
    }

    fn run_point(
        &self,
        done: Done,
        command: impl Fn() -> Command,
        stop: &AtomicBool,
        company: &mut impl SweepCompany,
    ) -> Result<(Rounds, String), SweepError> {
        self.discard(done);
        let Done { point, round } = done;
        let mut run = || {
            let mut errors = tempfile::tempfile()?;
            let shared = errors.try_clone()?;
            let quiet = || {
                let mut command = command();
                // A process that cannot write there goes on.
                if let Ok(errors) = shared.try_clone() {
                    command.stderr(errors);
                }
                command
            };
            let recording = &self.recordings[point];
            let ended = recording
                .run_round(round, quiet, stop, |share| company.progress(point, round, share))?;
            Ok((ended, text(&mut errors)?))
        };
        let name = || self.plan.points[point].name.clone();
        run().map_err(|source| SweepError::Run { name: name(), source })
    }

    /// Whether all launches of a round came to their end, though nobody wrote it down. A table
    /// is the last thing that a launch writes.
    fn is_whole(&self, done: Done) -> bool {
        let schedule = self.plan.points[done.point].schedule;
        let Length::Iterations(measured) = schedule.length else { return false };
        // A trace counts its plain iterations apart.
        let planned = schedule.warmup + measured;
        let is_whole = |[trace, table]: &[PathBuf; 2]| {
            completed_iterations(trace).is_ok_and(|count| count == Some(planned)) && table.exists()
        };
        self.recordings[done.point].files_of(done.round).iter().all(is_whole)
    }

    /// Removes what a round left that did not come to its end.
    fn discard(&self, done: Done) {
        for file in self.recordings[done.point].files_of(done.round).concat() {
            let _ = fs::remove_file(file); // most often there is none
        }
    }
}

fn prepare(journal: &SweepJournal, plan: &SweepPlan) -> Result<Folders, RecordError> {
    let points = plan.points.iter();
    let folders: Vec<PathBuf> =
        points.map(|point| journal.folder().join(&point.spec.options.folder)).collect();
    Folders::prepare(folders.iter().map(PathBuf::as_path))
}

fn traces(recording: &Instances, round: u32) -> Vec<PathBuf> {
    recording.files_of(round).into_iter().map(|[trace, _]| trace).collect()
}

fn text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(1 << 20).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
