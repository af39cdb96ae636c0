//! How much larger or smaller one side's location is, and how far that may be off.
//!
//! An interval is taken in two ways, and of each end the one further out holds:
//! the percentiles of the bootstrap, and Student's t over launches. With few
//! launches no bootstrap reaches beyond what was seen, and Student's t allows for
//! what was not; where launches differ in a skewed way, the bootstrap follows.

use super::bootstrap::{launch_values, location};
use crate::probability::{Student, welch_half_width};
use crate::statistics::Interval;

/// What is known of a group of cells on one side. Values are not negative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'a> {
    /// One per block, launch by launch.
    pub values: &'a [f64],
    /// Blocks of each launch, at least one.
    pub blocks: &'a [usize],
    /// The locations of the resamples, as many as on the other side; empty if
    /// nothing was resampled.
    pub replicates: &'a [f64],
}

/// How intervals are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IntervalMethod {
    /// The share of intervals that cover the truth, such as 0.95.
    pub confidence: f64,
    /// The launches of both sides were made in pairs, which are listed in the same
    /// order, and the replicates are those of resamples of pairs.
    pub paired: bool,
    /// At least 1; the ends are moved away from the estimate by this factor. It is
    /// for parts that are not independent of each other.
    pub widen: f64,
}

/// `b` next to `a`, with the ends of intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RatioEstimate {
    /// location(b) / location(a); unknown if `a` is 0.
    pub ratio: Option<f64>,
    pub ratio_low: Option<f64>,
    /// Unknown, also where the ratio is known, if `a` may be 0.
    pub ratio_high: Option<f64>,
    /// location(b) - location(a), in the unit of the values.
    pub difference: f64,
    pub difference_low: f64,
    pub difference_high: f64,
}

impl RatioEstimate {
    /// With the ends that follow if the second side was made so many times as long by something
    /// else; `location` is the first side's.
    pub(crate) fn shifted(self, times: Interval, location: f64) -> RatioEstimate {
        let second = location + self.difference;
        RatioEstimate {
            difference_low: self.difference_low - second * (1.0 - 1.0 / times.high),
            difference_high: self.difference_high + second * (1.0 / times.low - 1.0),
            ratio_low: self.ratio_low.map(|low| low / times.high),
            ratio_high: self.ratio_high.map(|high| high / times.low),
            ..self
        }
    }

    /// With ends that are `by` further away, in the unit of the values, of which the first side
    /// has `location`: what the sides may differ by beside what was estimated.
    pub(crate) fn widened(self, by: f64, location: f64) -> RatioEstimate {
        let of_ratio = if location > 0.0 { by / location } else { 0.0 };
        RatioEstimate {
            difference_low: self.difference_low - by,
            difference_high: self.difference_high + by,
            ratio_low: self.ratio_low.map(|low| (low - of_ratio).max(0.0)),
            ratio_high: self.ratio_high.map(|high| high + of_ratio),
            ..self
        }
    }
}

/// `None` if a side has fewer than two launches, from which no spread can be told
/// (blocks of a single launch may be given as launches), or if sides to be paired
/// differ in their number of launches.
pub(crate) fn estimate(a: Sample, b: Sample, method: IntervalMethod) -> Option<RatioEstimate> {
    let (launches_a, launches_b) =
        (launch_values(a.values, a.blocks), launch_values(b.values, b.blocks));
    let unequal = method.paired && launches_a.len() != launches_b.len();
    if launches_a.len().min(launches_b.len()) < 2 || unequal {
        return None;
    }
    let (at_a, at_b) = (location(a.values, a.blocks), location(b.values, b.blocks));

    let difference = at_b - at_a;
    let reach = reach(&launches_a, &launches_b, method);
    let replicates = a.replicates.iter().zip(b.replicates).map(|(a, b)| b - a);
    let (low, high) = percentiles(replicates.collect(), method.confidence, difference);
    let (low, high) = (low.min(difference - reach), high.max(difference + reach));

    let ratio = (at_a > 0.0).then_some(at_b / at_a);
    let ends = ratio.map(|ratio| ratio_ends(ratio, &a, &b, &launches_a, &launches_b, method));
    Some(RatioEstimate {
        ratio,
        ratio_low: ends.map(|(low, _)| low),
        ratio_high: ends.map(|(_, high)| high).filter(|high| high.is_finite()),
        difference,
        difference_low: difference - method.widen * (difference - low),
        difference_high: difference + method.widen * (high - difference),
    })
}

