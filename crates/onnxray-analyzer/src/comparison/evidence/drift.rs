//! Dependence of values on their order in time: trend and autocorrelation.

use crate::probability::{Ranks, squared_deviations, two_sided_tail};

const FEWEST: usize = 3;
/// Up to this many values all orders are counted: 8! = 40,320.
const MOST_EXACT: usize = 8;
/// Largest factor: with stronger autocorrelation, the values tell next to nothing.
const MOST_INFLATION: f64 = 5.0;

/// Spearman's rank correlation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Correlation {
    /// From -1 (falling throughout) to 1 (rising throughout).
    pub rho: f64,
    /// Two-sided p of no correlation.
    pub p: f64,
}

/// Of values with their position: do they rise or fall over time? `None` with fewer
/// than three values, or if all are equal.
///
/// Up to 8 values, p is the share of all orders of the values with a correlation at
/// least as far from 0; beyond, it is that of Student's t with two degrees of
/// freedom fewer than values (Kendall and Stuart 1973, section 31.19).
pub(crate) fn spearman(values: &[f64]) -> Option<Correlation> {
    let ranks = Ranks::of(values);
    if values.len() < FEWEST || ranks.distinct < 2 {
        return None;
    }
    let positions: Vec<usize> = (1..=values.len()).map(|position| 2 * position).collect();
    // Doubled deviations are whole, and so are the sums of their products.
    let centered = |doubled: &[usize]| -> Vec<i64> {
        doubled.iter().map(|&rank| rank as i64 - values.len() as i64 - 1).collect()
    };
    let (places, heights) = (centered(&positions), centered(&ranks.doubled));
    let products: i64 = places.iter().zip(&heights).map(|(place, height)| place * height).sum();
    let scale = (squared_deviations(&positions) * squared_deviations(&ranks.doubled)).sqrt();
    // Rounding may leave |rho| a little above 1, and the root below would be of a negative number.
    let rho = (products as f64 / scale).clamp(-1.0, 1.0);
    let p = if values.len() <= MOST_EXACT {
        let (extreme, all) = count_orders(&places, &mut heights.clone(), 0, products.abs());
        extreme as f64 / all as f64
    } else {
        let degrees = values.len() as f64 - 2.0;
        two_sided_tail(rho.abs() * (degrees / (1.0 - rho * rho)).sqrt(), degrees)
    };
    Some(Correlation { rho, p })
}

/// Orders of `heights`, whose products with the first of `places` sum to `sum`: how
/// many end at `least` or further from 0, and how many there are.
fn count_orders(places: &[i64], heights: &mut [i64], sum: i64, least: i64) -> (u32, u32) {
    let Some((place, places)) = places.split_first() else {
        return (u32::from(sum.abs() >= least), 1);
    };
    let (mut extreme, mut all) = (0, 0);
    for chosen in 0..heights.len() {
        // Each height in turn takes the first place; the swap is undone before the next one.
        heights.swap(0, chosen);
        let (height, rest) = (heights[0], &mut heights[1..]);
        let (of_extreme, of_all) = count_orders(places, rest, sum + place * height, least);
        extreme += of_extreme;
        all += of_all;
        heights.swap(0, chosen);
    }
    (extreme, all)
}

/// Correlation of values with the next ones: Σ (xᵢ - x̄)(xᵢ₊₁ - x̄) / Σ (xᵢ - x̄)² (Box
/// and Jenkins 1976, section 2.1.5). `None` with fewer than three values, or if all
/// are equal.
pub(crate) fn autocorrelation(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let squares: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
    let products: f64 = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum();
    // Equal values may differ from their rounded mean.
    let equal = values.windows(2).all(|pair| pair[0] == pair[1]);
    (values.len() >= FEWEST && !equal && squares > 0.0).then_some(products / squares)
}

/// By what factor the deviation of a mean of such values is larger than if they were
/// independent: √((1 + r)/(1 - r)) for a correlation r with the next value that fades
/// geometrically (first-order autoregression), from 1 to 5. Negative correlation
/// narrows nothing.
pub(crate) fn inflation(values: &[f64]) -> f64 {
    let r = autocorrelation(values).unwrap_or(0.0).max(0.0);
    ((1.0 + r) / (1.0 - r)).sqrt().clamp(1.0, MOST_INFLATION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::{References, assert_close};

    #[test]
    fn correlations_are_those_of_scipy() {
        let references = References::read();
        for name in ["spearman_exact", "spearman_approximate"] {
            for case in references.cases(name) {
                let values = case.numbers("values");
                let found = spearman(&values).unwrap();
                let what = format!("{name} {values:?}");
                assert!((found.rho - case.number("rho")).abs() < 1e-12, "{what}: {found:?}");
                assert_close(found.p, case.number("p"), 1e-9, &what);
            }
        }
    }

    #[test]
    fn autocorrelations_are_those_of_statsmodels() {
        for case in References::read().cases("autocorrelation") {
            let found = autocorrelation(&case.numbers("values")).unwrap();
            assert!((found - case.number("r")).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn rising_throughout_is_the_most_extreme_order() {
        let rising: Vec<f64> = (0..5).map(f64::from).collect();
        assert_eq!(spearman(&rising), Some(Correlation { rho: 1.0, p: 2.0 / 120.0 }));
        let falling: Vec<f64> = (0..20).rev().map(f64::from).collect();
        assert_eq!(spearman(&falling), Some(Correlation { rho: -1.0, p: 0.0 }));
    }

    #[test]
    fn too_few_or_equal_values_have_no_order() {
        for values in [&[][..], &[1.0, 2.0], &[0.1; 10]] {
            assert_eq!(spearman(values), None);
            assert_eq!(autocorrelation(values), None);
            assert_eq!(inflation(values), 1.0);
        }
    }

    #[test]
    fn values_that_follow_each_other_tell_less() {
        let alternating: Vec<f64> = (0..20).map(|at| f64::from(at % 2)).collect();
        assert_eq!(inflation(&alternating), 1.0);
        let steps: Vec<f64> = (0..1000).map(|at| f64::from(at / 500)).collect();
        assert_eq!(inflation(&steps), 5.0);
        let runs: Vec<f64> = (0..40).map(|at| f64::from(at / 2 % 2)).collect();
        assert!((1.0..1.1).contains(&inflation(&runs)), "{}", inflation(&runs));
    }
}
