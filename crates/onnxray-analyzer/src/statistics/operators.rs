//! Figures per operator and per operator type.
//!
//! The unit of observation is the iteration: what an operator spends in all its
//! executions of one iteration, exclusive of the operators inside it. So the
//! means of operators add up to the mean of their type, and those of types,
//! together with the overhead, to that of a typical iteration.

use super::device_time::DeviceTime;
use super::flops::cost::{PartialSum, per_iteration};
use super::flops::under_roof::{NoRoof, UnderRoof};
use super::spread::distribution::Distribution;
use super::spread::interval::{Interval, Partition};
use super::times::executions::Executions;
use super::times::measure::Measure;
use crate::trace::Trace;
use crate::units::{Milliseconds, Share};
use onnxray_format::{Kernels, Nanoseconds, Operator};
use onnxray_import::Average;
use std::collections::HashMap;
use std::ops::Range;

/// One operator over the typical iterations. What the trace does not tell is
/// `None`.
#[derive(Clone, Debug)]
pub struct OperatorSummary {
    /// Name, type, tensors, and costs of one execution.
    pub operator: Operator,
    /// Mean number of executions per typical iteration; without a measurement,
    /// the number that is known beforehand.
    pub executions: Option<f64>,
    /// Executions in the typical iterations, or in the whole trace if it has no
    /// iterations.
    pub calls: Option<u64>,
    /// Sum of their exclusive times.
    pub total: Option<Nanoseconds>,
    /// Sum by the number of typical iterations, those without it included.
    pub mean: Option<Milliseconds>,
    /// Profiling cost inside its events per iteration, taken out of its times; `None` if unknown.
    pub profiling: Option<Milliseconds>,
    /// Upper end of a time per iteration that cannot be told from the profiling cost.
    pub below: Option<Milliseconds>,
    /// Largest possible share of the profiler in its time, in traces of other programs where that
    /// may be half or more of an operator.
    pub profiling_most: Option<Share>,
    /// Time on devices of what it launched; `None` if the trace has none. With devices, the other
    /// times are on the host, and `share` is of all operators there.
    pub device: Option<DeviceTime>,
    /// 95 % interval of the mean, in milliseconds; `None` if the trace has too
    /// few iterations to tell, or none.
    pub interval: Option<Interval>,
    /// Median of exclusive times per measured iteration in which it ran.
    pub median: Option<Milliseconds>,
    /// Share of what operators and overhead add up to, or of all operators where that is unknown.
    pub share: Option<Share>,
    /// Exclusive time per measured iteration in which it ran; `None` if it never did.
    pub time: Option<Distribution>,
    /// Smallest and largest time per iteration.
    pub extremes: Option<(Milliseconds, Milliseconds)>,
    /// Operations of all executions in an iteration.
    pub flops: Option<f64>,
    /// Operations / exclusive time.
    pub gflops_per_second: Option<f64>,
    /// Read and written by all executions in an iteration.
    pub bytes: Option<f64>,
    /// What it would take at the largest rates of the machine; `None` if these were not measured,
    /// or do not bound it.
    pub roof: Option<UnderRoof>,
    /// Why it has no roof, or no share of it; `None` where it has, and where none was measured.
    pub no_roof: Option<NoRoof>,
    /// Bytes of the tensors that are alive while it runs; `None` if the trace names no tensors.
    pub alive: Option<PartialSum>,
    /// Position of its pattern in [`super::Summary::patterns`]; `None` where it does not repeat.
    pub pattern: Option<u32>,
}

impl OperatorSummary {
    /// An operator without a measurement.
    pub fn unmeasured(operator: Operator) -> OperatorSummary {
        let executions = operator.executions.map(|executions| executions as f64);
        OperatorSummary {
            executions,
            calls: None,
            total: None,
            mean: None,
            profiling: None,
            below: None,
            profiling_most: None,
            device: None,
            interval: None,
            median: None,
            share: None,
            time: None,
            extremes: None,
            flops: per_iteration(operator.flops, executions),
            gflops_per_second: None,
            bytes: per_iteration(operator.bytes, executions),
            roof: None,
            no_roof: None,
            alive: None,
            pattern: None,
            operator,
        }
    }

