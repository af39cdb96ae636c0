//! Iterations one by one, and what operators spend in each: the material of comparisons.

use super::executions::Executions;
use crate::statistics::{IterationSummary, LaunchSummary};
use onnxray_format::{IterationKind, Nanoseconds};
use std::ops::Range;
use std::sync::Arc;

/// The iterations of a recording that figures are taken over, and what every
/// operator spends in each, where that is known.
#[derive(Clone)]
pub struct Timeline {
    /// By launch, in order: where its steady-state iterations stand among all of
    /// them. Launches without any are left out, and those that ran side by side are one.
    pub launches: Vec<SteadyLaunch>,
    /// Wall time of each steady-state iteration.
    pub latencies: Vec<u64>,
    /// Exclusive time of all operators in each; empty if the trace does not tell.
    pub operators: Vec<u64>,
    /// `operators` minus the time that they cover; empty if the trace does not tell.
    pub concurrent: Vec<u64>,
    /// Time in each in which devices work and no operator of the host; empty if the trace does not
    /// tell.
    pub devices_alone: Vec<u64>,
    /// Profiling cost inside the events of operators in each; empty if unknown.
    pub profiling: Vec<u64>,
    /// Wall time that no operator covers; `None` if the trace does not tell.
    pub overhead: Option<Vec<u64>>,
    /// `None` where operators were timed apart from the iterations.
    executions: Option<Arc<Executions>>,
    /// By row of the recording's iterations: the steady-state one.
    steady: Vec<Option<u32>>,
    /// By steady-state iteration: its row.
    rows: Vec<u32>,
}

/// A launch without its warm-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SteadyLaunch {
    /// Number that the launch has in the recording, or that of the round.
    pub launch: u32,
    /// Among all steady-state iterations.
    pub iterations: Range<usize>,
    /// Measured iterations before the latency settled, which are left out.
    pub cut: u64,
}

impl Timeline {
    /// `None` if nothing was measured by iteration.
    pub fn of(
        iterations: &[IterationSummary],
        launches: &[LaunchSummary],
        executions: Option<Executions>,
    ) -> Option<Timeline> {
        let mut timeline = Timeline {
            executions: executions.map(Arc::new),
            // Known until an iteration does not tell.
            overhead: Some(Vec::new()),
            ..Timeline::empty(iterations.len())
        };
        let mut row = 0;
        for of_launch in iterations.chunk_by(|a, b| a.position == b.position) {
            let summary = launches.get(of_launch[0].position as usize)?;
            timeline.add(row, of_launch, summary);
            row += of_launch.len();
        }
        timeline.order_rounds(iterations, launches);
        (!timeline.latencies.is_empty()).then_some(timeline)
    }

    /// The unprofiled iterations in place of the measured ones; `None` if there are none.
    pub fn of_unprofiled(
        iterations: &[IterationSummary],
        launches: &[LaunchSummary],
    ) -> Option<Timeline> {
        let mut timeline = Timeline::empty(iterations.len());
        let mut row = 0;
        for of_launch in iterations.chunk_by(|a, b| a.position == b.position) {
            let launch = launches.get(of_launch[0].position as usize)?;
            let begin = timeline.latencies.len();
            for (row, iteration) in (row..).zip(of_launch) {
                if iteration.kind == IterationKind::Unprofiled {
                    timeline.steady[row] = Some(timeline.latencies.len() as u32);
                    timeline.rows.push(row as u32);
                    timeline.latencies.push(iteration.latency.0);
                }
            }
            timeline.end_launch(launch, begin, 0);
            row += of_launch.len();
        }
        timeline.order_rounds(iterations, launches);
        (!timeline.latencies.is_empty()).then_some(timeline)
    }

    /// Without iterations, for a recording of this many rows.
    fn empty(rows: usize) -> Timeline {
        Timeline {
            launches: Vec::new(),
            latencies: Vec::new(),
            operators: Vec::new(),
            concurrent: Vec::new(),
            devices_alone: Vec::new(),
            profiling: Vec::new(),
            overhead: None,
            executions: None,
            steady: vec![None; rows],
            rows: Vec::new(),
        }
    }

    fn add(&mut self, first: usize, iterations: &[IterationSummary], launch: &LaunchSummary) {
        // Warm-up is counted over flagged and measured iterations together.
        let found = launch.warmup_found.unwrap_or(0);
        let begin = self.latencies.len();
        let (mut recorded, mut cut) = (0, 0);
        for (row, iteration) in (first..).zip(iterations) {
            if iteration.kind == IterationKind::Unprofiled {
                continue;
            }
            recorded += 1;
            if iteration.kind == IterationKind::WarmUp {
                continue;
            }
            if recorded <= found {
                cut += 1;
                continue;
            }
            self.steady[row] = Some(self.latencies.len() as u32);
            self.rows.push(row as u32);
            self.latencies.push(iteration.latency.0);
            self.operators.extend(iteration.operators.map(|time| time.0));
            self.concurrent.extend(iteration.concurrent.map(|time| time.0));
            self.devices_alone.extend(iteration.devices_alone.map(|time| time.0));
            self.profiling.extend(iteration.profiling.map(|time| time.0));
            match (&mut self.overhead, iteration.overhead) {
                (Some(known), Some(time)) => known.push(time.0),
                (known, _) => *known = None,
            }
        }
        self.end_launch(launch, begin, cut);
    }

