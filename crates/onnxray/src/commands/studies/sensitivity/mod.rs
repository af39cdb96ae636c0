//! `onnxray sensitivity`: what pruning costs a model's outputs and gains in time, layer by layer.

mod plan;
pub(in crate::commands) mod profile;

use crate::args::{Arguments, ForceArguments, SensitivityArguments};
use crate::commands::find_models;
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::output_files::OutputFiles;
use crate::study_host::Program;
use onnxray_analyzer::projection::predicted_sensitivity;
use onnxray_format::{LossProfile, LossRun};
use onnxray_recorder::engine::{EngineSpec, Engines};
use onnxray_recorder::study::Plan;
use onnxray_recorder::study::sensitivity::{
    Asked, DataFiles, LossJournal, LossRequest, SensitivitySpec, data_files,
};
use onnxray_report::{Report, loss_notes};
use onnxray_study::journal::make_folder;
use onnxray_study::sensitivity::{Measuring, measure};
use plan::Targets;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: SensitivityArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let engine = arguments.engine.spec(false).unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&engine])?;
    let batches = arguments.data.as_deref().map(data_files).transpose()?.unwrap_or_default();
    let files = [&arguments.model.model].into_iter().chain(&batches).chain(&arguments.labels);
    let files = files.chain(&arguments.plan).cloned();
    let force = continued(&arguments);
    let output = Destination::of(files, force, &arguments.report.output, &arguments.shown)?;
    // Refused now, and not after hours of measuring.
    check_output(&arguments, &output)?;
    let targets = arguments.plan.as_deref().map(|path| plan::read(path, arguments.block));
    let targets = targets.transpose()?;
    let request = request(&arguments, engine, batches, targets.as_ref())?;
    let result = arguments.save.clone().or_else(|| result(&output));
    if arguments.time_limit.is_some() && result.is_none() {
        Arguments::refuse(
            "--time-limit needs a place for what is measured until then: --save FILE",
        );
    }
    if let Some(result) = &result {
        check_result(result, &output.files)?;
    }
    find_models([arguments.model.model.as_path()])?;
    let program = Program::on_signals()?;
    let measuring = Measuring {
        result: result.as_deref(),
        force: arguments.report.force.force,
        jobs: arguments.jobs,
        time_limit: arguments.time_limit,
        again: "the same command",
    };
    let measured = measure(&request, &measuring, &program.host(engines.clock()))?;
    let Some((mut profile, journal)) = measured else { return Ok(Ended::Interrupted) };
    complete(&mut profile);
    profile.notes.extend(targets.and_then(|targets| targets.of_others));
    write(&profile, &arguments, &output, journal)?;
    Ok(ended(&profile))
}

/// Replaces files also where all that would be are the partial reports of the run that goes on:
/// the same command has to work again. They were written since its journal was begun, which goes
/// with the last of its results.
fn continued(arguments: &SensitivityArguments) -> ForceArguments {
    let outputs = [&arguments.save, &arguments.report.output];
    let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    let begun = outputs
        .first()
        .and_then(|result| LossRun::journal(result).symlink_metadata().ok()?.created().ok());
    let is_own = |path: &&PathBuf| match path.symlink_metadata() {
        Ok(metadata) => metadata.is_file() && metadata.modified().ok() >= begun,
        Err(_) => true, // nothing to replace
    };
    let continues = begun.is_some() && outputs.iter().all(is_own);
    ForceArguments { force: arguments.report.force.force || continues }
}

/// Refuses what could not be written in the end.
fn check_output(arguments: &SensitivityArguments, output: &Destination) -> anyhow::Result<()> {
    output.check_several("-o")?;
    output.check_columns("sensitivity")?;
    let Some(path) = &arguments.save else { return Ok(()) };
    output.files.check_json(path)?;
    match &arguments.report.output {
        Some(other) => output.files.check_distinct(other, path),
        None => Ok(()),
    }
}