/// The interval of a ratio is taken in logarithms, in which halving is as far as
/// doubling.
fn ratio_ends(
    ratio: f64,
    a: &Sample,
    b: &Sample,
    launches_a: &[f64],
    launches_b: &[f64],
    method: IntervalMethod,
) -> (f64, f64) {
    let replicates = a.replicates.iter().zip(b.replicates);
    // Nothing over nothing may be any ratio.
    let ratios = replicates.map(|(&a, &b)| if a > 0.0 { b / a } else { f64::INFINITY });
    let (low, high) = percentiles(ratios.collect(), method.confidence, ratio);
    if ratio <= 0.0 {
        return (low, high);
    }
    let reach = ratio_reach(ratio, launches_a, launches_b, method).exp();
    let (low, high) = (low.min(ratio / reach), high.max(ratio * reach));
    (ratio * (low / ratio).powf(method.widen), ratio * (high / ratio).powf(method.widen))
}

/// Half the width of Student's interval of the logarithm of a ratio above 0.
fn ratio_reach(ratio: f64, a: &[f64], b: &[f64], method: IntervalMethod) -> f64 {
    let positive = a.iter().chain(b).all(|&value| value > 0.0);
    if method.paired && positive {
        let logarithms = |values: &[f64]| values.iter().map(|value| value.ln()).collect::<Vec<_>>();
        return reach(&logarithms(a), &logarithms(b), method);
    }
    // The delta method: to first order, the logarithm of a mean deviates by the
    // mean's deviation over the mean.
    let mean = a.iter().sum::<f64>() / a.len() as f64;
    let over = |values: &[f64], mean: f64| values.iter().map(|value| value / mean).collect();
    let (a, b): (Vec<f64>, Vec<f64>) = (over(a, mean), over(b, mean * ratio));
    reach(&a, &b, method)
}

