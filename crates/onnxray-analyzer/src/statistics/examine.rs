//! From a trace to its figures: iterations, launches, operators, types, and the whole.

use super::Ranks;
use super::caveats::{
    caveats, costly, cuts, interference_caveats, is_without_waits, of_blocks, spinning,
    uncalibrated, unknowns,
};
use super::conditions::interferences;
use super::devices;
use super::flops::roof::Machine;
use super::flops::under_roof::NoRoof;
use super::launches::ranks::are_ranks;
use super::model::model;
use super::operators::{self, Tables};
use super::overhead::profiling::mark;
use super::patterns::Patterns;
use super::phases::phases;
use super::placement::unused;
use super::spread::bounds::{bound_blocks, widen_by_cuts};
use super::spread::interval::Independent;
use super::steady::typical::Typical;
use super::steady::warmup;
use super::times::exclusive::{self, ExclusiveTimes};
use super::times::executions::Executions;
use super::times::measure::Measure;
use super::whole::Whole;
use super::{
    Advice, CostSummary, Details, Distribution, Instance, Instances, Interference,
    IterationSummary, LaunchSummary, Liveness, ModelSummary, NoiseSource, OperatorSummary,
    Partition, ProfilingBound, ProviderSummary, RoofSummary, Summary, Timeline,
};
use crate::statistics::error::StatisticsError;
use crate::trace::Trace;
use onnxray_format::{Iteration, IterationKind, Nanoseconds, Operator, Run};
use onnxray_text::counted;
use std::ops::Range;

/// Iterations that a recording of onnxray must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Measured ones, from which figures of operators come.
    Measured,
    /// Measured or unprofiled ones: of the latter, nothing but the latency is known.
    AnyLatency,
}

/// The figures of a trace, and what they were computed from.
pub struct Examined<'a> {
    /// Everything that reports show.
    pub summary: Summary,
    trace: &'a Trace,
    exclusive: ExclusiveTimes,
    /// `None` if the trace states averages.
    executions: Option<Executions>,
}

/// Computes all figures of a trace.
///
/// # Errors
///
/// If a recording of ours has none of the iterations that it needs.
pub fn examine(trace: &Trace, needs: Needs) -> Result<Examined<'_>, StatisticsError> {
    let corrected = corrected(trace);
    let run = checked(trace, &corrected.iterations, needs)?;
    Ok(examined(trace, run, corrected))
}

impl Examined<'_> {
    /// Single executions and histograms, which only pages show.
    pub fn details(&self) -> Details {
        Details::of(self.trace, &self.summary, &self.exclusive, self.executions.as_ref())
    }

    /// Iterations one by one, as comparisons look at them; `None` if the trace does not tell of
    /// single ones.
    pub fn into_timeline(self) -> (Summary, Option<Timeline>) {
        let Examined { summary, executions, .. } = self;
        let timeline = Timeline::of(&summary.iterations, &summary.launches, executions);
        (summary, timeline)
    }
}

/// By event of a trace: nanoseconds without the events inside it, and without what profiling
/// costs, if that is known.
pub fn exclusive_times(trace: &Trace) -> Vec<u64> {
    corrected(trace).exclusive.times
}

/// Averages that a producer states are never of the iterations that are stated beside them.
fn is_apart(trace: &Trace) -> bool {
    !trace.averages.is_empty() && trace.compact.is_none()
}

/// Times after the profiling cost was taken out, and what it was computed from.
struct Corrected {
    exclusive: ExclusiveTimes,
    iterations: Vec<IterationSummary>,
    launches: Vec<LaunchSummary>,
    independent: Independent,
    typical: Typical,
    whole: Whole,
}

fn corrected(trace: &Trace) -> Corrected {
    let mut exclusive = exclusive::exclusive_times(trace);
    let mut iterations = iterations(trace, &exclusive);
    let launches = launches(trace, &iterations);
    // Ranks wait for each other, instances share a machine: such launches are not independent.
    let independent = match trace.runs.first().and_then(|run| run.instances) {
        Some(instances) => Independent::Rounds(instances),
        None if are_ranks(&launches) => Independent::Nothing,
        None => Independent::Launches,
    };
    let typical = match is_apart(trace) {
        true => Typical::all(&iterations),
        false => Typical::of(&iterations),
    };
    // Takes the profiling cost out of `iterations` and `exclusive`: operators' times are read later.
    let whole = Whole::of(trace, independent, &typical, &mut iterations, &mut exclusive);
    Corrected { exclusive, iterations, launches, independent, typical, whole }
}

