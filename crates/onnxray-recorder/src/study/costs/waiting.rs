//! Processes that are up before there is work for them: what the system takes to begin a program
//! is not a part of a start, and must not fall on one that is measured.

use super::super::error::StudyError;
use super::super::job::Job;
use super::super::service::{Reply, Service, question, reply};
use super::begin::begin;
use super::spec::{Said, ToBegin};
use crate::engine::Engines;
use crate::error::RecordError;
use onnxray_format::Start;
use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Such a process, which ends with this.
pub(super) struct Waiting {
    service: Service<Reply<Said>>,
    is_up: bool,
}

impl Waiting {
    pub(super) fn of(command: Command) -> io::Result<Waiting> {
        Ok(Waiting { service: Service::start(command)?, is_up: false })
    }

    /// Waits until it is up and does nothing any more; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the process ended.
    pub(super) fn up(&mut self, stop: &AtomicBool) -> Result<Option<()>, StudyError> {
        if !self.is_up {
            self.is_up = self.service.answer(&Job::Begin, stop)?.is_some();
        }
        Ok(self.is_up.then_some(()))
    }

    /// Has it load a model and run it; `told` is what it told if it did not come to its end.
    /// `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the engine refuses, or if the process ended.
    pub(super) fn begin(
        mut self,
        spec: &ToBegin,
        stop: &AtomicBool,
        told: &mut Option<Start>,
    ) -> Result<Option<Start>, StudyError> {
        if self.up(stop)?.is_none() {
            return Ok(None);
        }
        let Some(Said::Started(begun)) = self.service.answer(spec, stop)? else { return Ok(None) };
        let start = told.insert(*begun);
        let paces = spec.pace.as_ref().map_or(0, |pace| pace.rates.len());
        while start.paces.len() < paces {
            let Some(Said::Paced(pace)) = self.service.further(stop)? else { return Ok(None) };
            start.paces.push(pace);
        }
        Ok(told.take())
    }
}

/// What such a process does.
pub(in super::super) fn wait(
    engines: &dyn Engines,
    mut from: impl BufRead,
    mut to: impl Write,
) -> io::Result<()> {
    reply(&mut to, Ok::<Said, RecordError>(Said::Up))?;
    match question(&mut from)? {
        Some(spec) => begin(engines, &spec, &mut to),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::InstalledEngines;

    #[test]
    fn a_process_says_that_it_is_up_before_it_is_told_what_to_do() {
        let mut said = Vec::new();
        wait(&InstalledEngines, &b""[..], &mut said).unwrap();
        let said = String::from_utf8(said).unwrap();
        let is_up: Reply<Said> = serde_json::from_str(said.trim()).unwrap();
        assert!(matches!(is_up, Reply::Done(Said::Up)), "{said}");
    }
}
