//! Framework overhead: what is left of the latency beside the operators, such as dispatch and the
//! call of the engine itself.

use crate::statistics::spread::distribution::median;
use crate::statistics::spread::interval::Independent;
use crate::statistics::steady::typical::Typical;
use crate::statistics::{Interval, IterationSummary, Partition, ProfilingCost};
use crate::units::{Milliseconds, Share};

/// Wall time of typical iterations outside operators and devices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameworkOverhead {
    /// Mean time that neither operators nor devices cover, without the cost of profiling between
    /// events, if that is known.
    pub mean: Milliseconds,
    /// 95 % interval of it, in milliseconds; `None` with too few iterations.
    pub interval: Option<Interval>,
    /// Median over iterations.
    pub median: Option<Milliseconds>,
    /// The mean, of the mean that operators and it add up to.
    pub share: Option<Share>,
}

impl FrameworkOverhead {
    /// Returned with the mean that it and the operators add up to, and the interval of that. What
    /// profiling adds between events is taken out if `cost` is known, and part of the overhead
    /// otherwise. `None` if an iteration does not tell.
    pub(in crate::statistics) fn of(
        iterations: &[IterationSummary],
        typical: &Typical,
        independent: Independent,
        cost: Option<&ProfilingCost>,
    ) -> Option<(FrameworkOverhead, Milliseconds, Option<Interval>)> {
        let between = cost.map_or(0.0, |cost| cost.between * cost.outermost / 1e6);
        // A gap that is shorter than what profiling usually costs there has nothing else in it.
        let left = |i: &IterationSummary| Some((i.overhead?.milliseconds() - between).max(0.0));
        let covered = |i: &IterationSummary| {
            let of_operators = i.operators?.milliseconds() - i.concurrent?.milliseconds();
            Some(of_operators + i.devices_alone?.milliseconds())
        };
        let rows: Vec<IterationSummary> = typical.among(iterations).cloned().collect();
        let covered: Vec<f64> = rows.iter().map(covered).collect::<Option<_>>()?;
        let left: Vec<f64> = rows.iter().map(left).collect::<Option<_>>()?;
        if left.is_empty() {
            return None;
        }
        let mean_of = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        let mean = mean_of(&left);
        let whole = mean + mean_of(&covered);
        // The error of one event is the same in all of them: it adds up, and does not average out.
        let reach = cost.map_or(0.0, |cost| cost.reach * cost.events / 1e6);
        // Of the typical rows alone, so that positions are those of `left` and `covered`.
        let partition = Partition::of(&rows, independent);
        let about = |mean: f64, times: &[f64]| {
            let Interval { low, high } = partition.as_ref()?.about(mean, times)?;
            Some(Interval { low: (low - reach).max(0.0), high: high + reach })
        };
        let wholes: Vec<f64> = left.iter().zip(&covered).map(|(left, own)| left + own).collect();
        let (interval, whole_interval) = (about(mean, &left), about(whole, &wholes));
        let whole = Milliseconds(whole);
        let overhead = FrameworkOverhead {
            interval,
            median: median(&left).map(Milliseconds),
            ..FrameworkOverhead::of_mean(Milliseconds(mean), whole)
        };
        Some((overhead, whole, whole_interval))
    }

    /// With nothing known but its mean, and that of the whole that it is part of.
    pub(in crate::statistics) fn of_mean(
        mean: Milliseconds,
        whole: Milliseconds,
    ) -> FrameworkOverhead {
        let share = (whole.0 > 0.0).then(|| Share(mean.0 / whole.0));
        FrameworkOverhead { mean, interval: None, median: None, share }
    }
}