    /// Closes a launch, which has the steady-state iterations from `begin` on.
    fn end_launch(&mut self, launch: &LaunchSummary, begin: usize, cut: u64) {
        let iterations = begin..self.latencies.len();
        if iterations.is_empty() {
            return;
        }
        let round = launch.instance.map(|instance| instance.round);
        // Merges the instances of a round; `round` is `None` for all other launches.
        match self.launches.last_mut().filter(|last| Some(last.launch) == round) {
            Some(last) => {
                last.iterations.end = iterations.end;
                last.cut += cut;
            }
            None => {
                let launch = round.unwrap_or(launch.launch);
                self.launches.push(SteadyLaunch { launch, iterations, cut });
            }
        }
    }

    /// Puts the iterations of launches that ran side by side into the order in which they
    /// began: what changes from one to the next is time then, and not the launch.
    fn order_rounds(&mut self, iterations: &[IterationSummary], launches: &[LaunchSummary]) {
        let begun = |row: u32| {
            let iteration = iterations.get(row as usize)?;
            let origin = launches.get(iteration.position as usize)?.clock_origin?;
            origin.0.checked_add(iteration.start.0)
        };
        if launches.iter().all(|launch| launch.instance.is_none()) {
            return;
        }
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        // Within each round: rounds ran one after the other.
        for launch in &self.launches {
            order[launch.iterations.clone()].sort_by_key(|&at| begun(self.rows[at]));
        }
        let in_order = |times: &[u64]| -> Vec<u64> {
            // A column that the trace does not tell is empty, and stays so.
            order.iter().filter_map(|&at| times.get(at).copied()).collect()
        };
        self.latencies = in_order(&self.latencies);
        self.operators = in_order(&self.operators);
        self.concurrent = in_order(&self.concurrent);
        self.devices_alone = in_order(&self.devices_alone);
        self.profiling = in_order(&self.profiling);
        self.overhead = self.overhead.as_deref().map(in_order);
        self.rows = order.iter().map(|&at| self.rows[at]).collect();
        (0..).zip(&self.rows).for_each(|(at, &row)| self.steady[row as usize] = Some(at));
    }

    /// Only the steady-state iterations for which `keep` is true; `None` if none is left.
    pub fn only(&self, keep: &[bool]) -> Option<Timeline> {
        let kept = |at: &usize| keep.get(*at).copied().unwrap_or(false);
        let all: Vec<usize> = (0..self.latencies.len()).filter(kept).collect();
        let of = |times: &[u64]| all.iter().filter_map(|&at| times.get(at).copied()).collect();
        let rows: Vec<u32> = all.iter().map(|&at| self.rows[at]).collect();
        let mut steady = vec![None; self.steady.len()];
        (0..).zip(&rows).for_each(|(at, &row)| steady[row as usize] = Some(at));
        let launches = self.launches.iter().filter_map(|launch| {
            // A range ends at the number of iterations kept before its old end.
            let of_launch = |end: usize| all.partition_point(|&at| at < end);
            let range = of_launch(launch.iterations.start)..of_launch(launch.iterations.end);
            (!range.is_empty()).then(|| SteadyLaunch { iterations: range, ..launch.clone() })
        });
        let timeline = Timeline {
            launches: launches.collect(),
            latencies: of(&self.latencies),
            operators: of(&self.operators),
            concurrent: of(&self.concurrent),
            devices_alone: of(&self.devices_alone),
            profiling: of(&self.profiling),
            overhead: self.overhead.as_deref().map(of),
            executions: self.executions.clone(),
            steady,
            rows,
        };
        (!timeline.latencies.is_empty()).then_some(timeline)
    }

    /// Moves `more` nanoseconds per execution from the profiling cost to the operator, or back
    /// where below 0; by kernel, or by operator where each is one kernel.
    pub(crate) fn with_profiling(&self, more: &[i64]) -> Timeline {
        let mut timeline = self.clone();
        let Some(executions) = &self.executions else { return timeline };
        let Timeline { operators, profiling, .. } = &mut timeline;
        let shifted = executions.shifted(more, |row, more| {
            // Warm-up has no sums that would have to agree with its executions.
            let Some(Some(at)) = self.steady.get(row as usize) else { return more };
            let at = *at as usize;
            let (Some(own), Some(cost)) = (operators.get_mut(at), profiling.get_mut(at)) else {
                return 0;
            };
            // No more can be given back than was taken.
            let more = more.min(i64::try_from(*cost).unwrap_or(i64::MAX));
            *own = own.saturating_add_signed(more);
            *cost = cost.saturating_add_signed(-more);
            more
        });
        timeline.executions = Some(Arc::new(shifted));
        timeline
    }

