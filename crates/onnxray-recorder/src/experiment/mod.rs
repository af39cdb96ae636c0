//! Experiments: a plan of variants, measured in turns, and a journal of what is measured
//! already, so that one that was killed goes on.
//!
//! ```text
//! file, plan, error ◀ journal ◀ search
//! turns
//! error ◀ service
//! ```
//!
//! A sweep measures configurations, a loss profile prunings, a tuning changes of the runtime, a mix
//! changes between two models. Each says what its [`Plan`] is, what an [`Entry`] of its [`Journal`] says of a variant, and measures; the rest is here.

mod error;
mod file;
mod journal;
mod plan;
mod search;
mod service;
mod turns;

pub use error::ExperimentError;
pub use journal::Journal;
pub use plan::{Entry, Plan};
pub use search::{SearchEntry, SearchKey, SearchPlan};
pub(crate) use service::{NoAnswer, Service, answer, ask_one, question, reply};
pub(crate) use turns::{Turn, in_turns, order};
