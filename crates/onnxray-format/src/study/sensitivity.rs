//! The loss profile: what pruning costs a model, layer by layer, and how much faster it makes it.
//!
//! Sensitivities are measured by the recorder, and read by a projection that spreads a
//! budget of parameters over layers. `docs/format.md` describes the file.

use crate::dtype::DataType;
use crate::operator::Block;
use crate::study::pruned_times::{PrunedTimes, TimedRun};
use crate::study::setup::{ModelFile, Setup};
use serde::{Deserialize, Serialize};

/// Value of the member `format`.
pub const LOSS_FORMAT: &str = "onnxray loss profile";
/// Version of its members. It goes up when one goes or changes its meaning.
pub const LOSS_VERSION: u32 = 1;

/// What pruning costs a model, layer by layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossProfile {
    /// [`LOSS_FORMAT`].
    pub format: String,
    /// [`LOSS_VERSION`].
    pub version: u32,
    /// Program and version that wrote it.
    pub producer: String,
    /// How it was measured.
    pub run: LossRun,
    /// Loss and accuracy of the dense model.
    pub dense: DenseLoss,
    /// In the order of the model's nodes; each weight once.
    pub layers: Vec<LossLayer>,
    /// How layers were timed; `None` if they were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timed: Option<TimedRun>,
    /// Whether losses were not asked for: points have times alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub times_only: bool,
    /// A plan that was measured as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<LossPlan>,
    /// Caveats for the reader.
    pub notes: Vec<String>,
}

/// How many layers of a profile were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredLayers {
    /// Measured at the highest level, also if a run failed.
    pub measured: usize,
    /// Measured at all levels.
    pub whole: usize,
    /// That can be pruned.
    pub all: usize,
}

impl LossProfile {
    /// How many layers were measured.
    pub fn measured_layers(&self) -> MeasuredLayers {
        let prunable = || self.layers.iter().filter(|layer| layer.left_out.is_none());
        let is_measured = |layer: &&LossLayer| {
            layer.points.last().is_none_or(|highest| !highest.measured.not_measured)
        };
        MeasuredLayers {
            measured: prunable().filter(is_measured).count(),
            whole: prunable().filter(|layer| !layer.is_unmeasured()).count(),
            all: prunable().count(),
        }
    }

    /// Whether time ran out before everything was measured.
    pub fn is_partial(&self) -> bool {
        self.lacks_losses() || self.lacks_times()
    }

    /// Whether time ran out before all losses were measured.
    pub fn lacks_losses(&self) -> bool {
        let is_open = |plan: &LossPlan| plan.measured.not_measured;
        !self.times_only
            && (self.layers.iter().any(LossLayer::is_unmeasured)
                || self.plan.as_ref().is_some_and(is_open))
    }

    /// Whether time ran out before all layers were timed as often as planned.
    pub fn lacks_times(&self) -> bool {
        self.timed.as_ref().is_some_and(|timed| timed.launches < timed.planned_launches)
    }
}

impl LossLayer {
    /// Whether it has a level at which it was not measured.
    pub fn is_unmeasured(&self) -> bool {
        self.points.iter().any(|point| point.measured.not_measured)
    }
}

/// Everything that the figures depend on: two runs that agree in it get the same figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossRun {
    /// The model.
    #[serde(flatten)]
    pub file: ModelFile,
    /// How it ran.
    #[serde(flatten)]
    pub setup: Setup,
    /// Data that the model ran on.
    pub data: LossData,
    /// Block of weights that is pruned as one.
    pub block: Block,
    /// Shares of blocks, ascending, each between 0 and 1.
    pub levels: Vec<f64>,
    /// How each output is compared, in the order of the model's outputs.
    pub outputs: Vec<LossOutput>,
}

/// Data that a model ran on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossData {
    /// Whether the inputs were made up: then they say little about accuracy.
    pub random: bool,
    /// Seed of what was made up; `None` if nothing was.
    pub seed: Option<u64>,
    /// Runs of the model for a figure.
    pub batches: u64,
    /// Items of all batches; `None` if the batch size is unknown.
    pub items: Option<u64>,
    /// SHA-256 of the files and their order; `None` if the data is random.
    pub sha256: Option<String>,
    /// SHA-256 of the file of labels; `None` without labels.
    pub labels_sha256: Option<String>,
}

/// How an output of the pruned model is compared with the dense model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossMeasure {
    /// Kullback-Leibler divergence of probabilities along the last axis, in nats.
    KlProbabilities,
    /// The same of the softmax of logits.
    KlLogits,
    /// Euclidean norm of the difference / norm of the dense output.
    RelativeL2,
}

impl LossMeasure {
    /// Its name in reports.
    pub fn text(self) -> &'static str {
        match self {
            LossMeasure::KlProbabilities => "KL of probabilities (nats)",
            LossMeasure::KlLogits => "KL of logits (nats)",
            LossMeasure::RelativeL2 => "relative L2",
        }
    }
}

/// An output, and how it is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossOutput {
    /// Its name in the model.
    pub name: String,
    /// `None` if it is not compared.
    pub measure: Option<LossMeasure>,
    /// Why it is compared that way, or not at all.
    pub reason: String,
}

/// Figures of the dense model from labels; `None` without labels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DenseLoss {
    /// Mean cross-entropy in nats.
    pub loss: Option<f64>,
    /// Share of labels that have the largest value.
    pub accuracy: Option<f64>,
}

