//! How often the comparison would raise an alarm on a recording compared with
//! itself: parts of it are compared as if they were two recordings.

use super::evidence::t_test::test;
use super::evidence::{Band, Verdict, verdict, wilson};
use super::judging::on_all_cores::on_all_cores;
use super::units::cells::Cells;
use super::units::pairing::Basis;
use crate::probability::Generator;
use crate::statistics::{BLOCK_AS_UNIT, FEWEST_UNITS, Interval, MOST_BLOCKS, Timeline};

/// Split of a recording into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Stretches of launches, one after the other, as two recordings made one after
    /// the other would be: what drifts shows.
    LaunchesInOrder,
    /// Launches at random, as recordings in turns would be: drift falls on both
    /// alike. No test that is right raises more alarms than nominal here.
    LaunchesAtRandom,
    /// Stretches of the iterations of a launch, one after the other.
    IterationsInOrder,
}

impl Split {
    /// Wording of reports.
    pub fn text(self) -> &'static str {
        match self {
            Split::LaunchesInOrder => "launches, one stretch after another",
            Split::LaunchesAtRandom => "launches at random",
            Split::IterationsInOrder => "iterations, one stretch after another",
        }
    }
}

/// Alarms among comparisons of parts of one recording. Whatever they differ in is
/// noise, so that at most the nominal rate should be alarms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FalseAlarms {
    /// Kind of the parts.
    pub split: Split,
    /// Number of pairs of parts that were compared.
    pub splits: u64,
    /// Operators that were compared in each split, those that take most time.
    pub operators: u64,
    /// Share of comparisons of an operator that raised an alarm.
    pub rate: f64,
    /// 95 % interval, as if splits were independent and each a single trial: the
    /// operators of a split are not independent.
    pub interval: Interval,
    /// Share of comparisons of the whole that raised an alarm.
    pub total_rate: f64,
    /// Its 95 % interval.
    pub total_interval: Interval,
}

/// A stretch of iterations is this part of a launch.
const STRETCH: usize = 4;
/// Most operators that are compared: further ones take next to no time.
const MOST_OPERATORS: usize = 100;
const SPLITS: usize = 200;

/// Alarms for each way to split the recording that has enough launches or iterations. `operators`
/// are numbers, largest time first.
pub(crate) fn false_alarms(
    timeline: &Timeline,
    operators: &[u32],
    band: Band,
    alpha: f64,
    seed: u64,
) -> Vec<FalseAlarms> {
    let operators = &operators[..operators.len().min(MOST_OPERATORS)];
    let mut series = vec![timeline.latencies.clone()];
    for &operator in operators {
        let mut times = Vec::new();
        timeline.time_per_iteration(std::iter::once(operator), &mut times);
        series.push(times);
    }
    let mut random = Generator::new(seed);
    let parts: Vec<(Split, Vec<[Cells; 2]>)> = match timeline.launches.len() / 2 < FEWEST_UNITS {
        false => {
            let at_random = (0..SPLITS).map(|_| split_launches(timeline, &mut random));
            let at_random = at_random.collect();
            // The shortest stretches leave room for most of them.
            let in_order = stretches_of_launches(timeline, FEWEST_UNITS, &mut random);
            vec![(Split::LaunchesInOrder, in_order), (Split::LaunchesAtRandom, at_random)]
        }
        true => {
            let in_order = (0..SPLITS).filter_map(|_| split_iterations(timeline, &mut random));
            vec![(Split::IterationsInOrder, in_order.collect())]
        }
    };
    let parts = parts.into_iter().filter(|(_, splits)| !splits.is_empty());
    parts.map(|(split, parts)| alarms(split, &parts, &series, band, alpha)).collect()
}

/// `series` has the times of the whole, then those of operators.
fn alarms(
    split: Split,
    parts: &[[Cells; 2]],
    series: &[Vec<u64>],
    band: Band,
    alpha: f64,
) -> FalseAlarms {
    let counted = on_all_cores(parts, |parts| {
        let mut work = Vec::new();
        parts.iter().map(|parts| of_pair(split, parts, series, band, alpha, &mut work)).collect()
    });
    let total_alarms: u64 = counted.iter().map(|&(of_whole, _)| of_whole).sum();
    let alarms: u64 = counted.iter().map(|&(_, of_operators)| of_operators).sum();
    let splits = parts.len() as u64;
    let operators = series.len() as u64 - 1;
    let rate = alarms as f64 / (splits * operators).max(1) as f64;
    let total_rate = total_alarms as f64 / splits as f64;
    let interval = |rate: f64| {
        // Operators of a split share its launches: trials are splits, not splits times operators.
        let (low, high) = wilson((rate * splits as f64).round() as u64, splits);
        Interval { low, high }
    };
    FalseAlarms {
        split,
        splits,
        operators,
        rate,
        interval: interval(rate),
        total_rate,
        total_interval: interval(total_rate),
    }
}

