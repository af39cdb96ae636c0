//! p-values of many tests, adjusted so that of the differences found, no more
//! than a given share is expected to be false.

/// Benjamini and Hochberg's adjusted p-values (1995, "Controlling the false
/// discovery rate"), in the order given: a test whose adjusted p is at most α is
/// among the discoveries at a false discovery rate of α.
///
/// With one weight per test, p/weight takes the place of p (Genovese, Roeder and
/// Wasserman 2006, "False discovery control with p-value weighting"); the rate is
/// held if the weights do not depend on what is tested. They are finite and at
/// least 0, and are scaled to a mean of 1 here. A test of weight 0, or without a
/// weight, is never a discovery.
pub(crate) fn adjust(p: &[f64], weights: Option<&[f64]>) -> Vec<f64> {
    let count = p.len();
    let of = |at: usize| weights.map_or(1.0, |weights| weight(weights, at));
    let mean = (0..count).map(of).sum::<f64>() / count as f64;
    adjust_some(p, weights, count, mean)
}

/// The same of some of `count` tests, whose weights have this mean. The others are
/// never discoveries, whatever their weight: as if their p over it were 1.
pub(crate) fn adjust_some(p: &[f64], weights: Option<&[f64]>, count: usize, mean: f64) -> Vec<f64> {
    let weighted: Vec<f64> = match weights {
        None => p.to_vec(),
        Some(weights) => {
            let by_weight = |(at, &p): (usize, &f64)| match weight(weights, at) {
                // A weight / mean has a mean of 1 over all tests.
                weight if weight > 0.0 => (p * mean / weight).min(1.0),
                _ => 1.0,
            };
            p.iter().enumerate().map(by_weight).collect()
        }
    };
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| weighted[a].total_cmp(&weighted[b]));
    let mut adjusted = vec![1.0; p.len()];
    // From the largest down: no smaller p is adjusted to more than a larger one.
    let mut least: f64 = 1.0;
    for (place, &at) in order.iter().enumerate().rev() {
        // Benjamini and Hochberg's step up: p * tests / rank.
        least = least.min(weighted[at] * count as f64 / (place + 1) as f64);
        adjusted[at] = least;
    }
    adjusted
}

fn weight(weights: &[f64], at: usize) -> f64 {
    weights.get(at).copied().unwrap_or(0.0f64).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use crate::probability::references::{References, assert_close};

    #[test]
    fn adjusted_values_are_those_of_statsmodels() {
        let references = References::read();
        for name in ["benjamini_hochberg", "benjamini_hochberg_weighted"] {
            for case in references.cases(name) {
                let weights = (name == "benjamini_hochberg_weighted").then(|| case.numbers("w"));
                let found = adjust(&case.numbers("p"), weights.as_deref());
                for (found, expected) in found.iter().zip(case.numbers("adjusted")) {
                    assert_close(*found, expected, 1e-12, name);
                }
            }
        }
    }

    #[test]
    fn equal_weights_are_none() {
        let p = [0.01, 0.5, 0.03, 0.04, 1.0];
        for (found, expected) in adjust(&p, Some(&[7.0; 5])).iter().zip(adjust(&p, None)) {
            assert_close(*found, expected, 1e-12, "weights of 7");
        }
    }

    #[test]
    fn a_test_without_weight_is_no_discovery() {
        assert_eq!(adjust(&[0.0, 0.01], Some(&[0.0, 3.0])), [1.0, 0.01]);
        assert_eq!(adjust(&[0.0, 0.01], Some(&[0.0, 0.0])), [1.0, 1.0]);
        assert_eq!(adjust(&[0.01, 0.01], Some(&[1.0])), [0.01, 1.0]);
        assert_eq!(adjust(&[], None), [0.0; 0]);
        assert_eq!(adjust(&[], Some(&[])), [0.0; 0]);
    }

    #[test]
    fn tests_that_are_not_listed_are_as_those_of_a_p_of_1() {
        let (p, weights) = ([0.001, 0.02, 0.03, 1.0, 1.0], [1.0, 3.0, 0.5, 0.7, 1.3]);
        let mean = weights.iter().sum::<f64>() / 5.0;
        let some = adjust_some(&p[..3], Some(&weights[..3]), 5, mean);
        assert_eq!(some, adjust(&p, Some(&weights))[..3]);
        assert_eq!(adjust_some(&p[..3], None, 5, 1.0), adjust(&p, None)[..3]);
    }

    /// Where nothing differs every discovery is false: there is one in at most α
    /// of all comparisons.
    #[test]
    fn discoveries_where_nothing_differs_are_rare() {
        let mut random = Generator::new(4);
        let weights: Vec<f64> = (1..=20).map(f64::from).collect();
        for weights in [None, Some(&weights[..])] {
            let mut uniform = || (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
            let comparisons = 4000;
            let with_discovery = (0..comparisons).filter(|_| {
                let p: Vec<f64> = (0..20).map(|_| uniform()).collect();
                adjust(&p, weights).iter().any(|&adjusted| adjusted <= 0.05)
            });
            // Three standard deviations above 5 %.
            let rate = with_discovery.count() as f64 / f64::from(comparisons);
            assert!(rate < 0.05 + 3.0 * (0.05f64 * 0.95 / 4000.0).sqrt(), "{rate}");
        }
    }
}
