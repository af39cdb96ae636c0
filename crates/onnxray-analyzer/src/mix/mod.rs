//! Mixes of two models: which changes of B pay in A, together, and what is to be measured next to
//! know.
//!
//! ```text
//! options, sets ◀ known ◀ { search | found } ◀ mixing ◀ held_out
//! names
//! ```
//!
//! A launch is the unit. Every figure is defined in `docs/statistics.md#mixing`.

mod found;
mod held_out;
mod known;
mod mixing;
mod names;
mod options;
mod search;
mod sets;
#[cfg(test)]
mod simulations;

pub use found::{Mix, Taken, TriedChange};
pub use held_out::{HeldOut, Spread};
pub use mixing::{Mixing, mixing};
pub use names::corresponding;
pub use options::MixOptions;
pub use search::MixStep;
