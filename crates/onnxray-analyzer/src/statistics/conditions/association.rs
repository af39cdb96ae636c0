//! Whether iterations during which something happened took longer than the others.

use crate::probability::{Ranks, Student};
use crate::statistics::distribution::median;
use crate::statistics::{BLOCK, FEWEST_UNITS, Interval, MOST_BLOCKS, blocks};
use std::ops::Range;

/// Share of intervals that hold the truth.
const CONFIDENCE: f64 = 0.95;
/// Chance makes an association in fewer cases than this.
const ALPHA: f64 = 0.05;
/// Shifts that are looked at; of a longer recording, so many evenly spread ones.
const MOST_SHIFTS: usize = 2000;
/// Sums of runs that are worth it; beyond, fewer shifts do.
const MOST_SUMS: usize = 20_000_000;
const FEWEST_SHIFTS: usize = 200;

/// What iterations during which something happened have beyond the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Association {
    /// Typical latency of these by that of the others.
    pub ratio: f64,
    /// 95 % interval of it; `None` with too few blocks of either.
    pub interval: Option<Interval>,
    /// Probability that chance makes them as slow.
    pub p: f64,
    /// By what share the typical latency of all exceeds that of the others.
    pub moved: f64,
}

impl Association {
    /// Whether they took longer, and not by chance.
    pub(super) fn is_proved(&self) -> bool {
        self.p <= ALPHA && self.ratio > 1.0 && self.interval.is_some_and(|known| known.low > 1.0)
    }

    /// `None` if all iterations or none are affected. `launches` are the ranges of their
    /// iterations.
    pub(super) fn of(
        latencies: &[f64],
        launches: &[Range<usize>],
        affected: &[bool],
    ) -> Option<Association> {
        let with = Typical::of(latencies, launches, |at| affected[at])?;
        let without = Typical::of(latencies, launches, |at| !affected[at])?;
        let all = Typical::of(latencies, launches, |_| true)?;
        let distance = mean(&with.logarithms) - mean(&without.logarithms);
        Some(Association {
            ratio: distance.exp(),
            interval: interval(distance, &with.logarithms, &without.logarithms),
            p: chance(latencies, affected),
            moved: all.latency / without.latency - 1.0,
        })
    }
}

/// The typical latency of some iterations.
pub(super) struct Typical {
    /// Mean over launches of the mean over their blocks, as comparisons have it.
    pub latency: f64,
    /// Logarithm of the median of each block.
    logarithms: Vec<f64>,
}

