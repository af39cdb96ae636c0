//! The time that operators and groups take on one side.

use super::pairs::typical::Typical;
use super::{Group, Recording, Side};
use crate::statistics::Timeline;
use crate::units::{Milliseconds, Share};

/// The time of a group, or of the whole, on one side. What the recording does not
/// tell is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// Number of operators; for the whole, of those with a time.
    pub operators: usize,
    /// Nanoseconds over all typical iterations: a part of the whole.
    pub sum_ns: Option<f64>,
    /// Per iteration. Means add up to the whole.
    pub mean: Option<Milliseconds>,
    /// Mean over launches of the mean over blocks of the median per iteration:
    /// what differences and ratios are of. Equal to the mean where only that is
    /// known.
    pub typical: Option<Milliseconds>,
    /// Bound of the typical time, where it is no more than the clock's steps or than what is open
    /// of its profiling cost: the time itself says nothing.
    pub below: Option<Milliseconds>,
    /// Mean, of the side's whole.
    pub share: Option<Share>,
    /// Iterations far beyond the others; counted, not dropped.
    pub outliers: Option<u64>,
}

/// Sums over typical iterations, or averages, of every operator of a side, in
/// nanoseconds.
pub(crate) struct Measured {
    /// By operator; `None` if it did not run or is unknown.
    pub sums: Vec<Option<f64>>,
    /// Medians over iterations; `None` where no single iteration is known.
    pub medians: Vec<Option<f64>>,
    /// Time of the whole that operators are parts of; their sum where there are no iterations.
    pub whole: f64,
    /// Time of the iterations in which operators were timed; equal to `whole` unless that is the
    /// latency without profiling.
    pub timed: f64,
    /// Time that no operator covers; `None` where it is the rest of the whole.
    pub overhead: Option<f64>,
    /// Excess of concurrent operators over the time that they cover.
    pub concurrent: f64,
    /// Number of iterations that sums are over; 1 for averages and for traces without iterations.
    pub iterations: f64,
    /// Sums are per iteration or over iterations, not over a whole trace.
    pub by_iteration: bool,
    pub whole_is: Whole,
    /// Share of the latency that its iterations took longer than unprofiled ones, beyond what
    /// profiling costs: other programs ran beside one kind of them only. 0 if none is sure.
    pub other_load: Share,
}

/// Kind of times that differences and ratios of layers are taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerTimes {
    /// Medians of blocks, averaged: what is tested.
    Typical,
    /// Means per iteration, where nothing else is known of a side.
    Mean,
    /// Sums over a whole trace.
    Total,
}

/// Kind of whole of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// The latency without profiling, whose cost is known and taken out of the operators.
    Latency,
    /// The wall time of iterations.
    Wall,
    /// The sum of the operators' times, because nothing else is known on one of
    /// the sides.
    Operators,
}

impl Measured {
    /// Both sides, with wholes of one kind. `unprofiled` are mean latencies without profiling, over
    /// typical iterations.
    pub(crate) fn both(
        recordings: [&Recording; 2],
        typical: &Typical,
        unprofiled: Option<[Option<Milliseconds>; 2]>,
    ) -> [Measured; 2] {
        let timelines = typical.timelines.each_ref().map(Option::as_ref);
        let mut sides = [0, 1].map(|side| Measured::of(recordings[side], timelines[side]));
        // A whole of one kind on both sides: a wall time next to a sum of operators would show
        // overhead as a difference.
        if sides.iter().any(|side| side.whole_is == Whole::Operators) {
            for side in &mut sides {
                side.whole_is = Whole::Operators;
                side.whole = side.sums.iter().flatten().fold(0.0, |sum, time| sum + time);
                side.timed = side.whole;
            }
        } else if let Some(latencies) = latencies(recordings, unprofiled) {
            for ((side, latency), recording) in sides.iter_mut().zip(latencies).zip(recordings) {
                side.other_load = side.other_load(latency, recording);
            }
            // Operators that ran beside something else are not parts of a latency that did not: what
            // they leave of it is not overhead.
            if sides.iter().all(|side| side.other_load.0 == 0.0) {
                for (side, latency) in sides.iter_mut().zip(latencies) {
                    side.whole_is = Whole::Latency;
                    side.whole = latency.0 * 1e6 * side.iterations;
                    side.overhead = None;
                }
            }
        }
        sides
    }

