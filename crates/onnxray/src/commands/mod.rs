//! One subcommand, one file.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod flops;
pub(crate) mod import;
mod input;
pub(crate) mod project;
pub(crate) mod record;
pub(crate) mod report;
mod sides;
pub(crate) mod summary;

use onnxray_analyzer::{Summary, printable};
use onnxray_import::Launch;

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
