//! Changes of the runtime, tried one at a time: which are possible for a model, and what it is to
//! run with them.
//!
//! ```text
//! accuracy ◀ survey
//! accuracy, change, outputs, survey ◀ options
//! survey ◀ candidates
//! ```

mod accuracy;
mod candidates;
mod change;
mod options;
mod outputs;
mod survey;

pub use accuracy::{QuantizedProducts, accuracy_level, with_accuracy};
pub use candidates::{ChangeKind, candidates};
pub use change::changed;
pub(super) use options::Options;
pub use options::{TuneEntry, TuneJournal};
pub use survey::Survey;
