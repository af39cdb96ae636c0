//! What is measured: the description that worker processes read, and what they say of the
//! model as it is.

use super::data::DataFiles;
use crate::engine::EngineSpec;
use crate::model::pruning::Pruning;
use crate::model::sizes::dimensions::GivenDimensions;
use onnxray_format::{Block, DenseLoss, LossRun};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;

/// A model, an engine, and what to compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensitivitySpec {
    /// Engine that runs the model.
    pub engine: EngineSpec,
    /// The model's file.
    pub model: OsString,
    /// Sizes of the free dimensions; those of data files are taken from these.
    pub dimensions: GivenDimensions,
    /// Data that the model runs on.
    pub data: DataFiles,
    /// Seed of random inputs.
    pub seed: u64,
    /// Block of weights that is pruned as one.
    pub block: Block,
    /// How outputs are compared.
    pub measure: MeasureChoice,
}

/// How outputs are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeasureChoice {
    /// By what the graph says of each output.
    #[default]
    Auto,
    /// Kullback-Leibler divergence along the last axis.
    Kl,
    /// L2 norm of the difference / L2 norm of the dense output.
    L2,
}

/// The model as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DenseRun {
    /// Everything that the figures depend on; without levels, which are not known here.
    pub run: LossRun,
    /// Loss and accuracy, if there are labels.
    pub dense: DenseLoss,
}

/// Weights that are pruned at once, and timed next to dense ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedPruning {
    /// The model, its engine and its data.
    pub spec: SensitivitySpec,
    /// Threads that a kernel may use.
    pub threads: u32,
    /// Weights and levels.
    pub pruning: Pruning,
}
