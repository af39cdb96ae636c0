//! From a trace to its figures: iterations, launches, operators, types, and the whole.

use super::Ranks;
use super::caveats::{caveats, costly, interference_caveats, uncalibrated, unknowns};
use super::conditions::interferences;
use super::devices;
use super::launches::ranks::are_ranks;
use super::model::model;
use super::operators::{self, Tables};
use super::overhead::profiling::mark;
use super::phases::phases;
use super::spread::interval::Independent;
use super::steady::typical::Typical;
use super::steady::warmup;
use super::times::exclusive::{self, ExclusiveTimes};
use super::times::executions::Executions;
use super::times::measure::Measure;
use super::whole::Whole;
use super::{
    Advice, Details, Distribution, Instance, Instances, IterationSummary, LaunchSummary,
    ModelSummary, OperatorSummary, Partition, ProfilingBound, ProviderSummary, Summary, Timeline,
};
use crate::schema::column;
use crate::statistics::error::StatisticsError;
use crate::trace::{Trace, column_of_times, kind_code, values};
use onnxray_format::{IterationKind, Nanoseconds, Operator};
use onnxray_text::counted;
use polars::prelude::{DataFrame, UInt32Type, UInt64Type};
use std::ops::Range;

/// Computes all figures of a trace.
///
/// # Errors
///
/// If a recording of ours has no measured iteration, or if the frames do not have the
/// columns that [`Trace::new`] gives them.
pub fn summarize(trace: &Trace) -> Result<Summary, StatisticsError> {
    Ok(examine_if(trace, is_measured)?.summary)
}

/// The same, and what a page shows beyond it.
///
/// # Errors
///
/// As those of [`summarize`].
pub fn summarize_in_detail(trace: &Trace) -> Result<(Summary, Details), StatisticsError> {
    let Examined { summary, exclusive, executions } = examine_if(trace, is_measured)?;
    let details = Details::of(trace, &summary, &exclusive, executions.as_ref())?;
    Ok((summary, details))
}

/// The same as [`summarize`], also of a recording that has no other iterations than plain
/// ones: their latency is known then, and nothing of operators.
///
/// # Errors
///
/// As those of [`summarize`], if there are no unprofiled iterations either.
pub fn summarize_plain(trace: &Trace) -> Result<Summary, StatisticsError> {
    Ok(examine_if(trace, |kind| kind != IterationKind::WarmUp)?.summary)
}

/// The same, and its iterations as [`examine`] keeps them.
///
/// # Errors
///
/// As those of [`summarize_plain`].
pub fn examine_plain(trace: &Trace) -> Result<(Summary, Option<Timeline>), StatisticsError> {
    Ok(with_timeline(examine_if(trace, |kind| kind != IterationKind::WarmUp)?))
}

/// Computes all figures of a trace, and keeps its iterations; `None` if the trace does
/// not tell of single ones.
///
/// # Errors
///
/// As those of [`summarize`].
pub fn examine(trace: &Trace) -> Result<(Summary, Option<Timeline>), StatisticsError> {
    Ok(with_timeline(examine_if(trace, is_measured)?))
}

/// Everything that a report and a check of a recording show.
///
/// # Errors
///
/// As those of [`summarize`].
pub fn examine_in_detail(
    trace: &Trace,
) -> Result<(Summary, Details, Option<Timeline>), StatisticsError> {
    let examined = examine_if(trace, is_measured)?;
    let Examined { summary, exclusive, executions } = &examined;
    let details = Details::of(trace, summary, exclusive, executions.as_ref())?;
    let (summary, timeline) = with_timeline(examined);
    Ok((summary, details, timeline))
}

fn with_timeline(examined: Examined) -> (Summary, Option<Timeline>) {
    let Examined { summary, executions, .. } = examined;
    let timeline = Timeline::of(&summary.iterations, &summary.launches, executions);
    (summary, timeline)
}

/// The events of a trace with a column [`column::EXCLUSIVE`]: without the events inside them, and
/// without what profiling costs, if that is known.
///
/// # Errors
///
/// If the trace's frames do not have the columns that [`Trace::new`] gives them.
pub fn exclusive_events(trace: &Trace) -> Result<DataFrame, StatisticsError> {
    let times = corrected(trace)?.exclusive.times;
    let mut events = trace.events.clone();
    events.with_column(column_of_times(column::EXCLUSIVE, times))?;
    Ok(events)
}

fn is_measured(kind: IterationKind) -> bool {
    kind == IterationKind::Measured
}

