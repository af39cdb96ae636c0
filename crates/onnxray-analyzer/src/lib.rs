//! Recordings become tables, tables become statistics, statistics become
//! reports.
//!
//! A module uses only what stands to its left:
//!
//! ```text
//! error, units ◀ schema ◀ trace ◀ { import | statistics } ◀ report
//! ```
//!
//! `import` and `statistics` never see each other: a new format cannot change a
//! number. Data frames stay inside `trace`, `import` and `statistics`; results
//! are plain structs with units in their types.

mod error;
pub mod import;
pub mod report;
pub mod schema;
pub mod statistics;
pub mod trace;
mod units;

pub use error::AnalyzeError;
pub use import::{Sources, import};
pub use statistics::{FlopsProfile, Summary, flops_profile, summarize};
pub use trace::Trace;
pub use units::{Milliseconds, Share};
