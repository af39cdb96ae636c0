//! `onnxray project`: what a model would cost if its weights were sparse.

mod apply;
mod overridden;
mod run;
mod verify;

use super::settings_files::SettingsFiles;
use super::sources::input::{Input, named};
use super::sources::unknown_names;
use super::studies::sensitivity::profile as loss;
use crate::args::{Arguments, ProjectArguments};
use crate::destination::Destination;
use crate::exit::Ended;
use crate::message;
use crate::output_files::is_model;
use anyhow::bail;
use onnxray_analyzer::profiles::{Named, PlannedSpeed, Project};
use onnxray_analyzer::projection::{
    DEFAULT_BLOCK, LossBasis, Plan, Projection, Settings, plan, project,
};
use onnxray_analyzer::settings;
use onnxray_analyzer::{Needs, Summary};
use onnxray_report::{
    ProjectionReport, ProjectionSelection, Report, VerificationReport, no_faster_at_targets,
};
use onnxray_text::printable;
use overridden::{overridden, say_not_taken, set_ratios};
use std::path::Path;

pub(crate) fn run(arguments: ProjectArguments) -> anyhow::Result<Ended> {
    if let Some(sparse) = &arguments.verify {
        return verify::run(&arguments, sparse);
    }
    let kept_in = kept_in(&arguments)?;
    let input = Input::find(&arguments.input)?;
    let files = input.files().into_iter().chain(arguments.files.iter().cloned());
    let files = files.chain(arguments.sensitivity.clone());
    let files = files.chain(arguments.apply.clone()).chain(arguments.run.clone());
    let applied = applied(&arguments);
    // Where a model is written, tables go to standard output alone.
    let report = if applied.is_some() { &None } else { &arguments.output };
    let mut output = Destination::of(files, arguments.force, report, &arguments.shown)?;
    if let Some((_, path)) = applied {
        output.files.check_model(path)?;
        arguments
            .save_settings
            .iter()
            .try_for_each(|own| output.files.check_distinct(path, own))?;
    }
    // A file has the plan even if no budget is named: the default's.
    let has_plan =
        arguments.plans() || output.report_file().is_some() || arguments.save_settings.is_some();
    if let Some(option) = arguments.of_plan().filter(|_| !has_plan) {
        let ratios = match option {
            "--sensitivity" => "; --ratios takes its perf ratios alone",
            _ => "",
        };
        Arguments::refuse(&format!(
            "{option} has no effect without a plan: add --budget or --max-loss{ratios}"
        ));
    }
    if let Some(path) = &arguments.save_settings {
        output.files.check(path)?;
    }
    let given = SettingsFiles::read(&arguments.files)?;
    let mut settings = overridden(given.settings(), &arguments)?;
    say_not_taken(input.files(), &arguments);
    let loss = match &arguments.sensitivity {
        Some(path) => {
            let (has_maximum, needs_all) =
                (arguments.max_sparsity.is_some(), settings.plan.max_loss.is_some());
            let loss = loss::read(path, &mut settings, has_maximum, needs_all)?;
            // What it measured of time as well, unless --ratios has it from elsewhere.
            if settings.measured.is_empty() {
                settings::measured_ratios(&loss).apply(&mut settings);
            }
            Some(loss)
        }
        None => None,
    };
    let name = input.name();
    let summary = input.examined(Needs::Measured, |examined| examined.summary)?;
    super::warn(&summary);
    set_ratios(&mut settings, &arguments, &summary)?;
    let (projection, mut plan) = projected(&summary, &mut settings, &arguments);
    check_loss(&plan, &arguments)?;
    unknown_names::check_project(&arguments, &summary, &projection)?;
    given.warn_of_weightless(&summary, &projection);
    output.check_rows(&[&summary])?;
    if let (Some(path), Some(loss)) = (&arguments.sensitivity, &loss) {
        loss::check(path, loss, &summary, arguments.force)?;
    }
    if let Some(loss) = &loss {
        plan = plan.with_loss(&summary, loss);
    }
    let format = arguments.shown.format;
    // Programs get everything that the page beside them shows.
    let as_page = format.is_for_programs() && output.is_page();
    let selection = ProjectionSelection {
        operators: arguments.rows.most(format),
        levels_table: arguments.sparsity_table || as_page,
        plan: arguments.plans() || as_page,
        details: arguments.rows.all || format.is_for_programs(),
    };
    let named = named(&arguments.input.recordings)?;
    let report = ProjectionReport {
        name: &name,
        summary: &summary,
        projection: &projection,
        plan: &plan,
        settings: &settings,
        profile: named.as_ref(),
    };
    if arguments.run.is_some() {
        run::check(&summary, &settings, &output)?;
    }
    let document = match applied {
        Some(applied) => apply::apply(applied, &summary, &projection, &arguments, &mut output)?,
        None => report.document(&selection),
    };
    if let Some(path) = &arguments.save_settings {
        // Only now it is known which tables are written: one may have this name.
        output.check(&document, path)?;
        settings::write(&projection.settings(&settings), path, output.files.force)?;
    }
    output.write(&report)?;
    arguments.save_settings.iter().for_each(|path| output.files.written(path));
    // After the report, so that a write that fails keeps nothing.
    if let Some(named) = kept_in {
        keep(&named, &plan)?;
    }
    if let Some(applied) = applied.filter(|_| arguments.run.is_some()) {
        message::line(document.headline.join(" "));
        if let Some(no_faster) = no_faster_at_targets(&summary, &projection) {
            message::note(no_faster);
        }
        let [dense, sparse] = run::record(applied, &summary, arguments.launches)?;
        let verification = verify::of_recordings([&dense, &sparse], &settings)?;
        let block = settings.block;
        let report = VerificationReport { name: &name, verification: &verification, block };
        output.print(report.document(&arguments.rows.most(format)))?;
        return Ok(Ended::Done);
    }
    output.print(document)?;
    // Kernels skip blocks of 4 outputs, and larger ones that are made of these.
    if let Some((_, path)) =
        applied.filter(|_| projection.block.outputs.is_multiple_of(DEFAULT_BLOCK.outputs))
    {
        message::hint(format_args!(
            "onnxray record {} --against-options=--sparse compares it with a run that skips its zeros",
            message::quoted(path)
        ));
    }
    Ok(Ended::Done)
}

