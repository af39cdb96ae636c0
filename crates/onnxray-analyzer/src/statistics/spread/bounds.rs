//! Blocks of an x-ray that are not told from nothing.

use super::interval::Interval;
use crate::Milliseconds;
use crate::statistics::operators::OperatorSummary;

/// Gives each block whose interval reaches 0 an upper bound of its time: the end of its interval.
/// What a prefix takes too long is missing from the block behind it and in the one before, so that a
/// block for which nothing is left in any launch may take what those beside it are uncertain by.
pub(in crate::statistics) fn bound_blocks(blocks: &mut [OperatorSummary]) {
    let half = |block: &OperatorSummary| {
        block.interval.map_or(0.0, |Interval { low, high }| (high - low) / 2.0)
    };
    let halves: Vec<f64> = blocks.iter().map(half).collect();
    for (at, block) in blocks.iter_mut().enumerate() {
        let Some(Interval { low, high }) = block.interval else { continue };
        if low > 0.0 {
            continue;
        }
        let beside = [at.checked_sub(1), Some(at + 1)];
        let beside = beside.into_iter().flatten().filter_map(|at| halves.get(at));
        let high = beside.copied().fold(high, f64::max);
        block.below = Some(Milliseconds(high)).filter(|bound| bound.0 > 0.0);
        block.interval = Some(Interval { low, high });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Operator;

    fn block(mean: f64, interval: Option<(f64, f64)>) -> OperatorSummary {
        OperatorSummary {
            mean: Some(Milliseconds(mean)),
            interval: interval.map(|(low, high)| Interval { low, high }),
            ..OperatorSummary::unmeasured(Operator::default())
        }
    }

    #[test]
    fn what_is_not_told_from_0_is_below_the_end_of_its_interval_or_that_of_its_neighbours() {
        let mut blocks = [
            block(1.0, Some((0.9, 1.1))),
            block(0.0, Some((0.0, 0.0))),
            block(2.0, Some((1.7, 2.3))),
            block(0.2, Some((-0.3, 0.7))),
            block(0.1, None),
        ];
        bound_blocks(&mut blocks);
        let below: Vec<Option<f64>> = blocks
            .iter()
            .map(|block| block.below.map(|below| (below.0 * 1e9).round() / 1e9))
            .collect();
        assert_eq!(below, [None, Some(0.3), None, Some(0.7), None]);
        assert_eq!(blocks[1].interval.map(|ends| (ends.low, ends.high > 0.299)), Some((0.0, true)));
        let mut certain = [block(0.0, Some((0.0, 0.0)))];
        bound_blocks(&mut certain);
        assert_eq!(certain[0].below, None, "nothing is known of a bound");
    }
}
