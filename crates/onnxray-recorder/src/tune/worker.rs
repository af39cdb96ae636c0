//! A process in which variants run: an engine may end it. It serves one request.

use super::measure::{held_out, measure, survey};
use super::spec::{LaunchRequest, Request, Survey};
use crate::engine::Engines;
use crate::experiment::{ExperimentError, ask_one, question, reply};
use crate::launches::LaunchSpec;
use onnxray_format::{OutputDifference, RuntimeChange, TuneTrial};
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Answers the request on the first line of input.
///
/// # Errors
///
/// If the input is not a request, or the answer cannot be written.
pub fn serve_tune(engines: &dyn Engines, from: impl BufRead, to: impl Write) -> io::Result<()> {
    match question(from)? {
        None => Ok(()),
        Some(Request::Survey(base)) => reply(to, survey(engines, &base)),
        Some(Request::Launch(base, request)) => reply(to, measure(engines, &base, &request)),
        Some(Request::HeldOut(base, changes)) => reply(to, held_out(engines, &base, &changes)),
    }
}

/// Runs such processes, which `command` makes, until `stop`.
pub struct TuneWorker<'a> {
    /// The launch that changes are compared with.
    pub base: &'a LaunchSpec,
    /// Makes a process in which [`serve_tune`] answers.
    pub command: &'a dyn Fn() -> Command,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl TuneWorker<'_> {
    /// Facts about the model before anything is measured; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the model does not run as it is, or a process cannot be started.
    pub fn survey(&self) -> Result<Option<Survey>, ExperimentError> {
        ask_one((self.command)(), &Request::Survey(self.base.clone()), self.stop)
    }

    /// Measures a launch; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If the model does not run as it is, if its process ended, or if none can be started.
    pub fn launch(&self, request: LaunchRequest) -> Result<Option<TuneTrial>, ExperimentError> {
        let request = Request::Launch(self.base.clone(), request);
        ask_one((self.command)(), &request, self.stop)
    }

    /// Differences of outputs with these changes from the base's, on each input that no launch saw;
    /// `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If it does not run, if its process ended, or if none can be started.
    pub fn held_out(
        &self,
        changes: &[RuntimeChange],
    ) -> Result<Option<Vec<OutputDifference>>, ExperimentError> {
        let request = Request::HeldOut(self.base.clone(), changes.to_vec());
        ask_one((self.command)(), &request, self.stop)
    }
}
