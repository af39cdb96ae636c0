//! The projection of one operator, and why it is not projected.

use super::estimate::Estimate;
use super::origin::RatioOrigin;
use super::ratio::{RatioRow, folded_type};
use super::settings::Targets;
use super::weightless::ToldWeights;
use crate::printable::short_name;
use crate::statistics::OperatorSummary;
use onnxray_format::Block;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// From this sparsity on, the measured latency is that of a pruned weight,
/// and nothing more is projected.
pub const ALREADY_SPARSE: f64 = onnxray_format::profile_csv::ALREADY_SPARSE;

/// An operator at its target.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedOperator {
    /// Dense latency in milliseconds; `None` if it is unknown.
    pub dense: Option<Estimate>,
    /// `None` where a target would change nothing.
    pub target: Option<Target>,
    /// Row of the ratios that applies; `None` where none does.
    pub row: Option<usize>,
    /// 1 where its latency stays as it is; `None` if nobody knows whether it has a
    /// weight.
    pub ratio: Option<Estimate>,
    /// Origin of the ratio; `None` if no ratio is looked up.
    pub origin: Option<RatioOrigin>,
    /// Projected, or why not.
    pub outcome: Outcome,
    /// Latency at the target in milliseconds; `None` if that or its ratio is
    /// unknown.
    pub projected: Option<Estimate>,
}

/// The sparsity that an operator aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// From 0 to 1.
    pub level: f64,
    /// Setting that it comes from.
    pub from: TargetOrigin,
}

/// Setting that a target comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetOrigin {
    /// For the operator itself.
    Operator,
    /// For its type.
    Type,
    /// For the whole model.
    Model,
    /// Nowhere: the default.
    Default,
}

/// Projected, or why the latency of an operator stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its latency is divided by a perf ratio.
    Projected,
    /// It never ran, or the trace does not tell its latency.
    LatencyUnknown,
    /// Nobody knows whether it has a weight.
    WeightUnknown,
    /// It multiplies with no constant.
    NoWeight,
    /// Block-sparse kernels do not apply.
    Unsupported,
    /// The measured weight is pruned already.
    AlreadySparse,
    /// Its target is 0 or empty.
    NoTarget,
    /// The weight has the target's sparsity.
    AtTarget,
    /// Nothing is given for its weight shape.
    NoRatio,
    /// As measured, no kernel skips the zeros of its weight.
    MultipliesZeros,
}

impl Outcome {
    /// The operator has a weight; `None` if unknown.
    pub fn has_weight(self) -> Option<bool> {
        match self {
            Outcome::WeightUnknown => None,
            Outcome::NoWeight => Some(false),
            _ => Some(true),
        }
    }

    /// All outcomes, in the order in which they are explained.
    pub const ALL: [Outcome; 10] = [
        Outcome::Projected,
        Outcome::LatencyUnknown,
        Outcome::WeightUnknown,
        Outcome::NoWeight,
        Outcome::Unsupported,
        Outcome::AlreadySparse,
        Outcome::NoTarget,
        Outcome::AtTarget,
        Outcome::NoRatio,
        Outcome::MultipliesZeros,
    ];

    /// Words of tables and workbooks.
    pub fn text(self) -> &'static str {
        match self {
            Outcome::Projected => "projected",
            Outcome::LatencyUnknown => "latency unknown",
            Outcome::WeightUnknown => "weight unknown",
            Outcome::NoWeight => "no constant weight",
            Outcome::Unsupported => "no sparse support",
            Outcome::AlreadySparse => "already sparse",
            Outcome::NoTarget => "no target",
            Outcome::AtTarget => "already at the target",
            Outcome::NoRatio => "no perf ratio",
            Outcome::MultipliesZeros => "multiplies by its zeros",
        }
    }

    /// Meaning, for readers of tables and workbooks.
    pub fn meaning(self) -> &'static str {
        match self {
            Outcome::Projected => "its latency is divided by the perf ratio",
            Outcome::LatencyUnknown => "it never ran, or the trace has no latency of it",
            Outcome::WeightUnknown => "the trace has no weights; add them with --model",
            Outcome::NoWeight => "it multiplies with no constant, so nothing can be pruned",
            Outcome::Unsupported => "the outputs of its weight are not a multiple of 4",
            Outcome::AlreadySparse => {
                "half or more of the blocks are zero: what was measured is a pruned weight"
            }
            Outcome::NoTarget => "its target is 0 or empty",
            Outcome::AtTarget => "its weight is as sparse as the target already",
            Outcome::NoRatio => "the table of perf ratios has none for its weight shape",
            Outcome::MultipliesZeros => {
                "no kernel skipped its zeros where perf ratios were measured, so no target changes it"
            }
        }
    }

    /// A target could change its latency.
    pub fn is_settable(self) -> bool {
        use Outcome::*;
        matches!(self, Projected | NoTarget | AtTarget | NoRatio)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.text())
    }
}

