//! The phases of a generation, side by side.

use super::latency::decisive_kind;
use super::spread::interval::{Independent, around};
use super::{Distribution, Interval, IterationSummary, PartInterval, Partition};
use onnxray_format::Phase;

/// Figures of one phase: of unprofiled iterations, if any phase has them.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseSummary {
    /// Prefill or decode.
    pub phase: Phase,
    /// Tokens that an iteration takes, of each item of the batch.
    pub tokens: f64,
    /// The fewest and the most tokens in the cache before an iteration.
    pub cached: [u32; 2],
    /// Wall time of an iteration.
    pub latency: Distribution,
    /// 95 % interval of its median, in milliseconds; `None` with too few iterations.
    pub interval: Option<PartInterval>,
    /// Batch size times tokens by their wall time; of a batch of one where none is known.
    pub tokens_per_second: f64,
    /// 95 % interval of that.
    pub tokens_interval: Option<Interval>,
}

/// The phases of a recording, in their order. `iterations` are of all phases, by launch.
pub(super) fn phases(
    iterations: &[IterationSummary],
    independent: Independent,
    batch_size: Option<u64>,
) -> Vec<PhaseSummary> {
    let kind = decisive_kind(iterations);
    let of_phase = |phase: Phase| {
        let is_own = |iteration: &&IterationSummary| {
            iteration.kind == kind && iteration.step.is_some_and(|step| step.phase == phase)
        };
        let own: Vec<IterationSummary> = iterations.iter().filter(is_own).cloned().collect();
        let steps = || own.iter().filter_map(|iteration| iteration.step);
        let mut latencies: Vec<u64> = own.iter().map(|iteration| iteration.latency.0).collect();
        let latency = Distribution::of(&mut latencies)?;
        let count = own.len() as f64;
        let tokens = steps().map(|step| f64::from(step.tokens)).sum::<f64>() / count;
        let mean = latencies.iter().map(|&time| time as f64).sum::<f64>() / count / 1e6;
        // docs/statistics.md#phases-of-a-generation: an unknown batch size counts as 1.
        let rate =
            |milliseconds: f64| batch_size.unwrap_or(1) as f64 * tokens / (milliseconds / 1e3);
        let times: Vec<f64> = own.iter().map(|one| one.latency.milliseconds()).collect();
        let partition = Partition::of_kind(&own, kind, independent);
        // Student's t of the rates of the parts, and not the rate at the ends of the mean.
        let of_rates = partition.as_ref().map(|partition| {
            let mut sums = vec![0.0; partition.iterations.len()];
            for (time, part) in times.iter().zip(&partition.part_by_row) {
                part.iter().for_each(|&part| sums[part as usize] += time);
            }
            let means = sums.iter().zip(&partition.iterations).map(|(sum, &n)| sum / n as f64);
            around(rate(mean), &means.map(rate).collect::<Vec<_>>())
        });
        Some(PhaseSummary {
            phase,
            tokens,
            cached: [
                steps().map(|step| step.cached).min()?,
                steps().map(|step| step.cached).max()?,
            ],
            latency,
            interval: partition.and_then(|partition| partition.of_median(&times)),
            tokens_per_second: rate(mean),
            tokens_interval: of_rates,
        })
    };
    Phase::ALL.into_iter().filter_map(of_phase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Iteration, IterationKind, Nanoseconds, Step};

    fn iteration(index: u32, kind: IterationKind, step: Step, time: u64) -> IterationSummary {
        let (start, latency) = (Nanoseconds(0), Nanoseconds(time * 1_000_000));
        IterationSummary::of_time(
            0,
            0,
            Iteration { index, kind, start, duration: latency, step: Some(step) },
        )
    }

    /// Ten generations of three tokens behind a prompt of eight.
    fn generations(kind: IterationKind, prefill: u64, decode: [u64; 3]) -> Vec<IterationSummary> {
        let mut all = Vec::new();
        for _ in 0..10 {
            let step = Step { phase: Phase::Prefill, tokens: 8, cached: 0 };
            all.push(iteration(all.len() as u32, kind, step, prefill));
            for (cached, time) in (8..).zip(decode) {
                let step = Step { phase: Phase::Decode, tokens: 1, cached };
                all.push(iteration(all.len() as u32, kind, step, time));
            }
        }
        all
    }

    #[test]
    fn phases_have_latencies_and_tokens_per_second_of_their_own() {
        let mut all = generations(IterationKind::Measured, 100, [10, 10, 10]);
        all.extend(generations(IterationKind::Unprofiled, 40, [4, 5, 6]));
        let found = phases(&all, Independent::Launches, Some(2));
        let [prefill, decode] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((prefill.phase, decode.phase), (Phase::Prefill, Phase::Decode));
        assert_eq!((prefill.latency.count, decode.latency.count), (10, 30), "plain ones");
        assert_eq!((prefill.latency.median.0, decode.latency.median.0), (40.0, 5.0));
        assert_eq!((prefill.tokens, prefill.cached), (8.0, [0, 0]));
        assert_eq!((decode.tokens, decode.cached), (1.0, [8, 10]));
        // Two items: 16 tokens in 40 ms, two in 5 ms on average.
        assert!((prefill.tokens_per_second - 400.0).abs() < 1e-9);
        assert!((decode.tokens_per_second - 400.0).abs() < 1e-9);
        let interval = prefill.tokens_interval.unwrap();
        assert!((interval.low - 400.0).abs() < 1e-6 && (interval.high - 400.0).abs() < 1e-6);
        let interval = decode.tokens_interval.unwrap();
        assert!(interval.low <= 400.0 && interval.high >= 400.0);
        assert_eq!(phases(&[], Independent::Launches, None), []);
    }
}
