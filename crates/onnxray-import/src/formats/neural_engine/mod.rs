//! Profiles of Intel's Neural Engine (`ENGINE_PROFILING`): a CSV and a trace of
//! the same run, together or one of them. onnxray's own CSV has nearly the same
//! layout and reads as well.

mod join;
mod profile;
mod row;
mod tensors;
mod trace;
mod weight;

use crate::chrome::{Options, Sign};
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
        contains: "executions, iterations, types, shapes, post-ops (trace); latencies, weights, sparsities (CSV)",
    },
    detect,
    read,
};

fn detect(head: Head<'_>) -> Verdict {
    match head.text().first() {
        Some(b'{' | b'[') => head.is_trace(|outline| {
            outline.any(|event| event.has(Sign::ReshapeTime) && event.has(Sign::TensorNames))
        }),
        _ => detect_csv(head),
    }
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
        let first = Head::new(start, true).text().first().copied();
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
