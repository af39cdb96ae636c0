//! What a recording says: figures per model, launch, iteration, operator type
//! and operator.
//!
//! Every figure is defined in `docs/statistics.md`, which a test recomputes.

mod cost;
mod distribution;
mod exclusive;
mod operators;
mod warmup;

pub use cost::{FlopsProfile, PartialSum, TypeCost, flops_profile, per_iteration};
pub use distribution::Distribution;
pub use operators::{OperatorSummary, TypeSummary};

use crate::error::AnalyzeError;
use crate::schema::column;
use crate::trace::{Trace, kind_code};
use crate::units::{Milliseconds, Share};
use distribution::{aggregations, distributions, median};
use onnxray_format::{IterationKind, Nanoseconds, Run};
use polars::prelude::*;

/// Everything that the reports show of a recording.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Of the first launch; launches of one recording agree in what matters.
    pub run: Run,
    pub model: ModelSummary,
    pub launches: Vec<LaunchSummary>,
    pub iterations: Vec<IterationSummary>,
    /// From most to least time.
    pub types: Vec<TypeSummary>,
    /// In order of execution.
    pub operators: Vec<OperatorSummary>,
    /// What is doubtful about the recording, beyond what its reader warned of.
    pub doubts: Vec<String>,
    pub warnings: Vec<String>,
}

/// Figures of the model as a whole, over the measured iterations of all launches.
#[derive(Clone, Debug)]
pub struct ModelSummary {
    pub latency: Distribution,
    /// Batch size times measured iterations by their wall time; `None` if the
    /// batch size is unknown.
    pub items_per_second: Option<f64>,
    pub iterations_per_second: f64,
    /// Wall time of the measured iterations.
    pub wall: Nanoseconds,
    /// Exclusive time of all operators in them.
    pub operators: Nanoseconds,
    /// `wall` minus `operators`.
    pub overhead: Nanoseconds,
    /// Median over iterations.
    pub overhead_median: Option<Milliseconds>,
    pub overhead_share: Option<Share>,
    /// Median of recorded over plain latency, minus one; `None` without plain
    /// iterations.
    pub recording_overhead: Option<f64>,
    pub flops: PartialSum,
    pub gflops_per_second: Option<f64>,
    pub bytes: PartialSum,
}

#[derive(Clone, Debug)]
pub struct LaunchSummary {
    pub launch: u32,
    pub iterations: u64,
    pub warmup_flagged: u64,
    /// `None` if there are too few iterations to tell, or if it never settles.
    pub warmup_found: Option<u64>,
    /// `None` if no iteration was measured.
    pub latency: Option<Distribution>,
}

#[derive(Clone, Debug)]
pub struct IterationSummary {
    /// Position of its launch in the trace.
    pub position: u32,
    /// Number that its launch has in the recording.
    pub launch: u32,
    pub index: u32,
    pub kind: IterationKind,
    pub start: Nanoseconds,
    pub latency: Nanoseconds,
    /// `None` for a plain iteration, whose operators were not recorded.
    pub operators: Option<Nanoseconds>,
    pub overhead: Option<Nanoseconds>,
}

/// Name of the derived column: exclusive time of an iteration's operators.
const OPERATORS_TIME: &str = "operators_ns";

/// Computes all figures of a trace.
pub fn summarize(trace: &Trace) -> Result<Summary, AnalyzeError> {
    let exclusive = exclusive::exclusive(&trace.events)?;
    let iterations = iterations(trace, &exclusive.events)?;
    let measured: Vec<&IterationSummary> =
        iterations.iter().filter(|iteration| iteration.kind == IterationKind::Measured).collect();
    let (Some(run), false) = (trace.runs.first(), measured.is_empty()) else {
        let path = trace.files.first().cloned().unwrap_or_default();
        let warmup = iterations.iter().filter(|i| i.kind == IterationKind::WarmUp).count();
        return Err(AnalyzeError::NoIterations { path, warmup });
    };
    let wall: Nanoseconds = measured.iter().map(|iteration| iteration.latency).sum();
    let launches = launches(trace, &iterations)?;
    let operators = operators::operators(trace, &exclusive.events, measured.len(), wall)?;
    let types = operators::types(trace, &exclusive.events, &operators, measured.len(), wall)?;
    let model = model(trace, run, &measured, &iterations, &operators, wall)?;
    let mut doubts = doubts(&launches, &measured);
    if exclusive.overlapping > 0 {
        doubts.push(format!(
            "{} events overlap others without lying inside them; the shared time is counted once",
            exclusive.overlapping
        ));
    }
    Ok(Summary {
        run: run.clone(),
        model,
        launches,
        iterations,
        types,
        operators,
        doubts,
        warnings: trace.warnings.iter().map(|warning| warning.to_string()).collect(),
    })
}

