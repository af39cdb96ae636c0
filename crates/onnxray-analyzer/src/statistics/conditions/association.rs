//! Whether iterations during which something happened took longer than the others.

use crate::probability::Student;
use crate::statistics::spread::distribution::median;
use crate::statistics::{BLOCK, Interval, MOST_BLOCKS, blocks};
use std::ops::Range;

const CONFIDENCE: f64 = 0.95;
/// Blocks of either, below which an interval says nothing.
const FEWEST_BLOCKS: usize = 3;
/// Iterations of either, below which a ratio says nothing.
const FEWEST_ITERATIONS: usize = 10;
/// Fewer of either are exceptions, which differ in more than what happened to them.
const LEAST_SHARE: f64 = 0.1;

/// Iterations during which something happened, compared with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Association {
    /// Typical latency of these by that of the others.
    pub ratio: f64,
    /// 95 % interval of it; `None` with too few blocks of either.
    pub interval: Option<Interval>,
    /// By what share the typical latency of all exceeds that of the others.
    pub moved: f64,
    /// The smaller of the shares of affected iterations and others.
    pub smaller_share: f64,
}

impl Association {
    /// True if all of the interval is above 1, and neither side is rare.
    pub(super) fn is_longer(&self) -> bool {
        self.smaller_share >= LEAST_SHARE && self.interval.is_some_and(|known| known.low > 1.0)
    }

    /// `None` if nearly all iterations or hardly any are affected. `launches` are the ranges of
    /// their iterations.
    pub(super) fn of(
        latencies: &[f64],
        launches: &[Range<usize>],
        affected: &[bool],
    ) -> Option<Association> {
        let count = affected.iter().filter(|&&is| is).count();
        let smaller = count.min(affected.len() - count);
        if smaller < FEWEST_ITERATIONS {
            return None;
        }
        let with = Typical::of(latencies, launches, |at| affected[at])?;
        let without = Typical::of(latencies, launches, |at| !affected[at])?;
        let all = Typical::of(latencies, launches, |_| true)?;
        // A difference of logarithms is a ratio, which does not depend on how slow the model is.
        let distance = mean(&with.logarithms) - mean(&without.logarithms);
        Some(Association {
            ratio: distance.exp(),
            interval: interval(distance, &with.logarithms, &without.logarithms),
            // Over all iterations, not only the affected ones: how far the headline is off.
            moved: all.latency / without.latency - 1.0,
            smaller_share: smaller as f64 / affected.len() as f64,
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
            // A coarse clock measures 0, which has no logarithm.
            logarithms.extend(medians.iter().filter(|&&median| median > 0.0).map(|m| m.ln()));
        }
        let known = !means.is_empty() && !logarithms.is_empty();
        known.then(|| Typical { latency: mean(&means), logarithms })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// 95 % interval of exp(`distance`) by Welch's t; `None` with too few blocks.
fn interval(distance: f64, with: &[f64], without: &[f64]) -> Option<Interval> {
    if with.len() < FEWEST_BLOCKS || without.len() < FEWEST_BLOCKS {
        return None;
    }
    let reach = Student::welch(with, without, CONFIDENCE, 1.0)?.half_width;
    Some(Interval { low: (distance - reach).exp(), high: (distance + reach).exp() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use crate::statistics::spread::simulated_noise::Noise;

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
        assert!(found.is_longer(), "{found:?}");
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

    /// Page faults in all but the 20 that happen to be the fastest.
    #[test]
    fn exceptions_do_not_tell_what_the_others_cost() {
        let is_affected = |at: usize| !at.is_multiple_of(50);
        let latency =
            |at: usize| if is_affected(at) { 1.13 } else { 1.0 } + 0.001 * (at % 7) as f64;
        let latencies: Vec<f64> = (0..1000).map(latency).collect();
        let whole = 0..1000;
        let of =
            |affected: &[bool]| Association::of(&latencies, std::slice::from_ref(&whole), affected);
        let affected: Vec<bool> = (0..1000).map(is_affected).collect();
        let found = of(&affected).unwrap();
        assert!(found.ratio > 1.1 && !found.is_longer(), "{found:?}");
        let few: Vec<bool> = (0..1000).map(|at| at % 50 == 0 && at < 450).collect();
        assert_eq!(of(&few), None, "nine iterations");
    }

    /// Something that has nothing to do with the latency: in single iterations or in phases,
    /// under noise that resembles itself and with launches that differ.
    #[test]
    fn what_changes_nothing_seldom_moves_the_result() {
        const RUNS: usize = 2_000;
        for (launches, count, phase) in
            [(1, 100, 1), (1, 100, 20), (1, 400, 60), (5, 60, 1), (10, 60, 25), (10, 60, 60)]
        {
            let mut noise = Noise::new((launches * count + phase) as u64);
            let mut random = Generator::new(phase as u64);
            let ranges: Vec<_> = (0..launches).map(|at| at * count..(at + 1) * count).collect();
            let mut moved = 0;
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
                moved += usize::from(found.is_longer() && found.moved >= 0.02);
            }
            let rate = moved as f64 / RUNS as f64;
            println!("{launches} x {count}, phases of {phase}: {rate}");
            assert!(rate <= 0.01, "{launches} x {count}, {phase}: {rate}");
        }
    }
}
