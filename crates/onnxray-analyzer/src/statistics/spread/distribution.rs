//! How a set of durations is spread.

use crate::units::Milliseconds;
use serde::Serialize;

/// Count, mean and order statistics of durations. Percentiles between two
/// values are interpolated linearly (type 7 of Hyndman and Fan).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distribution {
    /// Number of durations.
    pub count: u64,
    /// Arithmetic mean.
    pub mean: Milliseconds,
    /// 50th percentile.
    pub median: Milliseconds,
    /// 10th percentile.
    pub p10: Milliseconds,
    /// 90th percentile.
    pub p90: Milliseconds,
    /// 99th percentile.
    pub p99: Milliseconds,
    /// The smallest.
    pub min: Milliseconds,
    /// The largest.
    pub max: Milliseconds,
}

impl Distribution {
    /// Of durations in nanoseconds, which are put in order; `None` if there are
    /// none.
    pub fn of(nanoseconds: &mut [u64]) -> Option<Distribution> {
        nanoseconds.sort_unstable();
        let (&min, &max) = (nanoseconds.first()?, nanoseconds.last()?);
        // Exact: 128 bits hold the sum of any number of durations.
        let sum: u128 = nanoseconds.iter().map(|&duration| u128::from(duration)).sum();
        let at = |share: f64| {
            let place = share * (nanoseconds.len() - 1) as f64;
            let (below, above) = (place.floor() as usize, place.ceil() as usize);
            let (low, high) = (nanoseconds[below] as f64, nanoseconds[above] as f64);
            Milliseconds::from_nanoseconds(low + (high - low) * (place - below as f64))
        };
        Some(Distribution {
            count: nanoseconds.len() as u64,
            mean: Milliseconds::from_nanoseconds(sum as f64 / nanoseconds.len() as f64),
            median: at(0.5),
            p10: at(0.1),
            p90: at(0.9),
            p99: at(0.99),
            min: Milliseconds::from_nanoseconds(min as f64),
            max: Milliseconds::from_nanoseconds(max as f64),
        })
    }

    /// Whether it is of a single duration, which all its figures are.
    pub fn is_one(&self) -> bool {
        self.count == 1
    }
}

/// Median of values in any unit; `None` without values.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Quantile from 0 to 1, interpolated as in [`Distribution`]; `None` without values.
pub(crate) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below * (1.0 - place.fract()) + above * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::*;

    /// The data frames' own percentiles, which somebody else wrote.
    #[test]
    fn order_statistics_equal_those_of_polars() {
        let mut state = 1u64;
        for length in [1, 2, 3, 4, 10, 11, 99, 1000] {
            let values: Vec<u64> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(11);
                    (state >> 40) % 1000
                })
                .collect();
            let frame = df!["v" => values.iter().map(|&v| v as f64).collect::<Vec<_>>()].unwrap();
            let column = frame.column("v").unwrap().f64().unwrap();
            let expected =
                |share: f64| column.quantile(share, QuantileMethod::Linear).unwrap().unwrap() / 1e6;
            let found = Distribution::of(&mut values.clone()).unwrap();
            let pairs = [
                (found.median, expected(0.5)),
                (found.p10, expected(0.1)),
                (found.p90, expected(0.9)),
                (found.p99, expected(0.99)),
                (found.min, expected(0.0)),
                (found.max, expected(1.0)),
                (found.mean, column.mean().unwrap() / 1e6),
            ];
            for (found, expected) in pairs {
                assert!((found.0 - expected).abs() <= 1e-12, "{found:?} is not {expected}");
            }
        }
        assert_eq!(Distribution::of(&mut []), None);
    }
}
