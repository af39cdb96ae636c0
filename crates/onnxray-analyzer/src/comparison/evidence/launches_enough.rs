//! How many launches a recording needs before it is compared.

use super::u_test::smallest_p;

/// A layer of at least this share of the time should be found if it alone changes.
pub(crate) const SMALL_LAYER: f64 = 0.01;

/// Launches on each side below which no difference can be detected, however large.
pub(crate) fn fewest_launches(alpha: f64) -> usize {
    launches_for(1.0, alpha)
}

/// Launches on each side from which on a small layer is found if it alone changes: what
/// `check` asks of a recording, and what `compare` advises.
pub(crate) fn launches_enough(alpha: f64) -> usize {
    launches_for(SMALL_LAYER, alpha)
}

/// The share of the time that a layer must take to be found if it alone changes, from the
/// least p that the test of so many launches reaches; above 1 where nothing is found.
pub(crate) fn detectable_share(smallest_p: f64, alpha: f64) -> f64 {
    smallest_p / alpha
}

fn launches_for(share: f64, alpha: f64) -> usize {
    const MOST: usize = 100;
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
}
