//! ONNX Runtime's profiles, of every version from 0.4 to 1.31.
//!
//! An array of events, one per line, in the order of their ends. `model_run`
//! marks an iteration; `SequentialExecutor::Execute` does not, because the
//! bodies of Loop, If and Scan have one each. Nodes of bodies lie inside the
//! event of the node that holds them, on the same thread. What nodes launched on devices is in
//! events of its own, see [`devices`].

mod bodies;
mod devices;
mod operators;
mod profile;

use crate::chrome::{
    EventTrace, IterationMark, Label, Mark, Options, Seen, Sign, assemble, end_with_the_next,
    read_events,
};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict, each};
use crate::source::Source;
use crate::{ImportError, Launch};
use onnxray_format::{Nanoseconds, ONNX_RUNTIME, Run, Warning, counted};
use profile::{
    EXECUTOR, EXECUTORS, FENCES, MODEL_RUN, OF_NODES, OF_PROVIDERS, Profile,
    SESSION_INITIALIZATION, fact, is_node,
};
use std::path::Path;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "onnxruntime",
        title: ONNX_RUNTIME,
        files: "profiles (JSON) that SessionOptions.enable_profiling writes, versions 0.4 to 1.31",
        contains: "executions, iterations, shapes, threads, memory",
    },
    detect,
    read: |sources, options| each(sources, options, read),
};

fn detect(head: Head<'_>) -> Verdict {
    head.is_trace(|outline| outline.any(is_of_runtime))
}

fn is_of_runtime(event: &Seen) -> bool {
    match (event.category(), event.name()) {
        (b"Session", name) => profile::is_looked_at(name) || name.ends_with(EXECUTOR),
        (b"Node", name) => event.has(Sign::OperatorName) || name.ends_with(b"_kernel_time"),
        _ => false,
    }
}

/// The runtime stops recording at this many events.
const EVENT_CAP: u64 = 1_000_000;

/// Times are whole microseconds.
const RESOLUTION: Nanoseconds = Nanoseconds(1000);

fn read(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let mut trace = read_events::<Profile>(source, options)?;
    trace.count_lacking(&OF_NODES, |label| is_node(label).then(String::new));
    let provider = |label: &Label| label.fact_text(fact::PROVIDER).filter(|_| is_node(label));
    trace.count_lacking(&OF_PROVIDERS, provider);
    let file = trace.file.clone();
    let mut warnings = trace.losses.warnings(&file, "events");
    let run = run(&trace);
    let runs = runs(&trace);
    let mut named = operators::operators(&trace);
    devices::find(&mut trace, &mut named);
    warnings.extend(left_out(&trace, &file));
    warnings.extend(end_with_the_next(&mut trace));
    // Nodes that another thread than their run's executes, in parallel mode, are
    // found by time.
    let mut assembled = assemble(&mut trace, &named.of_label, runs, 0);
    if let Some(first) = named.unreadable.first() {
        let count = named.unreadable.len() as u64;
        let message = format!(
            "the shapes of {} could not be understood; the first: {first:?}",
            counted(count, "operator", "operators")
        );
        warnings.push(Warning { loss: true, ..Warning::note(&file, message) });
    }
    if named.reshaped > 0 {
        let message = format!(
            "{} with several shapes; the first ones are shown",
            counted(named.reshaped as u64, "operator ran", "operators ran")
        );
        warnings.push(Warning::note(&file, message));
    }
    warnings.extend(assembled.notes(&file, "whole run", "runs"));
    let order = bodies::place(&mut named.operators, &mut assembled.events);
    operators::tell_apart(&mut named.operators, &order);
    Ok(Launch { files: vec![file], run, operators: named.operators, warnings, ..assembled.into() })
}

/// What the runtime or this reader leaves out of a profile that is whole.
fn left_out(trace: &EventTrace, file: &Path) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let read: u64 = trace.chunks.iter().map(|rows| rows.label.len() as u64).sum::<u64>()
        + trace.marks.len() as u64
        + trace.ignored.values().sum::<u64>();
    if read >= EVENT_CAP {
        let message = format!(
            "{read} events: the runtime stops recording at {EVENT_CAP}, so what ran later is \
             missing; profile fewer runs"
        );
        warnings.push(Warning { loss: true, ..Warning::note(file, message) });
    }
    warnings.extend(trace.left_out(&[EXECUTORS, FENCES]));
    warnings
}

fn named(trace: &EventTrace, mark: &Mark, name: &str) -> bool {
    trace.labels.get(mark.label as usize).is_some_and(|label| label.raw_name() == name.as_bytes())
}

fn runs(trace: &EventTrace) -> Vec<IterationMark> {
    let runs = trace.marks.iter().filter(|mark| named(trace, mark, MODEL_RUN));
    runs.map(|mark| IterationMark::measured(mark, None)).collect()
}

/// What the profile says about the launch. It names neither the version nor the
/// model.
fn run(trace: &EventTrace) -> Run {
    // Loading comes before initialization.
    let loading = || trace.marks.iter().filter(|mark| !named(trace, mark, MODEL_RUN));
    let loaded = loading().any(|mark| named(trace, mark, SESSION_INITIALIZATION));
    let load_time = loading().fold(0u64, |sum, mark| sum.saturating_add(mark.duration));
    let process = trace.threads.first().and_then(|thread| thread.process.parse().ok());
    Run {
        engine: ONNX_RUNTIME.to_string(),
        producer: ONNX_RUNTIME.to_string(),
        load_time: loaded.then_some(Nanoseconds(load_time)),
        clock_resolution: Some(RESOLUTION),
        process: process.unwrap_or_default(),
        ..Run::default()
    }
}
