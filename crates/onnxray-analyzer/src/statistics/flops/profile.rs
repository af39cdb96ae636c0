//! The FLOPS profile: the tables of a recording without a measurement.

use crate::statistics::operators::{OperatorSummary, Tables, types};
use crate::statistics::times::measure::Measure;
use crate::statistics::{Liveness, ModelSummary, Summary};
use onnxray_format::{Operator, Run, fold};

/// The FLOPS profile: what a model costs in theory, from the kernels that our recorder finds in it.
/// It is the summary of a recording in which nothing ran: types are from most to least operations,
/// and what takes a run to know is unknown.
pub fn flops_profile(kernels: Vec<Operator>, run: Run) -> Summary {
    let (operators, kernels) = fold(kernels);
    let unmeasured = |table: &[Operator]| -> Vec<OperatorSummary> {
        table.iter().cloned().map(OperatorSummary::unmeasured).collect()
    };
    let mut operators = unmeasured(&operators);
    let liveness = Liveness::tell(&mut operators);
    let of_kernels = kernels.as_ref().map(|kernels| unmeasured(&kernels.table));
    let tables =
        Tables { operators: &operators, kernels: kernels.as_ref().zip(of_kernels.as_deref()) };
    let mut types = types(tables, None, Measure { iterations: 0, wall: None });
    // Nothing ran, so `types` had no time to sort by.
    types.sort_by(|a, b| b.flops.known.total_cmp(&a.flops.known));
    let flops = tables.sum(|operator| operator.flops);
    let bytes = tables.sum(|operator| operator.bytes);
    let model = ModelSummary { flops, bytes, ..ModelSummary::default() };
    Summary { run, model, types, operators, kernels: of_kernels, liveness, ..Summary::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::PartialSum;

    #[test]
    fn unknown_costs_are_counted_and_not_summed() {
        let operator = |flops, executions| Operator {
            operator_type: "MatMul".to_string(),
            flops,
            executions,
            ..Operator::default()
        };
        let kernels = vec![
            operator(Some(100), Some(1)),
            operator(Some(10), Some(12)),
            operator(None, Some(1)),
            operator(Some(7), None),
        ];
        let profile = flops_profile(kernels, Run::default());
        assert_eq!(profile.model.flops, PartialSum { known: 220.0, unknown: 2 });
        assert_eq!(profile.model.flops.whole(), None);
        assert_eq!(profile.types[0].executions, None);
    }
}
