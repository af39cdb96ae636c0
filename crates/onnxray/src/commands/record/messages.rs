//! What is said of a recording in the end.

use crate::args::InputArguments;
use crate::commands::input::Input;
use crate::message;
use onnxray_analyzer::{Details, Instances, LatencySummary, PhaseSummary, Summary};
use onnxray_format::{counted, printable, shown as shown_path};
use onnxray_recorder::{FailedInstance, LaunchSpec, ended};
use std::path::{Path, PathBuf};

/// What messages about a recording begin with; empty where there is no other one.
pub(super) fn label(spec: &LaunchSpec) -> String {
    let folder = Path::new(&spec.options.folder);
    match folder.file_name().filter(|_| spec.dimensions.for_several) {
        Some(name) => format!("{}: ", printable(&name.to_string_lossy())),
        None => String::new(),
    }
}

/// The model's file, in one line.
pub(super) fn shown(spec: &LaunchSpec) -> String {
    printable(&spec.model.to_string_lossy())
}

/// Says that a recording was interrupted, and what there is of it.
pub(super) fn tell_interrupted(recorded: bool) {
    message::line(match recorded {
        true => "interrupted; what was recorded until then is kept",
        false => "interrupted; nothing was recorded",
    });
}

/// Says which files there are of launches of which the last one failed.
pub(super) fn tell_kept(files: &[PathBuf]) {
    for file in files {
        message::note(format_args!("{} is kept", shown_path(file)));
    }
}

/// Prints how fast a phase of a generation is.
fn tell_phase(label: &str, phase: &PhaseSummary) {
    let PhaseSummary { tokens_per_second: rate, latency, .. } = phase;
    let between = match phase.tokens_interval {
        Some(interval) => format!(" ({:.1} to {:.1})", interval.low, interval.high),
        None => String::new(),
    };
    message::line(format_args!(
        "{label}{}: {rate:.1} tokens/s{between}, median {:.3} ms for {}",
        phase.phase.name(),
        latency.median.0,
        counted(phase.tokens.round() as u64, "token", "tokens"),
    ));
}

/// Prints what instances did together, if that is known.
fn tell_together(together: &Instances) {
    let Some((rate, time)) = together.iterations_per_second.zip(together.together) else { return };
    let precision = match together.interval {
        Some(interval) => interval.about(rate),
        None => "± unknown (too few iterations)".to_string(),
    };
    let (rate, unit) = match together.items_per_second {
        Some(items) => (items, "items/s"),
        None => (rate, "iterations/s"),
    };
    message::line(format_args!(
        "{} together {rate:.1} {unit} {precision}, in {:.2} s in which all ran",
        counted(together.count as u64, "instance", "instances"),
        time.seconds()
    ));
}

/// Says which instance failed.
pub(super) fn tell_failed_instance(failed: &FailedInstance, instances: u32) {
    let FailedInstance { instance, status } = failed;
    message::error(format_args!(
        "instance {} of {instances} failed ({}); what the others recorded is kept",
        instance + 1,
        ended(*status)
    ));
}

/// Prints the most important figures of a recording, what is missing of it, and what is doubtful.
pub(super) fn tell(spec: &LaunchSpec, files: &[PathBuf]) -> anyhow::Result<(Summary, Details)> {
    let (summary, details) = Input::find(&InputArguments::files(files))?.analyze_in_detail()?;
    let label = label(spec);
    let overhead = match &summary.model.recording_overhead {
        Some(overhead) => overhead.text(),
        None => "unknown, without plain iterations".to_string(),
    };
    if let Some(LatencySummary { times: latency, interval, .. }) = summary.model.latency() {
        let kind = if summary.model.plain.is_some() { "" } else { "profiled " };
        let launches = match &summary.instances {
            Some(together) if together.rounds <= 1 => {
                counted(together.count as u64, "instance", "instances")
            }
            _ => counted(files.len() as u64, "launch", "launches"),
        };
        let precision = match interval {
            Some(interval) => interval.about(latency.median.0),
            None => "± unknown (too few iterations)".to_string(),
        };
        message::line(format_args!(
            "{label}{} iterations in {launches}, median {kind}latency {:.3} ms {precision}, p90 {:.3} ms; profiling overhead {overhead}",
            latency.count, latency.median.0, latency.p90.0,
        ));
    }
    summary.phases.iter().for_each(|phase| tell_phase(&label, phase));
    if let Some(together) = &summary.instances {
        tell_together(together);
    }
    for loss in summary.warnings.iter().filter(|warning| warning.loss) {
        message::warning(format_args!("{label}{loss}"));
    }
    for doubt in &summary.doubts {
        message::note(format_args!("{label}{doubt}"));
    }
    Ok((summary, details))
}
