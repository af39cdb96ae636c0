//! What was found next to a base, in launches that the search did not see.

use crate::comparison::{Comparison, Recording};

/// Recordings that were taken in turns.
pub struct Verified {
    /// The model as it is, or one of two.
    pub base: Recording,
    /// What was found.
    pub found: Recording,
    /// The second next to the first.
    pub comparison: Comparison,
}
