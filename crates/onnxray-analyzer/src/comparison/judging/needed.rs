//! How many launches would decide a difference, as a range: what is estimated is itself known only
//! so closely.

use super::power::launches_needed;
use crate::comparison::evidence::t_test::Tested;
use crate::comparison::evidence::{Band, RatioEstimate};

/// Standard errors from the middle of a normal distribution to its quartiles.
const QUARTILE: f64 = 0.6745;

/// Launches per side that would decide a difference, if it is a quartile of what the estimate and
/// its standard error leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchesNeeded {
    /// The fewest; `None` if it is more than 1,000 throughout.
    pub low: Option<u32>,
    /// The most; `None` if it is many more: the difference may be at the edge of what matters.
    pub high: Option<u32>,
}

impl LaunchesNeeded {
    pub(super) fn exactly(launches: u32) -> LaunchesNeeded {
        LaunchesNeeded { low: Some(launches), high: Some(launches) }
    }

    pub(super) fn at_least(self, fewest: u32) -> LaunchesNeeded {
        let LaunchesNeeded { low, high } = self;
        LaunchesNeeded { low: low.map(|n| n.max(fewest)), high: high.map(|n| n.max(fewest)) }
    }
}

/// `judged` is the estimate with all that a verdict widens it by; `alone` the p that the difference
/// must reach.
pub(super) fn needed(
    tested: &Tested,
    judged: impl Fn(&Tested) -> RatioEstimate,
    alone: f64,
    band: Band,
) -> LaunchesNeeded {
    let at = |errors: f64| {
        let moved = tested.moved(errors * tested.deviation());
        let (estimate, location) = (judged(&moved), moved.typical[0]);
        let expected_p = |launches| moved.expected_p(&estimate, launches);
        let launches = launches_needed(&estimate, location, moved.units, expected_p, alone, band);
        // Below, within or above what does not matter.
        let edge = band.half_width(location);
        let side = i8::from(estimate.difference > edge) - i8::from(estimate.difference < -edge);
        (launches, side)
    };
    let [first, middle, last] = [-QUARTILE, 0.0, QUARTILE].map(at);
    let known = || [first, middle, last].into_iter().filter_map(|(launches, _)| launches);
    // Where both quartiles are on one side of the edge, no difference between them is at it.
    let is_bounded = first.1 == last.1 && known().count() == 3;
    LaunchesNeeded { low: known().min(), high: known().max().filter(|_| is_bounded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::evidence::t_test::CONFIDENCE;
    use crate::comparison::judging::power::MOST_NEEDED;
    use crate::probability::{Student, quantile};

    const BAND: Band = Band { share: 0.03, ticks: 0.0 };

    /// Ten launches of 100 ns on either side, whose ratio is known to this half width.
    fn of(ratio: f64, half_width: f64) -> LaunchesNeeded {
        let degrees = 9.0;
        let student = Student { mean: ratio.ln(), half_width, p: 0.5, degrees };
        let tested = Tested::of(student, 100f64.ln(), 10);
        needed(&tested, |moved| moved.estimate, 0.05, BAND)
    }

    /// Far outside of the band, the interval has to leave out 1: n = 10 * (half width / ln ratio)^2,
    /// at ratios that are a quartile off.
    #[test]
    fn quartiles_have_a_closed_form() {
        let (mean, half_width) = (1.3f64.ln(), 0.4);
        let quartile = QUARTILE * half_width / quantile(CONFIDENCE, 9.0);
        let closed = |mean: f64| 10.0 * (half_width / mean).powi(2);
        let found = of(1.3, half_width);
        let [low, high] = [found.low, found.high].map(|n| f64::from(n.unwrap()));
        // The test may take some launches less than the interval, whose quantile stays.
        for (found, expected) in [(low, closed(mean + quartile)), (high, closed(mean - quartile))] {
            assert!((found - expected).abs() <= 1.0 + 0.1 * expected, "{found} {expected}");
        }
        assert!(low < high);
    }

    /// At the edge, a little more or less decides whether it takes 40 launches or a million.
    #[test]
    fn near_the_edge_the_most_is_unbounded() {
        for ratio in [0.965, 0.98, 1.02, 1.03, 1.04] {
            let found = of(ratio, 0.08);
            assert_eq!(found.high, None, "{ratio}: {found:?}");
        }
        assert!(of(1.0, 0.04).high.is_some() && of(1.3, 0.4).high.is_some());
    }

    /// A small change of the estimate never turns a bounded range into one that lies elsewhere.
    #[test]
    fn ranges_of_neighbours_overlap() {
        let ranges: Vec<LaunchesNeeded> =
            (0..=400).map(|step| of(0.8 + f64::from(step) * 0.001, 0.1)).collect();
        for pair in ranges.windows(2) {
            let high = |range: LaunchesNeeded| range.high.unwrap_or(u32::MAX);
            let low = |range: LaunchesNeeded| range.low.unwrap_or(MOST_NEEDED as u32);
            let is_overlapping = low(pair[0]) <= high(pair[1]) && low(pair[1]) <= high(pair[0]);
            assert!(is_overlapping, "{pair:?}");
        }
    }
}