    /// True if its time is known.
    pub fn ran(&self) -> bool {
        self.total.is_some() || self.mean.is_some()
    }

    /// Mean exclusive time of one execution; `None` if it never ran, or if that is unknown.
    pub fn per_execution(&self) -> Option<Milliseconds> {
        let of_trace = || Some((self.total?.milliseconds(), self.calls? as f64));
        let by_iteration = self.mean.map(|mean| mean.0).zip(self.executions);
        let (time, executions) = by_iteration.or_else(of_trace)?;
        (executions > 0.0).then(|| Milliseconds(time / executions))
    }

    /// Time per iteration that other programs lengthened least: load lengthens the mean, and a median
    /// of the iterations in which it ran may be above it.
    pub(crate) fn undisturbed(&self) -> Option<Milliseconds> {
        let mean = self.mean?;
        Some(Milliseconds(self.median.map_or(mean.0, |median| median.0.min(mean.0))))
    }

    /// Key that tables sort by, largest first: time in nanoseconds, or with devices the larger
    /// share.
    pub fn sort_key(&self) -> f64 {
        match (self.device, self.total, self.mean) {
            (Some(device), ..) => device.larger_share(self.share),
            (None, Some(total), _) => total.0 as f64,
            (None, None, Some(mean)) => mean.0 * 1e6,
            // After all that ran, however short.
            (None, None, None) => -1.0,
        }
    }
}

/// All operators of one type; figures as those of an operator, added up.
#[derive(Clone, Debug)]
pub struct TypeSummary {
    /// ONNX op type, or the producer's own.
    pub operator_type: String,
    /// Number of its first operator.
    pub first: u32,
    /// Number of operators.
    pub operators: u64,
    /// Executions per iteration.
    pub executions: Option<f64>,
    /// Executions in all typical iterations, or in the whole trace.
    pub calls: Option<u64>,
    /// Exclusive time of these.
    pub total: Option<Nanoseconds>,
    /// Exclusive time per iteration.
    pub mean: Option<Milliseconds>,
    /// Share of what operators and overhead add up to, or of all operators.
    pub share: Option<Share>,
    /// Time on devices of what they launched; `None` if the trace has none.
    pub device: Option<DeviceTime>,
    /// Exclusive time per iteration in which one of them ran.
    pub time: Option<Distribution>,
    /// Operations per iteration.
    pub flops: PartialSum,
    /// Share of the FLOPs of all types; `None` if one is unknown.
    pub flops_share: Option<Share>,
    /// Operations / exclusive time.
    pub gflops_per_second: Option<f64>,
    /// Bytes read and written per iteration.
    pub bytes: PartialSum,
    /// Times of its operators at the largest rates of the machine, and what they take; `None` as
    /// soon as one of them has no roof, or is above it.
    pub roof: Option<(Milliseconds, Milliseconds)>,
    /// Operators without one, and why the first of them has none; `None` if all have, and where no
    /// roofs were measured.
    pub no_roof: Option<(u64, NoRoof)>,
    /// Key that tables sort by, as of operators.
    pub sort_key: f64,
}

impl TypeSummary {
    /// A type before its operators are added, `first` included.
    fn empty(first: &Operator) -> TypeSummary {
        TypeSummary {
            operator_type: first.operator_type.clone(),
            first: first.number,
            operators: 0,
            executions: Some(0.0),
            calls: Some(0),
            total: None,
            mean: None,
            share: None,
            device: None,
            time: None,
            flops: PartialSum::default(),
            flops_share: None,
            gflops_per_second: None,
            bytes: PartialSum::default(),
            roof: Some((Milliseconds(0.0), Milliseconds(0.0))),
            no_roof: None,
            sort_key: 0.0,
        }
    }

    /// Share of their roofs that its operators reach together.
    pub fn roof_share(&self) -> Option<Share> {
        let (time, mean) = self.roof.filter(|(_, mean)| mean.0 > 0.0)?;
        Some(Share(time.0 / mean.0))
    }

