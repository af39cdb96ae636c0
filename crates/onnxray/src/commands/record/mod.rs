//! `onnxray record`: run a model, instrumented, and write a recording.

pub(super) mod costs;
mod cuts;
mod empty;
mod instances;
mod interleaved;
mod launch;
mod messages;
pub(super) mod processes;
mod project;
mod sensitivity;
mod whole;

pub(super) use launch::name_model;
pub(crate) use launch::run_described;

use super::sources::label::folder_label;
use crate::args::{Arguments, RecordArguments, Recordings};
use crate::commands::signals::Stop;
use crate::commands::{find_models, first_screen, has_losses};
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::print;
use crate::study_host::Program;
use messages::{
    examine, hint_of_engine, say_files, show, tell_interrupted, tell_kept, tell_place, word,
};
use onnxray_recorder::engine::{EngineSpec, Engines};
use onnxray_recorder::{Folders, LaunchSpec, Launches, ProcessSpec, Schedule, Turns, cpu_limit};
use onnxray_report::RecordingReport;
use onnxray_study::xray::refine;
use onnxray_text::{counted, shown};
use processes::start;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

pub(crate) fn run(arguments: RecordArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let mut recordings =
        arguments.recordings().unwrap_or_else(|message| Arguments::refuse(&message));
    let chosen: Vec<&EngineSpec> = recordings.specs.iter().map(|spec| &spec.engine).collect();
    // It may begin the program anew: nothing has been done yet that would be done twice.
    without_telemetry(&chosen)?;
    let side_by_side = instances::cores(&arguments)?;
    match (side_by_side.as_deref(), &arguments.pin) {
        (Some([only]), _) => {
            recordings.specs.iter_mut().for_each(|spec| spec.options.pin.clone_from(only));
        }
        (None, Some(pin)) => {
            // The same for both, which may run in one process.
            let threads = recordings.specs.iter().map(|spec| spec.options.threads).max();
            let cores = pin.cores(threads.unwrap_or(arguments.threads()))?;
            recordings.specs.iter_mut().for_each(|spec| spec.options.pin.clone_from(&cores));
        }
        // With --pin, too few cores are an error, and not a note.
        (None, None) => warn_of_threads(&recordings.specs),
        _ => {}
    }
    let specs = &recordings.specs;
    let report =
        Destination::file(arguments.files(), arguments.force, arguments.report.as_deref())?;
    if let Some(project) = &arguments.profiles {
        project::check(project, &arguments)?;
    }
    // Set for a `Session` (docs/guide.md), it has no effect here.
    if arguments.instances == 1 && std::env::var_os("INST_NUM").is_some() {
        message::note("INST_NUM is for programs of one's own; record takes --instances");
    }
    find_models(recordings.specs.iter().map(|spec| Path::new(&spec.model)))?;
    let stop = Stop::on_signals()?;
    // Dropped at the end, it removes the folders that it made and nothing was written to.
    let _folders = Folders::prepare(specs.iter().map(|spec| Path::new(&spec.options.folder)))?;
    let Recordings { specs, schedule, .. } = &mut recordings;
    if let Some(xray) = &arguments.xray {
        let program = Program::with(stop.clone())?;
        refine(specs, schedule, &cuts::asked(xray)?, &program.host(engines.clock()))?;
    }
    match recordings.specs.len() {
        1 => one_model(recordings, side_by_side, &arguments, &report, engines, &stop),
        _ => {
            let ended = interleaved::run(recordings, &report, engines, &stop)?;
            if !matches!(ended, Ended::Interrupted) {
                let was_chosen = arguments.engine.engine.is_some();
                hint_of_engine(was_chosen || arguments.against.against_engine.is_some());
            }
            Ok(ended)
        }
    }
}

/// Notes that there are more threads than cores, or than a container leaves time for.
fn warn_of_threads(specs: &[LaunchSpec]) {
    let threads = specs.iter().map(|spec| spec.options.threads).max().unwrap_or(1);
    if let Some(limit) = cpu_limit().filter(|&limit| f64::from(threads) > limit) {
        message::warning(format_args!(
            "this container may use {limit} CPUs, fewer than there are threads: it is stopped whenever they \
             have used up their share of a period{}",
            if threads > 1 { "; --threads 1 is stopped less" } else { "" }
        ));
        return;
    }
    let Ok(cores) = available_parallelism() else { return };
    if threads as usize > cores.get() {
        message::note(format_args!(
            "{threads} threads wait for each other on {}",
            counted(cores.get() as u64, "core", "cores")
        ));
    }
}

