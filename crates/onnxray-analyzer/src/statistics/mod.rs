//! What a recording says: figures per model, launch, iteration, operator type
//! and operator.
//!
//! Every figure is defined in `docs/statistics.md`, which a test recomputes.

mod blocks;
mod cost;
mod distribution;
mod exclusive;
mod flops_profile;
mod interval;
mod operators;
mod rows;
mod spent;
mod timeline;
mod warmup;

pub(crate) use blocks::{BLOCK, BLOCK_AS_UNIT, FEWEST_UNITS, MOST_BLOCKS, blocks};
pub use cost::{PartialSum, per_iteration};
pub use distribution::Distribution;
pub use exclusive::exclusive_events;
pub use flops_profile::{FlopsProfile, flops_profile};
pub use interval::{Interval, Parting, Parts};
pub use operators::{OperatorSummary, TypeSummary};
pub use timeline::{SettledLaunch, Timeline};

use crate::error::AnalyzeError;
use crate::schema::column;
use crate::trace::{FigureTable, Trace, kind_code, values};
use crate::units::{Milliseconds, Share};
use distribution::median;
use exclusive::ExclusiveTimes;
use onnxray_format::{IterationKind, Nanoseconds, Operator, Run};
use operators::Tables;
use polars::prelude::{UInt32Type, UInt64Type};
use spent::Executions;
use std::ops::Range;

/// Everything that the reports show of a recording.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Of the first launch; launches of one recording agree in what matters.
    pub run: Run,
    /// The model as a whole.
    pub model: ModelSummary,
    /// In the order of the trace.
    pub launches: Vec<LaunchSummary>,
    /// Of all launches, warm-up and plain ones included.
    pub iterations: Vec<IterationSummary>,
    /// From most to least time.
    pub types: Vec<TypeSummary>,
    /// In order of execution.
    pub operators: Vec<OperatorSummary>,
    /// In order of execution; `None` where every operator is one kernel.
    pub kernels: Option<Vec<OperatorSummary>>,
    /// What the trace states beyond times, by operator.
    pub figures: FigureTable,
    /// What is doubtful about the recording, beyond what its reader warned of.
    pub doubts: Vec<String>,
    /// What its reader warned of.
    pub warnings: Vec<String>,
    /// What the intervals of means were taken over; `None` if there are none.
    pub parts: Option<Parts>,
}

impl Summary {
    /// What the engine executed: the operators themselves where each is one kernel.
    pub fn kernels(&self) -> &[OperatorSummary] {
        self.kernels.as_deref().unwrap_or(&self.operators)
    }
}

/// Figures of the model as a whole, over the measured iterations of all launches.
/// What the trace does not tell is `None`.
#[derive(Clone, Debug)]
pub struct ModelSummary {
    /// Wall time of an iteration.
    pub latency: Option<Distribution>,
    /// Batch size times measured iterations by their wall time; `None` if the
    /// batch size is unknown.
    pub items_per_second: Option<f64>,
    /// Measured iterations by their wall time.
    pub iterations_per_second: Option<f64>,
    /// Wall time of the measured iterations.
    pub wall: Option<Nanoseconds>,
    /// Exclusive time of all operators in them; in all of the trace if it has no
    /// iterations.
    pub operators: Option<Nanoseconds>,
    /// What `operators` have beyond the time that they cover within their
    /// iterations: operators that ran side by side.
    pub concurrent: Option<Nanoseconds>,
    /// `wall` minus `operators` plus `concurrent`.
    pub overhead: Option<Nanoseconds>,
    /// Per iteration.
    pub operators_mean: Option<Milliseconds>,
    /// 95 % interval of the mean per iteration, in milliseconds.
    pub overhead_interval: Option<Interval>,
    /// Median over iterations.
    pub overhead_median: Option<Milliseconds>,
    /// Overhead by wall time.
    pub overhead_share: Option<Share>,
    /// Median of recorded over plain latency, minus one: 0.01 is one percent. `None`
    /// without plain iterations.
    pub recording_overhead: Option<f64>,
    /// Operations of one iteration.
    pub flops: PartialSum,
    /// By wall time; `None` if a term of `flops` is missing.
    pub gflops_per_second: Option<f64>,
    /// Bytes read and written in one iteration.
    pub bytes: PartialSum,
}

/// One process that ran the model.
#[derive(Clone, Debug)]
pub struct LaunchSummary {
    /// Number that it has in the recording.
    pub launch: u32,
    /// Measured ones.
    pub iterations: u64,
    /// Iterations that the recorder declared warm-up.
    pub warmup_flagged: u64,
    /// `None` if there are too few iterations to tell, or if it never settles.
    pub warmup_found: Option<u64>,
    /// `None` if no iteration was measured.
    pub latency: Option<Distribution>,
}

