//! Levels of layers: a budget of parameters spread over them, or the fastest below a loss.

mod allocate;
mod fastest;

pub use allocate::{Allocation, Budget, Prunable, allocate};
pub use fastest::fastest;
