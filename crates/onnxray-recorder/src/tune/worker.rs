//! A process in which variants run: an engine may end it. It serves one request.

use super::measure::{measure, survey};
use super::spec::{LaunchRequest, Request, Survey};
use crate::engine::Engines;
use crate::error::RecordError;
use crate::experiment::{ExperimentError, NoAnswer, Service, answer};
use crate::launches::LaunchSpec;
use onnxray_format::TuneLaunch;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// What such a process says.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Survey(Box<Survey>),
    Launch(Box<TuneLaunch>),
    Refused(String),
}

/// Answers a request that stands in a line of its input.
///
/// # Errors
///
/// If the input is none, or nobody reads what it says.
pub fn serve_tune(engines: &dyn Engines, from: impl BufRead, to: impl Write) -> io::Result<()> {
    let Some(line) = from.lines().next() else { return Ok(()) };
    let refused = |error: RecordError| Reply::Refused(error.to_string());
    let reply = match serde_json::from_str(&line?)? {
        Request::Survey(base) => match survey(engines, &base) {
            Ok(survey) => Reply::Survey(Box::new(survey)),
            Err(error) => refused(error),
        },
        Request::Launch(base, request) => match measure(engines, &base, &request) {
            Ok(launch) => Reply::Launch(Box::new(launch)),
            Err(error) => refused(error),
        },
    };
    answer(to, &reply)
}

/// Runs such processes, which `command` makes, until `stop`.
pub struct TuneWorker<'a> {
    /// What changes are compared with.
    pub base: &'a LaunchSpec,
    /// Makes a process in which [`serve_tune`] answers.
    pub command: &'a dyn Fn() -> Command,
    /// Whether to end.
    pub stop: &'a AtomicBool,
}

impl TuneWorker<'_> {
    /// What is known before anything is measured; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If the model does not run as it is, or a process cannot be started.
    pub fn survey(&self) -> Result<Option<Survey>, ExperimentError> {
        match self.ask(&Request::Survey(self.base.clone()))? {
            Some(Reply::Survey(survey)) => Ok(Some(*survey)),
            other => unexpected(other),
        }
    }

    /// Measures a launch; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If the model does not run as it is, if its process ended, or if none can be started.
    pub fn launch(&self, request: LaunchRequest) -> Result<Option<TuneLaunch>, ExperimentError> {
        match self.ask(&Request::Launch(self.base.clone(), request))? {
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
