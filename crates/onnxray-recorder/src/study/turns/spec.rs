//! What a process of one model is started with.

use crate::launches::LaunchSpec;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// A model that a process of its own loads, and where its inputs are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToServe {
    /// The model, in its engine.
    pub launch: LaunchSpec,
    /// A folder for each set of inputs.
    pub inputs: Vec<OsString>,
    /// No run has the inputs of another.
    pub are_made_up: bool,
}
