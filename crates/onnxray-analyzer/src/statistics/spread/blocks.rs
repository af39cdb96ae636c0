//! Launches, and blocks of the iterations in them, as units of statistics.
//!
//! Iterations of one process follow each other and are not independent. Blocks of
//! consecutive ones nearly are; launches are.

use std::ops::Range;

/// Fewest launches, or blocks in their place, that tell of a spread.
pub const FEWEST_UNITS: usize = 3;
/// Blocks of a launch, or of all launches where these are too few.
pub(crate) const MOST_BLOCKS: usize = 10;
/// Iterations of a block within a launch: enough for a median that one preempted
/// iteration does not move.
pub(crate) const BLOCK: usize = 5;
/// Iterations of a block that replaces a launch: few, so that short recordings have enough blocks.
pub(crate) const BLOCK_AS_UNIT: usize = 2;

/// Splits a range into parts that differ by one iteration at most: as many as have `shortest`
/// iterations each, from one to `most`.
pub(crate) fn blocks(
    iterations: Range<usize>,
    shortest: usize,
    most: usize,
) -> impl ExactSizeIterator<Item = Range<usize>> {
    let count = (iterations.len() / shortest).min(most).max(1);
    let edge = move |block: usize| iterations.start + block * iterations.len() / count;
    (0..count).map(move |block| edge(block)..edge(block + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_long_enough_and_nearly_equal() {
        let lengths = |iterations, shortest, most| -> Vec<usize> {
            blocks(iterations, shortest, most).map(|block| block.len()).collect()
        };
        assert_eq!(lengths(3..26, 5, 10), [5, 6, 6, 6]);
        assert_eq!(lengths(0..100, 5, 10), [10; 10]);
        assert_eq!(lengths(7..11, 5, 10), [4]);
        assert_eq!(lengths(7..7, 5, 10), [0]);
        let all: Vec<usize> = blocks(3..26, 5, 10).flatten().collect();
        assert_eq!(all, (3..26).collect::<Vec<_>>());
    }
}
