//! Mixes of two models: which changes there are, and models that take some of them from B.
//!
//! ```text
//! spec ◀ opened ◀ survey ◀ variants
//! opened ◀ { write | renamed }
//! ```
//!
//! How a mix is made of two files is in `model/mix`.

mod opened;
mod renamed;
mod spec;
mod survey;
mod variants;
mod write;

pub(super) use opened::Mixes;
pub use renamed::{Renamed, is_renamed, with_names_of};
pub use spec::{ElementTypes, MixSpec, MixSurvey};
pub use variants::{MixEntry, MixJournal};
pub use write::mixed;
