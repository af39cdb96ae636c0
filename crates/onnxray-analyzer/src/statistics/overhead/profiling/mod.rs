//! What profiling adds to iterations, inside the events of operators and between them, and how
//! it is taken out of their times.
//!
//! ```text
//!   plain       | kernel |d| kernel |d|
//!   profiled    | kernel  inside | d between | kernel  inside | d between |
//!   its events  |----------------|           |----------------|
//! ```
//!
//! Chains of trivial nodes tell what an event costs at the least: their profiler finds everything
//! in the caches. The most it can cost in this model is what instrumented iterations take longer
//! than unprofiled ones, less what lies between events. And so much of it is inside at the least that
//! what is left of the latency beside operators is not below 0. The middle is taken.

mod bound;
mod chains;

pub use bound::ProfilingBound;

use crate::statistics::spread::distribution::median;
use crate::statistics::steady::typical::Typical;
use crate::statistics::times::exclusive::ExclusiveTimes;
use crate::statistics::{Interval, IterationSummary, OperatorSummary};
use crate::trace::{Events, Trace};
use crate::units::Milliseconds;
use chains::ChainCost;
use onnxray_format::{IterationKind, Nanoseconds, Operator, Run};

/// Profiling cost in a recording; times are in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfilingCost {
    /// Lower bound, with warm caches.
    chain: ChainCost,
    /// Inside an event, above `chain`.
    extra: f64,
    /// Inside an event, mean over all of them.
    pub inside: f64,
    /// Possible error of `inside`.
    pub reach: f64,
    /// Between two events.
    pub between: f64,
    /// Events of an iteration.
    pub events: f64,
    /// Events of an iteration that lie in no other.
    pub outermost: f64,
}

/// Cold caches raise the cost inside an event by at most this many times the factor by which they
/// raise that between events.
const MOST_EXTRA: f64 = 2.0;

impl ProfilingCost {
    /// `added` is what instrumented iterations take longer than unprofiled ones, in nanoseconds, with
    /// its interval; `None` if that is not known.
    ///
    /// # Errors
    ///
    /// Why it is unknown, in words.
    pub(in crate::statistics) fn of(
        trace: &Trace,
        iterations: &[IterationSummary],
        exclusive: &ExclusiveTimes,
        added: Option<(f64, Interval)>,
    ) -> Result<ProfilingCost, String> {
        let chain = ChainCost::of(&trace.calibrations)?;
        let measured = iterations.iter().filter(|i| i.kind == IterationKind::Measured);
        let gaps: Vec<f64> =
            measured.filter_map(|i| i.overhead.map(|time| time.0 as f64)).collect();
        let kernel = &trace.events.kernel;
        let (Some(gaps), false) = (median(&gaps), kernel.is_empty()) else {
            return Err("no operator was recorded".to_string());
        };
        let table = kernels(trace);
        let inside: Vec<f64> = table.iter().map(|operator| chain.inside(operator)).collect();
        let sum: f64 = kernel.iter().filter_map(|&kernel| inside.get(kernel as usize)).sum();
        // Warm-up iterations have events as well, unprofiled ones have none.
        let recorded = iterations.iter().filter(|i| i.kind != IterationKind::Unprofiled).count();
        let events = kernel.len() as f64 / recorded.max(1) as f64;
        let outermost = events * exclusive.outermost as f64 / kernel.len() as f64;
        let least = sum / kernel.len() as f64;
        // Caches are as cold inside an event as between events: one factor bounds the excess of
        // both.
        let most = least * MOST_EXTRA * (gaps / outermost / chain.between.max(1.0)).max(1.0);
        // An event holds what it costs. Beside other programs the excess is mostly theirs, and takes
        // most of few events: the short ones tell.
        let tick = trace.runs.first().and_then(Run::operator_resolution);
        let tick = tick.map_or(0.0, |tick| tick.0 as f64);
        let shortest = shortest_excess(table, &inside, kernel, &exclusive.times);
        let most = shortest.map_or(most, |excess| most.min(least + excess + tick));
        // `high` and `low` of docs/statistics.md#profiling-cost, within `least` and `most`.
        let bounds = |added: f64| {
            let high = (added / events - chain.between).clamp(least, most);
            // No more than the gaps can be between events, or the framework overhead would be below
            // 0.
            let low = (added / events - gaps / outermost).clamp(least, high);
            (low, high)
        };
        let ((low, high), (lowest, highest)) = match added {
            Some((added, ends)) => (bounds(added), (bounds(ends.low).0, bounds(ends.high).1)),
            None => ((least, most), (least, most)),
        };
        let middle = (low + high) / 2.0;
        let reach = (middle - lowest).max(highest - middle) + chain.reach;
        let between = match added {
            // No more than there is between events.
            Some((added, _)) => (added / events - middle).min(gaps / outermost).max(chain.between),
            None => chain.between,
        };
        Ok(ProfilingCost {
            chain,
            extra: middle - least,
            inside: middle,
            reach,
            between,
            events,
            outermost,
        })
    }

