//! Many prunings of a model, measured in processes side by side.

use super::spec::{DenseRun, SensitivitySpec};
use super::worker::Worker;
use crate::model::pruning::Pruning;
use crate::study::error::StudyError;
use crate::study::service::NoAnswer;
use onnxray_failsafe::beside;
use onnxray_format::Measured;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// How to start processes; and the first one, until a thread takes it.
pub(super) struct Workers<'a> {
    spec: &'a SensitivitySpec,
    command: &'a (dyn Fn() -> Command + Sync),
    first: Option<Worker>,
}

pub(super) enum NotMeasured {
    /// The caller asked to stop.
    Interrupted,
    Failed(StudyError),
}

impl From<StudyError> for NotMeasured {
    fn from(error: StudyError) -> NotMeasured {
        NotMeasured::Failed(error)
    }
}

impl From<NoAnswer> for NotMeasured {
    fn from(why: NoAnswer) -> NotMeasured {
        match why {
            NoAnswer::Halted => NotMeasured::Interrupted,
            NoAnswer::Ended(status) => StudyError::Ended(status).into(),
            NoAnswer::Refused(reason) => StudyError::Refused(reason).into(),
            NoAnswer::Io(error) => StudyError::Process(error).into(),
        }
    }
}

impl<'a> Workers<'a> {
    /// Starts a process that `command` makes, in which [`[`work`](fn@crate::study::work)] runs the model as it
    /// is, until `stop`, and what is known of that.
    pub(super) fn start(
        spec: &'a SensitivitySpec,
        command: &'a (dyn Fn() -> Command + Sync),
        stop: &AtomicBool,
    ) -> Result<(Workers<'a>, DenseRun), NotMeasured> {
        let halted = || stop.load(Ordering::Relaxed);
        let (first, dense) = Worker::start(command(), spec, &halted)?;
        Ok((Workers { spec, command, first: Some(first) }, dense))
    }

    /// Makes processes.
    pub(super) fn command(&self) -> &'a (dyn Fn() -> Command + Sync) {
        self.command
    }

    /// Ends the process that no thread has taken.
    pub(super) fn end(&mut self) {
        self.first = None;
    }
}

/// Measures all of them in this many processes, until `stop`. `finished` takes each with its
/// number, in the order in which they end.
///
/// A process that ends has failed at what it was about; others go on.
pub(super) fn measure_all(
    workers: &mut Workers,
    prunings: &[Pruning],
    jobs: usize,
    stop: &AtomicBool,
    mut finished: impl FnMut(usize, Measured) -> Result<(), StudyError>,
) -> Result<(), NotMeasured> {
    let broken = AtomicBool::new(false);
    let halted = || stop.load(Ordering::Relaxed) || broken.load(Ordering::Relaxed);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    let mut result = Ok(());
    let Workers { spec, command, first } = workers;
    let (spec, command) = (*spec, *command);
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, prunings.len().max(1)) {
            // The first thread gets the process that ran the dense model; others start their own.
            let (mut worker, sender) = (first.take(), sender.clone());
            let (next, halted) = (&next, &halted);
            beside(scope, move || {
                while !halted() {
                    // Taken one by one, since layers take different times.
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(pruning) = prunings.get(number) else { break };
                    let measured = measure(&mut worker, (spec, command), pruning, halted);
                    let is_over = measured.is_err();
                    // Nobody waits for it once something is broken.
                    if sender.send((number, measured)).is_err() || is_over {
                        break;
                    }
                }
            });
        }
        // The receiver ends when the last thread's sender is gone, so not before this one.
        drop(sender);
        for (number, measured) in receiver {
            let done = measured.and_then(|measured| Ok(finished(number, measured)?));
            if let Err(error) = done {
                broken.store(true, Ordering::Relaxed);
                // What broke it, and not what ended because of that.
                if result.is_ok() {
                    result = Err(error);
                }
            }
        }
    });
    result?;
    match stop.load(Ordering::Relaxed) {
        true => Err(NotMeasured::Interrupted),
        false => Ok(()),
    }
}

/// Measures one of them on inputs that no layer is measured on, in a process of its own, until
/// `stop`. `None` where nothing came of it.
pub(super) fn hold_out(
    workers: &Workers,
    pruning: &Pruning,
    stop: &AtomicBool,
) -> Result<Option<Vec<f64>>, NotMeasured> {
    let halted = || stop.load(Ordering::Relaxed);
    let mut worker = Worker::start((workers.command)(), workers.spec, &halted)?.0;
    match worker.hold_out(pruning, &halted) {
        Ok(held_out) => Ok(held_out.ok()),
        Err(NoAnswer::Ended(_)) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// Measures one pruning, in a new process if there is none.
fn measure(
    worker: &mut Option<Worker>,
    (spec, command): (&SensitivitySpec, &(dyn Fn() -> Command + Sync)),
    pruning: &Pruning,
    halted: &impl Fn() -> bool,
) -> Result<Measured, NotMeasured> {
    let mut own = match worker.take() {
        Some(worker) => worker,
        None => Worker::start(command(), spec, halted)?.0,
    };
    match own.measure(pruning, halted) {
        // A process that answered serves the next one, too: it has loaded the model.
        Ok(measured) => {
            *worker = Some(own);
            Ok(measured)
        }
        Err(NoAnswer::Ended(status)) => {
            Ok(Measured::failed(format!("the engine ended its process: {status}")))
        }
        Err(other) => Err(other.into()),
    }
}
