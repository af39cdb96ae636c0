//! Reads the traces of every runtime into the same columns.
//!
//! ```text
//! text ◀ error, figure, format, json, origins, packed, spans ◀ damage, launch, source ◀ presence ◀ chrome, phases, warmup ◀ importer ◀ formats ◀ detect ◀ sources ◀ import
//! ```
//!
//! A format is one module in [`formats`]. It is recognized by its content, reads
//! what its producer wrote, damaged or not, and says what it had to leave out.
//! There are no data frames here and no statistics.

#![warn(missing_docs)]

pub mod chrome;
mod damage;
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
pub mod origins;
mod packed;
mod phases;
mod presence;
mod same_model;
mod source;
mod sources;
mod spans;
mod text;
mod warmup;

pub use chrome::{MarkPattern, Options};
pub use damage::{Damage, DamageKind, DamageOfKind};
pub use detect::detect;
pub use error::ImportError;
pub use figure::{Figure, Over};
pub use format::Format;
pub use import::{Reading, import, import_each};
pub use importer::{Head, Importer, Verdict};
pub use join::{Joined, ModelNodes, join};
pub use launch::{Average, EventChunk, Events, Launch, NO_ITERATION, Thread};
pub use origins::Call;
pub use packed::{NO_VALUE, Packed};
pub use phases::Phases;
pub use source::{STANDARD_INPUT, Source, WHOLE_LIMIT};
pub use sources::{Recorded, Sources, literal};
pub use text::csv_lines;
