//! The order effect of values that were measured as A before B, and as B before A.
//!
//! What comes first is as likely A as B, and what it does to the second, such as to
//! empty its caches, must not count. It is the same in all launches, so it is taken from
//! all of them together; a launch alone would know it too little. `docs/studies/turns.md` has
//! what else was tried.

/// A third is left out at either end.
const THIRD: usize = 3;

/// A value, and the side that came first: 0 or 1.
pub(crate) type Ordered = (usize, f64);

/// The location of each unit that has values, without the order effect.
pub(crate) fn without_order_effect(units: &[Vec<Ordered>]) -> Vec<f64> {
    let of_order = |order: usize| {
        let values = units.iter().flatten().filter(|(first, _)| *first == order);
        middle_third(&mut values.map(|(_, value)| *value).collect::<Vec<_>>())
    };
    // Where A came first a ratio is r + e, where B did r - e: half the difference is the effect e.
    // With one order alone it cannot be told from r.
    let effect = match (of_order(0), of_order(1)) {
        (Some(first), Some(second)) => (first - second) / 2.0,
        _ => 0.0,
    };
    let location = |unit: &Vec<Ordered>| {
        let values = unit.iter().map(|&(first, value)| match first {
            0 => value - effect,
            _ => value + effect,
        });
        middle_third(&mut values.collect::<Vec<_>>())
    };
    units.iter().filter_map(location).collect()
}

/// The mean of the middle third: without the smallest third of the values and the
/// largest, rounded down (a trimmed mean; Huber 1981, "Robust Statistics", section 3.3).
/// Sorts them. `None` if there are none.
pub(crate) fn middle_third(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let beyond = values.len() / THIRD;
    let middle = &values[beyond..values.len() - beyond];
    (!middle.is_empty()).then(|| middle.iter().sum::<f64>() / middle.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_at_either_end_does_not_count() {
        let of = |values: &[f64]| middle_third(&mut values.to_vec());
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[4.0]), Some(4.0));
        assert_eq!(of(&[1.0, 2.0]), Some(1.5));
        assert_eq!(of(&[1e9, 2.0, -1e9]), Some(2.0));
        assert_eq!(of(&[1e9, 2.0, 3.0, -1e9]), Some(2.5));
        assert_eq!(of(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), Some(4.5));
    }

    #[test]
    fn what_the_order_does_is_taken_off() {
        // Where B comes second it takes 2 more, where A does, B takes 2 less.
        let unit = |value: f64| vec![(0, value + 2.0), (1, value - 2.0), (0, value + 2.0)];
        assert_eq!(without_order_effect(&[unit(5.0), unit(6.0), Vec::new()]), [5.0, 6.0]);
        // Of one order alone nothing is known of it.
        assert_eq!(without_order_effect(&[vec![(1, 3.0)], vec![(1, 4.0)]]), [3.0, 4.0]);
        assert_eq!(without_order_effect(&[]), [0.0; 0]);
    }
}
