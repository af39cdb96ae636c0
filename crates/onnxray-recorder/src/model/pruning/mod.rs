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
pub(crate) use layers::Layers;
pub use layers::Pruning;
pub use pruned_model::{DataFile, PrunedModel};
pub use wanted::WantedLayer;
