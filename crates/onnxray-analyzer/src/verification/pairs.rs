//! Operators of two recordings of one model, dense and pruned, that are the same.

use super::verified::{Verified, VerifiedOperator};
use crate::projection::{DEFAULT_POINTS, Outcome, Projection, Settings};
use crate::statistics::Summary;
use onnxray_format::{Operator, Weight, ZeroBlocks};
use std::collections::{HashMap, VecDeque};

/// Whether it skips the zero blocks of its weight.
pub(super) fn skips(operator: &Operator) -> bool {
    matches!(operator.zero_blocks, Some(ZeroBlocks::Skipped(_)))
}

/// Which operator of the sparse recording is which of the dense one.
pub(super) struct Pairs<'a> {
    dense: &'a Summary,
    sparse: &'a Summary,
    settings: &'a Settings,
    /// By operator of the dense recording.
    others: Vec<Option<usize>>,
    /// The same by operator of the sparse recording.
    places: Vec<Option<usize>>,
}

impl<'a> Pairs<'a> {
    /// By names and phases; several of one name in their order.
    pub(super) fn of(dense: &'a Summary, sparse: &'a Summary, settings: &'a Settings) -> Pairs<'a> {
        let mut by_name: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (position, own) in sparse.operators.iter().enumerate() {
            let key = (own.operator.name.as_str(), own.operator.phase);
            by_name.entry(key).or_default().push_back(position);
        }
        let keys = dense.operators.iter();
        let keys = keys.map(|own| (own.operator.name.as_str(), own.operator.phase));
        let others: Vec<Option<usize>> =
            keys.map(|key| by_name.get_mut(&key)?.pop_front()).collect();
        let mut places = vec![None; sparse.operators.len()];
        for (position, other) in others.iter().enumerate() {
            if let Some(other) = *other {
                places[other] = Some(position);
            }
        }
        Pairs { dense, sparse, settings, others, places }
    }

    /// Sparsity of an operator's weight in the sparse recording, if its zeros are skipped.
    fn level(&self, position: usize) -> Option<f64> {
        let other = &self.sparse.operators[self.others[position]?].operator;
        let weight = other.weight.as_ref().filter(|_| skips(other))?;
        let share = weight.sparse_ratio(self.settings.block)?;
        // Whole blocks are pruned: a weight is up to half of one off the level that it was pruned to,
        // and of which a perf ratio is known.
        let elements =
            f64::from(self.settings.block.outputs) * f64::from(self.settings.block.inputs);
        let one = elements / weight.elements();
        let rows = self.settings.measured.iter().chain(&self.settings.ratios);
        let levels = rows.flat_map(|row| &row.points).map(|point| point.level);
        let levels = levels.chain(DEFAULT_POINTS.map(|(level, _)| level));
        // Half a block, as the number of blocks is rounded; with a margin for the division.
        let off = |level: &f64| (level - share).abs();
        let near = levels.filter(|level| off(level) <= one * 0.5001);
        Some(near.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(share))
    }

    /// Names of operators, and these sparsities.
    pub(super) fn targets(&self) -> Vec<(String, f64)> {
        let named = self.dense.operators.iter().enumerate();
        let target = |(position, own): (usize, &crate::statistics::OperatorSummary)| {
            Some((own.operator.name.clone(), self.level(position)?))
        };
        named.filter_map(target).collect()
    }

    /// All operators, those of the dense recording first.
    pub(super) fn operators(
        &self,
        projection: &Projection,
        measured: &Projection,
    ) -> Vec<VerifiedOperator> {
        let Pairs { dense, sparse, others, places, .. } = self;
        let in_dense = projection.operators.iter().enumerate().map(|(position, found)| {
            let is_projected = found.outcome == Outcome::Projected;
            let times = Verified {
                dense: found.dense,
                projected: found.projected.or(found.dense),
                measured: others[position].and_then(|other| measured.operators[other].dense),
            };
            VerifiedOperator {
                level: self.level(position),
                ratio: found.ratio.filter(|_| is_projected).map(|ratio| ratio.value),
                ..named(&dense.operators[position].operator, times)
            }
        });
        let alone = (0..places.len()).filter(|&other| places[other].is_none());
        let alone = alone.map(|other| {
            let measured = measured.operators[other].dense;
            named(&sparse.operators[other].operator, Verified { measured, ..Verified::default() })
        });
        in_dense.chain(alone).collect()
    }
}

fn named(operator: &Operator, times: Verified) -> VerifiedOperator {
    VerifiedOperator {
        name: operator.name.clone(),
        operator_type: operator.operator_type.clone(),
        weight_shape: operator.weight.as_ref().map(Weight::matrix_shape),
        level: None,
        ratio: None,
        times,
    }
}
