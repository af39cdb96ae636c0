//! How far a mean may be off, from parts of the recording that are measured
//! apart.
//!
//! Iterations of one process follow each other and are not independent, so an
//! interval from single iterations would be far too narrow. The parts are
//! launches, or, with fewer than three of them, contiguous blocks of iterations.

use super::blocks::{BLOCK_AS_UNIT, FEWEST_UNITS, MOST_BLOCKS, blocks};
use super::distribution::quantile;
use crate::probability::Student;
use crate::statistics::IterationSummary;
use onnxray_format::IterationKind;
use serde::{Deserialize, Serialize};

/// The ends of a 95 % interval, in the unit of what it is of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// How far it reaches from `value`, in words: `± 0.4 %`, `± 84 %`.
    pub fn reach(&self, value: f64) -> String {
        let percent = if value > 0.0 { (self.high / value - 1.0) * 100.0 } else { 0.0 };
        // Two digits are all that an interval of few parts is known to.
        let decimals = usize::from(percent < MOST_WITH_DECIMALS);
        format!("± {percent:.decimals$} %")
    }
}

/// An interval and the parts that it is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartInterval {
    /// Ends of the interval.
    pub interval: Interval,
    /// Parts that it is over.
    pub parts: Parts,
}

impl PartInterval {
    /// In words, around `value`: `± 0.4 % (10 launches)`.
    pub fn about(&self, value: f64) -> String {
        format!("{} ({})", self.reach(value), self.parts.text())
    }

    /// In words, without the parts.
    pub fn reach(&self, value: f64) -> String {
        self.interval.reach(value)
    }
}

/// Percents below this are written with a decimal: `9.95` would round to `10.0`.
const MOST_WITH_DECIMALS: f64 = 9.95;

/// Parts that an interval is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// This many launches.
    Launches(usize),
    /// This many rounds of launches that ran side by side.
    Rounds(usize),
    /// Blocks of iterations that follow each other; says less than launches.
    Blocks(usize),
}

impl Parts {
    /// In words: `10 launches`.
    pub fn text(self) -> String {
        match self {
            Parts::Launches(count) => format!("{count} launches"),
            Parts::Rounds(count) => format!("{count} rounds of instances"),
            Parts::Blocks(count) => format!("{count} blocks of iterations"),
        }
    }
}

const CONFIDENCE: f64 = 0.95;

/// Which launches are independent of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Independent {
    /// All of them.
    Launches,
    /// Those of different rounds, of this many instances each.
    Rounds(u32),
    /// None: they wait for each other.
    Nothing,
}

impl Independent {
    /// Groups launches that ran side by side; `number` returns the number of a launch.
    pub(in crate::statistics) fn rounds<T>(
        self,
        launches: &[T],
        number: impl Fn(&T) -> u32,
    ) -> Vec<&[T]> {
        match self {
            Independent::Rounds(instances) => {
                let round = |launch: &T| number(launch) / instances.max(1);
                launches.chunk_by(|a, b| round(a) == round(b)).collect()
            }
            Independent::Launches | Independent::Nothing => launches.chunks(1).collect(),
        }
    }
}

/// Measured iterations, split into launches, rounds of instances or blocks.
#[derive(Clone, Debug)]
pub struct Partition {
    /// Kind and number of the parts.
    pub parts: Parts,
    /// By row of the iterations: the part, or none if it is not measured.
    pub part_by_row: Vec<Option<u32>>,
    /// Measured iterations of each part.
    pub iterations: Vec<u64>,
}

impl Partition {
    /// `None` if there are too few iterations to tell a spread. Launches that are not
    /// independent of each other are not parts.
    pub fn of(iterations: &[IterationSummary], independent: Independent) -> Option<Partition> {
        Partition::of_kind(iterations, IterationKind::Measured, independent)
    }

    /// As [`Partition::of`], over iterations of any kind.
    pub fn of_kind(
        iterations: &[IterationSummary],
        kind: IterationKind,
        independent: Independent,
    ) -> Option<Partition> {
        Partition::of_rows(iterations, independent, |row| iterations[row].kind == kind)
    }

