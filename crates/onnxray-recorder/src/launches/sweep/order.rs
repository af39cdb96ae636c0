//! The order in which a round of a sweep runs its points.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The numbers below `count` in the order of a round: another one in each, so that no point
/// always runs behind the same one, and the same again wherever a sweep is resumed.
pub(super) fn order(count: usize, seed: u64, round: u32) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..round {
        random.jump();
    }
    let mut order: Vec<usize> = (0..count).collect();
    // Fisher and Yates, from the end; the products are below 2^128.
    for last in (1..count).rev() {
        let place = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        order.swap(last, place as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn rounds_differ_and_repeat() {
        let rounds: Vec<Vec<usize>> = (0..50).map(|round| order(8, 7, round)).collect();
        assert_eq!(rounds[31], order(8, 7, 31));
        assert_eq!(rounds.iter().collect::<BTreeSet<_>>().len(), 50);
        for round in &rounds {
            assert_eq!(round.iter().copied().collect::<BTreeSet<_>>(), (0..8).collect());
        }
        assert!(order(0, 7, 0).is_empty());
    }

    #[test]
    fn all_orders_are_equally_likely() {
        let mut seen: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
        for seed in 0..6000 {
            *seen.entry(order(3, seed, 0)).or_default() += 1;
        }
        assert_eq!(seen.len(), 6);
        // Chi-squared with 5 degrees of freedom is above 25.7 once in ten thousand times.
        let chi = seen.values().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0);
        assert!(chi.sum::<f64>() < 25.7, "{seen:?}");
    }
}
