//! A candidate, and a copy of the baseline, next to the baseline.
//!
//! ```text
//! spec ◀ survey ◀ sides
//! ```

mod sides;
mod spec;
mod survey;

pub(super) use sides::Sides;
pub use sides::{JudgeEntry, JudgeJournal};
pub use spec::{JudgeSpec, JudgeSurvey};
