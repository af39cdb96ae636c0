//! Where values lie that were measured in two orders: A before B, and B before A.
//!
//! What comes first is as likely A as B, and what it does to the second, such as to
//! empty its caches, must not count. So each order is located by itself, and the mean
//! of both is taken. This was chosen by `turns_study`.

/// The part of the values that is left out at either end.
const THIRD: usize = 3;

/// The mean of the locations of both orders, which are sorted here; of the one that
/// there is, if the other has no values.
pub(crate) fn of_both_orders(orders: &mut [Vec<f64>; 2]) -> Option<f64> {
    let [first, second] = orders.each_mut().map(|values| middle_third(values));
    match (first, second) {
        (Some(first), Some(second)) => Some((first + second) / 2.0),
        (one, other) => one.or(other),
    }
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
    fn both_orders_count_alike_however_many_values_they_have() {
        let of =
            |first: &[f64], second: &[f64]| of_both_orders(&mut [first.to_vec(), second.to_vec()]);
        assert_eq!(of(&[1.0, 1.0, 1.0, 1.0, 1.0], &[3.0]), Some(2.0));
        assert_eq!(of(&[], &[3.0]), Some(3.0));
        assert_eq!(of(&[1.0], &[]), Some(1.0));
        assert_eq!(of(&[], &[]), None);
    }
}
