//! How fast the model is, what profiling costs, and what is left of the latency beside operators.

use super::overhead::profiling::{ProfilingCost, take_out};
use super::spread::interval::Independent;
use super::steady::typical::{Stragglers, Typical};
use super::times::exclusive::ExclusiveTimes;
use super::{FrameworkOverhead, Interval, IterationSummary, LatencySummary, RecordingOverhead};
use crate::trace::Trace;
use crate::units::Milliseconds;
use onnxray_format::IterationKind;

/// Figures of the whole model.
pub(super) struct Whole {
    pub(super) unprofiled: Option<LatencySummary>,
    pub(super) profiled: Option<LatencySummary>,
    pub(super) recording_overhead: Option<RecordingOverhead>,
    pub(super) profiling: Option<Result<ProfilingCost, String>>,
    /// Mean wall time of typical iterations that operators and overhead add up to.
    pub(super) mean: Option<Milliseconds>,
    /// 95 % interval of that, in milliseconds.
    pub(super) mean_interval: Option<Interval>,
    pub(super) overhead: Option<FrameworkOverhead>,
    /// By kernel: what of the profiling cost was taken out of its times in typical iterations,
    /// in nanoseconds.
    pub(super) taken: Vec<u64>,
    /// Iterations that are left out of the mean, and of times of operators.
    pub(super) stragglers: Option<Stragglers>,
}

/// Bounds nothing: for an overhead without an interval.
const ANYTHING: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

impl Whole {
    /// Also takes the profiling cost, if it is known, out of `iterations` and `exclusive`.
    pub(super) fn of(
        trace: &Trace,
        independent: Independent,
        typical: &Typical,
        iterations: &mut [IterationSummary],
        exclusive: &mut ExclusiveTimes,
    ) -> Whole {
        let batch_size = trace.runs.first().and_then(|run| run.batch_size);
        let latency = |kind| LatencySummary::of(iterations, kind, independent, batch_size);
        let [unprofiled, profiled] =
            [IterationKind::Unprofiled, IterationKind::Measured].map(latency);
        // No profiler was at work: both kinds are the same runs.
        let has_blocks = trace.runs.iter().any(|run| run.blocks);
        let recording_overhead = match has_blocks {
            true => None,
            false => RecordingOverhead::of(iterations, independent),
        };
        let added = recording_overhead.zip(unprofiled).map(|(overhead, unprofiled)| {
            // A share of the latency, which is in milliseconds; costs are in nanoseconds.
            let of_share = |share: f64| share * unprofiled.times.median.0 * 1e6;
            let ends = overhead.interval.map_or(ANYTHING, |ends| Interval {
                low: of_share(ends.low),
                high: of_share(ends.high),
            });
            (of_share(overhead.share), ends)
        });
        let profiling =
            is_profiled(trace).then(|| ProfilingCost::of(trace, iterations, exclusive, added));
        let known = profiling.as_ref().and_then(|cost| cost.as_ref().ok());
        let taken = match known {
            Some(cost) => take_out(cost, trace, typical, exclusive, iterations),
            None => Vec::new(),
        };
        // After `take_out`: sums of operators are without the profiling cost from here on.
        let overhead = FrameworkOverhead::of(iterations, typical, independent, known);
        let compact = trace.compact.as_ref();
        let overhead = overhead.or_else(|| {
            let whole = Milliseconds::from_nanoseconds(compact?.mean_ns?);
            let mean = Milliseconds::from_nanoseconds(compact?.overhead_ns?);
            Some((FrameworkOverhead::of_mean(mean, whole), whole, None))
        });
        let (overhead, mean, mean_interval) = match overhead {
            Some((overhead, mean, interval)) => (Some(overhead), Some(mean), interval),
            // The overhead is unknown, and the whole is the wall time.
            None => (None, mean_of(typical.among(iterations)), None),
        };
        let stragglers = typical.stragglers;
        Whole {
            unprofiled,
            profiled,
            recording_overhead,
            profiling,
            mean,
            mean_interval,
            overhead,
            taken,
            stragglers,
        }
    }
}

fn mean_of<'a>(iterations: impl Iterator<Item = &'a IterationSummary>) -> Option<Milliseconds> {
    let times: Vec<f64> = iterations.map(|iteration| iteration.latency.milliseconds()).collect();
    (!times.is_empty()).then(|| Milliseconds(times.iter().sum::<f64>() / times.len() as f64))
}

/// True if onnxray profiled the operators, or measured the cost of their profiler later.
fn is_profiled(trace: &Trace) -> bool {
    if trace.calibrations.iter().flatten().any(|known| known.afterwards.is_some()) {
        return !trace.events.is_empty();
    }
    // Blocks are timed from outside.
    let is_ours = trace.runs.iter().all(|run| run.converted_from.is_none() && !run.blocks);
    trace.format.is_recording() && is_ours && trace.averages.is_empty() && !trace.events.is_empty()
}
