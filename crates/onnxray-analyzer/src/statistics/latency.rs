//! How fast the model is: the latency and throughput of unprofiled iterations, or, profiled, of
//! measured ones.

use super::spread::interval::Independent;
use super::{Distribution, IterationSummary, PartInterval, Partition};
use onnxray_format::IterationKind;

/// Latency and throughput by the iterations of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatencySummary {
    /// Wall time of an iteration.
    pub times: Distribution,
    /// 95 % interval of its median, in milliseconds; `None` with too few iterations.
    pub interval: Option<PartInterval>,
    /// 1 / median latency.
    pub iterations_per_second: f64,
    /// Batch size times that; `None` if the batch size is unknown.
    pub items_per_second: Option<f64>,
}

/// The kind that the latency is of: unprofiled, or measured where there are none.
pub(super) fn decisive_kind(iterations: &[IterationSummary]) -> IterationKind {
    match iterations.iter().any(|iteration| iteration.kind == IterationKind::Unprofiled) {
        true => IterationKind::Unprofiled,
        false => IterationKind::Measured,
    }
}

impl LatencySummary {
    /// `None` without iterations of that kind. Launches that are not independent of each other
    /// are not parts of an interval.
    pub(super) fn of(
        iterations: &[IterationSummary],
        kind: IterationKind,
        independent: Independent,
        batch_size: Option<u64>,
    ) -> Option<LatencySummary> {
        let of_kind = iterations.iter().filter(|i| i.kind == kind);
        let mut all: Vec<u64> = of_kind.map(|iteration| iteration.latency.0).collect();
        let times = Distribution::of(&mut all)?;
        let iterations_per_second = 1e3 / times.median.0;
        let partition = Partition::of_kind(iterations, kind, independent);
        let of_rows: Vec<f64> = iterations.iter().map(|i| i.latency.milliseconds()).collect();
        Some(LatencySummary {
            times,
            interval: partition.and_then(|partition| partition.of_median(&of_rows)),
            iterations_per_second,
            items_per_second: batch_size.map(|batch| batch as f64 * iterations_per_second),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Iteration, Nanoseconds};

    #[test]
    fn unprofiled_iterations_are_told_from_measured_ones() {
        let iteration = |position: u32, index: u32, kind, milliseconds: u64| {
            IterationSummary::of_time(
                position,
                position,
                Iteration {
                    index,
                    kind,
                    start: Nanoseconds(0),
                    duration: Nanoseconds(milliseconds * 1_000_000),
                    step: None,
                },
            )
        };
        let mut iterations = Vec::new();
        for (launch, times) in [[10, 11, 99], [20, 21, 22], [8, 31, 32]].iter().enumerate() {
            for (index, &time) in times.iter().enumerate() {
                let (launch, index) = (launch as u32, index as u32);
                iterations.push(iteration(launch, index, IterationKind::Measured, 500));
                iterations.push(iteration(launch, index, IterationKind::Unprofiled, time));
            }
        }
        let of_unprofiled = |iterations: &[IterationSummary], batch_size| {
            let independent = Independent::Launches;
            LatencySummary::of(iterations, IterationKind::Unprofiled, independent, batch_size)
        };
        let found = of_unprofiled(&iterations, Some(4)).unwrap();
        assert_eq!((found.times.count, found.times.median.0), (9, 21.0));
        assert!((found.iterations_per_second - 1e3 / 21.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.items_per_second, Some(4.0 * found.iterations_per_second));
        // Medians of launches are 11, 21 and 31: their mean is off by 10 / sqrt(3).
        let reach = 4.302_652_729_911_275 * 10.0 / 3.0f64.sqrt();
        let high = found.interval.unwrap().interval.high;
        assert!((high - (21.0 + reach)).abs() < 1e-6, "{found:?}");
        iterations.retain(|iteration| iteration.kind == IterationKind::Measured);
        assert_eq!(of_unprofiled(&iterations, None), None);
    }
}
