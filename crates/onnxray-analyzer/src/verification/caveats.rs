//! What a careful reader of a verification should know.

use super::verified::{Verified, VerifiedOperator};
use crate::projection::{Outcome, Projection, RatioOrigin, engine, sizes};
use crate::statistics::Summary;
use onnxray_format::{Operator, ZeroBlocks};
use onnxray_text::{first_of, printable};

/// What the recordings differ in, and operators that are not projected as they should be.
pub(super) fn caveats(
    dense: &Summary,
    sparse: &Summary,
    projection: &Projection,
    operators: &[VerifiedOperator],
) -> Vec<String> {
    let multiply = sparse.operators.iter().filter_map(|own| match &own.operator.zero_blocks {
        Some(ZeroBlocks::Multiplied(reason)) if has_zeros(&own.operator) => {
            Some(format!("{} ({})", printable(&own.operator.name), printable(reason)))
        }
        _ => None,
    });
    let beyond = dense.operators.iter().zip(&projection.operators).filter_map(|(own, found)| {
        let is_beyond = found.outcome == Outcome::Projected
            && matches!(found.origin, Some(RatioOrigin::Above(..)));
        is_beyond.then(|| printable(&own.operator.name))
    });
    let names = |are: &dyn Fn(&Verified) -> bool| -> Vec<String> {
        let alone = operators.iter().filter(|own| are(&own.times));
        alone.map(|own| printable(&own.name)).collect()
    };
    let lists = [
        (
            "operators that multiply by their zeros, so that they are not projected: ",
            multiply.collect::<Vec<_>>(),
        ),
        (
            "operators of the dense recording alone: ",
            names(&|times| times.dense.is_some() && times.measured.is_none()),
        ),
        (
            "operators of the sparse recording alone: ",
            names(&|times| times.dense.is_none() && times.measured.is_some()),
        ),
        (
            "operators that are sparser than any perf ratio of theirs, so that the highest one is taken: ",
            beyond.collect(),
        ),
    ];
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    let lists = lists.map(|(what, names)| format!("{what}{}", first_of(&names, ", ")));
    let (a, b) = (&dense.run, &sparse.run);
    let sides = [
        (engine(&a.engine, &a.engine_version), engine(&b.engine, &b.engine_version), "engine"),
        (text(&a.cpu), text(&b.cpu), "processor"),
        (text(&a.threads), text(&b.threads), "threads"),
        (text(&a.batch_size), text(&b.batch_size), "batch size"),
        (sizes(&a.dimensions), sizes(&b.dimensions), "dimensions"),
    ];
    let differ = sides.into_iter().filter(|(a, b, _)| a != b);
    let differ: Vec<String> = differ
        .map(|(a, b, what)| format!("{what}: {} and {}", printable(&a), printable(&b)))
        .collect();
    let differ = (!differ.is_empty())
        .then(|| format!("the recordings differ in more than sparsity: {}", differ.join("; ")));
    let on = projection.measured_on.iter().filter(|_| projection.has_measured_ratios());
    let on = on.flat_map(|on| [Some(on.text()), on.other_conditions(dense)]);
    differ.into_iter().chain(lists).chain(on.flatten()).collect()
}

/// Whether pruning could have made it faster.
fn has_zeros(operator: &Operator) -> bool {
    let ratios = operator.weight.iter().flat_map(|weight| &weight.sparse_ratios);
    operator.sparse_support && ratios.filter_map(|own| own.ratio).any(|ratio| ratio >= 0.1)
}

fn text<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or("unknown".to_string(), ToString::to_string)
}
