//! Executions of kernels and operators, and their exclusive times per iteration.
//!
//! One pass over the events puts those of a kernel together; then a column of
//! iterations, used again for each group, adds up its exclusive times in each.

use crate::statistics::spread::distribution::Distribution;
use crate::statistics::spread::interval::Partition;
use crate::statistics::steady::typical::Typical;
use crate::trace::{Events, Trace};
use onnxray_format::{IterationKind, Kernels};
use std::ops::Range;

/// The exclusive time of an operator, or of all operators of a type.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupTime {
    /// Sum of exclusive times in typical iterations, in nanoseconds.
    pub total: u64,
    /// Executions in these.
    pub calls: u64,
    /// Per measured iteration in which it ran; `None` if it never did, or if the trace
    /// has no iterations.
    pub time: Option<Distribution>,
}

/// Executions by operator, and by kernel in it: the row of the iteration, and the
/// exclusive time.
pub struct Executions {
    rows: Vec<u32>,
    times: Vec<u64>,
    /// Executions on the host: all of them, unless the trace has devices.
    pub host: Ranges,
    /// Executions on devices; empty without devices.
    pub devices: Ranges,
    /// By row of the iterations.
    is_typical: Vec<bool>,
}

/// Positions in the columns of [`Executions`].
#[derive(Clone, Default)]
pub struct Ranges {
    /// By operator.
    pub operators: Vec<Range<usize>>,
    /// By kernel; empty where every operator is one.
    pub kernels: Vec<Range<usize>>,
}

/// Row of an event of a trace without iterations.
const NO_ROW: u32 = u32::MAX;

impl Ranges {
    /// `of_kernels` has the kernels of an operator one after the other.
    fn of(kernels: &Kernels, of_kernels: impl Iterator<Item = (u32, Range<usize>)>) -> Ranges {
        let mut operators: Vec<Option<Range<usize>>> = vec![None; kernels.main.len()];
        let mut ranges = vec![0..0; kernels.table.len()];
        for (kernel, range) in of_kernels {
            let operator = &mut operators[kernels.operator_of[kernel as usize] as usize];
            let start = operator.as_ref().map_or(range.start, |before| before.start);
            *operator = Some(start..range.end);
            ranges[kernel as usize] = range;
        }
        let operators = operators.into_iter().map(Option::unwrap_or_default).collect();
        Ranges { operators, kernels: ranges }
    }
}

