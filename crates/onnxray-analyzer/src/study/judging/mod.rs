//! Whether a candidate is faster than its baseline: one word, looked for after every launch.
//!
//! ```text
//! sequence ◀ judge
//! ```

mod judge;
mod sequence;
#[cfg(test)]
mod simulations;

pub use judge::{JudgeOptions, Judgement, Word, judge};
pub use sequence::Sequence;
