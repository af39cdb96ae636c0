//! Operators that no target changes: behind products that skip zeros they find other caches, and
//! take another time, by how sparse the weights are on the whole.

use super::AppliedRow;
use super::estimate::Estimate;
use super::operator::{Outcome, ProjectedOperator};
use super::ratio::RatioRow;
use crate::statistics::OperatorSummary;
use onnxray_format::Weight;

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
    let weight = summary.operator.weight.as_ref().filter(|_| outcome.is_settable());
    weight.map_or(0.0, Weight::elements)
}

/// Whether it keeps its latency but for what products before it leave in the caches.
pub(super) fn is_not_pruned(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::NoWeight | Outcome::Unsupported | Outcome::MultipliesZeros)
}

impl<'a> NotPruned<'a> {
    pub(super) fn of(
        summaries: &[OperatorSummary],
        operators: &[ProjectedOperator],
        rows: &'a [AppliedRow],
    ) -> NotPruned<'a> {
        let row = rows.iter().position(AppliedRow::is_of_not_pruned);
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
        let origin = ratios.origin_at(sparsity).filter(|_| is_changed);
        let own = operators.iter_mut().filter(|own| is_not_pruned(own.outcome));
        for operator in own {
            operator.row = Some(row);
            (operator.ratio, operator.origin) = (Some(ratio), origin);
            operator.projected = operator.dense.map(|dense| dense.by(ratio));
        }
    }
}
