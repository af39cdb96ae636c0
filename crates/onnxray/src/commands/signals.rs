//! Ctrl-C and SIGTERM, as requests to end: at once, or after the present iteration.

use crate::engine_process::{end_with_parent, follow};
use crate::exit::{Ended, INTERRUPTED};
use crate::message;
use anyhow::anyhow;
use onnxray_failsafe::remove_unfinished;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag::{register, register_conditional_shutdown};
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::io::{self, Read};
use std::os::unix::process::parent_id;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::Builder;
use std::time::Duration;

/// Enough to end an iteration and close a recording.
const GRACE: Duration = Duration::from_secs(15);

/// Lets a limit of the size of files be an error of whoever writes one, and not the end of the
/// program.
pub(crate) fn outlive_size_limits() {
    // A handler that does nothing; without one, it ends as it did.
    let _ = register(SIGXFSZ, Arc::default());
}

/// Ends the program as soon as it is asked to, without half a file.
pub(crate) fn end_on_signals() -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(failed)?;
    let listens = Builder::new().spawn(move || {
        if signals.forever().next().is_some() {
            remove_unfinished();
            // Other threads are in the midst of their work.
            low_level::exit(INTERRUPTED.into());
        }
    });
    listens.map(drop).map_err(failed)
}

/// Leaves Ctrl-C in a terminal to the process that started this one, and ends with that.
///
/// # Errors
///
/// If the system makes no further thread, or no listener for signals.
pub(crate) fn serve_parent() -> anyhow::Result<()> {
    // What answers a first signal is kept by its listener; a second one ends this process, too.
    Stop::on_signals()?;
    end_with_parent()
}

fn failed(error: io::Error) -> anyhow::Error {
    anyhow!("cannot listen for signals: {error}")
}

/// A request to end.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    asked: Arc<AtomicBool>,
    /// Set while nothing can be interrupted, so that the user is told to wait.
    loading: Arc<AtomicBool>,
    told: Arc<AtomicBool>,
}

impl Stop {
    /// Asked by Ctrl-C and SIGTERM; the same one a second time ends the program at once.
    ///
    /// One of each does not: Ctrl-C in a terminal reaches a launch by itself, and the
    /// process that started it hands the request on.
    pub(crate) fn on_signals() -> anyhow::Result<Stop> {
        let stop = Stop::default();
        for signal in [SIGINT, SIGTERM] {
            let seen = Arc::new(AtomicBool::new(false));
            // In this order: the first signal still finds `seen` unset and sets it; the second ends
            // the program.
            register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&seen))
                .and_then(|_| register(signal, seen))
                .and_then(|_| register(signal, Arc::clone(&stop.asked)))
                .map_err(failed)?;
        }
        let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(failed)?;
        let listener = stop.clone();
        let listens = move || signals.forever().for_each(|_| listener.answer());
        Builder::new().spawn(listens).map_err(failed)?;
        Ok(stop)
    }

    /// Also asked by the end of standard input, which the parent holds open. The receiver gets an
    /// element for each byte before.
    pub(crate) fn at_end_of_input(&self) -> anyhow::Result<Receiver<()>> {
        let stop = self.clone();
        let parent = parent_id();
        let (sender, receiver) = channel();
        let listens = Builder::new().spawn(move || {
            for _ in io::stdin().lock().bytes().map_while(Result::ok) {
                // Nobody may wait for it.
                let _ = sender.send(());
            }
            stop.asked.store(true, Ordering::Relaxed);
            stop.answer();
            // Without its parent, nobody could end this process if the present iteration hangs.
            follow(parent, GRACE)
        });
        listens.map_err(|error| anyhow!("cannot listen to standard input: {error}"))?;
        Ok(receiver)
    }

    /// The outcome of what may have gone on for a while after it was asked to end.
    pub(crate) fn outcome(&self, ended: Ended) -> Ended {
        match ended {
            Ended::Done => Ended::of_recording(self.asked.load(Ordering::Relaxed)),
            other => other,
        }
    }

    /// Flag that the recorder polls.
    pub(crate) fn asked(&self) -> &AtomicBool {
        &self.asked
    }

    /// A model is being loaded, which nothing interrupts.
    pub(crate) fn set_loading(&self, loading: bool) {
        self.loading.store(loading, Ordering::Relaxed);
        // The request may have come first.
        if self.asked.load(Ordering::Relaxed) {
            self.answer();
        }
    }

    fn answer(&self) {
        // Said once, although the signal and the end of the input both ask.
        if self.loading.load(Ordering::Relaxed) && !self.told.swap(true, Ordering::Relaxed) {
            message::line("stopping after the model is loaded; again to stop now");
        }
    }
}
