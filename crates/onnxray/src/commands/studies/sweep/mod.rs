//! `onnxray sweep`: many configurations of models, measured in turns.

mod results;

use crate::args::{Arguments, Format, SweepArguments};
use crate::commands::Stop;
use crate::commands::record::processes;
use crate::commands::studies::own_report::is_own;
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::study_host::Program;
use anyhow::{anyhow, bail};
use onnxray_analyzer::profiles::Project;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::{Sweep, SweepCommands, SweepJournal};
use onnxray_study::Host;
use onnxray_study::journal::{begun, make_folder};
use onnxray_study::sweep::{Goal, Request, Watch, again, plan};
use onnxray_text::{counted, shown};
use results::Results;
use std::path::Path;

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
    let program = Program::on_signals()?;
    let host = program.host(engines.clock());
    let request = Request::new(&arguments.models, axes, arguments.seed, arguments.iterations)?;
    let restart = arguments.run.restart;
    let begun = begun(&folder, || begin(&folder, restart, &request, &program.stop, &host));
    let Some(mut sweep) = begun? else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    let goal = Goal {
        precision: arguments.precision,
        rounds: arguments.rounds,
        costs,
        time_limit: arguments.run.time_limit,
    };
    let mut watch = Watch::new(&sweep, goal, host, started);
    // What launches say would run into the progress of the sweep.
    let quiet = || {
        let mut command = (host.launch)();
        command.arg("--quiet");
        command
    };
    let commands = SweepCommands { launch: &quiet, worker: host.worker };
    let ended = sweep.run(&commands, host.stop, &mut watch);
    if matches!(ended, Ok(false)) {
        watch.tell();
    }
    let failed = watch.end();
    // What is measured is kept, however it ended.
    let results = Results::read(&folder, &sweep)?;
    results.keep(&folder, restart)?;
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
    restart: bool,
    request: &Request,
    stop: &Stop,
    host: &Host,
) -> anyhow::Result<Option<Sweep>> {
    make_folder(folder)?;
    let project = Project::open_or_new(folder)?;
    project.check_whole()?;
    let journal = match restart {
        true => SweepJournal::anew(folder)?,
        false => SweepJournal::open(folder)?,
    };
    match journal.plan() {
        Some(known) if known.request == request.text => {
            let plan =
                again(known, request).map_err(|reason| anyhow!("{}: {reason}", shown(folder)))?;
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
    let Some(plan) = plan(request, &|spec| processes::try_out(spec, stop), host.teller)? else {
        return Ok(None);
    };
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
            project.check_new(&point.name, &model.name, hash, restart)?;
        }
    }
    Ok(Some(Sweep::begin(journal, plan)?))
}
