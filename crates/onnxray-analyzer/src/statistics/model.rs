//! Figures of the model as a whole.

use super::device_time::DeviceTime;
use super::operators::Tables;
use super::times::measure::Measure;
use super::whole::Whole;
use super::{FlopsCorrelation, IterationSummary, ModelSummary, OperatorSummary};
use crate::trace::Trace;
use crate::units::Milliseconds;
use onnxray_format::Nanoseconds;

pub(super) fn model(
    trace: &Trace,
    typical: &[&IterationSummary],
    measure: Measure,
    tables: Tables,
    whole: Whole,
) -> ModelSummary {
    let operators = tables.operators;
    let sum = |part: fn(&IterationSummary) -> Option<Nanoseconds>| -> Option<Nanoseconds> {
        // One iteration that does not tell leaves the sum unknown.
        let parts: Option<Nanoseconds> = typical.iter().map(|iteration| part(iteration)).sum();
        parts.filter(|_| !typical.is_empty())
    };
    let in_iterations = sum(|iteration| iteration.operators);
    // Averages are per iteration: they have no sum over the trace.
    let all_operators = || {
        let totals: Option<Nanoseconds> = operators.iter().map(|operator| operator.total).sum();
        totals.filter(|_| trace.averages.is_empty() && !operators.is_empty())
    };
    let flops = tables.sum(|operator| operator.flops);
    let means: Option<f64> =
        operators.iter().filter(|o| o.ran()).map(|o| Some(o.mean?.0)).sum::<Option<f64>>();
    let Whole {
        unprofiled,
        profiled,
        recording_overhead,
        profiling,
        mean,
        mean_interval,
        overhead,
        stragglers,
        ..
    } = whole;
    let mut afterwards = trace.calibrations.iter().flatten().filter_map(|c| c.afterwards.clone());
    // With unprofiled iterations alone, no operator is known whose FLOPs could be divided.
    let latency = unprofiled.or(profiled).filter(|_| profiled.is_some());
    let per_second = latency.zip(flops.whole());
    let per_second = per_second.map(|(latency, flops)| flops / latency.times.median.0 / 1e6);
    ModelSummary {
        unprofiled,
        profiled,
        device: DeviceTime::sum(operators.iter().map(|operator| operator.device), measure),
        stragglers,
        operators: in_iterations.or_else(all_operators),
        concurrent: sum(|iteration| iteration.concurrent).or_else(|| {
            let mean = trace.compact.as_ref()?.concurrent_ns?;
            Some(Nanoseconds((mean * typical.len() as f64).round() as u64))
        }),
        devices_alone: sum(|iteration| iteration.devices_alone),
        operators_mean: means.map(Milliseconds).filter(|_| operators.iter().any(|o| o.ran())),
        overhead,
        whole: mean,
        whole_interval: mean_interval,
        profiling_bound: None,
        calibrated_afterwards: afterwards.next().filter(|_| matches!(profiling, Some(Ok(_)))),
        is_calibrated: matches!(profiling, Some(Ok(_)))
            || trace.compact.as_ref().is_some_and(|compact| compact.is_calibrated),
        profiling,
        recording_overhead,
        flops,
        gflops_per_second: per_second.filter(|_| measured_operators(operators)),
        flops_correlation: FlopsCorrelation::of(operators),
        bytes: tables.sum(|operator| operator.bytes),
    }
}

/// True if the executions of all operators are known.
fn measured_operators(operators: &[OperatorSummary]) -> bool {
    operators.iter().all(|operator| operator.executions.is_some())
}