    /// Time above what they would take at the largest rates.
    pub fn to_gain(&self) -> Option<Milliseconds> {
        let (time, mean) = self.roof.filter(|(_, mean)| mean.0 > 0.0)?;
        Some(Milliseconds(mean.0 - time.0))
    }

    fn add(&mut self, operator: &OperatorSummary) {
        self.operators += 1;
        self.flops.add(operator.flops);
        self.bytes.add(operator.bytes);
        // An operator that did not run has a key below 0.
        self.sort_key += operator.sort_key().max(0.0);
        // Unknown as soon as one of the operators is.
        self.executions = self.executions.zip(operator.executions).map(|(sum, more)| sum + more);
        self.calls = self.calls.zip(operator.calls).map(|(sum, more)| sum + more);
        // One that did not run has nothing to gain.
        if operator.mean.is_none_or(|mean| mean.0 > 0.0) {
            let known = operator.roof.as_ref().filter(|roof| roof.share().is_some());
            self.roof = self
                .roof
                .zip(known)
                .map(|((time, takes), roof)| (time + roof.time, takes + roof.takes));
        }
        if let Some(reason) = &operator.no_roof {
            self.no_roof.get_or_insert_with(|| (0, reason.clone())).0 += 1;
        }
        // Times are of the operators that ran.
        self.total = add(self.total, operator.total);
        self.mean = add(self.mean, operator.mean);
        self.share = add(self.share, operator.share);
    }
}

/// Figures of operators or kernels, whose executions are `ranges`; `timed` if the trace has events.
pub(crate) fn executed_operators(
    operators: &[Operator],
    ranges: &[Range<usize>],
    executions: &Executions,
    timed: bool,
    measure: Measure,
    partition: Option<&Partition>,
) -> Vec<OperatorSummary> {
    let interval = |operator: usize, mean: Milliseconds| {
        let partition = partition?;
        // Nanoseconds, as `by_part` sums them; intervals of summaries are in milliseconds.
        let sums = executions.by_part(&ranges[operator], partition);
        let interval = partition.interval(mean.0 * 1e6, &sums);
        Some(Interval { low: interval.low / 1e6, high: interval.high / 1e6 })
    };
    let groups = executions.group_times(ranges.iter().map(std::iter::once));
    let all: Nanoseconds = groups.iter().map(|group| Nanoseconds(group.total)).sum();
    let summaries = operators.iter().zip(groups).map(|(operator, group)| {
        let total = Nanoseconds(group.total);
        let Some(wall) = measure.wall else {
            // Without iterations only sums are known.
            return OperatorSummary {
                // Without events every sum is 0, which is not a measurement.
                calls: timed.then_some(group.calls),
                total: timed.then_some(total),
                share: Share::of(total, all).filter(|_| timed),
                ..OperatorSummary::unmeasured(operator.clone())
            };
        };
        let executions = group.calls as f64 / measure.iterations as f64;
        let flops = per_iteration(operator.flops, Some(executions));
        OperatorSummary {
            operator: operator.clone(),
            executions: Some(executions),
            calls: Some(group.calls),
            total: Some(total),
            mean: Some(mean(total, measure.iterations)),
            profiling: None,
            below: None,
            profiling_most: None,
            device: None,
            interval: interval(operator.number as usize, mean(total, measure.iterations)),
            median: group.time.map(|time| time.median),
            share: Share::of(total, wall),
            extremes: group.time.map(|time| (time.min, time.max)),
            time: group.time,
            flops,
            gflops_per_second: gflops_per_second(flops, measure.iterations, total),
            bytes: per_iteration(operator.bytes, Some(executions)),
            roof: None,
            no_roof: None,
            alive: None,
            pattern: None,
        }
    });
    summaries.collect()
}

/// Figures of operators, and of their kernels where some have several.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'a> {
    pub operators: &'a [OperatorSummary],
    pub kernels: Option<(&'a Kernels, &'a [OperatorSummary])>,
}

