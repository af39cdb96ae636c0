//! `onnxray sweep`: many configurations of models, measured in turns.

mod plan;
mod results;
mod watch;

use crate::args::{Arguments, Axes, Format, SweepArguments};
use crate::commands::record::processes;
use crate::commands::signals::Stop;
use crate::commands::studies::journal::begun;
use crate::commands::studies::own_report::is_own;
use crate::destination::Destination;
use crate::engine_process::{without_telemetry, worker};
use crate::exit::Ended;
use crate::message;
use crate::output_files::make_folder;
use anyhow::{anyhow, bail};
use onnxray_analyzer::profiles::Project;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::{Sweep, SweepCommands, SweepJournal};
use onnxray_text::{counted, shown};
use plan::Request;
use results::Results;
use std::path::Path;
use watch::Watch;

pub(crate) fn run(arguments: SweepArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let axes = arguments.axes.axes().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&axes.engines.iter().collect::<Vec<_>>())?;
    let costs = arguments.costs.plan().unwrap_or_else(|message| Arguments::refuse(&message));
    let folder = arguments.profiles();
    if arguments.shown.format == Format::Csv && arguments.report.output.is_none() {
        Arguments::refuse("--format csv writes several tables: name a folder for them with -o");
    }
    let models = arguments.models.iter().cloned();
    let report = &arguments.report;
    let (to, is_own) = (&report.output, |path: &Path| is_own(&folder, path));
    let output = Destination::continued(models, report.force, to, &arguments.shown, is_own)?;
    output.check_columns("sweep")?;
    if arguments.models.is_empty() {
        let Some(sweep) = SweepJournal::look(&folder)?.and_then(Sweep::look) else {
            let folder = message::quoted(&folder);
            bail!(
                "{folder} holds no sweep\n\
                 hint: onnxray sweep MODEL.onnx --profiles {folder} begins one"
            );
        };
        if sweep.damaged() > 0 {
            message::warning(format_args!(
                "{}: {} of the sweep's journal cannot be read: rounds may be missing; the command \
                 that measured them finds those whose files are whole",
                shown(&folder),
                counted(sweep.damaged(), "line", "lines")
            ));
        }
        Results::read(&folder, &sweep)?.write(&folder, &output, &arguments)?;
        return Ok(Ended::Done);
    }
    // The time limit is of the command, and trying configurations out takes time as well.
    let started = engines.clock().now();
    let stop = Stop::on_signals()?;
    let request = plan::request(&arguments, &axes)?;
    let begun = begun(&folder, || begin(&folder, &arguments, &axes, &request, &stop));
    let Some(mut sweep) = begun? else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    let mut watch = Watch::new(&sweep, (&arguments, costs), engines.clock(), started);
    let (command, worker) = (processes::launch_command()?, worker()?);
    // What launches say would run into the progress of the sweep.
    let quiet = || {
        let mut command = command();
        command.arg("--quiet");
        command
    };
    let commands = SweepCommands { launch: &quiet, worker: &worker };
    let ended = sweep.run(&commands, stop.asked(), &mut watch);
    if matches!(ended, Ok(false)) {
        watch.tell();
    }
    let failed = watch.end();
    // What is measured is kept, however it ended.
    let results = Results::read(&folder, &sweep)?;
    results.keep(&folder, arguments.run.restart)?;
    let interrupted = ended?;
    results.write(&folder, &output, &arguments)?;
    if interrupted {
        message::line("interrupted; the same command goes on with what is left");
        return Ok(Ended::Interrupted);
    }
    Ok(Ended::Done.with_losses(failed || results.lost))
}

/// Begins a sweep, or resumes the one in the folder; `None` if interrupted before anything was
/// planned.
fn begin(
    folder: &Path,
    arguments: &SweepArguments,
    axes: &Axes,
    request: &Request,
    stop: &Stop,
) -> anyhow::Result<Option<Sweep>> {
    make_folder(folder)?;
    let project = Project::open_or_new(folder)?;
    project.check_whole()?;
    let journal = match arguments.run.restart {
        true => SweepJournal::anew(folder)?,
        false => SweepJournal::open(folder)?,
    };
    match journal.plan() {
        Some(known) if known.request == request.text => {
            let plan = plan::again(known, arguments, axes, request)
                .map_err(|reason| anyhow!("{}: {reason}", shown(folder)))?;
            return Ok(Some(Sweep::resume(journal, plan)?));
        }
        Some(_) => bail!(
            "{} holds a sweep of other configurations, or of models that have changed\n\
             hint: choose another folder with --profiles; --restart begins a new one in its place, \
             if the models are the same",
            shown(folder)
        ),
        None => {}
    }
    let Some(plan) = plan::plan(arguments, axes, request, stop)? else { return Ok(None) };
    if plan.points.len() == 1 {
        message::note(
            "a single configuration has nothing to be compared with: vary --threads 1,2, \
             --batch-sizes 1,8 or --instances 1,2",
        );
    }
    // Before anything is measured: a name may belong to another model's profile.
    for point in &plan.points {
        if let Some(model) = request.model_of(&point.spec) {
            let hash = Some(model.sha256.as_str());
            project.check_new(&point.name, &model.name, hash, arguments.run.restart)?;
        }
    }
    Ok(Some(Sweep::begin(journal, plan)?))
}
