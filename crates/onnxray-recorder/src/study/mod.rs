//! Studies: a plan of variants, each measured in turns with the base, and a journal of what is
//! measured already, so that one that was killed goes on.
//!
//! ```text
//! file, plan, error ◀ journal ◀ search
//! error ◀ service; service, search ◀ job ◀ { costs, turns }
//! turns ◀ opened; job, opened ◀ trial; trial, written ◀ { tune, mix, judge } ◀ this ◀ work
//! journal, turns, costs ◀ sweep
//! job ◀ sensitivity ◀ work; look ◀ work
//! ```
//!
//! What a variant is stands in a folder of its own: options of the engine (`tune`), a mixed model
//! (`mix`), a pruned model (`sensitivity`), a configuration (`sweep`), another model (`judge`). Each
//! says what its [`Plan`] and the [`Entry`]s of its [`Journal`] are; what variants of a [`Study`]
//! need beside is in `trial`. What an engine may end is done in a process that calls [`work`]. What
//! is measured next, and what pays, is decided by the analyzer.

pub mod costs;
mod error;
mod file;
mod job;
mod journal;
pub mod judge;
mod look;
pub mod mix;
mod opened;
mod plan;
mod search;
pub mod sensitivity;
mod service;
mod sweep;
mod trial;
pub mod tune;
mod turns;
mod work;
mod written;

pub use error::StudyError;
pub use job::{Asked, Job, Study, TrialRequest, Worker, cuts, effects, look, try_out};
pub use journal::Journal;
pub use plan::{Entry, Plan};
pub use search::{SearchEntry, SearchKey, SearchPlan};
pub use sweep::{
    PlannedPoint, SkippedPoint, Sweep, SweepCommands, SweepEntry, SweepHooks, SweepJournal,
    SweepPlan,
};
pub use work::work;

use onnxray_format::{JudgeRun, MixRun, TuneRun};
use serde_json::Value;
use std::io;
use trial::{Machine, answered};

/// Answers what is asked about the variants of a study.
type Answer = for<'e> fn(Machine<'e>, Value, &mut dyn io::Write) -> io::Result<()>;

/// The studies of which [`work`] has variants.
const STUDIES: &[(&str, Answer)] = &[
    (TuneRun::KIND, |machine, asked, to| answered::<tune::Options>(machine, asked, to)),
    (JudgeRun::KIND, |machine, asked, to| answered::<judge::Sides>(machine, asked, to)),
    (MixRun::KIND, |machine, asked, to| answered::<mix::Mixes>(machine, asked, to)),
];
