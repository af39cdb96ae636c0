//! What cuts leave uncertain of blocks of an x-ray, and blocks that are not told from nothing.

use super::interval::Interval;
use crate::Milliseconds;
use crate::statistics::operators::OperatorSummary;
use onnxray_format::{BY_BOTH_SIDES, CUT_ADDS_AT_LEAST, CUT_CHANGES, Operator};

/// By how much the model takes longer where it is cut behind a block, if that matters.
pub(in crate::statistics) fn cut_change(block: &Operator) -> Option<Milliseconds> {
    stated(block, CUT_CHANGES)
}

fn stated(block: &Operator, attribute: &str) -> Option<Milliseconds> {
    let nanoseconds: i64 = block.attributes.get(attribute)?.parse().ok()?;
    Some(Milliseconds::from_nanoseconds(nanoseconds as f64))
}

/// How much of what a cut adds may be in the blocks on either side of it, by its attribute behind each block,
/// in milliseconds. Where both sides tell where a cut is, at `before / (before + behind)` of the whole, the
/// share of the other side is left of what it adds to one.
fn cut_uncertainties(blocks: &[OperatorSummary], attribute: &str) -> Vec<f64> {
    let mean = |block: &OperatorSummary| block.mean.map_or(0.0, |mean| mean.0);
    let whole: f64 = blocks.iter().map(mean).sum();
    let places = blocks.iter().scan(0.0, |sum, block| {
        *sum += mean(block);
        Some(if whole > 0.0 { *sum / whole } else { 0.0 })
    });
    let left = |(block, place): (&OperatorSummary, f64)| {
        let is_by_both = block.operator.attributes.contains_key(BY_BOTH_SIDES);
        let left = if is_by_both { place.max(1.0 - place) } else { 1.0 };
        stated(&block.operator, attribute).map_or(0.0, |own| own.0.abs() * left)
    };
    blocks.iter().zip(places).map(left).collect()
}

/// Makes intervals and bounds of blocks longer by what the cuts at both their ends add at least, because it is
/// unknown on which side of a cut that is. None reaches below 0 by it, and no block is bounded for it alone:
/// all launches found some time in it.
pub(in crate::statistics) fn widen_by_cuts(blocks: &mut [OperatorSummary]) {
    let behind = cut_uncertainties(blocks, CUT_ADDS_AT_LEAST);
    let whole: f64 = blocks.iter().filter_map(|block| block.mean).map(|mean| mean.0).sum();
    // A compact recording has its bounds, and no intervals.
    let uncertain = blocks.iter_mut().enumerate().filter(|(_, block)| block.interval.is_some());
    for (at, block) in uncertain {
        let of_cuts = at.checked_sub(1).map_or(0.0, |before| behind[before]) + behind[at];
        let wider = |Interval { low, high }| Interval {
            low: low.min((low - of_cuts).max(0.0)),
            high: high + of_cuts,
        };
        block.interval = block.interval.map(wider);
        let longer = |bound: Milliseconds| Milliseconds((bound.0 + of_cuts).min(whole));
        block.below = block.below.map(longer);
    }
}

