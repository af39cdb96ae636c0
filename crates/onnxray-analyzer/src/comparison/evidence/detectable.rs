//! The smallest difference that a recording could have shown.

use crate::probability::{quantile, upper_tail};

/// How often a difference of that size is found.
const POWER: f64 = 0.8;
/// Places at which the spread that a recording happens to have is looked at.
const PLACES: usize = 200;
/// Of the range in which the effect lies: to one part in a million.
const HALVINGS: usize = 22;
/// Beyond, nothing is detectable.
const LARGEST: f64 = 1e6;

/// The minimum detectable effect, as a share of the baseline's time: the difference that
/// a test at `level` finds with a probability of 80 % (Bloom 1995, "Minimum detectable
/// effects: a simple way to report the statistical power of experimental designs").
/// `None` if there is none.
///
/// `half_width` is that of an interval of such `confidence` of the logarithm of the ratio,
/// with so many `degrees` of freedom; `level` is the p that the difference must reach.
pub(crate) fn minimum_detectable_effect(
    half_width: f64,
    confidence: f64,
    degrees: f64,
    level: f64,
) -> Option<f64> {
    if !(level > 0.0 && level < 1.0 && degrees > 0.0 && half_width >= 0.0) {
        return None;
    }
    let deviation = half_width / quantile(confidence, degrees);
    let effect = deviation * deviations_needed(quantile(1.0 - level, degrees), degrees)?;
    Some(effect.exp_m1()).filter(|effect| effect.is_finite())
}

/// How many deviations of its mean a difference must have for Student's t to exceed
/// `critical` with the power: the noncentrality of t.
fn deviations_needed(critical: f64, degrees: f64) -> Option<f64> {
    if critical.is_nan() || critical > LARGEST {
        return None;
    }
    // The spread that is found, by the true one, has the density s^(n-1) exp(-n s^2 / 2).
    let wide = (2.0 * degrees).sqrt().recip();
    let (first, last) = ((1.0 - 8.0 * wide).max(0.0), 1.0 + 8.0 * wide);
    let spreads: Vec<(f64, f64)> = (0..PLACES)
        .map(|place| {
            let spread = first + (last - first) * (place as f64 + 0.5) / PLACES as f64;
            let density = (degrees - 1.0) * spread.ln() - degrees * (spread * spread - 1.0) / 2.0;
            (spread, density.exp())
        })
        .collect();
    let all: f64 = spreads.iter().map(|(_, density)| density).sum();
    let power = |deviations: f64| {
        let found = spreads
            .iter()
            .map(|(spread, density)| density * upper_tail(critical * spread - deviations));
        found.sum::<f64>() / all
    };
    // At that many deviations, half of all are found at least.
    let (mut low, mut high) = (0.0, 2.0 * critical + 2.0);
    while power(high) < POWER {
        high *= 2.0;
        if high > LARGEST {
            return None;
        }
    }
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        *if power(middle) < POWER { &mut low } else { &mut high } = middle;
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two degrees of freedom, the square of the spread is exponential: a critical
    /// t beside which the normal noise is nothing is exceeded by `deviations` if the
    /// spread is below deviations / critical, which has the probability
    /// 1 - exp(-(deviations / critical)^2).
    #[test]
    fn a_rare_level_of_three_launches_has_a_closed_form() {
        let found = deviations_needed(1000.0, 2.0).unwrap() / 1000.0;
        assert!((found / 5f64.ln().sqrt() - 1.0).abs() < 0.01, "{found}");
    }

    /// With many launches the sum of normal quantiles, 1.96 and 0.84.
    #[test]
    fn many_launches_have_no_spread_of_their_spread() {
        let found = deviations_needed(1.959963984540054, 1e5).unwrap();
        assert!((found - (1.959963984540054 + 0.8416212335729143)).abs() < 1e-3, "{found}");
    }

    /// The sum of Student's quantiles is near enough where launches are not few.
    #[test]
    fn an_effect_is_as_many_deviations_as_needed() {
        let [t975, needed] =
            [2.2621571627409915f64, deviations_needed(2.2621571627409915, 9.0).unwrap()];
        let found = minimum_detectable_effect(0.01, 0.95, 9.0, 0.05).unwrap();
        assert!((found - (0.01 * needed / t975).exp_m1()).abs() < 1e-12, "{found}");
        assert!((needed - (t975 + 0.8834)).abs() < 0.03, "{needed}");
        let rarer = minimum_detectable_effect(0.01, 0.95, 9.0, 0.001).unwrap();
        assert!(rarer > 1.5 * found, "{rarer}");
    }

    #[test]
    fn no_weight_and_no_interval_show_nothing() {
        assert_eq!(minimum_detectable_effect(0.01, 0.95, 9.0, 0.0), None);
        assert_eq!(minimum_detectable_effect(f64::INFINITY, 0.95, 9.0, 0.05), None);
        assert_eq!(minimum_detectable_effect(f64::NAN, 0.95, 9.0, 0.05), None);
        assert_eq!(minimum_detectable_effect(0.01, 0.95, 0.0, 0.05), None);
        assert_eq!(minimum_detectable_effect(0.01, 0.95, 1.0, 1e-300), None);
        assert_eq!(minimum_detectable_effect(0.0, 0.95, 2.0, 0.05), Some(0.0));
    }
}
