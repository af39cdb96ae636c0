//! Which values lie far away from the rest.

/// Fewer values have no quartiles worth the name.
const FEWEST: usize = 4;
/// Distances between quartiles from the nearer quartile to a far fence.
const FAR: f64 = 3.0;

/// Number of values beyond the fences; `None` with fewer than four values.
pub(crate) fn outliers(values: &[f64]) -> Option<u64> {
    let (low, high) = fences(values)?;
    let beyond = |&&value: &&f64| value < low || value > high;
    Some(values.iter().filter(beyond).count() as u64)
}

/// Tukey's far fences (1977, "Exploratory Data Analysis", section 2D): three times the
/// distance of the quartiles below the lower and above the upper one. Quartiles between
/// two values are interpolated linearly (type 7 of Hyndman and Fan). `None` with fewer
/// than four values.
pub(crate) fn fences(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < FEWEST {
        return None;
    }
    let mut parted = values.to_vec();
    let mut quantile = |share: f64| {
        let place = share * (parted.len() - 1) as f64;
        let (_, &mut below, above) = parted.select_nth_unstable_by(place as usize, f64::total_cmp);
        let above = above.iter().copied().reduce(f64::min).unwrap_or(below);
        below + (above - below) * place.fract()
    };
    let (lower, upper) = (quantile(0.25), quantile(0.75));
    let reach = FAR * (upper - lower);
    Some((lower - reach, upper + reach))
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
}
