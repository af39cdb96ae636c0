//! What profiling adds to the latency of both sides, and what that leaves open of layers.
//!
//! It is known of the latency, which plain iterations have without it, and not of each operator.
//! So of a group it is bounded: as many executions take as large a part of it.

use super::{Compared, Group, Recording, Side};
use crate::statistics::Interval;
use crate::units::{Milliseconds, Share};

/// Of both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiling {
    /// The overhead of recording, of the typical latency; 0 where it is not measurable.
    pub costs: [Milliseconds; 2],
    /// Ends of these; anything where there is no interval.
    ends: [Interval; 2],
    /// By side and operator: its part of all executions.
    parts: [Vec<f64>; 2],
}

impl Profiling {
    /// `None` if a side has no latency, or none without profiling.
    pub(crate) fn of(recordings: [&Recording; 2], plain: &Compared) -> Option<Profiling> {
        let overhead = |side: usize| {
            let overhead = recordings[side].summary.model.recording_overhead?;
            Some((overhead, plain.sides[side].typical?.0))
        };
        let both = [overhead(0)?, overhead(1)?];
        let parts = recordings.map(|recording| {
            let executions =
                recording.summary.operators.iter().map(|o| o.executions.unwrap_or(0.0));
            let executions: Vec<f64> = executions.collect();
            let all: f64 = executions.iter().sum();
            executions.into_iter().map(|own| if all > 0.0 { own / all } else { 0.0 }).collect()
        });
        let unknown = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        Some(Profiling {
            costs: both.map(|(overhead, latency)| {
                Milliseconds(overhead.measured().unwrap_or(0.0) * latency)
            }),
            ends: both.map(|(overhead, latency)| {
                let ends = |ends: Interval| Interval {
                    low: ends.low * latency,
                    high: ends.high * latency,
                };
                overhead.interval.map_or(unknown, ends)
            }),
            parts,
        })
    }

    /// By how much the times of a group may differ because of it, in nanoseconds. Where both
    /// sides execute as much of the same type, it falls on both alike.
    pub(crate) fn of_group(&self, group: &Group, types: [&str; 2]) -> f64 {
        let [a, b] = [Side::A, Side::B].map(|side| {
            let parts = &self.parts[side as usize];
            let members = group.members(side).iter();
            let part: f64 = members.filter_map(|member| parts.get(member.operator as usize)).sum();
            part * self.costs[side as usize].0.max(0.0) * 1e6
        });
        let is_alike =
            types[0] == types[1] && group.members(Side::A).len() == group.members(Side::B).len();
        if is_alike { (a - b).abs() } else { a.max(b) }
    }

    /// Whether it adds so much more to one side, for sure, that what layers differ by cannot
    /// explain what the latencies differ by: more than half of that, and more than `threshold` of
    /// A.
    pub(crate) fn hides(&self, plain: &Compared, threshold: Share) -> bool {
        let [a, b] = self.ends;
        let more = (b.low - a.high).max(a.low - b.high);
        let difference = plain.change.difference.map_or(0.0, |difference| difference.0.abs());
        let least = plain.sides[0].typical.map_or(0.0, |latency| latency.0 * threshold.0);
        more > (difference * MOST_HIDDEN).max(least)
    }
}

/// Of the difference of the latencies.
const MOST_HIDDEN: f64 = 0.5;