impl Tables<'_> {
    /// The sum of a cost. Where an operator knows it of some of its kernels, these are in
    /// the sum and the operator is counted as unknown.
    pub(crate) fn sum(&self, cost: fn(&OperatorSummary) -> Option<f64>) -> PartialSum {
        let mut sum: PartialSum = self.operators.iter().map(cost).collect();
        if let Some((_, kernels)) = self.kernels {
            // Only `known`: an operator counts as one unknown term, whatever its kernels are.
            sum.known = kernels.iter().map(cost).collect::<PartialSum>().known;
        }
        sum
    }
}

/// Gives operators the executions of their main kernels, and what all their kernels
/// cost together; `None` if a term is unknown.
pub(crate) fn take_from_kernels(
    operators: &mut [OperatorSummary],
    summaries: &[OperatorSummary],
    kernels: &Kernels,
    measure: Measure,
) {
    for (operator, &main) in operators.iter_mut().zip(&kernels.main) {
        // Those of helpers would count an execution twice
        // (docs/statistics.md#operators-and-kernels).
        let main = &summaries[main as usize];
        (operator.executions, operator.calls) = (main.executions, main.calls);
        (operator.flops, operator.bytes) = (Some(0.0), Some(0.0));
    }
    for (kernel, &operator) in summaries.iter().zip(&kernels.operator_of) {
        let operator = &mut operators[operator as usize];
        operator.flops = operator.flops.zip(kernel.flops).map(|(sum, term)| sum + term);
        operator.bytes = operator.bytes.zip(kernel.bytes).map(|(sum, term)| sum + term);
    }
    for operator in operators {
        // Without iterations `total` is of the whole trace, and does not go with FLOPs per
        // iteration.
        let time = operator.total.filter(|_| measure.wall.is_some());
        operator.gflops_per_second =
            time.and_then(|time| gflops_per_second(operator.flops, measure.iterations, time));
    }
}

/// Figures of operators of which the trace states averages. Those of several
/// launches are averaged, each launch counting once.
pub(crate) fn averaged_operators(
    trace: &Trace,
    averages: &[(u32, Average)],
    measure: Measure,
) -> Vec<OperatorSummary> {
    let mut of_operator: Vec<Vec<&Average>> = vec![Vec::new(); trace.operators.len()];
    for (_, average) in averages {
        of_operator[average.operator as usize].push(average);
    }
    let mean_of = |values: &[&Average], pick: fn(&Average) -> Option<f64>| {
        // A launch that states the operator without this figure leaves it unknown
        // (docs/statistics.md#averages).
        let known: Option<Vec<f64>> = values.iter().map(|average| pick(average)).collect();
        known.filter(|known| !known.is_empty()).map(|k| k.iter().sum::<f64>() / k.len() as f64)
    };
    let milliseconds = |nanoseconds: Option<f64>| nanoseconds.map(Milliseconds::from_nanoseconds);
    let means: Vec<Option<f64>> =
        of_operator.iter().map(|averages| mean_of(averages, |average| average.mean_ns)).collect();
    let operators_mean: f64 = means.iter().flatten().sum();
    // docs/statistics.md#averages: of the mean latency, or, without iterations, of all operators.
    let whole = match measure.wall {
        Some(wall) => wall.0 as f64 / measure.iterations as f64,
        None => operators_mean,
    };
    let summaries = trace.operators.iter().zip(of_operator).zip(means);
    let summaries = summaries.map(|((operator, averages), mean_ns)| {
        let executions = mean_of(&averages, |average| average.executions)
            .or(operator.executions.map(|executions| executions as f64));
        let flops = per_iteration(operator.flops, executions);
        // `reduce` over options: one launch without a minimum leaves it unknown.
        let least = averages.iter().map(|a| a.min_ns).reduce(|a, b| Some(a?.min(b?))).flatten();
        let most = averages.iter().map(|a| a.max_ns).reduce(|a, b| Some(a?.max(b?))).flatten();
        // Operations per nanosecond are GFLOP/s; what has no work or no time has no rate.
        let rate = flops.zip(mean_ns).filter(|&(flops, time)| flops > 0.0 && time > 0.0);
        OperatorSummary {
            executions,
            mean: milliseconds(mean_ns),
            median: milliseconds(mean_of(&averages, |average| average.median_ns)),
            share: mean_ns.filter(|_| whole > 0.0).map(|mean| Share(mean / whole)),
            extremes: milliseconds(least).zip(milliseconds(most)),
            below: milliseconds(mean_of(&averages, |average| average.below_ns)),
            flops,
            gflops_per_second: rate.map(|(flops, time)| flops / time),
            bytes: per_iteration(operator.bytes, executions),
            ..OperatorSummary::unmeasured(operator.clone())
        }
    });
    summaries.collect()
}