/// The layers to prune, and how to compare outputs.
fn request(
    arguments: &SensitivityArguments,
    engine: EngineSpec,
    batches: Vec<PathBuf>,
    targets: Option<&Targets>,
) -> anyhow::Result<LossRequest> {
    let spec = SensitivitySpec {
        engine,
        model: arguments.model.model.clone().into(),
        dimensions: arguments.model.sizes.given(),
        data: DataFiles {
            batches: batches.into_iter().map(PathBuf::into_os_string).collect(),
            labels: arguments.labels.clone().map(PathBuf::into_os_string),
        },
        seed: arguments.seed,
        block: arguments.block,
        measure: arguments.compared.measure,
    };
    let (levels, layers) = (arguments.sparsities.clone(), &arguments.layers);
    let targets = targets.map(|targets| targets.operators.as_slice());
    let asked = Asked {
        losses: !arguments.time_only,
        times: (!arguments.loss_only).then_some(arguments.threads),
    };
    let request = LossRequest::read(spec, asked, levels, layers, targets)?;
    // Before the model runs: a plan for another model costs no measuring.
    request.plan.as_ref().map_or(Ok(()), plan::check)?;
    Ok(request)
}

/// Makes the place of a result and of the journal beside it.
fn check_result(result: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    outputs.check_input(&LossRun::journal(result))?;
    match result.parent() {
        // That of tables may not be there yet, and the journal lies in it.
        Some(folder) if !folder.as_os_str().is_empty() => make_folder(folder),
        _ => Ok(()),
    }
}

/// Adds the prediction for a plan, and the notes.
pub(in crate::commands) fn complete(profile: &mut LossProfile) {
    // Taken out for a moment: the prediction reads the rest of the profile.
    if let Some(mut plan) = profile.plan.take() {
        plan.predicted = predicted_sensitivity(profile, &plan.levels);
        profile.plan = Some(plan);
    }
    profile.notes = loss_notes(profile);
}

/// Writes the profile and its report; then the journal goes, if nothing is left to measure.
fn write(
    profile: &LossProfile,
    arguments: &SensitivityArguments,
    output: &Destination,
    journal: Option<LossJournal>,
) -> anyhow::Result<()> {
    if let Some(path) = &arguments.save {
        save(profile, path, &output.files)?;
        output.files.written(path);
    }
    output.write(profile)?;
    let most = arguments.rows.most(arguments.shown.format);
    let printed = output.print(profile.document(&most));
    // On standard output it is not a result that the journal stands beside.
    let is_result = arguments.save.is_none() && output.tables_folder().is_some();
    let is_written = !profile.is_partial() && (printed.is_ok() || !is_result);
    if let Some(journal) = journal.filter(|_| is_written) {
        journal.remove();
    }
    printed
}

/// Writes the profile into its file.
pub(in crate::commands) fn save(
    profile: &LossProfile,
    path: &Path,
    files: &OutputFiles,
) -> anyhow::Result<()> {
    files.write(path, |file| {
        serde_json::to_writer_pretty(&mut *file, profile)?;
        file.write_all(b"\n")
    })
}

/// File that the journal is named after if no profile is saved.
fn result(output: &Destination) -> Option<PathBuf> {
    // Some names of a folder end in none, as `.` and `..` do.
    let beside = |folder: &Path| match folder.file_name() {
        Some(name) => folder.with_file_name(name),
        None => folder.join("loss"),
    };
    output.report_file().map(Path::to_path_buf).or_else(|| output.tables_folder().map(beside))
}

/// A failed run is told by the table, and by the exit code.
pub(in crate::commands) fn ended(profile: &LossProfile) -> Ended {
    let points = profile.layers.iter().flat_map(|layer| &layer.points);
    let plan = profile.plan.iter().map(|plan| &plan.measured);
    let mut all = points.map(|point| &point.measured).chain(plan);
    let is_failed = profile.timed.as_ref().is_some_and(|timed| timed.failed.is_some());
    match is_failed || all.any(|measured| measured.failed.is_some()) {
        true => Ended::Told,
        false => Ended::Done,
    }
}