/// One inference.
#[derive(Clone, Debug)]
pub struct IterationSummary {
    /// Position of its launch in the trace.
    pub position: u32,
    /// Number that its launch has in the recording.
    pub launch: u32,
    /// Number that the recorder gave it.
    pub index: u32,
    /// How it was run.
    pub kind: IterationKind,
    /// On the clock of its launch.
    pub start: Nanoseconds,
    /// Wall time.
    pub latency: Nanoseconds,
    /// `None` for a plain iteration, whose operators were not recorded.
    pub operators: Option<Nanoseconds>,
    /// What `operators` have beyond the time that they cover.
    pub concurrent: Option<Nanoseconds>,
    /// Wall time that no operator covers.
    pub overhead: Option<Nanoseconds>,
}

/// Computes all figures of a trace.
///
/// # Errors
///
/// If a recording of ours has no measured iteration, or if the frames do not have the
/// columns that [`Trace::new`] gives them.
pub fn summarize(trace: &Trace) -> Result<Summary, AnalyzeError> {
    Ok(examine(trace)?.0)
}

/// Computes all figures of a trace, and keeps what they are of; `None` if the
/// trace does not tell of single iterations.
///
/// # Errors
///
/// As those of [`summarize`].
pub fn examine(trace: &Trace) -> Result<(Summary, Option<Timeline>), AnalyzeError> {
    let exclusive = exclusive::exclusive_times(trace)?;
    let iterations = iterations(trace, &exclusive)?;
    let measured: Vec<&IterationSummary> =
        iterations.iter().filter(|iteration| iteration.kind == IterationKind::Measured).collect();
    let path = || trace.files.first().cloned().unwrap_or_default();
    let Some(run) = trace.runs.first() else {
        return Err(AnalyzeError::NoIterations { path: path(), warmup: 0 });
    };
    // A format that tells of iterations tells of measured ones.
    let no_iterations =
        iterations.is_empty() && !trace.format.is_recording() || run.converted_from.is_some();
    if measured.is_empty() && !no_iterations {
        let warmup = iterations.iter().filter(|i| i.kind == IterationKind::WarmUp).count();
        return Err(AnalyzeError::NoIterations { path: path(), warmup });
    }
    let wall: Option<Nanoseconds> =
        (!measured.is_empty()).then(|| measured.iter().map(|iteration| iteration.latency).sum());
    let launches = launches(trace, &iterations);
    let measure = Measure { iterations: measured.len(), wall };
    let parting = Parting::of(&iterations).filter(|_| trace.averages.is_empty());
    let executions = match &trace.averages[..] {
        [] => Some(Executions::of(trace, &exclusive.times)?),
        _ => None,
    };
    let (operators, kernels) = figures(trace, executions.as_ref(), measure, parting.as_ref());
    let tables =
        Tables { operators: &operators, kernels: trace.kernels.as_ref().zip(kernels.as_deref()) };
    let types = operators::types(tables, executions.as_ref(), measure);
    let timeline =
        executions.and_then(|executions| Timeline::of(&iterations, &launches, executions));
    let mut model = model(trace, run, &measured, &iterations, tables, wall);
    if let Some(parting) = &parting {
        model.overhead_interval = interval(&iterations, parting, |i| i.overhead);
    }
    let mut doubts = doubts(&launches, &measured);
    doubts.extend(unknowns(trace, &measured));
    if exclusive.overlapping > 0 {
        doubts.push(format!(
            "{} events overlap others without lying inside them; the shared time is counted once",
            exclusive.overlapping
        ));
    }
    let summary = Summary {
        run: run.clone(),
        model,
        launches,
        iterations,
        types,
        operators,
        kernels,
        figures: trace.figures.clone(),
        doubts,
        warnings: trace.warnings.iter().map(|warning| warning.to_string()).collect(),
        parts: parting.map(|parting| parting.parts),
    };
    Ok((summary, timeline))
}

/// Figures of operators, and of their kernels where some have several.
fn figures(
    trace: &Trace,
    executions: Option<&Executions>,
    measure: Measure,
    parting: Option<&Parting>,
) -> (Vec<OperatorSummary>, Option<Vec<OperatorSummary>>) {
    let Some(executions) = executions else {
        return (operators::averaged_operators(trace, &trace.averages, measure), None);
    };
    let timed = trace.events.height() > 0;
    let figures = |table: &[Operator], ranges: &[Range<usize>]| {
        operators::executed_operators(table, ranges, executions, timed, measure, parting)
    };
    let mut operators = figures(&trace.operators, &executions.operators);
    let kernels = trace.kernels.as_ref().map(|kernels| {
        let summaries = figures(&kernels.table, &executions.kernels);
        operators::take_from_kernels(&mut operators, &summaries, kernels, measure);
        summaries
    });
    (operators, kernels)
}

