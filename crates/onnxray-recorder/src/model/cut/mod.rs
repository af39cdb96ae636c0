//! Cuts: sets of tensors that part a model in two, so that what lies before them runs alone.
//!
//! ```text
//! places ◀ blocks; prefix
//! ```

mod blocks;
mod places;
mod prefix;

pub(crate) use blocks::blocks;
pub use places::MeasuredBlock;
pub(crate) use places::{Cut, places};
pub(crate) use prefix::Prefixes;
