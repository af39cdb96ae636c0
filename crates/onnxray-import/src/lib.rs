//! Reads the traces of every runtime into the same columns.
//!
//! ```text
//! number ◀ error, figure, format, json, line_prefix, origins, packed, spans, utf16 ◀ loss, source, launch ◀ archive, presence ◀ chrome, phases, warmup ◀ importer ◀ formats ◀ detect ◀ sources ◀ import
//! ```
//!
//! A format is one module in [`formats`]. It is recognized by its content, reads
//! what its producer wrote, damaged or not, and says what it had to leave out.
//! There are no data frames here and no statistics.

mod archive;
pub mod chrome;
pub mod csv_lines;
mod detect;
mod error;
pub mod figure;
mod format;
pub mod formats;
mod import;
mod importer;
mod join;
pub mod json;
mod launch;
mod line_prefix;
mod loss;
mod number;
pub mod origins;
mod packed;
mod phases;
mod presence;
mod same_model;
mod snapshot;
mod source;
mod sources;
mod spans;
mod utf16;
mod warmup;

pub use chrome::{MarkPattern, Options};
pub use detect::detect;
pub use error::ImportError;
pub use figure::{Figure, Over};
pub use format::Format;
pub use import::{Reading, import, import_each};
pub use importer::{Head, Importer, Verdict};
pub use join::{Joined, ModelNodes, join};
pub use launch::{Average, EventChunk, Events, Launch, NO_ITERATION, Thread};
pub use loss::{Loss, LossKind, Losses};
pub use origins::Call;
pub use packed::{NO_VALUE, Packed};
pub use phases::Phases;
pub use source::{STANDARD_INPUT, Source, WHOLE_LIMIT};
pub use sources::{Recorded, Sources, literal};
