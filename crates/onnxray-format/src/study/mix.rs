//! What is measured of mixes of two models, which take each change from A or from B.

use crate::study::sensitivity::LossOutput;
use crate::study::setup::{ModelFile, SearchSetup, Setup};
use crate::study::trial::{HeldOut, Trial, Variant};
use serde::{Deserialize, Serialize};

/// One of the two models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixSource {
    /// Name of its file.
    pub model: String,
    /// SHA-256 of its file; `None` if unknown.
    pub sha256: Option<String>,
    /// SHA-256 of the files with its external data; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_sha256: Option<String>,
}

impl From<ModelFile> for MixSource {
    fn from(file: ModelFile) -> MixSource {
        let ModelFile { model, model_sha256, external_sha256 } = file;
        MixSource { model, sha256: model_sha256, external_sha256 }
    }
}

/// Everything that the figures of a mix depend on: two runs that agree in it may be joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixRun {
    /// The model whose outputs and latency those of mixes are compared with.
    pub a: MixSource,
    /// The model that changes come from.
    pub b: MixSource,
    /// How both run.
    #[serde(flatten)]
    pub setup: Setup,
    /// What latencies depend on beside.
    #[serde(flatten)]
    pub search: SearchSetup,
    /// How each output is compared with A's, in the order of the model's outputs.
    pub outputs: Vec<LossOutput>,
    /// Tensors of B that are known by their place in the graph, and not by their names.
    #[serde(default)]
    pub aligned: u64,
    /// Differences of B from A, in the order of A's nodes.
    pub changes: Vec<MixChange>,
}

/// A tensor that both models compute, each in its own way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixChange {
    /// The tensor's name; `None` for the shapes and types that the files state of their tensors.
    pub tensor: Option<String>,
    /// The type of the operator that computes it in A, or of that in B where A has it as a
    /// constant; empty for shapes.
    pub operator_type: String,
    /// A's nodes from tensors that both have to this one, by their names.
    pub nodes_a: Vec<String>,
    /// B's.
    pub nodes_b: Vec<String>,
    /// Relative L2 distance of the tensor from A's if B's nodes compute it from A's tensors; `None`
    /// if unknown.
    pub difference: Option<f64>,
    /// Changes that have to be taken from B along with this one, by their numbers: what reads the
    /// tensor in A expects another value than B computes.
    pub needs: Vec<u32>,
}

impl MixChange {
    /// Name for people.
    pub fn text(&self) -> &str {
        self.tensor.as_deref().unwrap_or("stated shapes")
    }
}

/// A launch: A and mixes, in turns. Changes are those taken from B, by their numbers, ascending;
/// the base is A, written as mixes are.
pub type MixTrial = Trial<u32, MixQuality>;
/// Outcome of a mix in a launch.
pub type MixVariant = Variant<u32, MixQuality>;
/// Distances per input, of its farthest output, in nats or as relative L2.
pub type MixHeldOut = HeldOut<u32, f64>;

/// Outputs of a mix.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MixQuality {
    /// Distance of the outputs from A's, in nats or as relative L2 (`MixRun::outputs`): the mean
    /// over the inputs of the search, of the output where it is largest. `None` if the mix failed.
    pub loss: Option<f64>,
    /// The output with that distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Share of the rows of logits or probabilities whose largest element is another one than A's:
    /// of the tokens that a decoder generates. `None` without such an output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_tokens: Option<f64>,
}
