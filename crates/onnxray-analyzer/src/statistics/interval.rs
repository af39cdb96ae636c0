//! How far a mean may be off, from parts of the recording that are measured
//! apart.
//!
//! Iterations of one process follow each other and are not independent, so an
//! interval from single iterations would be far too narrow. The parts are
//! launches, or, with fewer than three of them, contiguous blocks of iterations.

use super::IterationSummary;
use onnxray_format::IterationKind;

/// The ends of a 95 % interval of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// What intervals were taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    Launches(usize),
    /// Blocks of iterations that follow each other; says less than launches.
    Blocks(usize),
}

/// Fewest parts that tell of a spread.
const FEWEST: usize = 3;
/// Blocks of a recording of one launch.
const BLOCKS: usize = 10;
/// Iterations that a block has at least.
const SHORTEST_BLOCK: usize = 2;

/// Measured iterations, parted.
#[derive(Clone, Debug)]
pub struct Parting {
    pub parts: Parts,
    /// By row of the iterations: the part, or none if it is not measured.
    pub part_of: Vec<Option<u32>>,
    /// Measured iterations of each part.
    pub iterations: Vec<u64>,
}

impl Parting {
    /// `None` if there are too few iterations to tell a spread.
    pub fn of(iterations: &[IterationSummary]) -> Option<Parting> {
        let measured: Vec<usize> = (0..iterations.len())
            .filter(|&row| iterations[row].kind == IterationKind::Measured)
            .collect();
        let launches: Vec<&[usize]> =
            measured.chunk_by(|&a, &b| iterations[a].position == iterations[b].position).collect();
        let mut parts: Vec<&[usize]> = Vec::new();
        let kind = if launches.len() >= FEWEST {
            parts.extend(&launches);
            Parts::Launches(parts.len())
        } else {
            for launch in &launches {
                let most = BLOCKS / launches.len();
                let blocks = most.min(launch.len() / SHORTEST_BLOCK).max(1);
                let edge = |block: usize| block * launch.len() / blocks;
                parts.extend((0..blocks).map(|block| &launch[edge(block)..edge(block + 1)]));
            }
            Parts::Blocks(parts.len())
        };
        if parts.len() < FEWEST {
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
        let reach = student_t_975(means.len() - 1) * standard_error(&means);
        Interval { low: (mean - reach).max(0.0), high: mean + reach }
    }
}

/// Standard deviation of the mean of independent values.
fn standard_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

/// The 97.5 % quantile of Student's t distribution.
///
/// Up to 10 degrees of freedom it is a table; beyond, the expansion around the
/// normal quantile z (Abramowitz and Stegun 26.7.5), right to one part in 10,000.
fn student_t_975(degrees: usize) -> f64 {
    const TABLE: [f64; 10] = [
        12.7062047362,
        4.3026527297,
        3.1824463053,
        2.7764451052,
        2.5705818356,
        2.4469118488,
        2.3646242516,
        2.3060041352,
        2.2621571628,
        2.2281388520,
    ];
    const Z: f64 = 1.959_963_984_540_054;
    if let Some(quantile) = degrees.checked_sub(1).and_then(|at| TABLE.get(at)) {
        return *quantile;
    }
    let n = degrees as f64;
    let (z3, z5, z7) = (Z.powi(3), Z.powi(5), Z.powi(7));
    Z + (z3 + Z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * n * n)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * n * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Nanoseconds;

    /// From `scipy.stats.t.ppf(0.975, n)`.
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (degrees, expected) in [
            (1, 12.706204736174694),
            (4, 2.7764451051977934),
            (10, 2.2281388519862735),
            (11, 2.200985160091639),
            (15, 2.131449545559774),
            (30, 2.042272456301236),
            (99, 1.9842169515864165),
        ] {
            let found = student_t_975(degrees);
            assert!((found / expected - 1.0).abs() < 1e-4, "{degrees}: {found}");
        }
    }

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
            Parting::of(&iterations(launches)).map(|parting| (parting.parts, parting.iterations))
        };
        assert_eq!(parts(&[4, 5, 6]), Some((Parts::Launches(3), vec![4, 5, 6])));
        assert_eq!(parts(&[100]), Some((Parts::Blocks(10), vec![10; 10])));
        assert_eq!(parts(&[7]), Some((Parts::Blocks(3), vec![2, 2, 3])));
        assert_eq!(parts(&[6, 4]), Some((Parts::Blocks(5), vec![2, 2, 2, 2, 2])));
        assert_eq!(parts(&[5]), None);
        assert_eq!(parts(&[]), None);
        let warm_up = Parting::of(&iterations(&[100])).unwrap().part_of[0];
        assert_eq!(warm_up, None);
    }

    /// `scipy.stats.t.interval(0.95, 2, loc=11, scale=scipy.stats.sem([10, 11, 12]))`.
    #[test]
    fn an_interval_is_that_of_students_t() {
        let parting = Parting::of(&iterations(&[1, 2, 4])).unwrap();
        let found = parting.interval(11.0, &[10.0, 22.0, 48.0]);
        assert!((found.low - 8.515862288).abs() < 1e-6, "{found:?}");
        assert!((found.high - 13.484137712).abs() < 1e-6, "{found:?}");
        assert_eq!(parting.interval(0.1, &[0.0, 0.0, 1.2]).low, 0.0);
    }
}
