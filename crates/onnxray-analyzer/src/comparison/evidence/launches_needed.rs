//! How many launches would settle what could not be told.

use super::ratio::RatioEstimate;
use super::verdict::Band;

/// Nobody makes more launches.
const MOST: usize = 1000;

/// Launches on each side with which a verdict can be expected, if the estimate and
/// the spread stay what they are; more than the `launches` that the smaller side
/// has, since those settled nothing. `None` if it takes more than 1,000, or if the
/// difference lies at the edge of the band, where nothing ever settles it.
///
/// With an estimate outside of the band, the interval has to leave out 0 and the
/// test to be able to reach `p_needed`, of which `smallest_p` tells the least that so
/// many launches reach, and which falls with their number; with one inside, the interval has to fit
/// into the band.
///
/// Intervals shrink with the root of the number of launches. With few launches they
/// shrink faster, since Student's quantile falls too; that is left as a margin. The
/// number says little where the estimate is far off: if a difference that does not
/// matter was estimated outside of the band, it will hardly be found again.
pub(crate) fn launches_needed(
    estimate: &RatioEstimate,
    location_a: f64,
    launches: usize,
    smallest_p: impl Fn(usize) -> f64,
    p_needed: f64,
    band: Band,
) -> Option<u32> {
    let band = band.half_width(location_a);
    let difference = estimate.difference;
    let (below, above) =
        (difference - estimate.difference_low, estimate.difference_high - difference);
    let outside = difference.abs() > band;
    let enough = |count: usize| {
        let shrinking = (launches as f64 / count as f64).sqrt();
        if outside {
            let towards_zero = if difference > 0.0 { below } else { above };
            towards_zero * shrinking < difference.abs() && smallest_p(count) <= p_needed
        } else {
            below * shrinking <= band + difference && above * shrinking <= band - difference
        }
    };
    let possible = (2..MOST).contains(&launches) && p_needed > 0.0;
    if !possible || !enough(MOST) {
        return None;
    }
    // More launches never tell less: search by halving.
    let (mut too_few, mut plenty) = (launches, MOST);
    while plenty - too_few > 1 {
        let middle = too_few.midpoint(plenty);
        if enough(middle) {
            plenty = middle;
        } else {
            too_few = middle;
        }
    }
    u32::try_from(plenty).ok()
}

#[cfg(test)]
mod tests {
    use super::super::paired_test::smallest_paired_p;
    use super::super::u_test::smallest_p;
    use super::*;

    const BAND: Band = Band { share: 0.03, ticks: 0.0 };

    /// From a location of 100, with an interval of `half` to both sides.
    fn needed(difference: f64, half: f64, launches: usize, p_needed: f64) -> Option<u32> {
        let estimate = RatioEstimate {
            ratio: None,
            ratio_low: None,
            ratio_high: None,
            difference,
            difference_low: difference - half,
            difference_high: difference + half,
        };
        launches_needed(&estimate, 100.0, launches, |n| smallest_p(n, n), p_needed, BAND)
    }

    #[test]
    fn an_interval_has_to_leave_out_zero_or_fit_into_the_band() {
        // 10 off, known to 20: four times as many reach half of that, and it takes less.
        assert_eq!(needed(10.0, 20.0, 10, 0.05), Some(41));
        assert_eq!(needed(-10.0, 20.0, 10, 0.05), Some(41));
        // 1 off, known to 4: it has to be known to 2.
        assert_eq!(needed(1.0, 4.0, 10, 0.05), Some(40));
        // 2 off with as wide an interval: it has to be known to 1.
        assert_eq!(needed(-2.0, 4.0, 10, 0.05), Some(160));
    }

    #[test]
    fn the_test_has_to_be_able_to_find_it() {
        // The interval is narrow enough; 3 against 3 reach 0.1, 4 against 4 0.029, and
        // 6 against 6 0.0022.
        assert_eq!(needed(10.0, 1.0, 3, 0.05), Some(4));
        assert_eq!(needed(10.0, 1.0, 3, 0.003), Some(6));
        assert_eq!(needed(10.0, 1.0, 3, 0.0), None);
        assert_eq!(needed(10.0, 1.0, 3, f64::NAN), None);
        let paired = |p_needed| {
            let estimate = RatioEstimate {
                ratio: None,
                ratio_low: None,
                ratio_high: None,
                difference: 10.0,
                difference_low: 9.0,
                difference_high: 11.0,
            };
            launches_needed(&estimate, 100.0, 3, smallest_paired_p, p_needed, BAND)
        };
        assert_eq!((paired(0.05), paired(0.001)), (Some(6), Some(11)));
    }

    #[test]
    fn some_things_never_settle() {
        assert_eq!(needed(3.0, 1.0, 10, 0.05), None);
        assert_eq!(needed(-3.0, 1.0, 10, 0.05), None);
        assert_eq!(needed(2.99, 5.0, 10, 0.05), None);
        assert_eq!(needed(4.0, 500.0, 10, 0.05), None);
        assert_eq!(needed(10.0, 20.0, 1, 0.05), None);
    }
}