/// The first launch; an error without the iterations that `needs` asks for.
fn checked<'a>(
    trace: &'a Trace,
    iterations: &[IterationSummary],
    needs: Needs,
) -> Result<&'a Run, StatisticsError> {
    // For the error alone; a trace that was built in memory has no file.
    let path = trace.files.first().cloned().unwrap_or_default();
    let Some(run) = trace.runs.first() else {
        return Err(StatisticsError::NoIterations { path, warmup: 0, others: 0 });
    };
    // Formats of other programs either have measured iterations or none at all.
    let no_iterations =
        iterations.is_empty() && !trace.format.is_recording() || run.converted_from.is_some();
    let is_needed = |iteration: &IterationSummary| match needs {
        Needs::Measured => iteration.kind == IterationKind::Measured,
        Needs::AnyLatency => iteration.kind != IterationKind::WarmUp,
    };
    if no_iterations || iterations.iter().any(is_needed) {
        return Ok(run);
    }
    let warmup = iterations.iter().filter(|i| i.kind == IterationKind::WarmUp).count();
    let others = trace.other_phases.len();
    Err(StatisticsError::NoIterations { path, warmup, others })
}

fn examined<'a>(trace: &'a Trace, run: &Run, corrected: Corrected) -> Examined<'a> {
    let Corrected { exclusive, iterations, launches, independent, typical, whole } = corrected;
    let measured: Vec<&IterationSummary> =
        iterations.iter().filter(|iteration| iteration.kind == IterationKind::Measured).collect();
    let of_typical: Vec<&IterationSummary> = typical.among(&iterations).collect();
    let measure = Measure::of(of_typical.len(), whole.mean);
    // Over the rows of the means, or intervals would be about other iterations.
    let partition = Partition::of_rows(&iterations, independent, |row| typical.rows[row]);
    // Averages have no parts.
    let partition = partition.filter(|_| trace.averages.is_empty());
    let executions = match &trace.averages[..] {
        [] => Some(Executions::of(trace, &exclusive.times, &typical)),
        _ => None,
    };
    let (mut operators, mut kernels) =
        figures(trace, executions.as_ref(), measure, partition.as_ref());
    let mut patterns =
        Patterns::of(&mut operators, executions.as_ref(), measure, partition.as_ref());
    if let Some(Ok(cost)) = &whole.profiling {
        let kernels = kernels.as_deref_mut();
        let events = mark(cost, &whole.taken, trace, of_typical.len(), &mut operators, kernels);
        patterns.mark(cost, &operators, &events);
    }
    let bound = ProfilingBound::of(trace, &operators);
    if let Some(bound) = &bound {
        bound.mark(&mut operators);
        bound.mark(&mut patterns.sums);
    }
    if run.blocks {
        bound_blocks(&mut operators);
        widen_by_cuts(&mut operators);
    }
    let model = {
        let kernels = trace.kernels.as_ref().zip(kernels.as_deref());
        let tables = Tables { operators: &operators, kernels };
        let model = model(trace, &of_typical, measure, tables, whole);
        ModelSummary { profiling_bound: bound, ..model }
    };
    let costs = trace.costs.as_ref().map(CostSummary::of);
    // One thread takes no longer by itself than it is on a core; a generation is many iterations.
    let is_alone = run.threads == Some(1) && run.generation.is_none();
    let cpu_time = costs.as_ref().filter(|_| is_alone).and_then(|costs| costs.cpu_time.as_ref());
    let cpu_time = cpu_time.map(|cpu_time| cpu_time.mean);
    let roofs = trace.roofs.as_ref().map(|roofs| {
        let resolution = run.operator_resolution();
        let undisturbed = operators.iter().filter_map(|one| Some(one.undisturbed()?.0)).sum();
        let scale = model.scale_to_latency(undisturbed, cpu_time);
        let machine = Machine { roofs, resolution, scale };
        for operator in operators.iter_mut().chain(kernels.iter_mut().flatten()) {
            match machine.over(operator) {
                Ok(roof) => {
                    operator.no_roof = roof.share().is_none().then_some(NoRoof::Exceeded);
                    operator.roof = Some(roof);
                }
                // Where nothing is computed, there is nothing to know.
                Err(reason) if operator.flops != Some(0.0) => operator.no_roof = Some(reason),
                Err(_) => {}
            }
        }
        RoofSummary::of(roofs, &operators)
    });
    // What lives inside a block, nothing tells.
    let liveness = if run.blocks { None } else { Liveness::tell(&mut operators) };
    let patterns = patterns.summaries(&operators);
    let tables =
        Tables { operators: &operators, kernels: trace.kernels.as_ref().zip(kernels.as_deref()) };
    let mut types = operators::types(tables, executions.as_ref(), measure);
    // With devices there are two clocks: shares and the order of types change.
    devices::add_to_types(&mut types, &operators, measure);
    let timed_apart = is_apart(trace) && model.profiled.is_some();
    let advice = Advice::of(trace);
    let mut caveats = caveats(&launches, &measured, advice);
    let interferences = interferences(&trace.conditions, &iterations, &launches, run.threads);
    let instances = Instances::of(&trace.runs, &iterations);
    caveats.extend(instances.as_ref().and_then(Instances::caveat));
    // What a thread waited for a core is in no time of it.
    let without_waits = is_without_waits(&operators);
    let is_left = |found: &&Interference| !without_waits || found.source != NoiseSource::Switches;
    let left: Vec<Interference> = interferences.iter().filter(is_left).cloned().collect();
    caveats.extend(interference_caveats(&left));
    caveats.extend(costs.as_ref().and_then(|costs| spinning(run, costs)));
    let providers = ProviderSummary::all(&operators, run);
    caveats.extend(unused(run, &providers));
    if run.blocks {
        caveats.extend(cuts(&operators));
        caveats.push(of_blocks(&operators));
    }
    caveats.extend(costly(&model));
    caveats.extend(uncalibrated(&model));
    caveats.extend(unknowns(trace, &model));
    caveats.extend(roofs.as_ref().and_then(RoofSummary::caveat));
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
        providers,
        operators,
        patterns,
        kernels,
        figures: trace.figures.clone(),
        roofs,
        costs,
        liveness,
        conditions: trace.conditions.clone(),
        interferences,
        caveats,
        warnings: trace.warnings.clone(),
        parts: partition.map(|partition| partition.parts),
        operators_timed_apart: timed_apart,
        is_compact: trace.compact.is_some(),
        advice,
    };
    Examined { summary, trace, exclusive, executions }
}

