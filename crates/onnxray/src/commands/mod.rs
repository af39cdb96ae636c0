//! One subcommand, one file.

pub mod check;
pub mod compare;
pub mod convert;
pub mod flops;
pub mod import;
pub mod project;
pub mod record;
pub mod report;
pub mod summary;

use crate::args::{InputArguments, ModelArguments, ReadingArguments, RecordingArgument};
use crate::progress::Progress;
use onnxray_analyzer::{Summary, Trace, summarize};
use onnxray_format::{Warning, first_of, printable};
use onnxray_import::{Format, Launch, Reading, Sources, import, join};
use onnxray_recorder::{GivenDimensions, OnnxNodes};
use std::path::Path;

/// The sizes that the user gave for the model's inputs.
fn sizes(arguments: &ModelArguments) -> GivenDimensions {
    GivenDimensions {
        batch_size: arguments.batch_size,
        sizes: arguments.dimensions.iter().cloned().collect(),
        for_several: false,
    }
}

/// Prints what a recording's reader warned of.
fn warn(summary: &Summary) {
    for warning in &summary.warnings {
        eprintln!("warning: {}", printable(warning));
    }
}

/// Prints what the readers of launches warned of.
fn warn_of(launches: &[Launch]) {
    for warning in launches.iter().flat_map(|launch| &launch.warnings) {
        eprintln!("warning: {}", printable(&warning.to_string()));
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
    let mut launches = import(&sources.files, &reading)?;
    if let Some(model) = &input.onnx {
        join_model(&mut launches, model, input)?;
    }
    Ok(launches)
}

/// Adds what an ONNX model says to the operators, and tells what did not match.
fn join_model(launches: &mut [Launch], model: &Path, input: &InputArguments) -> anyhow::Result<()> {
    let given = GivenDimensions {
        batch_size: launches.first().and_then(|launch| launch.run.batch_size),
        sizes: input.dimensions.iter().cloned().collect(),
        for_several: false,
    };
    let nodes = OnnxNodes::read(model, &given)?;
    let file = model.to_path_buf();
    let note =
        |message: String| Warning { file: file.clone(), position: None, message, loss: false };
    for launch in launches {
        let joined = join(launch, &nodes.nodes);
        let run = &mut launch.run;
        if run.model.is_empty() {
            run.model.clone_from(&nodes.file_name);
        }
        run.model_sha256 = run.model_sha256.take().or_else(|| nodes.sha256.clone());
        run.parameters = run.parameters.or(nodes.parameters);
        run.batch_size = run.batch_size.or(nodes.batch_size);
        if run.dimensions.is_empty() {
            run.dimensions.clone_from(&nodes.dimensions);
        }
        let lists = [
            ("operators of the trace have no node in the model", &joined.operators_without_node),
            ("nodes of the model have no operator in the trace", &joined.nodes_without_operator),
        ];
        for (what, names) in lists {
            if !names.is_empty() {
                launch.warnings.push(note(format!("{} {what}: {}", names.len(), first_of(names))));
            }
        }
        if let Some(reason) = &nodes.shapes_unknown {
            launch.warnings.push(note(format!("FLOPs of the model are unknown: {reason}")));
        }
    }
    Ok(())
}

/// Reads a recording and computes its figures.
fn analyze(input: &InputArguments) -> anyhow::Result<Summary> {
    let progress = Progress::working(format!("reading {} files", input.recordings.len()));
    let summary = read(input).and_then(|launches| Ok(summarize(&Trace::new(launches)?)?));
    progress.clear();
    summary
}

/// Reads a recording that may be compared.
fn read_recording(
    recording: &RecordingArgument,
    reading: &ReadingArguments,
) -> anyhow::Result<Vec<Launch>> {
    read(&InputArguments {
        from: reading.from.clone(),
        strict: reading.strict,
        ..InputArguments::files(&recording.files)
    })
}
