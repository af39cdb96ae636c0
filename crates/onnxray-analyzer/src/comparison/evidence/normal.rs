//! The tail of the normal distribution, for tests of samples too large for an
//! exact one.

use std::f64::consts::{PI, SQRT_2};

/// Below, erf is summed up; from here on, the continued fraction of erfc
/// converges quickly.
const FAR: f64 = 2.0;
/// Terms of the continued fraction; at 2 they give 15 digits.
const TERMS: u32 = 120;

/// Probability that a standard normal variable is at least `z`; right to
/// one part in 10¹².
pub fn upper_tail(z: f64) -> f64 {
    let x = z.abs() / SQRT_2;
    let tail = if x < FAR { 0.5 - erf(x) / 2.0 } else { erfc(x) / 2.0 };
    if z < 0.0 { 1.0 - tail } else { tail }
}

/// erf(x) = 2/√π · exp(-x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·…·(2n+1)) (Abramowitz and Stegun
/// 7.1.6): no term is negative, so that nothing cancels.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > sum * f64::EPSILON {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// erfc(x) = exp(-x²)/√π · 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))), for
/// x > 0 (Abramowitz and Stegun 7.1.14), from the innermost term outwards.
fn erfc(x: f64) -> f64 {
    let fraction = (1..=TERMS).rev().fold(x, |inner, n| x + f64::from(n) / 2.0 / inner);
    (-x * x).exp() / PI.sqrt() / fraction
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
    fn both_forms_meet() {
        assert_close(1.0 - erf(FAR), erfc(FAR), 1e-12, "erfc(2)");
        assert_eq!(upper_tail(0.0), 0.5);
    }
}
