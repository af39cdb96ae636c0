//! Experiments: a plan of variants, measured in turns, and a journal of what is measured
//! already, so that one that was killed goes on.
//!
//! ```text
//! file, plan, error ◀ journal
//! turns, service
//! ```
//!
//! A sweep measures configurations, a loss profile prunings, a tuning changes of the runtime. Each says what its [`Plan`] is,
//! what an [`Entry`] of its [`Journal`] says of a variant, and measures; the rest is here.

mod error;
mod file;
mod journal;
mod plan;
mod service;
mod turns;

pub use error::ExperimentError;
pub use journal::Journal;
pub use plan::{Entry, Plan};
pub(crate) use service::{NoAnswer, Service, answer};
pub(crate) use turns::{Turn, in_turns, order};
