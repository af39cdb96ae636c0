//! `onnxray sweep`: many configurations of models, measured in turns.

mod plan;
mod results;
mod watch;

use super::record::processes;
use super::signals::Stop;
use crate::args::{Arguments, Axes, SweepArguments};
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use anyhow::{anyhow, bail};
use onnxray_analyzer::profiles::Project;
use onnxray_format::shown;
use onnxray_recorder::{Folders, Sweep, SweepJournal, SweepPlan};
use plan::Request;
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
        let journal = SweepJournal::is_in(&folder).then(|| SweepJournal::open(&folder));
        let Some(sweep) = journal.transpose()?.and_then(Sweep::resume) else {
            bail!("{} holds no sweep", shown(&folder));
        };
        let results = Results::read(&folder, &sweep, &[])?;
        results.write(&output, &outputs, &arguments)?;
        return Ok(Ended::Done);
    }
    let stop = Stop::on_signals()?;
    let request = plan::request(&arguments, &axes)?;
    let Some((mut sweep, _folders)) = begin(&folder, &arguments, &axes, &request, &stop)? else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
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

/// The sweep that was asked for: a new one, or what there is of it; and the folders of its
/// points. `None` if it was interrupted before there was anything.
fn begin(
    folder: &Path,
    arguments: &SweepArguments,
    axes: &Axes,
    request: &Request,
    stop: &Stop,
) -> anyhow::Result<Option<(Sweep, Folders)>> {
    let force = arguments.force.force;
    fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))?;
    let journal = match force {
        true => SweepJournal::anew(folder)?,
        false => SweepJournal::open(folder)?,
    };
    match journal.plan() {
        Some(known) if known.request == request.text => {
            let folders = prepare(known)?;
            return Ok(Sweep::resume(journal).map(|sweep| (sweep, folders)));
        }
        Some(_) => bail!(
            "{} holds a sweep of other configurations, or of models that have changed\n\
             hint: choose another folder with --project, or begin anew with --force",
            shown(folder)
        ),
        None => {}
    }
    let project = Project::open_or_new(folder)?;
    project.check_whole()?;
    let Some(plan) = plan::plan(folder, arguments, axes, request, stop)? else { return Ok(None) };
    for point in &plan.points {
        if let Some(model) = request.model_of(point) {
            project.check_new(&point.name, &model.name, Some(&model.sha256), force)?;
        }
    }
    let folders = prepare(&plan)?;
    Ok(Some((Sweep::begin(journal, plan)?, folders)))
}

fn prepare(plan: &SweepPlan) -> anyhow::Result<Folders> {
    let points = plan.points.iter();
    Ok(Folders::prepare(points.map(|point| Path::new(&point.spec.options.folder)))?)
}