/// Records one model in one or several launches, and measures its sensitivity if asked to.
fn one_model(
    mut recordings: Recordings,
    side_by_side: Option<Vec<Vec<u32>>>,
    arguments: &RecordArguments,
    report: &Destination,
    engines: &dyn Engines,
    stop: &Stop,
) -> anyhow::Result<Ended> {
    let ends = costs::before_launches(&mut recordings, engines, stop)?;
    let spec = &recordings.specs[0];
    let layers = sensitivity::request(arguments, spec)?;
    let recorded = launches(spec, recordings.schedule, side_by_side, engines, &ends);
    let (files, ended) = recorded.inspect_err(|_| {
        if let Some(project) = &arguments.profiles {
            project::add_unmeasured(project, spec);
        }
    })?;
    let ended = stop.outcome(ended);
    if matches!(ended, Ended::Interrupted) {
        tell_interrupted(!files.is_empty());
    }
    let failed = matches!(ended, Ended::Told);
    // Of several, others may have come to their end.
    if files.is_empty() || failed && spec.options.instances == 1 {
        say_files(&files)?;
        return Ok(ended);
    }
    let (recording, details) = match examine(spec, &files) {
        Ok(figures) => figures,
        Err(error) => {
            let said = say_files(&files);
            // Nothing to tell yet is not a failure of a run that ended early.
            if failed || matches!(ended, Ended::Interrupted) {
                message::note(error);
                return said.map(|()| ended);
            }
            return Err(error);
        }
    };
    // A sensitivity profile is one line more.
    let check = first_screen::checked(&recording);
    show(&recording, check.as_ref(), &files, BELOW + usize::from(layers.is_some()));
    message::line("");
    tell_place("Recording: ", &files);
    // The report is written, whoever reads the names of the files.
    let said = say_files(&files);
    let summary = &recording.summary;
    // After an interruption, nothing more is begun.
    let layers = layers.as_ref().filter(|_| !matches!(ended, Ended::Interrupted));
    let measured = layers
        .map(|layers| sensitivity::run(layers, arguments, spec, &files, engines.clock(), stop));
    // The recording's own report is written all the same.
    let (measured, failed) = match measured.transpose() {
        Ok(measured) => (measured, None),
        Err(error) => (None, Some(error)),
    };
    let is_interrupted = matches!(measured, Some(None));
    let measured = measured.flatten();
    if let Some(measured) = &measured {
        message::line(format_args!("Sensitivity: {}", shown(&measured.file)));
        print::say(measured.file.display())?;
    }
    if let Some(project) = &arguments.profiles {
        project::add(project, arguments, summary, &files)?;
    }
    match report.report_file() {
        Some(path) => {
            report.check_rows(&[summary])?;
            let name = &folder_label(Path::new(&spec.options.folder));
            let (details, planned, profile) = (&details, None, None);
            let told = measured.as_ref().map(|measured| measured.told(&files));
            let sensitivity = told.as_ref();
            report.write(&RecordingReport {
                name,
                summary,
                details,
                planned,
                profile,
                check: check.as_ref(),
                sensitivity,
            })?;
            print::say(path.display())?;
        }
        None if measured.is_some() => {}
        None => message::hint(match &arguments.profiles {
            Some(project) => format!("onnxray profiles {}", message::quoted(project)),
            None => format!("onnxray report {} -o report.html", word(&files)),
        }),
    }
    if let Some(measured) = &measured {
        message::hint(measured.next(&files));
    }
    hint_of_engine(arguments.engine.engine.is_some());
    said?;
    match (failed, measured) {
        (Some(error), _) => Err(error),
        (None, _) if is_interrupted => Ok(Ended::Interrupted),
        (None, Some(measured)) if matches!(ended, Ended::Done) => Ok(measured.ended),
        (None, _) => Ok(ended),
    }
    .map(|ended| ended.with_losses(has_losses(summary)))
}

/// Lines of the recording and its hints, beyond those that hints take in a first screen.
const BELOW: usize = 2;

/// Runs the launches of one model: their traces, and how they ended.
fn launches(
    spec: &LaunchSpec,
    schedule: Schedule,
    side_by_side: Option<Vec<Vec<u32>>>,
    engines: &dyn Engines,
    stop: &Stop,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    let specs = vec![spec.clone()];
    match (spec.options.launches, side_by_side) {
        (_, Some(cores)) if cores.len() > 1 => instances::run(spec, schedule, cores, stop),
        // An engine that is ours needs no process of its own; another may end the one it is in, and
        // blocks have another memory.
        (Some(1), _) if !spec.engine.capabilities().is_foreign && spec.options.blocks.is_none() => {
            launch::run(&ProcessSpec { launches: specs, schedule }, engines, stop)
        }
        _ => {
            let launches = Launches::plan(specs, schedule, Turns::Launches)?;
            let ended = start(&launches, stop.asked(), |_| false);
            let files = launches.traces().concat();
            let ended = ended.inspect_err(|_| tell_kept(&files))?;
            Ok((files, ended))
        }
    }
}
