//! The normal distribution.

use std::f64::consts::SQRT_2;

/// The 97.5 % quantile.
pub(crate) const NORMAL_975: f64 = 1.959_963_984_540_054;

/// Probability that a standard normal variable is at least `z`; right to one part in
/// 10¹². (With the erfc of `statrs` it would be one in 10¹⁰.)
pub(crate) fn upper_tail(z: f64) -> f64 {
    libm::erfc(z / SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::references::{References, assert_close};
    use super::*;

    #[test]
    fn tails_are_those_of_scipy() {
        for case in References::read().cases("normal_upper_tail") {
            let (z, expected) = (case.number("z"), case.number("p"));
            assert_close(upper_tail(z), expected, 1e-12, &format!("z = {z}"));
        }
    }

    #[test]
    fn the_quantile_is_that_of_a_95_percent_interval() {
        assert_close(upper_tail(NORMAL_975), 0.025, 1e-14, "tail");
        assert_eq!(upper_tail(0.0), 0.5);
    }
}
