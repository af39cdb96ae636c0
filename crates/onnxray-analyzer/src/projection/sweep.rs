//! The whole model at each level: what every weight would bring if all aimed at
//! the same sparse ratio.

use super::estimate::Estimate;
use super::operator::ProjectedOperator;
use super::total::{Outside, totals};
use super::{AppliedRow, Level};
use crate::statistics::Summary;
use onnxray_format::Block;
use std::collections::HashMap;

/// The model at each level.
pub(super) fn sweep(
    summary: &Summary,
    operators: &[ProjectedOperator],
    rows: &[AppliedRow],
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
    let at = |&level: &f64| {
        // Each row is looked up once, not once for each operator.
        let ratios: Vec<Estimate> = rows.iter().map(|row| row.ratios.at(level)).collect();
        let mut types = vec![Estimate::default(); summary.types.len()];
        for (number, operator) in at_level.iter_mut().enumerate() {
            let unchanged = level <= 0.0 || sparse_ratios[number].is_some_and(|r| level <= r);
            operator.ratio = match operator.row.filter(|_| !unchanged) {
                Some(row) => ratios[row],
                None => Estimate::exact(1.0),
            };
            operator.projected = operator.dense.map(|dense| dense.by(operator.ratio));
            let time = &mut types[positions[number]];
            *time = *time + operator.projected.unwrap_or_default();
        }
        let totals = totals(at_level.iter().zip(supported.iter().copied()), outside);
        Level { level, totals, types }
    };
    levels.iter().map(at).collect()
}

/// For each operator, the position of its type among the summary's.
pub fn positions(summary: &Summary) -> Vec<usize> {
    let places = summary.types.iter().enumerate();
    let places: HashMap<&str, usize> =
        places.map(|(place, known)| (known.operator_type.as_str(), place)).collect();
    let place = |name: &str| places.get(name).copied().unwrap_or_default();
    summary.operators.iter().map(|summary| place(&summary.operator.operator_type)).collect()
}