    /// As [`Partition::of`], over the rows for which `is_in` is true.
    pub(in crate::statistics) fn of_rows(
        iterations: &[IterationSummary],
        independent: Independent,
        is_in: impl Fn(usize) -> bool,
    ) -> Option<Partition> {
        let measured: Vec<usize> = (0..iterations.len()).filter(|&row| is_in(row)).collect();
        let launches: Vec<&[usize]> =
            measured.chunk_by(|&a, &b| iterations[a].position == iterations[b].position).collect();
        let rounds = independent.rounds(&launches, |rows| iterations[rows[0]].launch);
        let is_unit = independent != Independent::Nothing && rounds.len() >= FEWEST_UNITS;
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let of_what = if is_unit {
            parts.extend(rounds.iter().map(|launches| launches.concat()));
            match independent {
                Independent::Rounds(_) => Parts::Rounds(parts.len()),
                _ => Parts::Launches(parts.len()),
            }
        } else {
            // Ten blocks over all launches together (docs/statistics.md#interval-of-the-latency).
            let most = MOST_BLOCKS / rounds.len().max(1);
            parts.extend(
                rounds.iter().flat_map(|launches| side_by_side(iterations, launches, most)),
            );
            Parts::Blocks(parts.len())
        };
        if parts.len() < FEWEST_UNITS {
            return None;
        }
        let mut part_by_row = vec![None; iterations.len()];
        for (part, rows) in (0..).zip(&parts) {
            rows.iter().for_each(|&row| part_by_row[row] = Some(part));
        }
        let iterations = parts.iter().map(|rows| rows.len() as u64).collect();
        Some(Partition { parts: of_what, part_by_row, iterations })
    }

    /// The interval of a mean per iteration, of which `sums` has the sum in each
    /// part. A time is never below 0.
    pub fn interval(&self, mean: f64, sums: &[f64]) -> Interval {
        let means = sums.iter().zip(&self.iterations).map(|(sum, &count)| sum / count as f64);
        around(mean, &means.collect::<Vec<_>>())
    }

    /// The interval of the median of all measured iterations; `times` has one of each row
    /// of the iterations, in any unit.
    pub fn of_median(&self, times: &[f64]) -> Option<PartInterval> {
        self.of_quantile(times, 0.5)
    }

    /// As [`Partition::of_median`], of another quantile from 0 to 1.
    pub fn of_quantile(&self, times: &[f64], share: f64) -> Option<PartInterval> {
        let of_part = self.by_part(times);
        let of_parts: Option<Vec<f64>> =
            of_part.iter().map(|times| quantile(times, share)).collect();
        // About the figure that is shown, which is of all iterations, and not the mean of the
        // parts.
        let interval = around(quantile(&of_part.concat(), share)?, &of_parts?);
        Some(PartInterval { interval, parts: self.parts })
    }

    /// The interval of the iterations per second that the median comes to, from times in
    /// milliseconds.
    pub(in crate::statistics) fn of_rate(&self, times: &[f64]) -> Option<Interval> {
        let rate = |times: &[f64]| {
            quantile(times, 0.5).filter(|&median| median > 0.0).map(|median| 1e3 / median)
        };
        let of_part = self.by_part(times);
        let rates: Option<Vec<f64>> = of_part.iter().map(|times| rate(times)).collect();
        Some(around(rate(&of_part.concat())?, &rates?))
    }

    /// 95 % interval about a difference, which may be below 0; `differences` has one value per row.
    pub(in crate::statistics) fn about(&self, value: f64, differences: &[f64]) -> Option<Interval> {
        let means = self.by_part(differences).into_iter();
        let means: Vec<f64> =
            means.map(|of_part| of_part.iter().sum::<f64>() / of_part.len() as f64).collect();
        let reach = Student::of(&means, CONFIDENCE, 1.0)?.half_width;
        Some(Interval { low: value - reach, high: value + reach })
    }

    fn by_part(&self, times: &[f64]) -> Vec<Vec<f64>> {
        let mut of_part: Vec<Vec<f64>> = vec![Vec::new(); self.iterations.len()];
        for (time, part) in times.iter().zip(&self.part_by_row) {
            if let Some(part) = part {
                of_part[*part as usize].push(*time);
            }
        }
        of_part
    }
}

