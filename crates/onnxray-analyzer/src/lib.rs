//! Recordings become tables, tables become statistics, statistics become
//! reports.
//!
//! A module uses only what stands to its left:
//!
//! ```text
//! error, units, probability ◀ schema ◀ trace ◀ statistics
//!     ◀ { comparison | projection } ◀ settings ◀ { convert | report }
//! ```
//!
//! Traces are read by `onnxray-import`, which knows no statistics: a new format
//! cannot change a number. Data frames stay inside `trace` and `statistics`;
//! results are plain structs with units in their types.

pub mod comparison;
pub mod convert;
mod error;
mod probability;
pub mod projection;
pub mod report;
pub mod schema;
pub mod settings;
pub mod statistics;
pub mod trace;
mod units;

pub use convert::convert;
pub use error::AnalyzeError;
pub use statistics::{
    FlopsProfile, Summary, Timeline, examine, exclusive_events, flops_profile, summarize,
};
pub use trace::{Kernels, Trace};
pub use units::{Milliseconds, Share};
