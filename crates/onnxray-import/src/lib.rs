//! Reads the traces of every runtime into the same columns.
//!
//! ```text
//! error, figure, packed, loss, json ◀ source, launch ◀ detect, chrome ◀ formats ◀ import
//! ```
//!
//! A format is one module in [`formats`]. It is recognized by its content, reads
//! what its producer wrote, damaged or not, and says what it had to leave out.
//! There are no data frames here and no statistics.

pub mod chrome;
mod detect;
mod error;
pub mod figure;
pub mod formats;
mod import;
mod join;
pub mod json;
mod launch;
mod loss;
mod packed;
mod source;

pub use chrome::Options;
pub use detect::{Head, Verdict, detect};
pub use error::ImportError;
pub use figure::{Figure, Over};
pub use formats::{Format, Importer};
pub use import::{Reading, Sources, import};
pub use join::{Joined, join};
pub use launch::{Average, EventChunk, Events, Launch, NO_ITERATION, Thread};
pub use loss::{Loss, LossKind, Losses};
pub use packed::{NO_VALUE, Packed};
pub use source::{STANDARD_INPUT, Source, WHOLE_LIMIT};
