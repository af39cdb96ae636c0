//! A process in which models are pruned and run: an engine may end it.
//!
//! After its job it reads questions from standard input, a line each, and answers each with a
//! line of its own. It ends when its input does.

use super::bench::Bench;
use super::spec::{DenseRun, SensitivitySpec};
use crate::engine::Engines;
use crate::model::pruning::Pruning;
use crate::study::job::Job;
use crate::study::service::{NoAnswer, Service, answer};
use onnxray_format::Measured;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, BufRead, Write};
use std::process::Command;

/// A line that the process reads after the specification.
#[derive(Debug, Serialize, Deserialize)]
enum Question<'a> {
    /// Compare on the inputs that layers are measured on.
    Measure(Cow<'a, Pruning>),
    /// Compare on inputs held out.
    HoldOut(Cow<'a, Pruning>),
}

/// A line that the process writes.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    /// The model ran dense, first of all.
    Ready(Box<DenseRun>),
    /// The model or its data cannot be used.
    Refused(String),
    Measured(Box<Measured>),
    /// It ran pruned on inputs held out, or why it did not.
    HeldOut(Result<Vec<f64>, String>),
}

/// Answers questions until the input ends.
///
/// # Errors
///
/// If the input is not of this form, or an answer cannot be written.
pub(in crate::study) fn prune(
    engines: &dyn Engines,
    spec: SensitivitySpec,
    from: impl BufRead,
    mut to: impl Write,
) -> io::Result<()> {
    let mut say = |reply: &Reply| answer(&mut to, reply);
    let bench = match Bench::open(engines, spec) {
        Ok(bench) => bench,
        // A model that cannot be used is an answer, not a failure of the process.
        Err(error) => return say(&Reply::Refused(error.to_string())),
    };
    say(&Reply::Ready(Box::new(bench.dense_run())))?;
    for line in from.lines() {
        say(&match serde_json::from_str(&line?)? {
            Question::Measure(pruning) => Reply::Measured(Box::new(bench.measure(&pruning))),
            Question::HoldOut(pruning) => Reply::HeldOut(bench.hold_out(&pruning)),
        })?;
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
        match worker.0.ask(&Job::Prune(Box::new(spec.clone())), halted)? {
            Reply::Ready(dense) => Ok((worker, *dense)),
            Reply::Refused(reason) => Err(NoAnswer::Refused(reason)),
            _ => Err(something_else()),
        }
    }

    pub(super) fn measure(
        &mut self,
        pruning: &Pruning,
        halted: &impl Fn() -> bool,
    ) -> Result<Measured, NoAnswer> {
        match self.0.ask(&Question::Measure(Cow::Borrowed(pruning)), halted)? {
            Reply::Measured(measured) => Ok(*measured),
            Reply::Refused(reason) => Err(NoAnswer::Refused(reason)),
            _ => Err(something_else()),
        }
    }

    /// The divergence on each input held out, or why there is none.
    pub(super) fn hold_out(
        &mut self,
        pruning: &Pruning,
        halted: &impl Fn() -> bool,
    ) -> Result<Result<Vec<f64>, String>, NoAnswer> {
        match self.0.ask(&Question::HoldOut(Cow::Borrowed(pruning)), halted)? {
            Reply::HeldOut(held_out) => Ok(held_out),
            Reply::Refused(reason) => Err(NoAnswer::Refused(reason)),
            _ => Err(something_else()),
        }
    }
}

fn something_else() -> NoAnswer {
    NoAnswer::Refused("it answers something else".to_string())
}
