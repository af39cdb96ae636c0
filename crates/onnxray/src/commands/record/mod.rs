//! `onnxray record`: run a model, instrumented, and write a recording.

mod interleaved;
mod launch;
mod signals;

pub(crate) use launch::run_described;

use crate::args::{InputArguments, RecordArguments};
use crate::exit::Ended;
use crate::output;
use anyhow::anyhow;
use onnxray_analyzer::Summary;
use onnxray_analyzer::printable;
use onnxray_analyzer::report::write_workbook;
use onnxray_recorder::{Folders, LaunchError, LaunchSpec, Launches};
use signals::stop_on_signals;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

pub(crate) fn run(arguments: RecordArguments) -> anyhow::Result<Ended> {
    let specs = arguments.specs();
    let _folders = Folders::prepare(specs.iter().map(|spec| Path::new(&spec.options.folder)))?;
    if let Some(path) = &arguments.report {
        output::check_workbook(path)?;
    }
    let stop = stop_on_signals()?;
    match specs.as_slice() {
        [first, second] => interleaved::run([first, second], &stop),
        specs => specs.iter().try_fold(Ended::Done, |_, spec| one_model(spec, &arguments, &stop)),
    }
}

/// Records one model in one or several launches.
fn one_model(
    spec: &LaunchSpec,
    arguments: &RecordArguments,
    stop: &AtomicBool,
) -> anyhow::Result<Ended> {
    let (files, ended) = match spec.options.launches {
        1 => launch::run(spec, stop)?,
        _ => {
            let launches = Launches::plan(vec![spec.clone()])?;
            let ended = start(&launches, stop)?;
            (launches.traces().concat(), ended)
        }
    };
    for file in &files {
        output::say(file.display())?;
    }
    if matches!(ended, Ended::Interrupted) {
        eprintln!("interrupted; what was recorded until then is kept");
    }
    if files.is_empty() {
        return Ok(ended);
    }
    let summary = match tell(spec, &files) {
        Ok(summary) => summary,
        // Nothing to tell yet is no failure of an interrupted run.
        Err(error) if matches!(ended, Ended::Interrupted) => {
            eprintln!("note: {error}");
            return Ok(ended);
        }
        Err(error) => return Err(error),
    };
    match &arguments.report {
        Some(path) => {
            write_workbook(&summary, path)?;
            output::say(path.display())?;
        }
        None => eprintln!("hint: onnxray summary {}", spec.options.folder.display()),
    }
    Ok(ended)
}

/// Runs launches in processes of this program.
fn start(launches: &Launches, stop: &AtomicBool) -> anyhow::Result<Ended> {
    let program = std::env::current_exe()
        .map_err(|error| anyhow!("cannot find the program itself: {error}"))?;
    let command = || {
        let mut command = Command::new(&program);
        command.arg("launch");
        command
    };
    match launches.run(command, stop) {
        Ok(interrupted) => Ok(Ended::of_recording(interrupted)),
        Err(error @ LaunchError::Failed { recording, .. }) => {
            Err(anyhow!("{}{error}", label(&launches.specs()[recording])))
        }
        Err(error) => Err(error.into()),
    }
}

/// What messages about a recording begin with; empty where there is no other one.
fn label(spec: &LaunchSpec) -> String {
    let folder = Path::new(&spec.options.folder);
    match folder.file_name().filter(|_| spec.dimensions.for_several) {
        Some(name) => format!("{}: ", printable(&name.to_string_lossy())),
        None => String::new(),
    }
}

/// Prints the most important figures of a recording, and what is doubtful about it.
fn tell(spec: &LaunchSpec, files: &[PathBuf]) -> anyhow::Result<Summary> {
    let summary = super::analyze(&InputArguments::files(files))?;
    let label = label(spec);
    let overhead = summary
        .model
        .recording_overhead
        .map_or("unknown".to_string(), |overhead| format!("{:+.1} %", overhead * 100.0));
    if let Some(latency) = &summary.model.latency {
        let launches = match files.len() {
            1 => "1 launch".to_string(),
            several => format!("{several} launches"),
        };
        eprintln!(
            "{label}{} iterations in {launches}, median {:.3} ms, p90 {:.3} ms; overhead of recording {overhead}",
            latency.count, latency.median.0, latency.p90.0,
        );
    }
    for doubt in &summary.doubts {
        eprintln!("note: {label}{}", printable(doubt));
    }
    Ok(summary)
}
