//! What is asked of the process that runs a model as it is and changed. What changes are
//! compared with is a launch of it, the base.

use crate::engine::Optimizer;
use crate::launches::LaunchSpec;
use onnxray_format::{Nanoseconds, RuntimeChange, Stage, TuneRun};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a process is asked for: one of them, and then it ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// What is known before anything is measured.
    Survey(LaunchSpec),
    /// A launch.
    Launch(LaunchSpec, LaunchRequest),
    /// How outputs with these changes differ from the base's on inputs that no launch saw.
    HeldOut(LaunchSpec, Vec<RuntimeChange>),
}

/// A launch to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchRequest {
    /// Its stage.
    pub stage: Stage,
    /// Its number within the stage.
    pub number: u32,
    /// Variants to compare with the base, each with its changes.
    pub variants: Vec<Vec<RuntimeChange>>,
    /// No round is begun after this long.
    pub time: Duration,
}

/// Facts about a model before anything is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// Everything that figures will depend on; without changes, which are not known here.
    pub run: TuneRun,
    /// The engine's graph optimizers, as they worked on this model.
    pub optimizers: Vec<Optimizer>,
    /// The shortest of a few runs.
    pub latency: Nanoseconds,
    /// Growth of resident memory in bytes; `None` where the system does not say.
    pub memory: Option<u64>,
    /// Whether the graph quantizes and dequantizes tensors.
    pub has_quantization: bool,
}
