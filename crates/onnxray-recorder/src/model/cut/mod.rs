//! Cuts: sets of tensors that part a model in two, so that what lies before them runs alone.
//!
//! ```text
//! asked ◀ places ◀ blocks, sides, weights; free_dimensions ◀ sides
//! ```

mod asked;
mod blocks;
mod free_dimensions;
mod places;
mod sides;
mod weights;

pub use asked::{Blocks, CutEffect, Look, MeasuredBlock};
pub(crate) use blocks::blocks;
pub(crate) use places::{Cut, places};
pub(crate) use sides::Halves;
pub(crate) use weights::Weights;
