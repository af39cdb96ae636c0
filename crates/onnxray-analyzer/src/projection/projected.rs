//! A model before and after: what a projection comes to.

use super::{
    Estimate, MeasuredOn, Origins, ProjectedOperator, RatioRow, Settings, Target, Totals,
    WeightShape, Weights,
};
use crate::statistics::Parts;
use onnxray_format::Block;

/// A model at the targets that were set.
#[derive(Clone, Debug)]
pub struct Projection {
    /// Span that latencies are summed over.
    pub basis: Basis,
    /// Sources of the ends of estimates.
    pub spread: Spread,
    /// Shape of the zero blocks that sparsities count.
    pub block: Block,
    /// Sparsities with a column of their own, in the order of the settings.
    pub levels: Vec<f64>,
    /// The ratios that apply to this model's weights, one row for each operator
    /// type, weight shape and element type; then rows that apply to none.
    pub rows: Vec<AppliedRow>,
    /// Where measured ones of them were measured.
    pub measured_on: Vec<MeasuredOn>,
    /// In the order of the summary.
    pub operators: Vec<ProjectedOperator>,
    /// In the order of the summary's types.
    pub types: Vec<ProjectedType>,
    /// Target of operators without one of their own or of their type.
    pub model_target: Target,
    /// Mean sparsity at the targets of the weights that they could change, by elements.
    pub sparsity: f64,
    /// The whole model.
    pub totals: Totals,
    /// The model with every weight at one level, for each of the levels.
    pub at_levels: Vec<Level>,
    /// Names with a target that no operator has.
    pub unmatched_targets: Vec<String>,
}

/// Span that latencies are summed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Mean exclusive time per measured iteration.
    Iteration,
    /// Sum of exclusive times, where a trace marks no iterations.
    Trace,
}

/// Sources of the ends of estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Variation of dense latencies; `None` if unknown.
    pub parts: Option<Parts>,
    /// Some perf ratios were given as ranges.
    pub ratios: bool,
}

/// A row of ratios and what it applies to.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedRow {
    /// The ratios, and what they are for.
    pub ratios: RatioRow,
    /// Operators that the row is for; those that multiply by their zeros look another one up.
    pub operators: u64,
}

impl AppliedRow {
    /// Whether operators that no target changes look their ratio up here.
    pub fn is_of_not_pruned(&self) -> bool {
        self.operators > 0 && self.ratios.key.shape == WeightShape::NOT_PRUNED
    }
}

/// The operators of one type, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedType {
    /// ONNX type.
    pub operator_type: String,
    /// Number of operators.
    pub operators: u64,
    /// Operators whose latency a target could change.
    pub settable: u64,
    /// Operators of these that have no target of their own.
    pub inheriting: u64,
    /// Their target.
    pub target: Target,
    /// Latency before, in milliseconds, of those of which it is known.
    pub dense: Option<Estimate>,
    /// Latency after, in milliseconds; `None` also if nobody knows of one of them
    /// whether it has a weight.
    pub projected: Option<Estimate>,
    /// Origins of the perf ratios of its operators.
    pub origins: Origins,
}

impl Projection {
    /// Known and unknown weights of the operators.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::default();
        self.operators.iter().for_each(|operator| weights.add(operator.outcome));
        weights
    }

    /// Origins of the perf ratios that the projected figures rest on.
    pub fn origins(&self) -> Origins {
        self.operators.iter().map(|operator| operator.origin).collect()
    }

    /// The row in which an operator looks up its ratio, if it has one.
    pub fn ratios_of(&self, operator: usize) -> Option<&RatioRow> {
        self.operators[operator].row.map(|row| &self.rows[row].ratios)
    }

    /// Whether a perf ratio that applies was measured.
    pub fn has_measured_ratios(&self) -> bool {
        self.rows.iter().any(|row| row.operators > 0 && row.ratios.origins().measured)
    }

    /// The settings with the ratios that apply, measured ones and defaults among them, so that they
    /// can be written down whole.
    pub fn settings(&self, settings: &Settings) -> Settings {
        Settings {
            block: self.block,
            levels: self.levels.clone(),
            ratios: self.rows.iter().map(|row| row.ratios.clone()).collect(),
            measured: Vec::new(),
            measured_on: match self.rows.iter().any(|row| row.ratios.origins().measured) {
                true => settings.measured_on.clone(),
                false => Vec::new(),
            },
            ..settings.clone()
        }
    }
}

/// The model with every weight at one sparsity. Targets have no part in it.
#[derive(Clone, Debug)]
pub struct Level {
    /// Sparsity of all weights, from 0 to 1.
    pub level: f64,
    /// Mean of it over all weights: those that are sparser already gain nothing.
    pub sparsity: f64,
    /// The whole model at it.
    pub totals: Totals,
    /// Latency of each operator type in milliseconds, in the order of the
    /// summary's types; `None` as for [`ProjectedType::projected`].
    pub types: Vec<Option<Estimate>>,
    /// Origins of the perf ratios of all operators.
    pub origins: Origins,
    /// Origins by type.
    pub type_origins: Vec<Origins>,
}
