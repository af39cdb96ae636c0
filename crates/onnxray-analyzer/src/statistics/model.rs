//! Figures of the model as a whole.

use super::distribution::median;
use super::operators::Tables;
use super::{Distribution, FlopsForetell, IterationSummary, ModelSummary, OperatorSummary};
use crate::trace::Trace;
use crate::units::{Milliseconds, Share};
use onnxray_format::{Nanoseconds, Run};

pub(super) fn model(
    trace: &Trace,
    run: &Run,
    measured: &[&IterationSummary],
    tables: Tables,
    wall: Option<Nanoseconds>,
) -> ModelSummary {
    let operators = tables.operators;
    let mut latencies: Vec<u64> = measured.iter().map(|iteration| iteration.latency.0).collect();
    let latency = Distribution::of(&mut latencies);
    let sum = |part: fn(&IterationSummary) -> Option<Nanoseconds>| -> Option<Nanoseconds> {
        let parts: Option<Nanoseconds> = measured.iter().map(|iteration| part(iteration)).sum();
        parts.filter(|_| !measured.is_empty())
    };
    let spent = sum(|iteration| iteration.operators);
    let all_operators = || {
        let totals: Option<Nanoseconds> = operators.iter().map(|operator| operator.total).sum();
        totals.filter(|_| trace.averages.is_empty() && !operators.is_empty())
    };
    let overhead = sum(|iteration| iteration.overhead);
    let overheads = measured.iter().filter_map(|iteration| iteration.overhead);
    let overheads: Vec<f64> = overheads.map(|overhead| overhead.milliseconds()).collect();
    let iterations_per_second = wall.map(|wall| measured.len() as f64 / wall.seconds());
    let flops = tables.sum(|operator| operator.flops);
    let means: Option<f64> =
        operators.iter().filter(|o| o.ran()).map(|o| Some(o.mean?.0)).sum::<Option<f64>>();
    let per_second =
        wall.zip(flops.whole()).map(|(wall, flops)| flops * measured.len() as f64 / wall.0 as f64);
    ModelSummary {
        latency,
        latency_interval: None,
        plain: None,
        items_per_second: run
            .batch_size
            .zip(iterations_per_second)
            .map(|(batch, rate)| batch as f64 * rate),
        iterations_per_second,
        wall,
        operators: spent.or_else(all_operators),
        concurrent: sum(|iteration| iteration.concurrent),
        overhead,
        overhead_interval: None,
        operators_mean: means.map(Milliseconds).filter(|_| operators.iter().any(|o| o.ran())),
        overhead_median: median(&overheads).map(Milliseconds),
        overhead_share: overhead.zip(wall).and_then(|(overhead, wall)| Share::of(overhead, wall)),
        recording_overhead: None,
        flops,
        gflops_per_second: per_second.filter(|_| measured_operators(operators)),
        flops_foretell: FlopsForetell::of(operators),
        bytes: tables.sum(|operator| operator.bytes),
    }
}

/// Whether the executions of all operators are known.
fn measured_operators(operators: &[OperatorSummary]) -> bool {
    operators.iter().all(|operator| operator.executions.is_some())
}
