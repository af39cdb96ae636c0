//! The rank-sum test of Wilcoxon, Mann and Whitney: does one side tend to be
//! larger than the other?
//!
//! It assumes nothing but that, if nothing differs, every split of the values
//! into the two sides is equally likely. Up to 60 values it counts these splits,
//! also where values are tied; beyond, the normal distribution is near enough.

use crate::probability::{Ranks, squared_deviations, upper_tail};
use std::collections::HashMap;

/// Most values on both sides together for which splits are counted.
const MOST_EXACT: usize = 60;

/// The least two-sided p that `a` against `b` values can reach: one split of all,
/// and its mirror image. 1 if a side is empty.
pub(crate) fn smallest_p(a: usize, b: usize) -> f64 {
    (2.0 / splits(a + b, a.min(b))).min(1.0)
}

/// The test, which keeps what the next call needs again.
#[derive(Clone, Debug, Default)]
pub(crate) struct UTest {
    /// By sizes of the smaller and the larger side, without ties: the share of
    /// splits with the smaller side's sum of ranks at or below the least one plus
    /// the index, up to the middle.
    tails: HashMap<(usize, usize), Vec<f64>>,
    pooled: Vec<f64>,
}

impl UTest {
    /// Two-sided p: twice the smaller tail, at most 1. `None` if a side is empty.
    pub(crate) fn p(&mut self, a: &[f64], b: &[f64]) -> Option<f64> {
        let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        if small.is_empty() {
            return None;
        }
        self.pooled.clear();
        self.pooled.extend(small.iter().chain(large));
        let ranks = Ranks::of(&self.pooled);
        let p = if ranks.distinct == 1 {
            1.0
        } else if self.pooled.len() > MOST_EXACT {
            approximate(&ranks.doubled, small.len())
        } else if ranks.distinct < self.pooled.len() {
            exact(ranks.doubled, small.len())
        } else {
            self.without_ties(&ranks.doubled, small.len())
        };
        Some(p)
    }

    fn without_ties(&mut self, doubled: &[usize], small: usize) -> f64 {
        let large = doubled.len() - small;
        // U, from the smaller side's sum of doubled ranks; its distribution is
        // symmetric about the middle.
        let u = doubled[..small].iter().sum::<usize>() / 2 - small * (small + 1) / 2;
        let tails = self.tails.entry((small, large)).or_insert_with(|| {
            let values: Vec<usize> = (0..small + large).collect();
            let least = small * (small - 1) / 2;
            let all = splits(small + large, small);
            let counts = ways(&values, small, least + small * large / 2);
            let mut sum = 0.0;
            let shares = counts[least..].iter().map(|count| {
                sum += count;
                sum / all
            });
            shares.collect()
        });
        (2.0 * tails[u.min(small * large - u)]).min(1.0)
    }
}

/// p from all splits of tied ranks, of which the first `small` are one side's.
fn exact(mut doubled: Vec<usize>, small: usize) -> f64 {
    let all = splits(doubled.len(), small);
    let total: usize = doubled.iter().sum();
    let sum: usize = doubled[..small].iter().sum();
    // The tail on the side where the sum lies is counted, and on that side the
    // smaller one is: the other then is no less than about a half, and is
    // known well enough as the rest.
    let largest = doubled.iter().copied().max().unwrap_or(0);
    if sum * doubled.len() > small * total {
        doubled.iter_mut().for_each(|rank| *rank = largest - *rank);
    }
    // Shifting all ranks or dividing them changes no order of sums, and makes
    // the sums few.
    let least = doubled.iter().copied().min().unwrap_or(0);
    doubled.iter_mut().for_each(|rank| *rank -= least);
    let divisor = doubled.iter().fold(0, |divisor, &rank| common_divisor(divisor, rank)).max(1);
    doubled.iter_mut().for_each(|rank| *rank /= divisor);

    let sum: usize = doubled[..small].iter().sum();
    let counts = ways(&doubled, small, sum);
    let lower = counts.iter().sum::<f64>() / all;
    let upper = 1.0 - lower + counts[sum] / all;
    (2.0 * lower.min(upper)).min(1.0)
}

/// In how many ways `size` of the values have each sum up to `limit`.
///
/// One value after the other: a choice with this value and sum s is one without
/// it, of one value fewer, and sum s - value. Counts are whole; beyond 2⁵³ they are
/// rounded to 16 digits, and nothing is subtracted.
fn ways(values: &[usize], size: usize, limit: usize) -> Vec<f64> {
    let mut by_size = vec![vec![0.0; limit + 1]; size + 1];
    by_size[0][0] = 1.0;
    for (before, &value) in values.iter().enumerate().filter(|&(_, &value)| value <= limit) {
        // Larger sizes first, so that no value is chosen twice.
        for chosen in (1..=size.min(before + 1)).rev() {
            let (without, with) = by_size.split_at_mut(chosen);
            let sums = with[0][value..].iter_mut();
            sums.zip(&without[chosen - 1]).for_each(|(sum, fewer)| *sum += fewer);
        }
    }
    by_size.pop().unwrap_or_default()
}

