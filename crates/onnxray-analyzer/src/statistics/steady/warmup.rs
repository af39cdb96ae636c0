//! Finds where a launch reaches its steady state.
//!
//! The second half of a launch is taken as the steady state. Its median and median
//! absolute deviation give a band. Warm-up ends at the first iteration that lies
//! in the band together with the median of the window that it opens; what comes
//! before must lie outside of it for the most part, or there was no warm-up. The
//! result is shown next to what the recorder flagged. A summary drops nothing
//! because of it; a comparison takes steady-state iterations only, and says so.

use crate::statistics::spread::distribution::median;

/// Fewer iterations tell nothing about a steady state.
pub(crate) const FEWEST: usize = 8;
/// Half width of the band in median absolute deviations; 1.4826 of them make a
/// standard deviation where the noise is normal.
const DEVIATIONS: f64 = 3.0 * 1.4826;
/// The band is at least this share of the median wide: steps below it are not
/// worth a warm-up.
const NARROWEST: f64 = 0.05;

/// A window is this share of the launch, and at least three iterations.
const WINDOW: usize = 50;
/// A launch that settles later than in this share of it never does.
const LATEST: usize = 4;

/// Number of iterations at the beginning that lie outside of the band in which
/// the launch ends; `None` if there are too few to tell or if it never settles.
pub(crate) fn warmup_length(latencies: &[f64]) -> Option<usize> {
    settled_by(latencies, (latencies.len() / LATEST).max(2))
}

/// The same for what may settle as late as `latest`, in the first half.
pub(in crate::statistics) fn settled_by(latencies: &[f64], latest: usize) -> Option<usize> {
    if latencies.len() < FEWEST {
        return None;
    }
    let second_half = &latencies[latencies.len() / 2..];
    let center = median(second_half)?;
    let deviation = median(&second_half.iter().map(|x| (x - center).abs()).collect::<Vec<_>>())?;
    let width = (DEVIATIONS * deviation).max(NARROWEST * center);
    let inside = |x: f64| (x - center).abs() <= width;
    let window = (latencies.len() / WINDOW).max(3);
    // In bounds from `FEWEST` on: n/2 + n/50 < n, and 4 + 3 < 8.
    let first = (0..=latest.min(latencies.len() / 2)).find(|&at| {
        // One iteration may lie in the band by chance; the median of a window hardly does.
        inside(latencies[at]) && median(&latencies[at..at + window]).is_some_and(inside)
    })?;
    // Mostly inside the band: a burst of noise, not a warm-up.
    let outside = latencies[..first].iter().filter(|&&x| !inside(x)).count();
    Some(if 2 * outside >= first { first } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(warmup: &[f64], steady: usize) -> Vec<f64> {
        let rest = (0..steady).map(|i| 10.0 + [0.0, 0.1, -0.1, 0.05][i % 4]);
        warmup.iter().copied().chain(rest).collect()
    }

    #[test]
    fn the_cut_stands_where_the_latency_settles() {
        assert_eq!(warmup_length(&launch(&[], 40)), Some(0));
        assert_eq!(warmup_length(&launch(&[30.0], 40)), Some(1));
        assert_eq!(warmup_length(&launch(&[30.0, 20.0, 16.0, 14.0, 12.0], 40)), Some(5));
    }

    #[test]
    fn a_single_outlier_later_on_is_not_warm_up() {
        let mut latencies = launch(&[], 40);
        latencies[7] = 80.0;
        assert_eq!(warmup_length(&latencies), Some(0));
    }

    #[test]
    fn noise_is_not_warm_up() {
        // One in eight takes half as long again, anywhere.
        for seed in 1..50u64 {
            let mut state = seed;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 40) as f64 / (1u64 << 24) as f64
            };
            let latencies: Vec<f64> = (0..400)
                .map(|_| 10.0 + random() + if random() < 0.125 { 5.0 } else { 0.0 })
                .collect();
            let found = warmup_length(&latencies);
            assert!(found.is_some_and(|found| found <= 2), "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn a_launch_that_never_settles_is_not_cut() {
        let step: Vec<f64> = (0..100).map(|i| if i < 40 { 10.0 } else { 20.0 }).collect();
        assert_eq!(warmup_length(&step), None);
    }

    #[test]
    fn too_few_iterations_tell_nothing() {
        assert_eq!(warmup_length(&[3.0, 1.0, 1.0]), None);
    }
}
