//! Profiles of Intel's Neural Engine (`ENGINE_PROFILING`): a CSV and a trace of
//! the same run, together or one of them. onnxray's own CSV has nearly the same
//! layout and reads as well.

mod join;
mod profile;
mod row;
mod tensors;
mod trace;
mod weight;

use crate::chrome::Options;
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict};
use crate::source::Source;
use crate::{ImportError, Launch};

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "neural-engine",
        title: "Neural Engine",
        files: "profiling_csv/*.csv and profiling_trace/*.json that ENGINE_PROFILING=1 writes; a pair is one launch",
        contains: "executions, iterations, types, shapes, post-ops (trace); latencies, weights, sparse ratios (CSV)",
    },
    detect,
    read,
};

fn detect(head: Head<'_>) -> Verdict {
    match head.text().first() {
        Some(b'{' | b'[') => detect_trace(head),
        _ => detect_csv(head),
    }
}

fn detect_trace(head: Head<'_>) -> Verdict {
    // Our own recordings have the same events, and metadata in front.
    if head.contains("\"format_version\"") {
        return Verdict::No;
    }
    if head.contains("\"model_inference\"") || head.contains("\"reshape_time\"") {
        return Verdict::Yes;
    }
    // The engine has an operator among its first three events.
    if head.contains("\"ph\"") || head.bytes.len() > 1 << 16 {
        return Verdict::No;
    }
    head.otherwise()
}

fn detect_csv(head: Head<'_>) -> Verdict {
    let text = String::from_utf8_lossy(head.text());
    let mut lines = text.lines().map(|line| line.trim_start_matches(['"', ' ']));
    let first = lines.by_ref().find(|line| !line.is_empty() && !line.starts_with("sep="));
    let tables = ["weight shape", "operator type"];
    if !first.is_some_and(|line| tables.iter().any(|table| line.starts_with(table))) {
        return Verdict::No;
    }
    let columns = ["operator name", "input tensor name", "operator latency (ms)"];
    if columns.iter().all(|column| head.contains(column)) {
        return Verdict::Yes;
    }
    head.otherwise()
}

fn read(sources: Vec<Source>, options: &Options) -> Result<Vec<Launch>, ImportError> {
    let mut traces = Vec::new();
    let mut profiles = Vec::new();
    for mut source in sources {
        let start = source.head(64)?;
        let first = Head { bytes: start, is_all: true }.text().first().copied();
        match first {
            Some(b'{' | b'[') => traces.push(trace::read(source, options)?),
            _ => profiles.push(profile::read(source)?),
        }
    }
    let mut launches = join::join(traces, profiles);
    for (launch, number) in launches.iter_mut().zip(0..) {
        launch.run.launch = number;
    }
    Ok(launches)
}
