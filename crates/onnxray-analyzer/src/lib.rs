//! Recordings become tables, and tables become figures: statistics, comparisons, projections.
//!
//! A module uses only what stands to its left:
//!
//! ```text
//! printable ◀ units, difference, probability ◀ quantity, schema, workbook_words ◀ spreadsheet, trace ◀ statistics
//!     ◀ profiles
//!     ◀ { comparison ◀ tune ◀ mix | projection | sweep } ◀ settings
//! trace ◀ convert
//! ```
//!
//! Traces are read by `onnxray-import`, which knows no statistics: a new format
//! cannot change a number. Data frames stay inside `trace` and `statistics`;
//! results are plain structs with units in their types.

pub mod comparison;
pub mod convert;
pub mod difference;
pub mod mix;
mod printable;
mod probability;
pub mod profiles;
pub mod projection;
pub mod quantity;
pub mod schema;
pub mod settings;
mod spreadsheet;
pub mod statistics;
pub mod sweep;
pub mod trace;
pub mod tune;
pub mod units;
pub mod workbook_words;

pub use convert::convert;
pub use onnxray_import::{Format, Launch, Thread, figure};
pub use printable::{probability, short_name};
pub use statistics::{
    Details, Instances, LatencySummary, PhaseSummary, StatisticsError, Summary, Timeline, examine,
    examine_in_detail, examine_plain, exclusive_events, flops_profile, summarize,
    summarize_in_detail, summarize_plain,
};
pub use trace::Trace;
pub use units::{Milliseconds, Share};
