//! Launches that ran side by side, and what they did together.

use crate::statistics::latency::decisive_kind;
use crate::statistics::spread::blocks::{BLOCK_AS_UNIT, FEWEST_UNITS, MOST_BLOCKS};
use crate::statistics::spread::interval::around;
use crate::statistics::{IterationSummary, PartInterval, Parts};
use onnxray_format::{IterationKind, Nanoseconds, Run};
use onnxray_text::counted;
use std::collections::BTreeMap;

/// Throughput of instances in the time in which all of them ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Instances {
    /// Instances that were to run side by side.
    pub planned: u32,
    /// Instances that did, in the rounds with most of them, which all figures are over.
    pub count: usize,
    /// Number of these rounds.
    pub rounds: usize,
    /// Number of all recorded rounds.
    pub all_rounds: usize,
    /// Time in which all of a round measured, summed over rounds; `None` if unknown.
    pub overlap: Option<Nanoseconds>,
    /// Sum of the instances' own throughputs within that time, mean of the rounds.
    pub iterations_per_second: Option<f64>,
    /// Batch size times that; `None` if the batch size is unknown.
    pub items_per_second: Option<f64>,
    /// 95 % interval of the iterations per second.
    pub interval: Option<PartInterval>,
}

/// Iterations of one instance, on the clock of the machine: start and end.
type Iterations = Vec<(u64, u64)>;

impl Instances {
    /// `runs` are of all launches; `None` without instances.
    pub(in crate::statistics) fn of(
        runs: &[Run],
        iterations: &[IterationSummary],
    ) -> Option<Instances> {
        let planned = runs.first()?.instances?;
        let kind = decisive_kind(iterations);
        let mut rounds: BTreeMap<u32, Vec<Option<Instance>>> = BTreeMap::new();
        for (position, run) in (0..).zip(runs) {
            let own: Vec<&IterationSummary> =
                iterations.iter().filter(|iteration| iteration.position == position).collect();
            let instance = Instance::of(run, &own, kind);
            rounds.entry(run.round()).or_default().push(instance);
        }
        let all_rounds = rounds.len();
        // A round that lacks an instance had less load: its throughput is not that of all.
        let count = rounds.values().map(Vec::len).max()?;
        let full = rounds.into_values().filter(|round| round.len() == count);
        // If one instance measured nothing, there is no time in which all did.
        let full: Vec<Round> =
            full.filter_map(|round| Round::of(round.into_iter().collect::<Option<_>>()?)).collect();
        let rates: Option<Vec<f64>> =
            full.iter().map(|round| round.rate(round.begin..round.end)).collect();
        let rates = rates.filter(|rates| !rates.is_empty());
        let rate = rates.as_ref().map(|rates| rates.iter().sum::<f64>() / rates.len() as f64);
        let overlap = full.iter().map(|round| round.end - round.begin).sum();
        Some(Instances {
            planned,
            count,
            rounds: full.len(),
            all_rounds,
            overlap: rate.map(|_| Nanoseconds(overlap)),
            iterations_per_second: rate,
            items_per_second: rate
                .zip(runs.first()?.batch_size)
                .map(|(rate, batch)| batch as f64 * rate),
            interval: rate.zip(rates).and_then(|(rate, rates)| interval(rate, &rates, &full)),
        })
    }

    /// Caveat of missing instances, rounds or iterations.
    pub(in crate::statistics) fn caveat(&self) -> Option<String> {
        let Instances { planned, count, rounds, all_rounds, .. } = *self;
        let round = counted(all_rounds as u64, "round", "rounds");
        match self.overlap {
            None if rounds == 0 => Some(
                "no instances were seen to measure at the same time: what they do together is \
                 unknown"
                    .to_string(),
            ),
            None => Some(
                "instances have no whole iteration in the time in which all measured: what they do \
                 together is unknown"
                    .to_string(),
            ),
            Some(_) if count < planned as usize => Some(format!(
                "of {} that were to run side by side, {count} left a recording: throughput is of \
                 these",
                counted(u64::from(planned), "instance", "instances")
            )),
            Some(_) if rounds < all_rounds => Some(format!(
                "throughput of all instances is of {rounds} of {round}: in the others, instances \
                 are missing"
            )),
            Some(_) => None,
        }
    }
}

struct Instance {
    /// When it measured, on the clock of the machine: the first start and the last end.
    begin: u64,
    end: u64,
    /// Iterations of the kind that throughput is of.
    iterations: Iterations,
}

