//! Blocks of an x-ray, on a side or on both. A block is the difference of two long times: in single
//! iterations it may be nothing, which has no logarithm, and medians of them add up to less than the
//! whole. So launches are compared, and blocks by means.

use crate::comparison::evidence::launch_values;
use crate::comparison::evidence::t_test::{Tested, of_means};
use crate::comparison::units::pairing::{Basis, Units};
use crate::comparison::{Group, Recording, Side};
use crate::statistics::Summary;
use crate::units::Milliseconds;

/// What blocks are multiplied by, by side, so that they add up to the typical time of the whole: that by
/// its mean. `None` of a side that has operators.
pub(super) struct OfBlocks([Option<f64>; 2]);

/// Times and test of a layer.
pub(super) struct TestedBlock {
    /// In nanoseconds, by side; not a number of a side that is not present.
    pub(super) typical: [f64; 2],
    pub(super) tested: Option<Tested>,
    pub(super) basis: Basis,
}

impl OfBlocks {
    /// `None` if neither side is an x-ray; `total` is the typical time of the whole, by side.
    pub(super) fn of(
        recordings: [&Recording; 2],
        units: &Units,
        total: [Option<Milliseconds>; 2],
    ) -> Option<OfBlocks> {
        let scale = |side: usize| {
            recordings[side].summary.run.blocks.then(|| {
                let latencies = recordings[side].timeline.as_ref().map(|own| &own.latencies[..]);
                let all = mean(&units.cells[side].means(latencies.unwrap_or_default()));
                let scale = total[side].map(|total| total.0 * 1e6 / all);
                scale.filter(|scale| scale.is_finite() && *scale > 0.0).unwrap_or(1.0)
            })
        };
        let scales = [0, 1].map(scale);
        scales.iter().any(Option::is_some).then_some(OfBlocks(scales))
    }

    /// Of times per iteration, by side; those of sides that are not present are skipped.
    pub(super) fn tested(
        &self,
        units: &Units,
        present: [bool; 2],
        times: &[Vec<u64>; 2],
    ) -> TestedBlock {
        let values = [0, 1].map(|side| {
            let cells = &units.cells[side];
            match (present[side], self.0[side]) {
                (false, _) => Vec::new(),
                (true, Some(scale)) => {
                    cells.means(&times[side]).iter().map(|mean| mean * scale).collect()
                }
                (true, None) => {
                    let mut medians = Vec::new();
                    cells.values(&times[side], &mut medians, &mut Vec::new());
                    launch_values(&medians, &cells.blocks)
                }
            }
        });
        let in_pairs = matches!(units.basis, Basis::Pairs(_));
        // Iterations of a launch look back on those before them, and are not independent.
        let is_tested = in_pairs || matches!(units.basis, Basis::Launches(_));
        let tested = is_tested.then(|| of_means([&values[0], &values[1]], in_pairs)).flatten();
        let typical = values.each_ref().map(|own| mean(own));
        TestedBlock { typical, tested, basis: units.basis }
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

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
