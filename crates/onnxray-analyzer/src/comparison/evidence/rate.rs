//! Interval of a rate.

use crate::probability::NORMAL_975 as Z;

/// The ends of Wilson's 95 % interval of a rate (1927, "Probable inference, the law
/// of succession, and statistical inference"), from 0 to 1. Unlike the rate ± two
/// deviations it says something, too, where none or all of the trials were hits.
/// Without trials it is everything. More hits than trials count as all.
pub(crate) fn wilson(hits: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (hits, count) = (hits.min(trials), trials as f64);
    let rate = hits as f64 / count;
    let scale = 1.0 + Z * Z / count;
    let center = (rate + Z * Z / (2.0 * count)) / scale;
    let reach = Z / scale * (rate * (1.0 - rate) / count + (Z / (2.0 * count)).powi(2)).sqrt();
    // At the edges rounding would leave a trace of the other side.
    let low = if hits == 0 { 0.0 } else { (center - reach).max(0.0) };
    let high = if hits == trials { 1.0 } else { (center + reach).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::References;

    #[test]
    fn intervals_are_those_of_statsmodels() {
        for case in References::read().cases("wilson") {
            let (hits, trials) = (case.number("hits") as u64, case.number("trials") as u64);
            let (low, high) = wilson(hits, trials);
            let what = format!("{hits} of {trials}: {low} {high}");
            assert!((low - case.number("low")).abs() < 1e-12, "{what}");
            assert!((high - case.number("high")).abs() < 1e-12, "{what}");
        }
    }

    #[test]
    fn edges_are_exact() {
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(0, 10).0, 0.0);
        assert_eq!(wilson(10, 10).1, 1.0);
        assert_eq!(wilson(11, 10), wilson(10, 10));
    }
}