/// Blocks of launches that ran at the same time: the first of each, the second of each, and
/// so on.
fn side_by_side(
    iterations: &[IterationSummary],
    launches: &[&[usize]],
    most: usize,
) -> Vec<Vec<usize>> {
    // As many blocks as the shortest launch has: each block holds iterations of all instances.
    let count = |rows: &&[usize]| blocks_of(iterations, rows, most).len();
    let count = launches.iter().map(count).min().unwrap_or(0);
    let mut parts = vec![Vec::new(); count];
    for rows in launches {
        for (part, block) in parts.iter_mut().zip(blocks_of(iterations, rows, count)) {
            part.extend_from_slice(block);
        }
    }
    parts
}

/// Blocks of iterations of a launch. Those of a decoder's steps are of whole generations: a
/// step takes longer the more tokens are in the cache.
fn blocks_of<'a>(
    iterations: &[IterationSummary],
    rows: &'a [usize],
    most: usize,
) -> Vec<&'a [usize]> {
    let cached = |row: usize| iterations[row].step.map(|step| step.cached);
    let grows = |&a: &usize, &b: &usize| cached(a).zip(cached(b)).is_some_and(|(a, b)| a < b);
    let units: Vec<&[usize]> = rows.chunk_by(grows).collect();
    // A generation is several iterations already.
    let shortest = if units.len() < rows.len() { 1 } else { BLOCK_AS_UNIT };
    let ends: Vec<usize> = std::iter::once(0)
        .chain(units.iter().scan(0, |end, unit| {
            *end += unit.len();
            Some(*end)
        }))
        .collect();
    let blocks = blocks(0..units.len(), shortest, most);
    blocks.map(|units| &rows[ends[units.start]..ends[units.end]]).collect()
}

/// 95 % interval: `value` ± Student's t over at least `FEWEST_UNITS` parts, not below 0.
pub(in crate::statistics) fn around(value: f64, of_parts: &[f64]) -> Interval {
    let mean = Student::of(of_parts, CONFIDENCE, 1.0);
    let reach = mean.map_or(f64::INFINITY, |mean| mean.half_width);
    Interval { low: (value - reach).max(0.0), high: value + reach }
}

