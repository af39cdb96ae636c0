//! `onnxray tune`: which changes of the runtime make a model faster, one at a time.

use super::own_report::{is_own, note};
use crate::args::{Arguments, TuneArguments};
use crate::commands::find_models;
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use crate::study_host::Program;
use anyhow::bail;
use onnxray_analyzer::study::{Study, Tuning};
use onnxray_format::{RuntimeChange, TuneRun};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::costs::CostTurns;
use onnxray_recorder::study::tune::{
    Survey, TuneJournal, accuracy_level, candidates, with_accuracy,
};
use onnxray_recorder::study::{Plan, Worker};
use onnxray_report::TuneResult;
use onnxray_study::journal::{begun, journal};
use onnxray_study::tune::{FOLDERS, Tuned, changed_model};
use onnxray_study::{Budget, Host, Outcome, Starts, outcome};
use onnxray_text::{counted, printable, shown};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: TuneArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let base = arguments.base().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&base.engine])?;
    let files = [&arguments.model.model].into_iter().chain(arguments.values.files());
    let report = &arguments.report;
    let (to, force, is_own) =
        (&report.output, report.force, |path: &Path| is_own(&arguments.out, path));
    let output = Destination::continued(files.cloned(), force, to, &arguments.shown, is_own)?;
    output.check_several("-o")?;
    output.check_columns("tune")?;
    if let Some(model) = &arguments.write {
        check_model(model, &output.files)?;
    }
    find_models([Path::new(&base.model)])?;
    let program = Program::on_signals()?;
    let host = program.host(engines.clock());
    let worker = Worker { spec: &base, command: host.worker, stop: host.stop };
    let begun = begun(&arguments.out, || begin(&arguments, &worker, &host, &output.files))?;
    let Some((survey, mut journal)) = begun else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    let turns = CostTurns { pace: arguments.pace(), command: host.worker, stop: host.stop };
    let measuring = Tuned {
        base: &base,
        survey: &survey,
        options: arguments.options(survey.run.has_starts()),
        starts: Starts::new(turns, &base),
        folder: &arguments.out,
        write: &|path, bytes| output.files.write_own(path, bytes),
        written: Default::default(),
    };
    let budget = Budget::new(arguments.run.time_limit, survey.memory);
    let Some(outcome) = outcome(&measuring, &worker, budget, &mut journal, &host)? else {
        return Ok(Ended::Interrupted);
    };
    let Outcome { found: tuning, held_out, verified } = outcome;
    let held_out = held_out.into_iter().next().map(|own| own.distances);
    let verified = verified.into_iter().next();
    let mut result = TuneResult { tuning, held_out, verified, written: None };
    if let Some(path) = &arguments.write {
        result.written = written(&result, &base, path, &output.files)?;
        if result.written.is_none() {
            message::note(
                "--write: nothing was written, since nothing is recommended that changes the model",
            );
        }
    }
    write(result, &arguments, &output)
}

/// Surveys the model and opens the journal; `None` if interrupted.
fn begin(
    arguments: &TuneArguments,
    worker: &Worker<TuneRun>,
    host: &Host,
    outputs: &OutputFiles,
) -> anyhow::Result<Option<(Survey, TuneJournal)>> {
    host.teller.working("checking".to_string());
    let surveyed = worker.survey();
    host.teller.clear();
    let Some(mut survey) = surveyed? else { return Ok(None) };
    survey.run.objectives = arguments.objectives();
    survey.run.rate = arguments.rate();
    survey.run.changes = candidates(&survey, worker.spec, &arguments.kinds(), &arguments.config);
    if survey.run.changes.is_empty() {
        bail!(
            "{}: nothing to try: none of {} of {} {} changes this model",
            shown(&arguments.model.model),
            counted(survey.run.idle_optimizers, "graph optimizer", "graph optimizers"),
            printable(&survey.run.setup.engine),
            printable(&survey.run.setup.engine_version),
        );
    }
    let levels: Vec<u32> =
        survey.run.changes.iter().filter_map(RuntimeChange::accuracy_level).collect();
    if levels.is_empty() && arguments.write.is_some() {
        bail!(
            "{}: has no node MatMulNBits whose accuracy_level could change; leave --write out",
            shown(&arguments.model.model)
        );
    }
    let begun = TuneRun::journal(&arguments.out).is_file();
    for level in levels {
        outputs.check_own(&changed_model(worker.spec, level, &arguments.out), begun)?;
    }
    let journal = journal(&arguments.out, &survey.run, arguments.run.restart)?;
    Ok(Some((survey, journal)))
}

/// Refuses a place for the model that could not be written in the end.
fn check_model(path: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("onnx")) {
        bail!("{}: expected a file name that ends in .onnx", shown(path));
    }
    outputs.check(path)
}

/// Writes the model, if what is recommended changes it; then the name of its file.
fn written(
    result: &TuneResult,
    base: &LaunchSpec,
    path: &Path,
    outputs: &OutputFiles,
) -> anyhow::Result<Option<String>> {
    let Some(level) = accuracy_level(&result.recommended_changes()) else { return Ok(None) };
    let folder = path.parent().unwrap_or(Path::new(""));
    let bytes = with_accuracy(base, level, folder)?;
    outputs.write(path, |file| file.write_all(&bytes))?;
    outputs.written(path);
    Ok(Some(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()))
}

fn write(
    result: TuneResult,
    arguments: &TuneArguments,
    output: &Destination,
) -> anyhow::Result<Ended> {
    let most = arguments.rows.most(arguments.shown.format);
    let delivered = output.deliver(&result, &most);
    note(&arguments.out, &arguments.report.output, &output.files);
    delivered?;
    if accuracy_level(&result.recommended_changes()).is_some() && arguments.write.is_none() {
        message::hint("the same command with --write TUNED.onnx writes the model");
    }
    hint(&result.tuning, result.verified.is_some(), &arguments.out);
    Ok(Ended::Done)
}

/// Suggests the comparison that shows what changed.
fn hint(tuning: &Tuning, is_verified: bool, folder: &Path) {
    let Some(best) = tuning.best.as_ref().filter(|_| is_verified) else { return };
    let changes = tuning.run.named(&best.changes);
    let is_of_threads = |change: &RuntimeChange| matches!(change, RuntimeChange::Threads(_));
    let is_of_model = |change: &RuntimeChange| change.accuracy_level().is_some();
    let is_of_engine = |change: &RuntimeChange| !is_of_threads(change) && !is_of_model(change);
    let fields = [
        // Without these, `compare` would call the recordings not comparable.
        ("model", changes.iter().any(is_of_model)),
        ("engine_options", changes.iter().any(is_of_engine)),
        ("threads", changes.iter().any(is_of_threads)),
    ];
    let fields = fields.into_iter().filter(|(_, differ)| *differ).map(|(field, _)| field);
    let [base, tuned] = FOLDERS.map(|name| message::quoted(&folder.join(name)).to_string());
    message::hint(format_args!(
        "onnxray compare {base} {tuned} --expect-different {} shows what changed",
        fields.collect::<Vec<_>>().join(",")
    ));
}
