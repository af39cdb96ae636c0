//! What is asked of the two kinds of processes.

use super::pace::PaceSpec;
use crate::engine::EngineSpec;
use crate::launch::LaunchOptions;
use crate::launches::LaunchSpec;
use crate::model::sizes::dimensions::GivenDimensions;
use onnxray_format::{Pace, Start};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use tempfile::TempDir;

/// Asks for inputs in a folder.
#[derive(Debug, Serialize, Deserialize)]
pub struct Prepare {
    pub(super) spec: LaunchSpec,
    pub(super) folder: OsString,
    /// Whether inputs will do that the model was not tried with.
    pub(super) may_guess: bool,
}

impl Prepare {
    /// For inputs that a recording of the model has.
    pub(super) fn of(spec: &LaunchSpec, folder: &TempDir) -> Prepare {
        Prepare { spec: spec.clone(), folder: folder.path().into(), may_guess: false }
    }
}

/// What a process loads and runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToBegin {
    pub(super) engine: EngineSpec,
    pub(super) model: OsString,
    pub(super) dimensions: GivenDimensions,
    pub(super) options: LaunchOptions,
    /// The folder with inputs.
    pub(super) inputs: OsString,
    pub(super) file_bytes: Option<u64>,
    /// Files that the system is to drop from memory before.
    pub(super) dropped: Vec<OsString>,
    /// Calls at a pace, if any.
    pub(super) pace: Option<PaceSpec>,
    /// Of the process among those of its model, from 0.
    pub(super) number: u32,
}

/// What such a process says, one after the other.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Said {
    /// It is up, and waits for what it is to load.
    Up,
    /// The model is loaded and has run; calls at a pace follow.
    Started(Box<Start>),
    /// Calls at the next rate.
    Paced(Pace),
}

/// Facts from the process that made the inputs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Prepared {
    pub(super) dimensions: GivenDimensions,
    pub(super) file_bytes: u64,
    /// The model's, and those that it keeps its weights in.
    pub(super) files: Vec<OsString>,
    /// Whether a recording has the same inputs, even where the model does not run on these.
    pub(super) is_certain: bool,
}