/// The figures of a trace, and what they were computed from.
struct Examined {
    summary: Summary,
    exclusive: ExclusiveTimes,
    /// `None` if the trace states averages.
    executions: Option<Executions>,
}

/// Times without what profiling costs, and what they are of.
struct Corrected {
    exclusive: ExclusiveTimes,
    iterations: Vec<IterationSummary>,
    launches: Vec<LaunchSummary>,
    independent: Independent,
    typical: Typical,
    whole: Whole,
}

fn corrected(trace: &Trace) -> Result<Corrected, StatisticsError> {
    let mut exclusive = exclusive::exclusive_times(trace)?;
    let mut iterations = iterations(trace, &exclusive)?;
    let launches = launches(trace, &iterations);
    let independent = match trace.runs.first().and_then(|run| run.instances) {
        Some(instances) => Independent::Rounds(instances),
        None if are_ranks(&launches) => Independent::Nothing,
        None => Independent::Launches,
    };
    let typical = match &trace.averages[..] {
        [] => Typical::of(&iterations),
        _ => Typical::all(&iterations),
    };
    let whole = Whole::of(trace, independent, &typical, &mut iterations, &mut exclusive)?;
    Ok(Corrected { exclusive, iterations, launches, independent, typical, whole })
}

/// If a recording of ours has an iteration of a kind that is enough.
fn examine_if(
    trace: &Trace,
    is_enough: impl Fn(IterationKind) -> bool,
) -> Result<Examined, StatisticsError> {
    let Corrected { exclusive, iterations, launches, independent, typical, whole } =
        corrected(trace)?;
    let path = || trace.files.first().cloned().unwrap_or_default();
    let Some(run) = trace.runs.first() else {
        return Err(StatisticsError::NoIterations { path: path(), warmup: 0, others: 0 });
    };
    // A format that tells of iterations tells of measured ones.
    let no_iterations =
        iterations.is_empty() && !trace.format.is_recording() || run.converted_from.is_some();
    if !iterations.iter().any(|iteration| is_enough(iteration.kind)) && !no_iterations {
        let warmup = iterations.iter().filter(|i| i.kind == IterationKind::WarmUp).count();
        return Err(StatisticsError::NoIterations {
            path: path(),
            warmup,
            others: trace.other_phases.len(),
        });
    }
    let measured: Vec<&IterationSummary> =
        iterations.iter().filter(|iteration| iteration.kind == IterationKind::Measured).collect();
    let of_typical: Vec<&IterationSummary> = typical.among(&iterations).collect();
    let measure = Measure::of(of_typical.len(), whole.mean);
    let partition = Partition::of_rows(&iterations, independent, |row| typical.rows[row]);
    // Averages have no parts.
    let partition = partition.filter(|_| trace.averages.is_empty());
    let executions = match &trace.averages[..] {
        [] => Some(Executions::of(trace, &exclusive.times, &typical)?),
        _ => None,
    };
    let (mut operators, mut kernels) =
        figures(trace, executions.as_ref(), measure, partition.as_ref());
    if let Some(Ok(cost)) = &whole.profiling {
        let kernels = kernels.as_deref_mut();
        mark(cost, &whole.taken, trace, of_typical.len(), &mut operators, kernels);
    }
    let bound = ProfilingBound::of(trace, &operators);
    if let Some(bound) = &bound {
        bound.mark(&mut operators);
    }
    let tables =
        Tables { operators: &operators, kernels: trace.kernels.as_ref().zip(kernels.as_deref()) };
    let mut types = operators::types(tables, executions.as_ref(), measure);
    devices::add_to_types(&mut types, &operators, measure);
    let model = ModelSummary {
        profiling_bound: bound,
        ..model(trace, &of_typical, measure, tables, whole)
    };
    // Averages are never of the iterations that are stated beside them.
    let timed_apart = !trace.averages.is_empty() && model.profiled.is_some();
    let advice = Advice::of(trace);
    let mut caveats = caveats(&launches, &measured, advice);
    let interferences = interferences(&trace.conditions, &iterations, &launches, run.threads);
    let instances = Instances::of(&trace.runs, &iterations);
    caveats.extend(instances.as_ref().and_then(Instances::caveat));
    caveats.extend(interference_caveats(&interferences));
    caveats.extend(costly(&model));
    caveats.extend(uncalibrated(&model));
    caveats.extend(unknowns(trace, &model));
    if exclusive.overlapping > 0 {
        caveats.push(format!(
            "{} without lying inside them; the shared time is counted once",
            counted(exclusive.overlapping, "event overlaps others", "events overlap others")
        ));
    }
    let summary = Summary {
        run: run.clone(),
        model,
        ranks: Ranks::of(&launches),
        instances,
        phases: phases(&of_all_phases(trace, &iterations), independent, run.batch_size),
        launches,
        iterations,
        types,
        providers: ProviderSummary::all(&operators),
        operators,
        kernels,
        figures: trace.figures.clone(),
        conditions: trace.conditions.clone(),
        interferences,
        caveats,
        warnings: trace.warnings.clone(),
        parts: partition.map(|partition| partition.parts),
        operators_timed_apart: timed_apart,
        advice,
    };
    Ok(Examined { summary, exclusive, executions })
}