/// Number of alarms of the whole and of operators between two parts.
fn of_pair(
    split: Split,
    parts: &[Cells; 2],
    series: &[Vec<u64>],
    band: Band,
    alpha: f64,
    work: &mut Vec<u64>,
) -> (u64, u64) {
    let counts = parts.each_ref().map(Cells::units);
    let basis = match split {
        Split::IterationsInOrder => Basis::Blocks(counts),
        _ => Basis::Launches(counts),
    };
    let blocks = parts.each_ref().map(|cells| &cells.blocks[..]);
    let (mut of_whole, mut of_operators) = (0, 0);
    let mut values = [Vec::new(), Vec::new()];
    for (number, times) in series.iter().enumerate() {
        for (cells, values) in parts.iter().zip(&mut values) {
            cells.values(times, values, work);
        }
        let values = values.each_ref().map(|values| &values[..]);
        let Some(tested) = test(basis, blocks, values, band.ticks) else { continue };
        let (estimate, location) = (&tested.estimate, tested.typical[0]);
        let found = verdict(estimate, location, tested.student.p, alpha, band);
        let alarm = u64::from(matches!(found, Verdict::Faster | Verdict::Slower));
        *if number == 0 { &mut of_whole } else { &mut of_operators } += alarm;
    }
    (of_whole, of_operators)
}

/// Two halves of the launches, at random.
fn split_launches(timeline: &Timeline, random: &mut Generator) -> [Cells; 2] {
    let mut order: Vec<usize> = (0..timeline.launches.len()).collect();
    for last in (1..order.len()).rev() {
        // Fisher-Yates: all orders are equally likely.
        order.swap(last, random.below(last + 1));
    }
    // Of an odd number one is left out, so that both parts are of the same size.
    let half = order.len() / 2;
    [&order[..half], &order[half..2 * half]].map(|part| Cells::launches(timeline, part))
}

/// All pairs of stretches of launches, the first before the second; random ones of
/// them if there are many.
fn stretches_of_launches(
    timeline: &Timeline,
    length: usize,
    random: &mut Generator,
) -> Vec<[Cells; 2]> {
    let last = timeline.launches.len().saturating_sub(length);
    let mut begins: Vec<[usize; 2]> = (0..=last)
        .flat_map(|first| (first + length..=last).map(move |second| [first, second]))
        .collect();
    while begins.len() > SPLITS {
        begins.swap_remove(random.below(begins.len()));
    }
    let cells =
        |begin: usize| Cells::launches(timeline, &(begin..begin + length).collect::<Vec<_>>());
    begins.into_iter().map(|begins| begins.map(cells)).collect()
}

/// Two stretches of the longest launch that do not overlap, at random, as if they
/// had been recorded one after the other.
fn split_iterations(timeline: &Timeline, random: &mut Generator) -> Option<[Cells; 2]> {
    let longest = timeline.launches.iter().max_by_key(|launch| launch.iterations.len())?;
    let range = &longest.iterations;
    let length = range.len() / STRETCH;
    if length < MOST_BLOCKS * BLOCK_AS_UNIT {
        return None;
    }
    let room = range.len() - 2 * length;
    let (first, second) = (random.below(room + 1), random.below(room + 1));
    // Two starts in the room that both stretches leave, the later one moved past the first stretch:
    // never overlapping, at any distance.
    let begins = [first.min(second), first.max(second) + length];
    let stretch = |begin: usize| {
        let begin = range.start + begin;
        Cells::stretch(begin..begin + length)
    };
    let [a, b] = begins.map(stretch);
    // Either order, so that a drift raises as many alarms for faster as for slower.
    Some(if random.below(2) == 0 { [a, b] } else { [b, a] })
}