/// p from the normal distribution with the mean and the variance of the sum of
/// ranks over all splits (the latter accounts for ties), and a continuity
/// correction of half a rank.
fn approximate(doubled: &[usize], small: usize) -> f64 {
    let count = doubled.len() as f64;
    let (a, b) = (small as f64, count - small as f64);
    let sum = doubled[..small].iter().sum::<usize>() as f64 / 2.0;
    let distance = (sum - a * (count + 1.0) / 2.0).abs();
    let variance = a * b / (count * (count - 1.0)) * squared_deviations(doubled) / 4.0;
    (2.0 * upper_tail((distance - 0.5) / variance.sqrt())).min(1.0)
}

/// Number of ways to choose `chosen` of `count`; infinite if beyond what a
/// floating-point number holds.
fn splits(count: usize, chosen: usize) -> f64 {
    let factors = (1..=chosen).map(|step| (count - chosen + step) as f64 / step as f64);
    // A whole number: rounding undoes what the divisions lost.
    let product: f64 = factors.product();
    if product < 1e15 { product.round() } else { product }
}

fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use crate::probability::references::{References, assert_close};

    #[test]
    fn p_values_are_those_of_scipy() {
        let references = References::read();
        let mut test = UTest::default();
        for name in ["u_test_exact", "u_test_ties", "u_test_approximate"] {
            for case in references.cases(name) {
                let (a, b) = (case.numbers("a"), case.numbers("b"));
                let what = format!("{name}, {} against {}", a.len(), b.len());
                assert_close(test.p(&a, &b).unwrap(), case.number("p"), 1e-10, &what);
            }
        }
    }

    /// Twice the smaller share of splits with a sum at or beyond the one seen.
    fn by_enumeration(a: &[f64], b: &[f64]) -> f64 {
        let ranks = Ranks::of(&[a, b].concat()).doubled;
        let seen: usize = ranks[..a.len()].iter().sum();
        let (mut below, mut above, mut all) = (0, 0, 0);
        for split in 0..1u32 << ranks.len() {
            if split.count_ones() as usize == a.len() {
                let chosen = ranks.iter().enumerate().filter(|(at, _)| split >> at & 1 == 1);
                let sum: usize = chosen.map(|(_, rank)| rank).sum();
                below += usize::from(sum <= seen);
                above += usize::from(sum >= seen);
                all += 1;
            }
        }
        (2.0 * f64::from(below.min(above) as u32) / f64::from(all)).min(1.0)
    }

    #[test]
    fn exact_p_values_count_all_splits() {
        let mut random = Generator::new(2);
        let mut test = UTest::default();
        for round in 0..600 {
            // Few different values make ties; many make none.
            let different = [2, 3, 5, 9, 1000][round % 5];
            let (count_a, count_b) = (1 + random.below(6), 1 + random.below(6));
            let mut side = |count| -> Vec<f64> {
                (0..count).map(|_| random.below(different) as f64).collect()
            };
            let (a, b) = (side(count_a), side(count_b));
            let expected = by_enumeration(&a, &b);
            assert_close(test.p(&a, &b).unwrap(), expected, 1e-12, &format!("{a:?} {b:?}"));
            assert_eq!(test.p(&a, &b), test.p(&b, &a));
            assert_eq!(test.p(&a, &b), UTest::default().p(&a, &b));
        }
    }

    #[test]
    fn the_smallest_p_is_that_of_sides_that_lie_apart() {
        for (a, b) in [(1, 1), (3, 3), (2, 7), (10, 10), (20, 40)] {
            let low: Vec<f64> = (0..a).map(|value| value as f64).collect();
            let high: Vec<f64> = (0..b).map(|value| 100.0 + value as f64).collect();
            assert_close(
                UTest::default().p(&low, &high).unwrap(),
                smallest_p(a, b),
                1e-12,
                "apart",
            );
        }
        assert_eq!(smallest_p(3, 3), 0.1);
        assert_eq!(smallest_p(0, 5), 1.0);
        assert_eq!(smallest_p(2000, 2000), 0.0);
    }

    #[test]
    fn equal_values_tell_nothing() {
        assert_eq!(UTest::default().p(&[1.0; 3], &[1.0; 4]), Some(1.0));
        assert_eq!(UTest::default().p(&[1.0; 50], &[1.0; 50]), Some(1.0));
        assert_eq!(UTest::default().p(&[], &[1.0]), None);
        assert_eq!(UTest::default().p(&[1.0], &[]), None);
    }
}
