//! What is said of a recording in the end.

use crate::args::InputArguments;
use crate::commands::input::Input;
use crate::message;
use onnxray_analyzer::Summary;
use onnxray_format::{printable, shown as shown_path};
use onnxray_recorder::LaunchSpec;
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

/// Prints the most important figures of a recording, and what is doubtful about it.
pub(super) fn tell(spec: &LaunchSpec, files: &[PathBuf]) -> anyhow::Result<Summary> {
    let summary = Input::find(&InputArguments::files(files))?.analyze()?;
    let label = label(spec);
    let overhead = match &summary.model.recording_overhead {
        Some(overhead) => overhead.text(),
        None => "unknown, without plain iterations".to_string(),
    };
    // The latency of the model is that without instrumentation, where that was measured.
    let measured =
        summary.model.latency.map(|latency| ("", latency, summary.model.latency_interval));
    let plain = summary.model.plain.map(|plain| ("plain ", plain.latency, plain.interval));
    if let Some((kind, latency, interval)) = plain.or(measured) {
        let launches = match files.len() {
            1 => "1 launch".to_string(),
            several => format!("{several} launches"),
        };
        let precision = match interval {
            Some(interval) => interval.about(latency.median.0),
            None => "± unknown (too few iterations)".to_string(),
        };
        message::line(format_args!(
            "{label}{} {kind}iterations in {launches}, median {:.3} ms {precision}, p90 {:.3} ms; overhead of recording {overhead}",
            latency.count, latency.median.0, latency.p90.0,
        ));
    }
    for doubt in &summary.doubts {
        message::note(format_args!("{label}{doubt}"));
    }
    Ok(summary)
}
