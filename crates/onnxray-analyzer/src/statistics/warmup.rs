//! Finds where a launch's latency settles.
//!
//! The second half of a launch is taken as settled. Its median and median
//! absolute deviation give a band; going back from the middle, warm-up ends
//! where the medians of three consecutive iterations stay inside it. The result
//! is shown next to what the recorder flagged; nothing is dropped because of it.

/// Fewer iterations tell nothing about settling.
const FEWEST: usize = 8;
/// Half width of the band in median absolute deviations; 1.4826 of them make a
/// standard deviation where the noise is normal.
const DEVIATIONS: f64 = 3.0 * 1.4826;
/// The band is at least this share of the median wide: steps below it are not
/// worth a warm-up.
const NARROWEST: f64 = 0.05;

/// Number of iterations at the beginning that lie outside of the band in which
/// the launch ends; `None` if there are too few to tell.
pub fn warmup_length(latencies: &[f64]) -> Option<usize> {
    if latencies.len() < FEWEST {
        return None;
    }
    let middle = latencies.len() / 2;
    let settled = &latencies[middle..];
    let center = median(settled);
    let deviation = median(&settled.iter().map(|x| (x - center).abs()).collect::<Vec<_>>());
    let width = (DEVIATIONS * deviation).max(NARROWEST * center);
    let inside = |x: f64| (x - center).abs() <= width;
    let first = (0..middle)
        .rev()
        .find(|&at| !inside(median(&latencies[at..at + 3])))
        .map_or(0, |at| at + 1);
    // The median of three hides a single outlier, but the first iteration pays
    // for caches and allocation alone and is its own case.
    Some(if first == 0 && !inside(latencies[0]) { 1 } else { first })
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    } else {
        sorted[middle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(warmup: &[f64], settled: usize) -> Vec<f64> {
        let steady = (0..settled).map(|i| 10.0 + [0.0, 0.1, -0.1, 0.05][i % 4]);
        warmup.iter().copied().chain(steady).collect()
    }

    #[test]
    fn the_cut_stands_where_the_latency_settles() {
        assert_eq!(warmup_length(&launch(&[], 40)), Some(0));
        assert_eq!(warmup_length(&launch(&[30.0], 40)), Some(1));
        assert_eq!(warmup_length(&launch(&[30.0, 20.0, 16.0, 14.0, 12.0], 40)), Some(4));
    }

    #[test]
    fn a_single_outlier_later_on_is_not_warm_up() {
        let mut latencies = launch(&[], 40);
        latencies[7] = 80.0;
        assert_eq!(warmup_length(&latencies), Some(0));
    }

    #[test]
    fn too_few_iterations_tell_nothing() {
        assert_eq!(warmup_length(&[3.0, 1.0, 1.0]), None);
    }
}
