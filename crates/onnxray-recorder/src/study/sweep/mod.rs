//! Many configurations, measured in turns: a round runs one launch of each, in an order of
//! its own, so that a slow minute does not fall on one of them alone.
//!
//! A sweep can be resumed wherever it was killed. What is done is in its journal; of what is
//! not, the traces tell: a round of which all are whole counts, any other is run again.

mod plan;
mod starts;

pub use plan::{PlannedPoint, SkippedPoint, SweepEntry, SweepPlan};

use crate::clock::file_time;
use crate::error::RecordError;
use crate::launches::{Folders, Instances, Rounds};
use crate::record::Length;
use crate::study::costs::CostPlan;
use crate::study::error::StudyError;
use crate::study::journal::Journal;
use crate::study::turns::{Turn, in_turns};
use onnxray_format::layout;
use onnxray_format::{Costs, completed_iterations};
use starts::Starts;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Callbacks of a sweep, which also decide when it ends.
pub trait SweepHooks {
    /// Whether to run a round of a point.
    fn wants(&mut self, point: usize, round: u32) -> bool;

    /// The processes that measure what an inference costs, before a round of a point.
    fn costs(&mut self, point: usize, round: u32) -> CostPlan;

    /// Progress of a round of a point, from 0 to 1.
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

/// What makes the processes of a sweep.
pub struct SweepCommands<'a> {
    /// Those that run a launch.
    pub launch: &'a dyn Fn() -> Command,
    /// Workers ([`work`](super::work)).
    pub worker: &'a dyn Fn() -> Command,
}

/// The journal of a sweep, in the project's folder.
pub type SweepJournal = Journal<SweepPlan>;

#[derive(Clone, Copy)]
struct Round {
    point: usize,
    number: u32,
}

/// A sweep that was begun.
pub struct Sweep {
    journal: SweepJournal,
    plan: SweepPlan,
    /// By point.
    recordings: Vec<Instances>,
    starts: Starts,
    /// Removes empty folders when dropped.
    _folders: Option<Folders>,
}

impl Sweep {
    /// Begins a sweep.
    ///
    /// # Errors
    ///
    /// If a folder cannot be made or read, or the journal cannot be written.
    pub fn begin(mut journal: SweepJournal, mut plan: SweepPlan) -> Result<Sweep, StudyError> {
        let folders = prepare(&journal, &plan)?;
        let mut reserved = Vec::new();
        for point in &mut plan.points {
            let folder = journal.place().join(&point.spec.options.folder);
            let run = |source| StudyError::Run { name: point.name.clone(), source };
            let time = layout::reserve(&folder, &point.spec.model_name(), file_time, |_| true)
                .map_err(run)?;
            point.time = time.time().to_string();
            reserved.push(time);
        }
        // With the times in it: a sweep that is resumed writes into the same recordings.
        journal.begin(plan.clone())?;
        // From now on, the journal says whose they are.
        drop(reserved);
        Ok(Sweep { _folders: Some(folders), ..Sweep::of(journal, plan) })
    }

    /// Resumes a sweep where its journal ends. It runs `plan`, which is the journal's plan with
    /// launches as they are asked for now.
    ///
    /// # Errors
    ///
    /// If a folder cannot be made.
    pub fn resume(journal: SweepJournal, plan: SweepPlan) -> Result<Sweep, StudyError> {
        let folders = prepare(&journal, &plan)?;
        Ok(Sweep { _folders: Some(folders), ..Sweep::of(journal, plan) })
    }

    /// Opens the sweep of a journal for reading; `None` if the journal is empty.
    pub fn look(journal: SweepJournal) -> Option<Sweep> {
        let plan = journal.plan()?.clone();
        Some(Sweep::of(journal, plan))
    }

    fn of(mut journal: SweepJournal, plan: SweepPlan) -> Sweep {
        let recording = |point: &PlannedPoint| {
            let PlannedPoint { mut spec, schedule, cores, time, .. } = point.clone();
            spec.options.folder = journal.place().join(&spec.options.folder).into();
            Instances::named(spec, schedule, cores, time)
        };
        let recordings: Vec<Instances> = plan.points.iter().map(recording).collect();
        // Who removed a trace has its round measured again.
        journal.retain(|entry| match *entry {
            SweepEntry::Done { point, round } => {
                traces(&recordings[point], round).iter().all(|trace| trace.exists())
            }
            SweepEntry::Failed { .. } => true,
        });
        Sweep { recordings, starts: Starts::default(), journal, plan, _folders: None }
    }

    /// Lines of its journal that cannot be read: rounds may be missing for it.
    pub fn damaged(&self) -> u64 {
        self.journal.damaged()
    }

    /// Its plan.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// Why a point failed when it was run last, if it did.
    pub fn failure(&self, point: usize) -> Option<&str> {
        match self.journal.known(&(point, None))? {
            SweepEntry::Failed { failed, .. } => Some(failed),
            SweepEntry::Done { .. } => None,
        }
    }

