//! Verdict on a difference.

use super::ratio::RatioEstimate;

/// The second side next to the first, as a time: less of it is faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The second side takes less time: the test finds it, and it is enough to matter.
    Faster,
    /// The second side takes more time: the test finds it, and it is enough to matter.
    Slower,
    /// Any difference is too small to matter.
    Same,
    /// There may be a difference that matters, or none: the data leave it open.
    Inconclusive,
    /// Nothing was tested, so that nothing can be said.
    #[default]
    NotTested,
}

impl Verdict {
    /// Wording of reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Inconclusive => "inconclusive",
            Verdict::NotTested => "not tested",
        }
    }
}

/// Times that differ by no more clock steps than this are the same.
pub(crate) const TICKS: f64 = 2.0;

/// Differences too small to matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    /// Share of A's typical time, such as 0.03.
    pub share: f64,
    /// In nanoseconds: two steps of the coarser clock.
    pub ticks: f64,
}

impl Band {
    /// The largest difference from `location_a` that does not matter.
    pub(crate) fn half_width(self, location_a: f64) -> f64 {
        (self.share * location_a).max(self.ticks)
    }
}

/// Same if the interval of the difference lies within the band. Faster or slower if
/// the test finds a difference (its adjusted p is at most `alpha`), the interval
/// leaves out 0, and the difference lies outside of the band. Not tested if
/// `p_adjusted` is not a number.
///
/// The first needs an estimate within the band and the second one outside, so that
/// only one can be said.
pub(crate) fn verdict(
    estimate: &RatioEstimate,
    location_a: f64,
    p_adjusted: f64,
    alpha: f64,
    band: Band,
) -> Verdict {
    let band = band.half_width(location_a);
    let within = estimate.difference_low >= -band && estimate.difference_high <= band;
    let found = p_adjusted <= alpha && estimate.difference.abs() > band;
    // First: a NaN compares false, and an interval within the band would pass as same.
    if p_adjusted.is_nan() {
        Verdict::NotTested
    } else if within {
        Verdict::Same
    } else if found && estimate.difference_high < 0.0 {
        Verdict::Faster
    } else if found && estimate.difference_low > 0.0 {
        Verdict::Slower
    } else {
        Verdict::Inconclusive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences in milliseconds from 100 ms.
    fn of(low: f64, difference: f64, high: f64, p_adjusted: f64, ticks: f64) -> Verdict {
        let estimate = RatioEstimate {
            ratio: 1.0,
            ratio_low: 1.0,
            ratio_high: 1.0,
            difference,
            difference_low: low,
            difference_high: high,
        };
        verdict(&estimate, 100.0, p_adjusted, 0.05, Band { share: 0.03, ticks })
    }

    #[test]
    fn verdicts_follow_interval_test_and_band() {
        use Verdict::{Faster, Inconclusive, NotTested, Same, Slower};
        for (low, difference, high, p, ticks, expected) in [
            (5.0, 10.0, 15.0, 0.01, 0.0, Slower),
            (-15.0, -10.0, -5.0, 0.01, 0.0, Faster),
            // α itself is low enough.
            (5.0, 10.0, 15.0, 0.05, 0.0, Slower),
            // The test finds nothing.
            (5.0, 10.0, 15.0, 0.06, 0.0, Inconclusive),
            // The interval holds 0, or begins there.
            (-1.0, 10.0, 21.0, 0.01, 0.0, Inconclusive),
            (0.0, 10.0, 20.0, 0.01, 0.0, Inconclusive),
            (-20.0, -10.0, 0.0, 0.01, 0.0, Inconclusive),
            // The interval reaches into the band, which the estimate lies outside of.
            (1.0, 4.0, 7.0, 0.01, 0.0, Slower),
            // There is a difference, and it may or may not matter.
            (1.0, 2.5, 4.0, 0.01, 0.0, Inconclusive),
            (1.0, 3.0, 5.0, 0.01, 0.0, Inconclusive),
            // No difference that matters, found or not.
            (-1.0, 0.5, 2.0, 0.8, 0.0, Same),
            (1.0, 1.5, 2.0, 0.001, 0.0, Same),
            (-3.0, 0.0, 3.0, 1.0, 0.0, Same),
            (-3.0, 0.0, 3.1, 1.0, 0.0, Inconclusive),
            (-3.1, 0.0, 3.0, 1.0, 0.0, Inconclusive),
            // A coarse clock widens the band.
            (5.0, 10.0, 15.0, 0.01, 12.0, Inconclusive),
            (5.0, 10.0, 15.0, 0.01, 16.0, Same),
            // Nothing was tested.
            (-1.0, 0.0, 1.0, f64::NAN, 0.0, NotTested),
            (5.0, 10.0, 15.0, f64::NAN, 0.0, NotTested),
        ] {
            let found = of(low, difference, high, p, ticks);
            assert_eq!(found, expected, "{low} {difference} {high}, p {p}, ticks {ticks}");
        }
    }

    #[test]
    fn a_band_is_the_larger_of_share_and_ticks() {
        let band = Band { share: 0.03, ticks: 2.0 };
        assert_eq!(band.half_width(100.0), 3.0);
        assert_eq!(band.half_width(10.0), 2.0);
        assert_eq!(band.half_width(0.0), 2.0);
    }
}
