//! One subcommand, one file.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
mod first_screen;
pub(crate) mod flops;
pub(crate) mod inspect;
mod nodes;
pub(crate) mod packaging;
pub(crate) mod per_recording;
pub(crate) mod profiles;
pub(crate) mod project;
pub(crate) mod record;
pub(crate) mod regressions;
pub(crate) mod report;
mod settings_files;
mod signals;
mod sources;
pub(crate) mod studies;
pub(crate) mod summary;
pub(crate) mod work;

pub(crate) use signals::{Stop, end_on_signals, outlive_size_limits};
pub(crate) use sources::usual::usual_recording;

use crate::message;
use anyhow::anyhow;
use onnxray_analyzer::Summary;
use onnxray_import::Launch;
use onnxray_text::file_failure;
use std::io::ErrorKind;
use std::path::Path;

/// Prints what a recording's reader warned of.
fn warn(summary: &Summary) {
    for warning in &summary.warnings {
        message::warning(warning);
    }
}

/// True if the reader lost something of a recording.
fn has_losses(summary: &Summary) -> bool {
    summary.warnings.iter().any(|warning| warning.loss)
}

/// Prints what the readers of launches warned of.
fn warn_of(launches: &[Launch]) {
    for warning in launches.iter().flat_map(|launch| &launch.warnings) {
        message::warning(warning);
    }
}

/// With --verbose, tells which files were read as which format, and what of them was ignored.
fn say_read(launches: &[Launch]) {
    for launch in launches {
        let files = launch.files.iter().map(|file| message::quoted(file));
        message::detail(format_args!(
            "read {} as {}: {} operators, {} iterations, {} executions",
            files.collect::<Vec<_>>().join(" "),
            launch.format.name,
            launch.operators.len(),
            launch.iterations.len(),
            launch.events.len(),
        ));
        for ignored in &launch.ignored {
            message::remark(ignored);
        }
    }
}

/// Refuses a model whose file is missing, before an engine is looked for; of `-`, its reader says more.
fn find_models<'a>(models: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
    for model in models {
        match std::fs::metadata(model) {
            Err(error) if error.kind() == ErrorKind::NotFound && model != Path::new("-") => {
                return Err(anyhow!(file_failure(model, &error)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
