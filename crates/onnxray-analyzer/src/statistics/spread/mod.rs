//! How times are spread, and how far their mean may be off.

pub(super) mod blocks;
pub(super) mod bounds;
pub(super) mod distribution;
pub(super) mod histogram;
pub(super) mod interval;
#[cfg(test)]
pub(super) mod simulated_noise;
