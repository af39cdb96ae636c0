//! ONNX Runtime's profiles, of every version from 0.4 to 1.31.
//!
//! An array of events, one per line, in the order of their ends. `model_run`
//! marks an iteration; `SequentialExecutor::Execute` does not, because the
//! bodies of Loop, If and Scan have one each. Nodes of bodies lie inside the
//! event of the node that holds them, on the same thread. What nodes launched on devices is in
//! events of its own, see [`devices`].
//!
//! What an application profiles are not always iterations of one kind: sessions are launches,
//! the prompt and the steps of a generation its phases, and runs that failed are set aside.

mod bodies;
mod devices;
mod ended;
mod generation;
mod numbered;
mod operators;
mod outside;
mod profile;
mod sessions;

use crate::chrome::{
    EventTrace, IterationMark, Label, Mark, Options, Seen, Sign, assemble, end_with_the_next,
    read_events,
};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict, several};
use crate::source::Source;
use crate::{ImportError, Launch};
use generation::Sizes;
use onnxray_format::{Nanoseconds, ONNX_RUNTIME, Run, Warning};
use onnxray_text::counted;
use profile::{EXECUTOR, FENCES, MODEL_RUN, OF_NODES, OF_PROVIDERS, Profile, fact, is_node};
use sessions::Session;
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
    read: |sources, options| {
        several(sources, options, |source, options| read(source, options, true))
    },
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

/// Reads all runs of a profile as those of one session, whatever they ran: for those who know
/// what each run is.
///
/// # Errors
///
/// If it is not a profile.
pub fn read_every_run(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let launch = read(source, options, false)?.pop().unwrap_or_default();
    Ok(Launch { format: IMPORTER.format, ..launch })
}

/// Reads a profile: a launch for each session, if what is not alike is to be told apart.
fn read(source: Source, options: &Options, apart: bool) -> Result<Vec<Launch>, ImportError> {
    let mut trace = read_events::<Profile>(source, options)?;
    trace.count_lacking(&OF_NODES, |label| is_node(label).then(String::new));
    let provider = |label: &Label| label.fact_text(fact::PROVIDER).filter(|_| is_node(label));
    trace.count_lacking(&OF_PROVIDERS, provider);
    let mut warnings = trace.damage.warnings(&trace.file, "events");
    devices::find(&mut trace);
    warnings.extend(left_out(&trace, &trace.file));
    warnings.extend(end_with_the_next(&mut trace));
    let (run, runs) = (run(&trace), runs(&trace));
    // Nodes that another thread than their run's executes, in parallel mode, are
    // found by time. Each label counts as an operator for now.
    let labels: Vec<Option<u32>> = trace
        .labels
        .iter()
        .zip(0..)
        .map(|(label, number)| is_node(label).then_some(number))
        .chain((trace.labels.len() as u32..).zip(&trace.launched).map(|(number, _)| Some(number)))
        .collect();
    let assembled = assemble(&mut trace, &labels, runs, 0);
    warnings.extend(assembled.notes(&trace.file, "whole run", "runs"));
    if trace.marks.iter().all(|mark| !named(&trace, mark, MODEL_RUN)) {
        let message = "no run is in it: a session writes one for each call of Run";
        warnings.push(Warning::note(&trace.file, message));
    }
    if let Some(message) = outside::note(&trace) {
        warnings.push(Warning::note(&trace.file, message));
    }
    // Where it cannot be told what was lost, neither can be told which run lacks what.
    let is_whole = assembled.ambiguous == 0 && !trace.damage.lacks_records();
    let sessions = match apart {
        true => sessions::apart(&trace, assembled),
        false => sessions::together(&trace, assembled),
    };
    if let Some(message) = sessions.message() {
        warnings.push(Warning::note(&trace.file, message));
    }
    let launches = sessions.apart.into_iter().map(|session| {
        let mut launch = launch(&trace, session, &run, apart);
        if apart && is_whole {
            ended::set_aside(&mut launch);
        }
        launch
    });
    let mut launches: Vec<Launch> = launches.collect();
    if let Some(first) = launches.first_mut() {
        first.warnings.splice(0..0, warnings);
        first.ignored.extend(trace.left_out(&[FENCES]));
    }
    Ok(launches)
}

fn launch(trace: &EventTrace, session: Session, run: &Run, apart: bool) -> Launch {
    let Session { mut assembled, load_time } = session;
    let file = &trace.file;
    let mut warnings = Vec::new();
    let sizes = apart.then(|| Sizes::of(trace, &assembled));
    let steps = sizes.as_ref().and_then(Sizes::steps);
    let several = sizes.as_ref().filter(|_| steps.is_none()).and_then(Sizes::populations);
    for (iteration, step) in assembled.iterations.iter_mut().zip(steps.unwrap_or_default()) {
        iteration.step = Some(step);
    }
    let mut numbered = numbered::number(trace, &mut assembled);
    if let Some(first) = numbered.unreadable.first() {
        let count = numbered.unreadable.len() as u64;
        let message = format!(
            "the shapes of {} could not be understood; the first: {first:?}",
            counted(count, "operator", "operators")
        );
        warnings.push(Warning { loss: true, ..Warning::note(file, message) });
    }
    if numbered.reshaped > 0 {
        let message = format!(
            "{} with several shapes; the first ones are shown",
            counted(numbered.reshaped as u64, "operator ran", "operators ran")
        );
        warnings.push(Warning::note(file, message));
    }
    warnings.extend(several.map(|message| Warning::note(file, message)));
    let order = bodies::place(&mut numbered.operators, &mut assembled.events);
    operators::tell_apart(&mut numbered.operators, &order);
    Launch {
        files: vec![file.clone()],
        run: Run { load_time, ..run.clone() },
        operators: numbered.operators,
        warnings,
        ..assembled.into()
    }
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
    let process = trace.threads.first().and_then(|thread| thread.process.parse().ok());
    Run {
        engine: ONNX_RUNTIME.to_string(),
        producer: ONNX_RUNTIME.to_string(),
        clock_resolution: Some(RESOLUTION),
        process: process.unwrap_or_default(),
        ..Run::default()
    }
}
