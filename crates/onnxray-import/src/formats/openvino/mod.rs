//! What OpenVINO's benchmark_app writes, in C++ and in Python: reports of
//! performance counters (CSV, JSON, and lines of a log), the execution graph (XML), and the
//! report of configuration and results (CSV and JSON), each by itself or together; and the layers
//! that DL Workbench exports (CSV).
//!
//! Counters have the time of each layer; the graph has its shapes, its element
//! types and the layers of the model behind it; both have its kernel. They are
//! joined by name, those of one name in their order, and counters win where both
//! tell the same; names become unique by ` (2)`, ` (3)`. The reports of several
//! infer requests become their mean.
//!
//! Layers that did not run, because they are part of another or because nothing
//! was to be done, are operators without a time; their attribute `execStatus`
//! says it. Constants, and what is computed from them alone while the model is
//! loaded, are not operators. The graph gives operators OpenVINO's own types; the
//! time that the processor was busy (`cpuTime`) has no place and is left out.

mod console;
mod counters;
mod csv;
mod graph;
mod join;
mod json;
mod report;
mod workbench;

use super::together::{Document, Part, is_text, share};
use crate::chrome::Options;
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict};
use crate::json::Cursor;
use crate::source::Source;
use crate::{ImportError, Launch};
use counters::Counters;
use graph::Graph;
use onnxray_format::Position;
use report::Report;
use std::path::PathBuf;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "openvino",
        title: "OpenVINO",
        files: "reports of benchmark_app -report_type (CSV, JSON), -pcsort, and -exec_graph_path (XML), \
            alone or together; logs of -pc; layers that DL Workbench exports (CSV)",
        contains: "averages, shapes, kernels, ONNX nodes, what did not run",
    },
    detect,
    read,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    CountersCsv,
    /// Comma separated, with quotes: the sorted report in Python.
    SortedCsv,
    CountersJson,
    /// Lines among those of a log.
    Console,
    Workbench,
    ReportCsv,
    ReportJson,
    Graph,
}

fn detect(head: Head<'_>) -> Verdict {
    match kind(head.text()) {
        Some(_) => Verdict::Yes,
        // A model in the same form has no times in its first layer.
        None if is_text(head.text()) => head.otherwise(),
        None if is_xml_network(head.text()) && !head.contains("</layer>") => head.otherwise(),
        None => Verdict::No,
    }
}

fn is_xml_network(text: &[u8]) -> bool {
    let begins = text.starts_with(b"<?xml") || text.starts_with(b"<net");
    begins && memchr::memmem::find(text, b"<net").is_some()
}

/// Told by the first words.
fn kind(text: &[u8]) -> Option<Kind> {
    let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
    match csv::separator(text) {
        Some(',') => return Some(Kind::SortedCsv),
        Some(_) => return Some(Kind::CountersCsv),
        None => {}
    }
    let starts: [(&str, Kind); 4] = [
        ("Execution Order;Layer Name;", Kind::Workbench),
        ("Command line parameters", Kind::ReportCsv),
        ("Configuration setup", Kind::ReportCsv),
        ("Execution results", Kind::ReportCsv),
    ];
    if let Some((_, kind)) = starts.iter().find(|(start, _)| text.starts_with(start.as_bytes())) {
        return Some(*kind);
    }
    if is_xml_network(text) {
        return has("execTimeMcs=").then_some(Kind::Graph);
    }
    if is_text(text) {
        return console::is_console(text).then_some(Kind::Console);
    }
    let mut cursor = Cursor::new(text);
    if !cursor.take(b'{') {
        return None;
    }
    match cursor.text().ok()?.raw {
        b"report_type" | b"avg_performance" | b"detailed_performance" => Some(Kind::CountersJson),
        b"cmd_options" | b"configuration_setup" | b"execution_results" => Some(Kind::ReportJson),
        _ => None,
    }
}

/// The files of each kind, in their order.
#[derive(Default)]
struct Files {
    counters: Vec<Part<Counters>>,
    graphs: Vec<Part<Graph>>,
    reports: Vec<Part<Report>>,
}

fn read(sources: Vec<Source>, _: &Options) -> Result<Vec<Launch>, ImportError> {
    let mut files = Files::default();
    for source in sources {
        let document = Document::read(source)?;
        match kind(document.bytes.trim_ascii_start()) {
            Some(Kind::CountersCsv) => {
                files.counters.push(Part::read(document, "layers", csv::read)?)
            }
            Some(Kind::SortedCsv) => {
                files.counters.push(Part::read(document, "layers", csv::read_sorted)?)
            }
            Some(Kind::CountersJson) => {
                files.counters.push(Part::read(document, "layers", json::read)?)
            }
            Some(Kind::Console) => {
                files.counters.push(Part::read(document, "lines", console::read)?)
            }
            Some(Kind::Workbench) => {
                files.counters.push(Part::read(document, "layers", workbench::read)?)
            }
            Some(Kind::Graph) => files.graphs.push(Part::read(document, "layers", graph::read)?),
            Some(Kind::ReportCsv) => {
                files.reports.push(Part::read(document, "layers", report::read_csv)?)
            }
            Some(Kind::ReportJson) => {
                files.reports.push(Part::read(document, "layers", report::read_json)?)
            }
            None => {
                let what = "a report or an execution graph of benchmark_app";
                return Err(document.unexpected(0, what));
            }
        }
    }
    // A sorted report repeats the other one: beside it, it says nothing new.
    let mut sorted = take_sorted(&mut files.counters);
    let launches =
        if files.counters.is_empty() { files.graphs.len() } else { files.counters.len() };
    let first = first_file(&files);
    // Configuration and results name no layer.
    if launches == 0 {
        let Some(report) = files.reports.first() else { return Ok(Vec::new()) };
        return Err(ImportError::Unexpected {
            file: report.file.clone(),
            position: Position { line: 1, byte: 0 },
            expected: "also counters or an execution graph".to_string(),
            found: "configuration and results only".to_string(),
        });
    }
    let counters = share(&files.counters, launches, &first, "counters")?;
    let graphs = share(&files.graphs, launches, &first, "execution graphs")?;
    let reports = share(&files.reports, launches, &first, "configuration and results")?;
    let parts = counters.into_iter().zip(graphs).zip(reports);
    let mut launches: Vec<Launch> =
        parts.map(|((counters, graph), report)| join::join(counters, graph, report)).collect();
    for (number, launch) in launches.iter_mut().enumerate() {
        launch.run.launch = number as u32;
        launch.files.extend(sorted.next());
    }
    Ok(launches)
}

/// A sorted report repeats another one of the same run, of which there must be as
/// many: they are set aside.
fn take_sorted(counters: &mut Vec<Part<Counters>>) -> std::vec::IntoIter<PathBuf> {
    let sorted = counters.iter().filter(|part| part.content.sorted).count();
    if sorted == 0 || sorted * 2 != counters.len() {
        return Vec::new().into_iter();
    }
    let files = counters.iter().filter(|part| part.content.sorted).map(|part| part.file.clone());
    let files: Vec<PathBuf> = files.collect();
    counters.retain(|part| !part.content.sorted);
    files.into_iter()
}

fn first_file(files: &Files) -> PathBuf {
    let counters = files.counters.first().map(|part| &part.file);
    let first = counters.or(files.graphs.first().map(|part| &part.file));
    first.cloned().unwrap_or_default()
}
