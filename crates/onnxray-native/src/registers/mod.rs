//! Clears the upper halves of the vector registers, and says whether they are in use.
//!
//! Code that leaves something in them slows down what comes behind it;
//! `docs/studies/vector-registers.md` says why.

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::{can_clear, clear, in_use};

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg(not(target_arch = "x86_64"))]
pub use elsewhere::{can_clear, clear, in_use};
