//! Iterations in cells: blocks of iterations, within launches.
//!
//! A block's value is the median of its iterations, so that a single preempted
//! iteration does not count; blocks and launches are averaged.

use crate::statistics::Timeline;
use std::ops::Range;

/// Blocks of a launch at most, and iterations of a block at least.
const BLOCKS: usize = 10;
const SHORTEST_BLOCK: usize = 5;
/// Blocks that stand for launches may be shorter, to be enough.
const SHORTEST_UNIT: usize = 2;

/// Which settled iterations are in which cell.
#[derive(Clone, Debug)]
pub struct Cells {
    ranges: Vec<Range<usize>>,
    /// Cells of each unit, in order.
    pub blocks: Vec<usize>,
}

impl Cells {
    /// Launches as units, with blocks in them.
    pub fn launches(timeline: &Timeline, launches: &[usize]) -> Cells {
        let mut cells = Cells { ranges: Vec::new(), blocks: Vec::new() };
        for &launch in launches {
            let iterations = &timeline.launches[launch].iterations;
            let blocks = (iterations.len() / SHORTEST_BLOCK).clamp(1, BLOCKS);
            cells.part(iterations, blocks);
            cells.blocks.push(blocks);
        }
        cells
    }

    /// Blocks as units, because there are too few launches.
    pub fn blocks(timeline: &Timeline) -> Cells {
        let mut cells = Cells { ranges: Vec::new(), blocks: Vec::new() };
        let most = BLOCKS / timeline.launches.len().clamp(1, BLOCKS);
        for launch in &timeline.launches {
            let blocks = (launch.iterations.len() / SHORTEST_UNIT).clamp(1, most);
            cells.part(&launch.iterations, blocks);
            cells.blocks.extend(std::iter::repeat_n(1, blocks));
        }
        cells
    }

    /// Blocks of consecutive iterations as units.
    pub fn stretch(iterations: Range<usize>, blocks: usize) -> Cells {
        let mut cells = Cells { ranges: Vec::new(), blocks: vec![1; blocks] };
        cells.part(&iterations, blocks);
        cells
    }

    fn part(&mut self, iterations: &Range<usize>, blocks: usize) {
        let edge = |block: usize| iterations.start + block * iterations.len() / blocks;
        self.ranges.extend((0..blocks).map(|block| edge(block)..edge(block + 1)));
    }

    pub fn units(&self) -> usize {
        self.blocks.len()
    }

    /// The cells' values, of times in nanoseconds per settled iteration.
    pub fn values(&self, times: &[u64], into: &mut Vec<f64>, work: &mut Vec<u64>) {
        into.clear();
        for range in &self.ranges {
            work.clear();
            work.extend_from_slice(&times[range.clone()]);
            work.sort_unstable();
            let last = work.len().saturating_sub(1);
            let middle = (work[last / 2] as f64 + work[work.len() / 2] as f64) / 2.0;
            into.push(middle);
        }
    }
}
