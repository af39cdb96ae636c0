//! Changes of the runtime, tried one at a time: which are possible for a model, and launches in
//! which the model runs as it is and changed, in turns.
//!
//! ```text
//! spec, change, outputs ◀ measure ◀ worker
//! spec ◀ candidates
//! journal
//! ```
//!
//! What is measured next, and what pays, is decided by the analyzer.

mod candidates;
mod change;
mod journal;
mod measure;
mod outputs;
mod spec;
mod worker;

pub use candidates::{ChangeKind, candidates};
pub use change::changed;
pub use journal::{TuneEntry, TuneJournal};
pub use spec::{LaunchRequest, Survey};
pub use worker::{TuneWorker, serve_tune};
