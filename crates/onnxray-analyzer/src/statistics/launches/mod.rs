//! Launches: each alone, side by side, and as ranks of one run.

pub(super) mod instances;
pub(super) mod iteration;
pub(super) mod launch;
pub(super) mod ranks;
