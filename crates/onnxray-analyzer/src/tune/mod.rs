//! Changes of the runtime, tried one at a time: which of them pay, together, and what is to be
//! measured next to know.
//!
//! ```text
//! options, effect ◀ tried ◀ search
//! ```
//!
//! A launch is the unit. Every figure is defined in `docs/statistics.md#tuning`.

mod effect;
mod options;
mod search;
#[cfg(test)]
mod simulations;
mod tried;

pub use effect::Effect;
pub use options::TuneOptions;
pub use search::{Step, Tuning, tuning};
pub use tried::Tried;
