//! Iterations in cells: blocks of iterations, within launches.
//!
//! A block's value is the median of its iterations, so that a single preempted
//! iteration does not count; blocks and launches are averaged.

use crate::statistics::blocks;
use crate::statistics::{BLOCK, BLOCK_AS_UNIT, MOST_BLOCKS, Timeline};
use std::ops::Range;

/// Ranges of steady-state iterations, one per cell.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    ranges: Vec<Range<usize>>,
    /// Cells of each unit, in order.
    pub blocks: Vec<usize>,
}

impl Cells {
    /// Launches as units, with blocks in them.
    pub(crate) fn launches(timeline: &Timeline, launches: &[usize]) -> Cells {
        let mut cells = Cells { ranges: Vec::new(), blocks: Vec::new() };
        for &launch in launches {
            let iterations = timeline.launches[launch].iterations.clone();
            let blocks = blocks(iterations, BLOCK, MOST_BLOCKS);
            cells.blocks.push(blocks.len());
            cells.ranges.extend(blocks);
        }
        cells
    }

    /// Blocks as units, because there are too few launches.
    pub(crate) fn blocks(timeline: &Timeline) -> Cells {
        // Ten blocks in all, not per launch; at least one of each launch.
        let most = MOST_BLOCKS / timeline.launches.len().clamp(1, MOST_BLOCKS);
        let launches = timeline.launches.iter();
        Cells::units_of(launches.map(|launch| launch.iterations.clone()), most)
    }

    /// Blocks of consecutive iterations as units.
    pub(crate) fn stretch(iterations: Range<usize>) -> Cells {
        Cells::units_of(std::iter::once(iterations), MOST_BLOCKS)
    }

    fn units_of(stretches: impl Iterator<Item = Range<usize>>, most: usize) -> Cells {
        let ranges: Vec<Range<usize>> =
            stretches.flat_map(|iterations| blocks(iterations, BLOCK_AS_UNIT, most)).collect();
        Cells { blocks: vec![1; ranges.len()], ranges }
    }

    pub(crate) fn units(&self) -> usize {
        self.blocks.len()
    }

    /// Mean of each unit's iterations that lie in cells, in nanoseconds; units without any have none.
    pub(crate) fn means(&self, times: &[u64]) -> Vec<f64> {
        let mut ranges = self.ranges.iter();
        let of_unit = |&count: &usize| {
            let own = ranges.by_ref().take(count).filter_map(|range| times.get(range.clone()));
            let (sum, number) = own
                .flatten()
                .fold((0.0, 0_u64), |(sum, number), &time| (sum + time as f64, number + 1));
            (number > 0).then(|| sum / number as f64)
        };
        self.blocks.iter().filter_map(of_unit).collect()
    }

    /// Median of each cell's iterations, in nanoseconds. `times` has one per steady-state
    /// iteration.
    pub(crate) fn values(&self, times: &[u64], into: &mut Vec<f64>, work: &mut Vec<u64>) {
        into.clear();
        for range in &self.ranges {
            work.clear();
            work.extend_from_slice(&times[range.clone()]);
            // Selecting is linear, which matters: this runs for every group of a comparison.
            let (half, is_even) = (work.len() / 2, work.len().is_multiple_of(2));
            let (below, &mut upper, _) = work.select_nth_unstable(half);
            let lower = below.iter().max().copied().filter(|_| is_even).unwrap_or(upper);
            into.push((lower as f64 + upper as f64) / 2.0);
        }
    }
}
