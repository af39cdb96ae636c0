//! A process in which models are pruned and run: an engine may end it.
//!
//! It reads a [`SensitivitySpec`] and then prunings from standard input, a line each, and
//! answers each with a line of its own. It ends when its input does.

use super::bench::Bench;
use super::layers::Pruning;
use super::spec::{DenseRun, SensitivitySpec};
use crate::engine::Engines;
use crate::experiment::{NoAnswer, Service, answer};
use onnxray_format::Measured;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::process::Command;

/// What such a process says.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    /// The model ran as it is.
    Ready(Box<DenseRun>),
    /// It cannot.
    Refused(String),
    /// It ran pruned.
    Measured(Box<Measured>),
}

/// Does what such a process does, until there is nothing more to read.
///
/// # Errors
///
/// If the input is none, or nobody reads what it says.
pub fn serve(engines: &dyn Engines, from: impl BufRead, mut to: impl Write) -> io::Result<()> {
    let mut say = |reply: &Reply| answer(&mut to, reply);
    let mut lines = from.lines();
    let Some(spec) = lines.next() else { return Ok(()) };
    let spec: SensitivitySpec = serde_json::from_str(&spec?)?;
    let bench = match Bench::open(engines, spec) {
        Ok(bench) => bench,
        Err(error) => return say(&Reply::Refused(error.to_string())),
    };
    say(&Reply::Ready(Box::new(bench.dense_run())))?;
    for line in lines {
        let pruning: Pruning = serde_json::from_str(&line?)?;
        say(&Reply::Measured(Box::new(bench.measure(&pruning))))?;
    }
    Ok(())
}

/// The other end of such a process, which ends with this.
pub(super) struct Worker(Service<Reply>);

impl Worker {
    /// Starts a process and waits until it is ready, or until `halted`.
    pub(super) fn start(
        command: Command,
        spec: &SensitivitySpec,
        halted: &impl Fn() -> bool,
    ) -> Result<(Worker, DenseRun), NoAnswer> {
        let mut worker = Worker(Service::start(command)?);
        match worker.0.ask(spec, halted)? {
            Reply::Ready(dense) => Ok((worker, *dense)),
            Reply::Refused(reason) => Err(NoAnswer::Refused(reason)),
            Reply::Measured(_) => Err(NoAnswer::Refused("it answers something else".to_string())),
        }
    }

    /// Prunes and compares.
    pub(super) fn measure(
        &mut self,
        pruning: &Pruning,
        halted: &impl Fn() -> bool,
    ) -> Result<Measured, NoAnswer> {
        match self.0.ask(pruning, halted)? {
            Reply::Measured(measured) => Ok(*measured),
            Reply::Ready(_) => Err(NoAnswer::Refused("it answers something else".to_string())),
            Reply::Refused(reason) => Err(NoAnswer::Refused(reason)),
        }
    }
}
