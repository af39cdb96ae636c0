//! What profiling adds to the latency of both sides, and what that leaves open of layers.
//!
//! Where its cost is taken out of the times of operators, so much is open as that may be off.
//! In profiles of other programs, an event costs no more than the shortest operator takes.
//! Elsewhere it is known of the latency, which unprofiled iterations have without it, and not of each
//! operator: of a group it is bounded, as many executions taking as large a part of it.

use super::pooling::is_of_one_profiler;
use crate::comparison::{Compared, Group, Recording, Side};
use crate::statistics::{Interval, Summary};
use crate::units::{Milliseconds, Share};

/// Cost of profiling on both sides, and the error that it leaves in times of layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiling {
    /// The profiling overhead, of the typical latency; 0 where it is not measurable.
    pub costs: [Milliseconds; 2],
    /// Intervals of the costs; unbounded where there are none.
    ends: [Interval; 2],
    /// Executions per iteration, by side and operator.
    executions: [Vec<f64>; 2],
    /// Error of the time of an execution due to profiling, by side, in nanoseconds.
    open: [f64; 2],
    /// The cost is taken out of the times of operators on both sides.
    is_calibrated: bool,
    /// The cost is the same on both sides, and so is its error.
    is_one: bool,
}

impl Profiling {
    /// `None` if the cost of profiling is unknown on both sides.
    pub(crate) fn of(
        recordings: [&Recording; 2],
        unprofiled: Option<&Compared>,
    ) -> Option<Profiling> {
        let models = recordings.map(|recording| &recording.summary.model);
        let executions = recordings.map(|recording| executions(&recording.summary));
        let overhead = |side: usize| {
            let overhead = models[side].recording_overhead?;
            Some((overhead, unprofiled?.sides[side].typical?.0))
        };
        let overheads = overhead(0).zip(overhead(1)).map(|(a, b)| [a, b]);
        let costs = match overheads {
            None => [Milliseconds(0.0); 2],
            Some(both) => both.map(|(overhead, latency)| {
                Milliseconds(overhead.measured().unwrap_or(0.0) * latency)
            }),
        };
        let open = [0, 1].map(|side| {
            let all: f64 = executions[side].iter().sum();
            // Per execution: how far a cost that was taken out may be off; what an event of ONNX
            // Runtime's profile costs at most; else the whole overhead, spread evenly.
            match (models[side].profiling_cost(), &models[side].profiling_bound) {
                (Some(cost), _) => Some(cost.reach),
                (None, Some(bound)) => Some(bound.most),
                (None, None) => {
                    overheads.filter(|_| all > 0.0)?;
                    // A negative overhead is noise: profiling never makes an execution faster.
                    Some(costs[side].0.max(0.0) * 1e6 / all)
                }
            }
        });
        if open == [None, None] {
            return None;
        }
        let ends = [0, 1].map(|side| {
            let (overhead, latency) = overheads?[side];
            let Interval { low, high } = overhead.interval?;
            Some(Interval { low: low * latency, high: high * latency })
        });
        Some(Profiling {
            costs,
            ends: ends.map(|ends| ends.unwrap_or(ANYTHING)),
            executions,
            open: open.map(|open| open.unwrap_or(0.0)),
            is_calibrated: models.iter().all(|model| model.is_calibrated),
            is_one: is_one(recordings),
        })
    }

    /// Difference of a group's times that profiling alone may cause, in nanoseconds. One cost
    /// cancels where both sides execute the same number of operators of one type; costs that were
    /// taken out separately may both be off.
    pub(crate) fn of_group(&self, group: &Group, types: [&str; 2]) -> f64 {
        let [a, b] = [Side::A, Side::B].map(|side| self.of_side(group, side));
        let is_alike =
            types[0] == types[1] && group.members(Side::A).len() == group.members(Side::B).len();
        match (self.is_one, self.is_calibrated) {
            (true, _) if is_alike => (a - b).abs(),
            (false, true) => a + b,
            _ => a.max(b),
        }
    }

    /// Error of a group's time on a side, in nanoseconds, where the cost is taken out of it;
    /// otherwise 0.
    pub(crate) fn most_of_group(&self, group: &Group) -> f64 {
        let of = |side| self.of_side(group, side);
        if self.is_calibrated { of(Side::A).max(of(Side::B)) } else { 0.0 }
    }

    fn of_side(&self, group: &Group, side: Side) -> f64 {
        let executions = &self.executions[side as usize];
        let members = group.members(side).iter();
        let own = members.filter_map(|member| executions.get(member.operator as usize));
        // Reaches are systematic and add up over executions; they do not average out.
        own.sum::<f64>() * self.open[side as usize]
    }

    /// Its error over all layers is more than the latencies differ by, and more than `threshold` of
    /// A: layers cannot explain the difference.
    pub(crate) fn hides(&self, unprofiled: &Compared, threshold: Share) -> bool {
        let difference = unprofiled.change.difference.map_or(0.0, |difference| difference.0.abs());
        let least = unprofiled.sides[0].typical.map_or(0.0, |latency| latency.0 * threshold.0);
        if !self.is_calibrated {
            // For sure more than half of what the latencies differ by.
            let [a, b] = self.ends;
            let more = (b.low - a.high).max(a.low - b.high);
            return more > (difference * MOST_HIDDEN).max(least);
        }
        self.open_of_all().0 > difference.max(least)
    }

    /// Error of the difference of all layers, where the cost is taken out of their times.
    pub fn reach(&self) -> Option<Milliseconds> {
        self.is_calibrated.then(|| self.open_of_all())
    }

    fn open_of_all(&self) -> Milliseconds {
        let [a, b] = self.executions.each_ref().map(|executions| executions.iter().sum::<f64>());
        let [open_a, open_b] = self.open;
        Milliseconds::from_nanoseconds(match self.is_one {
            // One error for both sides cancels as far as they execute the same number.
            true => (a * open_a - b * open_b).abs(),
            false => a * open_a + b * open_b,
        })
    }
}

/// An event costs the same on both sides: costs that were taken out, if they were pooled; costs
/// that are still in the times, in one library.
fn is_one([a, b]: [&Recording; 2]) -> bool {
    let of = |recording: &Recording| {
        let run = &recording.summary.run;
        (run.engine.clone(), run.engine_version.clone())
    };
    match [a, b].map(|recording| recording.summary.model.is_calibrated) {
        [true, true] => is_of_one_profiler(&a.summary, &b.summary),
        [false, false] => of(a) == of(b),
        _ => false,
    }
}

fn executions(summary: &Summary) -> Vec<f64> {
    summary.operators.iter().map(|operator| operator.executions.unwrap_or(0.0)).collect()
}

const ANYTHING: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
/// Part of the difference of the latencies that profiling may differ by at most.
const MOST_HIDDEN: f64 = 0.5;
