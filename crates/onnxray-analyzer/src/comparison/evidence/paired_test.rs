//! Wilcoxon's signed-rank test: do differences within pairs tend to one side?
//!
//! It assumes nothing but that, if nothing differs, each difference is as likely
//! to have either sign. Up to 60 pairs it counts all choices of signs; beyond, the
//! normal distribution is near enough.
//!
//! Differences of zero take part in the ranking, and their ranks are then left out
//! (Pratt 1959, "Remarks on zeros and ties in the Wilcoxon signed rank
//! procedures"). Were they dropped before, as in Wilcoxon's paper, the differences
//! next to zero would get the lowest ranks whether there are many zeros or none,
//! and moving all differences away from zero could make the evidence weaker.

use crate::probability::Ranks;
use crate::probability::upper_tail;

/// Most pairs for which choices of signs are counted.
const MOST_EXACT: usize = 60;

/// Two-sided p of differences; 1 if all are zero, `None` if there are none.
pub(crate) fn paired_test(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = Ranks::of(&sizes).doubled;
    // Zeros have no sign that could be changed.
    let signed = || ranks.iter().zip(differences).filter(|&(_, &difference)| difference != 0.0);
    let ranks_of_signs: Vec<usize> = signed().map(|(&rank, _)| rank).collect();
    let positive = signed().filter(|&(_, &difference)| difference > 0.0);
    let positive: usize = positive.map(|(rank, _)| rank).sum();
    let p = match ranks_of_signs.len() {
        0 => 1.0,
        _ if differences.len() <= MOST_EXACT => exact(&ranks_of_signs, positive),
        _ => approximate(&ranks_of_signs, positive),
    };
    Some(p)
}

/// The least two-sided p that so many pairs can reach: all differences of one
/// sign, or all of the other.
#[cfg(test)]
pub(crate) fn smallest_paired_p(pairs: usize) -> f64 {
    (2.0 * 0.5f64.powf(pairs as f64)).min(1.0)
}

/// Twice the share of choices of signs whose sum of positive ranks is as far from
/// the middle as the one seen. Changing all signs mirrors the sums, so that both
/// tails are equally likely.
fn exact(ranks: &[usize], positive: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    let limit = positive.min(total - positive);
    // shares[s]: of the choices among the ranks so far, those with sum s.
    let mut shares = vec![0.0; limit + 1];
    shares[0] = 1.0;
    for &rank in ranks {
        // Larger sums first, so that no rank is taken twice.
        for sum in (0..=limit).rev() {
            let with = sum.checked_sub(rank).map_or(0.0, |before| shares[before]);
            shares[sum] = (shares[sum] + with) / 2.0;
        }
    }
    (2.0 * shares.iter().sum::<f64>()).min(1.0)
}

/// p from the normal distribution with the mean and the variance of the sum over
/// all choices of signs, and a continuity correction of half a rank.
fn approximate(ranks: &[usize], positive: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    let distance = (positive as f64 - total as f64 / 2.0).abs() / 2.0;
    // Every rank counts or not: its variance is a quarter of its square.
    let squares: f64 = ranks.iter().map(|&rank| (rank as f64 / 2.0).powi(2)).sum();
    (2.0 * upper_tail((distance - 0.5) / (squares / 4.0).sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use crate::probability::references::{References, assert_close};

    #[test]
    fn p_values_are_those_of_scipy() {
        let references = References::read();
        for name in ["paired_exact", "paired_ties", "paired_approximate"] {
            for case in references.cases(name) {
                let differences = case.numbers("differences");
                let what = format!("{name}, {} pairs", differences.len());
                let found = paired_test(&differences).unwrap();
                assert_close(found, case.number("p"), 1e-10, &what);
            }
        }
    }

    /// The share of choices of signs, zeros' included, whose sum is as extreme.
    fn by_enumeration(differences: &[f64]) -> f64 {
        let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
        let ranks = Ranks::of(&sizes).doubled;
        let sum = |positive: &dyn Fn(usize) -> bool| -> i64 {
            let signed = (0..sizes.len()).filter(|&at| sizes[at] != 0.0);
            signed.map(|at| if positive(at) { ranks[at] as i64 } else { -(ranks[at] as i64) }).sum()
        };
        let seen = sum(&|at| differences[at] > 0.0).abs();
        let choices = 1u32 << sizes.len();
        let extreme = (0..choices).filter(|signs| sum(&|at| signs >> at & 1 == 1).abs() >= seen);
        extreme.count() as f64 / f64::from(choices)
    }

    #[test]
    fn exact_p_values_count_all_signs() {
        let mut random = Generator::new(3);
        for round in 0..600 {
            // Few different values make ties and zeros; many make none.
            let different = [1, 2, 4, 1000][round % 4];
            let count = 1 + random.below(10);
            let differences: Vec<f64> = (0..count)
                .map(|_| random.below(2 * different + 1) as f64 - different as f64)
                .collect();
            let found = paired_test(&differences).unwrap();
            assert_close(found, by_enumeration(&differences), 1e-12, &format!("{differences:?}"));
            let mirrored: Vec<f64> = differences.iter().map(|difference| -difference).collect();
            assert_eq!(paired_test(&mirrored), Some(found));
        }
    }

    #[test]
    fn the_smallest_p_is_that_of_one_sign() {
        for pairs in 1..=60 {
            let differences: Vec<f64> = (1..=pairs).map(|value| value as f64).collect();
            let found = paired_test(&differences).unwrap();
            assert_close(found, smallest_paired_p(pairs), 1e-12, &format!("{pairs} pairs"));
        }
        assert_eq!(smallest_paired_p(0), 1.0);
        assert_eq!(smallest_paired_p(6), 0.03125);
    }

    #[test]
    fn no_difference_is_no_evidence() {
        assert_eq!(paired_test(&[]), None);
        assert_eq!(paired_test(&[0.0, 0.0, -0.0]), Some(1.0));
        assert_eq!(paired_test(&[0.0; 100]), Some(1.0));
    }
}