/// Figures of every operator type, from most to least time. `executions` are
/// those of the trace, if it has any.
pub(crate) fn types(
    tables: Tables,
    executions: Option<&Executions>,
    measure: Measure,
) -> Vec<TypeSummary> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut types: Vec<TypeSummary> = Vec::new();
    for operator in tables.operators {
        let name = operator.operator.operator_type.as_str();
        let position = *positions.entry(name).or_insert_with(|| {
            members.push(Vec::new());
            types.push(TypeSummary::empty(&operator.operator));
            types.len() - 1
        });
        members[position].push(operator.operator.number);
        types[position].add(operator);
    }
    if let Some((kernels, summaries)) = tables.kernels {
        // As in `Tables::sum`: known kernels of an operator with an unknown one count.
        for of_type in &mut types {
            (of_type.flops.known, of_type.bytes.known) = (0.0, 0.0);
        }
        for (kernel, &operator) in summaries.iter().zip(&kernels.operator_of) {
            let operator = &tables.operators[operator as usize].operator;
            let of_type = &mut types[positions[operator.operator_type.as_str()]];
            of_type.flops.known += kernel.flops.unwrap_or(0.0);
            of_type.bytes.known += kernel.bytes.unwrap_or(0.0);
        }
    }
    if let (Some(executions), Some(wall)) = (executions, measure.wall) {
        let range = |&operator: &u32| &executions.host.operators[operator as usize];
        let groups = members.iter().map(|members| members.iter().map(range));
        for (of_type, group) in types.iter_mut().zip(executions.group_times(groups)) {
            // From the sum, which is exact, rather than from rounded parts.
            let total = Nanoseconds(group.total);
            of_type.mean = Some(mean(total, measure.iterations));
            of_type.share = Share::of(total, wall);
            of_type.time = group.time;
        }
    }
    // One type with an unknown term leaves all shares unknown.
    let all: Option<f64> = types.iter().map(|of_type| of_type.flops.whole()).sum();
    for of_type in &mut types {
        let shares = of_type.flops.whole().zip(all.filter(|&all| all > 0.0));
        of_type.flops_share = shares.map(|(flops, all)| Share(flops / all));
        let rate = of_type.flops.whole().zip(of_type.mean);
        let rate = rate.filter(|&(flops, mean)| flops > 0.0 && mean.0 > 0.0);
        of_type.gflops_per_second = rate.map(|(flops, mean)| flops / (mean.0 * 1e6));
    }
    // Stable: types of equal time stay in the order in which they first ran.
    types.sort_by(|a, b| b.sort_key.total_cmp(&a.sort_key));
    types
}

fn add<T: std::ops::Add<Output = T>>(sum: Option<T>, term: Option<T>) -> Option<T> {
    match (sum, term) {
        (Some(sum), Some(term)) => Some(sum + term),
        (sum, term) => sum.or(term),
    }
}

fn mean(total: Nanoseconds, iterations: usize) -> Milliseconds {
    Milliseconds::from_nanoseconds(total.0 as f64 / iterations as f64)
}

/// Operations of all iterations / their exclusive time; operations per
/// nanosecond are billions per second.
fn gflops_per_second(flops: Option<f64>, iterations: usize, time: Nanoseconds) -> Option<f64> {
    let flops = flops.filter(|&flops| flops > 0.0 && time.0 > 0)?;
    Some(flops * iterations as f64 / time.0 as f64)
}
