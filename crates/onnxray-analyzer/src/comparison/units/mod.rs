//! Units of a comparison: launches, pairs of iterations, or blocks of them.

pub(super) mod cells;
pub(super) mod identity;
pub(super) mod pairing;
pub(super) mod turns;
