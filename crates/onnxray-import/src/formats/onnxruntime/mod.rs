//! ONNX Runtime's profiles, of every version from 0.4 to 1.31.
//!
//! An array of events, one per line, in the order of their ends. `model_run`
//! marks an iteration; `SequentialExecutor::Execute` does not, because the
//! bodies of Loop, If and Scan have one each. Nodes of bodies lie inside the
//! event of the node that holds them, on the same thread. What nodes launched on devices is in
//! events of its own, see [`devices`].
//!
//! Profiles of single runs are the iterations of one launch, see [`runs`].
//!
//! What an application profiles are not always iterations of one kind: sessions are launches,
//! the prompt and the steps of a generation its phases, and runs that failed are set aside.

mod bodies;
mod devices;
mod ended;
mod generation;
mod launchers;
mod numbered;
mod opened;
mod operators;
mod outside;
mod profile;
mod run_names;
mod runs;
mod sessions;

use crate::chrome::{
    EventTrace, IterationMark, Options, Seen, Sign, assemble, end_with_the_next, relabel,
};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict};
use crate::source::Source;
use crate::{ImportError, Launch};
use generation::Sizes;
use onnxray_format::{Nanoseconds, ONNX_RUNTIME, Run, Warning};
use onnxray_text::counted;
use opened::{Opened, named, open};
use profile::{EXECUTOR, FENCES, MODEL_RUN, is_node};
use sessions::Session;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "onnxruntime",
        title: ONNX_RUNTIME,
        files: "profiles (JSON) that SessionOptions.enable_profiling writes, versions 0.4 to 1.31",
        contains: "executions, iterations, shapes, threads, memory",
    },
    detect,
    read,
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

/// Times are whole microseconds.
const RESOLUTION: Nanoseconds = Nanoseconds(1000);

/// Reads all runs of a profile as those of one session, whatever they ran: for those who know
/// what each run is.
///
/// # Errors
///
/// If it is not a profile.
pub fn read_every_run(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let launch = launches(open(source, options)?, false).pop().unwrap_or_default();
    Ok(Launch { format: IMPORTER.format, ..launch })
}

/// Reads profiles: a launch for each session, whose runs may be in a file each.
fn read(sources: Vec<Source>, options: &Options) -> Result<Vec<Launch>, ImportError> {
    let mut read: Vec<(usize, Vec<Launch>)> = Vec::new();
    let mut of_one_run = Vec::new();
    for (place, source) in sources.into_iter().enumerate() {
        let opened = open(source, options)?;
        match runs::OfRun::of(opened, place) {
            Ok(run) => of_one_run.push(run),
            Err(whole) => read.push((place, launches(*whole, true))),
        }
    }
    read.extend(
        runs::join(of_one_run).into_iter().map(|(place, one)| (place, launches(one, true))),
    );
    read.sort_by_key(|&(place, _)| place);
    let mut launches: Vec<Launch> = read.into_iter().flat_map(|(_, launches)| launches).collect();
    (0..).zip(&mut launches).for_each(|(number, launch)| launch.run.launch = number);
    Ok(launches)
}

/// A launch for each session, if what is not alike is to be told apart.
fn launches(opened: Opened, apart: bool) -> Vec<Launch> {
    let Opened { mut trace, files, mut warnings } = opened;
    let work = std::mem::take(&mut trace.work);
    relabel(&mut trace, work);
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
        launch.files.clone_from(&files);
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
    launches
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
        run: Run { load_time, ..run.clone() },
        operators: numbered.operators,
        warnings,
        ..assembled.into()
    }
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