fn iterations(trace: &Trace, events: &DataFrame) -> Result<Vec<IterationSummary>, AnalyzeError> {
    let keys = [col(column::LAUNCH), col(column::ITERATION)];
    let spent = events
        .clone()
        .lazy()
        .group_by(keys.clone())
        .agg([col(column::EXCLUSIVE).sum().alias(OPERATORS_TIME)]);
    let frame = trace
        .iterations
        .clone()
        .lazy()
        .join(spent, keys.clone(), keys.clone(), JoinArgs::new(JoinType::Left))
        .sort([column::LAUNCH, column::ITERATION], SortMultipleOptions::default())
        .collect()?;
    let numbers = |name: &str| frame.column(name)?.u32();
    let times = |name: &str| frame.column(name)?.u64();
    let (launch, index, kind) =
        (numbers(column::LAUNCH)?, numbers(column::INDEX)?, numbers(column::KIND)?);
    let (start, duration) = (times(column::START)?, times(column::DURATION)?);
    let spent = times(OPERATORS_TIME)?;
    let rows = (0..frame.height()).map(|row| {
        let kind = match kind.get(row) {
            Some(code) if code == kind_code(IterationKind::WarmUp) => IterationKind::WarmUp,
            Some(code) if code == kind_code(IterationKind::Plain) => IterationKind::Plain,
            _ => IterationKind::Measured,
        };
        let latency = Nanoseconds(duration.get(row).unwrap_or(0));
        let recorded = kind != IterationKind::Plain;
        let operators = recorded.then(|| Nanoseconds(spent.get(row).unwrap_or(0)));
        let position = launch.get(row).unwrap_or(0);
        IterationSummary {
            position,
            launch: trace.runs.get(position as usize).map_or(position, |run| run.launch),
            index: index.get(row).unwrap_or(0),
            kind,
            start: Nanoseconds(start.get(row).unwrap_or(0)),
            latency,
            operators,
            overhead: operators.map(|operators| latency - operators),
        }
    });
    Ok(rows.collect())
}

fn launches(
    trace: &Trace,
    iterations: &[IterationSummary],
) -> Result<Vec<LaunchSummary>, AnalyzeError> {
    let frame = trace
        .iterations
        .clone()
        .lazy()
        .filter(col(column::KIND).eq(lit(kind_code(IterationKind::Measured))))
        .group_by([col(column::LAUNCH)])
        .agg(aggregations(column::DURATION))
        .collect()?;
    let measured: Vec<Option<u32>> = frame.column(column::LAUNCH)?.u32()?.iter().collect();
    let latencies = distributions(&frame)?;
    let launches = trace.runs.iter().enumerate().map(|(launch, run)| {
        let launch = launch as u32;
        let own = || iterations.iter().filter(move |iteration| iteration.position == launch);
        let recorded: Vec<f64> = own()
            .filter(|iteration| iteration.kind != IterationKind::Plain)
            .map(|iteration| iteration.latency.0 as f64)
            .collect();
        let row = measured.iter().position(|&measured| measured == Some(launch));
        LaunchSummary {
            launch: run.launch,
            iterations: own().filter(|i| i.kind == IterationKind::Measured).count() as u64,
            warmup_flagged: own().filter(|i| i.kind == IterationKind::WarmUp).count() as u64,
            warmup_found: warmup::warmup_length(&recorded).map(|length| length as u64),
            latency: row.and_then(|row| latencies[row]),
        }
    });
    Ok(launches.collect())
}

fn model(
    trace: &Trace,
    run: &Run,
    measured: &[&IterationSummary],
    iterations: &[IterationSummary],
    operators: &[OperatorSummary],
    wall: Nanoseconds,
) -> Result<ModelSummary, AnalyzeError> {
    let frame = trace
        .iterations
        .clone()
        .lazy()
        .filter(col(column::KIND).eq(lit(kind_code(IterationKind::Measured))))
        .select(aggregations(column::DURATION))
        .collect()?;
    let latency = distributions(&frame)?.into_iter().next().flatten();
    let path = trace.files.first().cloned().unwrap_or_default();
    let latency = latency.ok_or(AnalyzeError::NoIterations { path, warmup: 0 })?;
    let spent: Nanoseconds = measured.iter().filter_map(|iteration| iteration.operators).sum();
    let overhead: Nanoseconds = measured.iter().filter_map(|iteration| iteration.overhead).sum();
    let overheads = measured.iter().filter_map(|iteration| iteration.overhead);
    let overheads: Vec<f64> = overheads.map(|overhead| overhead.milliseconds()).collect();
    let iterations_per_second = measured.len() as f64 / wall.seconds();
    let flops: PartialSum = operators.iter().map(|operator| operator.flops).collect();
    let per_second = flops.whole().map(|flops| flops * measured.len() as f64 / wall.0 as f64);
    Ok(ModelSummary {
        latency,
        items_per_second: run.batch_size.map(|batch| batch as f64 * iterations_per_second),
        iterations_per_second,
        wall,
        operators: spent,
        overhead,
        overhead_median: median(&overheads).map(Milliseconds),
        overhead_share: Share::of(overhead, wall),
        recording_overhead: recording_overhead(iterations),
        flops,
        gflops_per_second: per_second,
        bytes: operators.iter().map(|operator| operator.bytes).collect(),
    })
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
    let broken = measured
        .iter()
        .filter(|iteration| iteration.operators.is_some_and(|spent| spent > iteration.latency))
        .count();
    if broken > 0 {
        doubts.push(format!(
            "in {broken} iterations the operators take longer than the iteration itself; \
             their overhead is shown as 0"
        ));
    }
    if measured.len() < 10 {
        doubts.push(format!(
            "only {} iterations were measured: percentiles say little",
            measured.len()
        ));
    }
    doubts
}
