//! The searches as a whole, on launches whose effects are known.

pub(super) mod descent;
mod objectives;
pub(super) mod screen;
