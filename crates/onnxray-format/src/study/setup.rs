//! What the figures of a study depend on: models, engine, inputs, machine.

use crate::run::Dimension;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A model's file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// Its name.
    pub model: String,
    /// SHA-256 of it; `None` if unknown.
    pub model_sha256: Option<String>,
    /// SHA-256 of the files with its external data; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_sha256: Option<String>,
}

/// How models run in a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// Engine that runs them.
    pub engine: String,
    /// Version of the engine.
    pub engine_version: String,
    /// Options of the engine in the base.
    pub engine_options: BTreeMap<String, String>,
    /// Size of the batch; `None` if the inputs have no dimension that is one.
    pub batch_size: Option<u64>,
    /// The free dimensions and their sizes.
    pub dimensions: Vec<Dimension>,
}

/// What the figures of a search for faster variants depend on beside its [`Setup`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchSetup {
    /// Threads of a kernel in the base.
    pub threads: u32,
    /// Inputs of the models: `random, seed 1`, or files.
    pub inputs: String,
    /// On how many inputs outputs are compared.
    #[serde(default)]
    pub loss_inputs: LossInputs,
    /// The processor; `None` if the system does not say.
    pub cpu: Option<String>,
}

/// Inputs on which outputs are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossInputs {
    /// Inputs that a search chooses by.
    pub search: u64,
    /// Inputs that the search does not see, and that its choice is reported on; 0 where all inputs
    /// are files, so that there are no others.
    pub held_out: u64,
}
