//! One subcommand, one file.

pub mod flops;
pub mod record;
pub mod report;
pub mod summary;

use crate::args::ModelArguments;
use crate::progress::Progress;
use onnxray_analyzer::{Sources, Summary, import, summarize};
use onnxray_format::printable;
use onnxray_recorder::GivenDimensions;
use std::path::PathBuf;

/// The sizes that the user gave for the model's inputs.
fn sizes(arguments: &ModelArguments) -> GivenDimensions {
    GivenDimensions {
        batch_size: arguments.batch_size,
        sizes: arguments.dimensions.iter().cloned().collect(),
    }
}

/// Prints what a recording's reader warned of.
fn warn(summary: &Summary) {
    for warning in &summary.warnings {
        eprintln!("warning: {}", printable(warning));
    }
}

/// Prints what is doubtful about a recording.
fn note(summary: &Summary) {
    for doubt in &summary.doubts {
        eprintln!("note: {}", printable(doubt));
    }
}

/// Reads a recording and computes its figures.
fn analyze(recordings: &[PathBuf]) -> anyhow::Result<Summary> {
    let sources = Sources::find(recordings)?;
    if let Some(newest) = sources.files.first().filter(|_| !sources.older.is_empty()) {
        eprintln!(
            "note: showing the newest recording, {}; there are {} older ones: name their files to \
             see them",
            newest.display(),
            sources.older.len()
        );
    }
    let progress = Progress::working(format!("reading {} files", sources.files.len()));
    let summary = import(&sources.files).and_then(|trace| summarize(&trace));
    progress.clear();
    Ok(summary?)
}
