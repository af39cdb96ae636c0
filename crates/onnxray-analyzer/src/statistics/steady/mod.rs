//! Which iterations count: after warm-up, in a steady state, typical.

pub(super) mod steady_state;
pub(super) mod typical;
pub(super) mod warmup;
