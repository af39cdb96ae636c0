//! Blocks of an x-ray on both sides. A block is the difference of two long times: in single iterations it
//! may be nothing, which has no logarithm, and medians of them add up to less than the whole. So
//! launches are compared, by means.

use crate::comparison::evidence::t_test::{Tested, of_means};
use crate::comparison::units::pairing::Basis;
use crate::comparison::{Group, Recording, Side};
use crate::statistics::{Summary, Timeline};
use crate::units::Milliseconds;

/// What layers are located by, where a side has blocks.
pub(super) struct OfBlocks {
    /// By side: typical / mean time of the whole. Layers times that add up to its typical time.
    scales: [f64; 2],
    /// Both sides took turns, launch by launch.
    in_turns: bool,
}

/// Times and test of a layer.
pub(super) struct TestedBlock {
    /// In nanoseconds, by side; not a number of a side without launches.
    pub(super) typical: [f64; 2],
    pub(super) tested: Option<Tested>,
    pub(super) basis: Basis,
}

impl OfBlocks {
    /// `total` is the typical time of the whole, by side.
    pub(super) fn of(
        recordings: [&Recording; 2],
        basis: Basis,
        total: [Option<Milliseconds>; 2],
    ) -> OfBlocks {
        let scale = |side: usize| {
            let timeline = recordings[side].timeline.as_ref()?;
            let all = mean(&launch_means(timeline, &timeline.latencies));
            Some(total[side]?.0 * 1e6 / all).filter(|scale| scale.is_finite() && *scale > 0.0)
        };
        let scales = [0, 1].map(|side| scale(side).unwrap_or(1.0));
        OfBlocks { scales, in_turns: basis.is_in_turns() }
    }

    /// Of times per iteration, by side; those of sides that are not present are skipped.
    pub(super) fn tested(
        &self,
        recordings: [&Recording; 2],
        present: [bool; 2],
        times: &[Vec<u64>; 2],
    ) -> TestedBlock {
        let values = [0, 1].map(|side| {
            let timeline = recordings[side].timeline.as_ref().filter(|_| present[side]);
            let means = timeline.map(|timeline| launch_means(timeline, &times[side]));
            let scaled = means.into_iter().flatten().map(|mean| mean * self.scales[side]);
            scaled.collect::<Vec<f64>>()
        });
        let launches = values.each_ref().map(Vec::len);
        let in_pairs = self.in_turns && launches[0] == launches[1];
        let basis = match in_pairs {
            true => Basis::Pairs(launches[0]),
            false => Basis::Launches(launches),
        };
        let typical = values.each_ref().map(|own| mean(own));
        TestedBlock { typical, tested: of_means([&values[0], &values[1]], in_pairs), basis }
    }
}

/// Upper bound of the time of a group's operators on a side, if each of them has one: none of them is told
/// from nothing.
pub(super) fn bound(summary: &Summary, group: &Group, side: Side) -> Option<Milliseconds> {
    let members = group.members(side).iter();
    let bounds = members.map(|member| summary.operators.get(member.operator as usize)?.below);
    let sum: f64 = bounds.map(|bound| bound.map(|own| own.0)).sum::<Option<f64>>()?;
    Some(Milliseconds(sum)).filter(|bound| bound.0 > 0.0)
}

/// Mean of each launch that has iterations, in nanoseconds.
fn launch_means(timeline: &Timeline, times: &[u64]) -> Vec<f64> {
    let of = |own: &[u64]| own.iter().map(|&time| time as f64).sum::<f64>() / own.len() as f64;
    let ranges = timeline.launches.iter().map(|launch| launch.iterations.clone());
    ranges.filter_map(|range| times.get(range)).filter(|own| !own.is_empty()).map(of).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
