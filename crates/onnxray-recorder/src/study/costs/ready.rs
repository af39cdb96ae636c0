//! Inputs that wait for processes of a model, and such a process.

use super::super::error::StudyError;
use super::super::job::Job;
use super::super::service::ask_one;
use super::pace::PaceSpec;
use super::spec::{Prepare, Prepared, ToBegin};
use super::waiting::Waiting;
use crate::launches::LaunchSpec;
use onnxray_format::Start;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// Inputs of a model, in a folder that goes with this.
pub struct Ready {
    folder: TempDir,
    prepared: Prepared,
    is_cold: bool,
}

impl Ready {
    /// Has the inputs of a launch made in a process; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the model cannot be loaded, or if the process ended or cannot be started.
    pub(super) fn of(
        spec: &LaunchSpec,
        folder: TempDir,
        command: Command,
        stop: &AtomicBool,
    ) -> Result<Option<Ready>, StudyError> {
        Ready::made(Prepare::of(spec, &folder), folder, command, stop)
    }

    /// As [`Ready::of`], and never loads the model only to try inputs out: they are the first of
    /// those that it may run on.
    pub(super) fn guessed(
        spec: &LaunchSpec,
        folder: TempDir,
        command: Command,
        stop: &AtomicBool,
    ) -> Result<Option<Ready>, StudyError> {
        let asked = Prepare { may_guess: true, ..Prepare::of(spec, &folder) };
        Ready::made(asked, folder, command, stop)
    }

    fn made(
        asked: Prepare,
        folder: TempDir,
        command: Command,
        stop: &AtomicBool,
    ) -> Result<Option<Ready>, StudyError> {
        let prepared = ask_one(command, &Job::Prepare(Box::new(asked)), stop)?;
        Ok(prepared.map(|prepared| Ready { folder, prepared, is_cold: false }))
    }

    /// Whether a recording of the model has these inputs, even if it does not run on them.
    pub(super) fn is_certain(&self) -> bool {
        self.prepared.is_certain
    }

    /// The system drops the model's files from memory before each process, or does not.
    pub(super) fn of_cold_file(self, is_cold: bool) -> Ready {
        Ready { is_cold, ..self }
    }

    /// Has a process load the model of this launch and run it with these inputs; `number` is the
    /// process's among those of its model, and `told` what it told if it did not come to its end. `None` if
    /// it was stopped.
    ///
    /// # Errors
    ///
    /// If the engine refuses, or if the process ended.
    pub(super) fn begin(
        &self,
        (spec, pace): (&LaunchSpec, &Option<PaceSpec>),
        number: u32,
        process: Waiting,
        stop: &AtomicBool,
        told: &mut Option<Start>,
    ) -> Result<Option<Start>, StudyError> {
        let to_begin = ToBegin {
            engine: spec.engine.clone(),
            model: spec.model.clone(),
            dimensions: self.prepared.dimensions.clone(),
            options: spec.options.clone(),
            inputs: self.folder.path().into(),
            file_bytes: Some(self.prepared.file_bytes),
            dropped: if self.is_cold { self.prepared.files.clone() } else { Vec::new() },
            pace: pace.clone(),
            number,
        };
        process.begin(&to_begin, stop, told)
    }
}
