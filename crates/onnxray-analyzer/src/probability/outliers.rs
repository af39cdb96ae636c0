//! Which values lie far away from the rest, and which are typical of them.

/// Fewer values have no quartiles worth the name.
const FEWEST: usize = 4;
/// Tukey's far fences are this many interquartile distances beyond the quartiles.
const FAR: f64 = 3.0;
/// Distances from the median to the nearer quartile within which a value is typical.
const TYPICAL: f64 = 3.0;

/// Number of values beyond the fences; `None` with fewer than four values.
pub(crate) fn outliers(values: &[f64]) -> Option<u64> {
    let (low, high) = fences(values)?;
    let beyond = |&&value: &&f64| value < low || value > high;
    Some(values.iter().filter(beyond).count() as u64)
}

/// Whether each of the values is typical: without those that are further from the median than
/// three times the distance of its nearer quartile, and as many at the other end.
///
/// The side that is not disturbed tells how far values reach by themselves, so that it does not
/// matter if nearly half of them, at one side, are far beyond (Tukey's fences reach as far as that
/// from a quarter on). As many at either end: the mean of the others stays about the median.
/// `docs/studies/typical.md` has what else was tried.
pub(crate) fn typical(values: &[f64]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut is_typical = vec![true; values.len()];
    let quantile = |share: f64| quantile_of(&mut values.to_vec(), share);
    let [Some(lower), Some(middle), Some(upper)] = [0.25, 0.5, 0.75].map(quantile) else {
        return is_typical;
    };
    let reach = TYPICAL * (middle - lower).min(upper - middle);
    let below = values.iter().filter(|&&value| value < middle - reach).count();
    let above = values.iter().filter(|&&value| value > middle + reach).count();
    // At least the middle value is left.
    let beyond = below.max(above).min((values.len() - 1) / 2);
    for &place in order[..beyond].iter().chain(&order[values.len() - beyond..]) {
        is_typical[place] = false;
    }
    is_typical
}

/// Tukey's far fences (1977, "Exploratory Data Analysis", section 2D): three times the
/// distance of the quartiles below the lower and above the upper one. `None` with fewer
/// than four values.
pub(crate) fn fences(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < FEWEST {
        return None;
    }
    let mut parted = values.to_vec();
    let lower = quantile_of(&mut parted, 0.25)?;
    let upper = quantile_of(&mut parted, 0.75)?;
    let reach = FAR * (upper - lower);
    Some((lower - reach, upper + reach))
}

/// Between two values, quantiles are interpolated linearly (type 7 of Hyndman and Fan). Changes
/// the order of the values; `None` if there are none.
fn quantile_of(values: &mut [f64], share: f64) -> Option<f64> {
    let place = share * values.len().checked_sub(1)? as f64;
    let (_, &mut below, above) = values.select_nth_unstable_by(place as usize, f64::total_cmp);
    // The next larger value: the least of those that the selection put above.
    let above = above.iter().copied().reduce(f64::min).unwrap_or(below);
    Some(below + (above - below) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::references::References;

    #[test]
    fn outliers_are_those_of_numpy() {
        for case in References::read().cases("outliers") {
            let values = case.numbers("values");
            assert_eq!(outliers(&values), Some(case.number("count") as u64), "{values:?}");
        }
    }

    #[test]
    fn fences_themselves_are_inside() {
        // Quartiles 1 and 3: fences at -5 and 9.
        let with = |last: f64| outliers(&[0.0, 1.0, 2.0, 3.0, last]);
        assert_eq!((with(9.0), with(9.1), with(-5.0)), (Some(0), Some(1), Some(0)));
        assert_eq!(outliers(&[1.0; 3]), None);
        assert_eq!(outliers(&[1.0; 9]), Some(0));
        // Where the quartiles are equal, whatever differs lies beyond.
        assert_eq!(outliers(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.5]), Some(1));
    }

    fn kept(values: &[f64]) -> Vec<f64> {
        let kept = values.iter().zip(typical(values)).filter(|(_, is_typical)| *is_typical);
        kept.map(|(&value, _)| value).collect()
    }

    #[test]
    fn as_many_at_the_other_end_as_are_far_beyond() {
        // Quartiles 12, 14 and 16: typical is from 8 to 20.
        let values = [14.0, 90.0, 10.0, 12.0, 13.0, 11.0, 15.0, 16.0, 99.0];
        assert_eq!(kept(&values), [14.0, 12.0, 13.0, 15.0, 16.0]);
        let mirrored = values.map(|value| -value);
        assert_eq!(kept(&mirrored), [-14.0, -12.0, -13.0, -15.0, -16.0]);
    }

    #[test]
    fn nearly_half_of_the_values_may_be_far_beyond() {
        for far in [0, 10, 30, 49] {
            let own = (0..100 - far).map(|at| 100.0 + f64::from(at % 7));
            let values: Vec<f64> = own.chain((0..far).map(|at| 900.0 + f64::from(at))).collect();
            let kept = kept(&values);
            assert!(kept.iter().all(|&value| value < 107.0), "{far}: {kept:?}");
        }
        // Of two that are as frequent, it is what the median is between.
        assert_eq!(kept(&[1.0, 1.0, 1.0, 2.0, 2.0]), [1.0]);
        assert_eq!(kept(&[1.0, 1.0, 2.0, 2.0, 2.0]), [2.0]);
    }

    #[test]
    fn few_or_equal_values_keep_their_median() {
        assert_eq!(kept(&[]), [0.0; 0]);
        assert_eq!(kept(&[5.0]), [5.0]);
        assert_eq!(kept(&[5.0, 900.0]), [5.0, 900.0]);
        assert_eq!(kept(&[5.0, 6.0, 900.0]), [6.0]);
        assert_eq!(kept(&[5.0, 5.0, 5.0, 5.0]), [5.0; 4]);
        // A clock of whole microseconds: a quarter is as long as the median.
        assert_eq!(kept(&[3.0, 3.0, 3.0, 3.0, 4.0, 4.0]), [3.0, 3.0]);
        let drift: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(kept(&drift), drift, "what grows evenly has no stragglers");
    }
}