/// A weight, and what pruning it costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossLayer {
    /// Name of the first node that has the weight.
    pub name: String,
    /// All nodes that have it.
    pub nodes: Vec<String>,
    /// Type of the first node.
    pub operator_type: String,
    /// The constant's name.
    pub weight: String,
    /// Type of its elements.
    pub data_type: DataType,
    /// Rows of its matrix.
    pub outputs: u64,
    /// Columns of its matrix.
    pub inputs: u64,
    /// Number of elements.
    pub parameters: u64,
    /// Sum of its absolute real values; `None` if they are unknown.
    pub l1_norm: Option<f64>,
    /// Root of the sum of their squares; `None` if they are unknown.
    pub l2_norm: Option<f64>,
    /// Why it was not pruned; then it has no points.
    pub left_out: Option<String>,
    /// Why it multiplies by its zeros, so that pruning does not make it faster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplies_zeros: Option<String>,
    /// In ascending order of levels.
    pub points: Vec<LossPoint>,
}

/// Cost of pruning a weight to one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LossPoint {
    /// Share of the blocks that become zero, from 0 to 1.
    pub level: f64,
    /// Elements in these blocks.
    pub pruned: u64,
    /// Their share of the weight's L1 norm; `None` if the weight is zero everywhere.
    pub l1: Option<f64>,
    /// L2 norm of the removed elements / L2 norm of the weight.
    pub l2: Option<f64>,
    /// Outcome of running the pruned model.
    pub measured: Measured,
    /// How long it takes, dense and pruned, by launch; empty if it was not timed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<PrunedTimes>,
}

/// Outcome of running a pruned model, or the reason for none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The largest of all outputs, by their measures; `None` if the run failed.
    pub divergence: Option<f64>,
    /// The output that has it.
    pub output: Option<String>,
    /// Cross-entropy minus the dense model's, in nats; `None` without labels.
    pub loss_change: Option<f64>,
    /// Accuracy minus the dense model's; `None` without labels.
    pub accuracy_change: Option<f64>,
    /// How far inputs or labels scatter whose mean the [sensitivity](Measured::sensitivity) is;
    /// `None` of a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scatter: Option<LossScatter>,
    /// Why there are no figures.
    pub failed: Option<String>,
    /// Whether the model has not run with this pruning, since time ran out; then all else is
    /// `None`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_measured: bool,
}

/// How far values scatter around their mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossScatter {
    /// Inputs; with labels, labels. Two or more.
    pub count: u64,
    /// Standard error of the mean, in its unit.
    pub standard_error: f64,
}

impl LossScatter {
    /// Of independent values; `None` of fewer than two, and beyond what numbers hold.
    pub fn of(values: &[f64]) -> Option<LossScatter> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let standard_error = (squares / (count - 1.0) / count).sqrt();
        let is_known = values.len() > 1 && standard_error.is_finite();
        is_known.then_some(LossScatter { count: values.len() as u64, standard_error })
    }
}

impl Measured {
    /// A run without figures. Of the reason the first line counts: what follows are hints.
    pub fn failed(reason: impl Into<String>) -> Measured {
        let reason = reason.into();
        let first = reason.lines().next().unwrap_or_default().to_string();
        Measured { failed: Some(first), ..Measured::default() }
    }

    /// Of a run that time was too short for.
    pub fn not_yet() -> Measured {
        Measured { not_measured: true, ..Measured::default() }
    }

    /// The change of the loss with labels, otherwise the divergence.
    pub fn sensitivity(&self) -> Option<f64> {
        self.loss_change.or(self.divergence)
    }
}

/// A plan for all layers: what the single layers let expect, and what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossPlan {
    /// Levels by the name of the layer, in the order of layers; dense ones are not there.
    pub levels: Vec<(String, f64)>,
    /// Sum of the layers' own sensitivities at these levels; `None` if one is unknown.
    pub predicted: Option<f64>,
    /// With all of them pruned at once.
    pub measured: Measured,
    /// Divergences on inputs that no layer was measured on, so that no plan was chosen by them;
    /// empty where inputs are files, so that there are no others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<f64>,
}

/// A layer of a pruned model.
#[derive(Clone, Debug, PartialEq)]
pub struct PrunedLayer {
    /// Name of an operator with the weight.
    pub operator: String,
    /// Name of the weight.
    pub weight: String,
    /// Rows of the weight as a matrix.
    pub outputs: u64,
    /// Columns of it.
    pub inputs: u64,
    /// Share of its blocks that was to be zero; `None` if none was asked for.
    pub level: Option<f64>,
    /// Share of zero blocks before and after; `None` if it is left as it is.
    pub sparse_ratios: Option<[f64; 2]>,
    /// Elements of the blocks that were pruned.
    pub pruned: u64,
    /// Why it is left as it is.
    pub left_out: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(level: f64, divergence: Option<f64>) -> LossPoint {
        let measured = Measured { divergence, ..Measured::failed("no") };
        LossPoint { level, pruned: 3, l1: Some(1.0 / 3.0), measured, ..LossPoint::default() }
    }

    fn read(text: &str) -> Result<LossPoint, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let text = serde_json::to_string(&point(0.5, Some(0.25))).unwrap();
        assert_eq!(read(&text).unwrap(), point(0.5, Some(0.25)));
        for other in ["1e999", "\"0.25\"", "[]", "true"] {
            assert!(read(&text.replace("0.25", other)).is_err(), "{other}");
        }
        assert!(read(&text.replace("\"level\":0.5", "\"level\":null")).is_err());
    }

    #[test]
    fn a_reason_is_one_line() {
        let failed = Measured::failed("no such thing\nhint: try another");
        assert_eq!(failed.failed.as_deref(), Some("no such thing"));
    }

    proptest! {
        #[test]
        fn numbers_read_back_to_the_last_bit(level in 0.0f64..1.0, bits in any::<u64>()) {
            let divergence = Some(f64::from_bits(bits)).filter(|number| number.is_finite());
            let written = point(level, divergence);
            let text = serde_json::to_string(&written).unwrap();
            prop_assert_eq!(read(&text).unwrap(), written);
        }
    }
}
