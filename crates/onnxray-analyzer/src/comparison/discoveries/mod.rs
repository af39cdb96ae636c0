//! Which differences of many comparisons hold together, at one false discovery rate.
//!
//! ```text
//! documents (texts of a file) ─▶ row (what one says) ─▶ family (tests of all) ◀─ fleet
//! ```
//!
//! What is read is what `compare --format json` printed: the tests are not done again.

mod documents;
mod family;
mod fleet;
mod row;
#[cfg(test)]
mod tests;

pub use family::{Differing, Discovery, Family, Way};
pub use fleet::Fleet;
pub use row::{keys, tables};