/// The model to prune, and the file for it.
fn applied(arguments: &ProjectArguments) -> Option<(&Path, &Path)> {
    let output = arguments.output.as_deref();
    match (arguments.apply.as_deref().or(arguments.run.as_deref()), output) {
        (None, Some(path)) if is_model(path) => Arguments::refuse(&format!(
            "-o {} would be a model: --apply MODEL.onnx names the one to prune",
            message::quoted(path)
        )),
        (model, output) => model.zip(output),
    }
}

/// The profile that the plan's estimate is kept with, if it is to be kept.
fn kept_in(arguments: &ProjectArguments) -> anyhow::Result<Option<Named>> {
    if !arguments.keep_plan {
        return Ok(None);
    }
    match named(&arguments.input.recordings)? {
        Some(named) => Ok(Some(named)),
        None => Arguments::refuse("--keep-plan needs one profile, as DIR:PROFILE"),
    }
}

fn keep(named: &Named, plan: &Plan) -> anyhow::Result<()> {
    let name = &named.profile.name;
    let Some(speedup) = plan.totals.speedup else {
        message::warning(format_args!(
            "the speedup of the plan is unknown; nothing is kept with {}",
            printable(name)
        ));
        return Ok(());
    };
    let planned = PlannedSpeed {
        budget: plan.settings.budget,
        speedup: speedup.value,
        ratios: plan.origins().text().to_string(),
        loss: plan.basis.text().to_string(),
    };
    Ok(Project::change(&named.project.folder, |project| project.keep_plan(name, planned))?)
}

/// Refuses a largest loss where the loss of a layer is unknown: whatever is not measured may be all
/// of it.
fn check_loss(plan: &Plan, arguments: &ProjectArguments) -> anyhow::Result<()> {
    let is_known = plan.basis == LossBasis::Sensitivity || plan.prunable == 0;
    if arguments.max_loss.is_none() || is_known {
        return Ok(());
    }
    let said = plan.caveats.first().map_or(String::new(), |caveat| format!(": {caveat}"));
    bail!(
        "--max-loss needs the loss of every layer that may be pruned{said}\n\
         hint: `onnxray sensitivity MODEL.onnx -o loss.json` measures it, and --sensitivity loss.json \
         reads it"
    )
}

/// The projection and the plan; with a plan that was asked for, the projection is at the plan's
/// levels.
fn projected(
    summary: &Summary,
    settings: &mut Settings,
    arguments: &ProjectArguments,
) -> (Projection, Plan) {
    let projection = project(summary, settings);
    let spread = plan(summary, &projection, settings);
    if !arguments.plans() {
        return (projection, spread);
    }
    // The projection is repeated at the plan's levels, so that its totals are the plan's.
    for (name, level) in spread.targets(summary) {
        settings.targets.set_operator(&name, level);
    }
    (project(summary, settings), spread)
}
