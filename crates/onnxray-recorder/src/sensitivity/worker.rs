//! A process in which models are pruned and run: an engine may end it.
//!
//! It reads a [`SensitivitySpec`] and then prunings from standard input, a line each, and
//! answers each with a line of its own. It ends when its input does.

use super::bench::Bench;
use super::layers::Pruning;
use super::spec::{DenseRun, SensitivitySpec};
use crate::engine::Engines;
use onnxray_format::Measured;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often a process that waits looks whether it is to end.
const GLANCE: Duration = Duration::from_millis(20);

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
    let mut say = |reply: &Reply| -> io::Result<()> {
        // Behind whatever the engine wrote.
        to.write_all(b"\n")?;
        serde_json::to_writer(&mut to, reply)?;
        to.write_all(b"\n")?;
        to.flush()
    };
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
pub(super) struct Worker {
    process: Child,
    input: ChildStdin,
    replies: Receiver<Reply>,
}

/// Why there is no answer.
pub(super) enum NoAnswer {
    /// It was to end.
    Halted,
    /// Its process ended before.
    Ended(ExitStatus),
    /// It says that it cannot.
    Refused(String),
    /// The system does not let it.
    Io(io::Error),
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> NoAnswer {
        NoAnswer::Io(error)
    }
}

impl Worker {
    /// Starts a process and waits until it is ready, or until `halted`.
    pub(super) fn start(
        mut command: Command,
        spec: &SensitivitySpec,
        halted: &impl Fn() -> bool,
    ) -> Result<(Worker, DenseRun), NoAnswer> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let Some((input, output)) = input.zip(output) else {
            return Err(NoAnswer::Io(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, replies) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            // An engine may write there as well.
            let replies = lines.filter_map(|line| serde_json::from_str(&line).ok());
            for reply in replies {
                if sender.send(reply).is_err() {
                    break;
                }
            }
        });
        let mut worker = Worker { process, input, replies };
        match worker.ask(spec, halted)? {
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
        match self.ask(pruning, halted)? {
            Reply::Measured(measured) => Ok(*measured),
            Reply::Ready(_) => Err(NoAnswer::Refused("it answers something else".to_string())),
            Reply::Refused(reason) => Err(NoAnswer::Refused(reason)),
        }
    }

    fn ask(
        &mut self,
        what: &impl Serialize,
        halted: &impl Fn() -> bool,
    ) -> Result<Reply, NoAnswer> {
        let mut line = serde_json::to_vec(what).map_err(io::Error::from)?;
        line.push(b'\n');
        // It fails if the process has ended; then its status tells why.
        let _ = self.input.write_all(&line).and_then(|()| self.input.flush());
        loop {
            match self.replies.recv_timeout(GLANCE) {
                Ok(reply) => return Ok(reply),
                Err(RecvTimeoutError::Timeout) if halted() => return Err(NoAnswer::Halted),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(NoAnswer::Ended(self.process.wait()?));
                }
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It fails if the process has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