/// Why an operator keeps its latency whatever the target; `None` if a target
/// could change it.
pub(super) fn fixed_outcome(
    summary: &OperatorSummary,
    known: bool,
    block: Block,
    weights: ToldWeights,
) -> Option<Outcome> {
    let operator = &summary.operator;
    let Some(weight) = &operator.weight else {
        let has_none = weights.has_none(operator);
        return Some(if has_none { Outcome::NoWeight } else { Outcome::WeightUnknown });
    };
    if weight.outputs == 0 || weight.inputs == 0 {
        return Some(Outcome::NoWeight);
    }
    if !operator.sparse_support {
        return Some(Outcome::Unsupported);
    }
    if weight.sparse_ratio(block).is_some_and(|ratio| ratio >= ALREADY_SPARSE) {
        return Some(Outcome::AlreadySparse);
    }
    // Last: what the weight rules out stays ruled out when the latency becomes known.
    (!known).then_some(Outcome::LatencyUnknown)
}

/// Targets, looked up by name.
pub(super) struct TargetTable<'a> {
    operators: HashMap<Cow<'a, str>, f64>,
    types: HashMap<String, f64>,
    /// Target of operators without one of their own or of their type.
    pub(super) model: Target,
}

impl<'a> TargetTable<'a> {
    pub(super) fn new(targets: &'a Targets) -> TargetTable<'a> {
        let types = targets.types.iter().map(|(name, level)| (folded_type(name), *level));
        TargetTable {
            operators: targets.operators.iter().map(|(name, l)| (short_name(name), *l)).collect(),
            types: types.collect(),
            model: match targets.model {
                Some(level) => Target { level, from: TargetOrigin::Model },
                None => {
                    let level = super::settings::DEFAULT_TARGET;
                    Target { level, from: TargetOrigin::Default }
                }
            },
        }
    }

    /// Its own target, else that of its type, else the model's.
    pub(super) fn of(&self, name: &str, operator_type: &str) -> Target {
        if let Some(&level) = self.operators.get(&short_name(name)) {
            return Target { level, from: TargetOrigin::Operator };
        }
        self.of_type(operator_type)
    }

    /// Target of operators of a type without one of their own.
    pub(super) fn of_type(&self, operator_type: &str) -> Target {
        match self.types.get(&folded_type(operator_type)) {
            Some(&level) => Target { level, from: TargetOrigin::Type },
            None => self.model,
        }
    }
}

/// Effect of a target on an operator that can be set, with its `row` of ratios.
pub(super) fn outcome_at(
    target: f64,
    sparse_ratio: Option<f64>,
    row: Option<&RatioRow>,
) -> Outcome {
    // In this order: a target of 0 asks for nothing, and one that is reached needs no ratio.
    if target <= 0.0 {
        Outcome::NoTarget
    } else if sparse_ratio.is_some_and(|ratio| target <= ratio) {
        Outcome::AtTarget
    } else if row.is_none_or(|row| row.points.is_empty()) {
        Outcome::NoRatio
    } else {
        Outcome::Projected
    }
}

/// The perf ratio at a target, and where it comes from; 1 where the target changes
/// nothing.
pub(super) fn ratio_at(
    target: f64,
    outcome: Outcome,
    row: Option<&RatioRow>,
) -> (Estimate, Option<RatioOrigin>) {
    match (outcome, row) {
        // A row may hold nothing but a ratio for all levels.
        (Outcome::Projected | Outcome::NoRatio, Some(row)) => {
            (row.at(target), row.origin_at(target))
        }
        _ => (Estimate::exact(1.0), None),
    }
}
