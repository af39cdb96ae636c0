//! What can be read, and what was.

use crate::document::{Cell, Document, Table, Unit, columns};
use Unit::{Count, Text};
use onnxray_analyzer::{Format, Launch};
use std::collections::BTreeSet;
use std::path::PathBuf;

columns! {
    pub(super) const FORMATS: Format;

    /// name for --from
    "format" "Format" Text = |format| Cell::text(format.name);
    /// what writes it
    "producer" "Producer" Text = |format| Cell::text(format.title);
    /// supported files and versions
    "files" "Files" Text = |format| Cell::text(format.files);
    /// content of the format
    "contains" "Contains" Text = |format| Cell::text(format.contains);
}

/// The library of an engine or of its providers, as it was found.
#[derive(Clone, Debug, Default)]
pub struct FoundLibrary {
    /// The engine's name on the command line.
    pub engine: &'static str,
    /// `None` if it is unknown.
    pub version: Option<String>,
    /// Its file; `None` if it is part of the program, or missing.
    pub file: Option<PathBuf>,
    /// Names of its execution providers.
    pub providers: Vec<String>,
    /// Why it cannot be used.
    pub failure: Option<String>,
}

columns! {
    pub(super) const ENGINES: FoundLibrary;

    /// name for --engine
    "engine" "Engine" Text = |found| Cell::text(found.engine);
    /// version
    "version" "Version" Text = |found| Cell::stated(found.version.clone().unwrap_or_default());
    /// names for --provider
    "providers" "Providers" Text = |found| Cell::some_text(found.providers.join(", "));
    /// its file
    "library" "Library" Text = |found| {
        Cell::some_text(found.file.iter().map(|file| file.display().to_string()).collect::<String>())
    };
    /// why it cannot be used
    "failure" "Failure" Text = |found| Cell::some_text(found.failure.clone().unwrap_or_default());
}

columns! {
    pub(super) const INPUTS: Launch;

    /// number of the launch
    "launch" "Launch" Count = |launch| Cell::Whole(u64::from(launch.run.launch));
    /// format of its files
    "format" "Format" Text = |launch| Cell::text(launch.format.name);
    /// its files
    "files" "Files" Text = |launch| {
        let files = launch.files.iter().map(|file| file.display().to_string());
        Cell::text(files.collect::<Vec<_>>().join("; "))
    };
    /// operators
    "operators" "Operators" Count = |launch| Cell::Whole(launch.operators.len() as u64);
    /// iterations, including warm-up and unprofiled ones
    "iterations" "Iterations" Count = |launch| some(launch.iterations.len());
    /// executions of operators
    "executions" "Executions" Count = |launch| some(launch.events.len());
    /// operators with averages instead
    "averages" "Averages" Count = |launch| Cell::Whole(launch.averages.len() as u64);
    /// threads and streams with executions
    "threads" "Threads" Count = |launch| {
        let threads = launch.events.chunks.iter().flat_map(|chunk| chunk.thread.iter());
        some(threads.collect::<BTreeSet<_>>().len())
    };
}

/// The formats that can be read.
pub fn formats_report(formats: impl IntoIterator<Item = Format>) -> Document {
    let table = Table::new("formats", "Formats", FORMATS, formats);
    Document::of("formats", table.wrapping(&["producer", "files", "contains"]))
}

/// The engines that can run models here.
pub fn engines_report(found: impl IntoIterator<Item = FoundLibrary>) -> Document {
    let table = Table::new("engines", "Engines", ENGINES, found);
    Document::of("engines", table.wrapping(&["providers", "library", "failure"]))
}

/// Launches as they were read.
pub fn inputs_report(launches: &[Launch]) -> Document {
    // A launch of ONNX Runtime may have a file for each run.
    let table = Table::new("inputs", "Inputs", INPUTS, launches);
    Document::of("inputs", table.wrapping(&["files"]))
}

/// A count of things that a format without any does not tell of.
fn some(count: usize) -> Cell {
    Cell::whole(Some(count as u64).filter(|&count| count > 0))
}
