//! A process in which mixes run: an engine may end it. It serves one request.

use super::measure::measure;
use super::spec::{MixRequest, MixSpec, MixSurvey, Request};
use super::survey::survey;
use crate::engine::Engines;
use crate::error::RecordError;
use crate::experiment::{ExperimentError, NoAnswer, Service, answer};
use onnxray_format::MixLaunch;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// What such a process says.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Survey(Box<MixSurvey>),
    Launch(Box<MixLaunch>),
    Refused(String),
}

/// Answers a request that stands in a line of its input.
///
/// # Errors
///
/// If the input is none, or nobody reads what it says.
pub fn serve_mix(engines: &dyn Engines, from: impl BufRead, to: impl Write) -> io::Result<()> {
    let Some(line) = from.lines().next() else { return Ok(()) };
    let refused = |error: RecordError| Reply::Refused(error.to_string());
    let reply = match serde_json::from_str(&line?)? {
        Request::Survey(spec) => match survey(engines, &spec) {
            Ok(survey) => Reply::Survey(Box::new(survey)),
            Err(error) => refused(error),
        },
        Request::Launch(spec, request) => match measure(engines, &spec, &request) {
            Ok(launch) => Reply::Launch(Box::new(launch)),
            Err(error) => refused(error),
        },
    };
    answer(to, &reply)
}

/// Runs such processes, which `command` makes, until `stop`.
pub struct MixWorker<'a> {
    /// What is mixed.
    pub spec: &'a MixSpec,
    /// Makes a process in which [`serve_mix`] answers.
    pub command: &'a dyn Fn() -> Command,
    /// Whether to end.
    pub stop: &'a AtomicBool,
}

impl MixWorker<'_> {
    /// What is known before anything is measured; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If a model does not run, if they cannot be mixed, or if a process cannot be started.
    pub fn survey(&self) -> Result<Option<MixSurvey>, ExperimentError> {
        match self.ask(&Request::Survey(self.spec.clone()))? {
            Some(Reply::Survey(survey)) => Ok(Some(*survey)),
            other => unexpected(other),
        }
    }

    /// Measures a launch; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If A does not run, if its process ended, or if none can be started.
    pub fn launch(&self, request: MixRequest) -> Result<Option<MixLaunch>, ExperimentError> {
        match self.ask(&Request::Launch(self.spec.clone(), request))? {
            Some(Reply::Launch(launch)) => Ok(Some(*launch)),
            other => unexpected(other),
        }
    }

    fn ask(&self, request: &Request) -> Result<Option<Reply>, ExperimentError> {
        let mut service = Service::<Reply>::start((self.command)())?;
        match service.ask(request, &|| self.stop.load(Ordering::Relaxed)) {
            Ok(Reply::Refused(reason)) | Err(NoAnswer::Refused(reason)) => {
                Err(ExperimentError::Refused(reason))
            }
            Ok(reply) => Ok(Some(reply)),
            Err(NoAnswer::Halted) => Ok(None),
            // A request to end may have reached the process first.
            Err(NoAnswer::Ended(_)) if self.stop.load(Ordering::Relaxed) => Ok(None),
            Err(NoAnswer::Ended(status)) => Err(ExperimentError::Ended(status)),
            Err(NoAnswer::Io(error)) => Err(error.into()),
        }
    }
}

fn unexpected<T>(reply: Option<Reply>) -> Result<Option<T>, ExperimentError> {
    match reply {
        None => Ok(None),
        Some(_) => Err(ExperimentError::Refused("it answers something else".to_string())),
    }
}
