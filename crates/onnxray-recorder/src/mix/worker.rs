//! A process in which mixes run: an engine may end it. It serves one request.

use super::measure::{losses, measure};
use super::spec::{LossesRequest, MixRequest, MixSpec, MixSurvey, Request};
use super::survey::survey;
use crate::engine::Engines;
use crate::experiment::{ExperimentError, ask_one, question, reply};
use onnxray_format::{MixHeldOut, MixTrial};
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Answers the request on the first line of input.
///
/// # Errors
///
/// If the input is not a request, or the answer cannot be written.
pub fn serve_mix(engines: &dyn Engines, from: impl BufRead, to: impl Write) -> io::Result<()> {
    match question(from)? {
        None => Ok(()),
        Some(Request::Survey(spec)) => reply(to, survey(engines, &spec)),
        Some(Request::Launch(spec, request)) => reply(to, measure(engines, &spec, &request)),
        Some(Request::Losses(spec, request)) => reply(to, losses(engines, &spec, &request)),
    }
}

/// Runs such processes, which `command` makes, until `stop`.
pub struct MixWorker<'a> {
    /// The models to mix.
    pub spec: &'a MixSpec,
    /// Makes a process in which [`serve_mix`] answers.
    pub command: &'a dyn Fn() -> Command,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

impl MixWorker<'_> {
    /// Facts about both models before anything is measured; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If a model does not run, if they cannot be mixed, or if a process cannot be started.
    pub fn survey(&self) -> Result<Option<MixSurvey>, ExperimentError> {
        ask_one((self.command)(), &Request::Survey(self.spec.clone()), self.stop)
    }

    /// Measures a launch; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If A does not run, if its process ended, or if none can be started.
    pub fn launch(&self, request: MixRequest) -> Result<Option<MixTrial>, ExperimentError> {
        let request = Request::Launch(self.spec.clone(), request);
        ask_one((self.command)(), &request, self.stop)
    }

    /// Distances of mixes from A on inputs that no launch saw; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If A does not run, if its process ended, or if none can be started.
    pub fn losses(
        &self,
        request: LossesRequest,
    ) -> Result<Option<Vec<MixHeldOut>>, ExperimentError> {
        let request = Request::Losses(self.spec.clone(), request);
        ask_one((self.command)(), &request, self.stop)
    }
}