/// Iterations of all phases of a generation, by launch; empty without phases.
fn of_all_phases(trace: &Trace, iterations: &[IterationSummary]) -> Vec<IterationSummary> {
    let own = iterations.iter().filter(|iteration| iteration.step.is_some()).cloned();
    let others = trace.other_phases.iter().map(|&(position, iteration)| {
        IterationSummary::of_time(position, number_of(trace, position), iteration)
    });
    let mut all: Vec<IterationSummary> = own.chain(others).collect();
    // By launch, as `Partition` takes them, and as they ran.
    all.sort_by_key(|iteration| (iteration.position, iteration.start));
    all
}

/// Number that the launch at a position has in the recording.
fn number_of(trace: &Trace, position: u32) -> u32 {
    trace.runs.get(position as usize).map_or(position, |run| run.launch)
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
    let timed = !trace.events.is_empty();
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

fn iterations(trace: &Trace, exclusive: &ExclusiveTimes) -> Vec<IterationSummary> {
    let timed = trace.averages.is_empty();
    // A wall time that is a sum of operators has no overhead.
    let measured_wall =
        |launch: u32| trace.runs.get(launch as usize).is_none_or(|run| !run.iterations_are_sums);
    let rows = trace.iterations.iter().enumerate().map(|(row, ((position, _), iteration))| {
        let &Iteration { kind, duration: latency, .. } = iteration;
        // An unprofiled iteration and averages have no events: 0 would read as measured.
        let recorded = kind != IterationKind::Unprofiled && timed;
        let covered = Nanoseconds(exclusive.covered[row]);
        let operators = Nanoseconds(exclusive.by_iteration[row]);
        let devices_alone = Nanoseconds(exclusive.devices_alone[row]);
        IterationSummary {
            operators: recorded.then_some(operators),
            concurrent: recorded.then(|| operators - covered),
            devices_alone: recorded.then_some(devices_alone),
            overhead: (recorded && measured_wall(position))
                .then(|| latency - covered - devices_alone),
            ..IterationSummary::of_time(position, number_of(trace, position), *iteration)
        }
    });
    rows.collect()
}

fn launches(trace: &Trace, iterations: &[IterationSummary]) -> Vec<LaunchSummary> {
    let launches = trace.runs.iter().enumerate().map(|(launch, run)| {
        let launch = launch as u32;
        let own = || iterations.iter().filter(move |iteration| iteration.position == launch);
        // Flagged and measured ones together: both lengths count from the first iteration.
        let recorded: Vec<f64> = own()
            .filter(|iteration| iteration.kind != IterationKind::Unprofiled)
            .map(|iteration| iteration.latency.0 as f64)
            .collect();
        let measured = || own().filter(|i| i.kind == IterationKind::Measured);
        let mut latencies: Vec<u64> = measured().map(|iteration| iteration.latency.0).collect();
        let unprofiled = own().filter(|i| i.kind == IterationKind::Unprofiled);
        let mut unprofiled: Vec<u64> = unprofiled.map(|iteration| iteration.latency.0).collect();
        LaunchSummary {
            launch: run.launch,
            rank: run.rank,
            instance: run.instances.map(|instances| Instance {
                round: run.round(),
                // A damaged file may state 0 instances.
                number: run.launch % instances.max(1),
            }),
            clock_origin: run.clock_origin,
            iterations: measured().count() as u64,
            warmup_flagged: own().filter(|i| i.kind == IterationKind::WarmUp).count() as u64,
            warmup_found: warmup::warmup_length(&recorded).map(|length| length as u64),
            latency: Distribution::of(&mut latencies),
            unprofiled: Distribution::of(&mut unprofiled),
        }
    });
    launches.collect()
}
