//! The FLOPS profile: the tables of a recording without a measurement.

use super::cost::PartialSum;
use super::measure::Measure;
use super::operators::{OperatorSummary, Tables, TypeSummary, types};
use super::{ModelSummary, Summary};
use onnxray_format::{Kernels, Operator, Run, fold};

/// The FLOPS profile: what a model costs in theory, without a measurement.
#[derive(Clone, Debug)]
pub struct FlopsProfile {
    /// In the order of execution.
    pub operators: Vec<Operator>,
    /// What they are made of; `None` where every operator is one kernel.
    pub kernels: Option<Kernels>,
    /// From most to least operations; without times.
    pub types: Vec<TypeSummary>,
    /// Operations of one iteration.
    pub flops: PartialSum,
    /// Bytes read and written in one iteration.
    pub bytes: PartialSum,
}

impl FlopsProfile {
    /// The same as a recording in which nothing ran: what takes a run to know is unknown.
    pub(crate) fn unmeasured(&self, run: &Run) -> Summary {
        let operators = |table: &[Operator]| -> Vec<OperatorSummary> {
            table.iter().cloned().map(OperatorSummary::unmeasured).collect()
        };
        Summary {
            run: run.clone(),
            model: ModelSummary { flops: self.flops, bytes: self.bytes, ..ModelSummary::default() },
            types: self.types.clone(),
            operators: operators(&self.operators),
            kernels: self.kernels.as_ref().map(|kernels| operators(&kernels.table)),
            ..Summary::default()
        }
    }

    /// What the operators are made of, in the order of execution.
    pub fn kernels(&self) -> &[Operator] {
        self.kernels.as_ref().map_or(&self.operators, |kernels| &kernels.table)
    }
}

/// Adds up the costs of the kernels that our recorder finds in a model.
pub fn flops_profile(kernels: Vec<Operator>) -> FlopsProfile {
    let (operators, kernels) = fold(kernels);
    let unmeasured = |table: &[Operator]| -> Vec<OperatorSummary> {
        table.iter().cloned().map(OperatorSummary::unmeasured).collect()
    };
    let summaries = unmeasured(&operators);
    let of_kernels = kernels.as_ref().map(|kernels| unmeasured(&kernels.table));
    let tables =
        Tables { operators: &summaries, kernels: kernels.as_ref().zip(of_kernels.as_deref()) };
    let mut types = types(tables, None, Measure { iterations: 0, wall: None });
    types.sort_by(|a, b| b.flops.known.total_cmp(&a.flops.known));
    let flops = tables.sum(|operator| operator.flops);
    let bytes = tables.sum(|operator| operator.bytes);
    FlopsProfile { operators, kernels, types, flops, bytes }
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