/// The iterations of all phases of a generation, by launch; none if there are no phases.
fn of_all_phases(trace: &Trace, iterations: &[IterationSummary]) -> Vec<IterationSummary> {
    let own = iterations.iter().filter(|iteration| iteration.step.is_some()).cloned();
    let others = trace.other_phases.iter().map(|&(position, iteration)| IterationSummary {
        position,
        launch: trace.runs.get(position as usize).map_or(position, |run| run.launch),
        index: iteration.index,
        kind: iteration.kind,
        start: iteration.start,
        latency: iteration.duration,
        operators: None,
        profiling: None,
        concurrent: None,
        devices_alone: None,
        overhead: None,
        step: iteration.step,
    });
    let mut all: Vec<IterationSummary> = own.chain(others).collect();
    all.sort_by_key(|iteration| (iteration.position, iteration.start));
    all
}

/// Figures of operators, and of their kernels where some have several.
fn figures(
    trace: &Trace,
    executions: Option<&Executions>,
    measure: Measure,
    partition: Option<&Partition>,
) -> (Vec<OperatorSummary>, Option<Vec<OperatorSummary>>) {
    let Some(executions) = executions else {
        return (operators::averaged_operators(trace, &trace.averages, measure), None);
    };
    let timed = trace.events.height() > 0;
    let figures = |table: &[Operator], host: &[Range<usize>], on_devices: &[Range<usize>]| {
        let mut summaries =
            operators::executed_operators(table, host, executions, timed, measure, partition);
        if !on_devices.is_empty() {
            devices::add(&mut summaries, on_devices, executions, measure);
        }
        summaries
    };
    let Executions { host, devices: on_devices, .. } = executions;
    let mut operators = figures(&trace.operators, &host.operators, &on_devices.operators);
    let kernels = trace.kernels.as_ref().map(|kernels| {
        let summaries = figures(&kernels.table, &host.kernels, &on_devices.kernels);
        operators::take_from_kernels(&mut operators, &summaries, kernels, measure);
        summaries
    });
    (operators, kernels)
}

fn iterations(
    trace: &Trace,
    exclusive: &ExclusiveTimes,
) -> Result<Vec<IterationSummary>, StatisticsError> {
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
        let operators = Nanoseconds(exclusive.by_iteration[row]);
        let devices_alone = Nanoseconds(exclusive.devices_alone[row]);
        let position = launch[row];
        IterationSummary {
            position,
            launch: trace.runs.get(position as usize).map_or(position, |run| run.launch),
            index: index[row],
            kind,
            start: Nanoseconds(start[row]),
            latency,
            operators: recorded.then_some(operators),
            profiling: None,
            concurrent: recorded.then(|| operators - covered),
            devices_alone: recorded.then_some(devices_alone),
            overhead: (recorded && measured_wall(position))
                .then(|| latency - covered - devices_alone),
            step: trace.steps.get(row).copied().flatten(),
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
        let plain = own().filter(|i| i.kind == IterationKind::Plain);
        let mut plain: Vec<u64> = plain.map(|iteration| iteration.latency.0).collect();
        LaunchSummary {
            launch: run.launch,
            rank: run.rank,
            instance: run.instances.map(|instances| Instance {
                round: run.round(),
                number: run.launch % instances.max(1),
            }),
            clock_origin: run.clock_origin,
            iterations: measured().count() as u64,
            warmup_flagged: own().filter(|i| i.kind == IterationKind::WarmUp).count() as u64,
            warmup_found: warmup::warmup_length(&recorded).map(|length| length as u64),
            latency: Distribution::of(&mut latencies),
            plain: Distribution::of(&mut plain),
        }
    });
    launches.collect()
}