    /// True if times of operators per iteration are known; otherwise only latencies can be tested.
    pub fn tells_operators(&self) -> bool {
        self.executions.is_some()
    }

    /// Time of `operators` together in each steady-state iteration, in nanoseconds; nothing if the
    /// trace does not tell.
    pub fn time_per_iteration(&self, operators: impl Iterator<Item = u32>, into: &mut Vec<u64>) {
        into.clear();
        let Some(executions) = &self.executions else { return };
        into.resize(self.latencies.len(), 0);
        for operator in operators {
            for (row, time) in executions.of_operator(operator) {
                if let Some(Some(steady)) = self.steady.get(row as usize) {
                    let sum = &mut into[*steady as usize];
                    *sum = sum.saturating_add(time);
                }
            }
        }
    }

    /// Exclusive time of each operator over all steady-state iterations, in
    /// nanoseconds; `None` if it did not run in them, or if the trace does not tell.
    pub fn sums(&self, operators: usize) -> Vec<Option<f64>> {
        let sum = |operator: usize| {
            let executions = self.executions.as_ref()?.of_operator(operator as u32);
            let steady = executions.filter(|&(row, _)| {
                self.steady.get(row as usize).is_some_and(|steady| steady.is_some())
            });
            steady.map(|(_, time)| time as f64).reduce(|sum, time| sum + time)
        };
        (0..operators).map(sum).collect()
    }

    /// Time of all steady-state iterations.
    pub fn wall(&self) -> Nanoseconds {
        self.latencies.iter().map(|&latency| Nanoseconds(latency)).sum()
    }

    /// Mean latency of all steady-state iterations, in nanoseconds.
    pub fn mean(&self) -> f64 {
        self.wall().0 as f64 / self.latencies.len() as f64
    }

    /// Measured iterations that were left out as warm-up.
    pub fn cut(&self) -> u64 {
        self.launches.iter().map(|launch| launch.cut).sum()
    }

    /// The row of a steady-state iteration among all of the recording.
    pub fn row(&self, steady: usize) -> Option<usize> {
        self.rows.get(steady).map(|&row| row as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Instance;
    use onnxray_format::Iteration;

    fn launch(launch: u32, instances: Option<u32>) -> LaunchSummary {
        LaunchSummary {
            launch,
            rank: None,
            instance: instances.map(|count| Instance { round: launch / count, number: 0 }),
            iterations: 3,
            warmup_flagged: 0,
            warmup_found: Some(1),
            latency: None,
            clock_origin: None,
            unprofiled: None,
        }
    }

    fn iterations(launches: u32) -> Vec<IterationSummary> {
        let of_launch = |position: u32| {
            (0..4).map(move |index| {
                IterationSummary::of_time(
                    position,
                    position,
                    Iteration {
                        index,
                        kind: match index {
                            3 => IterationKind::Unprofiled,
                            _ => IterationKind::Measured,
                        },
                        start: Nanoseconds(0),
                        duration: Nanoseconds(1),
                        step: None,
                    },
                )
            })
        };
        (0..launches).flat_map(of_launch).collect()
    }

    #[test]
    fn launches_side_by_side_are_one_unit() {
        let units = |instances: Option<u32>| {
            let launches: Vec<LaunchSummary> =
                (0..5).map(|number| launch(number, instances)).collect();
            let measured = Timeline::of(&iterations(5), &launches, None).unwrap();
            let unprofiled = Timeline::of_unprofiled(&iterations(5), &launches).unwrap();
            [measured, unprofiled].map(|timeline| {
                let units = timeline.launches.iter();
                units.map(|unit| (unit.launch, unit.iterations.clone(), unit.cut)).collect()
            })
        };
        let [measured, unprofiled]: [Vec<(u32, Range<usize>, u64)>; 2] = units(Some(2));
        assert_eq!(measured, [(0, 0..4, 2), (1, 4..8, 2), (2, 8..10, 1)]);
        assert_eq!(unprofiled, [(0, 0..2, 0), (1, 2..4, 0), (2, 4..5, 0)]);
        let mut launches = [launch(0, Some(2)), launch(1, Some(2))];
        (launches[0].clock_origin, launches[1].clock_origin) =
            (Some(Nanoseconds(1000)), Some(Nanoseconds(1005)));
        let mut both = iterations(2);
        for (row, iteration) in both.iter_mut().enumerate() {
            iteration.start = Nanoseconds(u64::from(iteration.index) * 10);
            iteration.latency = Nanoseconds(row as u64);
        }
        let timeline = Timeline::of(&both, &launches, None).unwrap();
        assert_eq!(timeline.latencies, [1, 5, 2, 6]);
        assert_eq!((timeline.row(1), timeline.steady[5]), (Some(5), Some(1)));
        let [measured, _] = units(None);
        assert_eq!(measured.len(), 5);
        assert_eq!(measured[4], (4, 8..10, 1));
    }
}