/// Gives each block whose interval reaches 0 an upper bound of its time: the end of its interval.
/// What puts a cut too late is missing from the block behind it and in the one before, so that a
/// block for which nothing is left in any launch may take what the nearest are uncertain by of which
/// something is left. Where there is no interval, iterations tell of that by their range, and only a
/// block of which nothing is left is bounded. A cut that changes the model by more than a block beside it
/// takes may be all of its time. None takes longer than all of them together.
pub(in crate::statistics) fn bound_blocks(blocks: &mut [OperatorSummary]) {
    let half = |block: &OperatorSummary| {
        let of_iterations = || block.extremes.map_or(0.0, |(least, most)| most.0 - least.0);
        block.interval.map_or_else(of_iterations, |Interval { low, high }| high - low) / 2.0
    };
    let is_left = |block: &OperatorSummary| block.mean.is_some_and(|mean| mean.0 > 0.0);
    let halves: Vec<Option<f64>> =
        blocks.iter().map(|block| is_left(block).then(|| half(block))).collect();
    let whole: f64 = blocks.iter().filter_map(|block| block.mean).map(|mean| mean.0).sum();
    let of_cuts_behind = cut_uncertainties(blocks, CUT_CHANGES);
    // A compact recording has its bounds.
    let unbounded = blocks.iter_mut().enumerate().filter(|(_, block)| block.below.is_none());
    for (at, block) in unbounded {
        let before = at.checked_sub(1).map_or(0.0, |before| of_cuts_behind[before]);
        let of_cuts = before.max(of_cuts_behind[at]);
        let mean = block.mean.map_or(0.0, |mean| mean.0);
        let is_of_cuts = of_cuts > mean && is_left(block);
        let high = match (block.interval, block.mean) {
            _ if is_of_cuts => mean + of_cuts,
            (Some(Interval { low, high }), _) if low <= 0.0 => high,
            (None, Some(mean)) if mean.0 <= 0.0 => 0.0,
            _ => continue,
        };
        let (before, behind) = (&halves[..at], &halves[at + 1..]);
        let nearest = [before.iter().rev().flatten().next(), behind.iter().flatten().next()];
        let high = nearest.into_iter().flatten().copied().fold(high.max(of_cuts), f64::max);
        // Of nothing, there is nothing to bound by.
        let high = if whole > 0.0 { high.min(whole) } else { high };
        block.below = Some(Milliseconds(high)).filter(|bound| bound.0 > 0.0);
        let low = |own: f64| if is_of_cuts { own.min(mean - of_cuts) } else { own };
        block.interval = block.interval.map(|own| Interval { low: low(own.low), high });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(mean: f64, interval: Option<(f64, f64)>) -> OperatorSummary {
        OperatorSummary {
            mean: Some(Milliseconds(mean)),
            interval: interval.map(|(low, high)| Interval { low, high }),
            ..OperatorSummary::unmeasured(Operator::default())
        }
    }

    #[test]
    fn intervals_are_longer_by_what_cuts_surely_add() {
        let cut = |mean: f64, least: &str, is_by_both: bool| {
            let mut own = block(mean, Some((mean - 0.1, mean + 0.1)));
            let attributes = &mut own.operator.attributes;
            attributes.insert(CUT_ADDS_AT_LEAST.to_string(), least.to_string());
            if is_by_both {
                attributes.insert(BY_BOTH_SIDES.to_string(), "yes".to_string());
            }
            own
        };
        let ends = |blocks: &[OperatorSummary]| -> Vec<(f64, f64)> {
            let rounded = |end: f64| (end * 1e9).round() / 1e9;
            let interval = |block: &OperatorSummary| block.interval.unwrap();
            blocks.iter().map(interval).map(|own| (rounded(own.low), rounded(own.high))).collect()
        };
        // Of a cut at a quarter, three quarters are left; of one whose other side is unknown, all.
        for (is_by_both, left) in [(true, 0.3_f64), (false, 0.4)] {
            let last = block(3.0, Some((2.9, 3.1)));
            let mut blocks = [cut(1.0, "-400000", is_by_both), last];
            widen_by_cuts(&mut blocks);
            let expected = [(0.9 - left, 1.1 + left), (2.9 - left, 3.1 + left)];
            assert_eq!(
                ends(&blocks),
                expected
                    .map(|(low, high)| { ((low * 1e9).round() / 1e9, (high * 1e9).round() / 1e9) })
            );
        }
        // A block between two cuts may be off at both ends.
        let last = block(1.0, Some((0.9, 1.1)));
        let mut inner = [cut(1.0, "200000", false), cut(2.0, "-300000", false), last];
        widen_by_cuts(&mut inner);
        assert_eq!(ends(&inner), [(0.7, 1.3), (1.4, 2.6), (0.6, 1.4)]);
        // No end is below 0 by it, and a bound is longer as well.
        let mut short =
            [cut(0.2, "900000", false), block(3.0, Some((2.9, 3.1))), cut(0.1, "0", false)];
        short[2].interval = Some(Interval { low: -0.1, high: 0.3 });
        short[1].operator.attributes.insert(CUT_ADDS_AT_LEAST.to_string(), "500000".to_string());
        bound_blocks(&mut short);
        widen_by_cuts(&mut short);
        assert_eq!(ends(&short), [(0.0, 1.2), (1.5, 4.5), (-0.1, 0.8)]);
        let below = short.each_ref().map(|block| block.below.map(|below| (below.0 * 1e9).round()));
        assert_eq!(below, [None, None, Some(0.8e9)]);
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
        // Without intervals, by the range of iterations.
        let ranged = |mean, least, most| OperatorSummary {
            extremes: Some((Milliseconds(least), Milliseconds(most))),
            ..block(mean, None)
        };
        let nothing = || ranged(0.0, 0.0, 0.0);
        let mut few = [nothing(), nothing(), ranged(0.5, 0.2, 0.8), ranged(0.1, 0.0, 0.2)];
        bound_blocks(&mut few);
        let below = few.each_ref().map(|block| block.below.map(|below| below.0));
        assert_eq!(below[0], below[1], "the nearest of which something is left");
        assert!(below[0].is_some_and(|below| (below - 0.3).abs() < 1e-9), "{below:?}");
        assert_eq!((below[2], below[3]), (None, None), "what is left is an estimate");
        // A cut that changes more than blocks on its two sides take.
        let cut = |mean: f64, change: &str| {
            let mut own = block(mean, Some((mean - 0.1, mean + 0.1)));
            own.operator.attributes.insert(CUT_CHANGES.to_string(), change.to_string());
            own
        };
        let mut beside =
            [cut(1.0, "-2000000"), block(5.0, Some((4.9, 5.1))), block(1.0, Some((0.9, 1.1)))];
        bound_blocks(&mut beside);
        let below = beside.each_ref().map(|block| block.below.map(|below| below.0));
        assert_eq!(below, [Some(3.0), None, None]);
        assert_eq!(beside[0].interval.map(|ends| (ends.low, ends.high)), Some((-1.0, 3.0)));
        // Of one in the middle whose both sides are timed, half; of one at a fifth, four fifths.
        for (last, is_bounded) in [(1.1, false), (4.0, true)] {
            let mut both = cut(1.0, "-1600000");
            both.operator.attributes.insert(BY_BOTH_SIDES.to_string(), "yes".to_string());
            let mut timed = [both, block(last, Some((last - 0.1, last + 0.1)))];
            bound_blocks(&mut timed);
            assert_eq!(timed.map(|own| own.below.is_some()), [is_bounded, false]);
        }
        // As a compact recording has it.
        let mut stored = [
            OperatorSummary { below: Some(Milliseconds(0.5)), ..nothing() },
            ranged(3.0, 1.0, 5.0),
        ];
        bound_blocks(&mut stored);
        assert_eq!(stored[0].below.map(|below| below.0), Some(0.5));
        // No block takes longer than the whole.
        let mut short = [cut(1.0, "-9000000"), block(0.5, Some((0.4, 0.6)))];
        bound_blocks(&mut short);
        assert_eq!(short.map(|own| own.below.map(|below| below.0)), [Some(1.5), Some(1.5)]);
        let mut certain = [block(0.0, Some((0.0, 0.0)))];
        bound_blocks(&mut certain);
        assert_eq!(certain[0].below, None, "nothing is known of a bound");
    }
}
