//! Mixes of two models: which changes there are, and launches in which A and mixes run in turns.
//!
//! ```text
//! spec ◀ opened ◀ { survey | measure } ◀ worker
//! opened ◀ { write | renamed }
//! journal
//! ```
//!
//! How a mix is made of two files is in `model/mix`; what is measured next, and what pays, is
//! decided by the analyzer.

mod journal;
mod measure;
mod opened;
mod renamed;
mod spec;
mod survey;
mod worker;
mod write;

pub use journal::{MixEntry, MixJournal};
pub use renamed::{Renamed, is_renamed, with_names_of};
pub use spec::{ElementTypes, LossesRequest, MixRequest, MixSpec, MixSurvey};
pub use worker::{MixWorker, serve_mix};
pub use write::mixed;
