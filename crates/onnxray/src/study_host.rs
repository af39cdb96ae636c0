//! This program as studies see it: its processes, its messages, and the request to end.

use crate::commands::Stop;
use crate::engine_process::{part, worker};
use crate::message;
use crate::progress::Progress;
use onnxray_recorder::Clock;
use onnxray_study::{Host, Left, Said, Teller};
use std::cell::RefCell;
use std::fmt::Arguments;
use std::process::Command;
use std::time::Duration;

/// What a study needs of this program.
pub(crate) struct Program {
    pub(crate) stop: Stop,
    launch: Box<dyn Fn() -> Command + Sync>,
    worker: Box<dyn Fn() -> Command + Sync>,
    terminal: Terminal,
}

impl Program {
    /// Ends studies when it is asked to.
    ///
    /// # Errors
    ///
    /// If signals cannot be listened for, or if this program cannot be found.
    pub(crate) fn on_signals() -> anyhow::Result<Program> {
        Program::with(Stop::on_signals()?)
    }

    /// Ends studies by a request that something else listens for.
    ///
    /// # Errors
    ///
    /// If this program cannot be found.
    pub(crate) fn with(stop: Stop) -> anyhow::Result<Program> {
        let (launch, worker) = (Box::new(part("launch")?), Box::new(worker()?));
        Ok(Program { stop, launch, worker, terminal: Terminal::default() })
    }

    /// With the clock of its time limits.
    pub(crate) fn host<'a>(&'a self, clock: &'a dyn Clock) -> Host<'a> {
        Host {
            clock,
            stop: self.stop.asked(),
            launch: &*self.launch,
            worker: &*self.worker,
            teller: &self.terminal,
        }
    }
}

/// Tells on standard error.
#[derive(Default)]
pub(crate) struct Terminal {
    shown: RefCell<Option<Progress>>,
}

impl Teller for Terminal {
    fn show(&self, what: String, share: f64, left: Left) {
        self.shown.borrow_mut().get_or_insert_with(Progress::new).shows(what, share, left);
    }

    fn working(&self, what: String) {
        let mut shown = self.shown.borrow_mut();
        match &*shown {
            // A line now and then says what is being done by then.
            Some(progress) => progress.shows(what, 0.0, Left::Unknown),
            None => *shown = Some(Progress::working(what)),
        }
    }

    fn resumed(&self, done: f64, limit: Option<Duration>) {
        let shown = self.shown.take().unwrap_or_else(Progress::new);
        self.shown.replace(Some(shown.resumed(done, limit)));
    }

    fn clear(&self) {
        if let Some(progress) = self.shown.take() {
            progress.clear();
        }
    }

    fn say(&self, kind: Said, text: Arguments) {
        match kind {
            Said::Line => message::line(text),
            Said::Note => message::note(text),
            Said::Warning => message::warning(text),
            Said::Error => message::error(text),
        }
    }
}