/// Half the width of the 95 % interval of a mean, as a share of it, by Student's t of values
/// that are independent of each other; `None` with fewer than two of them, or without a share.
pub fn relative_half_width(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let reach = Student::of(values, CONFIDENCE, 1.0)?.half_width;
    (mean > 0.0).then(|| reach / mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::spread::simulated_noise::Noise;
    use onnxray_format::{Iteration, Nanoseconds, Phase, Step};

    fn iterations(launches: &[usize]) -> Vec<IterationSummary> {
        let of_launch = |(position, &count): (usize, &usize)| {
            (0..=count as u32).map(move |index| {
                IterationSummary::of_time(
                    position as u32,
                    position as u32,
                    Iteration {
                        index,
                        kind: match index {
                            0 => IterationKind::WarmUp,
                            _ => IterationKind::Measured,
                        },
                        start: Nanoseconds(0),
                        duration: Nanoseconds(1),
                        step: None,
                    },
                )
            })
        };
        launches.iter().enumerate().flat_map(of_launch).collect()
    }

    #[test]
    fn parts_are_launches_or_else_blocks() {
        let parts = |launches: &[usize]| {
            Partition::of(&iterations(launches), Independent::Launches)
                .map(|partition| (partition.parts, partition.iterations))
        };
        assert_eq!(parts(&[4, 5, 6]), Some((Parts::Launches(3), vec![4, 5, 6])));
        assert_eq!(parts(&[100]), Some((Parts::Blocks(10), vec![10; 10])));
        assert_eq!(parts(&[7]), Some((Parts::Blocks(3), vec![2, 2, 3])));
        assert_eq!(parts(&[6, 4]), Some((Parts::Blocks(5), vec![2, 2, 2, 2, 2])));
        assert_eq!(parts(&[5]), None);
        assert_eq!(parts(&[]), None);
        let parts = |launches: usize, independent| {
            let partition = Partition::of(&iterations(&vec![8; launches]), independent).unwrap();
            (partition.parts, partition.iterations)
        };
        assert_eq!(parts(6, Independent::Rounds(2)), (Parts::Rounds(3), vec![16; 3]));
        assert_eq!(parts(4, Independent::Rounds(2)), (Parts::Blocks(8), vec![4; 8]));
        assert_eq!(parts(16, Independent::Rounds(16)), (Parts::Blocks(4), vec![32; 4]));
        assert_eq!(parts(5, Independent::Nothing), (Parts::Blocks(10), vec![4; 10]));
        let warm_up =
            Partition::of(&iterations(&[100]), Independent::Launches).unwrap().part_by_row[0];
        assert_eq!(warm_up, None);
    }

    #[test]
    fn blocks_of_steps_are_whole_generations() {
        let mut steps = iterations(&[12]);
        for (position, iteration) in steps.iter_mut().enumerate() {
            let cached = (position % 3) as u32;
            iteration.kind = IterationKind::Measured;
            iteration.step = Some(Step { phase: Phase::Decode, tokens: 1, cached });
        }
        let partition = Partition::of(&steps, Independent::Launches).unwrap();
        assert_eq!(
            (partition.parts, partition.iterations),
            (Parts::Blocks(5), vec![3, 3, 3, 3, 1])
        );
        assert!(Partition::of(&steps[..6], Independent::Launches).is_none(), "two generations");
    }

    /// `scipy.stats.t.interval(0.95, 2, loc=11, scale=scipy.stats.sem([10, 11, 12]))`.
    #[test]
    fn an_interval_is_that_of_students_t() {
        let partition = Partition::of(&iterations(&[1, 2, 4]), Independent::Launches).unwrap();
        let found = partition.interval(11.0, &[10.0, 22.0, 48.0]);
        assert!((found.low - 8.515862288).abs() < 1e-6, "{found:?}");
        assert!((found.high - 13.484137712).abs() < 1e-6, "{found:?}");
        assert_eq!(partition.interval(0.1, &[0.0, 0.0, 1.2]).low, 0.0);
    }

    #[test]
    fn the_interval_of_a_median_stands_about_it() {
        let partition = Partition::of(&iterations(&[1, 2, 4]), Independent::Launches).unwrap();
        let warm_up = 1000.0;
        let times = [warm_up, 10.0, warm_up, 10.0, 12.0, warm_up, 11.0, 12.0, 12.0, 14.0];
        let found = partition.of_median(&times).unwrap();
        assert_eq!(found.parts.text(), "3 launches");
        // Medians 10, 11 and 12; that of all is 12.
        assert!((found.interval.low - 9.515862288).abs() < 1e-6, "{found:?}");
        assert!((found.interval.high - 14.484137712).abs() < 1e-6, "{found:?}");
    }

    /// The typical latency is 10. Launches differ by 1 %, and iterations are noisy,
    /// resemble the one before, and are preempted now and then. Of a single launch, the
    /// truth is that launch's.
    #[test]
    fn intervals_of_medians_hold_the_truth_as_often_as_they_say() {
        const RUNS: usize = 2_000;
        for (launches, count) in [(1, 100), (1, 400), (2, 100), (3, 50), (5, 100), (10, 100)] {
            let partition =
                Partition::of(&iterations(&vec![count; launches]), Independent::Launches).unwrap();
            let mut noise = Noise::new(launches as u64 * 1000 + count as u64);
            let of_launch = if launches < FEWEST_UNITS { 0.0 } else { 0.01 };
            // What one in twenty that takes up to half as long again adds to the median.
            let mut many: Vec<f64> = (0..200).flat_map(|_| noise.iterations(1000, 0.02)).collect();
            many.sort_by(f64::total_cmp);
            let truth = 10.0 * many[many.len() / 2].exp();
            let mut held = 0;
            for _ in 0..RUNS {
                let mut times = Vec::new();
                for _ in 0..launches {
                    let shift = of_launch * noise.normal();
                    let launch = noise.iterations(count + 1, 0.02);
                    times.extend(launch.iter().map(|log| 10.0 * (shift + log).exp()));
                }
                let found = partition.of_median(&times).unwrap().interval;
                held += usize::from(found.low <= truth && truth <= found.high);
            }
            let coverage = held as f64 / RUNS as f64;
            println!("{launches} launches of {count} iterations: {coverage}");
            assert!((0.92..0.98).contains(&coverage), "{launches} x {count}: {coverage}");
        }
    }
}
