//! Variants in turns: a round runs each once, in an order of its own, so that a slow minute does
//! not fall on one of them alone.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Outcome of a variant's turn in a round.
pub(crate) enum Turn {
    /// It is measured, now or before.
    Measured,
    /// It is known well enough.
    Enough,
    /// It failed, and has no other turn.
    Failed,
    /// The caller asked to stop.
    Interrupted,
}

/// Runs variants in turns, round after round, until none has a turn any more. Whether it was
/// asked to end before.
///
/// # Errors
///
/// As a turn of a variant in a round does.
pub(crate) fn in_turns<E>(
    variants: usize,
    seed: u64,
    mut turn: impl FnMut(usize, u32) -> Result<Turn, E>,
) -> Result<bool, E> {
    let mut failed = vec![false; variants];
    for round in 0.. {
        let mut is_last = true;
        for variant in order(variants, seed, round) {
            if failed[variant] {
                continue;
            }
            match turn(variant, round)? {
                Turn::Measured => is_last = false,
                Turn::Enough => {}
                Turn::Failed => (is_last, failed[variant]) = (false, true),
                Turn::Interrupted => return Ok(true),
            }
        }
        if is_last {
            break;
        }
    }
    Ok(false)
}

/// A permutation of `0..count`, another one in each round, so that no variant always follows the
/// same one. It depends on nothing else: a resumed study gets the same.
pub(crate) fn order(count: usize, seed: u64, round: u32) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..round {
        // A stream of its own for each round, whichever rounds were measured before a resumption.
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
    fn who_fails_or_is_known_well_enough_has_no_other_turn() {
        let mut turns = vec![Vec::new(); 3];
        let ended = in_turns(3, 7, |variant, round| {
            turns[variant].push(round);
            Ok::<Turn, ()>(match (variant, round) {
                (0, 1) => Turn::Failed,
                (1, 2..) | (_, 4..) => Turn::Enough,
                _ => Turn::Measured,
            })
        });
        assert_eq!(ended, Ok(false));
        assert_eq!(turns[0], [0, 1]);
        assert_eq!(turns[1..], [vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3, 4]]);
        let interrupted = in_turns(3, 7, |_, round| match round {
            0 => Ok(Turn::Measured),
            _ => Ok::<Turn, ()>(Turn::Interrupted),
        });
        assert_eq!(interrupted, Ok(true));
        assert_eq!(in_turns(3, 7, |_, _| Err("why")), Err("why"));
    }

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
