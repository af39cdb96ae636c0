//! Cuts: sets of tensors that part a model in two, so that what lies before them runs alone.
//!
//! ```text
//! asked ◀ places ◀ blocks; prefix
//! ```

mod asked;
mod blocks;
mod places;
mod prefix;

pub use asked::{Blocks, Look, MeasuredBlock};
pub(crate) use blocks::blocks;
pub(crate) use places::{Cut, places};
pub(crate) use prefix::Prefixes;
