//! Recordings become tables, and tables become figures: statistics, comparisons, projections.
//!
//! A module uses only what stands to its left:
//!
//! ```text
//! printable, modules, patterns ◀ units, probability ◀ quantity, schema, workbook_words ◀ spreadsheet, trace ◀ statistics
//!     ◀ profiles
//!     ◀ { comparison ◀ study | projection | sweep } ◀ settings
//! trace ◀ convert; statistics, comparison ◀ frames; projection ◀ verification
//! ```
//!
//! Traces are read by `onnxray-import`, which knows no statistics: a new format
//! cannot change a number. Results are plain structs with units in their types;
//! `frames` hands them out as data frames.

#![warn(missing_docs)]

pub mod comparison;
pub mod convert;
pub mod frames;
pub mod modules;
pub mod patterns;
mod printable;
mod probability;
pub mod profiles;
pub mod projection;
pub mod quantity;
pub mod schema;
pub mod settings;
mod spreadsheet;
pub mod statistics;
pub mod study;
pub mod sweep;
pub mod trace;
pub mod units;
pub mod verification;
pub mod workbook_words;

pub use convert::convert;
pub use onnxray_import::{Format, Launch, Thread, figure};
pub use printable::{probability, short_name};
pub use statistics::flops_profile;
pub use statistics::{
    Details, Examined, Instances, LatencySummary, Needs, PhaseSummary, StatisticsError, Summary,
    Timeline, examine, exclusive_times,
};
pub use trace::Trace;
pub use units::{Milliseconds, Share};
