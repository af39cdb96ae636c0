//! Settings of a projection, read from files and written to files.
//!
//! Reads an edited workbook, a profile of the Neural Engine or our own as CSV or workbook, settings
//! saved as JSON, and the ratios that a sensitivity profile measured. The content decides which it
//! is, not the name.
//!
//! ```text
//!    spreadsheet ─cells─▶ inputs
//!                           │
//! json ─▶ gather ◀─ ratios, targets (neural_engine), plan ◀─ file
//!                          bytes ─▶ sensitivity, measured ─▶ file
//! ```
//!
//! A file with a problem in an input is refused as a whole, with all of its problems. Doubtful
//! values that are accepted become notes.

mod bytes;
mod error;
mod file;
mod findings;
mod gather;
mod given;
mod header;
mod inputs;
mod json;
mod json_document;
mod json_writer;
mod measured;
mod neural_engine;
mod plan;
mod point;
mod ratios;
mod sensitivity;
mod shape;
mod targets;

pub use error::SettingsError;
pub use file::{Read, is_profile_with_ratios, read, write};
pub use given::{GivenPlan, GivenSettings, PlacedTarget};
pub use measured::{measured_ratio, measured_ratios, measured_together};
pub use sensitivity::{loss_profiles, read_loss};
