//! Op profiles of TensorFlow Lite's `benchmark_model`, and of TensorFlow's,
//! which have the same tables: as a file or among the lines of a log.
//!
//! Only means per node are told. The model's latency over the runs is told as
//! minimum, mean and maximum, so there are no iterations.

mod log;
mod nodes;
mod table;

use super::together::Document;
use crate::chrome::Options;
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict, each};
use crate::source::Source;
use crate::{ImportError, Launch};
use log::Log;
use onnxray_format::{Nanoseconds, Run, Warning};
use onnxray_text::counted;
use std::path::Path;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "tflite",
        title: "TensorFlow Lite",
        files: "op profiles of benchmark_model (--enable_op_profiling), as CSV or in a log, whole or \
            the summary by type",
        contains: "mean times, executions, nodes, operators inside of delegates and subgraphs",
    },
    detect,
    read: |sources, options| each(sources, options, read),
};

fn detect(head: Head<'_>) -> Verdict {
    if matches!(head.text().first(), Some(b'{' | b'[' | b'<')) {
        return Verdict::No;
    }
    let table = head.contains("node type, ") && head.contains("avg_ms, %, cdf%");
    if table || (head.contains("[node type]") && head.contains("[avg ms]")) || is_summary(head) {
        return Verdict::Yes;
    }
    head.otherwise()
}

/// Whether there is a summary by type, with something behind its heading.
fn is_summary(head: Head<'_>) -> bool {
    ["[Node type]", "node type, count, avg_ms"].iter().any(|heading| {
        let at = memchr::memmem::find(head.bytes, heading.as_bytes());
        let behind = at.map(|at| &head.bytes[at..]).unwrap_or_default();
        let (_, rows) = behind.split_at(memchr::memchr(b'\n', behind).unwrap_or(behind.len()));
        !rows.trim_ascii().is_empty()
    })
}

fn read(source: Source, _options: &Options) -> Result<Launch, ImportError> {
    let document = Document::read(source)?;
    let mut log = log::read(&document.bytes);
    if log.sections.is_empty() {
        return Err(document.unexpected(0, "the operators of a regular run (\"Run Order\")"));
    }
    let file = document.file;
    log.damage.merge(document.damage);
    let nodes = nodes::nodes(&log.sections);
    let mut warnings = log.damage.warnings(&file, "lines");
    warnings.extend(caveats(&log, nodes.without_place, &file));
    Ok(Launch {
        files: vec![file],
        run: Run {
            engine: "TensorFlow Lite".to_string(),
            producer: "benchmark_model".to_string(),
            model: log.model.unwrap_or_default(),
            threads: log.threads,
            load_time: log.load_time,
            clock_resolution: Some(Nanoseconds(1000)),
            ..Run::default()
        },
        operators: nodes.operators,
        averages: nodes.averages,
        warnings,
        ..Launch::default()
    })
}

/// What does not add up, and what is not there.
fn caveats(log: &Log, without_place: usize, file: &Path) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |message: String, loss: bool| {
        warnings.push(Warning { file: file.to_path_buf(), position: None, message, loss });
    };
    if log.further > 0 {
        warn(format!("{} more profiles follow the first one and are left out", log.further), true);
    }
    if without_place > 0 {
        warn(
            format!(
                "{without_place} operators ran inside others, and nothing tells inside which: \
                 their times are left out, and are part of those of the others"
            ),
            true,
        );
    }
    for section in &log.sections {
        let rows = section.rows.len() as u64;
        if section.by_type {
            let types = counted(rows, "operator is all", "operators are all");
            warn(
                format!("nothing but the summary is there: {types} nodes of a type together"),
                false,
            );
        }
        if section.only_top {
            warn(format!("only the {rows} most expensive operators are there"), true);
            continue;
        }
        if let Some(declared) =
            section.declared.filter(|&declared| declared != rows && !section.by_type)
        {
            warn(format!("{declared} nodes were executed, {rows} were read"), declared > rows);
        }
        let total = section.timings.and_then(|timings| timings.average_us);
        if let (Some(total), Some(sum)) = (total, nodes::sum_us(section)) {
            // Times of rows are rounded to the microsecond.
            if (sum - total).abs() > 0.01 * total + rows as f64 {
                let (sum, total) = (sum / 1000.0, total / 1000.0);
                warn(
                    format!(
                        "the operators' times add up to {sum:.3} ms per run, but the profile says \
                         {total:.3} ms"
                    ),
                    false,
                );
            }
        }
    }
    warnings
}
