//! What profiling adds to the latency of both sides, and what that leaves open of layers.
//!
//! Where its cost is taken out of the times of operators, so much is open as that may be off.
//! Elsewhere it is known of the latency, which plain iterations have without it, and not of each
//! operator: of a group it is bounded, as many executions taking as large a part of it.

use super::{Compared, Group, Recording, Side};
use crate::statistics::{Interval, Summary};
use crate::units::{Milliseconds, Share};

/// Of both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiling {
    /// The profiling overhead, of the typical latency; 0 where it is not measurable.
    pub costs: [Milliseconds; 2],
    /// Ends of these; anything where there is no interval.
    ends: [Interval; 2],
    /// By side and operator: its executions per iteration.
    executions: [Vec<f64>; 2],
    /// By side, for an execution, in nanoseconds: what its time may hold of profiling, or may
    /// lack.
    open: [f64; 2],
    /// Whether the cost is taken out of the times of operators on both sides.
    is_calibrated: bool,
}

impl Profiling {
    /// `None` if a side has no latency, or none without profiling.
    pub(crate) fn of(recordings: [&Recording; 2], plain: &Compared) -> Option<Profiling> {
        let overhead = |side: usize| {
            let overhead = recordings[side].summary.model.recording_overhead?;
            Some((overhead, plain.sides[side].typical?.0))
        };
        let both = [overhead(0)?, overhead(1)?];
        let executions = recordings.map(|recording| executions(&recording.summary));
        let costs = both
            .map(|(overhead, latency)| Milliseconds(overhead.measured().unwrap_or(0.0) * latency));
        let costs_known = recordings.map(|recording| recording.summary.model.profiling_cost());
        let open = [0, 1].map(|side| match costs_known[side] {
            Some(cost) => cost.reach,
            None => {
                let all: f64 = executions[side].iter().sum();
                if all > 0.0 { costs[side].0.max(0.0) * 1e6 / all } else { 0.0 }
            }
        });
        let unknown = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        Some(Profiling {
            costs,
            ends: both.map(|(overhead, latency)| {
                let ends = |ends: Interval| Interval {
                    low: ends.low * latency,
                    high: ends.high * latency,
                };
                overhead.interval.map_or(unknown, ends)
            }),
            executions,
            open,
            is_calibrated: costs_known.iter().all(Option::is_some),
        })
    }

    /// By how much the times of a group may differ because of it, in nanoseconds. Where both
    /// sides execute as much of the same type, it falls on both alike.
    pub(crate) fn of_group(&self, group: &Group, types: [&str; 2]) -> f64 {
        let [a, b] = [Side::A, Side::B].map(|side| {
            let executions = &self.executions[side as usize];
            let members = group.members(side).iter();
            let own = members.filter_map(|member| executions.get(member.operator as usize));
            own.sum::<f64>() * self.open[side as usize]
        });
        let is_alike =
            types[0] == types[1] && group.members(Side::A).len() == group.members(Side::B).len();
        if is_alike { (a - b).abs() } else { a.max(b) }
    }

    /// Whether what it leaves open of all layers is more than the latencies differ by, and more
    /// than `threshold` of A: then layers cannot explain the difference.
    pub(crate) fn hides(&self, plain: &Compared, threshold: Share) -> bool {
        let difference = plain.change.difference.map_or(0.0, |difference| difference.0.abs());
        let least = plain.sides[0].typical.map_or(0.0, |latency| latency.0 * threshold.0);
        if !self.is_calibrated {
            // For sure more than half of what the latencies differ by.
            let [a, b] = self.ends;
            let more = (b.low - a.high).max(a.low - b.high);
            return more > (difference * MOST_HIDDEN).max(least);
        }
        // What one execution may be off by is much the same on both sides.
        let [a, b] = self.executions.each_ref().map(|executions| executions.iter().sum::<f64>());
        let [open_a, open_b] = self.open;
        let open = (a - b).abs() * open_a.max(open_b) + (open_a - open_b).abs() * a.min(b);
        open / 1e6 > difference.max(least)
    }
}

fn executions(summary: &Summary) -> Vec<f64> {
    summary.operators.iter().map(|operator| operator.executions.unwrap_or(0.0)).collect()
}

/// Of the difference of the latencies.
const MOST_HIDDEN: f64 = 0.5;
