//! A process that answers questions, since an engine may end it: a line of JSON each.
//!
//! It reads questions from standard input, and ends when that does.

use super::error::StudyError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Time between two looks at whether to stop waiting.
const GLANCE: Duration = Duration::from_millis(20);

/// The other end of such a process, which ends with this.
pub(crate) struct Service<R> {
    process: Child,
    input: ChildStdin,
    replies: Receiver<R>,
}

/// Why there is no answer.
pub(crate) enum NoAnswer {
    /// The caller asked to stop waiting.
    Halted,
    /// The process ended before it answered.
    Ended(ExitStatus),
    /// The process refuses, with a reason.
    Refused(String),
    Io(io::Error),
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> NoAnswer {
        NoAnswer::Io(error)
    }
}

impl<R: DeserializeOwned + Send + 'static> Service<R> {
    pub(crate) fn start(mut command: Command) -> io::Result<Service<R>> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let Some((input, output)) = input.zip(output) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, replies) = channel();
        let listens = thread::Builder::new().spawn(move || {
            // An engine may write anything there as well, and not only text: a line that is not
            // UTF-8 must not end the listening.
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            let replies = lines.filter_map(|line| serde_json::from_slice(&line).ok());
            for reply in replies {
                if sender.send(reply).is_err() {
                    break;
                }
            }
        });
        listens.inspect_err(|_| {
            let _ = process.kill(); // nobody would hear it
            let _ = process.wait();
        })?;
        Ok(Service { process, input, replies })
    }

    /// Asks, and waits for the answer, or until `halted`.
    pub(crate) fn ask(
        &mut self,
        what: &impl Serialize,
        halted: &impl Fn() -> bool,
    ) -> Result<R, NoAnswer> {
        let mut line = serde_json::to_vec(what).map_err(io::Error::from)?;
        line.push(b'\n');
        // It fails if the process has ended; then its status tells why.
        let _ = self.input.write_all(&line).and_then(|()| self.input.flush());
        self.hear(halted)
    }

    /// Waits for an answer, or until `halted`.
    fn hear(&mut self, halted: &impl Fn() -> bool) -> Result<R, NoAnswer> {
        loop {
            match self.replies.recv_timeout(GLANCE) {
                Ok(reply) => return Ok(reply),
                // Asked between two waits only: a reply that is there wins over a request to end.
                Err(RecvTimeoutError::Timeout) if halted() => return Err(NoAnswer::Halted),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(NoAnswer::Ended(self.process.wait()?));
                }
            }
        }
    }
}

impl<R> Drop for Service<R> {
    fn drop(&mut self) {
        // It fails if the process has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Writes an answer on a line of its own: the engine may have left one unfinished.
pub(crate) fn answer(mut to: impl Write, reply: &impl Serialize) -> io::Result<()> {
    to.write_all(b"\n")?;
    serde_json::to_writer(&mut to, reply)?;
    to.write_all(b"\n")?;
    to.flush()
}

/// The answer of a process that does jobs.
#[derive(Serialize, Deserialize)]
pub(crate) enum Reply<T> {
    Done(T),
    Refused(String),
}

/// The next question; `None` without one.
pub(crate) fn question<Q: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<Q>> {
    from.lines().next().map(|line| Ok(serde_json::from_str(&line?)?)).transpose()
}

pub(crate) fn reply<T: Serialize, E: Display>(
    to: impl Write,
    done: Result<T, E>,
) -> io::Result<()> {
    let done = done.map_or_else(|error| Reply::Refused(error.to_string()), Reply::Done);
    answer(to, &done)
}

/// Asks a process that serves one question; `None` if it was asked to end.
///
/// # Errors
///
/// If it refuses, if its process ended, or if none can be started.
pub(crate) fn ask_one<T: DeserializeOwned + Send + 'static>(
    command: Command,
    question: &impl Serialize,
    stop: &AtomicBool,
) -> Result<Option<T>, StudyError> {
    Service::<Reply<T>>::start(command)?.answer(question, stop)
}

impl<T: DeserializeOwned + Send + 'static> Service<Reply<T>> {
    /// What it answers; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If it refuses, or if its process ended.
    pub(crate) fn answer(
        &mut self,
        question: &impl Serialize,
        stop: &AtomicBool,
    ) -> Result<Option<T>, StudyError> {
        let reply = self.ask(question, &|| stop.load(Ordering::Relaxed));
        answered(reply, stop)
    }

    /// What it answers beyond that, without another question; `None` if it was asked to end.
    ///
    /// # Errors
    ///
    /// If it refuses, or if its process ended.
    pub(crate) fn further(&mut self, stop: &AtomicBool) -> Result<Option<T>, StudyError> {
        let reply = self.hear(&|| stop.load(Ordering::Relaxed));
        answered(reply, stop)
    }
}

fn answered<T>(
    reply: Result<Reply<T>, NoAnswer>,
    stop: &AtomicBool,
) -> Result<Option<T>, StudyError> {
    match reply {
        Ok(Reply::Done(answer)) => Ok(Some(answer)),
        Ok(Reply::Refused(reason)) | Err(NoAnswer::Refused(reason)) => {
            Err(StudyError::Refused(reason))
        }
        Err(NoAnswer::Halted) => Ok(None),
        // A request to end may have reached the process first.
        Err(NoAnswer::Ended(_)) if stop.load(Ordering::Relaxed) => Ok(None),
        Err(NoAnswer::Ended(status)) => Err(StudyError::Ended(status)),
        Err(NoAnswer::Io(error)) => Err(error.into()),
    }
}