    /// Pools the costs of two recordings by one profiler: inside is where the ranges of both
    /// overlap; inside and between together are the mean of both.
    pub(crate) fn pooled(both: [&ProfilingCost; 2]) -> [ProfilingCost; 2] {
        let [a, b] = both;
        let chain = ChainCost::middle([&a.chain, &b.chain]);
        let low = (a.inside - a.reach).max(b.inside - b.reach);
        let high = (a.inside + a.reach).min(b.inside + b.reach);
        // Ranges that do not overlap: the cost is in the gap between them.
        let (inside, reach) = (f64::midpoint(low, high).max(0.0), (high - low).abs() / 2.0);
        let least = f64::midpoint(a.inside - a.extra, b.inside - b.extra);
        let whole = f64::midpoint(a.inside + a.between, b.inside + b.between);
        let between = (whole - inside).max(chain.between);
        both.map(|cost| ProfilingCost {
            chain,
            extra: inside - least,
            inside,
            reach,
            between,
            ..cost.clone()
        })
    }

    /// In words: `2.4 µs (1.8 to 3.1) inside an event, 2.6 µs between events`.
    pub fn text(&self) -> String {
        let ProfilingCost { inside, reach, between, .. } = self;
        let us = |nanoseconds: f64| format!("{:.2}", nanoseconds / 1e3);
        format!(
            "{} µs ({} to {}) inside an event, {} µs between events",
            us(*inside),
            us((inside - reach).max(0.0)),
            us(inside + reach),
            us(*between)
        )
    }

    /// Cost inside an event of this operator, with the excess over the chains.
    pub(crate) fn inside_of(&self, operator: &Operator) -> f64 {
        self.chain.inside(operator) + self.extra
    }
}

/// Takes what profiling costs out of the exclusive times of all events, and of what iterations
/// spend in operators. Returns what was taken out in typical iterations, by kernel, in
/// nanoseconds.
pub(in crate::statistics) fn take_out(
    cost: &ProfilingCost,
    trace: &Trace,
    typical: &Typical,
    exclusive: &mut ExclusiveTimes,
    iterations: &mut [IterationSummary],
) -> Vec<u64> {
    let Events { launch, iteration: position, kernel, .. } = &trace.events;
    let of_event = of_events(cost, kernels(trace), kernel);
    let mut taken = vec![0; of_event.len()];
    // By kernel: cost that its events were too short to pay.
    let mut owed = vec![0u64; of_event.len()];
    for iteration in iterations.iter_mut() {
        iteration.profiling = iteration.operators.map(|_| Nanoseconds(0));
    }
    for (event, time) in exclusive.times.iter_mut().enumerate() {
        let kernel = kernel[event] as usize;
        // A clock of microseconds makes times alternately too short and too long: the next event of
        // the kernel pays what this one could not.
        let due = of_event[kernel] + owed[kernel];
        let part = due.min(*time);
        *time -= part;
        owed[kernel] = (due - part).min(MOST_OWED * of_event[kernel]);
        // An event outside the iterations is in no sum.
        let Some(row) = trace.iterations.row(launch[event], position[event]) else { continue };
        exclusive.by_iteration[row as usize] -= part;
        let iteration = &mut iterations[row as usize];
        iteration.profiling = iteration.profiling.map(|sum| sum + Nanoseconds(part));
        if typical.rows[row as usize] {
            taken[kernel] += part;
        }
    }
    for (iteration, &operators) in iterations.iter_mut().zip(&exclusive.by_iteration) {
        iteration.operators = iteration.operators.map(|_| Nanoseconds(operators));
    }
    taken
}

