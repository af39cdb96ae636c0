//! Sums of costs that may be unknown in part.

use onnxray_format::Operator;
use serde::Serialize;

/// A sum, and how many terms are missing from it because they are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PartialSum {
    pub known: f64,
    pub unknown: u64,
}

impl PartialSum {
    pub fn add(&mut self, term: Option<f64>) {
        match term {
            Some(term) => self.known += term,
            None => self.unknown += 1,
        }
    }

    /// The sum, if no term is missing.
    pub fn whole(&self) -> Option<f64> {
        (self.unknown == 0).then_some(self.known)
    }
}

impl FromIterator<Option<f64>> for PartialSum {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(terms: I) -> PartialSum {
        let mut sum = PartialSum::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}

/// The FLOPS profile: what a model costs in theory, without a measurement.
#[derive(Clone, Debug)]
pub struct FlopsProfile {
    pub operators: Vec<Operator>,
    pub types: Vec<TypeCost>,
    /// Operations of one iteration.
    pub flops: PartialSum,
    pub bytes: PartialSum,
}

/// The cost of all operators of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeCost {
    pub operator_type: String,
    /// Number of its first operator.
    pub first: u32,
    pub operators: u64,
    /// Executions per iteration; `None` if one of them is unknown.
    pub executions: Option<f64>,
    pub flops: PartialSum,
    pub bytes: PartialSum,
}

/// Adds up the costs of a table of operators.
pub fn flops_profile(operators: Vec<Operator>) -> FlopsProfile {
    let mut types: Vec<TypeCost> = Vec::new();
    for operator in &operators {
        let position = types.iter().position(|t| t.operator_type == operator.operator_type);
        let position = position.unwrap_or_else(|| {
            types.push(TypeCost {
                operator_type: operator.operator_type.clone(),
                first: operator.number,
                operators: 0,
                executions: Some(0.0),
                flops: PartialSum::default(),
                bytes: PartialSum::default(),
            });
            types.len() - 1
        });
        let executions = operator.executions.map(|executions| executions as f64);
        let cost = &mut types[position];
        cost.operators += 1;
        cost.executions = cost.executions.zip(executions).map(|(sum, more)| sum + more);
        cost.flops.add(per_iteration(operator.flops, executions));
        cost.bytes.add(per_iteration(operator.bytes, executions));
    }
    types.sort_by(|a, b| b.flops.known.total_cmp(&a.flops.known));
    let sum = |cost: fn(&TypeCost) -> PartialSum| {
        types.iter().map(cost).fold(PartialSum::default(), |sum, part| PartialSum {
            known: sum.known + part.known,
            unknown: sum.unknown + part.unknown,
        })
    };
    let (flops, bytes) = (sum(|cost| cost.flops), sum(|cost| cost.bytes));
    FlopsProfile { operators, types, flops, bytes }
}

/// The cost of all executions in an iteration. What costs nothing costs nothing
/// however often it runs, and so does what never runs.
pub fn per_iteration(cost: Option<u64>, executions: Option<f64>) -> Option<f64> {
    match (cost, executions) {
        (Some(0), _) | (_, Some(0.0)) => Some(0.0),
        (Some(cost), Some(executions)) => Some(cost as f64 * executions),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_costs_are_counted_and_not_summed() {
        let operator = |flops, executions| Operator {
            operator_type: "MatMul".to_string(),
            flops,
            executions,
            ..Operator::default()
        };
        let profile = flops_profile(vec![
            operator(Some(100), Some(1)),
            operator(Some(10), Some(12)),
            operator(None, Some(1)),
            operator(Some(7), None),
        ]);
        assert_eq!(profile.flops, PartialSum { known: 220.0, unknown: 2 });
        assert_eq!(profile.flops.whole(), None);
        assert_eq!(profile.types[0].executions, None);
    }
}