impl Instance {
    fn of(run: &Run, own: &[&IterationSummary], kind: IterationKind) -> Option<Instance> {
        // Clocks begin with their process; `clock_origin` puts all instances on one.
        let origin = run.clock_origin?.0;
        let ends = |iteration: &&IterationSummary| {
            let start = origin.checked_add(iteration.start.0)?;
            Some((start, start.checked_add(iteration.latency.0)?))
        };
        // docs/statistics.md#instances: unprofiled iterations count, warm-up does not.
        let steady = own.iter().filter(|iteration| iteration.kind != IterationKind::WarmUp);
        let steady: Vec<(u64, u64)> = steady.filter_map(ends).collect();
        Some(Instance {
            begin: steady.iter().map(|(start, _)| *start).min()?,
            end: steady.iter().map(|(_, end)| *end).max()?,
            iterations: own.iter().filter(|i| i.kind == kind).filter_map(ends).collect(),
        })
    }
}

/// Instances that ran side by side.
struct Round {
    instances: Vec<Instance>,
    /// From the last begin to the first end of its instances.
    begin: u64,
    end: u64,
}

impl Round {
    fn of(instances: Vec<Instance>) -> Option<Round> {
        let begin = instances.iter().map(|instance| instance.begin).max()?;
        let end = instances.iter().map(|instance| instance.end).min()?;
        // Without an overlap there is no time in which all ran.
        (begin < end).then_some(Round { instances, begin, end })
    }

    /// Iterations per second of all instances within a part of the time; `None` if one of
    /// them has no whole iteration there.
    fn rate(&self, within: std::ops::Range<u64>) -> Option<f64> {
        let rates = self.instances.iter().map(|instance| {
            let inside = instance
                .iterations
                .iter()
                .filter(|(start, end)| within.start <= *start && *end <= within.end);
            let (count, time) = inside
                .fold((0u64, 0u64), |(count, time), (start, end)| (count + 1, time + end - start));
            // Over the iterations' own times: what a process does between two of them is not the
            // model's.
            (time > 0).then(|| count as f64 / (time as f64 / 1e9))
        });
        rates.sum()
    }

    /// Iterations in the time in which all measured, of the instance that has fewest.
    fn fewest(&self) -> usize {
        let is_within = |ends: &&(u64, u64)| self.begin <= ends.0 && ends.1 <= self.end;
        let counts = self.instances.iter();
        counts.map(|one| one.iterations.iter().filter(is_within).count()).min().unwrap_or(0)
    }

    /// Rates in `count` stretches of equal time; `None` if an instance has no whole iteration in
    /// one.
    fn stretches(&self, count: usize) -> Option<Vec<f64>> {
        let edge = |stretch: usize| {
            let share = u128::from(self.end - self.begin) * stretch as u128 / count as u128;
            self.begin + share as u64
        };
        (0..count).map(|stretch| self.rate(edge(stretch)..edge(stretch + 1))).collect()
    }
}

