//! A recording without the executions of operators: small enough to be kept in a repository, as
//! what later ones are compared with.

use super::{ConvertError, recording, whole};
use crate::statistics::{Needs, OperatorSummary, Summary, examine};
use crate::trace::Trace;
use crate::units::Milliseconds;
use onnxray_format::{Compact, Conditions, Operator, Phase};
use onnxray_import::{Average, Launch, Phases};
use std::path::Path;

/// Writes all launches of a recording to one file: their iterations, and means of operators. An
/// existing file is kept unless it is one that this `replaces`.
///
/// # Errors
///
/// If the launches have no iterations, or if the file cannot be written.
pub fn convert_compact(
    launches: Vec<Launch>,
    output: &Path,
    replaces: bool,
) -> Result<(), ConvertError> {
    let [first, further @ ..] = &compact(launches)?[..] else { return Ok(()) };
    whole(output, replaces, |file| recording::write(file, first, further))
}

/// The launches without executions. The first one has the operators, with their means over all.
fn compact(mut launches: Vec<Launch>) -> Result<Vec<Launch>, ConvertError> {
    if launches.iter().all(|launch| launch.iterations.is_empty()) {
        let path = launches.iter().flat_map(|launch| &launch.files).next().cloned();
        return Err(ConvertError::NoIterations { path: path.unwrap_or_default() });
    }
    let steps = launches.iter().flat_map(|launch| &launch.iterations).filter_map(|own| own.step);
    let recorded: Vec<Phase> = steps.map(|step| step.phase).collect();
    // Each phase is like a model of its own: its operators may have the names of another one's.
    let mut phases: Vec<Option<Phase>> =
        Phase::ALL.into_iter().filter(|phase| recorded.contains(phase)).map(Some).collect();
    if phases.is_empty() {
        phases.push(None);
    }
    let (mut operators, mut averages, mut means) = (Vec::new(), Vec::new(), Vec::new());
    for phase in phases {
        let mut of_phase = launches.clone();
        if let Some(phase) = phase {
            of_phase.iter_mut().for_each(|launch| Phases::One(phase).choose(launch));
        }
        // As comparisons look at them: one operator has one clock.
        let trace = Trace::with_devices_apart(of_phase);
        let summary = examine(&trace, Needs::AnyLatency)?.summary;
        let first = operators.len() as u32;
        averages.extend(summary.operators.iter().zip(first..).filter_map(average));
        operators.extend(summary.operators.iter().zip(first..).map(|(of, number)| Operator {
            number,
            parent: of.operator.parent.map(|parent| first + parent),
            phase,
            flops: per_execution(of.flops, of.executions),
            bytes: per_execution(of.bytes, of.executions),
            ..of.operator.clone()
        }));
        if !summary.operators_timed_apart && !summary.is_unprofiled() {
            means.push(whole_of(&summary, phase));
        }
    }
    for launch in &mut launches {
        launch.events.chunks.clear();
        launch.events.figures.clear();
        launch.operators.clear();
        launch.averages.clear();
        launch.calibration = None;
        launch.conditions = launch.conditions.take().map(state);
    }
    if let Some(first) = launches.first_mut() {
        (first.operators, first.averages, first.compact) = (operators, averages, means);
    }
    Ok(launches)
}

/// Of all kernels of the operator, which the recording has no more.
fn per_execution(of_iteration: Option<f64>, executions: Option<f64>) -> Option<u64> {
    let each = of_iteration? / executions.filter(|&executions| executions > 0.0)?;
    Some(each.round() as u64)
}

/// `None` for an operator without a time.
fn average((of, operator): (&OperatorSummary, u32)) -> Option<Average> {
    let nanoseconds = |time: Milliseconds| time.0 * 1e6;
    Some(Average {
        operator,
        mean_ns: Some(of.mean.map(nanoseconds)?),
        median_ns: of.median.map(nanoseconds),
        min_ns: of.extremes.map(|(least, _)| nanoseconds(least)),
        max_ns: of.extremes.map(|(_, most)| nanoseconds(most)),
        executions: of.executions,
        iterations: None,
        below_ns: of.below.map(nanoseconds),
    })
}

fn whole_of(summary: &Summary, phase: Option<Phase>) -> Compact {
    let model = &summary.model;
    let concurrent = model.concurrent.zip(model.typical_iterations().filter(|&count| count > 0));
    Compact {
        phase,
        mean_ns: model.whole.map(|mean| mean.0 * 1e6),
        overhead_ns: model.overhead.map(|overhead| overhead.mean.0 * 1e6),
        concurrent_ns: concurrent.map(|(sum, iterations)| sum.0 as f64 / iterations as f64),
        is_calibrated: model.is_calibrated,
    }
}

/// Without what was read again and again.
fn state(conditions: Conditions) -> Conditions {
    Conditions {
        slices: None,
        minor_faults: None,
        major_faults: None,
        voluntary_switches: None,
        involuntary_switches: None,
        migrations: None,
        waits_us: None,
        ..conditions
    }
}
