//! How often an operator takes how long: equal bins between its shortest and its longest time, none
//! finer than the clock.

use crate::statistics::times::executions::Executions;
use onnxray_format::Nanoseconds;

/// Bins of a histogram.
pub const BINS: usize = 40;

/// Distribution of the times of an operator over the measured iterations in which it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Start of the first bin: the shortest time.
    pub low: Nanoseconds,
    /// End of the last bin, included: the longest time, or more where bins are as wide as the
    /// clock's step.
    pub high: Nanoseconds,
    /// Iterations by bin.
    pub counts: [u32; BINS],
}

impl Histogram {
    /// Of times in nanoseconds; `None` if there are none. Where all are the same, they are in
    /// the first bin.
    pub fn of(nanoseconds: &[u64]) -> Option<Histogram> {
        let (&low, &longest) = (nanoseconds.iter().min()?, nanoseconds.iter().max()?);
        let least = BINS as u64 * step(nanoseconds, low);
        let width = match longest - low {
            0 => 0,
            // `high` must not overflow.
            spread => spread.max(least.min(u64::MAX - low)),
        };
        let high = low + width;
        // Whole numbers, so that no rounding moves a time over an edge.
        let bin = |offset: u64| match offset.checked_mul(BINS as u64) {
            Some(place) => place.checked_div(width).unwrap_or(0) as usize,
            // 128 bits hold any, but take longer.
            None => (u128::from(offset) * BINS as u128 / u128::from(width)) as usize,
        };
        let mut counts = [0; BINS];
        nanoseconds.iter().for_each(|&time| counts[bin(time - low).min(BINS - 1)] += 1);
        Some(Histogram { low: Nanoseconds(low), high: Nanoseconds(high), counts })
    }
}

/// The step of a clock of microseconds, if all times are whole ones, or else of nanoseconds.
fn step(nanoseconds: &[u64], low: u64) -> u64 {
    const MICROSECOND: u64 = 1000;
    let is_whole = |time: &u64| (time - low).is_multiple_of(MICROSECOND);
    if nanoseconds.iter().all(is_whole) { MICROSECOND } else { 1 }
}

/// By operator: the histogram of its times per measured iteration; `None` if it never ran in
/// one, or if the trace has no iterations.
pub(in crate::statistics) fn histograms(executions: &Executions) -> Vec<Option<Histogram>> {
    let mut histograms = Vec::with_capacity(executions.host.operators.len());
    executions.each_group(executions.host.operators.iter().map(std::iter::once), |_, times| {
        histograms.push(Histogram::of(times));
    });
    histograms
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn both_ends_are_in_a_bin() {
        let histogram = Histogram::of(&[100, 140, 101, 139]).unwrap();
        assert_eq!((histogram.low, histogram.high), (Nanoseconds(100), Nanoseconds(140)));
        let counts = histogram.counts;
        assert_eq!((counts[0], counts[1], counts[38], counts[39]), (1, 1, 0, 2));
        let equal = Histogram::of(&[7; 5]).unwrap();
        assert_eq!((equal.low, equal.high, equal.counts[0]), (Nanoseconds(7), Nanoseconds(7), 5));
        let ends = Histogram::of(&[0, u64::MAX]).unwrap().counts;
        assert_eq!((ends[0], ends[BINS - 1]), (1, 1));
        assert_eq!(Histogram::of(&[]), None);
    }

    #[test]
    fn bins_are_not_finer_than_the_clock() {
        let coarse = Histogram::of(&[5000, 6000, 8000, 6000]).unwrap();
        assert_eq!((coarse.low, coarse.high), (Nanoseconds(5000), Nanoseconds(45_000)));
        assert_eq!(coarse.counts[..4], [1, 2, 0, 1]);
        let fine = Histogram::of(&[5, 6, 8]).unwrap();
        assert_eq!((fine.high, fine.counts[3]), (Nanoseconds(45), 1));
    }

    proptest! {
        #[test]
        fn counts_equal_those_of_comparing_with_every_edge(times in vec(0u64..5000, 1..60)) {
            let Histogram { low, high, counts } = Histogram::of(&times).unwrap();
            prop_assert!(low.0 == high.0 || high.0 - low.0 >= BINS as u64);
            let width = high.0 - low.0;
            let expected = |bin: u64| {
                // Edges times the number of bins are whole.
                let bins = BINS as u64;
                let (from, to) = (low.0 * bins + bin * width, low.0 * bins + (bin + 1) * width);
                let inside = times.iter().filter(|&&time| match (width, bin) {
                    (0, bin) => bin == 0,
                    (_, 39) => from <= time * bins,
                    _ => from <= time * bins && time * bins < to,
                });
                inside.count() as u32
            };
            prop_assert_eq!(counts.to_vec(), (0..BINS as u64).map(expected).collect::<Vec<_>>());
        }
    }
}
