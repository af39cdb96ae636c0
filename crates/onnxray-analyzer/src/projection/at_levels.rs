//! The whole model at each level: what every weight would bring if all aimed at
//! the same sparsity.

use super::estimate::Estimate;
use super::not_pruned::NotPruned;
use super::operator::{Outcome, ProjectedOperator, outcome_at};
use super::origin::{Origins, RatioOrigin};
use super::total::{Outside, totals};
use super::{AppliedRow, Level};
use crate::statistics::Summary;
use onnxray_format::Block;
use std::collections::HashMap;

/// One [`Level`] per level, whatever the targets are.
pub(super) fn at_levels(
    summary: &Summary,
    operators: &[ProjectedOperator],
    rows: &[AppliedRow],
    not_pruned: &NotPruned,
    levels: &[f64],
    block: Block,
    outside: Outside,
) -> Vec<Level> {
    let positions = positions(summary);
    let supported: Vec<bool> =
        summary.operators.iter().map(|summary| summary.operator.sparse_support).collect();
    let sparse_ratios: Vec<Option<f64>> = summary
        .operators
        .iter()
        .map(|summary| summary.operator.weight.as_ref()?.sparse_ratio(block))
        .collect();
    let mut at_level = operators.to_vec();
    let is_settable: Vec<bool> =
        operators.iter().map(|operator| operator.outcome.is_settable()).collect();
    let at = |&level: &f64| {
        // Each row is looked up once, not once for each operator.
        let at = |row: &AppliedRow| (row.ratios.at(level), row.ratios.origin_at(level));
        let ratios: Vec<(Estimate, Option<RatioOrigin>)> = rows.iter().map(at).collect();
        // As in `outcome_at`: a weight that is as sparse already keeps its latency.
        let is_changed = |number: usize| {
            is_settable[number] && level > 0.0 && sparse_ratios[number].is_none_or(|r| level > r)
        };
        let is_pruned = |number: usize| {
            let row = operators[number].row.map(|row| &rows[row].ratios);
            let outcome = outcome_at(level, sparse_ratios[number], row);
            is_settable[number] && outcome == Outcome::Projected
        };
        let sparsity = not_pruned.sparsity(|number| if is_pruned(number) { level } else { 0.0 });
        not_pruned.apply(&mut at_level, sparsity);
        let mut types = vec![None; summary.types.len()];
        let mut type_origins = vec![Origins::default(); summary.types.len()];
        for (number, operator) in at_level.iter_mut().enumerate() {
            // All others keep their latency, or have that of what is not pruned.
            if is_settable[number] {
                let row = operator.row.filter(|_| is_changed(number));
                let (ratio, origin) = row.map_or((Estimate::exact(1.0), None), |row| ratios[row]);
                (operator.ratio, operator.origin) = (Some(ratio), origin);
                operator.projected = operator.dense.map(|dense| dense.by(ratio));
            }
            let position = positions[number];
            types[position] = sum(types[position], operator.projected);
            let origins = &mut type_origins[position];
            *origins = origins.and([operator.origin].into_iter().collect());
        }
        let unknown =
            |&(operator, _): &(&ProjectedOperator, &usize)| operator.outcome.has_weight().is_none();
        // A sum over some operators is not the projection of the type.
        for (_, &position) in at_level.iter().zip(&positions).filter(unknown) {
            types[position] = None;
        }
        let totals = totals(at_level.iter().zip(supported.iter().copied()), outside);
        let origins = type_origins.iter().fold(Origins::default(), |all, more| all.and(*more));
        Level { level, sparsity, totals, types, origins, type_origins }
    };
    levels.iter().map(at).collect()
}

/// The sum of what is known; `None` if nothing is.
pub(super) fn sum(sum: Option<Estimate>, more: Option<Estimate>) -> Option<Estimate> {
    match (sum, more) {
        (Some(sum), Some(more)) => Some(sum + more),
        (sum, more) => sum.or(more),
    }
}

/// For each operator, the position of its type among the summary's.
pub fn positions(summary: &Summary) -> Vec<usize> {
    let places = summary.types.iter().enumerate();
    let places: HashMap<&str, usize> =
        places.map(|(place, known)| (known.operator_type.as_str(), place)).collect();
    let place = |name: &str| places.get(name).copied().unwrap_or_default();
    summary.operators.iter().map(|summary| place(&summary.operator.operator_type)).collect()
}