/// In costs of one event: without a limit, a single disturbed event would pay for many short ones.
const MOST_OWED: u64 = 4;

/// Executions that have a first quartile.
const FEWEST_EXECUTIONS: usize = 4;

/// What an event can cost at the most above the chains, in nanoseconds: the smallest excess of the
/// first quartile of a kernel's events over `inside`, at least 0. Interrupted events are beyond
/// the quartile, and shorter ones may come from a coarse clock. `None` where no kernel runs often
/// enough.
fn shortest_excess(
    table: &[Operator],
    inside: &[f64],
    kernel: &[u32],
    times: &[u64],
) -> Option<f64> {
    // By kernel, one after the other: where its times begin.
    let mut begins = vec![0usize; table.len() + 1];
    for &kernel in kernel {
        *begins.get_mut(kernel as usize + 1)? += 1;
    }
    for at in 1..begins.len() {
        begins[at] += begins[at - 1];
    }
    let mut free = begins.clone();
    let mut by_kernel = vec![0u64; times.len()];
    for (&kernel, &time) in kernel.iter().zip(times) {
        by_kernel[free[kernel as usize]] = time;
        free[kernel as usize] += 1;
    }
    // What runs on a device costs the host nothing inside.
    let on_host = (0..table.len()).filter(|&kernel| !table[kernel].device);
    let excesses = on_host.filter_map(|kernel| {
        let times = &mut by_kernel[begins[kernel]..begins[kernel + 1]];
        let quartile = times.len() / FEWEST_EXECUTIONS;
        let often = times.len() >= FEWEST_EXECUTIONS;
        often.then(|| *times.select_nth_unstable(quartile).1 as f64 - inside[kernel])
    });
    excesses.min_by(f64::total_cmp).map(|excess| excess.max(0.0))
}

/// By kernel: what profiling adds to the time of an event, in nanoseconds.
fn of_events(cost: &ProfilingCost, table: &[Operator], kernel: &[u32]) -> Vec<u64> {
    let mut executions = vec![0u64; table.len()];
    for &kernel in kernel {
        executions[kernel as usize] += 1;
    }
    // The host's instruments do not lengthen what a device runs, which is in no sum of the host's.
    let inside = |operator: &Operator| if operator.device { 0.0 } else { cost.inside_of(operator) };
    let mut of_event: Vec<f64> = table.iter().map(inside).collect();
    // Time between the events of a body is exclusive time of its Scan, Loop or If.
    for (child, &count) in table.iter().zip(&executions) {
        let parent = child.parent.map_or(usize::MAX, |parent| parent as usize);
        if let Some(&of_parent @ 1..) = executions.get(parent) {
            of_event[parent] += cost.between * count as f64 / of_parent as f64;
        }
    }
    of_event.into_iter().map(|cost| cost.round() as u64).collect()
}

