//! The middle of measured values.

use onnxray_format::Nanoseconds;
use std::f64::consts::FRAC_PI_2;

/// Values farther from their median than this many times their median distance from it, three standard deviations
/// of normal values, are outliers: a burst in one iteration, one block to which cuts add much.
const OUTLYING: f64 = 3.0 * 1.4826;

/// The middle value, or the mean of the two in the middle.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// The middle of these times, or the mean of the two in the middle; 0 of none.
pub(crate) fn median_time(times: &mut [Nanoseconds]) -> Nanoseconds {
    times.sort_unstable();
    match (times.len() / 2, times.len() % 2) {
        (0, 0) => Nanoseconds(0),
        (middle, 1) => times[middle],
        (middle, _) => Nanoseconds(times[middle - 1].0.midpoint(times[middle].0)),
    }
}

/// These values, with each outlier moved as near to the median as a value has to be not to be one. Where more than
/// half are equal, none is an outlier.
pub(crate) fn without_outliers(values: &[f64]) -> Vec<f64> {
    let Some(middle) = median(values) else { return Vec::new() };
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let most = median(&distances).filter(|usual| *usual > 0.0);
    let most = most.map_or(f64::INFINITY, |usual| OUTLYING * usual);
    values.iter().map(|value| middle + (value - middle).clamp(-most, most)).collect()
}

/// The variance of a median of some values by which it was found; unknown of one. A burst, which does not move
/// the median, does not make it uncertain either.
pub(crate) fn variance_of_median(values: &[f64]) -> Option<f64> {
    let (values, count) = (without_outliers(values), values.len() as f64);
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    // That of a mean, and of a median of normal values.
    (values.len() > 1).then(|| squares / (count - 1.0) / count * FRAC_PI_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_in_less_than_half_of_the_times_moves_no_median() {
        let mut times = [5, 900, 6, 4, 800].map(Nanoseconds);
        assert_eq!(median_time(&mut times), Nanoseconds(6));
        assert_eq!(median_time(&mut times[1..]), Nanoseconds(403));
        assert_eq!(median_time(&mut []), Nanoseconds(0));
    }

    #[test]
    fn a_burst_in_one_iteration_makes_no_median_uncertain() {
        let steady = [0.50, 0.51, 0.49, 0.50, 0.51, 0.49, 0.50];
        let usual = variance_of_median(&steady).unwrap();
        let bursts = [&steady[..6], &[0.9]].concat();
        // Squares of all would be 300 times as much.
        assert!(variance_of_median(&bursts).unwrap() < 10.0 * usual);
    }

    #[test]
    fn two_values_have_a_variance_and_one_has_none() {
        assert_eq!(variance_of_median(&[1.0]), None);
        assert_eq!(variance_of_median(&[3.0, 1.0]), Some(FRAC_PI_2));
    }
}
