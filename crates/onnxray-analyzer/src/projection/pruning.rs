//! The weights of a projection, and how far each is to be pruned in the model itself.

use super::operator::Outcome;
use super::projected::Projection;
use crate::statistics::Summary;
use onnxray_format::{Operator, Weight};

/// A weight of an operator.
#[derive(Clone, Debug)]
pub struct Pruning<'a> {
    /// The operator.
    pub operator: &'a Operator,
    /// Its weight.
    pub weight: &'a Weight,
    /// The target, from 0 to 1, or why a target changes nothing.
    pub level: Result<f64, Outcome>,
}

/// Every operator with a weight, in the order of the summary.
pub fn prunings<'a>(summary: &'a Summary, projection: &Projection) -> Vec<Pruning<'a>> {
    let operators = summary.operators.iter().zip(&projection.operators);
    let pruning = operators.filter_map(|(summary, projected)| {
        let operator = &summary.operator;
        let weight = operator.weight.as_ref()?;
        let target = projected.target.map(|target| target.level);
        Some(Pruning { operator, weight, level: target.ok_or(projected.outcome) })
    });
    pruning.collect()
}
