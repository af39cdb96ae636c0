//! FLOPs and other costs: their sums, the table without a measurement, and how they go with times.

pub(super) mod correlation;
pub(super) mod cost;
pub(super) mod profile;
pub(super) mod roof;
pub(super) mod under_roof;
