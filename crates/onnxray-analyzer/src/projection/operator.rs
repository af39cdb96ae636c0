//! The projection of one operator, and why it is not projected.

use super::estimate::Estimate;
use super::ratio::RatioRow;
use super::settings::Targets;
use crate::statistics::OperatorSummary;
use onnxray_format::Block;
use std::collections::HashMap;
use std::fmt;

/// From this sparse ratio on, the measured latency is that of a pruned weight,
/// and nothing more is projected.
pub const ALREADY_SPARSE: f64 = onnxray_format::profile_csv::ALREADY_SPARSE;

/// An operator at its target.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedOperator {
    /// Dense latency in milliseconds; `None` if it is unknown.
    pub dense: Option<Estimate>,
    /// `None` where a target would change nothing.
    pub target: Option<Target>,
    /// Row of the ratios that applies; `None` where a target would change nothing.
    pub row: Option<usize>,
    /// 1 unless it is projected.
    pub ratio: Estimate,
    /// Whether the target changes the latency, or why not.
    pub outcome: Outcome,
    /// Latency at the target in milliseconds.
    pub projected: Option<Estimate>,
}

/// The sparse ratio that an operator aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// From 0 to 1.
    pub level: f64,
    /// Which setting it comes from: the most specific that applies.
    pub from: TargetOrigin,
}

/// Where a target was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetOrigin {
    /// For this operator, by its name.
    Operator,
    /// For its operator type.
    Type,
    /// For all operators.
    Model,
    /// Nowhere: the default.
    Default,
}

/// Whether an operator is projected, or why its latency stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its latency is divided by the perf ratio.
    Projected,
    /// It never ran, or the trace does not tell its time.
    LatencyUnknown,
    /// Nobody knows whether it has a weight.
    WeightUnknown,
    /// It reads no constant matrix, so that nothing can be pruned.
    NoWeight,
    /// Block-sparse kernels do not apply to its weight.
    Unsupported,
    /// The weight's sparse ratio is [`ALREADY_SPARSE`] or more.
    AlreadySparse,
    /// The target is 0: leave it dense.
    NoTarget,
    /// The weight has the target's sparse ratio.
    AtTarget,
    /// Nothing is given for its weight shape.
    NoRatio,
}

impl Outcome {
    /// In the order of the workbook's notes.
    pub const ALL: [Outcome; 9] = [
        Outcome::Projected,
        Outcome::LatencyUnknown,
        Outcome::WeightUnknown,
        Outcome::NoWeight,
        Outcome::Unsupported,
        Outcome::AlreadySparse,
        Outcome::NoTarget,
        Outcome::AtTarget,
        Outcome::NoRatio,
    ];

    /// What stands in tables and workbooks.
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
        }
    }

    /// What the workbook's notes say of it.
    pub fn meaning(self) -> &'static str {
        match self {
            Outcome::Projected => "its latency is divided by the perf ratio",
            Outcome::LatencyUnknown => "it never ran, or the trace does not tell its latency",
            Outcome::WeightUnknown => "the trace does not tell of weights; --model joins them",
            Outcome::NoWeight => "it multiplies with no constant, so nothing can be pruned",
            Outcome::Unsupported => "the outputs of its weight are not a multiple of 4",
            Outcome::AlreadySparse => {
                "half or more of the blocks are zero: what was measured is a pruned weight"
            }
            Outcome::NoTarget => "its target is 0 or empty",
            Outcome::AtTarget => "its weight is as sparse as the target already",
            Outcome::NoRatio => "the table of perf ratios has none for its weight shape",
        }
    }

    /// Whether a target could change its latency.
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
pub(crate) fn fixed_outcome(
    summary: &OperatorSummary,
    known: bool,
    block: Block,
) -> Option<Outcome> {
    let operator = &summary.operator;
    let Some(weight) = &operator.weight else {
        // Who states parameters, or none, knows the weights.
        return Some(match operator.parameters {
            None => Outcome::WeightUnknown,
            Some(_) => Outcome::NoWeight,
        });
    };
    if !operator.sparse_support {
        return Some(Outcome::Unsupported);
    }
    if weight.sparse_ratio(block).is_some_and(|ratio| ratio >= ALREADY_SPARSE) {
        return Some(Outcome::AlreadySparse);
    }
    (!known).then_some(Outcome::LatencyUnknown)
}

/// Targets, looked up by name.
pub(crate) struct TargetTable<'a> {
    operators: HashMap<&'a str, f64>,
    types: HashMap<String, f64>,
    /// What holds for operators without a target of their own or of their type.
    pub model: Target,
}

impl<'a> TargetTable<'a> {
    pub(crate) fn new(targets: &'a Targets) -> TargetTable<'a> {
        let types = targets.types.iter().map(|(name, level)| (name.to_lowercase(), *level));
        TargetTable {
            operators: targets.operators.iter().map(|(name, l)| (name.as_str(), *l)).collect(),
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

    pub(crate) fn of(&self, name: &str, operator_type: &str) -> Target {
        if let Some(&level) = self.operators.get(name) {
            return Target { level, from: TargetOrigin::Operator };
        }
        self.of_type(operator_type)
    }

    /// What holds for operators that have no target of their own.
    pub(crate) fn of_type(&self, operator_type: &str) -> Target {
        match self.types.get(&operator_type.to_lowercase()) {
            Some(&level) => Target { level, from: TargetOrigin::Type },
            None => self.model,
        }
    }
}

/// What a target does to an operator that it can change, whose ratios stand in
/// `row`.
pub(crate) fn outcome_at(
    target: f64,
    sparse_ratio: Option<f64>,
    row: Option<&RatioRow>,
) -> Outcome {
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

/// The perf ratio at a target; 1 where the target changes nothing.
pub(crate) fn ratio_at(target: f64, outcome: Outcome, row: Option<&RatioRow>) -> Estimate {
    match (outcome, row) {
        // A row may hold nothing but a ratio for all levels.
        (Outcome::Projected | Outcome::NoRatio, Some(row)) => row.at(target),
        _ => Estimate::exact(1.0),
    }
}
