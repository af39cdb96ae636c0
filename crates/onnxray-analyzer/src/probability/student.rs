//! Student's t distribution, also with degrees of freedom that are not whole
//! number, as Welch's interval has them.
//!
//! Both functions are right to one part in 10⁹. The quantile of `statrs` is so up to
//! some thousand degrees, and off by three parts in a thousand at a million; there the
//! expansion about the normal quantile takes over.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc_inv;
use std::f64::consts::SQRT_2;

/// From here on, four terms of the expansion leave less than one part in 10⁹.
const MANY_DEGREES: f64 = 2000.0;

/// Probability that |T| is at least `t` (0 or more), for `degrees` > 0.
///
/// It is the incomplete beta function I_x(degrees/2, 1/2) at
/// x = degrees/(degrees + t²) (Abramowitz and Stegun 26.7.1).
pub(crate) fn two_sided_tail(t: f64, degrees: f64) -> f64 {
    beta_reg(degrees / 2.0, 0.5, degrees / (degrees + t * t))
}

/// The t between whose negative and itself T lies with probability `confidence`
/// (above 0, below 1). Not a number if `degrees` is not above 0.
pub(crate) fn quantile(confidence: f64, degrees: f64) -> f64 {
    let tail = (1.0 - confidence) / 2.0;
    if degrees < MANY_DEGREES {
        return StudentsT::new(0.0, 1.0, degrees).map_or(f64::NAN, |t| -t.inverse_cdf(tail));
    }
    // Abramowitz and Stegun 26.7.5.
    let (z, n) = (SQRT_2 * erfc_inv(2.0 * tail), degrees);
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n)
}

#[cfg(test)]
mod tests {
    use super::super::references::{References, assert_close};
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn quantiles_are_those_of_scipy() {
        for case in References::read().cases("student_quantile") {
            let (confidence, degrees) = (case.number("confidence"), case.number("degrees"));
            let what = format!("{confidence} with {degrees} degrees");
            assert_close(quantile(confidence, degrees), case.number("t"), 1e-9, &what);
        }
    }

    /// From `scipy.stats.t.ppf(0.975, n)`.
    #[test]
    fn quantiles_of_few_launches_are_those_of_scipy() {
        for (degrees, expected) in [
            (1.0, 12.706204736174694),
            (4.0, 2.7764451051977934),
            (10.0, 2.2281388519862735),
            (11.0, 2.200985160091639),
            (15.0, 2.131449545559774),
            (30.0, 2.042272456301236),
            (99.0, 1.9842169515864165),
        ] {
            assert_close(quantile(0.95, degrees), expected, 1e-9, &degrees.to_string());
        }
    }

    #[test]
    fn tails_are_those_of_scipy() {
        for case in References::read().cases("student_tail") {
            let (t, degrees) = (case.number("t"), case.number("degrees"));
            let what = format!("{t} with {degrees} degrees");
            assert_close(two_sided_tail(t, degrees), case.number("p"), 1e-9, &what);
        }
    }

    /// Two terms of the expansion about the normal quantile.
    #[test]
    fn many_degrees_are_nearly_normal() {
        for degrees in [1e4, 123_456.7, 999_999.0, 1e6, 2e6] {
            let expected =
                1.959_963_984_540_054 + 2.372_271_230 / degrees + 2.822_5 / (degrees * degrees);
            assert_close(quantile(0.95, degrees), expected, 1e-9, &degrees.to_string());
        }
    }

    #[test]
    fn one_and_two_degrees_have_closed_forms() {
        for confidence in [0.01f64, 0.5, 0.9, 0.999] {
            let cauchy = (PI * confidence / 2.0).tan();
            assert_close(quantile(confidence, 1.0), cauchy, 1e-11, "1 degree");
            let two = confidence * (2.0 / (1.0 - confidence * confidence)).sqrt();
            assert_close(quantile(confidence, 2.0), two, 1e-11, "2 degrees");
        }
    }
}