/// The interval, in milliseconds, of the mean of a part of the iterations' time.
fn interval(
    iterations: &[IterationSummary],
    parting: &Parting,
    time: fn(&IterationSummary) -> Option<Nanoseconds>,
) -> Option<Interval> {
    let mut sums = vec![0.0; parting.iterations.len()];
    for (iteration, part) in iterations.iter().zip(&parting.part_of) {
        if let Some(part) = part {
            sums[*part as usize] += time(iteration)?.milliseconds();
        }
    }
    let count: u64 = parting.iterations.iter().sum();
    Some(parting.interval(sums.iter().sum::<f64>() / count as f64, &sums))
}

/// What operators are measured against.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Measured iterations of all launches; 0 if the trace does not tell.
    pub iterations: usize,
    /// Their wall time.
    pub wall: Option<Nanoseconds>,
}

fn iterations(
    trace: &Trace,
    exclusive: &ExclusiveTimes,
) -> Result<Vec<IterationSummary>, AnalyzeError> {
    let frame = &trace.iterations;
    let launch = values::<UInt32Type>(frame, column::LAUNCH)?;
    let index = values::<UInt32Type>(frame, column::INDEX)?;
    let kind = values::<UInt32Type>(frame, column::KIND)?;
    let start = values::<UInt64Type>(frame, column::START)?;
    let duration = values::<UInt64Type>(frame, column::DURATION)?;
    let timed = trace.averages.is_empty();
    // A sum of operators leaves nothing over.
    let measured_wall =
        |launch: u32| trace.runs.get(launch as usize).is_none_or(|run| !run.iterations_are_sums);
    let rows = (0..frame.height()).map(|row| {
        let kind = match kind[row] {
            code if code == kind_code(IterationKind::WarmUp) => IterationKind::WarmUp,
            code if code == kind_code(IterationKind::Plain) => IterationKind::Plain,
            _ => IterationKind::Measured,
        };
        let latency = Nanoseconds(duration[row]);
        let recorded = kind != IterationKind::Plain && timed;
        let covered = Nanoseconds(exclusive.covered[row]);
        let operators = Nanoseconds(exclusive.spent[row]);
        let position = launch[row];
        IterationSummary {
            position,
            launch: trace.runs.get(position as usize).map_or(position, |run| run.launch),
            index: index[row],
            kind,
            start: Nanoseconds(start[row]),
            latency,
            operators: recorded.then_some(operators),
            concurrent: recorded.then(|| operators - covered),
            overhead: (recorded && measured_wall(position)).then(|| latency - covered),
        }
    });
    Ok(rows.collect())
}

fn launches(trace: &Trace, iterations: &[IterationSummary]) -> Vec<LaunchSummary> {
    let launches = trace.runs.iter().enumerate().map(|(launch, run)| {
        let launch = launch as u32;
        let own = || iterations.iter().filter(move |iteration| iteration.position == launch);
        let recorded: Vec<f64> = own()
            .filter(|iteration| iteration.kind != IterationKind::Plain)
            .map(|iteration| iteration.latency.0 as f64)
            .collect();
        let measured = || own().filter(|i| i.kind == IterationKind::Measured);
        let mut latencies: Vec<u64> = measured().map(|iteration| iteration.latency.0).collect();
        LaunchSummary {
            launch: run.launch,
            iterations: measured().count() as u64,
            warmup_flagged: own().filter(|i| i.kind == IterationKind::WarmUp).count() as u64,
            warmup_found: warmup::warmup_length(&recorded).map(|length| length as u64),
            latency: Distribution::of(&mut latencies),
        }
    });
    launches.collect()
}

