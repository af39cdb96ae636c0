//! What can be read, and what was.

use crate::document::{Cell, Column, Document, Table, Unit, column};
use Unit::{Count, Text};
use onnxray_analyzer::{Format, Launch};
use std::collections::BTreeSet;

pub(super) const FORMATS: &[Column<Format>] = &[
    column("format", "Format", Text, "name for --from", |format| Cell::text(format.name)),
    column("producer", "Producer", Text, "what writes it", |format| Cell::text(format.title)),
    column("files", "Files", Text, "which files are read, of which versions", |format| {
        Cell::text(format.files)
    }),
    column("contains", "Contains", Text, "what the format has", |format| {
        Cell::text(format.contains)
    }),
];

pub(super) const INPUTS: &[Column<Launch>] = &[
    column("launch", "Launch", Count, "number of the launch", |launch| {
        Cell::Whole(u64::from(launch.run.launch))
    }),
    column("format", "Format", Text, "format of its files", |launch| {
        Cell::text(launch.format.name)
    }),
    column("files", "Files", Text, "the files it was read from", |launch| {
        let files = launch.files.iter().map(|file| file.display().to_string());
        Cell::text(files.collect::<Vec<_>>().join("; "))
    }),
    column("operators", "Operators", Count, "operators in its table", |launch| {
        Cell::Whole(launch.operators.len() as u64)
    }),
    column(
        "iterations",
        "Iterations",
        Count,
        "iterations, warm-up and unprofiled ones included",
        |launch| some(launch.iterations.len()),
    ),
    column("executions", "Executions", Count, "executions of operators", |launch| {
        some(launch.events.len())
    }),
    column(
        "averages",
        "Averages",
        Count,
        "operators of which averages are stated instead",
        |launch| Cell::Whole(launch.averages.len() as u64),
    ),
    column("threads", "Threads", Count, "threads and streams with executions", |launch| {
        let threads = launch.events.chunks.iter().flat_map(|chunk| chunk.thread.iter());
        some(threads.collect::<BTreeSet<_>>().len())
    }),
];

/// The formats that can be read.
pub fn formats_report(formats: impl IntoIterator<Item = Format>) -> Document {
    let table = Table::new("formats", "Formats", FORMATS, formats);
    Document::of("formats", table.wrapping(&["producer", "files", "contains"]))
}

/// Launches as they were read.
pub fn inputs_report(launches: &[Launch]) -> Document {
    Document::of("inputs", Table::new("inputs", "Inputs", INPUTS, launches))
}

/// A count of things that a format without any does not tell of.
fn some(count: usize) -> Cell {
    Cell::whole(Some(count as u64).filter(|&count| count > 0))
}
