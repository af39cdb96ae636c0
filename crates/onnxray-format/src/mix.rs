//! What is measured of mixes of two models: a run, and its launches.
//!
//! The recorder takes each change from A or from B and measures, the analyzer decides by it which
//! mix pays, and what is measured next.

use crate::loss::{LossInputs, LossOutput};
use crate::run::Dimension;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// Everything that the figures of a mix depend on: two runs that agree in it may be joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixRun {
    /// The model whose outputs and latency those of mixes are compared with.
    pub a: MixSource,
    /// The model that changes come from.
    pub b: MixSource,
    /// Engine that runs both models.
    pub engine: String,
    /// Version of the engine.
    pub engine_version: String,
    /// Options of the engine.
    pub engine_options: BTreeMap<String, String>,
    /// Threads of a kernel.
    pub threads: u32,
    /// Size of the batch; `None` if the inputs have no dimension that is one.
    pub batch_size: Option<u64>,
    /// The free dimensions and their sizes.
    pub dimensions: Vec<Dimension>,
    /// Inputs of the models: `random, seed 1`, or files.
    pub inputs: String,
    /// The processor; `None` if the system does not say.
    pub cpu: Option<String>,
    /// On how many inputs outputs are compared.
    #[serde(default)]
    pub loss_inputs: LossInputs,
    /// How each output is compared with A's, in the order of the model's outputs.
    pub outputs: Vec<LossOutput>,
    /// Tensors of B that are known by their place in the graph, and not by their names.
    #[serde(default)]
    pub aligned: u64,
    /// Differences of B from A, in the order of A's nodes.
    pub changes: Vec<MixChange>,
}

/// Distances of a mix's outputs from A's on inputs that the search did not see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixLosses {
    /// The changes that are taken from B, by their numbers, ascending.
    pub from_b: Vec<u32>,
    /// Distance per input, of its farthest output, in nats or as relative L2; empty if the mix
    /// failed.
    pub losses: Vec<f64>,
    /// Why its outputs cannot be compared, if they cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
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

/// A launch, a process of its own: A and mixes, in turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixLaunch {
    /// From 0.
    pub number: u32,
    /// Latency of A, written as mixes are, in nanoseconds: the median over the turns of a turn's
    /// median; `None` if it did not run.
    pub base_ns: Option<f64>,
    /// Rounds, in each of which every mix has a turn.
    pub rounds: u32,
    /// Outcome of each mix.
    pub variants: Vec<MixVariant>,
}

/// Outcome of a mix in a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixVariant {
    /// The changes that are taken from B, by their numbers, ascending; the others are A's.
    pub from_b: Vec<u32>,
    /// Latency of the mix / latency of A: the median over rounds, where A's latency is the
    /// geometric mean of its turns before and after; `None` if the mix failed.
    pub ratio: Option<f64>,
    /// Distance of the outputs from A's, in nats or as relative L2 (`MixRun::outputs`): the mean
    /// over the inputs of the search, of the output where it is largest. `None` if the mix failed.
    pub loss: Option<f64>,
    /// The output with that distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Why it cannot be made, loaded or run, or why its outputs cannot be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}