    /// The traces of each round of a point that is done.
    pub fn traces(&self, point: usize) -> Vec<Vec<PathBuf>> {
        let rounds = self.journal.entries().filter_map(|entry| match *entry {
            SweepEntry::Done { point: own, round } if own == point => Some(round),
            _ => None,
        });
        rounds.map(|round| traces(&self.recordings[point], round)).collect()
    }

    /// Runs round after round in processes that `commands` make, until no point wants another
    /// one, or `stop`. Whether `stop` ended it.
    ///
    /// # Errors
    ///
    /// If a process cannot be started, or if the journal cannot be written.
    pub fn run(
        &mut self,
        commands: &SweepCommands,
        stop: &AtomicBool,
        hooks: &mut impl SweepHooks,
    ) -> Result<bool, StudyError> {
        let (points, seed) = (self.plan.points.len(), self.plan.seed);
        in_turns(points, seed, |point, number| {
            let round = Round { point, number };
            if self.journal.known(&(point, Some(number))).is_some() {
                return Ok(Turn::Measured);
            }
            match hooks.wants(point, number) {
                true => self.turn(round, commands, stop, hooks),
                false => Ok(Turn::Enough),
            }
        })
    }

    /// Runs a round of a point, unless its files say that it is done, and writes down what came
    /// of it.
    fn turn(
        &mut self,
        round: Round,
        commands: &SweepCommands,
        stop: &AtomicBool,
        hooks: &mut impl SweepHooks,
    ) -> Result<Turn, StudyError> {
        let Round { point, number } = round;
        // A killed sweep may have finished a round without writing it down.
        if !self.is_whole(round) {
            hooks.progress(point, number, 0.0);
            let plan = hooks.costs(point, number);
            let spec = self.recordings[point].alone();
            let costs = self.starts.measure(&spec, (&plan, number), commands.worker, stop);
            let (ended, said) = self.run_round((round, costs), commands.launch, stop, hooks)?;
            if ended.interrupted {
                self.discard(round);
                return Ok(Turn::Interrupted);
            }
            if !ended.failed.is_empty() {
                return self.fail(round, hooks.failed(point, &ended, &said));
            }
        }
        match hooks.finished(point, traces(&self.recordings[point], number)) {
            Ok(()) => self.journal.keep(SweepEntry::Done { point, round: number })?,
            Err(reason) => return self.fail(round, reason),
        }
        Ok(Turn::Measured)
    }

    fn fail(&mut self, round: Round, failed: String) -> Result<Turn, StudyError> {
        self.discard(round);
        self.journal.keep(SweepEntry::Failed { point: round.point, failed })?;
        Ok(Turn::Failed)
    }

    fn run_round(
        &self,
        (round, costs): (Round, Option<Costs>),
        command: impl Fn() -> Command,
        stop: &AtomicBool,
        hooks: &mut impl SweepHooks,
    ) -> Result<(Rounds, String), StudyError> {
        self.discard(round);
        let Round { point, number } = round;
        let run = || {
            // Not a pipe: nobody reads while the processes run, and a full one blocks them.
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
            let progress = |share| hooks.progress(point, number, share);
            let ended = recording.run_round(number, costs, quiet, stop, progress)?;
            Ok((ended, text(&mut errors)?))
        };
        let name = || self.plan.points[point].name.clone();
        run().map_err(|source| StudyError::Run { name: name(), source })
    }

    /// Whether all launches of a round are complete, though no journal line says so. A launch
    /// writes its table last.
    fn is_whole(&self, round: Round) -> bool {
        let schedule = self.plan.points[round.point].schedule;
        // A duration does not say how many iterations a whole trace has.
        let Length::Iterations(measured) = schedule.length else { return false };
        // A trace counts its unprofiled iterations apart.
        let planned = schedule.warmup + measured;
        let is_whole = |[trace, table]: &[PathBuf; 2]| {
            completed_iterations(trace).is_ok_and(|count| count == Some(planned)) && table.exists()
        };
        self.recordings[round.point].files_of(round.number).iter().all(is_whole)
    }

    /// Removes what a round left that did not come to its end.
    fn discard(&self, round: Round) {
        for file in self.recordings[round.point].files_of(round.number).concat() {
            let _ = fs::remove_file(file); // most often there is none
        }
    }
}

fn prepare(journal: &SweepJournal, plan: &SweepPlan) -> Result<Folders, RecordError> {
    let points = plan.points.iter();
    let folders: Vec<PathBuf> =
        points.map(|point| journal.place().join(&point.spec.options.folder)).collect();
    Folders::prepare(folders.iter().map(PathBuf::as_path))
}

fn traces(recording: &Instances, round: u32) -> Vec<PathBuf> {
    recording.files_of(round).into_iter().map(|[trace, _]| trace).collect()
}

fn text(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    // 1 MiB holds any reason; an engine may have logged without end.
    file.take(1 << 20).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