impl Typical {
    /// `None` if there are no such iterations.
    pub(super) fn of(
        latencies: &[f64],
        launches: &[Range<usize>],
        is_one: impl Fn(usize) -> bool,
    ) -> Option<Typical> {
        let (mut means, mut logarithms) = (Vec::new(), Vec::new());
        for launch in launches {
            let of_block = |block: Range<usize>| {
                let chosen = block.filter(|&at| is_one(at)).map(|at| latencies[at]);
                median(&chosen.collect::<Vec<_>>())
            };
            let medians: Vec<f64> =
                blocks(launch.clone(), BLOCK, MOST_BLOCKS).filter_map(of_block).collect();
            if !medians.is_empty() {
                means.push(mean(&medians));
            }
            logarithms.extend(medians.iter().filter(|&&median| median > 0.0).map(|m| m.ln()));
        }
        let known = !means.is_empty() && !logarithms.is_empty();
        known.then(|| Typical { latency: mean(&means), logarithms })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The interval of a difference of means of logarithms, as a ratio.
fn interval(distance: f64, with: &[f64], without: &[f64]) -> Option<Interval> {
    if with.len() < FEWEST_UNITS || without.len() < FEWEST_UNITS {
        return None;
    }
    let reach = Student::welch(with, without, CONFIDENCE, 1.0)?.half_width;
    Some(Interval { low: (distance - reach).exp(), high: (distance + reach).exp() })
}

/// The share of circular shifts of `affected` against the latencies in which the affected
/// ones have as high a mean rank.
///
/// A shift keeps how much neighbours resemble each other, in both series, so that a slow
/// stretch does not pass for many slow iterations. The recording is one series, launch
/// after launch. One of n shifts is none, so that p is never below 1/n.
fn chance(latencies: &[f64], affected: &[bool]) -> f64 {
    let count = latencies.len();
    let sums = sums_of_ranks(latencies);
    let sum = |range: Range<usize>| sums[range.end] - sums[range.start];
    let mut start = 0;
    let mut runs: Vec<Range<usize>> = Vec::new();
    for run in affected.chunk_by(|a, b| a == b) {
        if run[0] {
            runs.push(start..start + run.len());
        }
        start += run.len();
    }
    let shifted = |shift: usize| -> u64 {
        let of_run = |run: &Range<usize>| {
            let (from, to) = (run.start + shift, run.end + shift);
            match (from >= count, to > count) {
                (true, _) => sum(from - count..to - count),
                (false, true) => sum(from..count) + sum(0..to - count),
                (false, false) => sum(from..to),
            }
        };
        runs.iter().map(of_run).sum()
    };
    let affordable = (MOST_SUMS / runs.len().max(1)).max(FEWEST_SHIFTS);
    let shifts = count.min(MOST_SHIFTS).min(affordable);
    let seen = shifted(0);
    let as_high = (0..shifts).filter(|&shift| shifted(shift * count / shifts) >= seen).count();
    as_high as f64 / shifts as f64
}

/// Sums of the doubled ranks of the first values, from none to all.
fn sums_of_ranks(values: &[f64]) -> Vec<u64> {
    let mut sum = 0;
    let sums = Ranks::of(values).doubled.into_iter().map(|rank| {
        sum += rank as u64;
        sum
    });
    std::iter::once(0).chain(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use crate::statistics::noise::Noise;

    /// The same by hand: every shift, every rank.
    fn chance_by_hand(latencies: &[f64], affected: &[bool]) -> f64 {
        let count = latencies.len();
        let rank = |at: usize| {
            let less = latencies.iter().filter(|&&other| other < latencies[at]).count();
            let equal = latencies.iter().filter(|&&other| other == latencies[at]).count();
            less as f64 + (equal as f64 + 1.0) / 2.0
        };
        let sum = |shift: usize| -> f64 {
            (0..count).filter(|&at| affected[at]).map(|at| rank((at + shift) % count)).sum()
        };
        (0..count).filter(|&shift| sum(shift) >= sum(0) - 1e-9).count() as f64 / count as f64
    }

    #[test]
    fn chance_is_the_share_of_all_shifts() {
        let mut random = Generator::new(3);
        for count in 2..40 {
            let latencies: Vec<f64> = (0..count).map(|_| random.below(6) as f64).collect();
            let affected: Vec<bool> = (0..count).map(|_| random.below(3) == 0).collect();
            let (found, expected) =
                (chance(&latencies, &affected), chance_by_hand(&latencies, &affected));
            assert!((found - expected).abs() < 1e-12, "{count}: {found}, {expected}");
        }
    }

    #[test]
    fn a_slow_phase_is_found_with_its_ratio() {
        let mut noise = Noise::new(1);
        let affected: Vec<bool> = (0..200).map(|at| (60..110).contains(&(at % 200))).collect();
        let latencies: Vec<f64> = noise
            .iterations(200, 0.02)
            .into_iter()
            .zip(&affected)
            .map(|(log, &slow)| (log + if slow { 0.5 } else { 0.0 }).exp())
            .collect();
        let whole = 0..200;
        let launches = std::slice::from_ref(&whole);
        let found = Association::of(&latencies, launches, &affected).unwrap();
        assert!(found.is_proved(), "{found:?}");
        let interval = found.interval.unwrap();
        assert!(interval.low < 0.5f64.exp() && 0.5f64.exp() < interval.high, "{found:?}");
        // A quarter of the blocks is 1.65 times as slow.
        assert!((found.moved - 0.25 * 0.65).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn without_others_there_is_nothing_to_compare() {
        let latencies = [1.0, 2.0, 3.0, 4.0];
        let launches = [0..2, 2..4];
        assert_eq!(Association::of(&latencies, &launches, &[true; 4]), None);
        assert_eq!(Association::of(&latencies, &launches, &[false; 4]), None);
        assert_eq!(Association::of(&[], &[], &[]), None);
    }

    /// Something that has nothing to do with the latency: in single iterations or in phases,
    /// under noise that resembles itself and with launches that differ.
    #[test]
    fn what_changes_nothing_is_seldom_proved() {
        const RUNS: usize = 2_000;
        for (launches, count, phase) in
            [(1, 100, 1), (1, 100, 20), (1, 400, 60), (5, 60, 1), (10, 60, 25), (10, 60, 60)]
        {
            let mut noise = Noise::new((launches * count + phase) as u64);
            let mut random = Generator::new(phase as u64);
            let ranges: Vec<_> = (0..launches).map(|at| at * count..(at + 1) * count).collect();
            let (mut proved, mut moved) = (0, 0);
            for _ in 0..RUNS {
                let mut latencies = Vec::new();
                for _ in 0..launches {
                    let shift = 0.01 * noise.normal();
                    let launch = noise.iterations(count, 0.02);
                    latencies.extend(launch.iter().map(|log| (shift + log).exp()));
                }
                let all = latencies.len();
                let mut affected = vec![false; all];
                for _ in 0..(all / 10 / phase).max(1) {
                    let start = random.below(all);
                    (start..start + phase).for_each(|at| affected[at % all] = true);
                }
                let Some(found) = Association::of(&latencies, &ranges, &affected) else { continue };
                proved += usize::from(found.is_proved());
                moved += usize::from(found.is_proved() && found.moved >= 0.01);
            }
            let rate = |count: usize| count as f64 / RUNS as f64;
            println!("{launches} x {count}, phases of {phase}: {} {}", rate(proved), rate(moved));
            assert!(rate(proved) <= 0.065, "{launches} x {count}, {phase}: {}", rate(proved));
            assert!(rate(moved) <= 0.01, "{launches} x {count}, {phase}: {}", rate(moved));
        }
    }
}
