//! What a study needs of the program that runs it.

use onnxray_recorder::Clock;
use std::fmt::Arguments;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The program that runs a study, as the study sees it.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// Time limits are of this clock.
    pub clock: &'a dyn Clock,
    /// Set when the study is to end as soon as it can.
    pub stop: &'a AtomicBool,
    /// Makes processes that run launches.
    pub launch: &'a (dyn Fn() -> Command + Sync),
    /// Makes processes that do jobs (`onnxray_recorder::study::work`).
    pub worker: &'a (dyn Fn() -> Command + Sync),
    /// Who waits for the study.
    pub teller: &'a dyn Teller,
}

impl Host<'_> {
    /// Whether the study is to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Tells whoever waits for a study how far it is, and what they should know of it.
pub trait Teller {
    /// Shows what is done, and the share of it from 0 to 1, until there is something else to show.
    fn show(&self, what: String, share: f64, left: Left);

    /// Shows what is done, of which nobody knows how long it takes.
    fn working(&self, what: String);

    /// What is shown from now on goes on: this share was done before, and it ends after this time
    /// at the latest.
    fn resumed(&self, done: f64, limit: Option<Duration>);

    /// Nothing is being done any more.
    fn clear(&self);

    /// Says a sentence.
    fn say(&self, kind: Said, text: Arguments);
}

/// Kinds of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// What was done.
    Line,
    /// What is good to know.
    Note,
    /// What may be wrong.
    Warning,
    /// What failed.
    Error,
}

/// Time that the work will still take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nobody knows; perhaps as long as the share that is done promises.
    Unknown,
    /// About this long.
    About(Duration),
    /// At most this long: it ends when nothing more is to be tried.
    AtMost(Duration),
}

/// Writes a file of a study's own into the folder of its result.
pub type WriteOwn<'a> = &'a dyn Fn(&Path, &[u8]) -> anyhow::Result<()>;
