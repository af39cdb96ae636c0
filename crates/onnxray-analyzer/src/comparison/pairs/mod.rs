//! Pairs of iterations that took turns: what their ratios say, and which of them are typical.

pub(super) mod paired;
pub(super) mod switch_cost;
pub(super) mod typical;