/// Over rounds, or over stretches of time where these are too few.
fn interval(rate: f64, rates: &[f64], rounds: &[Round]) -> Option<PartInterval> {
    if rates.len() >= FEWEST_UNITS {
        let interval = around(rate, rates);
        return Some(PartInterval { interval, parts: Parts::Rounds(rates.len()) });
    }
    // Ten stretches over all rounds together, as blocks elsewhere.
    let most = MOST_BLOCKS / rounds.len().max(1);
    let of_round = |round: &Round| {
        // Twice as many as a block needs: iterations across an edge are lost.
        let count = (round.fewest() / (2 * BLOCK_AS_UNIT)).min(most).max(1);
        // Unprofiled iterations may come in turns that are longer than a stretch.
        (1..=count).rev().find_map(|count| round.stretches(count))
    };
    let values: Vec<f64> =
        rounds.iter().map(of_round).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
    let is_enough = values.len() >= FEWEST_UNITS;
    is_enough.then(|| PartInterval {
        interval: around(rate, &values),
        parts: Parts::Blocks(values.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Iteration;

    /// A launch of iterations of this many milliseconds each, one after the other.
    fn launch(
        number: u32,
        origin: u64,
        kind: IterationKind,
        count: u64,
        milliseconds: u64,
    ) -> (Run, Vec<IterationSummary>) {
        let run = Run {
            launch: number,
            instances: Some(2),
            batch_size: Some(4),
            clock_origin: Some(Nanoseconds(origin * 1_000_000)),
            ..Run::default()
        };
        let iterations = (0..count).map(|index| {
            IterationSummary::of_time(
                0,
                number,
                Iteration {
                    index: index as u32,
                    kind,
                    start: Nanoseconds(index * milliseconds * 1_000_000),
                    duration: Nanoseconds(milliseconds * 1_000_000),
                    step: None,
                },
            )
        });
        (run, iterations.collect())
    }

    fn instances(launches: &[(Run, Vec<IterationSummary>)]) -> Instances {
        let runs: Vec<Run> = launches.iter().map(|(run, _)| run.clone()).collect();
        let placed = |(position, (_, own)): (u32, &(Run, Vec<IterationSummary>))| {
            own.iter().map(|one| IterationSummary { position, ..one.clone() }).collect::<Vec<_>>()
        };
        let iterations: Vec<IterationSummary> = (0..).zip(launches).flat_map(placed).collect();
        Instances::of(&runs, &iterations).unwrap()
    }

    #[test]
    fn throughput_is_of_the_time_in_which_all_ran() {
        // One from 0 to 400 ms, a hundred a second; one from 100 to 500 ms, fifty a second.
        let both = [
            launch(0, 0, IterationKind::Measured, 40, 10),
            launch(1, 100, IterationKind::Measured, 20, 20),
        ];
        let found = instances(&both);
        assert_eq!(found.overlap, Some(Nanoseconds(300_000_000)));
        assert_eq!(found.iterations_per_second, Some(150.0));
        assert_eq!(found.items_per_second, Some(600.0));
        assert_eq!((found.planned, found.count, found.rounds), (2, 2, 1));
        let interval = found.interval.unwrap();
        // The slower one has 15 iterations within.
        assert_eq!(interval.parts, Parts::Blocks(3));
        assert!((interval.interval.low - 150.0).abs() < 1e-9, "{interval:?}");
        assert_eq!(found.caveat(), None);
    }

    #[test]
    fn a_slow_beginning_alone_is_not_counted() {
        let mut both = [
            launch(0, 0, IterationKind::Measured, 40, 10),
            launch(1, 200, IterationKind::Measured, 20, 10),
        ];
        for iteration in &mut both[0].1[..20] {
            iteration.latency = Nanoseconds(1_000_000);
        }
        assert_eq!(instances(&both).iterations_per_second, Some(200.0));
    }

    #[test]
    fn rounds_are_averaged_and_parts_of_the_interval() {
        let rounds: Vec<_> = (0..6)
            .map(|number| {
                launch(number, 0, IterationKind::Unprofiled, 10, 10 + u64::from(number / 2))
            })
            .collect();
        let found = instances(&rounds);
        let rates = [200.0, 2000.0 / 11.0, 2000.0 / 12.0];
        let mean = rates.iter().sum::<f64>() / 3.0;
        assert!((found.iterations_per_second.unwrap() - mean).abs() < 1e-9, "{found:?}");
        assert_eq!((found.rounds, found.interval.unwrap().parts), (3, Parts::Rounds(3)));
        // `scipy.stats.t.ppf(0.975, 2) * scipy.stats.sem(rates)`.
        let reach = 4.302_652_729_911_275 * 9.635749509;
        let high = found.interval.unwrap().interval.high;
        assert!((high - (mean + reach)).abs() < 1e-6, "{high} {mean}");
    }

    #[test]
    fn what_is_missing_is_said() {
        let one = [launch(1, 0, IterationKind::Unprofiled, 10, 10)];
        let found = instances(&one);
        assert_eq!(found.iterations_per_second, Some(100.0));
        assert!(found.caveat().unwrap().starts_with("of 2 instances that were"), "{found:?}");
        let apart = [
            launch(0, 0, IterationKind::Unprofiled, 10, 10),
            launch(1, 1000, IterationKind::Unprofiled, 10, 10),
        ];
        let found = instances(&apart);
        assert_eq!((found.iterations_per_second, found.overlap, found.rounds), (None, None, 0));
        assert!(found.caveat().unwrap().contains("unknown"), "{found:?}");
        let mut unknown = [launch(0, 0, IterationKind::Unprofiled, 10, 10)];
        unknown[0].0.clock_origin = None;
        assert_eq!(instances(&unknown).items_per_second, None);
    }
}
