//! What is measured of a candidate and of a copy of the baseline, next to the baseline.

use crate::generation::Generation;
use crate::study::mix::MixQuality;
use crate::study::sensitivity::LossOutput;
use crate::study::setup::{ModelFile, SearchSetup, Setup};
use crate::study::trial::{HeldOut, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What runs next to the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// What is judged.
    Candidate,
    /// The baseline once more: what it differs by is what the machine does.
    Control,
}

/// One of both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeSide {
    /// The model.
    #[serde(flatten)]
    pub file: ModelFile,
    /// How it runs.
    #[serde(flatten)]
    pub setup: Setup,
    /// Threads of a kernel.
    pub threads: u32,
    /// SHA-256 of the engine's library: builds of one version are others. `None` if the engine has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_sha256: Option<String>,
}

/// Everything that the figures of a judgement depend on: two runs that agree in it may be joined.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeRun {
    /// A.
    pub baseline: JudgeSide,
    /// B.
    pub candidate: JudgeSide,
    /// What latencies depend on beside.
    #[serde(flatten)]
    pub search: SearchSetup,
    /// Each run is such a generation; `None` if it is one inference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<Generation>,
    /// How each output is compared with A's, in the order of the model's outputs.
    pub outputs: Vec<LossOutput>,
    /// Whether a copy of A takes turns with both.
    pub has_control: bool,
}

/// A launch: A, B and a copy of A, in turns.
pub type JudgeTrial = Trial<Judged, MixQuality>;
/// Distances of B's outputs per input, in nats or as relative L2.
pub type JudgeHeldOut = HeldOut<Judged, f64>;

/// What a bundle says of a judgement, beside its journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeBundle {
    /// [`JudgeBundle::FORMAT`].
    pub format: String,
    /// The program that measured it, with its version.
    pub producer: String,
    /// Engines of A and B, with their versions; empty where nothing was measured.
    pub engines: Vec<String>,
    /// Processor; `None` if unknown.
    pub cpu: Option<String>,
    /// Cores of the machine that the process may use; `None` if unknown.
    pub cores: Option<usize>,
    /// Operating system and architecture.
    pub system: String,
    /// Words of the command line, without the program's.
    pub command: Vec<String>,
    /// SHA-256 of each other file in the bundle, by its name.
    pub files: BTreeMap<String, String>,
    /// SHA-256 of models, inputs and libraries of engines, by their paths.
    pub given: BTreeMap<String, String>,
    /// How long the run took.
    pub spent_ns: u64,
    /// Launches of that run; the journal has those before as well.
    pub launches: usize,
    /// The largest cause of the difference, in words; `None` without one.
    #[serde(default)]
    pub cause: Option<String>,
    /// Why both cannot be compared; `None` where a journal says what was measured.
    pub apart: Option<String>,
}

impl JudgeBundle {
    /// Name and version of what a bundle is.
    pub const FORMAT: &'static str = "onnxray judgement bundle 1";
}
