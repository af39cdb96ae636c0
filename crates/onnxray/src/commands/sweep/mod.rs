//! `onnxray sweep`: many configurations of models, measured in turns.

mod plan;
mod results;
mod watch;

use super::record::processes;
use super::signals::Stop;
use crate::args::{Arguments, SweepArguments};
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use anyhow::{anyhow, bail};
use onnxray_analyzer::profiles::Project;
use onnxray_format::shown;
use onnxray_recorder::{Folders, Sweep, SweepJournal};
use results::Results;
use std::fs;
use std::path::Path;
use watch::Watch;

pub(crate) fn run(arguments: SweepArguments) -> anyhow::Result<Ended> {
    let axes = arguments.axes.axes().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&axes.engines.iter().map(|(_, engine)| engine).collect::<Vec<_>>())?;
    let folder = arguments.project();
    let outputs = OutputFiles::new(arguments.models.iter().cloned(), arguments.force);
    let output = Destination::of(&arguments.output, arguments.shown.format, &outputs)?;
    if arguments.models.is_empty() {
        let journal = SweepJournal::open(&folder)?;
        let Some(sweep) = Sweep::resume(journal) else {
            bail!("{} holds no sweep", shown(&folder));
        };
        let results = Results::read(&folder, &sweep, &[])?;
        results.write(&output, &outputs, &arguments)?;
        return Ok(Ended::Done);
    }
    let stop = Stop::on_signals()?;
    let mut made = Vec::new();
    let mut sweep = begin(&folder, &arguments, &axes, &stop, &mut made)?;
    let mut watch = Watch::new(&sweep, &arguments)?;
    let command = processes::launch_command()?;
    let quiet = || {
        let mut command = command();
        command.arg("--quiet");
        command
    };
    let ended = sweep.run(quiet, stop.asked(), &mut watch);
    let failures = watch.end();
    // What is measured is kept, however it ended.
    let results = Results::read(&folder, &sweep, &failures)?;
    results.keep(&folder)?;
    let interrupted = ended?;
    results.write(&output, &outputs, &arguments)?;
    if interrupted {
        message::line("interrupted; the same command goes on with what is left");
        return Ok(Ended::Interrupted);
    }
    match failures.is_empty() {
        true => Ok(Ended::Done),
        false => Ok(Ended::Told),
    }
}

/// The sweep that was asked for: a new one, or what there is of it.
fn begin(
    folder: &Path,
    arguments: &SweepArguments,
    axes: &crate::args::Axes,
    stop: &Stop,
    made: &mut Vec<Folders>,
) -> anyhow::Result<Sweep> {
    let request = plan::request(arguments, axes)?;
    fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))?;
    let mut journal = SweepJournal::open(folder)?;
    match journal.plan() {
        Some(known) if known.request == request.text && !arguments.force.force => {
            let points = known.points.iter();
            let folders = points.map(|point| Path::new(&point.spec.options.folder));
            made.push(Folders::prepare(folders)?);
            if let Some(sweep) = Sweep::resume(journal) {
                return Ok(sweep);
            }
            bail!("{} holds no sweep", shown(folder));
        }
        Some(_) if !arguments.force.force => bail!(
            "{} holds a sweep of other configurations, or of models that have changed\n\
             hint: choose another folder with --project, or begin anew with --force",
            shown(folder)
        ),
        Some(_) => journal.clear()?,
        None => {}
    }
    let project = Project::open_or_new(folder)?;
    project.check_whole()?;
    let plan = plan::plan(folder, arguments, axes, &request, stop)?;
    for point in &plan.points {
        let model = request.model_of(point);
        let name = model.map_or("", |model| model.name.as_str());
        let hash = model.map(|model| model.sha256.as_str());
        project.check_new(&point.name, name, hash, arguments.force.force)?;
    }
    let folders = plan.points.iter().map(|point| Path::new(&point.spec.options.folder));
    made.push(Folders::prepare(folders)?);
    Ok(Sweep::begin(journal, plan)?)
}