/// Half the width of the interval of the difference of means: over the differences of
/// pairs, or by Welch's method.
fn reach(a: &[f64], b: &[f64], method: IntervalMethod) -> f64 {
    if !method.paired {
        return welch_half_width(a, b, method.confidence);
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
    Student::of(&differences, method.confidence, 1.0).map_or(0.0, |mean| mean.half_width)
}

/// The replicates between which `confidence` of them lie, at ranks
/// (count + 1)·(1 ∓ confidence)/2 rounded outwards, extended to the estimate.
fn percentiles(mut replicates: Vec<f64>, confidence: f64, estimate: f64) -> (f64, f64) {
    let Some(last) = replicates.len().checked_sub(1) else {
        return (estimate, estimate);
    };
    let rank = (replicates.len() as f64 + 1.0) * (1.0 - confidence) / 2.0;
    // Rounding must not turn a whole rank into the one before.
    let outside = ((rank + 1e-9) as usize).saturating_sub(1);
    let low = *replicates.select_nth_unstable_by(outside, f64::total_cmp).1;
    let high = *replicates.select_nth_unstable_by(last - outside, f64::total_cmp).1;
    (low.min(estimate), high.max(estimate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::{References, assert_close};

    const METHOD: IntervalMethod = IntervalMethod { confidence: 0.95, paired: false, widen: 1.0 };

    /// Launches of one block each, and nothing resampled: Student's interval alone.
    fn student(a: &[f64], b: &[f64], method: IntervalMethod) -> RatioEstimate {
        let blocks = vec![1; a.len().max(b.len())];
        let side = |values| Sample { values, blocks: &blocks[..values.len()], replicates: &[] };
        estimate(side(a), side(b), method).unwrap()
    }

    #[test]
    fn intervals_of_differences_are_those_of_scipy() {
        for (name, paired) in [("welch_interval", false), ("paired_interval", true)] {
            for case in References::read().cases(name) {
                let (a, b) = (case.numbers("a"), case.numbers("b"));
                let method =
                    IntervalMethod { confidence: case.number("confidence"), paired, ..METHOD };
                let found = student(&a, &b, method);
                assert_close(found.difference_low, case.number("low"), 1e-9, name);
                assert_close(found.difference_high, case.number("high"), 1e-9, name);
            }
        }
    }

    #[test]
    fn intervals_of_ratios_stand_about_the_ratio() {
        let (a, b) = ([10.0, 11.0, 12.0], [20.0, 22.0, 24.0]);
        let unpaired = student(&a, &b, METHOD);
        assert_eq!(unpaired.ratio, Some(2.0));
        // Both sides deviate by 1/11 of their mean: 4 degrees of freedom.
        let reach = 2.776_445_105_197_793_4 * (2.0 / 3.0f64).sqrt() / 11.0;
        assert_close(unpaired.ratio_low.unwrap(), 2.0 / reach.exp(), 1e-9, "low");
        assert_close(unpaired.ratio_high.unwrap(), 2.0 * reach.exp(), 1e-9, "high");
        // Each pair has the same ratio, whatever befell the launch.
        let paired = student(&a, &b, IntervalMethod { paired: true, ..METHOD });
        assert_close(paired.ratio_low.unwrap(), 2.0, 1e-9, "low");
        assert_close(paired.ratio_high.unwrap(), 2.0, 1e-9, "high");
        // The other way round it is the inverse.
        let inverse = student(&b, &a, METHOD);
        assert_close(inverse.ratio_low.unwrap(), 1.0 / unpaired.ratio_high.unwrap(), 1e-9, "1/b");
    }

    #[test]
    fn the_end_further_out_holds() {
        let replicates = |of: &dyn Fn(f64) -> f64| (0..999).map(|at| of(f64::from(at))).collect();
        // 999 replicates: the 25th and the 975th, at 24 and 974.
        let (a, b): (Vec<f64>, Vec<f64>) = (replicates(&|_| 100.0), replicates(&|at| at));
        let values = [100.0, 100.0];
        let of = |a, b| {
            let side = |replicates| Sample { values: &values, blocks: &[1, 1], replicates };
            estimate(side(a), side(b), METHOD).unwrap()
        };
        let found = of(&a, &b);
        assert_eq!((found.difference_low, found.difference_high), (-76.0, 874.0));
        assert_close(found.ratio_low.unwrap(), 0.24, 1e-12, "low");
        assert_close(found.ratio_high.unwrap(), 9.74, 1e-12, "high");
        // Replicates on one side of the estimate: it still lies in its interval.
        let above: Vec<f64> = replicates(&|_| 101.0);
        assert_eq!(of(&a, &above).difference_low, 0.0);
    }

    #[test]
    fn widening_moves_both_ends() {
        let (a, b) = ([10.0, 11.0, 12.0], [20.0, 21.0, 24.0]);
        for paired in [false, true] {
            let narrow = student(&a, &b, IntervalMethod { paired, ..METHOD });
            let wide = student(&a, &b, IntervalMethod { paired, widen: 3.0, ..METHOD });
            let width = |found: RatioEstimate| found.difference_high - found.difference_low;
            assert_close(width(wide), 3.0 * width(narrow), 1e-12, "difference");
            let width =
                |found: RatioEstimate| (found.ratio_high.unwrap() / found.ratio_low.unwrap()).ln();
            assert_close(width(wide), 3.0 * width(narrow), 1e-12, "ratio");
        }
    }

    #[test]
    fn nothing_has_no_ratio() {
        let found = student(&[0.0, 0.0], &[1.0, 3.0], METHOD);
        assert_eq!((found.ratio, found.ratio_low, found.ratio_high), (None, None, None));
        assert_eq!(found.difference, 2.0);
        let found = student(&[1.0, 3.0], &[0.0, 0.0], METHOD);
        assert_eq!(
            (found.ratio, found.ratio_low, found.ratio_high),
            (Some(0.0), Some(0.0), Some(0.0))
        );
        // A pair without a logarithm.
        let found = student(&[0.0, 4.0], &[2.0, 6.0], IntervalMethod { paired: true, ..METHOD });
        assert_eq!(found.ratio, Some(2.0));
        assert!(found.ratio_low.unwrap() < 2.0 && found.ratio_high.unwrap() > 2.0, "{found:?}");
        // Resamples in which there is nothing to compare with.
        let values = [0.0, 4.0];
        let (zeros, ones) = (vec![0.0; 100], vec![1.0; 100]);
        let side = |replicates| Sample { values: &values, blocks: &[1, 1], replicates };
        let found = estimate(side(&zeros), side(&ones), METHOD).unwrap();
        assert_eq!((found.ratio, found.ratio_high), (Some(1.0), None));
    }

    #[test]
    fn one_launch_tells_no_spread() {
        let side = |values, blocks| Sample { values, blocks, replicates: &[] };
        let (one, two) = (side(&[1.0, 2.0], &[2]), side(&[1.0, 2.0], &[1, 1]));
        assert_eq!(estimate(one, two, METHOD), None);
        assert_eq!(estimate(two, side(&[], &[]), METHOD), None);
        let three = side(&[1.0, 2.0, 3.0], &[1, 1, 1]);
        assert!(estimate(two, three, METHOD).is_some());
        assert_eq!(estimate(two, three, IntervalMethod { paired: true, ..METHOD }), None);
    }
}
