//! What a difference is made of: parts that add up, fusions, types and precisions.

pub(super) mod conservation;
pub(super) mod contribution;
pub(super) mod details;
pub(super) mod fusions;
mod patterns;
pub(super) mod precision;
pub(super) mod types;
