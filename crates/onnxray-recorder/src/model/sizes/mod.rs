//! Sizes of free dimensions: given, by formulas, and of the batch.

pub(super) mod batch;
pub(crate) mod dimensions;
pub(super) mod expression;
pub(super) mod formulas;
pub(super) mod given;
