//! How far a mean may be off, from parts of the recording that are measured
//! apart.
//!
//! Iterations of one process follow each other and are not independent, so an
//! interval from single iterations would be far too narrow. The parts are
//! launches, or, with fewer than three of them, contiguous blocks of iterations.

use super::IterationSummary;
use super::blocks::{BLOCK_AS_UNIT, FEWEST_UNITS, MOST_BLOCKS, blocks};
use crate::probability::{quantile, variance_of_mean};
use onnxray_format::IterationKind;

/// The ends of a 95 % interval, in the unit of what it is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What intervals were taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// So many launches.
    Launches(usize),
    /// Blocks of iterations that follow each other; says less than launches.
    Blocks(usize),
}

/// Share of intervals that hold the truth.
const CONFIDENCE: f64 = 0.95;

/// Measured iterations, parted.
#[derive(Clone, Debug)]
pub struct Parting {
    /// What the parts are.
    pub parts: Parts,
    /// By row of the iterations: the part, or none if it is not measured.
    pub part_of: Vec<Option<u32>>,
    /// Measured iterations of each part.
    pub iterations: Vec<u64>,
}

impl Parting {
    /// `None` if there are too few iterations to tell a spread. Launches that are not
    /// `independent` of each other are no parts.
    pub fn of(iterations: &[IterationSummary], independent: bool) -> Option<Parting> {
        let measured: Vec<usize> = (0..iterations.len())
            .filter(|&row| iterations[row].kind == IterationKind::Measured)
            .collect();
        let launches: Vec<&[usize]> =
            measured.chunk_by(|&a, &b| iterations[a].position == iterations[b].position).collect();
        let mut parts: Vec<&[usize]> = Vec::new();
        let kind = if independent && launches.len() >= FEWEST_UNITS {
            parts.extend(&launches);
            Parts::Launches(parts.len())
        } else {
            for launch in &launches {
                let most = MOST_BLOCKS / launches.len();
                let blocks = blocks(0..launch.len(), BLOCK_AS_UNIT, most);
                parts.extend(blocks.map(|block| &launch[block]));
            }
            Parts::Blocks(parts.len())
        };
        if parts.len() < FEWEST_UNITS {
            return None;
        }
        let mut part_of = vec![None; iterations.len()];
        for (part, rows) in (0..).zip(&parts) {
            rows.iter().for_each(|&row| part_of[row] = Some(part));
        }
        let iterations = parts.iter().map(|rows| rows.len() as u64).collect();
        Some(Parting { parts: kind, part_of, iterations })
    }

    /// The interval of a mean per iteration, of which `sums` has the sum in each
    /// part. A time is never below 0.
    pub fn interval(&self, mean: f64, sums: &[f64]) -> Interval {
        let means = sums.iter().zip(&self.iterations).map(|(sum, &count)| sum / count as f64);
        let means: Vec<f64> = means.collect();
        let degrees = means.len() as f64 - 1.0;
        let reach = quantile(CONFIDENCE, degrees) * variance_of_mean(&means).sqrt();
        Interval { low: (mean - reach).max(0.0), high: mean + reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Nanoseconds;

    fn iterations(launches: &[usize]) -> Vec<IterationSummary> {
        let of_launch = |(position, &count): (usize, &usize)| {
            (0..=count as u32).map(move |index| IterationSummary {
                position: position as u32,
                launch: position as u32,
                index,
                kind: match index {
                    0 => IterationKind::WarmUp,
                    _ => IterationKind::Measured,
                },
                start: Nanoseconds(0),
                latency: Nanoseconds(1),
                operators: None,
                concurrent: None,
                overhead: None,
            })
        };
        launches.iter().enumerate().flat_map(of_launch).collect()
    }

    #[test]
    fn parts_are_launches_or_else_blocks() {
        let parts = |launches: &[usize]| {
            Parting::of(&iterations(launches), true)
                .map(|parting| (parting.parts, parting.iterations))
        };
        assert_eq!(parts(&[4, 5, 6]), Some((Parts::Launches(3), vec![4, 5, 6])));
        assert_eq!(parts(&[100]), Some((Parts::Blocks(10), vec![10; 10])));
        assert_eq!(parts(&[7]), Some((Parts::Blocks(3), vec![2, 2, 3])));
        assert_eq!(parts(&[6, 4]), Some((Parts::Blocks(5), vec![2, 2, 2, 2, 2])));
        assert_eq!(parts(&[5]), None);
        assert_eq!(parts(&[]), None);
        let warm_up = Parting::of(&iterations(&[100]), true).unwrap().part_of[0];
        assert_eq!(warm_up, None);
    }

    /// `scipy.stats.t.interval(0.95, 2, loc=11, scale=scipy.stats.sem([10, 11, 12]))`.
    #[test]
    fn an_interval_is_that_of_students_t() {
        let parting = Parting::of(&iterations(&[1, 2, 4]), true).unwrap();
        let found = parting.interval(11.0, &[10.0, 22.0, 48.0]);
        assert!((found.low - 8.515862288).abs() < 1e-6, "{found:?}");
        assert!((found.high - 13.484137712).abs() < 1e-6, "{found:?}");
        assert_eq!(parting.interval(0.1, &[0.0, 0.0, 1.2]).low, 0.0);
    }
}
