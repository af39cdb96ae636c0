//! `onnxray record`: run a model, instrumented, and write a recording.

mod folders;
mod interleaved;
mod launch;
mod launches;
mod signals;

use crate::args::{InputArguments, RecordArguments};
use crate::exit::Ended;
use crate::output;
use folders::Folders;
use onnxray_analyzer::Summary;
use onnxray_analyzer::printable;
use onnxray_analyzer::report::write_workbook;
use signals::stop_on_signals;
use std::path::PathBuf;

/// What is recorded, under which name, and where.
struct Recording {
    model: PathBuf,
    profile: String,
    folder: PathBuf,
    /// What messages about it begin with; empty where there is no other one.
    label: String,
}

pub fn run(arguments: RecordArguments) -> anyhow::Result<Ended> {
    match &arguments.against {
        // The process that started this one checks and reports.
        _ if arguments.place.launch.is_some() => {
            let recording = own_recording(&arguments);
            let stop = stop_on_signals()?;
            launch::run(&arguments, &recording, &stop).map(|(_, ended)| ended)
        }
        Some(against) => interleaved::run(&arguments, against),
        None => one_model(&arguments),
    }
}

/// The recording to which this process adds a launch.
fn own_recording(arguments: &RecordArguments) -> Recording {
    if let Some(against) = &arguments.against {
        let [first, second] = interleaved::recordings(arguments, against);
        return if arguments.place.launch_against { second } else { first };
    }
    Recording {
        model: arguments.model.model.clone(),
        profile: arguments.name.clone(),
        folder: arguments.out.clone(),
        label: String::new(),
    }
}

/// Records one model in one or several launches.
fn one_model(arguments: &RecordArguments) -> anyhow::Result<Ended> {
    let recording = own_recording(arguments);
    let _folders = Folders::prepare(&[&recording])?;
    if let Some(path) = &arguments.report {
        output::check_workbook(path)?;
    }
    let stop = stop_on_signals()?;
    let (files, ended) = match arguments.launches {
        1 => launch::run(arguments, &recording, &stop)?,
        _ => launches::run(arguments, &recording, &stop)?,
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
    let summary = match tell(&recording, &files) {
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
        None => eprintln!("hint: onnxray summary {}", recording.folder.display()),
    }
    Ok(ended)
}

/// Prints the most important figures of a recording, and what is doubtful about it.
fn tell(recording: &Recording, files: &[PathBuf]) -> anyhow::Result<Summary> {
    let summary = super::analyze(&InputArguments::files(files))?;
    let label = &recording.label;
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
