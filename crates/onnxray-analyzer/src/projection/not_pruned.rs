//! Operators that no target changes: behind products that skip zeros they find other caches, and
//! take another time, by how sparse the weights are on the whole.

use super::estimate::Estimate;
use super::operator::{Outcome, ProjectedOperator};
use super::origin::{Origin, RatioOrigin};
use super::ratio::RatioRow;
use super::{AppliedRow, RatioKey, WeightShape};
use crate::statistics::OperatorSummary;

/// What of a model a target changes, and what it does not.
#[derive(Clone, Debug)]
pub(super) struct NotPruned<'a> {
    /// Row of their perf ratios, and its position; `None` where nothing is known of them.
    row: Option<(usize, &'a RatioRow)>,
    /// By operator: elements of the weight that a target could change; 0 for all others.
    elements: Vec<f64>,
}

/// Elements of the weight of an operator that a target could change.
pub(super) fn elements(summary: &OperatorSummary, outcome: Outcome) -> f64 {
    match summary.operator.weight.as_ref().filter(|_| outcome.is_settable()) {
        Some(weight) => weight.outputs as f64 * weight.inputs as f64,
        None => 0.0,
    }
}

/// Whether it keeps its latency but for what products before it leave in the caches.
pub(super) fn is_not_pruned(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::NoWeight | Outcome::Unsupported)
}

impl<'a> NotPruned<'a> {
    pub(super) fn of(
        summaries: &[OperatorSummary],
        operators: &[ProjectedOperator],
        rows: &'a [AppliedRow],
    ) -> NotPruned<'a> {
        let is_own = |key: &RatioKey| key.shape == WeightShape::NOT_PRUNED;
        let row = rows.iter().position(|row| row.operators > 0 && is_own(&row.ratios.key));
        let weights = summaries.iter().zip(operators);
        NotPruned {
            row: row.map(|row| (row, &rows[row].ratios)),
            elements: weights.map(|(summary, own)| elements(summary, own.outcome)).collect(),
        }
    }

    /// Mean sparsity of the weights that a target could change, by their elements, with the level
    /// of each operator; 0 without such weights.
    pub(super) fn sparsity(&self, level: impl Fn(usize) -> f64) -> f64 {
        let (mut all, mut zero) = (0.0, 0.0);
        for (number, elements) in self.elements.iter().enumerate() {
            all += elements;
            zero += elements * level(number);
        }
        if all > 0.0 { zero / all } else { 0.0 }
    }

    /// Gives these operators their latencies at a mean sparsity.
    pub(super) fn apply(&self, operators: &mut [ProjectedOperator], sparsity: f64) {
        let Some((row, ratios)) = self.row else { return };
        let is_changed = sparsity > 0.0;
        let ratio = if is_changed { ratios.at(sparsity) } else { Estimate::exact(1.0) };
        // Below the lowest level, nothing is taken to change, and no default says so.
        let is_known = |origin: &RatioOrigin| *origin != RatioOrigin::Below(Origin::Default);
        let origin = ratios.origin_at(sparsity).filter(|origin| is_changed && is_known(origin));
        let own = operators.iter_mut().filter(|own| is_not_pruned(own.outcome));
        for operator in own {
            operator.row = Some(row);
            (operator.ratio, operator.origin) = (Some(ratio), origin);
            operator.projected = operator.dense.map(|dense| dense.by(ratio));
        }
    }
}