fn model(
    trace: &Trace,
    run: &Run,
    measured: &[&IterationSummary],
    iterations: &[IterationSummary],
    tables: Tables,
    wall: Option<Nanoseconds>,
) -> ModelSummary {
    let operators = tables.operators;
    let mut latencies: Vec<u64> = measured.iter().map(|iteration| iteration.latency.0).collect();
    let latency = Distribution::of(&mut latencies);
    let sum = |part: fn(&IterationSummary) -> Option<Nanoseconds>| -> Option<Nanoseconds> {
        let parts: Option<Nanoseconds> = measured.iter().map(|iteration| part(iteration)).sum();
        parts.filter(|_| !measured.is_empty())
    };
    let spent = sum(|iteration| iteration.operators);
    let all_operators = || {
        let totals: Option<Nanoseconds> = operators.iter().map(|operator| operator.total).sum();
        totals.filter(|_| trace.averages.is_empty())
    };
    let overhead = sum(|iteration| iteration.overhead);
    let overheads = measured.iter().filter_map(|iteration| iteration.overhead);
    let overheads: Vec<f64> = overheads.map(|overhead| overhead.milliseconds()).collect();
    let iterations_per_second = wall.map(|wall| measured.len() as f64 / wall.seconds());
    let flops = tables.sum(|operator| operator.flops);
    let means: Option<f64> =
        operators.iter().filter(|o| o.ran()).map(|o| Some(o.mean?.0)).sum::<Option<f64>>();
    let per_second =
        wall.zip(flops.whole()).map(|(wall, flops)| flops * measured.len() as f64 / wall.0 as f64);
    ModelSummary {
        latency,
        items_per_second: run
            .batch_size
            .zip(iterations_per_second)
            .map(|(batch, rate)| batch as f64 * rate),
        iterations_per_second,
        wall,
        operators: spent.or_else(all_operators),
        concurrent: sum(|iteration| iteration.concurrent),
        overhead,
        overhead_interval: None,
        operators_mean: means.map(Milliseconds).filter(|_| operators.iter().any(|o| o.ran())),
        overhead_median: median(&overheads).map(Milliseconds),
        overhead_share: overhead.zip(wall).and_then(|(overhead, wall)| Share::of(overhead, wall)),
        recording_overhead: recording_overhead(iterations),
        flops,
        gflops_per_second: per_second.filter(|_| measured_operators(operators)),
        bytes: tables.sum(|operator| operator.bytes),
    }
}

/// Whether the executions of all operators are known.
fn measured_operators(operators: &[OperatorSummary]) -> bool {
    operators.iter().all(|operator| operator.executions.is_some())
}

/// Each plain iteration is compared to the recorded one right before it, so
/// that drift of the machine does not count as overhead.
fn recording_overhead(iterations: &[IterationSummary]) -> Option<f64> {
    let ratios: Vec<f64> = iterations
        .windows(2)
        .filter(|pair| {
            pair[0].position == pair[1].position
                && pair[0].kind == IterationKind::Measured
                && pair[1].kind == IterationKind::Plain
                && pair[1].latency.0 > 0
        })
        .map(|pair| pair[0].latency.0 as f64 / pair[1].latency.0 as f64)
        .collect();
    median(&ratios).map(|median| median - 1.0)
}

/// What a careful reader should know before trusting the figures.
fn doubts(launches: &[LaunchSummary], measured: &[&IterationSummary]) -> Vec<String> {
    let mut doubts = Vec::new();
    for launch in launches {
        if let Some(found) = launch.warmup_found.filter(|&found| found > launch.warmup_flagged) {
            doubts.push(format!(
                "launch {}: the first {found} iterations look like warm-up, {} are flagged as such; \
                 record with --warmup {found}",
                launch.launch, launch.warmup_flagged
            ));
        }
    }
    for launch in launches.iter().filter(|launch| launch.warmup_found.is_none()) {
        if launch.iterations + launch.warmup_flagged >= warmup::FEWEST as u64 {
            doubts.push(format!("launch {}: its latency never settles", launch.launch));
        }
    }
    if (1..10).contains(&measured.len()) {
        doubts.push(format!(
            "only {} iterations were measured: percentiles say little",
            measured.len()
        ));
    }
    doubts
}

/// What the trace cannot tell, in words.
fn unknowns(trace: &Trace, measured: &[&IterationSummary]) -> Vec<String> {
    let mut unknowns = Vec::new();
    let format = match trace.runs.first().and_then(|run| run.converted_from.as_deref()) {
        Some(name) => name,
        None => trace.format.title,
    };
    let averaged = !trace.averages.is_empty();
    let timed = averaged || trace.events.height() > 0;
    if !timed {
        unknowns.push(format!("this {format} input tells of operators, not of their times"));
    } else if averaged {
        unknowns.push(format!(
            "this {format} input tells averages only: percentiles, minima and maxima of operators are \
             unknown where it does not state them"
        ));
    }
    if trace.runs.iter().any(|run| run.iterations_are_sums) && !measured.is_empty() {
        unknowns.push(format!(
            "iterations of this {format} input are sums of their operators: the overhead is unknown"
        ));
    }
    if timed && measured.is_empty() {
        unknowns.push(format!(
            "this {format} input does not tell of iterations: latency, throughput and overhead are \
             unknown, shares are of the operators' time"
        ));
    }
    unknowns
}
