//! Framework overhead: what is left of the latency beside the operators, such as dispatch and the
//! call of the engine itself.

use super::distribution::median;
use super::interval::Independent;
use super::{Distribution, Interval, IterationSummary, Partition, ProfilingCost};
use crate::units::{Milliseconds, Share};
use onnxray_format::IterationKind;

/// What is left of the latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameworkOverhead {
    /// Mean latency less the mean time that operators cover. Below 0 where chance, or what
    /// profiling costs, is larger than it.
    pub mean: Milliseconds,
    /// 95 % interval of it, in milliseconds; `None` with too few iterations.
    pub interval: Option<Interval>,
    /// Median over iterations.
    pub median: Option<Milliseconds>,
    /// The mean, of the mean latency.
    pub share: Option<Share>,
}

/// By measured iteration: its latency, and what operators cover of it, in milliseconds.
struct Books {
    rows: Vec<IterationSummary>,
    left: Vec<f64>,
}

impl FrameworkOverhead {
    /// Whether operators take longer than the latency, for sure.
    pub fn is_impossible(&self) -> bool {
        self.interval.is_some_and(|ends| ends.high < 0.0)
    }

    /// Of instrumented iterations, as they are. `None` if one of them does not tell.
    pub(super) fn of_profiled(
        iterations: &[IterationSummary],
        independent: Independent,
        latency: Distribution,
    ) -> Option<FrameworkOverhead> {
        let measured = || iterations.iter().filter(|i| i.kind == IterationKind::Measured);
        // What profiling costs, as far as it was taken out of operators, is part of this latency.
        let profiling = |i: &IterationSummary| i.profiling.map_or(0.0, |time| time.milliseconds());
        let left = measured().map(|i| Some(i.overhead?.milliseconds() + profiling(i)));
        let left: Vec<f64> = left.collect::<Option<_>>()?;
        if left.is_empty() {
            return None;
        }
        let mean = left.iter().sum::<f64>() / left.len() as f64;
        let books = Books { rows: measured().cloned().collect(), left };
        let closed = books.close(mean, 0.0, independent, latency)?;
        // Times that no operator covers are never below 0.
        let interval = closed.interval.map(|ends| Interval { low: ends.low.max(0.0), ..ends });
        Some(FrameworkOverhead { interval, ..closed })
    }

    /// Of the latency of unprofiled iterations, each with the instrumented one that it took turns
    /// with, and of the times of operators without what profiling `cost`.
    pub(super) fn of_plain(
        iterations: &[IterationSummary],
        independent: Independent,
        latency: Distribution,
        cost: &ProfilingCost,
    ) -> Option<FrameworkOverhead> {
        let covered =
            |i: &IterationSummary| Some(i.operators?.milliseconds() - i.concurrent?.milliseconds());
        let measured = iterations.iter().filter(|i| i.kind == IterationKind::Measured);
        let of_all: Vec<f64> = measured.map(covered).collect::<Option<_>>()?;
        if of_all.is_empty() {
            return None;
        }
        let mean = latency.mean.0 - of_all.iter().sum::<f64>() / of_all.len() as f64;
        let mut books = Books { rows: Vec::new(), left: Vec::new() };
        for launch in iterations.chunk_by(|a, b| a.position == b.position) {
            let of_kind = |kind| launch.iter().filter(move |i| i.kind == kind);
            let pairs = of_kind(IterationKind::Measured).zip(of_kind(IterationKind::Plain));
            for (profiled, plain) in pairs {
                books.left.push(plain.latency.milliseconds() - covered(profiled)?);
                books.rows.push(profiled.clone());
            }
        }
        let reach = cost.reach * cost.events / 1e6;
        books.close(mean, reach, independent, latency)
    }
}

impl Books {
    /// `reach` is by how much the mean may be off beside chance.
    fn close(
        self,
        mean: f64,
        reach: f64,
        independent: Independent,
        latency: Distribution,
    ) -> Option<FrameworkOverhead> {
        let partition = Partition::of(&self.rows, independent);
        let interval = partition.and_then(|partition| {
            let Interval { low, high } = partition.about(mean, &self.left)?;
            Some(Interval { low: low - reach, high: high + reach })
        });
        Some(FrameworkOverhead {
            mean: Milliseconds(mean),
            interval,
            median: median(&self.left).map(Milliseconds),
            share: (latency.mean.0 > 0.0).then(|| Share(mean / latency.mean.0)),
        })
    }
}