    /// Sums are over the timeline's iterations, where it has times of operators.
    fn of(recording: &Recording, timeline: Option<&Timeline>) -> Measured {
        let summary = &recording.summary;
        let medians = summary.operators.iter().map(|operator| operator.median);
        let medians = medians.map(|median| median.map(|median| median.0 * 1e6)).collect();
        if let Some(timeline) = timeline.filter(|timeline| timeline.tells_operators()) {
            // What profiling costs inside of events is time of no operator.
            let overhead = timeline.overhead.as_deref();
            let overhead = overhead.map(|times| sum(times) + sum(&timeline.profiling));
            return Measured {
                sums: timeline.sums(summary.operators.len()),
                medians,
                whole: timeline.wall().0 as f64,
                timed: timeline.wall().0 as f64,
                overhead,
                concurrent: sum(&timeline.concurrent),
                iterations: timeline.latencies.len() as f64,
                by_iteration: true,
                other_load: Share(0.0),
                whole_is: if overhead.is_some() { Whole::Wall } else { Whole::Operators },
            };
        }
        let by_iteration = summary.operators.iter().any(|operator| operator.mean.is_some());
        let sums: Vec<Option<f64>> = summary
            .operators
            .iter()
            .map(|operator| match by_iteration {
                true => operator.mean.map(|mean| mean.0 * 1e6),
                false => operator.total.map(|total| total.0 as f64),
            })
            .collect();
        let latency =
            summary.model.profiled.filter(|_| by_iteration).map(|known| known.times.mean.0 * 1e6);
        // The same iterations as those that are tested.
        let steady = timeline.map(|timeline| timeline.mean());
        let latency = latency.map(|all| steady.unwrap_or(all));
        let sums_only = summary.run.iterations_are_sums;
        let iterations = summary.model.typical_iterations().filter(|&count| count > 0);
        let concurrent = summary.model.concurrent.zip(iterations);
        let concurrent = concurrent.map(|(sum, iterations)| sum.0 as f64 / iterations as f64);
        let (whole, whole_is) = match latency.filter(|_| !sums_only) {
            Some(latency) => (latency, Whole::Wall),
            None => (0.0, Whole::Operators),
        };
        Measured {
            sums,
            medians,
            whole,
            timed: whole,
            overhead: None,
            concurrent: concurrent.unwrap_or(0.0),
            iterations: 1.0,
            by_iteration,
            whole_is,
            other_load: Share(0.0),
        }
    }

    /// By how much of the latency operators take longer than all of it, or, below 0, leave more of
    /// it than the time that no operator covers in their own iterations. 0 up to [`LIKE_LOAD`] and
    /// the error of the profiling cost.
    fn other_load(&self, latency: Milliseconds, recording: &Recording) -> Share {
        let latency = latency.0 * 1e6;
        let cost = recording.summary.model.profiling_cost();
        let open = LIKE_LOAD * latency + cost.map_or(0.0, |cost| cost.reach * cost.events);
        let operators: f64 = self.sums.iter().flatten().sum();
        let covered = (operators - self.concurrent) / self.iterations;
        let gaps = self.overhead.map(|overhead| overhead / self.iterations);
        let (longer, shorter) = (covered - latency, gaps.map(|gaps| latency - covered - gaps));
        Share(match shorter {
            _ if longer > open => longer / latency,
            Some(shorter) if shorter > open => -shorter / latency,
            _ => 0.0,
        })
    }

    /// Sum of several operators; `None` if all are unknown.
    pub(crate) fn sum(&self, operators: impl Iterator<Item = u32>) -> Option<f64> {
        operators.filter_map(|number| *self.sums.get(number as usize)?).reduce(|a, b| a + b)
    }

    /// The operator that takes most time; the first if no time is known. By medians where there are
    /// any, so that a single slow iteration does not rename a group.
    pub(crate) fn largest(&self, operators: &[u32]) -> Option<u32> {
        let known =
            |times: &[Option<f64>], number: u32| times.get(number as usize).copied().flatten();
        let times = match operators.iter().any(|&number| known(&self.medians, number).is_some()) {
            true => &self.medians,
            false => &self.sums,
        };
        // Below any time, so that an unknown operator never stands for the group.
        let time = |number: u32| known(times, number).unwrap_or(-1.0);
        operators.iter().copied().reduce(|a, b| if time(b) > time(a) { b } else { a })
    }

    pub(crate) fn mean(&self, sum: f64) -> Milliseconds {
        Milliseconds::from_nanoseconds(sum / self.iterations)
    }

    /// Timing of a group by sums and means.
    pub(crate) fn timing(&self, group: &Group, side: Side) -> Timing {
        let members = group.members(side);
        let sum = self.sum(members.iter().map(|member| member.operator));
        let mean = sum.map(|sum| self.mean(sum));
        Timing {
            operators: members.len(),
            sum_ns: sum,
            mean,
            typical: mean,
            below: None,
            share: sum.filter(|_| self.whole > 0.0).map(|sum| Share(sum / self.whole)),
            outliers: None,
        }
    }
}

/// Share of the latency that profiled and unprofiled iterations differ by without another load,
/// beside the profiling cost: caches are colder in one kind of them.
const LIKE_LOAD: f64 = 0.1;

/// Mean latencies that operators and framework overhead add up to, where both sides know what
/// profiling costs.
fn latencies(
    recordings: [&Recording; 2],
    unprofiled: Option<[Option<Milliseconds>; 2]>,
) -> Option<[Milliseconds; 2]> {
    let models = recordings.map(|recording| &recording.summary.model);
    if !models.iter().all(|model| model.is_calibrated && model.unprofiled.is_some()) {
        return None;
    }
    let [a, b] = [0, 1].map(|side| match unprofiled {
        Some(unprofiled) => unprofiled[side],
        None => models[side].unprofiled.map(|unprofiled| unprofiled.times.mean),
    });
    Some([a?, b?])
}

fn sum(times: &[u64]) -> f64 {
    times.iter().map(|&time| time as f64).sum()
}