impl Executions {
    /// Executions in measured iterations, or all without iterations; `times` has the exclusive time
    /// of each event, and sums are over `typical` ones.
    pub(in crate::statistics) fn of(trace: &Trace, times: &[u64], typical: &Typical) -> Executions {
        let Events { launch, iteration, kernel, .. } = &trace.events;
        let row = |event: usize| match trace.iterations.rows() {
            [] => Some(NO_ROW),
            rows => trace
                .iterations
                .row(launch[event], iteration[event])
                .filter(|&row| rows[row as usize].kind == IterationKind::Measured),
        };
        // Kernels of an operator follow each other, those of the host first.
        let mut order: Vec<u32> = Vec::new();
        if let Some(kernels) = &trace.kernels {
            order.extend(0..kernels.table.len() as u32);
            order.sort_by_key(|&kernel| {
                (kernels.operator_of[kernel as usize], kernels.table[kernel as usize].device)
            });
        }
        let mut places = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &kernel)| places[kernel as usize] = place);
        // Without a table of kernels, the column numbers operators, which need no order.
        let place = |kernel: u32| places.get(kernel as usize).map_or(kernel, |&place| place);
        // A counting sort by place; executions of a kernel keep the order of the trace.
        let mut begins = vec![0usize; trace.operators.len().max(order.len()) + 1];
        for event in 0..kernel.len() {
            if row(event).is_some() {
                begins[place(kernel[event]) as usize + 1] += 1;
            }
        }
        for place in 1..begins.len() {
            begins[place] += begins[place - 1];
        }
        let mut next = begins.clone();
        let kept = begins.last().copied().unwrap_or_default();
        let (mut rows_of, mut times_of) = (vec![0u32; kept], vec![0u64; kept]);
        for event in 0..kernel.len() {
            if let Some(row) = row(event) {
                let next = &mut next[place(kernel[event]) as usize];
                (rows_of[*next], times_of[*next]) = (row, times[event]);
                *next += 1;
            }
        }
        let ranges = begins.windows(2).map(|ends| ends[0]..ends[1]);
        let (host, devices) = match &trace.kernels {
            None => {
                (Ranges { operators: ranges.collect(), ..Ranges::default() }, Ranges::default())
            }
            Some(kernels) => {
                let on = |device: bool| {
                    let own = ranges.clone().zip(&order);
                    let own =
                        own.filter(|&(_, &kernel)| kernels.table[kernel as usize].device == device);
                    Ranges::of(kernels, own.map(|(range, &kernel)| (kernel, range)))
                };
                let has_devices = kernels.table.iter().any(|kernel| kernel.device);
                (on(false), if has_devices { on(true) } else { Ranges::default() })
            }
        };
        let is_typical = typical.rows.clone();
        Executions { rows: rows_of, times: times_of, host, devices, is_typical }
    }

    /// Row of the iteration and exclusive time of each execution of an operator.
    pub fn of_operator(&self, operator: u32) -> impl Iterator<Item = (u32, u64)> {
        let range = self.host.operators.get(operator as usize).cloned().unwrap_or_default();
        let rows = self.rows[range.clone()].iter().copied();
        rows.zip(self.times[range].iter().copied())
    }

    /// Exclusive times of groups of operators or kernels, of which each member is a range.
    pub fn group_times<'a>(
        &self,
        groups: impl ExactSizeIterator<Item = impl IntoIterator<Item = &'a Range<usize>>>,
    ) -> Vec<GroupTime> {
        let mut times = Vec::with_capacity(groups.len());
        self.each_group(groups, |sum, per_iteration| {
            times.push(GroupTime { time: Distribution::of(per_iteration), ..sum });
        });
        times
    }

    /// Calls `take` per group with its sum over typical iterations (without `time`), and with its
    /// nanoseconds in each measured iteration in which it ran.
    pub fn each_group<'a>(
        &self,
        groups: impl Iterator<Item = impl IntoIterator<Item = &'a Range<usize>>>,
        mut take: impl FnMut(GroupTime, &mut [u64]),
    ) {
        let mut in_iteration = vec![0u64; self.is_typical.len()];
        let mut ran = vec![false; self.is_typical.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut per_iteration: Vec<u64> = Vec::new();
        for members in groups {
            let mut sum = GroupTime::default();
            for executions in members {
                for execution in executions.clone() {
                    let (row, time) = (self.rows[execution], self.times[execution]);
                    let row_index = row as usize;
                    // `NO_ROW` is beyond the column: without iterations every execution counts.
                    if self.is_typical.get(row_index).is_none_or(|&is_typical| is_typical) {
                        sum.calls += 1;
                        sum.total += time;
                    }
                    if row == NO_ROW {
                        continue;
                    }
                    // Apart from the sum: an execution of 0 ns counts as one, too.
                    if !ran[row_index] {
                        ran[row_index] = true;
                        touched.push(row);
                    }
                    in_iteration[row_index] += time;
                }
            }
            per_iteration.clear();
            // Clears only what was touched, or the cost would be operators * iterations.
            for row in touched.drain(..) {
                per_iteration.push(std::mem::take(&mut in_iteration[row as usize]));
                ran[row as usize] = false;
            }
            take(sum, &mut per_iteration);
        }
    }

    /// Shifts each execution by `more` nanoseconds of its kernel, or of its operator where each is
    /// one kernel. `take` gets the row and the wanted shift, and returns the shift to apply.
    pub(in crate::statistics) fn shifted(
        &self,
        more: &[i64],
        mut take: impl FnMut(u32, i64) -> i64,
    ) -> Executions {
        let mut times = self.times.clone();
        let Ranges { operators, kernels } = &self.host;
        let ranges = if kernels.is_empty() { operators } else { kernels };
        for (range, &more) in ranges.iter().zip(more).filter(|&(_, &more)| more != 0) {
            for at in range.clone() {
                // No time is below 0.
                let wanted = more.max(0i64.saturating_sub_unsigned(times[at]));
                times[at] = times[at].saturating_add_signed(take(self.rows[at], wanted));
            }
        }
        let (host, devices) = (self.host.clone(), self.devices.clone());
        Executions {
            rows: self.rows.clone(),
            times,
            host,
            devices,
            is_typical: self.is_typical.clone(),
        }
    }

    /// Nanoseconds that an operator or a kernel spends in each part.
    pub fn by_part(&self, executions: &Range<usize>, partition: &Partition) -> Vec<f64> {
        let mut sums = vec![0u64; partition.iterations.len()];
        for execution in executions.clone() {
            let row = self.rows[execution] as usize;
            if let Some(part) = partition.part_by_row.get(row).copied().flatten() {
                sums[part as usize] += self.times[execution];
            }
        }
        sums.into_iter().map(|sum| sum as f64).collect()
    }
}
