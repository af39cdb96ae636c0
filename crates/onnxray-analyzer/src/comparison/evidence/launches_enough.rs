//! How many launches a recording needs before it is compared.

use super::detectable::minimum_detectable_effect;
use super::u_test::smallest_p;
use crate::probability::quantile;
use crate::statistics::FEWEST_UNITS;

/// A layer of at least this share of the time should be found if it alone changes.
pub(crate) const SMALL_LAYER: f64 = 0.01;
/// Nobody is asked for more.
const MOST: usize = 100;
const CONFIDENCE: f64 = 0.95;

/// Launches on each side below which no difference can be detected, however large.
pub(crate) fn fewest_launches(alpha: f64) -> usize {
    launches_for(1.0, alpha)
}

/// Launches on each side from which on a small layer is found if it alone changes: what
/// `check` asks of a recording, and what `compare` advises.
pub(crate) fn launches_enough(alpha: f64) -> usize {
    launches_for(SMALL_LAYER, alpha)
}

/// In turns of iterations a change of 3 % should be found, in a layer of 2 % of the time:
/// few of the layers that anyone looks at take less.
const SMALL_CHANGE: f64 = 0.03;
const PAIRED_LAYER: f64 = 0.02;
/// By so much the ratio of an operator scatters from launch to launch where both sides
/// run in turns of iterations, as a standard deviation: measured on two shared cores.
const PAIRED_DEVIATION: f64 = 0.015;

/// Launches in turns of iterations below which there are only blocks of iterations.
pub(crate) fn fewest_launches_of_pairs() -> usize {
    FEWEST_UNITS
}

/// Launches in turns of iterations from which on such a change is found in four of five
/// cases if the layer alone changes.
pub(crate) fn launches_enough_of_pairs(alpha: f64) -> usize {
    let finds = |launches: &usize| {
        let degrees = *launches as f64 - 1.0;
        let deviation = PAIRED_DEVIATION / (*launches as f64).sqrt();
        let half_width = quantile(CONFIDENCE, degrees) * deviation;
        minimum_detectable_effect(half_width, CONFIDENCE, degrees, PAIRED_LAYER * alpha)
            .is_some_and(|effect| effect <= SMALL_CHANGE)
    };
    (FEWEST_UNITS..MOST).find(finds).unwrap_or(MOST)
}

/// The share of the time that a layer must take to be found if it alone changes, from the
/// least p that the test of so many launches reaches; above 1 where nothing is found.
pub(crate) fn detectable_share(smallest_p: f64, alpha: f64) -> f64 {
    smallest_p / alpha
}

fn launches_for(share: f64, alpha: f64) -> usize {
    let found = (2..MOST).find(|&n| detectable_share(smallest_p(n, n), alpha) <= share);
    found.unwrap_or(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 / (2n choose n): 3 against 3 reach 0.1, 4 against 4 0.029, 7 against 7 0.00058,
    /// 8 against 8 0.00016.
    #[test]
    fn eight_launches_find_a_small_layer_and_four_find_anything() {
        assert_eq!((fewest_launches(0.05), launches_enough(0.05)), (4, 8));
        assert_eq!((fewest_launches(0.2), launches_enough(0.2)), (3, 7));
        assert_eq!(launches_enough(1e-80), 100);
    }

    #[test]
    fn ten_launches_in_turns_of_iterations_find_a_small_change() {
        assert_eq!((fewest_launches_of_pairs(), launches_enough_of_pairs(0.05)), (3, 10));
        assert_eq!(launches_enough_of_pairs(0.0), 100);
    }
}