/// Tells operators and kernels what profiling cost them, and which take too little to tell; returns
/// how many events per iteration each operator has.
pub(in crate::statistics) fn mark(
    cost: &ProfilingCost,
    taken: &[u64],
    trace: &Trace,
    iterations: usize,
    operators: &mut [OperatorSummary],
    kernels: Option<&mut [OperatorSummary]>,
) -> Vec<f64> {
    let mark = |summary: &mut OperatorSummary, taken: u64, events: f64| {
        let profiling = taken as f64 / iterations as f64;
        let is_known = summary.mean.is_some() && events > 0.0;
        summary.profiling = is_known.then_some(Milliseconds::from_nanoseconds(profiling));
        mark_uncertain(cost, events, summary);
    };
    let executions = |summary: &OperatorSummary| summary.executions.unwrap_or(0.0);
    let mut sums = vec![(0, 0.0); operators.len()];
    match kernels.zip(trace.kernels.as_ref()) {
        None => {
            for ((sum, operator), &taken) in sums.iter_mut().zip(operators.iter()).zip(taken) {
                *sum = (taken, executions(operator));
            }
        }
        Some((kernels, table)) => {
            let rows = kernels.iter_mut().zip(taken).zip(&table.operator_of);
            for ((kernel, &taken), &operator) in rows {
                let executions = executions(kernel);
                mark(kernel, taken, executions);
                let sum = &mut sums[operator as usize];
                *sum = (sum.0 + taken, sum.1 + executions);
            }
        }
    }
    for (operator, &(taken, events)) in operators.iter_mut().zip(&sums) {
        mark(operator, taken, events);
    }
    sums.into_iter().map(|(_, events)| events).collect()
}

/// Makes a time of this many events per iteration as uncertain as their cost is: all of them may
/// cost more, or all less.
pub(in crate::statistics) fn mark_uncertain(
    cost: &ProfilingCost,
    events: f64,
    summary: &mut OperatorSummary,
) {
    let Some(mean) = summary.mean.filter(|_| events > 0.0) else { return };
    let reach = cost.reach * events / 1e6;
    // A mean within the reach of the cost may be the profiler's alone.
    summary.below = (mean.0 <= reach).then_some(Milliseconds(mean.0 + reach));
    summary.interval = summary
        .interval
        .map(|Interval { low, high }| Interval { low: (low - reach).max(0.0), high: high + reach });
}

/// The table that `Events::kernel` numbers: kernels, or operators where each is one kernel.
fn kernels(trace: &Trace) -> &[Operator] {
    trace.kernels.as_ref().map_or(&trace.operators, |kernels| &kernels.table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Calibration, CalibrationChain};

    #[test]
    fn an_event_costs_no_more_than_the_shortest_ones_take() {
        let table = [false, false, true].map(|device| Operator { device, ..Operator::default() });
        let inside = [2.0, 3.0, 0.0];
        // In turns: one is interrupted half of the time, the other is longer, the third on a device.
        let kernel: Vec<u32> = (0..24).map(|event| event % 3).collect();
        let time = |event: u32| match event % 3 {
            0 if event.is_multiple_of(2) => 9 + u64::from(event),
            0 => 1_000_000,
            1 => 500,
            _ => 1,
        };
        let times: Vec<u64> = (0..24).map(time).collect();
        // Of 9, 15, 21, 27 and the interrupted ones, the quartile is the third.
        assert_eq!(shortest_excess(&table, &inside, &kernel, &times), Some(19.0));
        assert_eq!(shortest_excess(&table, &[40.0, 3.0, 0.0], &kernel, &times), Some(0.0));
        let few = [&kernel[..9], &[2]].concat();
        assert_eq!(shortest_excess(&table, &inside, &few, &times[..10]), None, "of 3 executions");
    }

    #[test]
    fn the_host_s_profiler_costs_a_device_nothing() {
        let chain = CalibrationChain {
            nodes: 10,
            tensors: 2.0,
            dimensions: 4.0,
            plain_ns: vec![10_000; 20],
            profiled_ns: vec![40_000; 20],
            node_ns: vec![2_000.0; 20],
        };
        let calibration = Calibration { chains: vec![chain], ..Calibration::default() };
        let chain = ChainCost::of(&[Some(calibration)]).unwrap();
        let cost = ProfilingCost {
            inside: chain.inside(&Operator::default()),
            between: chain.between,
            chain,
            extra: 0.0,
            reach: 0.0,
            events: 2.0,
            outermost: 2.0,
        };
        let table = [false, true].map(|device| Operator { device, ..Operator::default() });
        let of_event = of_events(&cost, &table, &[0, 1]);
        assert!(of_event[0] > 0);
        assert_eq!(of_event[1], 0);
    }
}
