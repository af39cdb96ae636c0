//! The process that does a job for another one.

use super::STUDIES;
use super::costs::{prepare, wait};
use super::error::StudyError;
use super::job::Job;
use super::look::{cuts, effects, look};
use super::sensitivity::{prune, times};
use super::service::{ask_one, question, reply};
use super::trial::Machine;
use super::turns::serve;
use crate::engine::Engines;
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::memory::bound_folding;
use crate::model::sizes::dimensions::GivenDimensions;
use crate::nodes::OnnxNodes;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Does the job on the first line of input, with further processes that `command` makes, which call
/// this as well. `refused` says why a launch is.
///
/// # Errors
///
/// If the input is not a job, or the answer cannot be written.
pub fn work(
    engines: &dyn Engines,
    mut from: impl BufRead,
    mut to: impl Write,
    refused: impl Fn(&LaunchSpec, RecordError) -> String,
    command: &dyn Fn() -> Command,
) -> io::Result<()> {
    let machine = Machine { engines, command };
    match question(&mut from)? {
        None => Ok(()),
        Some(Job::Nodes(path, given)) => {
            bound_folding();
            reply(to, OnnxNodes::read(Path::new(&path), &given))
        }
        Some(Job::TryOut(spec)) => {
            reply(to, spec.try_out(engines).map_err(|error| refused(&spec, error)))
        }
        Some(Job::Look(spec)) => {
            reply(to, look(engines, &spec).map_err(|error| refused(&spec, error)))
        }
        Some(Job::Cuts(spec)) => {
            reply(to, cuts(engines, &spec).map_err(|error| refused(&spec, error)))
        }
        Some(Job::Effects(spec, limit)) => {
            reply(to, effects(engines, &spec, limit).map_err(|error| refused(&spec, error)))
        }
        Some(Job::Prepare(asked)) => reply(to, prepare(engines, &asked)),
        Some(Job::Begin) => wait(engines, from, to),
        Some(Job::Study(kind, asked)) => {
            let study = STUDIES.iter().find(|(known, _)| *known == kind);
            let (_, answered) = study.ok_or_else(|| io::Error::other("no such study"))?;
            answered(machine, asked, &mut to)
        }
        Some(Job::Serve(spec)) => serve(engines, &spec, from, to),
        Some(Job::Prune(spec)) => prune(engines, *spec, from, to),
        Some(Job::Times(asked)) => reply(to, times(engines, &asked)),
    }
}

impl OnnxNodes {
    /// [`OnnxNodes::read`] in a process that `command` makes and that calls [`work`]. If folding
    /// constants ends the process, shapes stay unknown.
    ///
    /// # Errors
    ///
    /// The same, or if no process can be started.
    pub fn read_apart(
        path: &Path,
        given: &GivenDimensions,
        command: Command,
    ) -> Result<OnnxNodes, StudyError> {
        let job = Job::Nodes(path.into(), given.clone());
        match ask_one(command, &job, &AtomicBool::new(false)) {
            Ok(Some(nodes)) => return Ok(nodes),
            Ok(None) => {}
            // It folded beyond its bound: names, types and weights are known all the same.
            Err(StudyError::Ended(_)) => {}
            Err(error) => return Err(error),
        }
        let reason = "its constants take more memory to fold than a model of its size needs";
        let refused = |error: RecordError| StudyError::Refused(error.to_string());
        OnnxNodes::of(path, given, Some(reason.to_string())).map_err(refused)
    }
}
