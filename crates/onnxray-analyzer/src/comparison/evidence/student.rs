//! Student's t distribution, also with degrees of freedom that are no whole
//! number, as Welch's interval has them.

use std::f64::consts::{LN_2, PI};

/// Half of ln 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;
/// From here on, Stirling's series with five terms has 14 digits.
const LARGE: f64 = 10.0;
/// Terms of a continued fraction that should long have converged.
const MOST_STEPS: usize = 10_000;
/// Newton's method takes about six.
const MOST_NEWTON_STEPS: usize = 50;

/// Probability that |T| is at least `t` (0 or more), for `degrees` > 0.
///
/// It is the incomplete beta function I_x(degrees/2, 1/2) at
/// x = degrees/(degrees + t²) (Abramowitz and Stegun 26.7.1).
pub fn two_sided_tail(t: f64, degrees: f64) -> f64 {
    // x and 1 - x apart, so that neither loses digits; also for an infinite t.
    let (x, rest) = (degrees / (degrees + t * t), 1.0 / (1.0 + degrees / (t * t)));
    let (a, b) = (degrees / 2.0, 0.5);
    let power = a * x.ln() + b * rest.ln();
    let scale = |first: f64| (power - ln_beta_with_half(a)).exp() / first;
    if rest <= 0.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        scale(a) * beta_fraction(x, a, b)
    } else {
        1.0 - scale(b) * beta_fraction(rest, b, a)
    }
}

/// The t between whose negative and itself T lies with probability `confidence`
/// (above 0, below 1). Right to one part in 10⁹ for degrees from 1 to a million.
pub fn quantile(confidence: f64, degrees: f64) -> f64 {
    let target = (1.0 - confidence).ln();
    let ln_scale = -ln_beta_with_half(degrees / 2.0) - degrees.ln() / 2.0;
    // Newton's method with logarithms of both: the logarithm of the tail is concave
    // in the logarithm of t, hence every step from the second on comes from the
    // right and none overshoots.
    let mut ln_t = LN_2;
    for _ in 0..MOST_NEWTON_STEPS {
        let t = ln_t.exp();
        let tail = two_sided_tail(t, degrees);
        let density = (ln_scale - (degrees + 1.0) / 2.0 * (t * t / degrees).ln_1p()).exp();
        let step = (tail.ln() - target) * tail / (2.0 * t * density);
        ln_t += step;
        // Errors are squared from step to step: less is but the tail's rounding, which
        // with many degrees never ends.
        if step.abs() < 1e-8 {
            break;
        }
    }
    ln_t.exp()
}

/// ln B(a, 1/2) = ln Γ(a) + ln √π - ln Γ(a + 1/2).
fn ln_beta_with_half(a: f64) -> f64 {
    ln_gamma(a) + PI.ln() / 2.0 - ln_gamma(a + 0.5)
}

/// ln Γ(x) for x > 0, by Stirling's series (Abramowitz and Stegun 6.1.41) at a
/// larger argument, from which Γ(x + 1) = x Γ(x) leads back.
fn ln_gamma(x: f64) -> f64 {
    let (mut large, mut product) = (x, 1.0);
    while large < LARGE {
        product *= large;
        large += 1.0;
    }
    let square = large * large;
    let series = 1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square)
            / square;
    (large - 0.5) * large.ln() - large + HALF_LN_TAU + series / large - product.ln()
}

/// The continued fraction of the incomplete beta function, without the factor
/// x^a (1-x)^b / (a B(a, b)) (Abramowitz and Stegun 26.5.8). It is the ratio of two
/// sequences with the same recurrence; their last members are kept divided by
/// the newest denominator, so that they never overflow.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let (mut above, mut above_before) = (1.0, 0.0);
    let mut below_before = 1.0;
    let mut value = 1.0;
    // The first numerator is 1 and its denominator 1; those of the loop follow.
    for step in 1..MOST_STEPS {
        let m = (step / 2) as f64;
        let numerator = if step % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        let next_above = above + numerator * above_before;
        let next_below = 1.0 + numerator * below_before;
        (above_before, above) = (above / next_below, next_above / next_below);
        below_before = 1.0 / next_below;
        let change = (above - value).abs();
        value = above;
        if change <= value.abs() * f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::super::references::{References, assert_close};
    use super::*;

    #[test]
    fn quantiles_are_those_of_scipy() {
        for case in References::read().cases("student_quantile") {
            let (confidence, degrees) = (case.number("confidence"), case.number("degrees"));
            let what = format!("{confidence} with {degrees} degrees");
            assert_close(quantile(confidence, degrees), case.number("t"), 1e-9, &what);
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

    /// Two terms of the expansion about the normal quantile (Abramowitz and Stegun
    /// 26.7.5); also where rounding keeps Newton's steps from ever being 0.
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
