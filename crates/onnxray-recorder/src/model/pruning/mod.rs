//! Which blocks of a weight become zero, in memory to measure what that costs, and in a file.
//!
//! ```text
//! error, blocks ◀ layers ◀ wanted ◀ pruned_model
//! ```

mod blocks;
mod error;
mod layers;
mod pruned_model;
mod wanted;

pub use error::PruneError;
pub use layers::Pruning;
pub(crate) use layers::{Layers, blocks};
pub use pruned_model::{DataFile, PrunedModel};
pub use wanted::WantedLayer;
