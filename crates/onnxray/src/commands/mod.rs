//! One subcommand, one file.

pub mod flops;
pub mod record;
pub mod report;
pub mod summary;

use crate::args::{InputArguments, ModelArguments};
use crate::progress::Progress;
use onnxray_analyzer::{Summary, Trace, summarize};
use onnxray_format::printable;
use onnxray_import::{Format, Launch, Reading, Sources, import};
use onnxray_recorder::GivenDimensions;

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

/// Reads what the user named into launches.
fn read(input: &InputArguments) -> anyhow::Result<Vec<Launch>> {
    let sources = Sources::find(&input.recordings)?;
    if let Some(newest) = sources.files.first().filter(|_| !sources.older.is_empty()) {
        eprintln!(
            "note: showing the newest recording, {}; there are {} older ones: name their files to \
             see them",
            newest.display(),
            sources.older.len()
        );
    }
    let named = |name: &String| Format::ALL.into_iter().find(|f| f.importer().name == name);
    let reading = Reading {
        format: input.from.as_ref().and_then(named),
        strict: input.strict,
        ..Reading::default()
    };
    Ok(import(&sources.files, &reading)?)
}

/// Reads a recording and computes its figures.
fn analyze(input: &InputArguments) -> anyhow::Result<Summary> {
    let progress = Progress::working(format!("reading {} files", input.recordings.len()));
    let summary = read(input).and_then(|launches| Ok(summarize(&Trace::new(launches)?)?));
    progress.clear();
    summary
}
