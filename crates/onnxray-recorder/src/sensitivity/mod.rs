//! What pruning costs: a model is pruned in memory, one layer at a time, run, and compared with
//! itself as it is.
//!
//! ```text
//! spec ◀ measure
//! prune ◀ layers
//! divergence, data, measure, layers ◀ bench ◀ worker ◀ side_by_side
//! layers ◀ journal
//! ```

mod bench;
mod data;
mod divergence;
mod journal;
mod layers;
mod measure;
mod prune;
mod side_by_side;
mod spec;
mod worker;

pub use bench::Bench;
pub use data::{DataFiles, data_files};
pub use journal::{Journal, JournalError, journal_path};
pub use layers::{Layers, Pruning};
pub use side_by_side::{NotMeasured, Workers, measure_all};
pub use spec::{DenseRun, MeasureChoice, SensitivitySpec};
pub use worker::serve;
