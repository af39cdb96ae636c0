//! The middle of measured values.

use onnxray_format::Nanoseconds;

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
}
