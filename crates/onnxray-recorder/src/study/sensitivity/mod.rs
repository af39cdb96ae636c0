//! What pruning costs and gains: a model is pruned in memory, one layer at a time, run, and compared
//! with itself as it is; then all layers at once, and each is timed.
//!
//! ```text
//! spec ◀ measure
//! divergence, measure ◀ reference
//! reference, data ◀ bench ◀ times, worker ◀ side_by_side
//! spec ◀ request; journal, request, times ◀ in_turns
//! journal, request, side_by_side, in_turns, foretold ◀ profile
//! ```

mod bench;
mod compared;
mod data;
mod divergence;
mod foretold;
mod in_turns;
mod journal;
mod measure;
mod profile;
mod reference;
mod request;
mod side_by_side;
mod spec;
mod times;
mod worker;

pub use crate::model::pruning::Pruning;
pub use bench::Bench;
pub(crate) use compared::{loss_inputs, seeds_held_out, seeds_of_search};
pub use data::{DataFiles, data_files};
pub use journal::{LossEntry, LossJournal};
pub use profile::LossStudy;
pub(crate) use reference::{Reference, relative_distance};
pub use request::{Asked, LossRequest, PlannedPruning};
pub use spec::{DenseRun, MeasureChoice, SensitivitySpec, TimedPruning};
pub(super) use times::times;
pub(super) use worker::prune;
