//! One subcommand, one file.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod flops;
pub(crate) mod import;
pub(crate) mod project;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod summary;

use crate::args::InputArguments;
use crate::progress::Progress;
use onnxray_analyzer::{Summary, Trace, summarize};
use onnxray_analyzer::{first_of, printable};
use onnxray_format::Warning;
use onnxray_import::{Launch, Reading, Sources, import, join};
use onnxray_recorder::{GivenDimensions, OnnxNodes};
use std::path::{Path, PathBuf};

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
    let mut launches = read_files(&input.recordings, &input.reading.reading())?;
    if let Some(model) = &input.onnx {
        join_model(&mut launches, model, input)?;
    }
    Ok(launches)
}

/// Reads files, or the newest recording of a folder.
fn read_files(paths: &[PathBuf], reading: &Reading) -> anyhow::Result<Vec<Launch>> {
    let sources = Sources::find(paths)?;
    if let Some(newest) = sources.files.first().filter(|_| !sources.older.is_empty()) {
        eprintln!(
            "note: showing the newest recording, {}; there are {} older ones: name their files to \
             see them",
            newest.display(),
            sources.older.len()
        );
    }
    Ok(import(&sources.files, reading)?)
}

/// Adds what an ONNX model says to the operators, and tells what did not match.
fn join_model(launches: &mut [Launch], model: &Path, input: &InputArguments) -> anyhow::Result<()> {
    let given = GivenDimensions {
        batch_size: launches.first().and_then(|launch| launch.run.batch_size),
        sizes: input.dimensions.iter().cloned().collect(),
        for_several: false,
    };
    let nodes = OnnxNodes::read(model, &given)?;
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
                let message = format!("{} {what}: {}", names.len(), first_of(names));
                launch.warnings.push(Warning::note(model, message));
            }
        }
        if let Some(reason) = &nodes.shapes_unknown {
            let message = format!("FLOPs of the model are unknown: {reason}");
            launch.warnings.push(Warning::note(model, message));
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
